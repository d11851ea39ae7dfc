// A reason that is asked for: how many characters are still missing is said while typing, and what is typed is kept.

import { html, type TemplateResult } from 'lit';
import { drafts } from './drafts.ts';
import { MIN_REASON } from './value-entry.ts';
import { contestWords as words } from './words.ts';

export interface ReasonField {
  /** Under this name the text is kept. */
  readonly key: string;
  readonly text: string;
  readonly label?: string;
  change(text: string): void;
}

export function missingIn(text: string): number {
  return Math.max(0, MIN_REASON - text.trim().length);
}

export function reasonField(field: ReasonField): TemplateResult {
  const missing = missingIn(field.text);
  return html`
    <label class="wide">${field.label ?? words.reason.label}
      <textarea class="reason" rows="2" required minlength=${MIN_REASON} .value=${field.text}
        @input=${(event: Event) => {
          const { value } = event.target as HTMLTextAreaElement;
          drafts.keep(field.key, value);
          field.change(value);
        }}></textarea>
      <small class=${missing === 0 ? 'good' : ''}>${missing === 0 ? words.reason.enough : words.reason.missing(missing)}</small></label>`;
}

// A field for a number: what is typed stays until it is entered, and what is no number is taken back.

import { html, nothing, type TemplateResult } from 'lit';
import { editable } from './number-format.ts';

export interface NumberField {
  /** Shown above the field; `aria` names it for screen readers alone. */
  readonly label?: string;
  readonly aria?: string;
  readonly id?: string;
  readonly value: number;
  readonly digits?: number;
  readonly step?: string;
  readonly isLocked?: boolean;
  change(value: number): void;
}

export function numberField(field: NumberField): TemplateResult {
  const shown = editable(field.value, field.digits ?? 4);
  const entered = (event: Event): void => {
    const input = event.target as HTMLInputElement;
    if (Number.isFinite(input.valueAsNumber)) field.change(input.valueAsNumber);
    else input.value = shown;
  };
  const input = html`<input type="number" id=${field.id ?? nothing} step=${field.step ?? '0.01'} aria-label=${field.aria ?? nothing}
    .value=${shown} ?disabled=${field.isLocked ?? false} @change=${entered}>`;
  return field.label ? html`<label>${field.label}${input}</label>` : input;
}

// The form in which a judge enters a value: what it changes is shown before it is saved.

import { html, nothing, type TemplateResult } from 'lit';
import { problemBox } from '../parts/problem-box.ts';
import { enteredBy } from './entered-by.ts';
import { change, score, value } from './format.ts';
import { reasonField } from './reason-field.ts';
import type { ValueEntry } from './value-entry.ts';
import { contestWords as words } from './words.ts';

export interface ValueForm {
  readonly entry: ValueEntry;
  /** Names and titles of the criteria that may be entered. */
  readonly criteria: readonly { readonly name: string; readonly title: string }[];
  readonly measured: unknown;
  choose(name: string): void;
  save(): void;
  remove(): void;
  /** Takes over what the other judge entered: nothing is saved. */
  keepTheirs(): void;
  close(): void;
}

export function valueForm(form: ValueForm): TemplateResult {
  const { entry } = form;
  return html`
    <form @submit=${(event: Event) => { event.preventDefault(); form.save(); }}>
      <label class="wide">${words.desk.criterion}
        <select id="criterion" @change=${(event: Event) => form.choose((event.target as HTMLSelectElement).value)}>
          ${form.criteria.map(({ name, title }) => html`<option value=${name} ?selected=${name === entry.criterion.name}>${title}</option>`)}
        </select></label>
      ${entry.criterion.about ? html`<p class="quiet">${entry.criterion.about}</p>` : nothing}
      ${form.measured === null || form.measured === undefined ? nothing : html`<p class="quiet">${words.desk.measuredIs(value(form.measured))}</p>`}
      <label class="wide">${words.desk.value} (${entry.isList ? words.desk.listOfNumbers : words.desk.aNumber})
        <input id="value" type="text" inputmode="decimal" autocomplete="off" autofocus required .value=${entry.text}
          aria-invalid=${entry.text.trim() !== '' && entry.value === null ? 'true' : 'false'}
          @input=${(event: Event) => entry.type((event.target as HTMLInputElement).value)}></label>
      ${entry.before ? html`<p class="quiet">${words.desk.before}: ${value(entry.before.value)}, ${enteredBy(entry.before)}</p>` : nothing}
      ${reasonField({ key: `value/${entry.submission}/${entry.criterion.name}/reason`, text: entry.reason, change: (text) => entry.explain(text) })}
      ${previewBox(entry)}
      ${entry.theirs ? collision(entry, form) : entry.problem ? problemBox(entry.problem, null) : nothing}
      <div class="buttons dialog-buttons">
        ${entry.before ? html`<button type="button" class="left" ?disabled=${entry.missingReason > 0 || entry.isBusy} @click=${form.remove}>${words.desk.remove}</button>` : nothing}
        <button type="button" @click=${form.close}>${words.cancel}</button>
        <button type="submit" class="main" ?disabled=${!entry.canSave}>${entry.theirs ? words.desk.overwrite : words.save}</button>
      </div>
    </form>`;
}

function previewBox({ preview }: ValueEntry): TemplateResult {
  const ranks = preview?.ranks.filter(({ before, after }) => before !== after) ?? [];
  return html`
    <section class="preview" id="preview" aria-live="polite">
      <h3>${words.desk.preview}</h3>
      ${preview === null ? html`<p class="quiet">${words.desk.previewWaits}</p>` : html`
        <p class="preview-score">${words.desk.previewScore} <strong>${change(preview.score.before, preview.score.after, 2)}</strong></p>
        ${ranks.length === 0 ? html`<p class="quiet">${words.desk.noRankChange}</p>` : html`<ul>${ranks.map(({ team, before, after }) => html`<li>${words.desk.rankChange(team, score(before, 0), score(after, 0))}</li>`)}</ul>`}`}
    </section>`;
}

function collision(entry: ValueEntry, form: ValueForm): TemplateResult {
  const { theirs } = entry;
  return html`
    <div class="warning collision" id="collision" role="alert">
      <p>${theirs?.by ? words.desk.theirs(theirs.by, value(theirs.value), theirs.reason ?? '') : theirs ? words.board.enteredHidden : words.desk.theirsGone}</p>
      <button type="button" @click=${form.keepTheirs}>${words.desk.keepTheirs}</button>
    </div>`;
}

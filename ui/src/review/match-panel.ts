// The proposal in numbers: doubt, scan match against its limits, displacement as fields, note, opinions.

import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import type { Opinion, Proposal, ReviewNumber } from '../api/review-types.ts';
import { degrees, radians, type Pose } from '../map/geometry.ts';
import { numberField } from '../parts/number-field.ts';
import { clock, fixed } from '../parts/number-format.ts';
import { words } from '../words.ts';
import type { ReviewModel } from './review-model.ts';
import type { ScanPlacement } from './scan-placement.ts';

export function matchPanel(model: ReviewModel, placement: ScanPlacement): TemplateResult {
  const { proposal } = placement;
  return html`
    <section aria-label=${words.review.id}>
      <h2 id="relation">${words.review.id} ${proposal.id}</h2>
      <p class="quiet">${words.review.time(clock(proposal.from_s), clock(proposal.to_s))}${proposal.source ? html` · ${words.review.source} ${proposal.source}` : nothing}</p>
      <p>${proposal.doubt ? html`<strong>${words.review.doubt}:</strong> ${proposal.doubt.words}` : words.review.noDoubt}</p>
      ${opinionNote(proposal)}
    </section>
    ${numbersTable(placement.fit.numbers)}
    ${displacementFields(model, placement)}
    <section aria-label=${words.review.note}>
      <label class="wide">${words.review.note}
        <textarea id="note" rows="2" .value=${live(model.note)} @input=${(event: Event) => { model.note = (event.target as HTMLTextAreaElement).value; }}
          @keydown=${leaveByEscape}></textarea></label>
    </section>
    ${proposal.history.length > 0 ? historyList(proposal.history) : nothing}`;
}

function opinionNote(proposal: Proposal): TemplateResult | typeof nothing {
  if (proposal.opinion === 3) return html`<p class="warning">${words.review.third}</p>`;
  return proposal.blind || proposal.opinion === 2 ? html`<p class="warning">${words.review.blindNote}</p>` : nothing;
}

function numbersTable(numbers: readonly ReviewNumber[]): TemplateResult {
  return html`
    <section aria-label=${words.review.numbers}>
      <h2>${words.review.numbers}</h2>
      <table class="plain" id="match">
        <thead><tr><th scope="col">${words.review.number}</th><th scope="col">${words.review.value}</th><th scope="col">${words.review.limit}</th><th scope="col"></th></tr></thead>
        <tbody>
          ${numbers.map((number) => html`<tr>
            <th scope="row">${number.title}</th>
            <td>${shown(number.value)} ${number.unit}</td>
            <td>${shown(number.limit)}</td>
            <td class=${number.met ? 'mark met' : 'mark missed'}>${number.met ? `✓ ${words.review.met}` : `✕ ${words.review.missed}`}</td>
          </tr>`)}
        </tbody>
      </table>
    </section>`;
}

function shown(value: number | null): string {
  return value === null ? '–' : String(Number(value.toPrecision(3)));
}

function displacementFields(model: ReviewModel, placement: ScanPlacement): TemplateResult {
  const { delta } = placement;
  const field = (id: string, label: string, value: number, placed: (value: number) => Pose): TemplateResult =>
    numberField({ id, label, value, change: (entered) => model.moveTo(placed(entered)) });
  return html`
    <section aria-label=${words.review.displacement}>
      <h2>${words.review.displacement}</h2>
      <div class="fields three">
        ${field('delta-x', words.review.dx, delta.x_m, (x_m) => ({ ...delta, x_m }))}
        ${field('delta-y', words.review.dy, delta.y_m, (y_m) => ({ ...delta, y_m }))}
        ${field('delta-rotation', words.review.rotation, degrees(delta.theta_rad), (angle) => ({ ...delta, theta_rad: radians(angle) }))}
      </div>
    </section>`;
}

function historyList(history: readonly Opinion[]): TemplateResult {
  return html`
    <section aria-label=${words.review.history}>
      <h2>${words.review.history}</h2>
      <ul class="findings">
        ${history.map((entry) => html`<li>${words.review.entry(entry.status, entry.reviewer ?? words.review.nobody, entry.opinion ? words.review.opinion(entry.opinion) : '')}
          <small>${entry.time ?? ''} ${entry.delta ? `(${fixed(entry.delta.x_m, 3)}, ${fixed(entry.delta.y_m, 3)}, ${fixed(degrees(entry.delta.theta_rad), 2)}°)` : ''} ${entry.note ?? ''}</small></li>`)}
      </ul>
    </section>`;
}

/** Back to the keys after a note. */
function leaveByEscape(event: KeyboardEvent): void {
  if (event.key === 'Escape') document.querySelector<HTMLElement>('map-pane canvas')?.focus();
}

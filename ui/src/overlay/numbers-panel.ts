// Live numbers: about while the map moves, exact when it rests.

import { html, nothing, type TemplateResult } from 'lit';
import type { LiveAnswer, LiveNumber } from '../api/types.ts';
import { words } from '../words.ts';
import type { OverlayModel } from './overlay-model.ts';

export function numbersPanel(model: OverlayModel): TemplateResult {
  const { live } = model;
  const exact = model.numbersAreExact();
  return html`
    <section aria-label=${words.numbers.title}>
      <h2>${words.numbers.title}</h2>
      ${live
        ? html`
          <table class="numbers" id="numbers" data-exact=${exact ? 'yes' : 'no'}>
            <tbody>${live.numbers.map((number) => row(number, live.exact))}</tbody>
          </table>
          <p class="quiet">${sentence(model, live)}</p>`
        : html`<p class="quiet">${words.numbers.waiting}</p>`}
    </section>`;
}

function sentence(model: OverlayModel, live: LiveAnswer): string {
  if (live.exact) return words.numbers.exact;
  return model.numbersWait() ? words.numbers.about(live.pooled_by) : words.numbers.tooLarge(live.pooled_by);
}

function row(number: LiveNumber, exact: boolean): TemplateResult {
  return html`
    <tr>
      <th scope="row">${number.title}<small>${words.numbers.better[number.better]}</small></th>
      <td class="value" data-id=${number.id}>${number.value === null
        ? html`<span class="undefined">${words.numbers.undefined}</span>
          ${number.reasons.length > 0 ? html`<small>${number.reasons.join(', ')}</small>` : nothing}`
        : html`${exact ? '' : '≈ '}${number.digits}${unitOf(number)}`}</td>
    </tr>`;
}

function unitOf(number: LiveNumber): TemplateResult | typeof nothing {
  return number.unit !== '1' ? html` <small>${number.unit}</small>` : nothing;
}

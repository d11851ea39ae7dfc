// Numbers of all panes side by side; the best of each row is marked.

import { html, nothing, type TemplateResult } from 'lit';
import type { LiveNumber } from '../api/types.ts';
import { words } from '../words.ts';
import { bestOf } from './best-number.ts';
import type { ComparePane } from './compare-pane.ts';

export function numbersTable(panes: readonly ComparePane[]): TemplateResult {
  const rows = panes.find((pane) => pane.numbers)?.numbers?.numbers ?? [];
  return html`
    <section aria-label=${words.compare.table}>
      <div class="scrolls" tabindex="0" role="region" aria-label=${words.compare.table}>
        <table class="side-by-side" id="side-by-side">
          <caption class="for-screen-readers">${words.compare.table}</caption>
          <thead><tr><th scope="col">${words.compare.number}</th>
            ${panes.map((pane) => html`<th scope="col">${pane.label}</th>`)}</tr></thead>
          <tbody>${rows.map((number) => row(number, panes))}</tbody>
        </table>
      </div>
    </section>`;
}

function row(of: LiveNumber, panes: readonly ComparePane[]): TemplateResult {
  const numbers = panes.map((pane) => pane.numbers?.numbers.find(({ id }) => id === of.id) ?? null);
  const best = bestOf(numbers);
  return html`<tr><th scope="row">${of.title}<small>${words.numbers.better[of.better]}</small></th>
    ${numbers.map((number) => html`<td class=${number && number.value !== null && number.value === best ? 'best' : ''}>
      ${number === null ? '…' : number.value === null ? html`<span title=${number.reasons.join(', ') || nothing}>${words.numbers.undefined}</span>` : number.digits}
      ${number && number.value !== null && number.value === best ? html`<span class="tag">${words.compare.best}</span>` : nothing}</td>`)}
  </tr>`;
}

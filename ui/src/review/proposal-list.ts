// The list at the left: proposals, most doubtful first.

import { html, nothing, type TemplateResult } from 'lit';
import type { ReviewRow, Status } from '../api/review-types.ts';
import { words } from '../words.ts';
import type { ReviewModel } from './review-model.ts';

const FILTERS: readonly Status[] = ['proposed', 'accepted', 'adjusted', 'rejected'];

export function proposalList(model: ReviewModel, run: (act: (model: ReviewModel) => Promise<void>) => void): TemplateResult {
  const filter = (event: Event): void => {
    model.statusFilter = (event.target as HTMLSelectElement).value as Status | '';
    run((review) => review.readList());
  };
  return html`
    <aside class="panel left" tabindex="0" aria-label=${words.review.list}>
      <h2>${words.review.list}</h2>
      <label class="wide">${words.review.filter}
        <select @change=${filter}>
          <option value="">${words.review.all}</option>
          ${FILTERS.map((status) => html`<option value=${status}>${words.review.status[status]}</option>`)}
        </select></label>
      <ul class="proposals">${model.rows.map((row) => rowItem(row, model, run))}</ul>
      ${model.after ? html`<button @click=${() => run((review) => review.readList('more'))}>${words.review.more}</button>` : nothing}
    </aside>`;
}

function rowItem(row: ReviewRow, model: ReviewModel, run: (act: (model: ReviewModel) => Promise<void>) => void): TemplateResult {
  const isCurrent = model.placement?.proposal.id === row.id;
  return html`<li><button aria-current=${isCurrent ? 'true' : 'false'} @click=${() => run((review) => review.open(row.id))}>
    <strong>${row.id}</strong> ${(words.review.status as Readonly<Record<string, string>>)[row.status] ?? row.status}${row.reviewer ? html` · ${row.reviewer}` : nothing}
    <small>${row.words ?? words.review.noDoubt}</small></button></li>`;
}

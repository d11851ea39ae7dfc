// How far the review is, how well second opinions agree, which loops no longer close.

import { html, nothing, type TemplateResult } from 'lit';
import type { Agreement, Review, Status } from '../api/review-types.ts';
import { fixed } from '../parts/number-format.ts';
import { words } from '../words.ts';
import type { ReviewModel } from './review-model.ts';

const STATUSES: readonly Status[] = ['proposed', 'accepted', 'adjusted', 'rejected', 'disputed'];

export function progressPanel(model: ReviewModel, review: Review, open: (id: string) => void): TemplateResult {
  const { queue } = model;
  return html`
    <section aria-label=${words.review.progress}>
      <h2>${words.review.progress}</h2>
      <p>${queue.left === null ? nothing : html`<strong id="left">${words.review.left(queue.left)}</strong>`}
        ${review.rate_per_minute === null ? nothing : html`, ${words.review.rate(fixed(review.rate_per_minute, 0))}`}</p>
      <p class="quiet" id="counts">${STATUSES.map((status) => `${words.review.status[status]} ${review.counts[status] ?? 0}`).join(', ')}</p>
    </section>
    ${review.agreement ? agreementPanel(review.agreement) : nothing}
    ${review.loops.length > 0 ? html`
      <section aria-label=${words.review.loops}>
        <h2>${words.review.loops}</h2>
        ${review.loops.map((loop) => html`<p>${loop.words}
          ${loop.ids.map((id) => html`<button class="small" @click=${() => open(id)}>${id}</button> `)}</p>`)}
      </section>` : nothing}`;
}

function agreementPanel(agreement: Agreement): TemplateResult {
  return html`
    <section aria-label=${words.review.agreement} id="agreement">
      <h2>${words.review.agreement}</h2>
      ${agreement.compared === 0 ? html`<p class="quiet">${words.review.notYet}</p>` : html`
        <p>${words.review.compared(agreement.agreed, agreement.compared)}</p>
        ${agreement.kappa === null ? nothing : html`<p>${words.review.kappa(fixed(agreement.kappa, 2), fixed(agreement.kappa_low, 2), fixed(agreement.kappa_high, 2))}</p>`}
        ${agreement.median_distance_m === null ? nothing : html`<p>${words.review.distance(fixed(agreement.median_distance_m, 3))}</p>`}
        <ul class="findings">${agreement.by_doubt.map((row) => html`<li>${row.words}: ${words.review.compared(row.agreed, row.compared)}</li>`)}</ul>`}
    </section>`;
}

// Panels of one submission that judges see: parts, measured beside entered, the formula with its numbers, the alignment, maps.

import { html, nothing, type TemplateResult } from 'lit';
import type { Contest, Part, SubmissionDetail, Value } from '../api/contest-types.ts';
import { enteredBy } from './entered-by.ts';
import { figures } from './figures.ts';
import { score, singleDigits, time, value } from './format.ts';
import { contestWords as words } from './words.ts';

type Piece = TemplateResult | typeof nothing;

export function partsPanel(detail: SubmissionDetail, enter: ((name: string) => void) | null, contest: Contest): TemplateResult {
  const criteria = new Set(contest.criteria.map(({ name }) => name));
  return html`
    <section class="panel-box" id="parts">
      <div class="score-line"><h2>${words.submission.score}</h2><output>${typeof detail.score === 'number' ? score(detail.score, singleDigits(detail.score)) : words.submission.noScore}</output></div>
      ${detail.formula ? html`<p class="formula"><code>${detail.formula}</code></p>` : nothing}
      ${detail.parts.length === 0 ? html`<p class="quiet">${words.submission.noParts}</p>` : html`
        <div class="scrolls" tabindex="0" role="region" aria-label=${words.submission.parts}>
        <table class="plain parts-table">
          <thead><tr><th scope="col">${words.submission.part}</th><th scope="col">${words.submission.measured}</th><th scope="col">${words.submission.entered}</th><th scope="col" class="text">${words.submission.status}</th></tr></thead>
          <tbody>${detail.parts.map((part) => partRow(part, detail.values.find(({ name }) => name === part.name), criteria.has(part.name) ? enter : null))}</tbody>
        </table></div>`}
      ${otherValues(detail)}
    </section>`;
}

function partRow(part: Part, entered: Value | undefined, enter: ((name: string) => void) | null): TemplateResult {
  return html`
    <tr class=${part.status === 'undefined' ? 'is-undefined' : ''}>
      <th scope="row">${part.title} <code>${part.name}</code></th>
      <td class=${part.entered !== null && part.entered !== undefined ? 'superseded' : ''}>${value(part.measured)}</td>
      <td>${part.entered !== null && part.entered !== undefined ? html`<strong>${value(part.entered)}</strong>` : nothing}
        ${enter ? html`<button class="small" @click=${() => enter(part.name)}>${entered ? words.desk.changeThis : words.desk.enterThis}<span class="for-screen-readers">: ${part.title}</span></button>` : nothing}</td>
      <td class="text">${part.status === 'undefined' ? html`<span class="undefined">${words.undefined}</span> ` : nothing}${part.reasons.join('; ')}${entered ? opinionLine(entered) : nothing}</td>
    </tr>`;
}

function opinionLine(entered: Value): TemplateResult {
  const many = entered.opinions.length > 1;
  return html`<span>${enteredBy(entered)}</span>
    ${many ? html`<span class=${entered.agreed ? 'quiet' : 'warning-text'}> (${entered.opinions.map(({ by, value: opinion }) => `${by} ${value(opinion)}`).join(', ')}; ${entered.agreed ? words.submission.median : words.submission.disagree})</span>` : nothing}`;
}

/** Values that stand for no part of the score by name, such as criteria inside of a part. */
function otherValues(detail: SubmissionDetail): Piece {
  const rest = detail.values.filter(({ name }) => !detail.parts.some((part) => part.name === name));
  if (rest.length === 0) return nothing;
  return html`<h3>${words.submission.values}</h3><ul class="values-list">${rest.map((entered) => html`<li><code>${entered.name}</code> <strong>${value(entered.value)}</strong> ${opinionLine(entered)} <span class="quiet">${time(entered.at)}</span></li>`)}</ul>`;
}

export function framePanel(detail: SubmissionDetail, overlay: string | null): TemplateResult {
  const { frame } = detail;
  const isHand = frame?.method === 'manual';
  return html`
    <section class="panel-box" id="frame">
      <h2>${words.submission.frame}</h2>
      ${frame === null ? html`<p class="quiet">${words.submission.noFrame}</p>` : html`
        <dl class="facts">
          <dt>${words.submission.certificate}</dt>
          <dd>${isHand && frame.by ? html`<strong>${words.submission.byHand(frame.by)}</strong>` : frame.method}${frame.verdict ? html` <span class=${`verdict-tag ${frame.verdict}`}>${frame.verdict}</span>` : nothing}</dd>
          ${frame.reason ? html`<dt>${words.reason.label}</dt><dd>${frame.reason}</dd>` : nothing}
        </dl>
        ${frame.of_older_map ? html`<p class="warning">${words.submission.older}</p>` : nothing}`}
      ${overlay ? html`<p><a class="button" href=${overlay}>${words.submission.overlay}</a></p>` : nothing}
    </section>`;
}

export function picturesPanel(detail: SubmissionDetail): Piece {
  if (detail.pictures.length === 0) return nothing;
  return html`
    <section class="panel-box pictures">
      ${figures(detail.id, detail.pictures)}
    </section>`;
}

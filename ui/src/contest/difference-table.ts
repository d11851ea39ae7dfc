// What a draft changes: each score and rank before and after, and why.

import { html, nothing, type TemplateResult } from 'lit';
import type { Difference } from '../api/contest-types.ts';
import { scoreDigits, score } from './format.ts';
import { contestWords as words } from './words.ts';

type Row = Difference['rows'][number];

export function isChanged({ score: points, rank }: Row): boolean {
  return points.before !== points.after || rank.before !== rank.after;
}

export function differenceTable(difference: Difference, showsAll: boolean): TemplateResult {
  const rows = showsAll ? difference.rows : difference.rows.filter(isChanged);
  const digits = scoreDigits(difference.rows.flatMap((row) => [row.score.before, row.score.after]));
  return html`
    <p class="difference-count" id="difference"><strong>${words.difference.changed(difference.rows.filter(isChanged).length, difference.rows.length)}</strong></p>
    ${rows.length === 0 ? nothing : html`
      <div class="scrolls" tabindex="0" role="region" aria-label=${words.difference.title}>
      <table class="list-table difference">
        <thead><tr><th scope="col">${words.difference.team}</th><th scope="col" class="number">${words.difference.score}</th><th scope="col" class="number">${words.difference.rank}</th><th scope="col">${words.difference.cause}</th></tr></thead>
        <tbody>${rows.map((row) => html`
          <tr class=${isChanged(row) ? 'changed' : 'same'}>
            <th scope="row"><bdi>${row.team}</bdi></th>
            <td class="number">${pair(row.score.before, row.score.after, digits)}</td>
            <td class="number">${pair(row.rank.before, row.rank.after, 0)} ${direction(row)}</td>
            <td>${row.causes.join('; ')}</td>
          </tr>`)}</tbody>
      </table></div>`}`;
}

function pair(before: number | null, after: number | null, digits: number): TemplateResult | string {
  if (before === after) return score(after, digits);
  return html`<span class="before">${score(before, digits)}</span> → <strong>${score(after, digits)}</strong>`;
}

/** A shape with its word: up is a smaller rank. */
function direction({ rank: { before, after } }: Row): TemplateResult | typeof nothing {
  if (before === after || after === null) return nothing;
  if (before === null) return html`<span class="move">${words.difference.new}</span>`;
  const up = after < before;
  return html`<span class=${up ? 'move up' : 'move down'} title=${up ? words.difference.up : words.difference.down}>${up ? '▲' : '▼'}<span class="for-screen-readers">${up ? words.difference.up : words.difference.down}</span></span>`;
}

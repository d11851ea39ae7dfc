// The scoreboard's table: a row for each team, between neighbours how sure their order is, below a row its score sheet.

import { html, nothing, svg, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { PublishedMap } from '../api/contest-types.ts';
import type { MissionResult } from '../api/ranking-types.ts';
import { percent, score, value } from './format.ts';
import { MAX_COMPARED, type Bar, type Scoreboard, type ScoreRow } from './scoreboard-model.ts';
import { scoreSheet } from './score-sheet.ts';
import { contestWords as words } from './words.ts';

export interface TableState {
  readonly board: Scoreboard;
  readonly opened: ReadonlySet<string>;
  readonly picked: ReadonlySet<string>;
  readonly isPicking: boolean;
  readonly moved: ReadonlySet<string>;
  readonly maps: readonly PublishedMap[];
  missionTitle(id: string): string;
  toggle(team: string): void;
  pick(team: string): void;
}

const MAX_PART_COLUMNS = 6;

export function scoreTable(state: TableState): TemplateResult {
  const { board } = state;
  const columns = columnsOf(board);
  return html`
    <div class="board-scroll" tabindex="0" role="region" aria-label=${words.nav.scoreboard}>
    <table class="board">
      <thead>
        <tr>
          ${state.isPicking ? html`<th class="pick"><span class="for-screen-readers">${words.board.pickHint}</span></th>` : nothing}
          <th scope="col" class="rank">${words.board.rank}</th>
          <th scope="col" class="team">${words.board.team}</th>
          <th scope="col" class="score">${words.board.score}</th>
          <th scope="col" class="interval">${words.board.interval}</th>
          ${columns.missions.map((mission) => html`<th scope="col" class="number mission">${state.missionTitle(mission)}</th>`)}
          ${columns.parts.map(({ name, title }) => html`<th scope="col" class="number part"><abbr title=${title}>${name}</abbr></th>`)}
        </tr>
      </thead>
      <tbody>
        ${repeat(board.rows, ({ team }) => team, (row, index) => html`${teamRow(state, row, columns)}${orderRow(state, row, board.rows[index + 1], columns.count)}`)}
      </tbody>
    </table>
    </div>`;
}

interface Columns {
  readonly missions: readonly string[];
  readonly parts: Scoreboard['parts'];
  readonly count: number;
}

function columnsOf(board: Scoreboard): Columns {
  const missions = board.missions.length > 1 ? board.missions : [];
  const parts = board.parts.slice(0, MAX_PART_COLUMNS);
  return { missions, parts, count: 4 + missions.length + parts.length };
}

function teamRow(state: TableState, row: ScoreRow, columns: Columns): TemplateResult {
  const isOpen = state.opened.has(row.team);
  const digits = state.board.digits;
  return html`
    <tr class=${`entry${state.moved.has(row.team) ? ' moved' : ''}${isOpen ? ' open' : ''}`} data-team=${row.team}>
      ${state.isPicking ? html`<td class="pick"><input type="checkbox" aria-label=${words.board.pick(row.team)} .checked=${state.picked.has(row.team)}
        ?disabled=${!state.picked.has(row.team) && state.picked.size >= MAX_COMPARED} @change=${() => state.pick(row.team)}></td>` : nothing}
      <td class="rank">${row.rank ?? html`<span aria-label=${words.board.noRank}>–</span>`}</td>
      <th scope="row" class="team">
        <button class="team-button" aria-expanded=${isOpen} title=${words.board.open} @click=${() => state.toggle(row.team)}><bdi>${row.team}</bdi></button>
        ${marksOf(row)}
      </th>
      <td class="score">${row.score === null ? html`<span class="undefined">${words.board.undefinedScore}</span>` : score(row.score, digits)}</td>
      <td class="interval">${row.bar ? intervalBar(row.bar, row, digits) : nothing}</td>
      ${columns.missions.map((mission) => html`<td class="number mission">${missionCell(row.missions.find((one) => one.mission === mission), digits)}</td>`)}
      ${columns.parts.map(({ name }) => html`<td class="number part">${partValue(row.parts[name])}</td>`)}
    </tr>
    ${isOpen ? html`<tr class="sheet-row"><td colspan=${columns.count + (state.isPicking ? 1 : 0)}>${scoreSheet(row, state)}</td></tr>` : nothing}`;
}

/** Lists are long: their sum says more in a column. */
function partValue(what: unknown): string {
  if (Array.isArray(what) && what.every((one) => typeof one === 'number')) return `Σ ${value(what.reduce((sum: number, one: number) => sum + one, 0))}`;
  return value(what);
}

function marksOf(row: ScoreRow): TemplateResult {
  return html`
    ${row.hasEntered ? html`<span class="mark-entered" title=${words.board.entered}>${penIcon()}<span class="for-screen-readers">${words.board.entered}</span></span>` : nothing}
    ${row.hasHandFrame ? html`<span class="mark-entered" title=${words.board.handFrame}>${handIcon()}<span class="for-screen-readers">${words.board.handFrame}</span></span>` : nothing}`;
}

export function penIcon(): TemplateResult {
  return html`<svg class="icon" viewBox="0 0 16 16" aria-hidden="true"><path d="M11.5 1.8 14.2 4.500 5.200 13.500 1.800 14.200 2.500 10.800Z M9.800 3.500l2.700 2.700"></path></svg>`;
}

export function handIcon(): TemplateResult {
  return html`<svg class="icon" viewBox="0 0 16 16" aria-hidden="true"><path d="M8 1.500v13 M1.500 8h13 M8 1.500 6.200 3.500 M8 1.500l1.800 2 M8 14.500l-1.800-2 M8 14.500l1.800-2 M1.500 8l2-1.800 M1.500 8l2 1.800 M14.500 8l-2-1.800 M14.500 8l-2 1.800"></path></svg>`;
}

function intervalBar(bar: Bar, row: ScoreRow, digits: number): TemplateResult {
  const label = row.interval ? words.board.range(score(row.interval[0], digits), score(row.interval[1], digits)) : score(row.score, digits);
  return html`
    <svg class="interval-bar" viewBox="0 0 100 12" preserveAspectRatio="none" role="img" aria-label=${label}>
      ${svg`<title>${label}</title>
        <rect class="track" x="0" y="5" width="100" height="2"></rect>
        <rect class="range" x=${bar.from} y="2" width=${Math.max(bar.to - bar.from, 0.6)} height="8" rx="1"></rect>
        <line class="at" x1=${bar.at} x2=${bar.at} y1="0" y2="12" vector-effect="non-scaling-stroke"></line>`}
    </svg>`;
}

function missionCell(result: MissionResult | undefined, digits: number): TemplateResult | string {
  if (!result) return '–';
  if (result.outcome === 'scored') return score(result.score, digits);
  return html`<span class="undefined">${result.outcome === 'broken' ? words.states.broken : words.undefined}</span>`;
}

function orderRow(state: TableState, above: ScoreRow, below: ScoreRow | undefined, count: number): TemplateResult | typeof nothing {
  const order = above.aboveNext;
  if (!order || !below) return nothing;
  const say = order.isSure ? words.board.aboveIn : words.board.notSure;
  return html`
    <tr class=${order.isSure ? 'order sure' : 'order unsure'}>
      ${state.isPicking ? html`<td class="pick"></td>` : nothing}
      <td colspan=${count}><span class="order-line"><span>${say(percent(order.share), state.board.resamples)}</span></span></td>
    </tr>`;
}

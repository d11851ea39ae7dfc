// The score sheet of a team: each mission's parts with the formula and its numbers, what judges entered, the files with their hashes;
// with figures for whoever may see the truth.

import { html, nothing, type TemplateResult } from 'lit';
import type { PublishedMap } from '../api/contest-types.ts';
import type { MissionResult, RankedPart } from '../api/ranking-types.ts';
import { figures } from './figures.ts';
import { score, shortHash, value } from './format.ts';
import type { ScoreRow } from './scoreboard-model.ts';
import { contestWords as words } from './words.ts';

interface SheetState {
  readonly board: { readonly digits: number };
  readonly maps: readonly PublishedMap[];
  missionTitle(id: string): string;
}

export function scoreSheet(row: ScoreRow, state: SheetState): TemplateResult {
  return html`
    <section class="sheet" aria-label=${words.board.sheet(row.team)}>
      <h2 class="on-paper">${words.board.sheet(row.team)}</h2>
      ${row.missions.map((mission) => missionSheet(row.team, mission, state))}
      <p class="on-paper signatures">${words.board.signatures}</p>
      <p class="no-print"><button @click=${printAlone}>${words.board.print}</button></p>
    </section>`;
}

/** Prints the sheet without the other teams, with the hashes of its files. */
function printAlone(event: Event): void {
  const sheet = (event.currentTarget as HTMLElement).closest('.sheet');
  const row = sheet?.closest('tr');
  if (!sheet || !row) return;
  sheet.querySelectorAll('details').forEach((files) => { files.open = true; });
  row.classList.add('alone');
  window.addEventListener('afterprint', () => row.classList.remove('alone'), { once: true });
  window.print();
}

function missionSheet(team: string, result: MissionResult, { board, maps, missionTitle }: SheetState): TemplateResult {
  const map = maps.find((one) => one.team === team && one.mission === result.mission);
  const frame = result.inputs.find(({ role }) => role === 'frame');
  return html`
    <div class="sheet-mission">
      <h3>${result.mission ? `${missionTitle(result.mission)}: ` : ''}${result.score === null ? words.board.undefinedScore : score(result.score, board.digits)}
        ${frame ? html`<span class="tag">${words.board.handFrame}</span>` : nothing}</h3>
      ${result.outcome === 'broken' ? html`<p class="problem-line">${words.board.broken}: ${result.reason ?? ''}</p>` : nothing}
      ${result.outcome === 'undefined' ? html`<p class="problem-line">${words.board.undefinedScore}: ${result.reason ?? ''}</p>` : nothing}
      ${result.substituted ? html`<p class="formula"><code>${result.substituted}</code></p>` : nothing}
      <table class="plain parts">
        <thead><tr><th scope="col">${words.board.part}</th><th scope="col">${words.board.value}</th><th scope="col" class="text">${words.board.basis}</th></tr></thead>
        <tbody>${result.parts.map((part) => partRow(part, result))}</tbody>
      </table>
      ${map && map.pictures.length > 0 ? html`<div class="pictures">${figures(map.id, map.pictures)}</div>` : nothing}
      <details class="files"><summary>${words.board.files}</summary>
        <ul class="hashes">${result.inputs.map(({ role, path, blake3 }) => html`<li><span>${role}</span> <bdi>${path}</bdi> <code title=${blake3}><span class="on-screen">${shortHash(blake3)}</span><span class="on-paper">${blake3}</span></code></li>`)}</ul>
      </details>
    </div>`;
}

function partRow(part: RankedPart, result: MissionResult): TemplateResult {
  const entered = result.entered?.find(({ name }) => name === part.name);
  return html`
    <tr>
      <th scope="row">${part.title} <code>${part.name}</code></th>
      <td class="figure">${part.value === null ? html`<span class="undefined">${words.undefined}</span>` : value(part.value)}</td>
      <td class="text">${part.by_judge ? html`<span class="tag entered">${words.board.byJudge}</span> ` : nothing}${part.stand_in ? words.board.standIn : nothing}
        ${entered ? words.board.enteredBy(entered.by ?? '', entered.reason ?? '') : part.reason ?? nothing}</td>
    </tr>`;
}

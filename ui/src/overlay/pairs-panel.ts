// Pairs of points: their table with residuals, the motion they may fit, CSV in and out.

import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import type { FitAnswer, Motion, Pair, Residual } from '../api/types.ts';
import { apply, inverse, type Point } from '../map/geometry.ts';
import { chosenText, download } from '../parts/download.ts';
import { numberField } from '../parts/number-field.ts';
import { fixed } from '../parts/number-format.ts';
import { words } from '../words.ts';
import type { OverlayModel } from './overlay-model.ts';
import { PAIRS_NEEDED } from './pair-fit.ts';

const MOTIONS: readonly Motion[] = ['move', 'turn', 'scale', 'polynomial'];

export function pairsPanel(model: OverlayModel): TemplateResult {
  const { session, fit } = model;
  const { pairs } = session.placement;
  const worst = fit.worst(session.placement);
  return html`
    <p class="quiet">${model.tool === 'pairs'
      ? (model.pendingPair ? words.pairs.clickTruth : words.pairs.clickMap)
      : words.pairs.howTo}</p>
    <div class="buttons">
      <button aria-pressed=${model.tool === 'pairs'} @click=${() => model.setTool('pairs')}>${words.pairs.pick}</button>
      <button @click=${() => addAtPivot(model)}>${words.pairs.add}</button>
      <label class="button">${words.pairs.load}
        <input type="file" class="for-screen-readers" accept=".csv,.txt,.json" @change=${(event: Event) => void loadFile(model, event)}>
      </label>
      <button ?disabled=${pairs.length === 0} @click=${() => void savePairs(model)}>${words.pairs.save}</button>
    </div>
    ${pairs.length === 0 ? nothing : html`
      <div class="scrolls">
        <table class="pairs">
          <caption class="for-screen-readers">${words.pairs.title}</caption>
          <thead><tr>
            <th scope="col">${words.pairs.on}</th><th scope="col">${words.pairs.mapX}</th><th scope="col">${words.pairs.mapY}</th>
            <th scope="col">${words.pairs.truthX}</th><th scope="col">${words.pairs.truthY}</th><th scope="col"></th>
          </tr></thead>
          <tbody>${pairs.map((pair, index) => pairRows(model, pair, index, index === worst))}</tbody>
        </table>
      </div>
      ${motionChoice(model)}
      ${fit.answer ? fitResult(model, fit.answer) : nothing}`}`;
}

function pairRows(model: OverlayModel, pair: Pair, index: number, isWorst: boolean): TemplateResult {
  const { session } = model;
  const residual = model.fit.answer?.residuals[index] ?? null;
  return html`
    <tr class=${isWorst ? 'worst' : ''}>
      <td><label><input type="checkbox" .checked=${live(pair.on)} aria-label=${words.pairs.use(index + 1)}
        @change=${(event: Event) => session.changePair(index, { on: (event.target as HTMLInputElement).checked })}> ${index + 1}</label></td>
      ${coordinate(words.pairs.coordinate(index + 1, words.pairs.mapX), pair.map[0], (x) => session.changePair(index, { map: [x, pair.map[1]] }))}
      ${coordinate(words.pairs.coordinate(index + 1, words.pairs.mapY), pair.map[1], (y) => session.changePair(index, { map: [pair.map[0], y] }))}
      ${coordinate(words.pairs.coordinate(index + 1, words.pairs.truthX), pair.truth[0], (x) => session.changePair(index, { truth: [x, pair.truth[1]] }))}
      ${coordinate(words.pairs.coordinate(index + 1, words.pairs.truthY), pair.truth[1], (y) => session.changePair(index, { truth: [pair.truth[0], y] }))}
      <td><button class="small" aria-label=${words.pairs.remove(index + 1)} @click=${() => session.removePair(index)}>✕</button></td>
    </tr>
    ${residual ? html`<tr class=${isWorst ? 'worst residual' : 'residual'}><td></td><td colspan="5">${residualWords(residual, isWorst)}</td></tr>` : nothing}`;
}

function coordinate(label: string, value: number, change: (value: number) => void): TemplateResult {
  return html`<td>${numberField({ aria: label, value, change })}</td>`;
}

function residualWords(residual: Residual, isWorst: boolean): TemplateResult {
  return html`dx ${fixed(residual.dx_m, 3)}, dy ${fixed(residual.dy_m, 3)}: <strong>${fixed(residual.length_m, 3)} m</strong>
    (${words.pairs.cells(fixed(residual.length_cells, 1))}); ${words.pairs.ifLeftOut(fixed(residual.if_left_out_m, 3))}
    ${isWorst ? html`<strong class="tag">${words.pairs.worst}</strong>` : nothing}`;
}

function motionChoice(model: OverlayModel): TemplateResult {
  const { session } = model;
  const { motion, degree } = session.placement;
  return html`
    <div class="fields">
      <label>${words.pairs.motion}
        <select id="motion" @change=${(event: Event) => session.setMotion((event.target as HTMLSelectElement).value as Motion, degree)}>
          ${MOTIONS.map((name) => html`<option value=${name} ?selected=${name === motion}>${words.pairs.motions[name]}</option>`)}
        </select>
      </label>
      ${motion === 'polynomial' ? html`
        <label>${words.pairs.degree}
          <select id="degree" @change=${(event: Event) => session.setMotion(motion, Number((event.target as HTMLSelectElement).value))}>
            ${PAIRS_NEEDED.map((needed, index) => html`<option value=${index + 1} ?selected=${index + 1 === degree}>${words.pairs.degreeNeeds(index + 1, needed)}</option>`)}
          </select>
        </label>` : nothing}
    </div>`;
}

function fitResult(model: OverlayModel, answer: FitAnswer): TemplateResult {
  const { truth_from_map, refused, bent } = answer;
  return html`
    <div id="fit">
      ${refused ? html`<p class="warning">${words.pairs.refused} ${refused.reason}</p>` : nothing}
      ${answer.rms_m === null || answer.rms_m === undefined ? nothing : html`<p>${words.pairs.rms} <strong>${fixed(answer.rms_m, 4)} m</strong> <code>${answer.formula}</code></p>`}
      ${bent ? html`
        <p>${words.pairs.psiAfter} <strong>${fixed(bent.psi_after ?? null, 4)}</strong>, ${words.pairs.penalty} <strong>${fixed(bent.penalty_m, 4)} m</strong></p>
        <p class="quiet">${words.pairs.byDegree} ${bent.lengths_m.map((length) => fixed(length, 3)).join(', ')} m</p>
        <p class=${bent.folds ? 'warning' : 'quiet'}>${bent.folds ? words.pairs.folds : words.pairs.noFolds}</p>` : nothing}
      ${truth_from_map ? html`<button class="main" @click=${() => model.session.place(truth_from_map, words.said.fitted(answer.rms_m))}>${words.pairs.apply}</button>` : nothing}
    </div>`;
}

/** For the keyboard: a pair at the pivot, whose coordinates are then typed. */
function addAtPivot(model: OverlayModel): void {
  const truth: Point = model.session.pivot;
  const map = apply(inverse(model.session.transform), truth);
  model.session.addPair({ map, truth, on: true });
}

async function loadFile(model: OverlayModel, event: Event): Promise<void> {
  const text = await chosenText(event);
  if (text !== null) await model.saving.load(text);
}

async function savePairs(model: OverlayModel): Promise<void> {
  download(words.pairs.fileName, await model.saving.pairsAsText(), 'text/csv');
}

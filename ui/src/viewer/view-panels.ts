// The panel of the view page: items, values under the cursor, time, scores.

import { html, nothing, svg, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import type { ScoreTable } from '../api/types.ts';
import { clock, fixed } from '../parts/number-format.ts';
import { problemBox } from '../parts/problem-box.ts';
import { words } from '../words.ts';
import { poseAt } from './trajectory-drawing.ts';
import { nameOf, type ShownItem, type ViewModel } from './view-model.ts';

export function timeBar(model: ViewModel): TemplateResult | typeof nothing {
  const { time } = model.answer;
  if (!time || model.time_s === null) return nothing;
  return html`
    <section aria-label=${words.view.time}>
      <h2>${words.view.time} <span id="time">${clock(model.time_s)}</span></h2>
      <div class="time">
        <button @click=${() => model.play()}>${model.isPlaying ? words.view.pause : words.view.play}</button>
        <input type="range" id="time-slider" aria-label=${words.view.time} min=${time.from_s} max=${time.to_s} step="any" .value=${live(String(model.time_s))}
          @input=${(event: Event) => model.setTime((event.target as HTMLInputElement).valueAsNumber)}>
      </div>
    </section>`;
}

export function itemsPanel(model: ViewModel): TemplateResult {
  return html`
    <section aria-label=${words.view.items}>
      <h2>${words.view.items}</h2>
      <label class="row"><input type="checkbox" .checked=${model.showsGrid} @change=${() => { model.showsGrid = !model.showsGrid; model.redraw(); }}> ${words.layers.grid}</label>
      ${model.items.filter(({ item }) => item.kind !== 'scores').map((shown) => itemRow(model, shown))}
    </section>`;
}

function itemRow(model: ViewModel, shown: ShownItem): TemplateResult {
  const { item } = shown;
  if (item.kind === 'broken') return problemBox({ ...item.problem, title: `${item.name}: ${item.problem.title}` }, null);
  if (item.kind === 'map' && item.map.problem) return problemBox({ ...item.map.problem, title: `${item.map.name}: ${item.map.problem.title}` }, null);
  return html`
    <label class="row"><input type="checkbox" .checked=${shown.isShown} @change=${() => model.toggle(shown)}>
      ${item.kind === 'trajectory' ? html`<svg width="18" height="6" aria-hidden="true">${svg`<rect width="18" height="6" fill=${shown.colour} />`}</svg>` : nothing}
      ${nameOf(item)}
      <small>${detailOf(model, shown)}</small></label>
    ${item.kind === 'map' ? html`<label class="slider">${words.view.opacity}
      <input type="range" min="0" max="1" step="0.05" aria-label=${`${words.view.opacity} ${nameOf(item)}`} .value=${String(shown.opacity)}
        @input=${(event: Event) => { shown.opacity = (event.target as HTMLInputElement).valueAsNumber; model.redraw(); }}></label>` : nothing}`;
}

function detailOf(model: ViewModel, { item }: ShownItem): string {
  if (item.kind === 'layer') return words.layers.count(item.items.length);
  if (item.kind !== 'trajectory') return '';
  const pose = model.time_s === null ? null : poseAt(item.poses, model.time_s);
  const error = pose ? item.error?.[pose.index] : null;
  return error === null || error === undefined ? words.view.poses(item.poses.length) : `${words.view.error} ${fixed(error, 3)} m`;
}

export function valuesPanel(model: ViewModel): TemplateResult {
  return html`
    <section aria-label=${words.view.values}>
      <h2>${words.view.values}</h2>
      ${model.values ? html`<table class="plain" id="values"><tbody>
        ${model.values.items.flatMap(({ name, values }) => values.map(({ title, value }) => html`<tr><th scope="row">${name}<small>${title}</small></th><td>${value}</td></tr>`))}
      </tbody></table>` : html`<p class="quiet">${words.view.noValues}</p>`}
    </section>`;
}

export function scoresPanel(table: ScoreTable): TemplateResult {
  const columns = [...new Set(table.rows.flatMap((row) => Object.keys(row)))];
  return html`
    <section aria-label=${`${words.view.scores}: ${table.name}`}>
      <h2>${words.view.scores}: ${table.name}</h2>
      <div class="scrolls" tabindex="0" role="region" aria-label=${table.name}>
        <table class="plain">
          <thead><tr>${columns.map((column) => html`<th scope="col">${column.replaceAll('_', ' ')}</th>`)}</tr></thead>
          <tbody>${table.rows.map((row) => html`<tr>${columns.map((column) => html`<td>${cell(row[column])}</td>`)}</tr>`)}</tbody>
        </table>
      </div>
    </section>`;
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return '–';
  if (typeof value === 'number') return String(Number(value.toPrecision(6)));
  return typeof value === 'string' ? value : JSON.stringify(value);
}

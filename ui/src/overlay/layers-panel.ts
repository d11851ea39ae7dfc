// Layers as toggles, and what they hold as lists.

import { html, nothing, type TemplateResult } from 'lit';
import type { Layer } from '../api/types.ts';
import type { Point, Transform } from '../map/geometry.ts';
import { fixed } from '../parts/number-format.ts';
import { words } from '../words.ts';
import { inTruth, middleOf, type LayerSet } from './layer-set.ts';

const MAX_LISTED = 200;

export function layersPanel(layers: LayerSet, truth_from_map: Transform, show: (point: Point) => void): TemplateResult {
  return html`
    <label class="row"><input type="checkbox" .checked=${layers.showsGrid} @change=${() => layers.toggleGrid()}> ${words.layers.grid}</label>
    ${layers.layers.map((shown) => html`
      <label class="row">
        <input type="checkbox" .checked=${layers.isShown(shown)} @change=${() => void layers.toggle(shown)}>
        ${shown.title}
        <small>${layers.isLoading(shown) ? words.layers.loading : shown.layer ? words.layers.count(shown.layer.items.length) : words.layers.onDemand}</small>
      </label>
      ${layers.isShown(shown) && shown.layer && shown.layer.items.length > 0 ? listOf(shown.title, shown.layer, truth_from_map, show) : nothing}`)}`;
}

function listOf(title: string, layer: Layer, truth_from_map: Transform, show: (point: Point) => void): TemplateResult {
  return html`
    <details class="list">
      <summary>${words.layers.asList(title)}</summary>
      <ol>
        ${layer.items.slice(0, MAX_LISTED).map((item, index) => {
          const point = inTruth(layer, middleOf(item), truth_from_map);
          return html`<li><button class="small" @click=${() => show(point)}>
            ${item.label || words.layers.item(index + 1)}${item.state ? html` (${words.layers.states[item.state]})` : nothing},
            ${fixed(point[0], 2)}, ${fixed(point[1], 2)} m</button></li>`;
        })}
      </ol>
      ${layer.items.length > MAX_LISTED ? html`<p class="quiet">${words.layers.more(layer.items.length - MAX_LISTED)}</p>` : nothing}
    </details>`;
}

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
    ${layers.layers.map((layer) => html`
      <label class="row">
        <input type="checkbox" .checked=${layers.isShown(layer.name)} @change=${() => void layers.toggle(layer)}>
        ${layer.title}
        <small>${layers.isLoading(layer.name) ? words.layers.loading : layer.lazy && layer.items.length === 0 ? words.layers.onDemand : words.layers.count(layer.items.length)}</small>
      </label>
      ${layers.isShown(layer.name) && layer.items.length > 0 ? listOf(layer, truth_from_map, show) : nothing}`)}`;
}

function listOf(layer: Layer, truth_from_map: Transform, show: (point: Point) => void): TemplateResult {
  return html`
    <details class="list">
      <summary>${words.layers.asList(layer.title)}</summary>
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

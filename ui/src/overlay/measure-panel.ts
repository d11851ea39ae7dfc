// The distance tool as fields.

import { html, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import type { Point } from '../map/geometry.ts';
import { editable } from '../parts/number-format.ts';
import { words } from '../words.ts';
import type { DistanceTool } from './distance-tool.ts';

export function measurePanel(tool: DistanceTool): TemplateResult {
  const from: Point = tool.from ?? [0, 0];
  const to: Point = tool.to ?? from;
  const field = (label: string, value: number, change: (value: number) => void): TemplateResult => html`
    <label>${label}<input type="number" step="0.01" .value=${live(editable(value, 4))} @change=${(event: Event) => {
      const entered = (event.target as HTMLInputElement).valueAsNumber;
      if (Number.isFinite(entered)) change(entered);
    }}></label>`;
  return html`
    <section aria-label=${words.measure.title}>
      <h2>${words.measure.title}</h2>
      <p class="quiet">${words.measure.howTo}</p>
      <div class="fields">
        ${field(words.measure.fromX, from[0], (x) => tool.set([x, from[1]], to))}
        ${field(words.measure.fromY, from[1], (y) => tool.set([from[0], y], to))}
        ${field(words.measure.toX, to[0], (x) => tool.set(from, [x, to[1]]))}
        ${field(words.measure.toY, to[1], (y) => tool.set(from, [to[0], y]))}
      </div>
      <p id="measured"><strong>${tool.sentence() ?? ''}</strong></p>
    </section>`;
}

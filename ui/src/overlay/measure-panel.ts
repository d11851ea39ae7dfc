// The distance tool as fields.

import { html, type TemplateResult } from 'lit';
import type { Point } from '../map/geometry.ts';
import { numberField } from '../parts/number-field.ts';
import { words } from '../words.ts';
import type { DistanceTool } from './distance-tool.ts';

export function measurePanel(tool: DistanceTool): TemplateResult {
  const from: Point = tool.from ?? [0, 0];
  const to: Point = tool.to ?? from;
  return html`
    <section aria-label=${words.measure.title}>
      <h2>${words.measure.title}</h2>
      <p class="quiet">${words.measure.howTo}</p>
      <div class="fields">
        ${numberField({ label: words.measure.fromX, value: from[0], change: (x) => tool.set([x, from[1]], to) })}
        ${numberField({ label: words.measure.fromY, value: from[1], change: (y) => tool.set([from[0], y], to) })}
        ${numberField({ label: words.measure.toX, value: to[0], change: (x) => tool.set(from, [x, to[1]]) })}
        ${numberField({ label: words.measure.toY, value: to[1], change: (y) => tool.set(from, [to[0], y]) })}
      </div>
      <p id="measured"><strong>${tool.sentence() ?? ''}</strong></p>
    </section>`;
}

// What the colours of the exact difference mean.

import { html, svg, type TemplateResult } from 'lit';
import type { LegendEntry } from '../api/types.ts';
import { words } from '../words.ts';

export function legendPanel(legend: readonly LegendEntry[]): TemplateResult {
  return html`
    <section aria-label=${words.legend}>
      <h2>${words.legend}</h2>
      <ul class="legend">
        ${legend.map((entry) => html`<li>
          <svg width="18" height="18" aria-hidden="true">${svg`<rect width="18" height="18" fill=${entry.colour} stroke="#555" />`}</svg>
          ${entry.words}</li>`)}
      </ul>
    </section>`;
}

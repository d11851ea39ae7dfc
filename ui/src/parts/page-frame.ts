// The frame of every page with a map: bar on top, map, panel at the right or below.

import { html, nothing, type TemplateResult } from 'lit';
import type { Finding, MapInfo } from '../api/types.ts';
import type { Point } from '../map/geometry.ts';
import { words } from '../words.ts';
import { fixed } from './number-format.ts';
import { openKeysDialog } from './keys-dialog.ts';
import { problemBox } from './problem-box.ts';

type Part = TemplateResult | typeof nothing;

export interface PageParts {
  readonly title: string;
  readonly links: Part;
  readonly toolbar: Part;
  readonly main: Part;
  readonly panel: Part;
  readonly dialog: Part;
  /** Left of the map. */
  readonly list?: Part;
  /** The panel lies below the map instead of at its right. */
  readonly below?: true;
}

export function pageFrame(parts: PageParts): TemplateResult {
  return html`
    <connection-bar></connection-bar>
    <header class="bar">
      <h1>${parts.title}</h1>
      ${parts.links}
      <div class="toolbar" role="toolbar" aria-label=${words.toolbar}>
        ${parts.toolbar}
        <button @click=${openKeysDialog}>${words.keys.open}</button>
      </div>
    </header>
    <main class=${parts.below ? 'work below' : 'work'}>
      ${parts.list ?? nothing}
      <div class="map">${parts.main}</div>
      ${parts.panel === nothing ? nothing : html`
        <aside class="panel" tabindex="0" aria-label=${words.panel}>
          <button class="sheet-handle" aria-expanded="true" @click=${toggleSheet}>${words.sheet}</button>
          ${parts.panel}
        </aside>`}
    </main>
    ${parts.dialog}`;
}

export function mapWithCursor(): TemplateResult {
  return html`<map-pane></map-pane><div class="cursor"></div>`;
}

/** Writes where the pointer is into the corner of the pane. */
export function showCursor(pane: Element, point: Point | null): void {
  const output = pane.parentElement?.querySelector('.cursor');
  if (output) output.textContent = point ? words.cursor(fixed(point[0], 3), fixed(point[1], 3)) : '';
}

/** On a phone the panel is a sheet that can be folded away. */
function toggleSheet(event: Event): void {
  const button = event.currentTarget as HTMLElement;
  const folded = button.closest('aside')?.classList.toggle('folded') ?? false;
  button.setAttribute('aria-expanded', String(!folded));
}

/** A part of the panel that can be folded; `opens` unfolds it when it becomes true. */
export function section(id: string, title: string, content: TemplateResult, opens: boolean): TemplateResult {
  return html`<details class="section" id=${`section-${id}`} ?open=${opens}><summary><h2>${title}</h2></summary>${content}</details>`;
}

export function loadingPage(): TemplateResult {
  return html`<div class="skeleton" role="status">${words.loading}</div>`;
}

export function brokenMap(map: MapInfo, truth: MapInfo | null): TemplateResult {
  const problem = map.problem ?? truth?.problem ?? { title: words.overlay.noMap, detail: words.overlay.noMapDetail, hint: null };
  return html`${problemBox(problem, null)}${findingsList(map)}`;
}

export function findingsList(map: MapInfo): TemplateResult | typeof nothing {
  if (map.findings.length === 0) return nothing;
  return section('findings', words.findings(map.findings.length), html`<ul class="findings">${map.findings.map(findingItem)}</ul>`, false);
}

function findingItem(finding: Finding): TemplateResult {
  return html`<li><strong>${finding.level}</strong> ${finding.message}
    ${finding.hint ? html`<br><span class="quiet">${words.hint} ${finding.hint}</span>` : nothing}</li>`;
}

// The bar above the map: how to look, with which tool, undo, and where else to go.

import { html, nothing, type TemplateResult } from 'lit';
import type { Desk } from '../api/types.ts';
import type { Mode } from '../map/modes.ts';
import { words } from '../words.ts';
import type { Look } from './look.ts';
import type { OverlayModel } from './overlay-model.ts';

export const MODES: readonly Mode[] = ['blend', 'swipe', 'blink', 'difference'];

export function modeButtons(look: Look): TemplateResult {
  return html`
    <div class="group" role="group" aria-label=${words.modes.title}>
      ${MODES.map((mode) => html`<button aria-pressed=${look.mode === mode} @click=${() => look.setMode(mode)}>${words.modes[mode]}</button>`)}
      ${look.mode === 'blend' ? slider('blend', words.modes.blendSlider, look.blend, (value) => look.setBlend(value)) : nothing}
      ${look.mode === 'swipe' ? slider('swipe', words.modes.swipeSlider, look.swipe, (value) => look.setSwipe(value)) : nothing}
    </div>`;
}

function slider(id: string, label: string, value: number, change: (value: number) => void): TemplateResult {
  return html`<label class="slider"><span>${words.modes.truthEnd}</span>
    <input id=${id} type="range" min="0" max="1" step="0.01" aria-label=${label} .value=${String(value)}
      @input=${(event: Event) => change((event.target as HTMLInputElement).valueAsNumber)}>
    <span>${words.modes.mapEnd}</span></label>`;
}

export function overlayToolbar(model: OverlayModel, showWhole: () => void): TemplateResult {
  const { session } = model;
  return html`
    ${modeButtons(model.look)}
    <div class="group" role="group" aria-label=${words.tools.title}>
      <button aria-pressed=${model.tool === 'pairs'} @click=${() => model.setTool('pairs')}>${words.tools.pairs}</button>
      <button aria-pressed=${model.tool === 'measure'} @click=${() => model.setTool('measure')}>${words.tools.measure}</button>
      <button ?disabled=${!session.canUndo} @click=${() => session.undo()}>${words.tools.undo}</button>
      <button ?disabled=${!session.canRedo} @click=${() => session.redo()}>${words.tools.redo}</button>
      <button @click=${showWhole}>${words.tools.whole}</button>
    </div>`;
}

/** The maps of the desk as links, and the comparison of all of them. Who may move no map is led back to the scoreboard. */
export function mapLinks(desk: Desk, current: string | null): TemplateResult | typeof nothing {
  if (desk.contest && desk.saves_to === null) return html`<nav class="group" aria-label=${words.maps}><a href="/">${words.scoreboard}</a></nav>`;
  if (desk.maps.length < 2) return nothing;
  const ids = desk.maps.slice(0, 4).map((map) => map.id).join(',');
  return html`
    <nav class="group" aria-label=${words.maps}>
      ${desk.maps.map((map) => html`<a href=${`/overlay/${encodeURIComponent(map.id)}`} aria-current=${map.id === current ? 'page' : 'false'}>${map.name}</a>`)}
      <a href=${`/compare?of=${ids}`} aria-current=${current === null ? 'page' : 'false'}>${words.compare.link}</a>
    </nav>`;
}

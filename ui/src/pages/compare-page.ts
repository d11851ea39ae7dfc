// Two to four maps side by side, with one view and one cursor.

import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { asProblem, getJson, path, withQuery, type Problem } from '../api/client.ts';
import type { Desk } from '../api/types.ts';
import { ComparePane, type ComparedTogether } from '../compare/compare-pane.ts';
import { numbersTable } from '../compare/numbers-table.ts';
import type { Point } from '../map/geometry.ts';
import '../map/map-pane.ts';
import type { MapPane } from '../map/map-pane.ts';
import { createTileStore, planeOf } from '../map/map-planes.ts';
import { placedCorners } from '../map/plane.ts';
import { boxOf, type View } from '../map/view.ts';
import { Look } from '../overlay/look.ts';
import { viewKeys } from '../overlay/overlay-keys.ts';
import { mapLinks, MODES, modeButtons } from '../overlay/toolbar.ts';
import { announce } from '../parts/announcer.ts';
import '../parts/connection-bar.ts';
import { Keymap, letter, type Binding } from '../parts/keymap.ts';
import { keysDialog } from '../parts/keys-dialog.ts';
import { loadingPage, pageFrame, showCursor } from '../parts/page-frame.ts';
import { problemBox } from '../parts/problem-box.ts';
import { words } from '../words.ts';

const MAX_PANES = 4;

export class ComparePage extends LitElement {
  private desk: Desk | null = null;
  private panes: ComparePane[] = [];
  private alone: number | null = null;
  private problem: Problem | null = null;
  private readonly look = new Look((sentence) => this.looked(sentence));
  private readonly keymap = new Keymap(this.keys());

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    document.title = words.titles.compare;
    this.keymap.attach();
    void this.open();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.keymap.detach();
    this.look.stop();
  }

  private async open(): Promise<void> {
    this.problem = null;
    this.requestUpdate();
    try {
      this.desk = await getJson<Desk>(withQuery(path('desk'), { of: new URLSearchParams(location.search).get('of') ?? '' }));
    } catch (error) {
      this.failed(error);
      return;
    }
    this.panes = this.panesOf(this.desk);
    this.requestUpdate();
    await this.updateComplete;
    this.connectPanes();
    this.showWhole();
    for (const pane of this.panes) void pane.measure();
  }

  private panesOf(desk: Desk): ComparePane[] {
    const ids = (new URLSearchParams(location.search).get('of') ?? '').split(',').slice(0, MAX_PANES);
    const repaint = (): void => this.panes.forEach((pane) => pane.pane?.invalidate());
    const together: ComparedTogether = {
      desk, look: this.look, cursor: null,
      tiles: createTileStore(repaint, (error) => this.failed(error)),
      viewChanged: (from, view) => this.showEverywhere(from, view),
      cursorMoved: (from, cursor) => {
        together.cursor = cursor;
        this.cursorEverywhere(from, cursor);
      },
      changed: () => this.requestUpdate(),
      failed: (error) => this.failed(error),
    };
    return ids.flatMap((id) => {
      const map = desk.maps.find((candidate) => candidate.id === id);
      const plane = map && planeOf(map, 'map');
      return map && plane ? [new ComparePane(map, plane, together)] : [];
    });
  }

  private connectPanes(): void {
    this.querySelectorAll<MapPane>('map-pane').forEach((element, index) => {
      element.scene = this.panes[index];
      this.panes[index].pane = element;
      element.requestUpdate();
    });
  }

  private showEverywhere(from: ComparePane, view: View): void {
    for (const pane of this.panes) {
      if (pane === from) continue;
      pane.pane?.showView(view);
      pane.refresh();
    }
  }

  private cursorEverywhere(from: ComparePane, cursor: Point | null): void {
    for (const pane of this.panes) pane.pane?.invalidate();
    if (from.pane) showCursor(from.pane, cursor);
  }

  private looked(sentence: string): void {
    if (sentence) announce(sentence);
    for (const pane of this.panes) pane.refresh();
    this.requestUpdate();
  }

  private failed(error: unknown): void {
    this.problem = asProblem(error);
    this.requestUpdate();
  }

  private showWhole(): void {
    const box = boxOf(this.panes.flatMap((pane) => pane.corners().flatMap(placedCorners)));
    if (box) this.firstPane()?.fit(box);
  }

  private firstPane(): MapPane | null {
    return this.panes[this.alone ?? 0]?.pane ?? null;
  }

  private toggleAlone(index: number): void {
    if (index >= this.panes.length) return;
    this.alone = this.alone === index ? null : index;
    announce(this.alone === null ? words.compare.all : this.panes[index].label);
    this.requestUpdate();
  }

  private keys(): Binding[] {
    const modes = MODES.map((mode): Binding => {
      const key = mode === 'blink' ? 'k' : mode[0];
      return { keys: key.toUpperCase(), does: words.keys.overlay[mode], matches: letter(key), act: () => this.look.setMode(mode) };
    });
    const alone: Binding = {
      keys: '1 … 4', does: words.keys.compare.pane, matches: (event) => /^[1-4]$/.test(event.key) && !event.ctrlKey,
      act: (event) => this.toggleAlone(Number(event.key) - 1),
    };
    return [...modes, alone, ...viewKeys(() => this.firstPane(), () => this.showWhole())];
  }

  protected override render(): TemplateResult {
    const { desk } = this;
    const ready = this.panes.length > 0;
    return pageFrame({
      title: words.compare.link,
      links: desk ? mapLinks(desk, null) : nothing,
      toolbar: ready ? html`${modeButtons(this.look)}<button @click=${() => this.showWhole()}>${words.tools.whole}</button>` : nothing,
      main: ready ? this.grid() : this.instead(),
      panel: ready ? html`${this.problem ? problemBox(this.problem, () => void this.open()) : nothing}${numbersTable(this.panes)}` : nothing,
      dialog: keysDialog(this.keymap),
      below: true,
    });
  }

  private instead(): TemplateResult {
    if (this.problem) return problemBox(this.problem, () => void this.open());
    return this.desk ? problemBox({ title: words.compare.tooFew, detail: words.compare.tooFewDetail }, null) : loadingPage();
  }

  private grid(): TemplateResult {
    return html`<div class=${`panes of-${this.alone === null ? this.panes.length : 1}`}>
      ${this.panes.map((pane, index) => html`
        <section class="pane" aria-label=${pane.label} ?hidden=${this.alone !== null && this.alone !== index}>
          <header>
            <strong>${pane.map.name}</strong>
            <label>${words.compare.on}
              <select aria-label=${words.compare.pane(pane.map.name, '')} @change=${(event: Event) => pane.setBase((event.target as HTMLSelectElement).value)}>
                <option value="truth">${words.compare.truth}</option>
                ${this.desk?.maps.filter((map) => map.id !== pane.map.id && map.geometry).map((map) => html`<option value=${map.id}>${map.name}</option>`)}
              </select></label>
            <button class="small" aria-pressed=${this.alone === index} @click=${() => this.toggleAlone(index)}>${this.alone === index ? words.compare.all : words.compare.alone} (${index + 1})</button>
          </header>
          <div class="map"><map-pane></map-pane><div class="cursor"></div></div>
        </section>`)}
    </div>`;
  }
}

customElements.define('compare-page', ComparePage);

// The overlay: one map laid on the truth by hand, with its numbers.

import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { asProblem, getJson, path, withQuery, type Problem } from '../api/client.ts';
import type { ContestNews } from '../api/contest-types.ts';
import type { EventKind } from '../api/events.ts';
import type { Desk, LegendEntry, MapInfo } from '../api/types.ts';
import type { Point } from '../map/geometry.ts';
import '../map/map-pane.ts';
import type { MapPane } from '../map/map-pane.ts';
import { createTileStore } from '../map/map-planes.ts';
import { placedCorners } from '../map/plane.ts';
import { boxOf } from '../map/view.ts';
import { automaticPanel } from '../overlay/automatic-panel.ts';
import { layersPanel } from '../overlay/layers-panel.ts';
import { legendPanel } from '../overlay/legend-panel.ts';
import { measurePanel } from '../overlay/measure-panel.ts';
import { numbersPanel } from '../overlay/numbers-panel.ts';
import { overlayKeys } from '../overlay/overlay-keys.ts';
import { OverlayModel } from '../overlay/overlay-model.ts';
import { OverlayScene } from '../overlay/overlay-scene.ts';
import { pairsPanel } from '../overlay/pairs-panel.ts';
import { savePanel } from '../overlay/save-panel.ts';
import { mapLinks, overlayToolbar } from '../overlay/toolbar.ts';
import { transformPanel } from '../overlay/transform-panel.ts';
import { announce } from '../parts/announcer.ts';
import '../parts/connection-bar.ts';
import type { ConnectionBar } from '../parts/connection-bar.ts';
import { Keymap } from '../parts/keymap.ts';
import { keysDialog } from '../parts/keys-dialog.ts';
import { brokenMap, findingsList, loadingPage, mapWithCursor, pageFrame, section } from '../parts/page-frame.ts';
import { problemBox } from '../parts/problem-box.ts';
import { words } from '../words.ts';

/** Between two updates of the panel while something moves. */
const PANEL_MS = 60;

export class OverlayPage extends LitElement {
  mapId = '';
  private desk: Desk | null = null;
  private map: MapInfo | null = null;
  private model: OverlayModel | null = null;
  private legend: readonly LegendEntry[] = [];
  private problem: Problem | null = null;
  private updateTimer: ReturnType<typeof setTimeout> | undefined;
  private readonly keymap = new Keymap(overlayKeys({
    model: () => this.model, pane: () => this.pane(), showWhole: () => this.showWhole(),
  }));

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.keymap.attach();
    window.addEventListener('dragover', preventDefault);
    window.addEventListener('drop', this.dropped);
    window.addEventListener('beforeunload', this.leaving);
    void this.open();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.keymap.detach();
    this.model?.look.stop();
    window.removeEventListener('dragover', preventDefault);
    window.removeEventListener('drop', this.dropped);
    window.removeEventListener('beforeunload', this.leaving);
  }

  private async open(): Promise<void> {
    this.problem = null;
    this.requestUpdate();
    try {
      const desk = await getJson<Desk>(withQuery(path('desk'), { of: this.mapId }));
      this.desk = desk;
      this.map = desk.maps.find((map) => map.id === this.mapId) ?? null;
      this.legend = await getJson<LegendEntry[]>(path('legend'));
    } catch (error) {
      this.problem = asProblem(error);
      this.requestUpdate();
      return;
    }
    document.title = words.titles.overlay(this.map?.name ?? this.mapId);
    this.model = this.map && OverlayModel.open(this.desk, this.map, {
      changed: (sentence) => this.changed(sentence),
      failed: (error) => this.failed(error),
    });
    this.requestUpdate();
    await this.updateComplete;
    this.startPane();
  }

  private startPane(): void {
    const pane = this.pane();
    if (!pane || !this.model) return;
    const tiles = createTileStore(() => pane.invalidate(), (error) => this.failed(error));
    pane.scene = new OverlayScene(this.model, tiles, pane);
    pane.requestUpdate();
    this.showWhole();
    this.model.start();
    this.bar().unsaved = () => this.model?.unsavedText() ?? null;
    this.bar().server = this.desk?.contest ? 'stays' : 'ends';
    this.bar().received = (kind, data) => this.received(kind, data);
    if (this.desk?.contest && this.desk.reviewer) this.model.saving.by = this.desk.reviewer;
  }

  private changed(sentence: string): void {
    if (sentence) announce(sentence);
    this.model?.refresh(this.pane()?.view() ?? null);
    this.pane()?.invalidate();
    if (sentence) this.requestUpdate();
    else this.updateSoon();
  }

  /** While the map moves its frames go before the numbers beside it. */
  private updateSoon(): void {
    this.updateTimer ??= setTimeout(() => {
      this.updateTimer = undefined;
      this.requestUpdate();
    }, PANEL_MS);
  }

  private failed(error: unknown): void {
    this.problem = asProblem(error);
    if (this.problem.isLost) {
      this.bar().noticed('lost');
      this.problem = null;
    }
    this.requestUpdate();
  }

  private received(kind: EventKind, data: unknown): void {
    const news = (data ?? {}) as ContestNews;
    const isFrame = kind === 'frame' || (kind === 'decision' && news.subject === this.mapId && news.kind?.startsWith('frame_'));
    if (isFrame) this.model?.saving.checkTag().catch((error: unknown) => this.failed(error));
  }

  private readonly dropped = (event: DragEvent): void => {
    event.preventDefault();
    const file = event.dataTransfer?.files[0];
    if (file && this.model) void file.text().then((text) => this.model?.saving.load(text));
  };

  private readonly leaving = (event: BeforeUnloadEvent): void => {
    if (this.model?.session.isUnsaved) event.preventDefault();
  };

  private showWhole(): void {
    if (!this.model) return;
    const box = boxOf([...placedCorners(this.model.truth()), ...placedCorners(this.model.placedMap())]);
    if (box) this.pane()?.fit(box);
  }

  private showPoint(point: Point): void {
    const pane = this.pane();
    pane?.setView({ ...pane.view(), centre: point });
  }

  private pane(): MapPane | null {
    return this.querySelector('map-pane');
  }

  private bar(): ConnectionBar {
    const bar = this.querySelector<ConnectionBar>('connection-bar');
    if (!bar) throw new Error('the page has not been rendered');
    return bar;
  }

  protected override render(): TemplateResult {
    const { desk, model } = this;
    return pageFrame({
      title: desk && desk.maps.length > 1 ? words.overlay.title : this.map?.name ?? words.tool,
      links: desk ? html`${desk.contest ? html`<a class="button" href=${`/desk#${encodeURIComponent(this.mapId)}`}>${words.save.back}</a>` : nothing}${mapLinks(desk, this.mapId)}` : nothing,
      toolbar: model ? overlayToolbar(model, () => this.showWhole()) : nothing,
      main: model ? mapWithCursor() : this.instead(),
      panel: model ? this.panels(model) : nothing,
      dialog: keysDialog(this.keymap),
    });
  }

  /** What is shown where there is no map. */
  private instead(): TemplateResult {
    if (this.problem) return problemBox(this.problem, () => void this.open());
    if (!this.desk) return loadingPage();
    if (!this.map) return problemBox({ title: words.overlay.noSuchMap(this.mapId), detail: words.overlay.noSuchMapDetail }, null);
    return brokenMap(this.map, this.desk.truth);
  }

  private panels(model: OverlayModel): TemplateResult {
    return html`
      ${this.problem ? problemBox(this.problem, () => { this.problem = null; this.changed(''); }) : nothing}
      ${numbersPanel(model)}
      ${transformPanel(model)}
      ${model.tool === 'measure' ? measurePanel(model.measure) : nothing}
      ${model.look.mode === 'difference' ? legendPanel(this.legend) : nothing}
      ${section('automatic', words.automatic.title, automaticPanel(model), model.automatic.answer !== null || model.automatic.busy !== null)}
      ${section('pairs', words.pairs.title, pairsPanel(model), model.tool === 'pairs' || model.session.placement.pairs.length > 0)}
      ${section('layers', words.layers.title, layersPanel(model.layers, model.session.transform, (point) => this.showPoint(point)), false)}
      ${section('save', words.save.title, savePanel(model), model.saving.problem !== null || model.saving.saved !== null)}
      ${findingsList(model.map)}`;
  }
}

function preventDefault(event: Event): void {
  event.preventDefault();
}

customElements.define('overlay-page', OverlayPage);

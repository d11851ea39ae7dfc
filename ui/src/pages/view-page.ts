// Any mixture of maps, trajectories, layers and scores, to look at.

import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { asProblem, getJson, path, type Problem } from '../api/client.ts';
import type { ScoreTable, ViewAnswer } from '../api/types.ts';
import '../map/map-pane.ts';
import type { MapPane } from '../map/map-pane.ts';
import { createTileStore } from '../map/map-planes.ts';
import { boxOf } from '../map/view.ts';
import { viewKeys } from '../overlay/overlay-keys.ts';
import { announce } from '../parts/announcer.ts';
import '../parts/connection-bar.ts';
import type { ConnectionBar } from '../parts/connection-bar.ts';
import { Keymap, stepFactor } from '../parts/keymap.ts';
import { keysDialog } from '../parts/keys-dialog.ts';
import { loadingPage, mapWithCursor, pageFrame } from '../parts/page-frame.ts';
import { problemBox } from '../parts/problem-box.ts';
import { ViewModel } from '../viewer/view-model.ts';
import { itemsPanel, scoresPanel, timeBar, valuesPanel } from '../viewer/view-panels.ts';
import { ViewScene } from '../viewer/view-scene.ts';
import { words } from '../words.ts';

export class ViewPage extends LitElement {
  private model: ViewModel | null = null;
  private problem: Problem | null = null;
  private readonly keymap = new Keymap([
    {
      keys: '← →', does: words.keys.view.time,
      matches: (event) => (event.key === 'ArrowLeft' || event.key === 'ArrowRight') && !event.ctrlKey,
      act: (event) => this.model?.step((event.key === 'ArrowLeft' ? -1 : 1) * stepFactor(event)),
    },
    ...viewKeys(() => this.pane(), () => this.showWhole()),
  ]);

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.keymap.attach();
    void this.open();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.keymap.detach();
    this.model?.stop();
  }

  private async open(): Promise<void> {
    this.problem = null;
    this.requestUpdate();
    try {
      const answer = await getJson<ViewAnswer>(path('view'));
      document.title = words.titles.view(answer.title);
      this.model = new ViewModel(answer, (sentence) => this.changed(sentence), (error) => this.failed(error));
    } catch (error) {
      this.failed(error);
      return;
    }
    this.requestUpdate();
    await this.updateComplete;
    const pane = this.pane();
    if (!pane) return;
    pane.scene = new ViewScene(this.model, createTileStore(() => pane.invalidate(), (error) => this.failed(error)), pane);
    pane.requestUpdate();
    this.showWhole();
  }

  private changed(sentence: string): void {
    if (sentence) announce(sentence);
    this.pane()?.invalidate();
    this.requestUpdate();
  }

  private failed(error: unknown): void {
    this.problem = asProblem(error);
    if (this.problem.isLost && this.model) {
      this.querySelector<ConnectionBar>('connection-bar')?.noticed('lost');
      this.problem = null;
    }
    this.requestUpdate();
  }

  private showWhole(): void {
    const box = this.model && boxOf(this.model.extent());
    if (box) this.pane()?.fit(box);
  }

  private pane(): MapPane | null {
    return this.querySelector('map-pane');
  }

  protected override render(): TemplateResult {
    const { model } = this;
    return pageFrame({
      title: model?.answer.title ?? words.tool,
      links: nothing,
      toolbar: model ? html`<button @click=${() => this.showWhole()}>${words.tools.whole}</button>` : nothing,
      main: this.middle(),
      panel: model ? this.panels(model) : nothing,
      dialog: keysDialog(this.keymap),
    });
  }

  private middle(): TemplateResult {
    if (!this.model) return this.problem ? problemBox(this.problem, () => void this.open()) : loadingPage();
    const isEmpty = this.model.answer.items.every(({ kind }) => kind === 'broken' || kind === 'scores');
    return isEmpty ? problemBox({ title: words.view.empty, detail: words.view.emptyDetail }, null) : mapWithCursor();
  }

  private panels(model: ViewModel): TemplateResult {
    const scores = model.answer.items.filter((item): item is ScoreTable => item.kind === 'scores');
    return html`
      ${this.problem ? problemBox(this.problem, () => { this.problem = null; this.changed(''); }) : nothing}
      ${timeBar(model)}
      ${itemsPanel(model)}
      ${valuesPanel(model)}
      ${scores.map(scoresPanel)}`;
  }
}

customElements.define('view-page', ViewPage);

// Review of relations: accept, reject or adjust how two scans lie on each other.

import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { asProblem, path, type Problem } from '../api/client.ts';
import { finish } from '../api/session.ts';
import type { Proposal } from '../api/review-types.ts';
import { apply, fromPose } from '../map/geometry.ts';
import '../map/map-pane.ts';
import type { MapPane } from '../map/map-pane.ts';
import { createTileStore } from '../map/map-planes.ts';
import { BLINK_PERIOD_MS } from '../map/modes.ts';
import { boxOf } from '../map/view.ts';
import { announce } from '../parts/announcer.ts';
import '../parts/connection-bar.ts';
import type { ConnectionBar } from '../parts/connection-bar.ts';
import { Keymap } from '../parts/keymap.ts';
import { keysDialog } from '../parts/keys-dialog.ts';
import { loadingPage, mapWithCursor, pageFrame } from '../parts/page-frame.ts';
import { problemBox } from '../parts/problem-box.ts';
import { matchPanel } from '../review/match-panel.ts';
import { progressPanel } from '../review/progress-panel.ts';
import { proposalList } from '../review/proposal-list.ts';
import { reviewKeys } from '../review/review-keys.ts';
import { ReviewModel } from '../review/review-model.ts';
import { ReviewScene } from '../review/review-scene.ts';
import { words } from '../words.ts';

const FOLLOW_MS = 700;

export class ReviewPage extends LitElement {
  reviewId = '';
  private model: ReviewModel | null = null;
  private scene: ReviewScene | null = null;
  private problem: Problem | null = null;
  private followTimer: ReturnType<typeof setTimeout> | undefined;
  private blinkTimer: ReturnType<typeof setInterval> | undefined;
  private readonly keymap = new Keymap(reviewKeys({
    model: () => this.model, pane: () => this.pane(), showWhole: () => this.showWhole(),
    blink: () => this.blink(), toggleNear: () => this.toggleNear(),
    writeNote: () => this.querySelector<HTMLElement>('#note')?.focus(), run: (act) => this.run(act),
  }));

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    document.title = words.titles.review;
    this.keymap.attach();
    this.model = new ReviewModel(this.reviewId, {
      changed: (sentence) => this.changed(sentence),
      shown: (proposal) => void this.shown(proposal),
      failed: (error) => this.failed(error),
    });
    this.run((model) => model.start());
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.keymap.detach();
    clearInterval(this.blinkTimer);
    clearTimeout(this.followTimer);
  }

  protected override firstUpdated(): void {
    const bar = this.querySelector<ConnectionBar>('connection-bar');
    if (bar) bar.received = (kind) => { if (kind === 'review' || kind === 'resync') this.followLater(); };
  }

  /** The record grew: reads it anew, once for several lines that come in a row. */
  private followLater(): void {
    clearTimeout(this.followTimer);
    this.followTimer = setTimeout(() => {
      this.model?.readAnew().catch((error: unknown) => this.failed(error));
    }, FOLLOW_MS);
  }

  private run(act: (model: ReviewModel) => Promise<void>): void {
    if (!this.model) return;
    this.problem = null;
    act(this.model).catch((error: unknown) => this.failed(error));
  }

  private changed(sentence: string): void {
    if (sentence) announce(sentence);
    this.pane()?.invalidate();
    this.requestUpdate();
  }

  private failed(error: unknown): void {
    this.problem = asProblem(error);
    if (this.problem.isLost) this.querySelector<ConnectionBar>('connection-bar')?.noticed('lost');
    this.requestUpdate();
  }

  /** The first proposal makes the pane; each one is shown whole. */
  private async shown(proposal: Proposal): Promise<void> {
    this.requestUpdate();
    await this.updateComplete;
    const pane = this.pane();
    if (pane && this.model && pane.scene === null) {
      this.scene = new ReviewScene(this.model, createTileStore(() => undefined, () => undefined), pane);
      pane.scene = this.scene;
      pane.requestUpdate();
    }
    if (this.model?.placement?.proposal === proposal) this.showWhole();
  }

  private showWhole(): void {
    const proposal = this.model?.placement?.proposal;
    if (!proposal) return;
    const second = proposal.second.hits.map((hit) => apply(fromPose(proposal.delta), hit));
    const box = boxOf([...proposal.first.hits, proposal.first.sensor, ...second]);
    if (box) this.pane()?.fit(box);
  }

  private blink(): void {
    const { scene } = this;
    if (!scene) return;
    clearInterval(this.blinkTimer);
    const step = (): void => {
      scene.blink = scene.blink === 'first' ? 'second' : 'first';
      this.pane()?.invalidate();
    };
    if (window.matchMedia('(prefers-reduced-motion: reduce)').matches) {
      scene.blink = scene.blink === 'off' ? 'first' : scene.blink === 'first' ? 'second' : 'off';
    } else if (scene.blink === 'off') {
      step();
      this.blinkTimer = setInterval(step, BLINK_PERIOD_MS / 2);
    } else {
      scene.blink = 'off';
    }
    this.changed('');
  }

  private toggleNear(): void {
    if (!this.model) return;
    this.model.showsNear = !this.model.showsNear;
    this.changed(words.said.layer(words.keys.review.near, this.model.showsNear));
  }

  private togglePairs(): void {
    this.model?.pairs.toggle();
    this.changed('');
  }

  private pane(): MapPane | null {
    return this.querySelector('map-pane');
  }

  protected override render(): TemplateResult {
    const { model } = this;
    const review = model?.review ?? null;
    const ready = model !== null && review !== null && (model.placement !== null || model.isDone);
    return pageFrame({
      title: review ? `${words.review.title}: ${review.record}` : words.review.title,
      links: review?.contest ? html`<a class="button" href="/desk">${words.save.back}</a>` : nothing,
      toolbar: ready ? this.toolbar(model) : nothing,
      list: ready ? proposalList(model, (act) => this.run(act)) : nothing,
      main: this.middle(),
      panel: ready ? html`
        ${this.problem ? problemBox(this.problem, null) : nothing}
        ${model.placement ? matchPanel(model, model.placement) : nothing}
        ${progressPanel(model, review, (id) => this.run((opened) => opened.open(id)))}
        <label class="row"><input type="checkbox" .checked=${model.queue.blind} @change=${(event: Event) => {
          model.queue.blind = (event.target as HTMLInputElement).checked;
          model.queue.clear();
          this.run((asked) => asked.showNext());
        }}> ${words.review.blind}</label>` : nothing,
      dialog: keysDialog(this.keymap),
    });
  }

  private middle(): TemplateResult {
    if (this.model?.isDone) {
      return html`<div class="done" id="done"><h2>${words.review.done}</h2><p>${words.review.doneDetail}</p>${this.exportLink()}
        ${this.model.review?.contest ? nothing : html`<p>${words.finish.sentence}</p><button @click=${() => this.run(() => finish())}>${words.finish.button}</button>`}</div>`;
    }
    if (this.model?.placement) return mapWithCursor();
    return this.problem ? problemBox(this.problem, () => this.run((model) => model.start())) : loadingPage();
  }

  private exportLink(): TemplateResult {
    return html`<a class="button" id="export" href=${path('reviews', this.reviewId, 'export')} download>${words.review.export}</a>`;
  }

  private toolbar(model: ReviewModel): TemplateResult {
    const { placement } = model;
    const idle = placement === null;
    return html`
      <div class="group" role="group" aria-label=${words.review.title}>
        <button class="main" ?disabled=${idle} @click=${() => this.run((review) => review.decide('accept'))}>${placement?.isMoved ? words.review.adjust : words.review.accept}</button>
        <button ?disabled=${idle} @click=${() => this.run((review) => review.decide('reject'))}>${words.review.reject}</button>
        <button ?disabled=${idle} @click=${() => this.run((review) => review.skip())}>${words.review.skip}</button>
        <button ?disabled=${idle} @click=${() => this.run((review) => review.refine())}>${words.review.refine}</button>
        <button @click=${() => this.run((review) => review.undo())}>${words.review.undo}</button>
      </div>
      <div class="group" role="group" aria-label=${words.tools.title}>
        <button ?disabled=${idle} aria-pressed=${model.pairs.isOn} @click=${() => this.togglePairs()}>${words.review.pairs}</button>
        <button ?disabled=${idle} aria-pressed=${(this.scene?.blink ?? 'off') !== 'off'} @click=${() => this.blink()}>${words.review.blink}</button>
        <button ?disabled=${idle} aria-pressed=${model.showsNear} @click=${() => this.toggleNear()}>${words.review.near}</button>
        <button ?disabled=${idle} @click=${() => this.run((review) => review.askSecond())}>${words.review.second}</button>
        ${this.exportLink()}
      </div>`;
  }
}

customElements.define('review-page', ReviewPage);

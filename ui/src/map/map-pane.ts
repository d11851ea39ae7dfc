// A map on the screen: a canvas that draws planes and drawings over them at most once per frame of the display.

import { html, LitElement, type TemplateResult } from 'lit';
import { words } from '../words.ts';
import type { Point } from './geometry.ts';
import { Gestures, type Drag, type GestureHost } from './gestures.ts';
import { drawGrid, drawScaleBar } from './grid-lines.ts';
import type { DrawOrder } from './modes.ts';
import { Painter, paintImage, type PlacedImage } from './painter.ts';
import type { TileStore } from './tile-store.ts';
import { fitted, resized, type Box, type View } from './view.ts';

/** What a pane shows and who answers its gestures. */
export interface Scene {
  readonly label: string;
  readonly tiles: TileStore;
  orders(view: View): readonly DrawOrder[];
  /** Shown instead of the planes. */
  image(view: View): PlacedImage | null;
  draw(context: CanvasRenderingContext2D, view: View): void;
  readonly showsGrid: boolean;
  grab(metres: Point, pixel: Point, view: View): Drag | null;
  click(metres: Point, pixel: Point, view: View): void;
  hover(metres: Point | null, pixel: Point | null, view: View): void;
  viewChanged(view: View): void;
}

export class MapPane extends LitElement implements GestureHost {
  scene: Scene | null = null;
  private current: View = { centre: [0, 0], metresPerPixel: 0.05, width: 0, height: 0 };
  private painter: Painter | null = null;
  private gestures: Gestures | null = null;
  private observer: ResizeObserver | null = null;
  private frame = 0;
  private waitingBox: Box | null = null;
  /** Frames drawn since the page opened; the frame-rate script reads it. */
  framesDrawn = 0;

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  protected override render(): TemplateResult {
    return html`<canvas tabindex="0" role="img" aria-label=${this.scene?.label ?? words.map}></canvas>`;
  }

  protected override firstUpdated(): void {
    this.gestures = new Gestures(this.canvas(), this);
    this.observer = new ResizeObserver(() => this.measure());
    this.observer.observe(this);
    this.measure();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.gestures?.detach();
    this.observer?.disconnect();
    cancelAnimationFrame(this.frame);
  }

  view(): View {
    return this.current;
  }

  setView(view: View): void {
    this.showView(view);
    this.scene?.viewChanged(view);
  }

  /** Takes over the view of another pane without telling anybody. */
  showView(view: View): void {
    this.current = { ...view, width: this.current.width, height: this.current.height };
    this.invalidate();
  }

  /** Shows the whole box, at once or as soon as the pane has a size. */
  fit(box: Box): void {
    if (this.current.width === 0) this.waitingBox = box;
    else this.setView(fitted(this.current, box));
  }

  grab(metres: Point, pixel: Point): Drag | null {
    return this.scene?.grab(metres, pixel, this.current) ?? null;
  }

  press(metres: Point, pixel: Point): void {
    this.scene?.click(metres, pixel, this.current);
  }

  hover(metres: Point | null, pixel: Point | null): void {
    this.scene?.hover(metres, pixel, this.current);
  }

  setCursor(cursor: string): void {
    this.canvas().style.cursor = cursor;
  }

  invalidate(): void {
    if (this.frame) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = 0;
      this.paint();
    });
  }

  private canvas(): HTMLCanvasElement {
    const canvas = this.querySelector('canvas');
    if (!canvas) throw new Error('the pane has not been rendered');
    return canvas;
  }

  private measure(): void {
    const { clientWidth, clientHeight } = this;
    if (clientWidth === 0 || clientHeight === 0) return;
    const canvas = this.canvas();
    const ratio = window.devicePixelRatio || 1;
    canvas.width = Math.round(clientWidth * ratio);
    canvas.height = Math.round(clientHeight * ratio);
    this.current = resized(this.current, clientWidth, clientHeight);
    if (this.waitingBox) {
      const box = this.waitingBox;
      this.waitingBox = null;
      this.fit(box);
    }
    this.invalidate();
  }

  private paint(): void {
    const { scene, current } = this;
    const canvas = this.canvas();
    const context = canvas.getContext('2d');
    if (!scene || !context || current.width === 0) return;
    const ratio = canvas.width / current.width;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, canvas.width, canvas.height);
    const image = scene.image(current);
    this.painter ??= new Painter(scene.tiles);
    if (image) paintImage(context, current, ratio, image);
    else this.painter.paint(context, current, ratio, scene.orders(current));
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    if (scene.showsGrid) drawGrid(context, current);
    scene.draw(context, current);
    drawScaleBar(context, current);
    this.framesDrawn += 1;
  }
}

customElements.define('map-pane', MapPane);

// Pointer, wheel and touch on a map: pan, zoom, pinch, click and drags that somebody else takes.

import type { Point } from './geometry.ts';
import { panned, toMetres, zoomedAbout, type View } from './view.ts';

/** A drag that was taken: what follows the pointer until it is let go. */
export interface Drag {
  move(metres: Point, pixel: Point): void;
  end(): void;
}

export interface GestureHost {
  view(): View;
  setView(view: View): void;
  /** Takes a drag that begins here, or null: then the view pans. */
  grab(metres: Point, pixel: Point): Drag | null;
  press(metres: Point, pixel: Point): void;
  hover(metres: Point | null, pixel: Point | null): void;
}

const CLICK_PIXELS = 4;
const WHEEL_ZOOM = 0.0015;
const MAX_WHEEL_STEP = 240;

export class Gestures {
  private readonly pointers = new Map<number, Point>();
  private drag: Drag | null = null;
  private start: Point | null = null;
  private moved = false;
  private spaceHeld = false;

  constructor(private readonly element: HTMLElement, private readonly host: GestureHost) {
    element.addEventListener('pointerdown', this.down);
    element.addEventListener('pointermove', this.move);
    element.addEventListener('pointerup', this.up);
    element.addEventListener('pointercancel', this.up);
    element.addEventListener('pointerleave', () => host.hover(null, null));
    element.addEventListener('wheel', this.wheel, { passive: false });
    element.addEventListener('auxclick', (event) => event.preventDefault());
    window.addEventListener('keydown', this.key);
    window.addEventListener('keyup', this.key);
  }

  detach(): void {
    window.removeEventListener('keydown', this.key);
    window.removeEventListener('keyup', this.key);
  }

  private readonly key = (event: KeyboardEvent): void => {
    if (event.key !== ' ') return;
    this.spaceHeld = event.type === 'keydown';
    if (event.target === this.element) event.preventDefault();
  };

  private readonly down = (event: PointerEvent): void => {
    if (event.button > 1) return;
    const pixel = this.pixelOf(event);
    this.element.setPointerCapture(event.pointerId);
    this.pointers.set(event.pointerId, pixel);
    this.start = pixel;
    this.moved = this.pointers.size > 1;
    const pans = event.button === 1 || this.spaceHeld || event.pointerType === 'touch' || this.pointers.size > 1;
    if (event.button === 1) event.preventDefault();
    this.drag?.end();
    this.drag = pans ? null : this.host.grab(toMetres(this.host.view(), pixel), pixel);
  };

  private readonly move = (event: PointerEvent): void => {
    const pixel = this.pixelOf(event);
    const before = this.pointers.get(event.pointerId);
    this.host.hover(toMetres(this.host.view(), pixel), pixel);
    if (!before) return;
    if (this.start && Math.hypot(pixel[0] - this.start[0], pixel[1] - this.start[1]) > CLICK_PIXELS) this.moved = true;
    if (this.drag) {
      if (this.moved) this.drag.move(toMetres(this.host.view(), pixel), pixel);
    } else if (this.pointers.size === 2) {
      this.pinch(event.pointerId, before, pixel);
    } else if (this.moved) {
      this.host.setView(panned(this.host.view(), pixel[0] - before[0], pixel[1] - before[1]));
    } else {
      return;
    }
    this.pointers.set(event.pointerId, pixel);
  };

  private readonly up = (event: PointerEvent): void => {
    if (!this.pointers.delete(event.pointerId)) return;
    const pixel = this.pixelOf(event);
    if (this.drag) {
      this.drag.end();
      this.drag = null;
    }
    if (!this.moved && event.type === 'pointerup' && event.button === 0) {
      this.host.press(toMetres(this.host.view(), pixel), pixel);
    }
  };

  private readonly wheel = (event: WheelEvent): void => {
    event.preventDefault();
    const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
    const step = Math.max(-MAX_WHEEL_STEP, Math.min(MAX_WHEEL_STEP, event.deltaY * lines));
    this.host.setView(zoomedAbout(this.host.view(), this.pixelOf(event), Math.exp(-step * WHEEL_ZOOM)));
  };

  private pinch(id: number, before: Point, now: Point): void {
    const other = [...this.pointers].find(([otherId]) => otherId !== id)?.[1];
    if (!other) return;
    const spanBefore = Math.max(1, Math.hypot(before[0] - other[0], before[1] - other[1]));
    const span = Math.max(1, Math.hypot(now[0] - other[0], now[1] - other[1]));
    const middle: Point = [(now[0] + other[0]) / 2, (now[1] + other[1]) / 2];
    const middleBefore: Point = [(before[0] + other[0]) / 2, (before[1] + other[1]) / 2];
    const moved = panned(this.host.view(), middle[0] - middleBefore[0], middle[1] - middleBefore[1]);
    this.host.setView(zoomedAbout(moved, middle, span / spanBefore));
  }

  private pixelOf(event: MouseEvent): Point {
    const box = this.element.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }
}

// One pane of the comparison: a map on the truth or on another map, and its numbers.

import { path, postJson } from '../api/client.ts';
import type { Desk, LiveAnswer, MapInfo } from '../api/types.ts';
import { compose, IDENTITY, inverse, type Point, type Transform } from '../map/geometry.ts';
import { dragDivider, drawDivider, isOnDivider } from '../map/divider.ts';
import type { Drag } from '../map/gestures.ts';
import { INK } from '../map/ink.ts';
import type { MapPane, Scene } from '../map/map-pane.ts';
import { planeOf } from '../map/map-planes.ts';
import { drawCross } from '../map/marks.ts';
import { drawOrders, type DrawOrder } from '../map/modes.ts';
import type { PlacedImage } from '../map/painter.ts';
import type { PlacedPlane, Plane } from '../map/plane.ts';
import type { TileStore } from '../map/tile-store.ts';
import type { View } from '../map/view.ts';
import { ExactDifference } from '../overlay/exact-difference.ts';
import type { Look } from '../overlay/look.ts';
import { words } from '../words.ts';

/** What the panes have in common. */
export interface ComparedTogether {
  readonly desk: Desk;
  readonly look: Look;
  readonly tiles: TileStore;
  cursor: Point | null;
  viewChanged(from: ComparePane, view: View): void;
  cursorMoved(from: ComparePane, cursor: Point | null): void;
  changed(): void;
  failed(error: unknown): void;
}

export class ComparePane implements Scene {
  on = 'truth';
  numbers: LiveAnswer | null = null;
  pane: MapPane | null = null;
  readonly showsGrid = false;
  private base: PlacedPlane | null;
  private readonly over: PlacedPlane;
  private readonly difference: ExactDifference | null;

  constructor(readonly map: MapInfo, plane: Plane, private readonly together: ComparedTogether) {
    this.over = { plane, placement: map.frame };
    this.base = this.placedBase();
    this.difference = this.base
      ? new ExactDifference(this.base.plane, () => this.pane?.invalidate(), (error) => together.failed(error))
      : null;
  }

  get label(): string {
    return words.compare.pane(this.map.name, this.nameOfBase());
  }

  get tiles(): TileStore {
    return this.together.tiles;
  }

  nameOfBase(): string {
    return this.on === 'truth' ? words.compare.truth : this.together.desk.maps.find((map) => map.id === this.on)?.name ?? this.on;
  }

  corners(): PlacedPlane[] {
    return this.base ? [this.base, this.over] : [this.over];
  }

  setBase(on: string): void {
    this.on = on;
    this.base = this.placedBase();
    this.refresh();
    void this.measure();
  }

  async measure(): Promise<void> {
    this.numbers = null;
    this.together.changed();
    try {
      this.numbers = await postJson<LiveAnswer>(path('submissions', this.map.id, 'live'), {
        truth_from_map: this.baseFromMap(), exact: true, on: this.on,
      });
      this.together.changed();
    } catch (error) {
      this.together.failed(error);
    }
  }

  orders(): DrawOrder[] {
    return drawOrders(this.together.look, this.base, this.over);
  }

  image(): PlacedImage | null {
    const { look } = this.together;
    const exact = look.mode === 'difference' && !look.alone;
    return exact ? this.difference?.imageFor(this.map.frame, this.on) ?? null : null;
  }

  /** Asks for the exact difference of what is visible. */
  refresh(): void {
    const view = this.pane?.view();
    if (view && this.together.look.mode === 'difference') {
      this.difference?.wanted(this.map.id, this.on, this.map.frame, view);
    }
    this.pane?.invalidate();
  }

  draw(context: CanvasRenderingContext2D, view: View): void {
    drawDivider(context, this.together.look, view);
    if (this.together.cursor) drawCross(context, view, this.together.cursor, INK.measure, 5);
  }

  grab(_metres: Point, pixel: Point, view: View): Drag | null {
    const { look } = this.together;
    return isOnDivider(look, pixel, view) ? dragDivider(look, view) : null;
  }

  click(): void {
    this.pane?.focus();
  }

  hover(metres: Point | null, pixel: Point | null, view: View): void {
    this.together.cursorMoved(this, metres);
    this.pane?.setCursor(pixel && isOnDivider(this.together.look, pixel, view) ? 'ew-resize' : 'default');
  }

  viewChanged(view: View): void {
    this.together.viewChanged(this, view);
    this.refresh();
  }

  private placedBase(): PlacedPlane | null {
    const { desk } = this.together;
    if (this.on === 'truth') {
      const plane = desk.truth && planeOf(desk.truth, 'truth', this.map.id);
      return plane ? { plane, placement: IDENTITY } : null;
    }
    const other = desk.maps.find((map) => map.id === this.on);
    const plane = other && planeOf(other, 'truth');
    return other && plane ? { plane, placement: other.frame } : null;
  }

  private baseFromMap(): Transform {
    const other = this.together.desk.maps.find((map) => map.id === this.on);
    return other ? compose(inverse(other.frame), this.map.frame) : this.map.frame;
  }
}

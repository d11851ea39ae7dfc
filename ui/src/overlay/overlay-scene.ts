// What the overlay draws over the two maps, and what a drag or a click on it does.

import { apply, distance, inverse, rotatedAbout, scaledAbout, translated, type Point, type Transform } from '../map/geometry.ts';
import { dragDivider, drawDivider, isOnDivider } from '../map/divider.ts';
import type { Drag } from '../map/gestures.ts';
import { drawHandles, handleAt, type HandlePlaces } from '../map/handles.ts';
import { INK } from '../map/ink.ts';
import type { MapPane, Scene } from '../map/map-pane.ts';
import { drawArrow, drawCross, drawDot, drawLabel, drawLine, tracePoints } from '../map/marks.ts';
import { drawOrders, type DrawOrder } from '../map/modes.ts';
import { paintImage, type PlacedImage } from '../map/painter.ts';
import { covers, placedCorners } from '../map/plane.ts';
import type { TileStore } from '../map/tile-store.ts';
import { toPixel, type View } from '../map/view.ts';
import { showCursor } from '../parts/page-frame.ts';
import { words } from '../words.ts';
import type { OverlayModel } from './overlay-model.ts';

const POINT_REACH = 10;
/** The truth is seen through the bent map. */
const BENT_OPACITY = 0.7;
/** Below this the map is held in all directions. */
const MIN_SLIDE_M = 0.01;

export class OverlayScene implements Scene {
  constructor(private readonly model: OverlayModel, readonly tiles: TileStore, private readonly pane: MapPane) {}

  get label(): string {
    return words.overlay.canvas(this.model.map.name);
  }

  get showsGrid(): boolean {
    return this.model.layers.showsGrid;
  }

  orders(): DrawOrder[] {
    const { look } = this.model;
    // A bent map is one picture that is drawn over the truth.
    const looking = this.bentPicture() ? { ...look, alone: 'base' as const } : look;
    return drawOrders(looking, this.model.truth(), this.model.placedMap());
  }

  image(): PlacedImage | null {
    const { look, difference, session } = this.model;
    return look.mode === 'difference' && !look.alone ? difference.imageFor(session.transform) : null;
  }

  draw(context: CanvasRenderingContext2D, view: View): void {
    const { model } = this;
    this.drawOutline(context, view);
    model.layers.draw(context, view, model.session.transform);
    this.drawBent(context, view);
    this.drawSlide(context, view);
    this.drawPairs(context, view);
    drawDivider(context, model.look, view);
    if (model.tool === 'move') drawHandles(context, view, this.handles());
    model.measure.draw(context, view, model.tool === 'measure' ? model.cursor : null);
  }

  grab(metres: Point, pixel: Point, view: View): Drag | null {
    const { model } = this;
    if (isOnDivider(model.look, pixel, view)) return dragDivider(model.look, view);
    if (model.tool === 'pairs') return this.grabPoint(pixel, view);
    if (model.tool !== 'move') return null;
    const handle = handleAt(this.handles(), pixel, view);
    if (handle === 'pivot') return { move: (to) => model.session.setPivot(to), end: () => undefined };
    if (handle === 'ring') return this.rotating(metres);
    if (handle === 'corner') return this.scaling(metres);
    return covers(model.placedMap(), metres) ? this.moving(metres) : null;
  }

  click(metres: Point): void {
    const { model } = this;
    if (model.tool === 'measure') model.measure.click(metres);
    if (model.tool !== 'pairs') return;
    if (!model.pendingPair) {
      model.pendingPair = apply(inverse(model.session.transform), metres);
      this.pane.invalidate();
      return;
    }
    const map = model.pendingPair;
    model.pendingPair = null;
    model.session.addPair({ map, truth: metres, on: true });
  }

  hover(metres: Point | null, pixel: Point | null, view: View): void {
    this.model.cursor = metres;
    showCursor(this.pane, metres);
    if (metres && pixel) this.pane.setCursor(this.cursorAt(metres, pixel, view));
    if (this.model.tool === 'measure') this.pane.invalidate();
  }

  viewChanged(view: View): void {
    this.model.refresh(view);
  }

  private cursorAt(metres: Point, pixel: Point, view: View): string {
    const { model } = this;
    if (isOnDivider(model.look, pixel, view)) return 'ew-resize';
    if (model.tool !== 'move') return 'crosshair';
    const handle = handleAt(this.handles(), pixel, view);
    if (handle === 'corner') return 'nwse-resize';
    if (handle) return 'grab';
    return covers(model.placedMap(), metres) ? 'move' : 'default';
  }

  private handles(): HandlePlaces {
    const { session } = this.model;
    return { pivot: session.pivot, corners: session.scaleIsLocked ? [] : placedCorners(this.model.placedMap()) };
  }

  private moving(from: Point): Drag {
    return this.dragged((start, to) => translated(start, to[0] - from[0], to[1] - from[1]));
  }

  private rotating(from: Point): Drag {
    const { pivot } = this.model.session;
    const angleOf = (point: Point): number => Math.atan2(point[1] - pivot[1], point[0] - pivot[0]);
    return this.dragged((start, to) => rotatedAbout(start, pivot, angleOf(to) - angleOf(from)));
  }

  private scaling(from: Point): Drag {
    const { pivot } = this.model.session;
    const reach = Math.max(1e-9, distance(from, pivot));
    return this.dragged((start, to) => scaledAbout(start, pivot, Math.max(1e-3, distance(to, pivot) / reach)));
  }

  /** A drag that is one step to take back; a click without a move is none. */
  private dragged(transformFor: (start: Transform, to: Point) => Transform): Drag {
    const { session } = this.model;
    let start: Transform | null = null;
    return {
      move: (to) => {
        start ??= session.beginDrag();
        session.drag(transformFor(start, to));
      },
      end: () => {
        if (start) session.endDrag();
      },
    };
  }

  /** Moves the point of a pair, of the map or of the truth. */
  private grabPoint(pixel: Point, view: View): Drag | null {
    const { session } = this.model;
    const map_from_truth = inverse(session.transform);
    for (const [index, pair] of session.placement.pairs.entries()) {
      const near = (point: Point): boolean => distance(toPixel(view, point), pixel) <= POINT_REACH;
      const side = near(pair.truth) ? 'truth' : near(apply(session.transform, pair.map)) ? 'map' : null;
      if (!side) continue;
      let last: Point | null = null;
      return {
        move: (to) => { last = side === 'truth' ? to : apply(map_from_truth, to); },
        end: () => { if (last) session.changePair(index, { [side]: last }); },
      };
    }
    return null;
  }

  private drawOutline(context: CanvasRenderingContext2D, view: View): void {
    const outline = placedCorners(this.model.placedMap());
    tracePoints(context, view, [...outline, outline[0]]);
    context.setLineDash([6, 5]);
    context.lineWidth = 1;
    context.strokeStyle = INK.over;
    context.stroke();
    context.setLineDash([]);
  }

  private drawPairs(context: CanvasRenderingContext2D, view: View): void {
    const { model } = this;
    const { pairs } = model.session.placement;
    const worst = model.fit.worst(model.session.placement);
    pairs.forEach((pair, index) => {
      const from = apply(model.session.transform, pair.map);
      const colour = !pair.on ? '#6b7280' : index === worst ? INK.worst : INK.pair;
      drawArrow(context, view, from, pair.truth, colour);
      drawDot(context, view, from, colour, 4);
      drawCross(context, view, pair.truth, colour, 5);
      drawLabel(context, view, pair.truth, String(index + 1), colour);
    });
    if (model.pendingPair) drawDot(context, view, apply(model.session.transform, model.pendingPair), INK.pair);
  }

  /** The map as the polynomial bends it, while one is fitted. */
  private bentPicture(): PlacedImage | null {
    return this.model.session.placement.motion === 'polynomial' ? this.model.fit.bent : null;
  }

  private drawBent(context: CanvasRenderingContext2D, view: View): void {
    const bent = this.model.session.placement.motion === 'polynomial' ? this.model.fit.answer?.bent : null;
    if (!bent) return;
    const picture = this.bentPicture();
    if (picture && this.model.look.alone !== 'base') {
      context.save();
      context.globalAlpha = BENT_OPACITY;
      paintImage(context, view, 1, picture);
      context.restore();
    }
    for (const line of bent.grid) drawLine(context, view, line, INK.bent, 1);
    if (bent.outline.length > 0) drawLine(context, view, [...bent.outline, bent.outline[0]], INK.bent, 2);
  }

  private drawSlide(context: CanvasRenderingContext2D, view: View): void {
    const slide = this.model.automatic.answer?.alignment.certificate.slide;
    if (!slide || Math.max(slide.forward_m, slide.backward_m) < MIN_SLIDE_M) return;
    const [x, y] = this.model.session.pivot;
    const along = (length_m: number): Point => [
      x + length_m * Math.cos(slide.direction_rad), y + length_m * Math.sin(slide.direction_rad),
    ];
    drawArrow(context, view, [x, y], along(slide.forward_m), INK.slide);
    drawArrow(context, view, [x, y], along(-slide.backward_m), INK.slide);
    drawLabel(context, view, along(slide.forward_m), words.automatic.slideLabel, INK.slide);
  }
}

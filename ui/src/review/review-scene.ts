// Both scans in the frame of the first, free sight, uncertainty, and where in the run they were taken.

import type { Scan } from '../api/review-types.ts';
import { apply, rotatedAbout, translated, type Point, type Transform } from '../map/geometry.ts';
import type { Drag } from '../map/gestures.ts';
import { drawHandles, handleAt } from '../map/handles.ts';
import { INK, strokeWithHalo } from '../map/ink.ts';
import type { MapPane, Scene } from '../map/map-pane.ts';
import { drawArrow, drawDot, drawLabel, tracePoints } from '../map/marks.ts';
import type { DrawOrder } from '../map/modes.ts';
import type { PlacedImage } from '../map/painter.ts';
import type { TileStore } from '../map/tile-store.ts';
import { boxOf, fitted, toPixel, type View } from '../map/view.ts';
import { showCursor } from '../parts/page-frame.ts';
import { words } from '../words.ts';
import type { ReviewModel } from './review-model.ts';
import type { ScanPlacement } from './scan-placement.ts';

const HIT_PIXELS = 2.8;
const SNAP_PIXELS = 12;
/** How far the label of scan 2 lies below its sensor, clear of that of scan 1. */
const LABEL_PIXELS = 34;
const INSET = { width: 190, height: 130, margin: 12 } as const;

/** Which scans are drawn while blinking. */
export type Blink = 'off' | 'first' | 'second';

export class ReviewScene implements Scene {
  readonly label = words.review.canvas;
  readonly showsGrid = true;
  blink: Blink = 'off';

  constructor(private readonly model: ReviewModel, readonly tiles: TileStore, private readonly pane: MapPane) {}

  orders(): DrawOrder[] {
    return [];
  }

  image(): PlacedImage | null {
    return null;
  }

  draw(context: CanvasRenderingContext2D, view: View): void {
    const { placement } = this.model;
    if (!placement) return;
    const { first, second, near } = placement.proposal;
    const place = (point: Point): Point => apply(placement.firstFromSecond, point);
    if (this.blink !== 'second') fillSight(context, view, first.free, 'rgba(27, 79, 138, 0.13)');
    if (this.blink !== 'first') fillSight(context, view, second.free.map(place), 'rgba(200, 80, 30, 0.13)');
    if (this.model.showsNear) drawHits(context, view, near, '#6b7280', 'dot');
    if (this.blink !== 'second') this.drawScan(context, view, first, null);
    if (this.blink !== 'first') this.drawScan(context, view, second, place);
    if (!this.model.pairs.isOn) drawHandles(context, view, { pivot: placement.sensor, corners: [] });
    this.drawUncertainty(context, view, placement);
    this.drawPairs(context, view, placement);
    this.drawRun(context, view, placement);
  }

  grab(metres: Point, pixel: Point, view: View): Drag | null {
    const { placement } = this.model;
    if (!placement || this.model.pairs.isOn) return null;
    const pivot = placement.sensor;
    const handle = handleAt({ pivot, corners: [] }, pixel, view);
    const angleOf = (point: Point): number => Math.atan2(point[1] - pivot[1], point[0] - pivot[0]);
    const moved = (from: Transform, to: Point): Transform => (handle === 'ring'
      ? rotatedAbout(from, pivot, angleOf(to) - angleOf(metres))
      : translated(from, to[0] - metres[0], to[1] - metres[1]));
    let start: Transform | null = null;
    return {
      move: (to) => {
        start ??= placement.beginDrag();
        placement.drag(moved(start, to));
        this.model.moved('silently');
      },
      end: () => {
        if (start) this.model.moved('said');
      },
    };
  }

  click(metres: Point, _pixel: Point, view: View): void {
    const { placement, pairs } = this.model;
    if (!placement || !pairs.isOn) return;
    pairs.click(placement, metres, SNAP_PIXELS * view.metresPerPixel);
    this.pane.invalidate();
  }

  hover(metres: Point | null): void {
    showCursor(this.pane, metres);
    this.pane.setCursor(this.model.pairs.isOn ? 'crosshair' : 'move');
  }

  viewChanged(): void {
    this.pane.invalidate();
  }

  private drawScan(context: CanvasRenderingContext2D, view: View, scan: Scan, place: ((point: Point) => Point) | null): void {
    const hits = place ? scan.hits.map(place) : scan.hits;
    drawHits(context, view, hits, place ? INK.over : INK.base, place ? 'cross' : 'circle');
    const sensor = place ? place(scan.sensor) : scan.sensor;
    drawDot(context, view, sensor, place ? INK.over : INK.base, 5);
    const label: Point = place ? [sensor[0], sensor[1] - LABEL_PIXELS * view.metresPerPixel] : sensor;
    drawLabel(context, view, label, place ? words.review.scan2 : words.review.scan1, place ? INK.over : INK.base);
  }

  /** Half axes of three standard deviations, and the direction that the scans leave open. */
  private drawUncertainty(context: CanvasRenderingContext2D, view: View, placement: ScanPlacement): void {
    const { ellipse, degenerate_rad } = placement.fit;
    const [x, y] = toPixel(view, placement.sensor);
    if (ellipse) {
      context.beginPath();
      const pixels = (length_m: number): number => Math.max(2, length_m / view.metresPerPixel);
      context.ellipse(x, y, pixels(ellipse.major_m), pixels(ellipse.minor_m), -ellipse.angle_rad, 0, 2 * Math.PI);
      strokeWithHalo(context, INK.pair, 2);
    }
    if (degenerate_rad === null || degenerate_rad === undefined) return;
    const reach = 130;
    context.beginPath();
    context.setLineDash([7, 5]);
    context.moveTo(x - reach * Math.cos(degenerate_rad), y + reach * Math.sin(degenerate_rad));
    context.lineTo(x + reach * Math.cos(degenerate_rad), y - reach * Math.sin(degenerate_rad));
    strokeWithHalo(context, INK.slide, 1.5);
    context.setLineDash([]);
  }

  private drawPairs(context: CanvasRenderingContext2D, view: View, placement: ScanPlacement): void {
    const { pairs, pending } = this.model.pairs;
    for (const pair of pairs) drawArrow(context, view, apply(placement.firstFromSecond, pair.second), pair.first, INK.pair);
    if (pending) drawDot(context, view, apply(placement.firstFromSecond, pending), INK.pair);
  }

  private drawRun(context: CanvasRenderingContext2D, view: View, placement: ScanPlacement): void {
    const run = this.model.review?.run;
    const { where } = placement.proposal;
    const box = run && boxOf(run.path);
    if (!run || !box || view.width < 2.5 * INSET.width) return;
    const left = view.width - INSET.width - INSET.margin;
    context.save();
    context.translate(left, INSET.margin + 14);
    context.fillStyle = 'rgba(255, 255, 255, 0.92)';
    context.strokeStyle = '#8a94a3';
    context.lineWidth = 1;
    context.beginPath();
    context.rect(0.5, 0.5, INSET.width, INSET.height);
    context.fill();
    context.stroke();
    const inset = fitted({ centre: [0, 0], metresPerPixel: 1, width: INSET.width, height: INSET.height }, box);
    tracePoints(context, inset, run.path);
    context.strokeStyle = '#4a5361';
    context.stroke();
    if (where) {
      drawDot(context, inset, where.from, INK.base, 4);
      drawDot(context, inset, where.to, INK.over, 4);
    }
    context.restore();
  }
}

function fillSight(context: CanvasRenderingContext2D, view: View, polygon: readonly Point[], colour: string): void {
  if (polygon.length < 3) return;
  tracePoints(context, view, polygon);
  context.closePath();
  context.fillStyle = colour;
  context.fill();
}

/** All hits in one path: a thousand of them are one stroke. */
function drawHits(context: CanvasRenderingContext2D, view: View, hits: readonly Point[], colour: string, mark: 'circle' | 'cross' | 'dot'): void {
  context.beginPath();
  for (const hit of hits) {
    const [x, y] = toPixel(view, hit);
    if (mark === 'cross') {
      context.moveTo(x - HIT_PIXELS, y - HIT_PIXELS);
      context.lineTo(x + HIT_PIXELS, y + HIT_PIXELS);
      context.moveTo(x - HIT_PIXELS, y + HIT_PIXELS);
      context.lineTo(x + HIT_PIXELS, y - HIT_PIXELS);
    } else {
      const radius = mark === 'dot' ? 1 : HIT_PIXELS;
      context.moveTo(x + radius, y);
      context.arc(x, y, radius, 0, 2 * Math.PI);
    }
  }
  context.strokeStyle = colour;
  context.lineWidth = 1.1;
  context.stroke();
}

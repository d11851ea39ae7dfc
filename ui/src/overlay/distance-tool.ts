// Measures the distance and the direction between two points.

import { degrees, distance, type Point } from '../map/geometry.ts';
import { INK } from '../map/ink.ts';
import { drawDot, drawLabel, drawLine } from '../map/marks.ts';
import type { View } from '../map/view.ts';
import { words } from '../words.ts';

export class DistanceTool {
  from: Point | null = null;
  to: Point | null = null;

  constructor(private readonly changed: (sentence: string) => void) {}

  click(point: Point): void {
    if (!this.from || this.to) this.set(point, null);
    else this.set(this.from, point);
  }

  set(from: Point | null, to: Point | null): void {
    this.from = from;
    this.to = to;
    this.changed(this.sentence() ?? (from ? words.said.measureFrom(from) : ''));
  }

  sentence(): string | null {
    if (!this.from || !this.to) return null;
    const angle = Math.atan2(this.to[1] - this.from[1], this.to[0] - this.from[0]);
    return words.said.measured(distance(this.from, this.to), degrees(angle));
  }

  draw(context: CanvasRenderingContext2D, view: View, cursor: Point | null): void {
    const to = this.to ?? cursor;
    if (!this.from) return;
    drawDot(context, view, this.from, INK.measure, 4);
    if (!to) return;
    drawLine(context, view, [this.from, to], INK.measure, 2);
    drawDot(context, view, to, INK.measure, 4);
    const angle = degrees(Math.atan2(to[1] - this.from[1], to[0] - this.from[0]));
    drawLabel(context, view, to, `${distance(this.from, to).toFixed(3)} m, ${angle.toFixed(1)}°`, INK.measure);
  }
}

// Marks in metres drawn over maps: crosses, dots, arrows, lines, areas, labels.

import type { Point } from './geometry.ts';
import { INK, strokeWithHalo, writeWithHalo } from './ink.ts';
import { toPixel, type View } from './view.ts';

const MAX_LABEL = 40;

export function drawLine(context: CanvasRenderingContext2D, view: View, points: readonly Point[], colour: string, width: number): void {
  if (points.length < 2) return;
  tracePoints(context, view, points);
  strokeWithHalo(context, colour, width);
}

export function tracePoints(context: CanvasRenderingContext2D, view: View, points: readonly Point[]): void {
  context.beginPath();
  points.forEach((point, index) => {
    const [x, y] = toPixel(view, point);
    if (index === 0) context.moveTo(x, y);
    else context.lineTo(x, y);
  });
}

export function drawArea(context: CanvasRenderingContext2D, view: View, points: readonly Point[], colour: string, fill: string): void {
  if (points.length < 3) return;
  tracePoints(context, view, points);
  context.closePath();
  context.fillStyle = fill;
  context.fill();
  strokeWithHalo(context, colour, 1.5);
}

export function drawCircle(context: CanvasRenderingContext2D, view: View, centre: Point, radius_m: number, colour: string): void {
  const [x, y] = toPixel(view, centre);
  context.beginPath();
  context.arc(x, y, Math.max(3, radius_m / view.metresPerPixel), 0, 2 * Math.PI);
  strokeWithHalo(context, colour, 2);
}

export function drawCross(context: CanvasRenderingContext2D, view: View, at: Point, colour: string, size = 6): void {
  const [x, y] = toPixel(view, at);
  context.beginPath();
  context.moveTo(x - size, y - size);
  context.lineTo(x + size, y + size);
  context.moveTo(x - size, y + size);
  context.lineTo(x + size, y - size);
  strokeWithHalo(context, colour, 2);
}

export function drawDot(context: CanvasRenderingContext2D, view: View, at: Point, colour: string, radius = 5): void {
  const [x, y] = toPixel(view, at);
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  strokeWithHalo(context, colour, 2);
  context.fillStyle = colour;
  context.fill();
}

export function drawArrow(context: CanvasRenderingContext2D, view: View, from: Point, to: Point, colour: string): void {
  const [fromX, fromY] = toPixel(view, from);
  const [toX, toY] = toPixel(view, to);
  const angle = Math.atan2(toY - fromY, toX - fromX);
  const head = Math.min(9, Math.hypot(toX - fromX, toY - fromY));
  context.beginPath();
  context.moveTo(fromX, fromY);
  context.lineTo(toX, toY);
  for (const side of [-0.45, 0.45]) {
    context.moveTo(toX, toY);
    context.lineTo(toX - head * Math.cos(angle + side), toY - head * Math.sin(angle + side));
  }
  strokeWithHalo(context, colour, 2);
}

export function drawLabel(context: CanvasRenderingContext2D, view: View, at: Point, text: string, colour: string = INK.text): void {
  const [x, y] = toPixel(view, at);
  writeWithHalo(context, shortened(text), x + 8, y - 8, colour);
}

export function drawCentredLabel(context: CanvasRenderingContext2D, view: View, at: Point, text: string, colour: string): void {
  const [x, y] = toPixel(view, at);
  context.textAlign = 'center';
  writeWithHalo(context, shortened(text), x, y + 4, colour);
  context.textAlign = 'start';
}

function shortened(text: string): string {
  return text.length > MAX_LABEL ? `${text.slice(0, MAX_LABEL)}…` : text;
}

// Draws the items of a layer; found and missing differ in shape as well as in colour.

import type { Layer, LayerItem } from '../api/types.ts';
import type { Point } from './geometry.ts';
import { INK } from './ink.ts';
import { drawArea, drawCentredLabel, drawCircle, drawCross, drawDot, drawLabel, drawLine } from './marks.ts';
import type { View } from './view.ts';

const AREA_FILLS = ['#3b82c433', '#d9822b33', '#4a9a5533', '#9b59b633', '#c0392b33', '#16a08533'];

export function drawLayer(
  context: CanvasRenderingContext2D, view: View, layer: Layer, place: (point: Point) => Point,
): void {
  layer.items.forEach((item, index) => drawItem(context, view, layer, item, index, place));
}

function drawItem(
  context: CanvasRenderingContext2D, view: View, layer: Layer, item: LayerItem, index: number, place: (point: Point) => Point,
): void {
  const points = item.points.map(place);
  if (points.length === 0) return;
  const colour = colourOf(layer, item);
  if (item.shape === 'line') drawLine(context, view, points, colour, 2);
  else if (item.shape === 'area') drawArea(context, view, points, colour, AREA_FILLS[index % AREA_FILLS.length]);
  else if (item.shape === 'circle') drawCircle(context, view, points[0], item.radius_m ?? 0.1, colour);
  else if (item.state === 'missing') drawCross(context, view, points[0], colour);
  else drawDot(context, view, points[0], colour);
  if (!item.label) return;
  if (item.shape === 'area') drawCentredLabel(context, view, middle(points), item.label, colour);
  else drawLabel(context, view, points[0], item.label, colour);
}

function colourOf(layer: Layer, item: LayerItem): string {
  if (item.state === 'found') return INK.found;
  if (item.state === 'missing') return INK.missing;
  return layer.frame === 'map' ? INK.over : INK.base;
}

function middle(points: readonly Point[]): Point {
  const [x, y] = points.reduce<Point>((sum, point) => [sum[0] + point[0], sum[1] + point[1]], [0, 0]);
  return [x / points.length, y / points.length];
}

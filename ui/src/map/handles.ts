// What a map is moved by: a ring that rotates about a pivot, the pivot itself, and corners that scale.

import { distance, type Point } from './geometry.ts';
import { INK, strokeWithHalo } from './ink.ts';
import { toPixel, type View } from './view.ts';

export type Handle = 'ring' | 'pivot' | 'corner';

export interface HandlePlaces {
  readonly pivot: Point;
  /** Corners of the map in the frame of the view; empty while scaling is locked. */
  readonly corners: readonly Point[];
}

const MAX_RING_PIXELS = 84;
/** Of the smaller side of the screen. */
const RING_SHARE = 0.2;
const RING_REACH = 9;
const PIVOT_REACH = 13;
const CORNER_REACH = 13;

export function handleAt(places: HandlePlaces, pixel: Point, view: View): Handle | null {
  const fromPivot = distance(toPixel(view, places.pivot), pixel);
  if (fromPivot <= PIVOT_REACH) return 'pivot';
  if (places.corners.some((corner) => distance(toPixel(view, corner), pixel) <= CORNER_REACH)) return 'corner';
  return Math.abs(fromPivot - ringPixels(view)) <= RING_REACH ? 'ring' : null;
}

export function drawHandles(context: CanvasRenderingContext2D, view: View, places: HandlePlaces): void {
  const [x, y] = toPixel(view, places.pivot);
  const radius = ringPixels(view);
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  strokeWithHalo(context, INK.handle, 3);
  for (let quarter = 0; quarter < 4; quarter += 1) {
    const angle = Math.PI / 4 + (quarter * Math.PI) / 2;
    disc(context, x + radius * Math.cos(angle), y + radius * Math.sin(angle), 5);
  }
  context.beginPath();
  context.moveTo(x - 12, y);
  context.lineTo(x + 12, y);
  context.moveTo(x, y - 12);
  context.lineTo(x, y + 12);
  strokeWithHalo(context, INK.handle, 2);
  disc(context, x, y, 4);
  for (const corner of places.corners) square(context, toPixel(view, corner));
}

function ringPixels(view: View): number {
  return Math.min(MAX_RING_PIXELS, RING_SHARE * Math.min(view.width, view.height));
}

function disc(context: CanvasRenderingContext2D, x: number, y: number, radius: number): void {
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.fillStyle = INK.halo;
  context.fill();
  strokeWithHalo(context, INK.handle, 2);
}

function square(context: CanvasRenderingContext2D, [x, y]: Point): void {
  context.beginPath();
  context.rect(x - 6, y - 6, 12, 12);
  context.fillStyle = INK.halo;
  context.fill();
  strokeWithHalo(context, INK.handle, 2);
}

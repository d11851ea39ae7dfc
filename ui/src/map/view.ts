// What part of the plane the screen shows: metres (y up) to CSS pixels (y down) and back.

import type { Point } from './geometry.ts';

export interface View {
  readonly centre: Point;
  readonly metresPerPixel: number;
  readonly width: number;
  readonly height: number;
}

export interface Box {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

const MIN_METRES_PER_PIXEL = 1e-4;
const MAX_METRES_PER_PIXEL = 1e3;
/** Of the screen, left empty around what is shown whole. */
const MARGIN = 0.06;

export function toPixel(view: View, [x, y]: Point): Point {
  return [
    (x - view.centre[0]) / view.metresPerPixel + view.width / 2,
    view.height / 2 - (y - view.centre[1]) / view.metresPerPixel,
  ];
}

export function toMetres(view: View, [column, row]: Point): Point {
  return [
    view.centre[0] + (column - view.width / 2) * view.metresPerPixel,
    view.centre[1] + (view.height / 2 - row) * view.metresPerPixel,
  ];
}

/** Moves the content with the pointer: 50 px to the right shows what lay 50 px further left. */
export function panned(view: View, dx: number, dy: number): View {
  const [x, y] = view.centre;
  return { ...view, centre: [x - dx * view.metresPerPixel, y + dy * view.metresPerPixel] };
}

/** Zooms in by `factor` so that the point under `pixel` stays there. */
export function zoomedAbout(view: View, pixel: Point, factor: number): View {
  const wanted = view.metresPerPixel / factor;
  const metresPerPixel = Math.min(MAX_METRES_PER_PIXEL, Math.max(MIN_METRES_PER_PIXEL, wanted));
  const [x, y] = toMetres(view, pixel);
  const centre: Point = [
    x - (pixel[0] - view.width / 2) * metresPerPixel,
    y - (view.height / 2 - pixel[1]) * metresPerPixel,
  ];
  return { ...view, centre, metresPerPixel };
}

export function fitted(view: View, box: Box): View {
  const width = Math.max(view.width, 1) * (1 - 2 * MARGIN);
  const height = Math.max(view.height, 1) * (1 - 2 * MARGIN);
  const spans = [(box.east - box.west) / width, (box.north - box.south) / height];
  const metresPerPixel = Math.max(...spans, MIN_METRES_PER_PIXEL);
  return { ...view, centre: [(box.west + box.east) / 2, (box.south + box.north) / 2], metresPerPixel };
}

export function resized(view: View, width: number, height: number): View {
  return { ...view, width, height };
}

export function boxOf(points: Iterable<Point>): Box | null {
  let west = Infinity;
  let south = Infinity;
  let east = -Infinity;
  let north = -Infinity;
  for (const [x, y] of points) {
    west = Math.min(west, x);
    east = Math.max(east, x);
    south = Math.min(south, y);
    north = Math.max(north, y);
  }
  return west <= east && south <= north ? { west, south, east, north } : null;
}

export function boxInView(view: View): Box {
  const [west, south] = toMetres(view, [0, view.height]);
  const [east, north] = toMetres(view, [view.width, 0]);
  return { west, south, east, north };
}

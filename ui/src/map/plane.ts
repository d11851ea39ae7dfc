// A plane of cells: where its corners lie, and which tile of which level shows which cells.

import { apply, compose, fromPose, type Point, type Pose, type Transform } from './geometry.ts';
import type { View } from './view.ts';
import { toPixel } from './view.ts';

export interface PlaneGeometry {
  readonly width: number;
  readonly height: number;
  readonly cell_size_m: number;
  /** Lower left corner of the lower left cell. */
  readonly origin: Pose;
}

export interface Plane {
  readonly geometry: PlaneGeometry;
  readonly levels: number;
  /** Side of a tile in pixels of its level. */
  readonly tile: number;
  readonly tileUrl: (level: number, column: number, row: number) => string;
}

/** A plane and the transform that places its frame in the frame of the view. */
export interface PlacedPlane {
  readonly plane: Plane;
  readonly placement: Transform;
}

export interface TileOfLevel {
  readonly level: number;
  readonly column: number;
  readonly row: number;
}

/** From columns and rows of cells (row 0 on top) to device pixels: x' = a c + c r + e, y' = b c + d r + f. */
export interface CellsToPixels {
  readonly a: number;
  readonly b: number;
  readonly c: number;
  readonly d: number;
  readonly e: number;
  readonly f: number;
  /** Device pixels per cell. */
  readonly pixelsPerCell: number;
}

/** The corners in the frame of the plane: upper left, upper right, lower right, lower left. */
export function corners(geometry: PlaneGeometry): Point[] {
  const east = geometry.width * geometry.cell_size_m;
  const north = geometry.height * geometry.cell_size_m;
  const frame = fromPose(geometry.origin);
  const inGrid: Point[] = [[0, north], [east, north], [east, 0], [0, 0]];
  return inGrid.map((corner) => apply(frame, corner));
}

export function placedCorners(placed: PlacedPlane): Point[] {
  return corners(placed.plane.geometry).map((corner) => apply(placed.placement, corner));
}

/** True if the point of the view's frame lies on the plane. */
export function covers(placed: PlacedPlane, [x, y]: Point): boolean {
  const outline = placedCorners(placed);
  return outline.every(([fromX, fromY], index) => {
    const [toX, toY] = outline[(index + 1) % outline.length];
    return (toX - fromX) * (y - fromY) - (toY - fromY) * (x - fromX) <= 0;
  });
}

export function cellsToPixels(placed: PlacedPlane, view: View, pixelRatio: number): CellsToPixels {
  const { geometry } = placed.plane;
  const viewFromGrid = compose(placed.placement, fromPose(geometry.origin));
  const pixelsPerCell = (pixelRatio * viewFromGrid.scale * geometry.cell_size_m) / view.metresPerPixel;
  const cos = pixelsPerCell * Math.cos(viewFromGrid.theta_rad);
  const sin = pixelsPerCell * Math.sin(viewFromGrid.theta_rad);
  const [left, top] = toPixel(view, apply(viewFromGrid, [0, geometry.height * geometry.cell_size_m]));
  return { a: cos, b: -sin, c: sin, d: cos, e: left * pixelRatio, f: top * pixelRatio, pixelsPerCell };
}

/** The finest level whose pixels are not smaller than those of the screen: no wall falls between two pixels. */
export function levelFor(plane: Plane, pixelsPerCell: number): number {
  const wanted = Math.ceil(Math.log2(1 / pixelsPerCell) - 1e-9);
  return Math.max(0, Math.min(plane.levels - 1, wanted));
}

export function tilesInLevel(plane: Plane, level: number): { columns: number; rows: number } {
  const span = plane.tile * 2 ** level;
  return { columns: Math.ceil(plane.geometry.width / span), rows: Math.ceil(plane.geometry.height / span) };
}

/** The tile of the next coarser level that holds this one. */
export function coarser(tile: TileOfLevel): TileOfLevel {
  return { level: tile.level + 1, column: tile.column >> 1, row: tile.row >> 1 };
}

/** Cells of level 0 in the upper left corner of a tile. */
export function firstCell(plane: Plane, tile: TileOfLevel): Point {
  const span = plane.tile * 2 ** tile.level;
  return [tile.column * span, tile.row * span];
}

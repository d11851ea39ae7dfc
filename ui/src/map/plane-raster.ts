// One plane drawn once per rotation and scale into a canvas of its own; a translation is one copy of that canvas.

import { cellsToPixels, coarser, firstCell, levelFor, tilesInLevel } from './plane.ts';
import type { CellsToPixels, PlacedPlane, Plane, TileOfLevel } from './plane.ts';
import type { TileStore } from './tile-store.ts';
import type { View } from './view.ts';

interface Rectangle {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Of the screen, drawn around it on each side so that moving on needs no new drawing. */
const MARGIN = 0.35;
const MIN_MARGIN_PIXELS = 8;

export class PlaneRaster {
  private readonly canvas = document.createElement('canvas');
  private region: Rectangle = { left: 0, top: 0, right: 0, bottom: 0 };
  private linearPart = '';
  private plane: Plane | null = null;
  private drawnGeneration = -1;
  private complete = false;

  constructor(private readonly tiles: TileStore) {}

  /** Copies the plane to the screen; draws it anew only if rotation, scale, level or tiles changed. */
  copyTo(target: CanvasRenderingContext2D, placed: PlacedPlane, view: View, pixelRatio: number): void {
    const matrix = cellsToPixels(placed, view, pixelRatio);
    const screen: Rectangle = {
      left: -matrix.e,
      top: -matrix.f,
      right: view.width * pixelRatio - matrix.e,
      bottom: view.height * pixelRatio - matrix.f,
    };
    const extent = extentOf(placed.plane, matrix);
    const visible = intersection(extent, screen);
    if (isEmpty(visible)) return;
    this.prepare(placed.plane, matrix, visible, () => intersection(extent, grown(screen)));
    target.drawImage(this.canvas, Math.round(matrix.e + this.region.left), Math.round(matrix.f + this.region.top));
  }

  private prepare(plane: Plane, matrix: CellsToPixels, visible: Rectangle, withMargin: () => Rectangle): void {
    const linearPart = `${matrix.a},${matrix.b}`;
    const sameLinearPart = this.plane === plane && this.linearPart === linearPart;
    const upToDate = this.complete || this.drawnGeneration === this.tiles.generation;
    if (sameLinearPart && upToDate && contains(this.region, visible)) return;
    // While rotating each frame is drawn once and needs no margin.
    this.region = sameLinearPart ? rounded(withMargin()) : rounded(visible);
    this.plane = plane;
    this.linearPart = linearPart;
    this.drawnGeneration = this.tiles.generation;
    this.complete = this.draw(plane, matrix);
  }

  private draw(plane: Plane, matrix: CellsToPixels): boolean {
    const width = this.region.right - this.region.left;
    const height = this.region.bottom - this.region.top;
    if (this.canvas.width !== width || this.canvas.height !== height) {
      this.canvas.width = width;
      this.canvas.height = height;
    }
    const context = this.canvas.getContext('2d');
    if (!context) return true;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, width, height);
    context.imageSmoothingEnabled = false;
    const { a, b, c, d } = matrix;
    context.setTransform(a, b, c, d, -this.region.left, -this.region.top);
    const level = levelFor(plane, matrix.pixelsPerCell);
    const wanted = tilesIn(plane, level, cellsIn(this.region, matrix));
    this.tiles.forgetWaiting();
    return wanted.map((tile) => this.drawTile(context, plane, tile)).every((drawn) => drawn);
  }

  /** Draws the tile, or as long as it is not here the part of a coarser one. True if the tile itself was drawn. */
  private drawTile(context: CanvasRenderingContext2D, plane: Plane, tile: TileOfLevel): boolean {
    const url = plane.tileUrl(tile.level, tile.column, tile.row);
    const [column, row] = firstCell(plane, tile);
    const image = this.tiles.get(url);
    const cells = 2 ** tile.level;
    if (image) {
      context.drawImage(image, column, row, image.width * cells, image.height * cells);
      return true;
    }
    this.drawCoarser(context, plane, tile);
    this.tiles.request(url);
    return false;
  }

  private drawCoarser(context: CanvasRenderingContext2D, plane: Plane, tile: TileOfLevel): void {
    const [column, row] = firstCell(plane, tile);
    const span = plane.tile * 2 ** tile.level;
    for (let other = coarser(tile); other.level < plane.levels; other = coarser(other)) {
      const image = this.tiles.get(plane.tileUrl(other.level, other.column, other.row));
      if (!image) continue;
      const [left, top] = firstCell(plane, other);
      const cells = 2 ** other.level;
      const fromX = (column - left) / cells;
      const fromY = (row - top) / cells;
      const wide = Math.min(span / cells, image.width - fromX);
      const high = Math.min(span / cells, image.height - fromY);
      if (wide > 0 && high > 0) {
        context.drawImage(image, fromX, fromY, wide, high, column, row, wide * cells, high * cells);
      }
      return;
    }
    const top = plane.levels - 1;
    if (tile.level < top) this.tiles.request(plane.tileUrl(top, 0, 0));
  }
}

/** The plane's bounding box in device pixels from its upper left corner. */
function extentOf(plane: Plane, { a, b, c, d }: CellsToPixels): Rectangle {
  const { width, height } = plane.geometry;
  const xs = [0, a * width, c * height, a * width + c * height];
  const ys = [0, b * width, d * height, b * width + d * height];
  return { left: Math.min(...xs), top: Math.min(...ys), right: Math.max(...xs), bottom: Math.max(...ys) };
}

/** The cells that a rectangle of device pixels touches. */
function cellsIn(region: Rectangle, { a, b, pixelsPerCell }: CellsToPixels): Rectangle {
  const square = pixelsPerCell * pixelsPerCell;
  const columns: number[] = [];
  const rows: number[] = [];
  for (const x of [region.left, region.right]) {
    for (const y of [region.top, region.bottom]) {
      columns.push((a * x + b * y) / square);
      rows.push((-b * x + a * y) / square);
    }
  }
  return {
    left: Math.min(...columns), top: Math.min(...rows), right: Math.max(...columns), bottom: Math.max(...rows),
  };
}

function tilesIn(plane: Plane, level: number, cells: Rectangle): TileOfLevel[] {
  const span = plane.tile * 2 ** level;
  const { columns, rows } = tilesInLevel(plane, level);
  const found: TileOfLevel[] = [];
  const lastRow = Math.min(rows - 1, Math.floor(cells.bottom / span));
  const lastColumn = Math.min(columns - 1, Math.floor(cells.right / span));
  for (let row = Math.max(0, Math.floor(cells.top / span)); row <= lastRow; row += 1) {
    for (let column = Math.max(0, Math.floor(cells.left / span)); column <= lastColumn; column += 1) {
      found.push({ level, column, row });
    }
  }
  return found;
}

function intersection(a: Rectangle, b: Rectangle): Rectangle {
  return {
    left: Math.max(a.left, b.left), top: Math.max(a.top, b.top),
    right: Math.min(a.right, b.right), bottom: Math.min(a.bottom, b.bottom),
  };
}

function grown(screen: Rectangle): Rectangle {
  const wide = Math.max(MIN_MARGIN_PIXELS, (screen.right - screen.left) * MARGIN);
  const high = Math.max(MIN_MARGIN_PIXELS, (screen.bottom - screen.top) * MARGIN);
  return {
    left: screen.left - wide, top: screen.top - high, right: screen.right + wide, bottom: screen.bottom + high,
  };
}

function rounded(region: Rectangle): Rectangle {
  return {
    left: Math.floor(region.left), top: Math.floor(region.top),
    right: Math.ceil(region.right), bottom: Math.ceil(region.bottom),
  };
}

function contains(outer: Rectangle, inner: Rectangle): boolean {
  return outer.left <= inner.left && outer.top <= inner.top && outer.right >= inner.right && outer.bottom >= inner.bottom;
}

function isEmpty(region: Rectangle): boolean {
  return region.right <= region.left || region.bottom <= region.top;
}

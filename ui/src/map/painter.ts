// Draws a list of planes to the screen, each through its own raster.

import type { DrawOrder } from './modes.ts';
import { PlaneRaster } from './plane-raster.ts';
import type { TileStore } from './tile-store.ts';
import { toPixel, type View } from './view.ts';

/** An image of known place in the frame of the view, such as the exact difference. */
export interface PlacedImage {
  readonly image: ImageBitmap;
  readonly west: number;
  readonly south: number;
  readonly cell_m: number;
}

export class Painter {
  private readonly rasters = new Map<string, PlaneRaster>();

  constructor(private readonly tiles: TileStore) {}

  paint(context: CanvasRenderingContext2D, view: View, pixelRatio: number, orders: readonly DrawOrder[]): void {
    for (const order of orders) {
      context.save();
      context.globalAlpha = order.opacity;
      context.globalCompositeOperation = order.multiply ? 'multiply' : 'source-over';
      if (order.from > 0 || order.to < 1) clip(context, view, pixelRatio, order);
      this.rasterOf(order.name).copyTo(context, order.placed, view, pixelRatio);
      context.restore();
    }
  }

  private rasterOf(name: string): PlaneRaster {
    let raster = this.rasters.get(name);
    if (!raster) {
      raster = new PlaneRaster(this.tiles);
      this.rasters.set(name, raster);
    }
    return raster;
  }
}

export function paintImage(context: CanvasRenderingContext2D, view: View, pixelRatio: number, placed: PlacedImage): void {
  const { image, west, south, cell_m } = placed;
  const [left, top] = toPixel(view, [west, south + image.height * cell_m]);
  const pixels = (pixelRatio * cell_m) / view.metresPerPixel;
  context.save();
  context.imageSmoothingEnabled = false;
  context.drawImage(image, left * pixelRatio, top * pixelRatio, image.width * pixels, image.height * pixels);
  context.restore();
}

function clip(context: CanvasRenderingContext2D, view: View, pixelRatio: number, order: DrawOrder): void {
  const width = view.width * pixelRatio;
  context.beginPath();
  context.rect(order.from * width, 0, (order.to - order.from) * width, view.height * pixelRatio);
  context.clip();
}

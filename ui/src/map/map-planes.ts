// Planes of the maps that the program holds, and the store of their tiles.

import { getImage, path, withQuery } from '../api/client.ts';
import type { MapInfo } from '../api/types.ts';
import type { Plane } from './plane.ts';
import { pooledImage, pooledLevels, pooledUrl, unpooledUrl } from './pooled-tile.ts';
import { TileStore } from './tile-store.ts';

export type Ink = 'truth' | 'map' | 'plain';

/** Null for a map that could not be read. The truth is read beside the map that lies on it: missions have truths of their own. */
export function planeOf(info: MapInfo, ink: Ink, beside = info.id): Plane | null {
  const { geometry, levels } = info;
  if (!geometry || levels < 1) return null;
  const plane = info.id === 'truth' ? 'truth' : 'map';
  const served = (level: number, column: number, row: number): string =>
    withQuery(path('submissions', beside, 'planes', plane, level, column, `${row}.png`), { ink, v: info.blake3 });
  return {
    geometry,
    levels: levels + pooledLevels(geometry.width, geometry.height, levels),
    tile: info.tile,
    tileUrl: (level, column, row) =>
      level < levels ? served(level, column, row) : pooledUrl(served(levels - 1, 0, 0), level - levels + 1),
  };
}

export function createTileStore(loaded: () => void, failed: (error: unknown) => void): TileStore {
  return new TileStore({ load: loadTile, loaded, failed });
}

async function loadTile(address: string): Promise<ImageBitmap> {
  const { url, pool } = unpooledUrl(address);
  const image = await getImage(url);
  return pool > 1 ? pooledImage(image, pool) : image;
}

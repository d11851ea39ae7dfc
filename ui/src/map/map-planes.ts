// Planes of the maps that the program holds, and the store of their tiles.

import { getImage, path, withQuery } from '../api/client.ts';
import type { MapInfo } from '../api/types.ts';
import type { Plane } from './plane.ts';
import { TileStore } from './tile-store.ts';

export type Ink = 'truth' | 'map' | 'plain';

/** Null for a map that could not be read. */
export function planeOf(info: MapInfo, ink: Ink): Plane | null {
  if (!info.geometry) return null;
  const isTruth = info.id === 'truth';
  const query = { ink, v: info.blake3 };
  return {
    geometry: info.geometry,
    levels: info.levels,
    tile: info.tile,
    tileUrl: (level, column, row) =>
      withQuery(path('submissions', info.id, 'planes', isTruth ? 'truth' : 'map', level, column, `${row}.png`), query),
  };
}

export function createTileStore(loaded: () => void, failed: (error: unknown) => void): TileStore {
  return new TileStore({ load: getImage, loaded, failed });
}

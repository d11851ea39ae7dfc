// Layers that can be shown over the maps: rooms, victims, paths, labels, barrels, hazards, and the grid of metres.

import { getJson, path } from '../api/client.ts';
import type { Layer, LayerItem } from '../api/types.ts';
import { apply, type Point, type Transform } from '../map/geometry.ts';
import { drawLayer } from '../map/layer-drawing.ts';
import type { View } from '../map/view.ts';
import { words } from '../words.ts';

/** A layer that can be shown; one that has to be computed has no content before it is asked for. */
export interface ShownLayer {
  readonly key: string;
  readonly title: string;
  readonly layer: Layer | null;
  readonly url: string | null;
}

export class LayerSet {
  layers: readonly ShownLayer[] = [];
  showsGrid = false;
  private readonly shown = new Set<string>();
  private readonly loading = new Set<string>();

  constructor(
    private readonly map: string,
    private readonly changed: (sentence: string) => void,
    private readonly failed: (error: unknown) => void,
  ) {}

  async read(): Promise<void> {
    try {
      const { layers } = await getJson<{ layers: Layer[] }>(path('submissions', this.map, 'layers'));
      this.layers = [...layers.map(ready), ...roomsOf(this.map)];
      this.changed('');
    } catch (error) {
      this.failed(error);
    }
  }

  isShown(shown: ShownLayer): boolean {
    return this.shown.has(shown.key);
  }

  isLoading(shown: ShownLayer): boolean {
    return this.loading.has(shown.key);
  }

  async toggle(shown: ShownLayer): Promise<void> {
    if (!this.shown.delete(shown.key)) {
      this.shown.add(shown.key);
      if (shown.layer === null && shown.url !== null) await this.load(shown, shown.url);
    }
    this.changed(words.said.layer(shown.title, this.shown.has(shown.key)));
  }

  toggleGrid(): void {
    this.showsGrid = !this.showsGrid;
    this.changed(words.said.layer(words.layers.grid, this.showsGrid));
  }

  draw(context: CanvasRenderingContext2D, view: View, truth_from_map: Transform): void {
    for (const { key, layer } of this.layers) {
      if (layer && this.shown.has(key)) drawLayer(context, view, layer, (point) => inTruth(layer, point, truth_from_map));
    }
  }

  private async load(shown: ShownLayer, url: string): Promise<void> {
    this.loading.add(shown.key);
    this.changed(words.said.layerLoading);
    try {
      const layer = await getJson<Layer>(url);
      this.layers = this.layers.map((other) => (other.key === shown.key ? { ...shown, layer } : other));
    } catch (error) {
      this.shown.delete(shown.key);
      this.failed(error);
    } finally {
      this.loading.delete(shown.key);
    }
  }
}

/** Truth and map may have a layer of the same name. */
function ready(layer: Layer): ShownLayer {
  return { key: `${layer.frame}-${layer.name}`, title: capitalised(layer.title), layer, url: null };
}

function capitalised(title: string): string {
  return title.charAt(0).toUpperCase() + title.slice(1);
}

/** Rooms are found on demand: that takes a while. */
function roomsOf(map: string): ShownLayer[] {
  const rooms = (frame: 'truth' | 'map', id: string): ShownLayer => ({
    key: `${frame}-rooms`, title: capitalised(words.layers.rooms[frame]), layer: null, url: path('submissions', id, 'layers', 'rooms'),
  });
  return [rooms('truth', 'truth'), rooms('map', map)];
}

export function inTruth(layer: Layer, point: Point, truth_from_map: Transform): Point {
  return layer.frame === 'map' ? apply(truth_from_map, point) : point;
}

/** The middle of an item's points. */
export function middleOf(item: LayerItem): Point {
  const count = Math.max(1, item.points.length);
  const [x, y] = item.points.reduce<Point>((sum, point) => [sum[0] + point[0], sum[1] + point[1]], [0, 0]);
  return [x / count, y / count];
}

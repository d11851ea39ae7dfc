// Layers that can be shown over the maps: rooms, victims, paths, labels, barrels, hazards, and the grid of metres.

import { getJson, path } from '../api/client.ts';
import type { Layer, LayerItem } from '../api/types.ts';
import { apply, type Point, type Transform } from '../map/geometry.ts';
import { drawLayer } from '../map/layer-drawing.ts';
import type { View } from '../map/view.ts';
import { words } from '../words.ts';

export class LayerSet {
  layers: Layer[] = [];
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
      this.layers = layers;
      this.changed('');
    } catch (error) {
      this.failed(error);
    }
  }

  isShown(name: string): boolean {
    return this.shown.has(name);
  }

  isLoading(name: string): boolean {
    return this.loading.has(name);
  }

  async toggle(layer: Layer): Promise<void> {
    if (!this.shown.delete(layer.name)) {
      this.shown.add(layer.name);
      if (layer.lazy && layer.items.length === 0) await this.load(layer.name);
    }
    this.changed(words.said.layer(layer.title, this.shown.has(layer.name)));
  }

  toggleGrid(): void {
    this.showsGrid = !this.showsGrid;
    this.changed(words.said.layer(words.layers.grid, this.showsGrid));
  }

  draw(context: CanvasRenderingContext2D, view: View, truth_from_map: Transform): void {
    for (const layer of this.layers) {
      if (this.shown.has(layer.name)) drawLayer(context, view, layer, (point) => inTruth(layer, point, truth_from_map));
    }
  }

  private async load(name: string): Promise<void> {
    this.loading.add(name);
    this.changed(words.said.layerLoading);
    try {
      const loaded = await getJson<Layer>(path('submissions', this.map, 'layers', name));
      this.layers = this.layers.map((layer) => (layer.name === name ? loaded : layer));
    } catch (error) {
      this.shown.delete(name);
      this.failed(error);
    } finally {
      this.loading.delete(name);
    }
  }
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

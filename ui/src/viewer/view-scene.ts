// Draws maps, trajectories and layers in one frame.

import type { Point } from '../map/geometry.ts';
import type { Drag } from '../map/gestures.ts';
import { drawLayer } from '../map/layer-drawing.ts';
import type { MapPane, Scene } from '../map/map-pane.ts';
import type { DrawOrder } from '../map/modes.ts';
import type { PlacedImage } from '../map/painter.ts';
import type { TileStore } from '../map/tile-store.ts';
import type { View } from '../map/view.ts';
import { showCursor } from '../parts/page-frame.ts';
import { words } from '../words.ts';
import { drawTrajectory } from './trajectory-drawing.ts';
import type { ViewModel } from './view-model.ts';

export class ViewScene implements Scene {
  readonly label = words.view.canvas;

  constructor(private readonly model: ViewModel, readonly tiles: TileStore, private readonly pane: MapPane) {}

  get showsGrid(): boolean {
    return this.model.showsGrid;
  }

  orders(): DrawOrder[] {
    return this.model.items.flatMap(({ placed, isShown, opacity }, index) => (placed && isShown && opacity > 0
      ? [{ name: String(index), placed, opacity, multiply: index > 0, from: 0, to: 1 }]
      : []));
  }

  image(): PlacedImage | null {
    return null;
  }

  draw(context: CanvasRenderingContext2D, view: View): void {
    const { model } = this;
    for (const { item, isShown, colour } of model.items) {
      if (!isShown) continue;
      if (item.kind === 'layer') drawLayer(context, view, item, (point) => model.placeLayerPoint(item.frame, point));
      if (item.kind === 'trajectory') drawTrajectory(context, view, item, colour, model.time_s);
    }
  }

  grab(): Drag | null {
    return null;
  }

  click(metres: Point): void {
    this.model.look(metres);
  }

  hover(metres: Point | null): void {
    showCursor(this.pane, metres);
    if (metres) this.model.look(metres);
  }

  viewChanged(view: View): void {
    this.model.look(view.centre);
  }
}

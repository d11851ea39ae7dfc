// The exact difference of the visible part, drawn by the program, asked for when the map rests.

import { getImage, path, withQuery } from '../api/client.ts';
import { sameTransform, type Transform } from '../map/geometry.ts';
import type { PlacedImage } from '../map/painter.ts';
import { levelFor, type Plane } from '../map/plane.ts';
import { boxInView, type View } from '../map/view.ts';
import { LiveFollower } from './live-requests.ts';

interface Wanted {
  readonly map: string;
  readonly on: string;
  readonly transform: Transform;
  readonly view: View;
}

const MAX_PIXELS = 4_000_000;

export class ExactDifference {
  private shown: { wanted: Wanted; image: PlacedImage } | null = null;
  private asked: Wanted | null = null;
  private readonly follower: LiveFollower<Wanted, PlacedImage>;

  constructor(private readonly base: Plane, changed: () => void, failed: (error: unknown) => void) {
    this.follower = new LiveFollower<Wanted, PlacedImage>({
      send: (wanted) => this.load(wanted),
      show: (image, wanted) => {
        this.shown?.image.image.close();
        this.shown = { wanted, image };
        changed();
      },
      failed,
    }, false);
  }

  /** The view or the transform changed while the difference is looked at. */
  wanted(map: string, on: string, transform: Transform, view: View): void {
    const { asked } = this;
    if (view.width === 0 || (asked?.transform === transform && asked.view === view && asked.on === on)) return;
    this.asked = { map, on, transform, view };
    this.follower.changed(this.asked);
  }

  /** The image, if it was made for this transform; another part of it may be on its way. */
  imageFor(transform: Transform, on = 'truth'): PlacedImage | null {
    const shown = this.shown;
    return shown && shown.wanted.on === on && sameTransform(shown.wanted.transform, transform) ? shown.image : null;
  }

  private async load({ map, on, transform, view }: Wanted): Promise<PlacedImage> {
    const window = windowOf(this.base, view);
    const image = await getImage(withQuery(path('submissions', map, 'difference.png'), {
      x: transform.x_m, y: transform.y_m, theta: transform.theta_rad, scale: transform.scale, on,
      west: window.west, south: window.south, cell: window.cell_m, width: window.width, height: window.height,
    }));
    return { image, west: window.west, south: window.south, cell_m: window.cell_m };
  }
}

/** The visible part on cells of the truth, pooled as coarsely as the screen is. */
export function windowOf(base: Plane, view: View): { west: number; south: number; cell_m: number; width: number; height: number } {
  const { cell_size_m, origin } = base.geometry;
  const box = boxInView(view);
  let cell_m = cell_size_m * 2 ** levelFor(base, cell_size_m / view.metresPerPixel);
  for (;;) {
    const west = origin.x_m + Math.floor((box.west - origin.x_m) / cell_m) * cell_m;
    const south = origin.y_m + Math.floor((box.south - origin.y_m) / cell_m) * cell_m;
    const width = Math.ceil((box.east - west) / cell_m);
    const height = Math.ceil((box.north - south) / cell_m);
    if (width * height <= MAX_PIXELS) return { west, south, cell_m, width, height };
    cell_m *= 2;
  }
}

// What the view page shows: items that can be hidden, a time, and the values under the cursor.

import { getJson, path, withQuery } from '../api/client.ts';
import type { Trajectory, ValuesAnswer, ViewAnswer, ViewItem } from '../api/types.ts';
import { apply, type Point } from '../map/geometry.ts';
import { planeOf } from '../map/map-planes.ts';
import { placedCorners, type PlacedPlane } from '../map/plane.ts';
import { LiveFollower } from '../overlay/live-requests.ts';
import { clock } from '../parts/number-format.ts';
import { words } from '../words.ts';
import { TRAJECTORY_COLOURS } from './trajectory-drawing.ts';

export interface ShownItem {
  readonly item: ViewItem;
  readonly placed: PlacedPlane | null;
  readonly colour: string;
  isShown: boolean;
  opacity: number;
}

const TIME_STEPS = 500;
/** How much faster than real time a run is played: all of it in 20 s. */
const PLAY_SECONDS = 20;

export class ViewModel {
  readonly items: ShownItem[];
  time_s: number | null;
  values: ValuesAnswer | null = null;
  showsGrid = false;
  private playing = 0;
  private readonly valuesAt: LiveFollower<Point, ValuesAnswer>;

  constructor(readonly answer: ViewAnswer, private readonly changed: (sentence: string) => void, failed: (error: unknown) => void) {
    this.items = answer.items.map((item, index) => shownItem(item, index, answer.items));
    this.time_s = answer.time?.from_s ?? null;
    this.valuesAt = new LiveFollower<Point, ValuesAnswer>({
      send: ([x, y]) => getJson(withQuery(path('view', 'values'), { x, y })),
      show: (values) => {
        this.values = values;
        changed('');
      },
      failed,
    }, false);
  }

  get isPlaying(): boolean {
    return this.playing !== 0;
  }

  toggle(shown: ShownItem): void {
    shown.isShown = !shown.isShown;
    this.changed(words.said.layer(nameOf(shown.item), shown.isShown));
  }

  /** A setting that is only drawn changed. */
  redraw(): void {
    this.changed('');
  }

  look(at: Point): void {
    this.valuesAt.changed(at);
  }

  setTime(time_s: number): void {
    const { time } = this.answer;
    if (!time) return;
    this.time_s = Math.min(time.to_s, Math.max(time.from_s, time_s));
    this.changed(this.isPlaying ? '' : words.said.timeAt(clock(this.time_s)));
  }

  step(steps: number): void {
    const { time } = this.answer;
    if (time && this.time_s !== null) this.setTime(this.time_s + (steps * (time.to_s - time.from_s)) / TIME_STEPS);
  }

  play(): void {
    const { time } = this.answer;
    if (!time || this.time_s === null) return;
    if (this.isPlaying) {
      this.stop();
      return;
    }
    if (this.time_s >= time.to_s) this.time_s = time.from_s;
    let last = performance.now();
    const frame = (now: number): void => {
      this.setTime((this.time_s ?? time.from_s) + (((now - last) / 1000) * (time.to_s - time.from_s)) / PLAY_SECONDS);
      last = now;
      if ((this.time_s ?? 0) >= time.to_s) this.stop();
      else this.playing = requestAnimationFrame(frame);
    };
    this.playing = requestAnimationFrame(frame);
    this.changed('');
  }

  stop(): void {
    cancelAnimationFrame(this.playing);
    this.playing = 0;
    this.changed('');
  }

  /** Points that the view should hold. */
  *extent(): Generator<Point> {
    for (const { item, placed } of this.items) {
      if (placed) yield* placedCorners(placed);
      else if (item.kind === 'trajectory') for (const [, x, y] of item.poses) yield [x, y];
      else if (item.kind === 'layer') for (const { points } of item.items) yield* points;
    }
  }

  /** A layer in the frame of the map goes with the first map. */
  placeLayerPoint(frame: 'truth' | 'map', point: Point): Point {
    const map = frame === 'map' ? this.items.find(({ placed }) => placed)?.placed : null;
    return map ? apply(map.placement, point) : point;
  }
}

function shownItem(item: ViewItem, index: number, all: readonly ViewItem[]): ShownItem {
  const maps = all.filter(({ kind }) => kind === 'map');
  const trajectories = all.filter((other): other is Trajectory => other.kind === 'trajectory');
  const ink = maps.length === 1 ? 'plain' : maps.indexOf(item) === 0 ? 'truth' : 'map';
  const plane = item.kind === 'map' ? planeOf(item.map, ink) : null;
  const place = item.kind === 'trajectory' ? trajectories.indexOf(item) : index;
  return {
    item,
    placed: item.kind === 'map' && plane ? { plane, placement: item.map.frame } : null,
    colour: TRAJECTORY_COLOURS[place % TRAJECTORY_COLOURS.length],
    isShown: true,
    opacity: 1,
  };
}

export function nameOf(item: ViewItem): string {
  if (item.kind === 'map') return item.map.name;
  return item.kind === 'layer' ? item.title : item.name;
}

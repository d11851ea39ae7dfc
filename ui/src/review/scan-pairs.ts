// Picked pairs of hits: one of scan 2, then the same place in scan 1; two pairs place scan 2.

import { path, postJson } from '../api/client.ts';
import { apply, distance, inverse, type Point, type Pose } from '../map/geometry.ts';
import type { ScanPlacement } from './scan-placement.ts';

interface ScanPair {
  readonly first: Point;
  readonly second: Point;
}

const MIN_PAIRS = 2;

export class ScanPairs {
  isOn = false;
  pairs: ScanPair[] = [];
  /** First half of a pair, in the frame of scan 2. */
  pending: Point | null = null;

  constructor(
    private readonly review: string,
    private readonly fitted: (delta: Pose) => void,
    private readonly failed: (error: unknown) => void,
  ) {}

  clear(): void {
    this.pairs = [];
    this.pending = null;
  }

  toggle(): void {
    this.isOn = !this.isOn;
    this.clear();
  }

  /** `reach_m` is how far a click may be from a hit. */
  click(placement: ScanPlacement, at: Point, reach_m: number): void {
    const { first, second } = placement.proposal;
    if (!this.pending) {
      this.pending = nearest(second.hits, apply(inverse(placement.firstFromSecond), at), reach_m);
      return;
    }
    this.pairs.push({ first: nearest(first.hits, at, reach_m), second: this.pending });
    this.pending = null;
    if (this.pairs.length >= MIN_PAIRS) void this.fit();
  }

  private async fit(): Promise<void> {
    try {
      const { delta } = await postJson<{ delta: Pose }>(path('reviews', this.review, 'fit'), { pairs: this.pairs });
      this.fitted(delta);
    } catch (error) {
      this.failed(error);
    }
  }
}

function nearest(hits: readonly Point[], at: Point, reach_m: number): Point {
  let found = at;
  let reach = reach_m;
  for (const hit of hits) {
    const away = distance(hit, at);
    if (away <= reach) {
      reach = away;
      found = hit;
    }
  }
  return found;
}

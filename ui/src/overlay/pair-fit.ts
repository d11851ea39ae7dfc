// The transform that fits the pairs, and what remains at each of them.

import { path, postJson } from '../api/client.ts';
import type { FitAnswer } from '../api/types.ts';
import type { PlacedImage } from '../map/painter.ts';
import { LiveFollower } from './live-requests.ts';
import type { Placement } from './placement-session.ts';

/** Pairs that a polynomial of degree 1, 2, 3 needs. */
export const PAIRS_NEEDED: readonly number[] = [4, 7, 11];

export class PairFit {
  answer: FitAnswer | null = null;
  /** The map as the polynomial bends it. */
  bent: PlacedImage | null = null;
  private asked: Placement | null = null;
  private readonly follower: LiveFollower<Placement, FitAnswer>;

  constructor(map: string, changed: () => void, failed: (error: unknown) => void) {
    this.follower = new LiveFollower<Placement, FitAnswer>({
      send: ({ pairs, motion, degree }) =>
        postJson<FitAnswer>(path('submissions', map, 'fit'), {
          pairs, motion, ...(motion === 'polynomial' ? { degree } : {}),
        }),
      show: (answer) => {
        this.answer = answer;
        changed();
        void this.showBent(answer).then(changed, failed);
      },
      failed,
    }, false);
  }

  /** Asks anew if pairs, motion or degree changed. */
  follow(placement: Placement): void {
    const before = this.asked;
    if (before?.pairs === placement.pairs && before.motion === placement.motion && before.degree === placement.degree) return;
    this.asked = placement;
    if (placement.pairs.length === 0) this.clear();
    else this.follower.changed(placement);
  }

  private clear(): void {
    this.answer = null;
    this.bent?.image.close();
    this.bent = null;
  }

  private async showBent(answer: FitAnswer): Promise<void> {
    const picture = answer.bent?.picture;
    const bytes = picture ? Uint8Array.from(atob(picture.png), (letter) => letter.charCodeAt(0)) : null;
    const image = bytes ? await createImageBitmap(new Blob([bytes], { type: 'image/png' })) : null;
    // A newer answer may have come meanwhile.
    if (this.answer !== answer) {
      image?.close();
      return;
    }
    this.bent?.image.close();
    this.bent = picture && image ? { image, west: picture.west, south: picture.south, cell_m: picture.cell_m } : null;
  }

  /** Index of the pair that is on and fits worst, or null with fewer than two. */
  worst(placement: Placement): number | null {
    const residuals = this.answer?.residuals ?? [];
    let worst: number | null = null;
    let count = 0;
    placement.pairs.forEach((pair, index) => {
      const residual = residuals[index];
      if (!pair.on || !residual) return;
      count += 1;
      if (worst === null || residual.length_m > (residuals[worst]?.length_m ?? 0)) worst = index;
    });
    return count > 1 ? worst : null;
  }
}

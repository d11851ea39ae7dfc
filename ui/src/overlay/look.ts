// How the two maps are looked at: mode, blend, swipe, blinking, and one alone while a key is held.

import { BLINK_PERIOD_MS, type Alone, type Looking, type Mode } from '../map/modes.ts';
import { words } from '../words.ts';

export class Look implements Looking {
  mode: Mode = 'blend';
  blend = 0.5;
  swipe = 0.5;
  blinkOver = true;
  alone: Alone = null;
  private timer: ReturnType<typeof setInterval> | undefined;

  constructor(private readonly changed: (sentence: string) => void) {}

  setMode(mode: Mode): void {
    const again = this.mode === mode;
    this.mode = mode;
    clearInterval(this.timer);
    if (mode === 'blink') this.startBlinking(again);
    this.changed(words.said.mode(mode, this.blinkOver));
  }

  setBlend(blend: number): void {
    this.blend = blend;
    this.changed('');
  }

  setSwipe(swipe: number): void {
    this.swipe = Math.min(1, Math.max(0, swipe));
    this.changed('');
  }

  setAlone(alone: Alone): void {
    this.alone = alone;
    this.changed(alone ? words.said.alone(alone) : '');
  }

  stop(): void {
    clearInterval(this.timer);
  }

  /** Who asked for less motion switches between the two by pressing the key again. */
  private startBlinking(again: boolean): void {
    if (window.matchMedia('(prefers-reduced-motion: reduce)').matches) {
      if (again) this.blinkOver = !this.blinkOver;
      return;
    }
    this.timer = setInterval(() => {
      this.blinkOver = !this.blinkOver;
      this.changed('');
    }, BLINK_PERIOD_MS / 2);
  }
}

// The four ways to see two maps at once, each as a list of planes to draw one over the other.

import type { PlacedPlane } from './plane.ts';

export type Mode = 'blend' | 'swipe' | 'blink' | 'difference';
/** One of the two shown alone while its key is held. */
export type Alone = 'base' | 'over' | null;

export interface DrawOrder {
  readonly name: string;
  readonly placed: PlacedPlane;
  readonly opacity: number;
  readonly multiply: boolean;
  /** Shares of the screen's width between which it is drawn. */
  readonly from: number;
  readonly to: number;
}

export interface Looking {
  readonly mode: Mode;
  /** 0 shows the base alone, 1 the map alone. */
  readonly blend: number;
  /** Where the screen is divided, 0 to 1: base on the left, map on the right. */
  readonly swipe: number;
  /** Which of the two blinks up now. */
  readonly blinkOver: boolean;
  readonly alone: Alone;
}

export const BLINK_PERIOD_MS = 1000;

export function drawOrders(looking: Looking, base: PlacedPlane | null, over: PlacedPlane | null): DrawOrder[] {
  const orders: DrawOrder[] = [];
  const add = (name: 'base' | 'over', placed: PlacedPlane | null, rest: Partial<DrawOrder> = {}): void => {
    if (placed) orders.push({ name, placed, opacity: 1, multiply: false, from: 0, to: 1, ...rest });
  };
  if (looking.alone) {
    add(looking.alone, looking.alone === 'base' ? base : over);
  } else if (looking.mode === 'swipe') {
    add('base', base, { to: looking.swipe });
    add('over', over, { from: looking.swipe });
  } else if (looking.mode === 'blink') {
    add(looking.blinkOver ? 'over' : 'base', looking.blinkOver ? over : base);
  } else if (looking.mode === 'difference') {
    add('base', base);
    add('over', over, { multiply: true });
  } else {
    const { base: baseOpacity, over: overOpacity } = opacities(looking.blend);
    add('base', base, { opacity: baseOpacity });
    add('over', over, { opacity: overOpacity, multiply: true });
  }
  return orders.filter((order) => order.opacity > 0 && order.to > order.from);
}

/** In the middle both are full; towards an end the other one fades. */
export function opacities(blend: number): { base: number; over: number } {
  return { base: Math.min(1, 2 * (1 - blend)), over: Math.min(1, 2 * blend) };
}

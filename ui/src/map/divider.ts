// The line that divides the screen while two maps are swiped: base on the left, map on the right.

import type { Drag } from './gestures.ts';
import type { Point } from './geometry.ts';
import { INK, strokeWithHalo } from './ink.ts';
import type { Looking } from './modes.ts';
import type { View } from './view.ts';

const REACH = 8;

/** What can be looked at and swiped. */
export interface Swiped extends Looking {
  setSwipe(swipe: number): void;
}

export function isOnDivider(look: Looking, [x]: Point, view: View): boolean {
  return look.mode === 'swipe' && Math.abs(x - look.swipe * view.width) <= REACH;
}

export function dragDivider(look: Swiped, view: View): Drag {
  return { move: (_, [x]) => look.setSwipe(x / view.width), end: () => undefined };
}

export function drawDivider(context: CanvasRenderingContext2D, look: Looking, view: View): void {
  if (look.mode !== 'swipe' || look.alone) return;
  const x = Math.round(look.swipe * view.width);
  context.beginPath();
  context.moveTo(x, 0);
  context.lineTo(x, view.height);
  strokeWithHalo(context, INK.handle, 2);
}

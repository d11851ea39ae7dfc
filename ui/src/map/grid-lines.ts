// The grid of metres and the scale bar; both count in 1, 2 or 5 times a power of ten.

import { INK, strokeWithHalo, writeWithHalo } from './ink.ts';
import { boxInView, toPixel, type View } from './view.ts';

const GRID_PIXELS = 80;
const BAR_PIXELS = 120;

/** The largest of 1, 2, 5 x 10^n that is not above `limit`. */
export function roundStep(limit: number): number {
  const power = 10 ** Math.floor(Math.log10(limit));
  const factor = [5, 2, 1].find((candidate) => candidate * power <= limit * (1 + 1e-12)) ?? 1;
  return factor * power;
}

export function lengthInWords(length_m: number): string {
  if (length_m >= 1000) return `${Number((length_m / 1000).toPrecision(3))} km`;
  if (length_m >= 1) return `${Number(length_m.toPrecision(3))} m`;
  if (length_m >= 0.01) return `${Number((length_m * 100).toPrecision(3))} cm`;
  return `${Number((length_m * 1000).toPrecision(3))} mm`;
}

export function drawGrid(context: CanvasRenderingContext2D, view: View): void {
  const step = roundStep(GRID_PIXELS * view.metresPerPixel * 2);
  const box = boxInView(view);
  context.lineWidth = 1;
  context.strokeStyle = 'rgba(70, 90, 120, 0.45)';
  context.beginPath();
  for (let index = Math.ceil(box.west / step); index * step <= box.east; index += 1) {
    const x = Math.round(toPixel(view, [index * step, 0])[0]) + 0.5;
    context.moveTo(x, 0);
    context.lineTo(x, view.height);
  }
  for (let index = Math.ceil(box.south / step); index * step <= box.north; index += 1) {
    const y = Math.round(toPixel(view, [0, index * step])[1]) + 0.5;
    context.moveTo(0, y);
    context.lineTo(view.width, y);
  }
  context.stroke();
  labelGrid(context, view, step);
}

function labelGrid(context: CanvasRenderingContext2D, view: View, step: number): void {
  const box = boxInView(view);
  const digits = Math.max(0, -Math.floor(Math.log10(step)));
  for (let index = Math.ceil(box.west / step); index * step <= box.east; index += 1) {
    writeWithHalo(context, (index * step).toFixed(digits), toPixel(view, [index * step, 0])[0] + 3, 14, INK.text);
  }
  for (let index = Math.ceil(box.south / step); index * step <= box.north; index += 1) {
    writeWithHalo(context, (index * step).toFixed(digits), 4, toPixel(view, [0, index * step])[1] - 3, INK.text);
  }
}

export function drawScaleBar(context: CanvasRenderingContext2D, view: View): void {
  const length_m = roundStep(BAR_PIXELS * view.metresPerPixel);
  const pixels = length_m / view.metresPerPixel;
  const y = view.height - 16;
  context.beginPath();
  context.moveTo(14, y - 5);
  context.lineTo(14, y);
  context.lineTo(14 + pixels, y);
  context.lineTo(14 + pixels, y - 5);
  strokeWithHalo(context, INK.text, 2);
  writeWithHalo(context, lengthInWords(length_m), 20, y - 5, INK.text);
}

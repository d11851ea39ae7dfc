import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FitAnswer, Pair } from '../src/api/types.ts';
import type { Plane } from '../src/map/plane.ts';
import { windowOf } from '../src/overlay/exact-difference.ts';
import { PairFit } from '../src/overlay/pair-fit.ts';
import { PlacementSession } from '../src/overlay/placement-session.ts';

const IDENTITY = { x_m: 0, y_m: 0, theta_rad: 0, scale: 1 };

test('the window of the difference lies on cells of the truth and holds at most 4 million pixels', () => {
  const plane: Plane = {
    geometry: { width: 10_000, height: 10_000, cell_size_m: 0.05, origin: { x_m: 0.02, y_m: 0.01, theta_rad: 0 } },
    levels: 5, tile: 1024, tileUrl: () => '',
  };
  for (const metresPerPixel of [0.01, 0.05, 0.3, 2]) {
    const view = { centre: [100, 90], metresPerPixel, width: 3840, height: 2160 } as const;
    const { west, south, cell_m, width, height } = windowOf(plane, view);
    assert.ok(width * height <= 4_000_000, `${width} x ${height}`);
    const steps = (west - 0.02) / cell_m;
    assert.ok(Math.abs(steps - Math.round(steps)) < 1e-6);
    assert.ok(west <= 100 - 1920 * metresPerPixel + 1e-9 && south <= 90 - 1080 * metresPerPixel + 1e-9);
    assert.ok(west + width * cell_m >= 100 + 1920 * metresPerPixel - 1e-9);
  }
});

test('the worst pair is on and fits worst', () => {
  const fit = new PairFit('1', () => undefined, () => undefined);
  const pair = (on: boolean): Pair => ({ map: [0, 0], truth: [0, 0], on });
  const residual = (length_m: number) => ({ dx_m: 0, dy_m: 0, length_m, length_cells: 0, if_left_out_m: null });
  const placement = { truth_from_map: IDENTITY, pairs: [pair(true), pair(false), pair(true)], motion: 'turn', degree: 1 } as const;
  fit.answer = { residuals: [residual(0.1), residual(9), residual(0.3)] } as unknown as FitAnswer;
  assert.equal(fit.worst(placement), 2);
  assert.equal(fit.worst({ ...placement, pairs: placement.pairs.slice(0, 2) }), null);
});

test('rotating by keys keeps the pivot, and the fields hold the numbers of the transform', () => {
  const sentences: string[] = [];
  const session = new PlacementSession(IDENTITY, [3, 4], (sentence) => sentences.push(sentence));
  session.rotate(90);
  assert.ok(Math.abs(session.pivot[0] - 3) < 1e-12 && Math.abs(session.pivot[1] - 4) < 1e-12);
  assert.ok(Math.abs(session.field('rotation') - 90) < 1e-12 && Math.abs(session.field('x') - 7) < 1e-12);
  session.setField('x', 1.5);
  session.setField('scale', -1);
  assert.equal(session.transform.x_m, 1.5);
  assert.equal(session.transform.scale, 1);
  session.undo();
  session.undo();
  assert.deepEqual(session.transform, IDENTITY);
  assert.equal(session.isUnsaved, false);
  assert.match(sentences[0], /rotation 90.00 degrees/);
});

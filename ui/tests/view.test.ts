import assert from 'node:assert/strict';
import { test } from 'node:test';
import { boxOf, fitted, panned, toMetres, toPixel, zoomedAbout, type View } from '../src/map/view.ts';

const VIEW: View = { centre: [10, -4], metresPerPixel: 0.03, width: 1280, height: 800 };

test('50 px are the right metres to 1e-6', () => {
  const [x, y] = toMetres(VIEW, [300, 200]);
  const [movedX, movedY] = toMetres(VIEW, [350, 150]);
  assert.ok(Math.abs(movedX - x - 1.5) < 1e-6);
  assert.ok(Math.abs(movedY - y - 1.5) < 1e-6);
});

test('pixels and metres are inverse, with y up', () => {
  assert.deepEqual(toPixel(VIEW, [10, -4]), [640, 400]);
  assert.ok(toPixel(VIEW, [10, -3])[1] < 400);
  const [column, row] = toPixel(VIEW, toMetres(VIEW, [12.25, 700.5]));
  assert.ok(Math.abs(column - 12.25) < 1e-9 && Math.abs(row - 700.5) < 1e-9);
});

test('zooming keeps the point under the pointer', () => {
  const before = toMetres(VIEW, [100, 700]);
  const after = toMetres(zoomedAbout(VIEW, [100, 700], 1.7), [100, 700]);
  assert.ok(Math.abs(before[0] - after[0]) < 1e-9 && Math.abs(before[1] - after[1]) < 1e-9);
});

test('panning by 50 px moves the content by 50 px', () => {
  const pixel = toPixel(panned(VIEW, 50, -20), [10, -4]);
  assert.ok(Math.abs(pixel[0] - 690) < 1e-9 && Math.abs(pixel[1] - 380) < 1e-9);
});

test('a fitted box lies inside the screen', () => {
  const box = boxOf([[0, 0], [40, 10]]);
  assert.ok(box);
  const view = fitted(VIEW, box);
  const [left] = toPixel(view, [0, 0]);
  const [right] = toPixel(view, [40, 0]);
  assert.ok(left > 0 && right < 1280);
  assert.equal(boxOf([]), null);
});

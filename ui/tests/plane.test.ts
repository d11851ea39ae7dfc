import assert from 'node:assert/strict';
import { test } from 'node:test';
import { IDENTITY } from '../src/map/geometry.ts';
import { cellsToPixels, covers, levelFor, placedCorners, tilesInLevel, type Plane } from '../src/map/plane.ts';
import { toPixel } from '../src/map/view.ts';

const PLANE: Plane = {
  geometry: { width: 4000, height: 2000, cell_size_m: 0.05, origin: { x_m: -10, y_m: 5, theta_rad: 0.3 } },
  levels: 3,
  tile: 1024,
  tileUrl: () => '',
};
const VIEW = { centre: [20, 30], metresPerPixel: 0.1, width: 1280, height: 800 } as const;

test('cells go to the pixels of their corners', () => {
  const placed = { plane: PLANE, placement: { x_m: 2, y_m: 1, theta_rad: -0.1, scale: 1.1 } };
  const { a, b, c, d, e, f } = cellsToPixels(placed, VIEW, 2);
  const cells = [[0, 0], [4000, 0], [4000, 2000], [0, 2000]];
  placedCorners(placed).forEach((corner, index) => {
    const [column, row] = cells[index];
    const [x, y] = toPixel(VIEW, corner);
    assert.ok(Math.abs(a * column + c * row + e - 2 * x) < 1e-6);
    assert.ok(Math.abs(b * column + d * row + f - 2 * y) < 1e-6);
  });
});

test('the level has pixels of at least one pixel of the screen', () => {
  assert.equal(levelFor(PLANE, 3), 0);
  assert.equal(levelFor(PLANE, 1), 0);
  assert.equal(levelFor(PLANE, 0.7), 1);
  assert.equal(levelFor(PLANE, 0.5), 1);
  assert.equal(levelFor(PLANE, 0.01), 2);
});

test('tiles of a level cover the plane', () => {
  assert.deepEqual(tilesInLevel(PLANE, 0), { columns: 4, rows: 2 });
  assert.deepEqual(tilesInLevel(PLANE, 2), { columns: 1, rows: 1 });
});

test('a point is on the plane or not', () => {
  const placed = { plane: { ...PLANE, geometry: { ...PLANE.geometry, origin: { x_m: 0, y_m: 0, theta_rad: 0 } } }, placement: IDENTITY };
  assert.equal(covers(placed, [199, 99]), true);
  assert.equal(covers(placed, [201, 99]), false);
  assert.equal(covers(placed, [10, -1]), false);
});

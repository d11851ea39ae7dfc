import assert from 'node:assert/strict';
import { test } from 'node:test';
import { poolDarkest, pooledLevels, pooledUrl, unpooledUrl } from '../src/map/pooled-tile.ts';

test('a wall wins over free cells, free cells over unknown ones', () => {
  const [unknown, free, wall] = [[0, 0, 0, 0], [250, 250, 250, 255], [20, 20, 20, 255]];
  // Two by two blocks of: free free | unknown unknown, and below: free wall | unknown free.
  const source = new Uint8ClampedArray([free, free, unknown, unknown, free, wall, unknown, free].flat());
  const target = new Uint8ClampedArray(8);
  poolDarkest(source, 4, 2, target, 2, 2);
  assert.deepEqual([...target], [...wall, ...free]);
});

test('levels go on until 64 pixels', () => {
  assert.equal(pooledLevels(800, 600, 1), 4);
  assert.equal(pooledLevels(4000, 4000, 3), 4);
  assert.equal(pooledLevels(50, 20, 1), 0);
});

test('the address says by how much', () => {
  assert.deepEqual(unpooledUrl(pooledUrl('/a/0/0.png?ink=map', 3)), { url: '/a/0/0.png?ink=map', pool: 8 });
  assert.deepEqual(unpooledUrl('/a'), { url: '/a', pool: 1 });
});

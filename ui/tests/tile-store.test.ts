import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TileStore } from '../src/map/tile-store.ts';

const MEGABYTE = 2 ** 20;

test('memory stays below the limit and the tile used longest ago goes first', async () => {
  const closed: string[] = [];
  const store = new TileStore({
    load: (url: string) => Promise.resolve({ width: 512, height: 512, close: () => closed.push(url) }),
    loaded: () => undefined,
    failed: (error) => assert.fail(String(error)),
    maxBytes: 3 * MEGABYTE,
  });
  for (const url of ['a', 'b', 'c', 'd']) {
    store.request(url);
    await new Promise((resolve) => setImmediate(resolve));
    store.get('a');
  }
  assert.equal(store.bytesHeld(), 3 * MEGABYTE);
  assert.deepEqual(closed, ['b']);
  assert.ok(store.get('a') && !store.get('b') && store.get('d'));
});

test('a tile is loaded once however often it is asked for', async () => {
  let loads = 0;
  const store = new TileStore({
    load: () => {
      loads += 1;
      return Promise.resolve({ width: 1, height: 1, close: () => undefined });
    },
    loaded: () => undefined,
    failed: () => undefined,
  });
  store.request('a');
  store.request('a');
  await new Promise((resolve) => setImmediate(resolve));
  store.request('a');
  assert.equal(loads, 1);
});

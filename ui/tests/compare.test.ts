import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LiveNumber } from '../src/api/types.ts';
import { bestOf } from '../src/compare/best-number.ts';

const number = (value: number | null, better: LiveNumber['better']): LiveNumber => ({ id: 'a', title: 'A', unit: '1', better, value, digits: '', reasons: [] });

test('the best is the highest or the lowest, and undefined never wins', () => {
  assert.equal(bestOf([number(1, 'higher'), number(3, 'higher'), number(null, 'higher')]), 3);
  assert.equal(bestOf([number(1, 'lower'), null, number(3, 'lower')]), 1);
  assert.equal(bestOf([number(1, 'neither'), number(3, 'neither')]), null);
  assert.equal(bestOf([number(1, 'closer'), number(3, 'closer')]), null);
  assert.equal(bestOf([number(1, 'higher'), null]), null);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { History } from '../src/overlay/history.ts';

test('ten thousand changes can be taken back and done again', () => {
  const history = new History(0);
  for (let step = 1; step <= 10_000; step += 1) history.change(step);
  while (history.undo());
  assert.equal(history.state, 0);
  while (history.redo());
  assert.equal(history.state, 10_000);
});

test('a drag is one step', () => {
  const history = new History(0);
  history.change(1);
  for (let step = 2; step < 50; step += 1) history.replace(step);
  history.undo();
  assert.equal(history.state, 0);
  history.redo();
  assert.equal(history.state, 49);
});

test('a new change drops what was undone', () => {
  const history = new History(0);
  history.change(1);
  history.undo();
  history.change(2);
  assert.equal(history.redo(), false);
  assert.equal(history.state, 2);
});

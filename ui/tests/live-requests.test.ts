import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LiveFollower, PACE_MS, REST_MS } from '../src/overlay/live-requests.ts';

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

test('one request at a time, the newest state follows, exact after the rest', async () => {
  const sent: string[] = [];
  const shown: string[] = [];
  let open = 0;
  const follower = new LiveFollower<number, string>({
    send: async (state, exact) => {
      open += 1;
      assert.equal(open, 1);
      sent.push(`${exact ? '=' : '~'}${state}`);
      await pause(20);
      open -= 1;
      return sent[sent.length - 1];
    },
    show: (answer) => shown.push(answer),
    failed: (error) => assert.fail(String(error)),
  }, true);
  for (let state = 1; state <= 10; state += 1) follower.changed(state);
  await pause(REST_MS + 100);
  assert.deepEqual(sent, ['~1', '~10', '=10']);
  assert.equal(shown[shown.length - 1], '=10');
});

test('requests keep their pace, however fast the answers are', async () => {
  const sent: number[] = [];
  const follower = new LiveFollower<number, number>({ send: async (state) => { sent.push(performance.now()); return state; }, show: () => undefined, failed: (error) => assert.fail(String(error)) }, true);
  for (let state = 0; state < 60; state += 1) {
    follower.changed(state);
    await pause(5);
  }
  await pause(REST_MS + PACE_MS);
  const steps = sent.slice(1).map((at, index) => at - sent[index]);
  assert.ok(sent.length >= 3 && steps.every((step) => step >= PACE_MS - 2), steps.map((step) => step.toFixed(0)).join(' '));
});

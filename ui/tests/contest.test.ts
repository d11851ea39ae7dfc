import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AuditRow, Submission } from '../src/api/contest-types.ts';
import { Acts } from '../src/contest/acts.ts';
import { brokenLink, rowsFitting } from '../src/contest/audit-rows.ts';
import { bytes, scoreDigits, time, value } from '../src/contest/format.ts';
import { formatBits, qrModules, qrPath } from '../src/contest/qr-code.ts';
import { neighbour } from '../src/contest/queue-list.ts';
import { checkBytes } from '../src/contest/reed-solomon.ts';
import { stepsOf, used } from '../src/contest/steps.ts';

test('a submission stands at its first step without a time; a broken one failed there', () => {
  const none = { received: 'a', checked: null, measured: null, verified: null, published: null };
  const states = (one: Pick<Submission, 'times' | 'state'>, verifies = true) => stepsOf(one, verifies).map(({ state }) => state);
  assert.deepEqual(states({ times: { ...none, checked: 'b' }, state: 'checked' }), ['done', 'done', 'now', 'waits', 'waits']);
  assert.deepEqual(states({ times: { ...none, checked: 'b' }, state: 'broken' }), ['done', 'done', 'failed', 'waits', 'waits']);
  assert.deepEqual(states({ times: { received: 'a', checked: 'b', measured: 'c', verified: 'd', published: 'e' }, state: 'published' }), ['done', 'done', 'done', 'done', 'done']);
  assert.deepEqual(stepsOf({ times: none, state: 'received' }, false).map(({ name }) => name), ['received', 'checked', 'measured', 'published']);
});

test('only measured submissions use up the quota', () => {
  const one = (mission: string, measured?: string) => ({ mission, times: { measured } }) as unknown as Submission;
  assert.equal(used([one('a', 't'), one('a'), one('b', 't')], 'a'), 1);
});

test('next and previous stay within the queue, and find a start', () => {
  const items = ['x', 'y'].map((id) => ({ id })) as Submission[];
  assert.equal(neighbour(items, 'x', 1)?.id, 'y');
  assert.equal(neighbour(items, 'y', 1)?.id, 'y');
  assert.equal(neighbour(items, 'gone', -1)?.id, 'x');
  assert.equal(neighbour([], 'x', 1), null);
});

test('what could not be taken back stays the last act', async () => {
  const acts = new Acts();
  let fails = true;
  acts.add({ submission: 'S', words: 'verification', takeBack: async () => { if (fails) throw new Error('no'); } });
  await assert.rejects(acts.takeBack('a reason'));
  assert.equal(acts.last?.words, 'verification');
  fails = false;
  assert.equal((await acts.takeBack('a reason'))?.words, 'verification');
  assert.equal(acts.last, null);
});

test('a chain with a foreign or a missing event is noticed', () => {
  const row = (seq: number, prev: string, hash: string): AuditRow => ({ seq, at: '', kind: 'verified', person: 'Jo', subject: 'S1', body: {}, prev, hash });
  assert.equal(brokenLink([row(1, '0', 'a'), row(2, 'a', 'b'), row(3, 'b', 'c')]), null);
  assert.equal(brokenLink([row(1, '0', 'a'), row(2, 'x', 'b')]), 2);
  assert.equal(brokenLink([row(1, '0', 'a'), row(3, 'a', 'b')]), 3);
  const rows = [row(1, '0', 'a'), { ...row(2, 'a', 'b'), kind: 'published' }];
  assert.deepEqual(rowsFitting(rows, 'JO took', (kind) => (kind === 'published' ? 'took it' : kind)).map(({ seq }) => seq), [2]);
});

test('numbers, sizes and times are written for people', () => {
  assert.equal(scoreDigits([1.5, null, -20]), 2);
  assert.equal(scoreDigits([0.5]), 4);
  assert.deepEqual([value(null), value([1, 0.5]), value(1.23456789), value([]), value('x')], ['–', '1, 0.5', '1.2346', '(none)', 'x']);
  assert.deepEqual([bytes(1023), bytes(1536), bytes(64 * 2 ** 20)], ['1023 bytes', '1.5 KiB', '64 MiB']);
  const now = new Date(2026, 6, 4, 12, 0, 0);
  assert.equal(time(new Date(2026, 6, 4, 9, 5, 7).toISOString(), 'seconds', now), '09:05:07');
  assert.match(time(new Date(2026, 6, 3, 9, 5, 7).toISOString(), 'minutes', now), /^3 Jul, 09:05$/);
  assert.equal(time('soon'), 'soon');
});

test('the check bytes are those of the published example "HELLO WORLD", version 1-M', () => {
  const data = [32, 91, 11, 120, 209, 114, 220, 77, 67, 64, 236, 17, 236, 17, 236, 17];
  assert.deepEqual(checkBytes(data, 10), [196, 35, 39, 119, 235, 215, 231, 226, 93, 23]);
});

test('the format bits are those of the table of the standard, and sizes follow the version', () => {
  assert.equal(formatBits(0), 0b101010000010010);
  assert.equal(formatBits(5), 0b100000011001110);
  assert.equal(qrModules('x'.repeat(14))?.length, 21);
  assert.equal(qrModules('x'.repeat(15))?.length, 25);
  assert.equal(qrModules('x'.repeat(213))?.length, 57);
  assert.equal(qrPath('x'.repeat(214)), null);
});

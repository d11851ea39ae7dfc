import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Problem } from '../src/api/client.ts';
import type { Criterion, Value, ValueCell, ValuesTable } from '../src/api/contest-types.ts';
import { Drafts } from '../src/contest/drafts.ts';
import { ValueEntry, type ValueRequests } from '../src/contest/value-entry.ts';
import { ValuesGrid } from '../src/contest/values-grid.ts';

const GROUPING: Criterion = { name: 'grouping', title: 'Grouping', about: '', required: true };
const cell = (value: number | null, more: Partial<ValueCell> = {}): ValueCell => ({ value, opinions: 0, own: null, reason: null, by: null, version: 0, ...more });
const TABLE: ValuesTable = {
  criteria: [GROUPING, { name: 'utility', title: 'Utility', about: '', required: true }],
  rows: [
    { team: 'ash', mission: '', submission: 'S1', cells: { grouping: cell(3), utility: cell(null) } },
    { team: 'beech', mission: '', submission: 'S2', cells: {} },
    { team: 'cedar', mission: '', submission: null, cells: {} },
  ],
};

test('only changed cells of teams with a submission are saved, and equal text is no change', () => {
  const grid = new ValuesGrid(TABLE);
  grid.set({ row: 0, column: 0 }, '4');
  grid.set({ row: 0, column: 0 }, '3');
  grid.set({ row: 1, column: 1 }, ' 2.5 ');
  grid.set({ row: 2, column: 0 }, '1');
  assert.deepEqual(grid.changes(), [{ submission: 'S2', team: 'beech', name: 'utility', value: 2.5, version: 0 }]);
  grid.set({ row: 0, column: 0 }, '');
  assert.deepEqual(grid.emptied(), [{ row: 0, column: 0 }]);
  assert.equal(grid.changes().length, 1);
  grid.revert({ row: 1, column: 1 });
  assert.equal(grid.changes().length, 0);
});

test('what is no number is refused', () => {
  const grid = new ValuesGrid(TABLE);
  const refusal = (text: string) => { grid.set({ row: 0, column: 0 }, text); return grid.refusal({ row: 0, column: 0 }); };
  assert.deepEqual([refusal('x'), refusal('1e999'), refusal('-1'), refusal('5'), refusal('')], ['not_a_number', 'not_a_number', null, null, null]);
});

test('a pasted block fills from the cursor, is cut at the border, and takes commas as points', () => {
  const grid = new ValuesGrid(TABLE);
  grid.move(0, 5);
  assert.deepEqual(grid.cursor, { row: 0, column: 1 });
  assert.equal(grid.paste('1,5\t9\r\n2\t9\r\n3\t9\r\n4\n'), 2);
  assert.deepEqual(grid.changes().map(({ value }) => value), [1.5, 2]);
});

test('what is typed outlives new values from the server and a reload', () => {
  const grid = new ValuesGrid(TABLE);
  grid.set({ row: 1, column: 0 }, '2');
  grid.renew({ ...TABLE, rows: [TABLE.rows[0], { team: 'beech', mission: '', submission: 'S3', cells: { grouping: cell(1) } }] });
  assert.deepEqual(grid.changes(), [{ submission: 'S3', team: 'beech', name: 'grouping', value: 2, version: 0 }]);
  assert.equal(new ValuesGrid(TABLE, grid.typed()).text({ row: 1, column: 0 }), '2');
});

test('what somebody else enters while a judge types is a collision until the judge decides', () => {
  const at = { row: 1, column: 0 };
  const withCell = (version: number, value: number): ValuesTable => ({ ...TABLE, rows: [TABLE.rows[0], { team: 'beech', mission: '', submission: 'S2', cells: { grouping: cell(value, { version, by: 'Grace' }) } }] });
  const grid = new ValuesGrid(TABLE);
  grid.set(at, '4');
  grid.renew(withCell(17, 2));
  assert.deepEqual(grid.collisions().map(({ address, cell }) => [address, cell.by, cell.value]), [[at, 'Grace', 2]]);
  assert.equal(grid.changes()[0].version, 0, 'the server refuses it');
  assert.deepEqual(new ValuesGrid(withCell(17, 2), grid.typed()).collisions().length, 1, 'also after a reload');
  grid.overwrite(at);
  assert.deepEqual([grid.collisions().length, grid.changes()[0].version], [0, 17]);
  grid.renew(withCell(18, 3));
  grid.revert(at);
  assert.deepEqual([grid.collisions().length, grid.changes().length, grid.text(at)], [0, 0, '3']);
});

function kept(): Drafts {
  const texts = new Map<string, string>();
  return new Drafts({ getItem: (key) => texts.get(key) ?? null, setItem: (key, text) => void texts.set(key, text), removeItem: (key) => void texts.delete(key) });
}

function requests(change: Partial<ValueRequests>): ValueRequests {
  return { preview: async () => ({ score: { before: 1, after: 2 }, ranks: [] }), save: async () => null, remove: async () => null, ...change };
}

test('a value needs a number and a reason of ten characters', () => {
  const entry = new ValueEntry(GROUPING, 'S1', '"1"', null, () => undefined, false, requests({}), kept());
  entry.type('4,5');
  assert.equal(entry.value, 4.5);
  entry.explain('too short');
  assert.equal(entry.missingReason, 1);
  assert.equal(entry.canSave, false);
  entry.explain('long enough');
  assert.equal(entry.canSave, true);
  entry.type('5,5 or so');
  assert.equal(entry.canSave, false);
  entry.forget();
});

test('a collision shows the other value, keeps what was typed, and the next try goes over it knowingly', async () => {
  const tags: string[] = [];
  const theirs: Value = { name: 'grouping', value: 2, reason: 'by the other judge', by: 'Grace', at: '', opinions: [], agreed: true };
  const drafts = kept();
  const entry = new ValueEntry(GROUPING, 'S1', '"1"', null, () => undefined, false, requests({
    save: async (_value, _reason, tag) => {
      tags.push(tag);
      if (tag === '"1"') throw new Problem(412, { title: 'Changed meanwhile', value: theirs, etag: '"2"' });
    },
  }), drafts);
  entry.type('4');
  entry.explain('seen on the printed map');
  assert.equal(await entry.save(), false);
  assert.equal(entry.theirs?.by, 'Grace');
  assert.equal(entry.text, '4');
  assert.equal(drafts.read('value/S1/grouping'), '4');
  assert.equal(await entry.save(), true);
  assert.deepEqual(tags, ['"1"', '"2"']);
  assert.equal(drafts.read('value/S1/grouping'), '');
});

test('a preview of an older text is not shown', async () => {
  const answers: ((preview: { score: { before: number; after: number }; ranks: [] }) => void)[] = [];
  const entry = new ValueEntry(GROUPING, 'S1', '"1"', { name: 'grouping', value: 1, reason: '', by: '', at: '', opinions: [], agreed: true }, () => undefined,
    false, requests({ preview: () => new Promise((resolve) => answers.push(resolve)) }), kept());
  entry.type('3');
  answers[0]({ score: { before: 1, after: 1 }, ranks: [] });
  await Promise.resolve();
  assert.equal(entry.preview, null);
  entry.forget();
});

test('where the value is a list, numbers with commas, semicolons or blanks between are one', () => {
  const entry = new ValueEntry({ name: 'V', title: 'Victims', about: '', required: true }, 'S1', '"1"', null, () => undefined, true, requests({}), kept());
  entry.type('1, 0.5;1  0');
  assert.deepEqual(entry.value, [1, 0.5, 1, 0]);
  entry.type('1, x');
  assert.equal(entry.value, null);
  entry.type(' ');
  assert.equal(entry.value, null);
  entry.forget();
});

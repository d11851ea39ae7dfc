import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Contest, FileRule, Mission, ReceivedSubmission, SubmissionDetail } from '../src/api/contest-types.ts';
import { Problem } from '../src/api/client.ts';
import { checkFiles, fits, withoutCommonFolder } from '../src/contest/file-list.ts';
import { Upload } from '../src/contest/upload.ts';

const RULES: readonly FileRule[] = [
  { role: 'map', pattern: 'nav.tif', required: true, words: '' }, { role: 'annotations', pattern: '*.geojson', required: false, words: '' },
];
const LIMITS = { file_bytes: 100, submission_bytes: 150, files: 3 };

test('patterns fit names in any case, and dots are dots', () => {
  assert.ok(fits('nav.tif', 'NAV.TIF') && fits('*.geojson', 'deep/victims.geojson') && fits('map_?.png', 'map_1.png'));
  assert.ok(!fits('nav.tif', 'navXtif') && !fits('*.geojson', 'victims.csv') && !fits('final/*.tif', 'other/a.tif'));
  assert.ok(fits('final/*.tif', 'final/a.tif') && !fits('final/*.tif', 'final/deep/a.tif'));
});

test('the folder that was chosen does not stand in the names', () => {
  assert.deepEqual(withoutCommonFolder(['team/nav.tif', 'team/sub/a.csv']), ['nav.tif', 'sub/a.csv']);
  assert.deepEqual(withoutCommonFolder(['a/nav.tif', 'b/nav.tif']), ['a/nav.tif', 'b/nav.tif']);
  assert.deepEqual(withoutCommonFolder(['nav.tif']), ['nav.tif']);
  assert.deepEqual(withoutCommonFolder([]), []);
});

test('rules tick off by chosen files, then by kept ones; a required one without either is missing', () => {
  const states = (chosen: string[], last: string[]) => checkFiles(RULES, chosen.map((name) => ({ name, bytes: 1 })), last, LIMITS).rules.map(({ state }) => state);
  assert.deepEqual(states(['nav.tif'], ['victims.geojson']), ['chosen', 'kept']);
  assert.deepEqual(states(['readme.txt'], []), ['missing', 'optional']);
  assert.deepEqual(checkFiles(RULES, [{ name: 'readme.txt', bytes: 1 }], [], LIMITS).others, ['readme.txt']);
});

test('limits are told before anything is sent', () => {
  const check = checkFiles(RULES, [{ name: 'nav.tif', bytes: 101 }, { name: 'a', bytes: 50 }, { name: 'b', bytes: 0 }, { name: 'c', bytes: 0 }], [], LIMITS);
  assert.deepEqual(check.problems.map(({ kind }) => kind), ['file_bytes', 'submission_bytes', 'files']);
  assert.equal(check.canSend, false);
  assert.equal(checkFiles(RULES, [], ['nav.tif'], LIMITS).canSend, false);
});

test('a try that failed keeps the files and its key; a receipt ends it', async () => {
  const contest = { limits: LIMITS } as Contest;
  const mission = { id: 'final', files: RULES } as unknown as Mission;
  const keys: string[] = [];
  let fails = true;
  const upload = new Upload(contest, mission, null, () => undefined, async (form, key) => {
    keys.push(key);
    assert.equal(form.get('mission'), 'final');
    assert.equal(form.get('keep'), 'S1');
    assert.equal((form.get('file') as File).name, 'nav.tif');
    if (fails) throw new Problem(0, { title: 'lost' });
    return { number: 2 } as ReceivedSubmission;
  });
  const last = { id: 'S1', files: [] } as unknown as SubmissionDetail;
  upload.pick([new File(['abc'], 'nav.tif')]);
  assert.equal(await upload.send(last), null);
  assert.equal(upload.picked.length, 1);
  fails = false;
  assert.equal((await upload.send(last))?.number, 2);
  assert.equal(keys[0], keys[1]);
  assert.equal(upload.picked.length, 0);
  upload.pick([new File(['abd'], 'nav.tif')]);
  assert.equal(upload.receipt, null);
  await upload.send(last);
  assert.notEqual(keys[2], keys[1]);
});

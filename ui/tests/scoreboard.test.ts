import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RankedTeam, Ranking } from '../src/api/ranking-types.ts';
import { changedTeams, projectorPixels, scoreboardOf } from '../src/contest/scoreboard-model.ts';

function team(name: string, rank: number | null, score: number | null, byJudge = false, role = 'map'): RankedTeam {
  const part = { name: 'E', title: 'Exploration', value: score, reason: null, by_judge: byJudge, stand_in: false };
  return {
    team: name, rank, score, interval: score === null ? null : [score - 10, score + 10], parts: { E: score },
    missions: [{ mission: '', score, outcome: score === null ? 'undefined' : 'scored', reason: null, substituted: '', parts: [part], inputs: [{ role, path: 'x', blake3: '00' }] }],
  };
}

function ranking(teams: readonly RankedTeam[], share: number): Ranking {
  return {
    schema: 'mapjudge.contest/1', title: 't', profile: 'p', rules: { title: '', source: '', formula: '', better: 'higher' }, missions: [''], ranking: teams,
    significance: teams.length > 1 ? [{ above: teams[0].team, below: teams[1].team, share, statement: '' }] : [], resampling: { resamples: 1000 },
  };
}

test('an order is sure from 95 % of the resamples on, and unsaid where a team has no rank', () => {
  const teams = [team('ash', 1, 50), team('beech', 2, 30), team('cedar', null, null)];
  assert.deepEqual(scoreboardOf(ranking(teams, 0.95)).rows[0].aboveNext, { share: 0.95, isSure: true });
  assert.equal(scoreboardOf(ranking(teams, 0.949)).rows[0].aboveNext?.isSure, false);
  assert.equal(scoreboardOf(ranking(teams, 0.95)).rows[1].aboveNext, null);
});

test('bars span from the lowest end to the highest with a margin, and no score has no bar', () => {
  const { rows } = scoreboardOf(ranking([team('ash', 1, 50), team('beech', 2, 30), team('cedar', null, null)], 1));
  // Ends 20 and 60, margin 4 % of 40: the axis goes from 18.4 to 61.6, and 30 is 11.6 / 43.2 along it.
  assert.ok(Math.abs((rows[1].bar?.at ?? 0) - (11.6 / 43.2) * 100) < 1e-9);
  assert.ok(Math.abs((rows[0].bar?.to ?? 0) - (41.6 / 43.2) * 100) < 1e-9);
  assert.equal(rows[2].bar, null);
  assert.equal(scoreboardOf(ranking([], 1)).rows.length, 0);
});

test('values of judges and alignments by hand are marked', () => {
  const { rows } = scoreboardOf(ranking([team('ash', 1, 50, true), team('beech', 2, 30, false, 'frame')], 1));
  assert.deepEqual(rows.map(({ hasEntered, hasHandFrame }) => [hasEntered, hasHandFrame]), [[true, false], [false, true]]);
});

test('teams whose rank or score changed are told', () => {
  const before = scoreboardOf(ranking([team('ash', 1, 50), team('beech', 2, 30)], 1));
  const after = scoreboardOf(ranking([team('ash', 1, 50), team('beech', 2, 31), team('new', 3, 1)], 1));
  assert.deepEqual(changedTeams(before, after), ['beech', 'new']);
  assert.deepEqual(changedTeams(null, after), []);
});

test('on a projector the letters shrink with the number of teams, and stay readable', () => {
  const [plain, full] = [{ frozen: false, notice: false }, { frozen: true, notice: true }];
  assert.ok(projectorPixels(4, plain, 1920, 1080) > projectorPixels(10, plain, 1920, 1080));
  assert.equal(projectorPixels(200, plain, 1920, 1080), 18);
  assert.ok(projectorPixels(7, full, 1920, 1080) < projectorPixels(7, plain, 1920, 1080));
  assert.ok(projectorPixels(7, full, 1280, 800) * (2.6 + 2.5 + 2 + 4.1 * 7) <= 800);
});

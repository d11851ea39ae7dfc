// Rows of the scoreboard: what the published ranking says, ready to be drawn.

import type { MissionResult, RankedTeam, Ranking } from '../api/ranking-types.ts';
import { scoreDigits } from './format.ts';

/** Below this share of the resamples an order is not sure. */
export const SURE_SHARE = 0.95;
export const MAX_COMPARED = 4;
/** Left free at both ends of the axis. */
const AXIS_MARGIN = 0.04;
/** Heights in units of the font size: of what stands above the rows, and of a row with the line below it. */
const HEAD_EM = 2.6;
const FROZEN_EM = 2.5;
const NOTICE_EM = 2;
const ROW_EM = 4.1;
const PROJECTOR_PX = { min: 18, max: 46 };

export interface Axis {
  readonly low: number;
  readonly high: number;
}

/** Ends of a bar in percent of the axis. */
export interface Bar {
  readonly from: number;
  readonly to: number;
  readonly at: number;
}

export interface Order {
  readonly share: number;
  readonly isSure: boolean;
}

export interface ScoreRow {
  readonly team: string;
  readonly rank: number | null;
  readonly score: number | null;
  readonly interval: readonly [number, number] | null;
  readonly bar: Bar | null;
  readonly missions: readonly MissionResult[];
  readonly parts: Readonly<Record<string, unknown>>;
  readonly hasEntered: boolean;
  readonly hasHandFrame: boolean;
  /** How sure it is that this team is above the next one. */
  readonly aboveNext: Order | null;
}

export interface Scoreboard {
  readonly rows: readonly ScoreRow[];
  readonly digits: number;
  readonly missions: readonly string[];
  /** Names of the parts and their titles, in the order of the profile. */
  readonly parts: readonly { readonly name: string; readonly title: string }[];
  readonly resamples: number;
}

export function scoreboardOf(ranking: Ranking): Scoreboard {
  const teams = ranking.ranking;
  const axis = axisOf(teams);
  const rows = teams.map((team, index): ScoreRow => ({
    team: team.team, rank: team.rank, score: team.score, interval: team.interval, bar: barOf(team, axis),
    missions: team.missions, parts: team.parts,
    hasEntered: team.missions.some(({ parts }) => parts.some(({ by_judge }) => by_judge)),
    hasHandFrame: team.missions.some(({ inputs }) => inputs.some(({ role }) => role === 'frame')),
    aboveNext: orderOf(ranking, team, teams[index + 1]),
  }));
  return {
    rows, digits: scoreDigits(teams.map(({ score }) => score)), missions: ranking.missions,
    parts: partsOf(teams), resamples: ranking.resampling.resamples,
  };
}

/** From the lowest end to the highest, so that intervals can be told apart; it need not hold 0. */
function axisOf(teams: readonly RankedTeam[]): Axis {
  const ends = teams.flatMap(({ score, interval }) => (score === null ? [] : [score, ...(interval ?? [])]));
  if (ends.length === 0) return { low: 0, high: 0 };
  const [low, high] = [Math.min(...ends), Math.max(...ends)];
  const margin = (high - low) * AXIS_MARGIN;
  return { low: low - margin, high: high + margin };
}

function barOf({ score, interval }: RankedTeam, { low, high }: Axis): Bar | null {
  if (score === null || high === low) return null;
  const percent = (value: number): number => ((value - low) / (high - low)) * 100;
  const [from, to] = interval ?? [score, score];
  return { from: percent(from), to: percent(to), at: percent(score) };
}

function orderOf(ranking: Ranking, above: RankedTeam, below: RankedTeam | undefined): Order | null {
  if (!below || above.rank === null || below.rank === null) return null;
  const found = ranking.significance.find((pair) => pair.above === above.team && pair.below === below.team);
  return found ? { share: found.share, isSure: found.share >= SURE_SHARE } : null;
}

function partsOf(teams: readonly RankedTeam[]): { name: string; title: string }[] {
  const titles = new Map<string, string>();
  for (const { missions } of teams) {
    for (const { parts } of missions) {
      for (const { name, title } of parts) if (!titles.has(name)) titles.set(name, title);
    }
  }
  return [...titles].map(([name, title]) => ({ name, title }));
}

/** Font size at which all teams fit on a projector of that size, as long as it can be read from the back. */
export function projectorPixels(teams: number, above: { frozen: boolean; notice: boolean }, width: number, height: number): number {
  const head = HEAD_EM + (above.frozen ? FROZEN_EM : 0) + (above.notice ? NOTICE_EM : 0);
  const fits = Math.min(height / (head + ROW_EM * teams), width / 38);
  return Math.floor(Math.min(Math.max(fits, PROJECTOR_PX.min), PROJECTOR_PX.max));
}

/** Teams whose rank or score is another than before, in words for the live region. */
export function changedTeams(before: Scoreboard | null, after: Scoreboard): readonly string[] {
  if (!before) return [];
  const earlier = new Map(before.rows.map((row) => [row.team, row]));
  return after.rows.filter((row) => {
    const was = earlier.get(row.team);
    return !was || was.rank !== row.rank || was.score !== row.score;
  }).map(({ team }) => team);
}

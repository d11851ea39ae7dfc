// The schema mapjudge.contest/1, as far as the scoreboard shows it.

export interface RankedPart {
  readonly name: string;
  readonly title: string;
  readonly value: unknown;
  readonly reason: string | null;
  readonly by_judge: boolean;
  readonly stand_in: boolean;
}

export interface MissionResult {
  readonly mission: string;
  readonly score: number | null;
  readonly outcome: 'scored' | 'broken' | 'undefined';
  readonly reason: string | null;
  readonly substituted: string;
  readonly parts: readonly RankedPart[];
  readonly entered?: readonly { readonly name: string; readonly value: unknown; readonly by?: string; readonly reason?: string }[];
  readonly inputs: readonly { readonly role: string; readonly path: string; readonly blake3: string; readonly format?: string | null }[];
}

export interface RankedTeam {
  readonly team: string;
  readonly rank: number | null;
  readonly score: number | null;
  readonly interval: readonly [number, number] | null;
  readonly parts: Readonly<Record<string, unknown>>;
  readonly missions: readonly MissionResult[];
}

export interface Ranking {
  readonly schema: string;
  readonly title: string;
  readonly profile: string;
  readonly tool?: { readonly name: string; readonly version: string };
  readonly rules: { readonly title: string; readonly source: string; readonly formula: string; readonly better: string };
  readonly missions: readonly string[];
  readonly ranking: readonly RankedTeam[];
  readonly significance: readonly { readonly above: string; readonly below: string; readonly share: number; readonly statement: string }[];
  readonly resampling: { readonly resamples: number };
  readonly findings?: readonly { readonly team: string; readonly mission: string; readonly level: string; readonly code: string; readonly message: string; readonly hint: string | null }[];
}

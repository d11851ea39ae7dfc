// What the review of relations says over HTTP.

import type { Point, Pose } from '../map/geometry.ts';

export type Status = 'proposed' | 'accepted' | 'adjusted' | 'rejected' | 'disputed';
export type Verdict = 'accept' | 'reject' | 'adjust' | 'undo' | 'second';

export interface Agreement {
  readonly compared: number;
  readonly agreed: number;
  readonly kappa: number | null;
  readonly kappa_low: number | null;
  readonly kappa_high: number | null;
  readonly median_distance_m: number | null;
  readonly by_doubt: readonly { readonly words: string; readonly compared: number; readonly agreed: number }[];
}

export interface Review {
  /** Under review in a contest, whose server goes on. */
  readonly contest?: boolean;
  readonly record: string;
  readonly log: string;
  readonly reviewer: string | null;
  readonly counts: Readonly<Record<Status, number>>;
  readonly limits: readonly { readonly name: string; readonly words: string; readonly limit: number | null; readonly unit: string }[];
  readonly second_share: number;
  readonly agreement: Agreement | null;
  readonly rate_per_minute: number | null;
  readonly loops: readonly { readonly words: string; readonly ids: readonly string[] }[];
  readonly run: { readonly path: readonly Point[]; readonly times: readonly number[] } | null;
}

export interface ReviewNumber {
  readonly name: string;
  readonly title: string;
  readonly value: number | null;
  readonly limit: number | null;
  readonly unit: string;
  readonly met: boolean;
}

export interface Ellipse {
  readonly major_m: number;
  readonly minor_m: number;
  readonly angle_rad: number;
}

export interface Scan {
  readonly hits: readonly Point[];
  readonly sensor: Point;
  readonly free: readonly Point[];
}

/** How well two scans fit at a displacement. */
export interface Fit {
  readonly numbers: readonly ReviewNumber[];
  readonly ellipse: Ellipse | null;
  readonly degenerate_rad: number | null;
}

export interface Opinion {
  readonly status: string;
  readonly reviewer: string | null;
  readonly time: string | null;
  readonly note: string | null;
  readonly opinion: number | null;
  readonly seconds: number | null;
  readonly delta: Pose | null;
}

export interface Proposal extends Fit {
  readonly id: string;
  readonly version: string;
  readonly status: Status;
  readonly from_s: number;
  readonly to_s: number;
  readonly source: string | null;
  readonly delta: Pose;
  readonly doubt: { readonly ratio: number | null; readonly code: string; readonly words: string } | null;
  readonly first: Scan;
  readonly second: Scan;
  readonly near: readonly Point[];
  readonly where: { readonly from: Point; readonly to: Point } | null;
  readonly opinion: number;
  /** True if the opinions of others are hidden. */
  readonly blind?: boolean;
  readonly history: readonly Opinion[];
}

export interface ReviewRow {
  readonly id: string;
  readonly status: Status;
  readonly doubt: number | null;
  readonly words: string | null;
  readonly from_s: number;
  readonly to_s: number;
  readonly reviewer?: string | null;
  readonly opinions: number;
}

export interface VerdictRequest {
  readonly id: string;
  readonly version: string;
  readonly verdict: Verdict;
  readonly delta?: Pose;
  readonly note?: string;
  readonly seconds: number;
  readonly opinion?: number;
}

export interface VerdictAnswer {
  readonly counts: Readonly<Record<Status, number>>;
  readonly left?: number;
  readonly disputed?: boolean;
}

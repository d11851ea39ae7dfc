// What the program and its pages say to each other under /api/v1: metres, radians, y up.

import type { Point, Pose, Transform } from '../map/geometry.ts';
import type { DrawnLayer as Layer, MapInfo } from './interface.ts';

export type {
  AlignAnswer, Certificate, ClimbAnswer, DrawnItem as LayerItem, DrawnLayer as Layer, Finding, FitAnswer, Hypothesis, LegendEntry, LiveAnswer,
  LiveNumber, MapInfo, Pair, PairResidual as Residual, ParsedFrame as FrameFile, SavedFrame as SaveAnswer,
} from './interface.ts';

export interface ProblemText {
  readonly title: string;
  readonly detail: string;
  readonly hint?: string | null;
}

export interface Desk {
  readonly kind: 'overlay' | 'review' | 'view';
  readonly tool: { readonly name: string; readonly version: string };
  readonly start: string;
  readonly truth: MapInfo | null;
  readonly maps: readonly MapInfo[];
  readonly saves_to: string | null;
  readonly reviewer: string | null;
  /** The maps are submissions of a contest: names are those of people who logged in, and the server goes on. */
  readonly contest?: boolean;
}

export type Motion = 'move' | 'turn' | 'scale' | 'polynomial';

export interface Trajectory {
  readonly kind: 'trajectory';
  readonly name: string;
  readonly poses: readonly (readonly [number, number, number, number])[];
  readonly error: readonly (number | null)[] | null;
}

export interface ScoreTable {
  readonly kind: 'scores';
  readonly name: string;
  readonly rows: readonly Readonly<Record<string, unknown>>[];
}

export type ViewItem =
  | { readonly kind: 'map'; readonly map: MapInfo }
  | Trajectory
  | ScoreTable
  | ({ readonly kind: 'layer' } & Layer)
  | { readonly kind: 'broken'; readonly name: string; readonly problem: ProblemText };

export interface ViewAnswer {
  readonly title: string;
  readonly items: readonly ViewItem[];
  readonly time: { readonly from_s: number; readonly to_s: number } | null;
}

export interface ValuesAnswer {
  readonly items: readonly {
    readonly name: string;
    readonly values: readonly { readonly title: string; readonly value: string | number }[];
  }[];
}

export type { Point, Pose, Transform };

// What the program and its pages say to each other under /api/v1: metres, radians, y up.

import type { Point, Pose, Transform } from '../map/geometry.ts';
import type { PlaneGeometry } from '../map/plane.ts';

export interface Finding {
  readonly code: string;
  readonly level: string;
  readonly message: string;
  readonly hint?: string;
}

export interface ProblemText {
  readonly title: string;
  readonly detail: string;
  readonly hint?: string | null;
}

export interface MapInfo {
  readonly id: string;
  readonly name: string;
  readonly blake3: string;
  readonly geometry: PlaneGeometry | null;
  readonly levels: number;
  readonly tile: number;
  readonly findings: readonly Finding[];
  readonly problem: ProblemText | null;
  readonly frame: Transform;
  readonly frame_source: 'georeference' | 'identity' | 'middle' | 'file' | 'saved';
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

export interface LegendEntry {
  readonly colour: string;
  readonly words: string;
}

export interface LiveNumber {
  readonly id: string;
  readonly title: string;
  readonly unit: string;
  readonly better: 'higher' | 'lower' | 'none';
  readonly value: number | null;
  readonly why_undefined?: { readonly code: string; readonly message: string } | null;
  readonly digits: string;
}

export interface LiveAnswer {
  readonly exact: boolean;
  readonly pooled_by: number;
  readonly seconds: number;
  readonly numbers: readonly LiveNumber[];
}

export interface Pair {
  readonly map: Point;
  readonly truth: Point;
  readonly on: boolean;
}

export type Motion = 'move' | 'turn' | 'scale' | 'polynomial';

export interface Residual {
  readonly dx_m: number;
  readonly dy_m: number;
  readonly length_m: number;
  readonly length_cells: number;
  readonly if_left_out_m: number | null;
}

export interface FitAnswer {
  readonly truth_from_map: Transform | null;
  readonly refused: { readonly reason: string; readonly pairs_needed: number | null } | null;
  readonly rms_m: number | null;
  readonly formula: string;
  readonly residuals: readonly (Residual | null)[];
  readonly bent: {
    readonly grid: readonly (readonly Point[])[];
    readonly folds: boolean;
    /** Missing where the maps cannot be drawn. */
    readonly psi_after?: number | null;
    readonly penalty_m: number | null;
    /** By degree, from 0. */
    readonly lengths_m: readonly number[];
    readonly outline: readonly Point[];
    readonly picture?: { readonly west: number; readonly south: number; readonly cell_m: number; readonly png: string };
  } | null;
}

export interface Hypothesis {
  readonly truth_from_map: Transform;
  readonly score: number;
  readonly mirrored?: boolean;
}

export interface Certificate {
  readonly verdict: string;
  readonly score: number | null;
  readonly second_score: number | null;
  readonly value: number | null;
  readonly mirror: string;
  readonly mirror_score: number | null;
  readonly overlap: number | null;
  readonly slide: { readonly direction_rad: number; readonly forward_m: number; readonly backward_m: number } | null;
}

export interface AlignAnswer {
  readonly alignment: {
    readonly method: string;
    readonly truth_from_map: Transform | null;
    readonly certificate: Certificate;
    readonly hypotheses: readonly Hypothesis[];
  };
  readonly words: string;
  readonly seconds: number;
}

export interface ClimbAnswer {
  readonly truth_from_map: Transform;
  readonly score_before: number;
  readonly score_after: number;
  readonly steps?: number;
}

export interface LayerItem {
  readonly shape: 'point' | 'line' | 'area' | 'circle';
  readonly points: readonly Point[];
  readonly radius_m?: number | null;
  readonly label?: string | null;
  readonly state?: 'found' | 'missing' | 'truth' | 'map' | null;
}

export interface Layer {
  readonly name: string;
  readonly title: string;
  readonly frame: 'truth' | 'map';
  readonly items: readonly LayerItem[];
}

export interface FrameFile {
  readonly truth_from_map: Transform;
  readonly pairs: readonly Pair[];
  readonly warnings?: readonly string[];
}

export interface SaveAnswer {
  readonly saved_to: string;
  readonly findings?: readonly Finding[];
}

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

// What the review of relations says over HTTP.

import type { Pose } from '../map/geometry.ts';

export type {
  Agreement, Ellipse, Evaluation as Fit, HistoryLine as Opinion, ReviewAnswer as Review, ReviewNumber, ReviewProposal as Proposal, ReviewRow,
  ScanView as Scan, VerdictAnswer,
} from './interface.ts';

export type Status = 'proposed' | 'accepted' | 'adjusted' | 'rejected' | 'disputed';
export type Verdict = 'accept' | 'reject' | 'adjust' | 'undo' | 'second';

export interface VerdictRequest {
  readonly id: string;
  readonly version: string;
  readonly verdict: Verdict;
  readonly delta?: Pose;
  readonly note?: string;
  readonly seconds: number;
  readonly opinion?: number;
}

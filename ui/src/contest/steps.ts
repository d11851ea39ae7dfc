// The five steps of a submission: received, checked, measured, verified, published.

import type { Submission } from '../api/contest-types.ts';

export const STEPS = ['received', 'checked', 'measured', 'verified', 'published'] as const;
export type StepName = (typeof STEPS)[number];

export interface Step {
  readonly name: StepName;
  readonly at: string | null;
  readonly state: 'done' | 'now' | 'waits' | 'failed';
}

/** Done as far as there are times; the first step without one is where the submission stands. */
export function stepsOf({ times, state }: Pick<Submission, 'times' | 'state'>, asksVerification: boolean): readonly Step[] {
  let reached = true;
  return STEPS.filter((name) => asksVerification || name !== 'verified' || times.verified).map((name): Step => {
    const at = times[name] ?? null;
    if (at) return { name, at, state: 'done' };
    const isNext = reached;
    reached = false;
    if (!isNext) return { name, at, state: 'waits' };
    return { name, at, state: state === 'broken' ? 'failed' : 'now' };
  });
}

/** A submission that still moves by itself. */
export function isWorkedOn({ state }: Pick<Submission, 'state'>): boolean {
  return state === 'received' || state === 'checked';
}

/** Submissions of a mission that used up the quota: those that were measured. */
export function used(submissions: readonly Submission[], mission: string): number {
  return submissions.filter((one) => one.mission === mission && Boolean(one.times.measured)).length;
}

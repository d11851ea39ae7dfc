// What a judge does with a submission, and how the last act is taken back: by another event, never by removing one.

import { deleteJson, path, putJson } from '../api/client.ts';
import type { SubmissionDetail } from '../api/contest-types.ts';

export interface Act {
  readonly submission: string;
  /** As in "verify Aurora 2 (final)". */
  readonly words: string;
  takeBack(reason: string): Promise<unknown>;
}

export class Acts {
  private readonly done: Act[] = [];

  get last(): Act | null {
    return this.done.at(-1) ?? null;
  }

  add(act: Act): void {
    this.done.push(act);
  }

  /** What could not be taken back stays the last act. */
  async takeBack(reason: string): Promise<Act | null> {
    const act = this.last;
    if (!act) return null;
    await act.takeBack(reason);
    this.done.pop();
    return act;
  }
}

export async function verify(submission: SubmissionDetail, words: string): Promise<Act> {
  const url = path('submissions', submission.id, 'verification');
  await putJson(url, {}, submission.etag);
  return { submission: submission.id, words, takeBack: (reason) => deleteJson(url, { reason }) };
}

export async function letCount(submission: SubmissionDetail, reason: string, words: string): Promise<Act> {
  const url = path('submissions', submission.id, 'counts');
  await putJson(url, { reason }, submission.etag);
  return { submission: submission.id, words, takeBack: (reason) => deleteJson(url, { reason }) };
}

/** After a value was entered: taking it back enters the earlier one again, or removes it. */
export function valueEntered(submission: SubmissionDetail, name: string, words: string): Act {
  const url = path('submissions', submission.id, 'values', name);
  const before = submission.values.find((value) => value.name === name);
  return {
    submission: submission.id, words,
    takeBack: (reason) => (before ? putJson(url, { value: before.value, reason }, null) : deleteJson(url, { reason })),
  };
}

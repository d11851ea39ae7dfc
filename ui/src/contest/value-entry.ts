// One value that a judge enters: what was typed, what it would change, and what another judge entered meanwhile.

import { asProblem, deleteJson, path, postJson, putJson, type Problem } from '../api/client.ts';
import type { Criterion, SubmissionDetail, Value, ValuePreview } from '../api/contest-types.ts';
import { drafts, type Drafts } from './drafts.ts';

export const MIN_REASON = 10;
const PREVIEW_AFTER_MS = 250;

/** One number, or one of each victim for instance. */
export type Entered = number | readonly number[];

export interface ValueRequests {
  preview(value: Entered): Promise<ValuePreview>;
  save(value: Entered, reason: string, tag: string): Promise<unknown>;
  remove(reason: string, tag: string): Promise<unknown>;
}

export class ValueEntry {
  text: string;
  reason: string;
  preview: ValuePreview | null = null;
  problem: Problem | null = null;
  /** What somebody else entered after this submission was opened. */
  theirs: Value | null = null;
  isBusy = false;
  private tag: string;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly key: string;

  constructor(
    readonly criterion: Criterion, readonly submission: string, tag: string, readonly before: Value | null,
    private readonly changed: () => void, readonly isList = false,
    private readonly requests: ValueRequests = requestsOf(submission, criterion.name), private readonly kept: Drafts = drafts,
  ) {
    this.tag = tag;
    this.key = `value/${submission}/${criterion.name}`;
    this.text = kept.read(this.key) || textOf(before?.value);
    this.reason = kept.read(`${this.key}/reason`);
    if (this.text !== '' && this.value !== null) this.askPreview();
  }

  static of(submission: SubmissionDetail, criterion: Criterion, changed: () => void): ValueEntry {
    const before = submission.values.find(({ name }) => name === criterion.name) ?? null;
    const measured = submission.parts.find(({ name }) => name === criterion.name)?.measured;
    return new ValueEntry(criterion, submission.id, submission.etag, before, changed, Array.isArray(measured ?? before?.value));
  }

  /** Null if the text is no number, or no list of numbers where the value is a list. */
  get value(): Entered | null {
    if (this.isList) return listOf(this.text);
    const number = Number(this.text.trim().replace(',', '.'));
    return this.text.trim() === '' || !Number.isFinite(number) ? null : number;
  }

  get missingReason(): number {
    return Math.max(0, MIN_REASON - this.reason.trim().length);
  }

  get canSave(): boolean {
    return this.value !== null && this.missingReason === 0 && !this.isBusy;
  }

  type(text: string): void {
    this.text = text;
    this.preview = null;
    this.kept.keep(this.key, text);
    clearTimeout(this.timer);
    if (this.value !== null) this.timer = setTimeout(() => this.askPreview(), PREVIEW_AFTER_MS);
    this.changed();
  }

  explain(reason: string): void {
    this.reason = reason;
    this.kept.keep(`${this.key}/reason`, reason);
    this.changed();
  }

  /** True if it is saved. After a collision the next try goes over what the other judge entered, knowingly. */
  async save(): Promise<boolean> {
    const { value } = this;
    if (value === null || !this.canSave) return false;
    return this.send(() => this.requests.save(value, this.reason.trim(), this.tag));
  }

  async remove(): Promise<boolean> {
    if (this.missingReason > 0 || this.isBusy) return false;
    return this.send(() => this.requests.remove(this.reason.trim(), this.tag));
  }

  forget(): void {
    clearTimeout(this.timer);
    this.kept.forget(this.key);
    this.kept.forget(`${this.key}/reason`);
  }

  private async send(act: () => Promise<unknown>): Promise<boolean> {
    this.isBusy = true;
    this.problem = null;
    this.changed();
    try {
      await act();
      this.forget();
      return true;
    } catch (error) {
      this.problem = asProblem(error);
      if (this.problem.status === 412) {
        this.theirs = (this.problem.body.value as Value | null | undefined) ?? null;
        this.tag = this.problem.body.etag ?? this.tag;
      }
      return false;
    } finally {
      this.isBusy = false;
      this.changed();
    }
  }

  private askPreview(): void {
    const asked = this.value;
    if (asked === null) return;
    this.requests.preview(asked).then((preview) => {
      if (textOf(this.value) !== textOf(asked)) return;
      this.preview = preview;
      this.changed();
    }, (error: unknown) => {
      this.problem = asProblem(error);
      this.changed();
    });
  }
}

function listOf(text: string): readonly number[] | null {
  const numbers = text.split(/[\s,;]+/).filter(Boolean).map(Number);
  return numbers.length > 0 && numbers.every(Number.isFinite) ? numbers : null;
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.join(', ');
  return typeof value === 'number' ? String(value) : '';
}

function requestsOf(submission: string, name: string): ValueRequests {
  const url = path('submissions', submission, 'values', name);
  return {
    preview: (value) => postJson<ValuePreview>(`${url}/preview`, { value }),
    save: (value, reason, tag) => putJson(url, { value, reason }, tag),
    remove: (reason, tag) => deleteJson(url, { reason }, tag),
  };
}

// What `mapjudge serve` and its pages say to each other under /api/v1.

export type Role = 'admin' | 'judge' | 'team' | 'viewer';

export interface Me {
  readonly name: string | null;
  readonly role: Role | null;
  readonly team?: string | null;
  readonly permissions?: readonly string[];
}

export interface FileRule {
  readonly role: string;
  readonly pattern: string;
  readonly required: boolean;
  readonly words?: string | null;
}

export interface Mission {
  readonly id: string;
  readonly title: string;
  readonly opens?: string | null;
  readonly closes?: string | null;
  readonly is_open: boolean;
  readonly files: readonly FileRule[];
}

/** A value that judges enter. */
export interface Criterion {
  readonly name: string;
  readonly title: string;
  readonly mission?: string | null;
  readonly min?: number | null;
  readonly max?: number | null;
  readonly unit?: string | null;
  /** What judges look at. */
  readonly about?: string | null;
}

export interface Head {
  readonly seq: number;
  readonly hash: string;
}

export interface Contest {
  readonly name: string;
  readonly profile: { readonly name: string; readonly title: string };
  readonly missions: readonly Mission[];
  readonly teams: readonly { readonly id: string; readonly name: string }[];
  readonly criteria: readonly Criterion[];
  readonly settings: {
    readonly feedback: 'findings' | 'score';
    readonly truth: 'judges' | 'published' | 'everyone';
    readonly counts: 'last' | 'chosen';
    readonly verify: boolean;
    readonly judges: number;
    readonly public: 'held' | 'auto';
    readonly freeze?: string | null;
    readonly submissions?: number | null;
  };
  readonly frozen: boolean;
  readonly frozen_since?: string | null;
  readonly published_seq?: number | null;
  readonly notices: readonly { readonly at: string; readonly text: string }[];
  readonly limits: { readonly file_bytes: number; readonly submission_bytes: number; readonly files: number };
  readonly head: Head;
  readonly now: string;
  readonly tool: { readonly name: string; readonly version: string };
  readonly is_login_needed?: boolean;
  readonly reviews?: readonly { readonly id: string; readonly record: string }[];
  /** Whether who asks may see the truth, and compare maps on it. */
  readonly sees_truth: boolean;
}

/** A submission of the published ranking whose map may be compared, with the figures of its sheet. */
export interface PublishedMap {
  readonly id: string;
  readonly team: string;
  readonly mission: string;
  readonly pictures: readonly { readonly name: string; readonly title: string; readonly words: string }[];
}

export type SubmissionState = 'received' | 'checked' | 'measured' | 'verified' | 'published' | 'broken';

export type Chip =
  | 'broken' | 'undefined' | 'frame_uncertain' | 'mirrored' | 'value_missing' | 'late' | 'question' | 'worker_died'
  | 'frame_outdated' | 'changed_by_draft' | 'to_verify';

export type StepTimes = Readonly<Partial<Record<'received' | 'checked' | 'measured' | 'verified' | 'published', string | null>>>;

export interface Submission {
  readonly id: string;
  readonly team: string;
  readonly team_name: string;
  readonly mission: string;
  readonly number: number;
  readonly received_at: string;
  readonly late: boolean;
  readonly state: SubmissionState;
  readonly times: StepTimes;
  readonly queue: { readonly place?: number | null; readonly attempts: number; readonly error?: string | null } | null;
  readonly counts: boolean;
  readonly counts_why: string;
  readonly attention: readonly Chip[];
  readonly score?: number | null;
  /** Why it is broken. */
  readonly error?: string | null;
  readonly receipt: Head;
  readonly etag: string;
}

export interface SubmissionFinding {
  readonly level: string;
  readonly code: string;
  readonly message: string;
  readonly hint?: string | null;
  readonly file?: string | null;
  readonly line?: number | null;
}

export interface Part {
  readonly name: string;
  readonly title: string;
  readonly measured?: unknown;
  readonly entered?: unknown;
  readonly formula?: string | null;
  readonly status: string;
  readonly reasons: readonly string[];
}

export interface Value {
  readonly name: string;
  readonly value: unknown;
  readonly reason: string;
  readonly by: string;
  readonly at: string;
  readonly opinions: readonly { readonly by: string; readonly value: unknown }[];
  readonly agreed: boolean;
}

export type NoteKind = 'question' | 'answer' | 'appeal' | 'decision';

export interface Note {
  readonly id: string | number;
  readonly at: string;
  readonly by: string;
  readonly role: string;
  readonly kind: NoteKind;
  readonly text: string;
}

export interface Happening {
  readonly seq: number;
  readonly at: string;
  readonly person?: string | null;
  readonly kind: string;
  readonly words?: string | null;
}

export interface FrameOnTruth {
  readonly method: string;
  readonly verdict?: string | null;
  readonly by?: string | null;
  readonly reason?: string | null;
  readonly of_older_map?: boolean | null;
}

export interface ReceivedFile {
  readonly name: string;
  readonly bytes: number;
  readonly blake3: string;
}

export interface SubmissionDetail extends Submission {
  readonly findings: readonly SubmissionFinding[];
  readonly parts: readonly Part[];
  readonly formula?: string | null;
  readonly frame: FrameOnTruth | null;
  readonly pictures: readonly { readonly name: string; readonly words: string }[];
  readonly values: readonly Value[];
  readonly notes: readonly Note[];
  readonly history: readonly Happening[];
  readonly files?: readonly ReceivedFile[];
}

export interface ReceivedSubmission {
  readonly id: string;
  readonly number: number;
  readonly team: string;
  readonly mission: string;
  readonly files: readonly ReceivedFile[];
  readonly receipt: Head;
  readonly late: boolean;
}

export interface Change<T> {
  readonly before: T;
  readonly after: T;
}

export interface ValuePreview {
  readonly score: Change<number | null>;
  readonly ranks: readonly ({ readonly team: string } & Change<number | null>)[];
}

export interface Difference {
  readonly from_ranking?: number | null;
  readonly to_ranking: number;
  readonly rows: readonly {
    readonly team: string;
    readonly score: Change<number | null>;
    readonly rank: Change<number | null>;
    readonly causes: readonly string[];
  }[];
  readonly changed: number;
}

export interface Rejudging {
  readonly id: string;
  readonly state: 'running' | 'ready' | 'applied' | 'dropped';
  readonly difference: Difference | null;
  readonly reason?: string | null;
  readonly by?: string | null;
  readonly at?: string | null;
}

export interface ValueCell {
  readonly value?: unknown;
  readonly opinions?: number | readonly unknown[];
  readonly own?: unknown;
  readonly by?: string | null;
  readonly reason?: string | null;
  /** What a new value would replace; 0 if nothing. */
  readonly version?: number;
}

export interface ValuesTable {
  readonly criteria: readonly Criterion[];
  readonly rows: readonly { readonly team: string; readonly mission?: string | null; readonly submission?: string | null; readonly cells: Readonly<Record<string, ValueCell>> }[];
}

export interface Publication {
  readonly seq: number;
  readonly ranking: number;
  readonly at: string;
  readonly by: string;
  readonly note?: string | null;
}

export interface Person {
  readonly name: string;
  readonly role: Role;
  readonly team?: string | null;
  readonly seen_at?: string | null;
  readonly revoked?: boolean;
  readonly has_code?: boolean;
}

export interface AuditRow {
  readonly seq: number;
  readonly at: string;
  readonly person?: string | null;
  readonly kind: string;
  readonly subject?: string | null;
  readonly body?: unknown;
  readonly prev?: string | null;
  readonly hash: string;
}

export interface JobRow {
  readonly id: string | number;
  readonly kind: string;
  readonly subject: string;
  readonly state: string;
  readonly attempts: number;
  readonly leased_by?: string | null;
  readonly error?: string | null;
}

export interface JobsTable {
  readonly items: readonly JobRow[];
  readonly workers: readonly { readonly name: string; readonly version?: string; readonly busy?: unknown; readonly seen_at?: string | null }[];
}

export interface Listed<T> {
  readonly items: readonly T[];
}

export interface ContestNews {
  readonly seq?: number;
  readonly kind?: string;
  readonly subject?: string;
}

// What `mapjudge serve` answers, under the names of its pages. The forms are those of the interface.

export type {
  Contest, Criterion, Difference, Event as AuditRow, Figure, FileRule, FrameOnTruth, Happening, Head, Job as JobRow, Jobs as JobsTable,
  Attention as Chip, EnteredValue as Value, Me, Mission, Note, NoteKind, Part, Person, PersonRole as Role, Publication, PublishedMap, Queue,
  ReceivedFile, ReceivedSubmission, RejudgingDetail as Rejudging, StepTimes, Submission, SubmissionDetail, SubmissionFinding, SubmissionState,
  ValueCell, ValuePreview, ValuesTable,
} from './interface.ts';

export interface Listed<T> {
  readonly items: readonly T[];
}

/** What the stream of events tells. */
export interface ContestNews {
  readonly seq?: number;
  readonly kind?: string;
  readonly subject?: string;
}

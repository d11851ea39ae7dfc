// The review of relations: which proposal is shown, where its second scan lies, and the verdicts.

import { asProblem, getJson, path, postJson, withQuery } from '../api/client.ts';
import type { Fit, Proposal, Review, ReviewRow, Status, Verdict, VerdictAnswer, VerdictRequest } from '../api/review-types.ts';
import { degrees, type Pose } from '../map/geometry.ts';
import { LiveFollower } from '../overlay/live-requests.ts';
import { words } from '../words.ts';
import { ProposalQueue } from './proposal-queue.ts';
import { ScanPairs } from './scan-pairs.ts';
import { ScanPlacement } from './scan-placement.ts';

export interface ReviewWatcher {
  changed(sentence: string): void;
  /** Another proposal is shown. */
  shown(proposal: Proposal): void;
  failed(error: unknown): void;
}

const LIST_LIMIT = 100;
const STATUS_AFTER: Partial<Record<Verdict, Status>> = { accept: 'accepted', adjust: 'adjusted', reject: 'rejected' };

export class ReviewModel {
  review: Review | null = null;
  placement: ScanPlacement | null = null;
  isDone = false;
  note = '';
  showsNear = false;
  rows: ReviewRow[] = [];
  after: string | null = null;
  statusFilter: Status | '' = '';
  readonly queue: ProposalQueue;
  readonly pairs: ScanPairs;
  private shownAt = 0;
  private readonly decided: string[] = [];
  private writing: Promise<void> = Promise.resolve();
  private readonly evaluation: LiveFollower<Pose, Fit>;

  constructor(private readonly id: string, private readonly watcher: ReviewWatcher) {
    this.queue = new ProposalQueue(id, () => watcher.changed(''));
    this.pairs = new ScanPairs(id, (delta) => this.moveTo(delta), (error) => watcher.failed(error));
    this.evaluation = new LiveFollower<Pose, Fit>({
      send: (delta) => postJson(path('reviews', id, 'evaluate'), { id: this.placement?.proposal.id, delta }),
      show: (fit, delta) => {
        if (this.placement?.delta === delta) this.placement.fit = fit;
        watcher.changed('');
      },
      failed: (error) => watcher.failed(error),
    }, true);
  }

  async start(): Promise<void> {
    await Promise.all([this.readSummary(), this.readList(), this.showNext()]);
  }

  async readAnew(): Promise<void> {
    await Promise.all([this.readSummary(), this.readList()]);
  }

  async readSummary(): Promise<void> {
    this.review = await getJson<Review>(path('reviews', this.id));
    this.watcher.changed('');
  }

  async readList(more: 'anew' | 'more' = 'anew'): Promise<void> {
    const answer = await getJson<{ rows: ReviewRow[]; after?: string | null }>(withQuery(path('reviews', this.id, 'list'), {
      limit: LIST_LIMIT,
      ...(more === 'more' && this.after ? { after: this.after } : {}),
      ...(this.statusFilter ? { status: this.statusFilter } : {}),
    }));
    this.rows = more === 'more' ? [...this.rows, ...answer.rows] : answer.rows;
    this.after = answer.after ?? null;
    this.watcher.changed('');
  }

  async showNext(): Promise<void> {
    const next = await this.queue.next(this.placement?.proposal.id ?? null);
    if (next) this.show(next);
    else this.showDone();
  }

  async open(id: string): Promise<void> {
    this.show(await this.relation(id));
  }

  private relation(id: string): Promise<Proposal> {
    return getJson(withQuery(path('reviews', this.id, 'relations', id), { blind: String(this.queue.blind) }));
  }

  private show(proposal: Proposal): void {
    this.isDone = false;
    this.placement = new ScanPlacement(proposal);
    this.pairs.clear();
    this.note = '';
    this.shownAt = performance.now();
    this.watcher.shown(proposal);
    this.watcher.changed(words.said.showing(proposal.id, proposal.doubt?.words ?? words.review.noDoubt));
  }

  private showDone(): void {
    this.isDone = true;
    this.placement = null;
    this.watcher.changed(words.review.done);
    this.readSummary().catch((error: unknown) => this.watcher.failed(error));
  }

  /** Scan 2 lies elsewhere: its numbers are asked for, and the place is said. */
  moved(said: 'said' | 'silently'): void {
    if (!this.placement) return;
    const { delta } = this.placement;
    this.evaluation.changed(delta);
    this.watcher.changed(said === 'said' ? words.said.displaced(delta.x_m, delta.y_m, degrees(delta.theta_rad)) : '');
  }

  moveTo(delta: Pose): void {
    this.placement?.set(delta);
    this.moved('said');
  }

  async refine(): Promise<void> {
    const { placement } = this;
    if (!placement) return;
    const refined = await postJson<Fit & { delta: Pose }>(path('reviews', this.id, 'refine'), {
      id: placement.proposal.id, delta: placement.delta,
    });
    if (this.placement !== placement) return;
    placement.set(refined.delta);
    placement.fit = refined;
    this.watcher.changed(words.said.refined);
  }

  /** Writes a verdict in the background and shows the next proposal at once. */
  async decide(verdict: 'accept' | 'reject'): Promise<void> {
    const { placement } = this;
    if (!placement) return;
    const { proposal } = placement;
    const kind: Verdict = verdict === 'accept' && placement.isMoved ? 'adjust' : verdict;
    this.queue.decided(proposal.id);
    this.decided.push(proposal.id);
    this.write(proposal, this.requestOf(kind, placement));
    this.watcher.changed(words.said.verdict(words.said.verdicts[kind], proposal.id));
    await this.showNext();
  }

  skip(): Promise<void> {
    const id = this.placement?.proposal.id;
    if (id) this.queue.skip(id);
    this.watcher.changed(words.said.skipped);
    return this.showNext();
  }

  /** Asks for the opinion of somebody else, and stays. */
  async askSecond(): Promise<void> {
    const { placement } = this;
    if (!placement) return;
    await postJson(path('reviews', this.id, 'verdicts'), this.requestOf('second', placement));
    this.watcher.changed(words.said.verdict(words.said.verdicts.second, placement.proposal.id));
    await this.open(placement.proposal.id);
    await this.readList();
  }

  /** Takes back the last move of scan 2, or else the last verdict. */
  async undo(): Promise<void> {
    if (this.placement?.canUndo) {
      this.placement.undo();
      this.moved('said');
      return;
    }
    const id = this.decided.pop();
    if (!id) {
      this.watcher.changed(words.said.nothingToUndo);
      return;
    }
    await this.writing;
    const { version } = await this.relation(id);
    const request: VerdictRequest = { id, version, verdict: 'undo', seconds: 0 };
    await postJson(path('reviews', this.id, 'verdicts'), request);
    if (this.placement) this.queue.putBack(this.placement.proposal);
    this.watcher.changed(words.said.verdict(words.said.verdicts.undo, id));
    await this.open(id);
    await this.readAnew();
  }

  private requestOf(verdict: Verdict, placement: ScanPlacement): VerdictRequest {
    const { id, version, opinion } = placement.proposal;
    return {
      id, version, verdict, opinion,
      seconds: Math.round((performance.now() - this.shownAt) / 100) / 10,
      ...(verdict === 'adjust' ? { delta: placement.delta } : {}),
      ...(this.note.trim() ? { note: this.note.trim() } : {}),
    };
  }

  /** One verdict after the other; a refused one brings its proposal back. */
  private write(proposal: Proposal, request: VerdictRequest): void {
    this.writing = this.writing.then(async () => {
      try {
        const answer = await postJson<VerdictAnswer>(path('reviews', this.id, 'verdicts'), request);
        this.written(proposal.id, request.verdict, answer);
      } catch (error) {
        await this.refused(proposal, error);
      }
    });
  }

  /** Counts and list follow at once; the event that the program then sends reads everything else anew. */
  private written(id: string, verdict: Verdict, answer: VerdictAnswer): void {
    this.queue.settled(id);
    if (answer.left !== undefined) this.queue.left = answer.left;
    if (this.review) this.review = { ...this.review, counts: answer.counts };
    const status = answer.disputed ? 'disputed' : STATUS_AFTER[verdict];
    if (status) this.rows = this.rows.map((row) => (row.id === id ? { ...row, status, reviewer: this.review?.reviewer ?? null } : row));
    this.watcher.changed('');
  }

  private async refused(proposal: Proposal, error: unknown): Promise<void> {
    this.queue.settled(proposal.id);
    const at = this.decided.lastIndexOf(proposal.id);
    if (at >= 0) this.decided.splice(at, 1);
    if (this.placement) this.queue.putBack(this.placement.proposal);
    if (asProblem(error).status === 412) {
      await this.open(proposal.id).catch((other: unknown) => this.watcher.failed(other));
      this.watcher.changed(words.review.collision(proposal.id));
    } else {
      this.show(proposal);
      this.watcher.failed(error);
    }
  }
}

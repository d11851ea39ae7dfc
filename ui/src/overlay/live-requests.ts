// One request at a time: while something moves a quick answer, after a rest the exact one; the newest state follows.

export interface LiveRequests<State, Answer> {
  send(state: State, exact: boolean): Promise<Answer>;
  show(answer: Answer, state: State): void;
  failed(error: unknown): void;
}

export const REST_MS = 150;
/** A contest answers 15 requests a second and session. */
export const PACE_MS = 70;

export class LiveFollower<State, Answer> {
  private newest: State | null = null;
  private quickWanted = false;
  private exactWanted = false;
  private busy = false;
  /** The rest after which the exact answer is asked for is not over. */
  private resting = false;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private sentAt = -Infinity;
  private paced: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly requests: LiveRequests<State, Answer>, private readonly quickToo: boolean) {}

  changed(state: State): void {
    this.newest = state;
    this.quickWanted = this.quickToo;
    this.exactWanted = false;
    clearTimeout(this.timer);
    this.resting = true;
    this.timer = setTimeout(() => {
      this.resting = false;
      this.exactWanted = true;
      void this.sendNext();
    }, REST_MS);
    void this.sendNext();
  }

  /** True while the last answer to the newest state is missing. */
  get waits(): boolean {
    return this.resting || this.busy || this.quickWanted || this.exactWanted;
  }

  private async sendNext(): Promise<void> {
    if (this.busy || this.newest === null || !(this.quickWanted || this.exactWanted)) return;
    const early = this.sentAt + PACE_MS - performance.now();
    if (early > 0) {
      clearTimeout(this.paced);
      this.paced = setTimeout(() => void this.sendNext(), early);
      return;
    }
    this.sentAt = performance.now();
    const state = this.newest;
    const exact = this.exactWanted;
    this.quickWanted = false;
    if (exact) this.exactWanted = false;
    this.busy = true;
    try {
      const answer = await this.requests.send(state, exact);
      // An exact answer to an older state would be taken for that of the newest.
      if (!exact || state === this.newest) this.requests.show(answer, state);
    } catch (error) {
      this.requests.failed(error);
    } finally {
      this.busy = false;
      void this.sendNext();
    }
  }
}

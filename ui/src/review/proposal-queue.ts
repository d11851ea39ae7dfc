// The proposals ahead: the next three are here before they are needed.

import { getJson, path, withQuery } from '../api/client.ts';
import type { Proposal } from '../api/review-types.ts';

const AHEAD = 3;

export class ProposalQueue {
  private ahead: Proposal[] = [];
  /** Decided here but perhaps not yet written, so that they are not handed out again. */
  private readonly pending = new Set<string>();
  private skipped: string[] = [];
  private fetching: Promise<void> | null = null;
  left: number | null = null;
  blind = false;

  constructor(private readonly review: string, private readonly changed: () => void) {}

  /** The next proposal, or null if every one is decided. */
  async next(current: string | null): Promise<Proposal | null> {
    if (this.ahead.length === 0) await this.fetch(current);
    if (this.ahead.length === 0 && this.skipped.length > 0) {
      this.skipped = [];
      await this.fetch(null);
    }
    const next = this.ahead.shift() ?? null;
    if (next) void this.fetch(next.id);
    return next;
  }

  skip(id: string): void {
    this.skipped.push(id);
  }

  decided(id: string): void {
    this.pending.add(id);
    this.ahead = this.ahead.filter((proposal) => proposal.id !== id);
  }

  /** The verdict was written or refused: the program knows better than the page. */
  settled(id: string): void {
    this.pending.delete(id);
  }

  putBack(proposal: Proposal): void {
    this.ahead = [proposal, ...this.ahead.filter(({ id }) => id !== proposal.id)];
  }

  clear(): void {
    this.ahead = [];
    this.skipped = [];
  }

  private async fetch(current: string | null): Promise<void> {
    while (this.fetching) await this.fetching;
    if (this.ahead.length >= AHEAD) return;
    this.fetching = this.load(current);
    try {
      await this.fetching;
    } finally {
      this.fetching = null;
    }
  }

  private async load(current: string | null): Promise<void> {
    const known = [...this.ahead.map(({ id }) => id), ...this.pending, ...this.skipped, ...(current === null ? [] : [current])];
    const answer = await getJson<{ left: number; proposals: Proposal[] }>(withQuery(path('reviews', this.review, 'next'), {
      skip: known.join(','), count: AHEAD - this.ahead.length, blind: String(this.blind),
    }));
    this.left = answer.left;
    const fresh = answer.proposals.filter(({ id }) => !known.includes(id) && !this.pending.has(id));
    this.ahead.push(...fresh);
    this.changed();
  }
}

// The automatic alignment with its rivals, and the climb from where the map lies.

import { path, postJson } from '../api/client.ts';
import type { AlignAnswer, ClimbAnswer } from '../api/types.ts';
import { words } from '../words.ts';
import type { PlacementSession } from './placement-session.ts';

export class AutoAlign {
  answer: AlignAnswer | null = null;
  climbed: ClimbAnswer | null = null;
  busy: 'align' | 'climb' | null = null;
  /** Which hypothesis is shown; the first is the winner. */
  shown = 0;

  constructor(
    private readonly map: string,
    private readonly session: PlacementSession,
    private readonly changed: (sentence: string) => void,
    private readonly failed: (error: unknown) => void,
  ) {}

  async align(): Promise<void> {
    await this.run('align', async () => {
      const answer = await postJson<AlignAnswer>(path('submissions', this.map, 'align'), {});
      this.answer = answer;
      this.shown = 0;
      const { truth_from_map } = answer.alignment;
      if (truth_from_map) this.session.place(truth_from_map, words.said.aligned(answer.words));
      else this.changed(words.said.aligned(answer.words));
    });
  }

  async climb(): Promise<void> {
    await this.run('climb', async () => {
      const answer = await postJson<ClimbAnswer>(path('submissions', this.map, 'climb'), {
        truth_from_map: this.session.transform,
      });
      this.climbed = answer;
      this.session.place(answer.truth_from_map, words.said.climbed(answer.score_before, answer.score_after));
    });
  }

  /** Places the map as the next or the previous hypothesis has it. */
  step(by: 1 | -1): void {
    const hypotheses = this.answer?.alignment.hypotheses ?? [];
    if (hypotheses.length === 0) return;
    this.shown = (this.shown + by + hypotheses.length) % hypotheses.length;
    const { truth_from_map, score } = hypotheses[this.shown];
    this.session.place(truth_from_map, words.said.hypothesis(this.shown + 1, hypotheses.length, score));
  }

  private async run(what: 'align' | 'climb', work: () => Promise<void>): Promise<void> {
    if (this.busy) return;
    this.busy = what;
    this.changed(words.said.busy(what));
    try {
      await work();
    } catch (error) {
      this.failed(error);
    } finally {
      this.busy = null;
      this.changed('');
    }
  }
}

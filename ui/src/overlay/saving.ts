// Saving the transform with who and why; another tab that saved meanwhile is noticed.

import { asProblem, getWithTag, path, postJson, putJson, type Problem } from '../api/client.ts';
import type { FrameFile, Pair, SaveAnswer } from '../api/types.ts';
import { words } from '../words.ts';
import type { PlacementSession } from './placement-session.ts';

const NAME_SETTING = 'mapjudge-by';

export class Saving {
  by = localStorage.getItem(NAME_SETTING) ?? '';
  reason = '';
  problem: Problem | null = null;
  saved: SaveAnswer | null = null;
  /** Another tab saved a transform since this page was opened. */
  savedElsewhere = false;
  busy = false;
  private tag: string | null = null;

  constructor(
    private readonly map: string,
    private readonly session: PlacementSession,
    private readonly changed: (sentence: string) => void,
  ) {}

  /** Learns the state of the saved transform, against which the next save is checked. */
  async readTag(): Promise<void> {
    const { tag } = await getWithTag<unknown>(path('submissions', this.map, 'frame'));
    this.tag = tag;
    this.savedElsewhere = false;
    this.changed('');
  }

  /** Somebody saved a transform: notices if it was not this page. */
  async checkTag(): Promise<void> {
    if (this.busy) return;
    const { tag } = await getWithTag<unknown>(path('submissions', this.map, 'frame'));
    if (this.busy || tag === this.tag || this.savedElsewhere) return;
    this.savedElsewhere = true;
    this.changed(words.save.elsewhere);
  }

  async save(): Promise<void> {
    if (this.busy) return;
    this.problem = null;
    this.busy = true;
    localStorage.setItem(NAME_SETTING, this.by);
    const { truth_from_map, pairs, motion, degree } = this.session.placement;
    try {
      const { value, tag } = await putJson<SaveAnswer>(path('submissions', this.map, 'frame'), {
        truth_from_map, by: this.by.trim(), reason: this.reason.trim(), pairs,
        ...(motion === 'polynomial' ? { degree } : {}),
      }, this.tag);
      this.saved = value;
      this.session.markSaved(truth_from_map);
      if (tag === null) await this.readTag();
      else this.tag = tag;
      this.changed(words.said.saved(value.saved_to ?? ''));
    } catch (error) {
      this.problem = asProblem(error);
      this.savedElsewhere ||= this.problem.status === 412;
      this.changed(`${this.problem.title}. ${this.problem.detail}`);
    } finally {
      this.busy = false;
      this.changed('');
    }
  }

  /** Saves over what another tab saved. */
  async saveAnyway(): Promise<void> {
    await this.readTag();
    await this.save();
  }

  /** Takes transform and pairs from a dropped file: a transform in JSON or pairs in CSV. */
  async load(text: string): Promise<void> {
    this.problem = null;
    try {
      if (text.trimStart().startsWith('{')) {
        const file = await postJson<FrameFile>(path('frame', 'parse'), { text, id: this.map });
        this.session.place(file.truth_from_map, words.said.loaded);
        if (file.pairs.length > 0) this.session.setPairs(file.pairs, words.said.pairsLoaded(file.pairs.length));
      } else {
        const { pairs } = await postJson<{ pairs: readonly Pair[] }>(path('points', 'parse'), { text });
        this.session.setPairs(pairs.map((pair) => ({ ...pair, on: pair.on ?? true })), words.said.pairsLoaded(pairs.length));
      }
    } catch (error) {
      this.problem = asProblem(error);
      this.changed(`${this.problem.title}. ${this.problem.detail}`);
    }
  }

  async pairsAsText(): Promise<string> {
    const { text } = await postJson<{ text: string }>(path('points', 'format'), { pairs: this.session.placement.pairs });
    return text;
  }
}

// Keys of the review.

import type { MapPane } from '../map/map-pane.ts';
import { viewKeys } from '../overlay/overlay-keys.ts';
import { arrowDirection, bracket, isArrow, letter, stepFactor, type Binding } from '../parts/keymap.ts';
import { words } from '../words.ts';
import type { ReviewModel } from './review-model.ts';

const STEP_M = 0.01;
const ROTATION_STEP_DEG = 0.1;

export interface ReviewKeyTargets {
  model(): ReviewModel | null;
  pane(): MapPane | null;
  showWhole(): void;
  blink(): void;
  toggleNear(): void;
  writeNote(): void;
  /** Runs an act whose refusal is shown on the page. */
  run(act: (model: ReviewModel) => Promise<void>): void;
}

export function reviewKeys(targets: ReviewKeyTargets): Binding[] {
  const does = words.keys.review;
  const { model, run } = targets;
  return [
    { keys: 'A', does: does.accept, matches: letter('a'), act: () => run((review) => review.decide('accept')) },
    { keys: 'X', does: does.reject, matches: letter('x'), act: () => run((review) => review.decide('reject')) },
    {
      keys: words.keys.arrows, does: does.move, matches: isArrow,
      act: (event) => {
        const [x, y] = arrowDirection(event);
        const step = STEP_M * stepFactor(event);
        model()?.placement?.translate(x * step, y * step);
        model()?.moved('said');
      },
    },
    {
      keys: '[ ]', does: does.rotate, matches: (event) => bracket(event) !== 0,
      act: (event) => {
        model()?.placement?.rotate(-bracket(event) * ROTATION_STEP_DEG * stepFactor(event));
        model()?.moved('said');
      },
    },
    { keys: 'F', does: does.refine, matches: letter('f'), act: () => run((review) => review.refine()) },
    { keys: 'S', does: does.skip, matches: letter('s'), act: () => run((review) => review.skip()) },
    { keys: 'N', does: does.note, matches: letter('n'), act: () => targets.writeNote() },
    { keys: 'B', does: does.blink, matches: letter('b'), act: () => targets.blink() },
    { keys: 'Z', does: does.undo, matches: (event) => event.key.toLowerCase() === 'z' && !event.altKey, act: () => run((review) => review.undo()) },
    { keys: 'C', does: does.near, matches: letter('c'), act: () => targets.toggleNear() },
    ...viewKeys(targets.pane, targets.showWhole),
  ];
}

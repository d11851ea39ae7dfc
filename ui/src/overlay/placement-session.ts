// Where the map lies and by which pairs, with undo; each act says in a sentence what it did.

import type { Motion, Pair } from '../api/types.ts';
import {
  apply, degrees, inverse, radians, rotatedAbout, sameTransform, translated, wrapAngle,
  type Point, type Transform,
} from '../map/geometry.ts';
import { words } from '../words.ts';
import { History } from './history.ts';

export interface Placement {
  readonly truth_from_map: Transform;
  readonly pairs: readonly Pair[];
  readonly motion: Motion;
  readonly degree: number;
}

export type TransformField = 'x' | 'y' | 'rotation' | 'scale';

export class PlacementSession {
  private readonly history: History<Placement>;
  /** The pivot goes with the map. */
  private pivotInMap: Point;
  private savedPlacement: Transform;
  scaleIsLocked = true;

  constructor(start: Transform, centreInMap: Point, private readonly changed: (sentence: string) => void) {
    this.history = new History<Placement>({ truth_from_map: start, pairs: [], motion: 'turn', degree: 1 });
    this.pivotInMap = centreInMap;
    this.savedPlacement = start;
  }

  get placement(): Placement {
    return this.history.state;
  }

  get transform(): Transform {
    return this.history.state.truth_from_map;
  }

  get pivot(): Point {
    return apply(this.transform, this.pivotInMap);
  }

  get canUndo(): boolean {
    return this.history.canUndo;
  }

  get canRedo(): boolean {
    return this.history.canRedo;
  }

  get isUnsaved(): boolean {
    return !sameTransform(this.transform, this.savedPlacement);
  }

  markSaved(saved: Transform): void {
    this.savedPlacement = saved;
  }

  setPivot(inTruth: Point): void {
    this.pivotInMap = apply(inverse(this.transform), inTruth);
    this.changed(words.said.pivot(inTruth));
  }

  place(transform: Transform, sentence = words.said.placed(transform)): void {
    this.history.change({ ...this.placement, truth_from_map: transform });
    this.changed(sentence);
  }

  translate(dx_m: number, dy_m: number): void {
    this.place(translated(this.transform, dx_m, dy_m));
  }

  rotate(angle_deg: number): void {
    this.place(rotatedAbout(this.transform, this.pivot, radians(angle_deg)));
  }

  setField(field: TransformField, value: number): void {
    if (!Number.isFinite(value) || (field === 'scale' && value <= 0)) return;
    const { transform } = this;
    if (field === 'x') this.place({ ...transform, x_m: value });
    if (field === 'y') this.place({ ...transform, y_m: value });
    if (field === 'rotation') this.place({ ...transform, theta_rad: wrapAngle(radians(value)) });
    if (field === 'scale') this.place({ ...transform, scale: value });
  }

  field(field: TransformField): number {
    const { x_m, y_m, theta_rad, scale } = this.transform;
    return { x: x_m, y: y_m, rotation: degrees(theta_rad), scale }[field];
  }

  /** Begins a drag: what `drag` then sets is one step to take back. */
  beginDrag(): Transform {
    this.history.change(this.placement);
    return this.transform;
  }

  drag(transform: Transform): void {
    this.history.replace({ ...this.placement, truth_from_map: transform });
    this.changed('');
  }

  endDrag(): void {
    this.changed(words.said.placed(this.transform));
  }

  undo(): void {
    this.changed(this.history.undo() ? words.said.undone(this.transform) : words.said.nothingToUndo);
  }

  redo(): void {
    this.changed(this.history.redo() ? words.said.redone(this.transform) : words.said.nothingToRedo);
  }

  setPairs(pairs: readonly Pair[], sentence: string): void {
    this.history.change({ ...this.placement, pairs });
    this.changed(sentence);
  }

  addPair(pair: Pair): void {
    this.setPairs([...this.placement.pairs, pair], words.said.pairAdded(this.placement.pairs.length + 1));
  }

  changePair(index: number, change: Partial<Pair>): void {
    const pairs = this.placement.pairs.map((pair, at) => (at === index ? { ...pair, ...change } : pair));
    this.setPairs(pairs, words.said.pairChanged(index + 1));
  }

  removePair(index: number): void {
    this.setPairs(this.placement.pairs.filter((_, at) => at !== index), words.said.pairRemoved(index + 1));
  }

  setMotion(motion: Motion, degree: number): void {
    this.history.change({ ...this.placement, motion, degree });
    this.changed(words.said.motion(motion, degree));
  }
}

// Where scan 2 lies in the frame of scan 1, moved by hand with undo.

import type { Fit, Proposal } from '../api/review-types.ts';
import { apply, fromPose, radians, rotatedAbout, translated, type Point, type Pose, type Transform } from '../map/geometry.ts';
import { History } from '../overlay/history.ts';

export class ScanPlacement {
  private readonly history: History<Pose>;
  fit: Fit;

  constructor(readonly proposal: Proposal) {
    this.history = new History<Pose>(proposal.delta);
    this.fit = proposal;
  }

  get delta(): Pose {
    return this.history.state;
  }

  get firstFromSecond(): Transform {
    return fromPose(this.delta);
  }

  /** Where the sensor of scan 2 stood. */
  get sensor(): Point {
    return apply(this.firstFromSecond, this.proposal.second.sensor);
  }

  get isMoved(): boolean {
    const { x_m, y_m, theta_rad } = this.proposal.delta;
    return this.delta.x_m !== x_m || this.delta.y_m !== y_m || this.delta.theta_rad !== theta_rad;
  }

  get canUndo(): boolean {
    return this.history.canUndo;
  }

  undo(): void {
    this.history.undo();
  }

  set(delta: Pose): void {
    this.history.change({ x_m: delta.x_m, y_m: delta.y_m, theta_rad: delta.theta_rad });
  }

  translate(dx_m: number, dy_m: number): void {
    this.set(translated(this.firstFromSecond, dx_m, dy_m));
  }

  rotate(angle_deg: number): void {
    this.set(rotatedAbout(this.firstFromSecond, this.sensor, radians(angle_deg)));
  }

  beginDrag(): Transform {
    this.history.change(this.delta);
    return this.firstFromSecond;
  }

  drag({ x_m, y_m, theta_rad }: Pose): void {
    this.history.replace({ x_m, y_m, theta_rad });
  }
}

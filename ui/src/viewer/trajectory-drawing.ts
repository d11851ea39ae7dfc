// Trajectories: the path, the part driven until the time shown in bold, and the robot where it was then.

import type { Trajectory } from '../api/types.ts';
import type { Point } from '../map/geometry.ts';
import { strokeWithHalo } from '../map/ink.ts';
import { tracePoints } from '../map/marks.ts';
import { toPixel, type View } from '../map/view.ts';

export const TRAJECTORY_COLOURS = ['#1b4f8a', '#c8501e', '#1b7f3b', '#7b2d8e', '#8a6d00', '#00695c'] as const;
const ROBOT_PIXELS = 11;

export interface PoseAt {
  readonly point: Point;
  readonly theta_rad: number;
  /** Index of the last pose that is not later. */
  readonly index: number;
}

/** The pose at a time, between two stamped ones in proportion; null before the first and after the last. */
export function poseAt(poses: Trajectory['poses'], time_s: number): PoseAt | null {
  if (poses.length === 0 || time_s < poses[0][0] || time_s > poses[poses.length - 1][0]) return null;
  let low = 0;
  let high = poses.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (poses[middle][0] <= time_s) low = middle;
    else high = middle - 1;
  }
  const [fromTime, fromX, fromY, fromTheta] = poses[low];
  const next = poses[low + 1];
  if (!next || next[0] === fromTime) return { point: [fromX, fromY], theta_rad: fromTheta, index: low };
  const part = (time_s - fromTime) / (next[0] - fromTime);
  const turn = Math.atan2(Math.sin(next[3] - fromTheta), Math.cos(next[3] - fromTheta));
  return {
    point: [fromX + part * (next[1] - fromX), fromY + part * (next[2] - fromY)],
    theta_rad: fromTheta + part * turn,
    index: low,
  };
}

export function drawTrajectory(
  context: CanvasRenderingContext2D, view: View, trajectory: Trajectory, colour: string, time_s: number | null,
): void {
  const points = trajectory.poses.map(([, x, y]): Point => [x, y]);
  tracePoints(context, view, points);
  context.lineWidth = 1.2;
  context.strokeStyle = colour;
  context.stroke();
  const pose = time_s === null ? null : poseAt(trajectory.poses, time_s);
  if (!pose) return;
  tracePoints(context, view, [...points.slice(0, pose.index + 1), pose.point]);
  strokeWithHalo(context, colour, 2.5);
  drawRobot(context, view, pose, colour);
}

function drawRobot(context: CanvasRenderingContext2D, view: View, pose: PoseAt, colour: string): void {
  const [x, y] = toPixel(view, pose.point);
  const corner = (angle: number, length: number): Point => [
    x + length * Math.cos(pose.theta_rad + angle), y - length * Math.sin(pose.theta_rad + angle),
  ];
  context.beginPath();
  context.moveTo(...corner(0, ROBOT_PIXELS * 1.3));
  context.lineTo(...corner(2.5, ROBOT_PIXELS));
  context.lineTo(...corner(-2.5, ROBOT_PIXELS));
  context.closePath();
  strokeWithHalo(context, colour, 2);
  context.fillStyle = colour;
  context.fill();
}

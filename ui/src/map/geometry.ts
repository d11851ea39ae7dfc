// Points and similarity transforms in metres; y is up, angles are radians, positive counter-clockwise.

export type Point = readonly [number, number];

/** p_truth = scale * R(theta) * p_map + (x, y). */
export interface Transform {
  readonly x_m: number;
  readonly y_m: number;
  readonly theta_rad: number;
  readonly scale: number;
}

export interface Pose {
  readonly x_m: number;
  readonly y_m: number;
  readonly theta_rad: number;
}

export const IDENTITY: Transform = { x_m: 0, y_m: 0, theta_rad: 0, scale: 1 };

export function apply(transform: Transform, [x, y]: Point): Point {
  const cos = Math.cos(transform.theta_rad) * transform.scale;
  const sin = Math.sin(transform.theta_rad) * transform.scale;
  return [cos * x - sin * y + transform.x_m, sin * x + cos * y + transform.y_m];
}

export function inverse(transform: Transform): Transform {
  const scale = 1 / transform.scale;
  const linear = { x_m: 0, y_m: 0, theta_rad: -transform.theta_rad, scale };
  const [x, y] = apply(linear, [transform.x_m, transform.y_m]);
  return { ...linear, x_m: -x, y_m: -y };
}

/** First `second`, then `first`: compose(a_from_b, b_from_c) = a_from_c. */
export function compose(first: Transform, second: Transform): Transform {
  const [x_m, y_m] = apply(first, [second.x_m, second.y_m]);
  return {
    x_m,
    y_m,
    theta_rad: wrapAngle(first.theta_rad + second.theta_rad),
    scale: first.scale * second.scale,
  };
}

export function translated(transform: Transform, dx_m: number, dy_m: number): Transform {
  return { ...transform, x_m: transform.x_m + dx_m, y_m: transform.y_m + dy_m };
}

/** Rotates what the transform places about a point of the target frame. */
export function rotatedAbout(transform: Transform, pivot: Point, angle_rad: number): Transform {
  return compose(about(pivot, angle_rad, 1), transform);
}

/** Scales what the transform places about a point of the target frame. */
export function scaledAbout(transform: Transform, pivot: Point, factor: number): Transform {
  return compose(about(pivot, 0, factor), transform);
}

function about(pivot: Point, theta_rad: number, scale: number): Transform {
  const [x, y] = apply({ x_m: 0, y_m: 0, theta_rad, scale }, pivot);
  return { x_m: pivot[0] - x, y_m: pivot[1] - y, theta_rad, scale };
}

export function fromPose(pose: Pose): Transform {
  return { ...pose, scale: 1 };
}

/** Into (-pi, pi]; angles inside stay the same bits. */
export function wrapAngle(angle_rad: number): number {
  if (angle_rad > -Math.PI && angle_rad <= Math.PI) return angle_rad;
  const turns = Math.ceil((angle_rad - Math.PI) / (2 * Math.PI));
  return angle_rad - turns * 2 * Math.PI;
}

export function degrees(angle_rad: number): number {
  return (angle_rad * 180) / Math.PI;
}

export function radians(angle_deg: number): number {
  return (angle_deg * Math.PI) / 180;
}

export function distance(a: Point, b: Point): number {
  return Math.hypot(a[0] - b[0], a[1] - b[1]);
}

export function sameTransform(a: Transform, b: Transform): boolean {
  return a.x_m === b.x_m && a.y_m === b.y_m && a.theta_rad === b.theta_rad && a.scale === b.scale;
}

/** The argument of `--align` on the command line. */
export function alignArgument(transform: Transform): string {
  const numbers = [transform.x_m, transform.y_m, degrees(transform.theta_rad), transform.scale];
  return `--align ${numbers.map(shortest).join(',')}`;
}

/** Twelve significant digits: below any measurable difference, without the noise of binary fractions. */
function shortest(value: number): string {
  return String(Number(value.toPrecision(12)));
}

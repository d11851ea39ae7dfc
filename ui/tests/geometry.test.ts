import assert from 'node:assert/strict';
import { test } from 'node:test';
import { alignArgument, apply, compose, inverse, radians, rotatedAbout, scaledAbout, wrapAngle, type Point } from '../src/map/geometry.ts';

const near = (actual: Point, expected: Point, tolerance = 1e-12): void => {
  assert.ok(Math.abs(actual[0] - expected[0]) <= tolerance && Math.abs(actual[1] - expected[1]) <= tolerance, `${actual} is not ${expected}`);
};

test('a quarter rotation, doubled and moved by (10, 5), takes (1, 0) to (10, 7)', () => {
  near(apply({ x_m: 10, y_m: 5, theta_rad: Math.PI / 2, scale: 2 }, [1, 0]), [10, 7]);
});

test('a transform and its inverse leave a point where it was', () => {
  const transform = { x_m: 3.5, y_m: -2, theta_rad: 0.7, scale: 1.02 };
  near(apply(compose(inverse(transform), transform), [12, -7]), [12, -7], 1e-9);
});

test('rotating and scaling about a pivot keep the pivot', () => {
  const transform = { x_m: 3, y_m: 4, theta_rad: 0.2, scale: 1 };
  const pivot = apply(transform, [2, 1]);
  near(apply(rotatedAbout(transform, pivot, radians(30)), [2, 1]), pivot);
  near(apply(scaledAbout(transform, pivot, 1.5), [2, 1]), pivot);
});

test('angles are wrapped into (-180, 180] degrees', () => {
  assert.equal(wrapAngle(Math.PI), Math.PI);
  assert.ok(Math.abs(wrapAngle(radians(190)) - radians(-170)) < 1e-12);
  assert.ok(Math.abs(wrapAngle(radians(-540)) - radians(180)) < 1e-12);
});

test('the argument for the command line is in degrees and without noise', () => {
  assert.equal(alignArgument({ x_m: 0.1 + 0.2, y_m: -1, theta_rad: radians(12.5), scale: 1 }), '--align 0.3,-1,12.5,1');
});

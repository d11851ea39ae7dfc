import assert from 'node:assert/strict';
import { test } from 'node:test';
import { poseAt } from '../src/viewer/trajectory-drawing.ts';

const POSES = [[0, 0, 0, 3], [2, 4, 2, -3], [3, 4, 2, -3]] as const;

test('between two poses the robot is where the times say, turning the short way round', () => {
  const pose = poseAt(POSES, 1);
  assert.ok(pose);
  assert.deepEqual(pose.point, [2, 1]);
  assert.ok(Math.abs(Math.abs(pose.theta_rad) - Math.PI) < 1e-9);
  assert.equal(pose.index, 0);
});

test('outside of its time a trajectory has no pose', () => {
  assert.equal(poseAt(POSES, -0.1), null);
  assert.equal(poseAt(POSES, 3.1), null);
  assert.equal(poseAt([], 0), null);
  assert.equal(poseAt(POSES, 3)?.index, 2);
});

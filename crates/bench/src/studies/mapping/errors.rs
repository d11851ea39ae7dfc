//! Errors of trajectories between keyframes: SEQ from one to the next, REV where a place is seen again.

use align::closed_form::{Motion, PointPair, fit, rms_m};
use model::{Point2, Pose2, Rigid};

/// Key poses of the truth: every metre or half radian.
const KEY_M: f64 = 1.0;
const KEY_RAD: f64 = 0.5;
/// A revisit: nearer than this, and so many keyframes later.
const REVISIT_M: f64 = 3.0;
const REVISIT_KEYS: usize = 30;

#[derive(Clone, Copy, Debug, Default)]
pub struct Mean {
    pub relations: usize,
    pub translation_m: f64,
    pub rotation_deg: f64,
}

/// Errors of a trajectory.
#[derive(Clone, Copy, Debug, Default)]
pub struct Errors {
    pub sequence: Mean,
    pub revisits: Mean,
    /// Root mean square of the distances after a rigid fit.
    pub absolute_m: f64,
}

impl Errors {
    /// Of poses against the true ones at the same scans.
    pub fn of(poses: &[Pose2], truth: &[Pose2]) -> Self {
        let keys = key_poses(truth);
        let consecutive = keys.windows(2).map(|pair| (pair[0], pair[1]));
        let is_revisit = |&(a, b): &(usize, usize)| truth[b].seen_from(truth[a]).distance_m() < REVISIT_M;
        let later = |index: usize| keys.iter().skip(index + REVISIT_KEYS).copied();
        let revisits = keys.iter().enumerate().flat_map(|(index, &a)| later(index).map(move |b| (a, b)));
        Self {
            sequence: Mean::of(poses, truth, consecutive),
            revisits: Mean::of(poses, truth, revisits.filter(is_revisit)),
            absolute_m: absolute_m(poses, truth),
        }
    }
}

impl Mean {
    fn of(poses: &[Pose2], truth: &[Pose2], pairs: impl Iterator<Item = (usize, usize)>) -> Self {
        let mut mean = Self::default();
        for (a, b) in pairs {
            let error = poses[b].seen_from(poses[a]).seen_from(truth[b].seen_from(truth[a]));
            mean.relations += 1;
            mean.translation_m += error.distance_m();
            mean.rotation_deg += error.theta_rad.abs().to_degrees();
        }
        mean.translation_m /= mean.relations.max(1) as f64;
        mean.rotation_deg /= mean.relations.max(1) as f64;
        mean
    }
}

impl std::fmt::Display for Mean {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:.4} m {:.3} deg ({})", self.translation_m, self.rotation_deg, self.relations)
    }
}

fn key_poses(truth: &[Pose2]) -> Vec<usize> {
    let mut keys: Vec<usize> = Vec::new();
    for (index, pose) in truth.iter().enumerate() {
        let is_key = keys.last().is_none_or(|&last| {
            let moved = pose.seen_from(truth[last]);
            moved.distance_m() >= KEY_M || moved.theta_rad.abs() >= KEY_RAD
        });
        if is_key {
            keys.push(index);
        }
    }
    keys
}

fn absolute_m(poses: &[Pose2], truth: &[Pose2]) -> f64 {
    let at = |pose: &Pose2| Point2::new(pose.x_m, pose.y_m);
    let pair = |(pose, truth): (&Pose2, &Pose2)| PointPair { in_map: at(pose), in_truth: at(truth) };
    let pairs: Vec<PointPair> = poses.iter().zip(truth).map(pair).collect();
    fit(&pairs, Motion::Rigid).and_then(|found| rms_m(&pairs, found)).unwrap_or(f64::NAN)
}

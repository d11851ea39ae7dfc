//! Keyframes: the poses between which relations are made.

use align::trajectory::Track;
use model::{Pose3, Rigid};

/// Chosen poses, by their place in the track, with the length of the path up to each.
pub(super) struct Keyframes {
    pub(super) indices: Vec<usize>,
    pub(super) path_m: Vec<f64>,
}

/// The first pose, then each that lies `step_m` or `turn_rad` from the last keyframe, and the last pose.
pub(super) fn keyframes(track: &Track<Pose3>, step_m: f64, turn_rad: f64) -> Keyframes {
    let poses = track.poses();
    let mut indices: Vec<usize> = Vec::new();
    for (index, pose) in poses.iter().enumerate() {
        let is_key = indices.last().is_none_or(|&last| {
            let moved = pose.seen_from(poses[last]);
            moved.distance_m() >= step_m || moved.angle_rad() >= turn_rad
        });
        if is_key || index + 1 == poses.len() {
            indices.push(index);
        }
    }
    let all_m = track.path_m();
    Keyframes { path_m: indices.iter().map(|&index| all_m[index]).collect(), indices }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example::planar;

    #[test]
    fn steps_turns_and_the_ends_are_key_poses() {
        let rows = [
            (0.0, 0.0, 0.0, 0.0),
            (1.0, 0.4, 0.0, 0.0),
            (2.0, 0.5, 0.0, 0.0), // half a metre
            (3.0, 0.5, 0.0, 0.5),
            (4.0, 0.5, 0.0, 0.6), // more than 30 degrees
            (5.0, 0.6, 0.0, 0.6), // the end
        ];
        let keys = keyframes(&planar(&rows), 0.5, 30_f64.to_radians());
        assert_eq!(keys.indices, [0, 2, 4, 5]);
        assert!((keys.path_m[3] - 0.6).abs() < 1e-12);
    }

    #[test]
    fn a_turn_of_350_degrees_is_one_of_10() {
        let rows = [(0.0, 0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 350_f64.to_radians()), (2.0, 0.0, 0.0, 0.0)];
        assert_eq!(keyframes(&planar(&rows), 0.5, 30_f64.to_radians()).indices, [0, 2]);
    }
}

//! What the odometry of a robot always gets wrong in its turns: so much per metre, and so much per radian.
//!
//! ```text
//! turn(match) - turn(odometry) = bias * distance + scale * turn(odometry)
//! ```
//!
//! The two numbers are learned from the scans that match well, by least squares with a prior that holds them at zero. Wheels
//! of different size turn a robot by degrees per metre; without this every scan that does not match costs that.

use model::{Point2, Pose2, wrap};

use super::DEGREE;

/// Prior standard deviation of the bias, radians per metre, and of the scale.
const SIGMA_BIAS: f64 = 2.0 * DEGREE;
const SIGMA_SCALE: f64 = 0.03;
/// Standard deviation of one difference, radians: at least, per metre and per radian.
const SIGMA_RAD: f64 = 0.3 * DEGREE;
const SIGMA_RAD_PER_M: f64 = 1.5 * DEGREE;
const SIGMA_RAD_PER_RAD: f64 = 0.03;
/// A difference counts as no more than so many of them: slips are no bias.
const MAX_SIGMAS: f64 = 3.0;
/// A match of which less lies on surfaces teaches nothing.
const MIN_INLIERS: f64 = 0.6;
/// What was learned counts so much less with each scan: floors and loads change.
const KEPT: f64 = 0.999;

/// Normal equations of the two numbers.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct OdometryBias {
    matrix: [f64; 3],
    right: [f64; 2],
}

impl OdometryBias {
    /// The bias in radians per metre, and the scale.
    fn numbers(&self) -> [f64; 2] {
        let [xx, xy, yy] = self.matrix;
        let (xx, yy) = (xx + SIGMA_BIAS.powi(-2), yy + SIGMA_SCALE.powi(-2));
        let [x, y] = self.right;
        let determinant = xx * yy - xy * xy;
        [(yy * x - xy * y) / determinant, (xx * y - xy * x) / determinant]
    }

    /// A displacement of the odometry without what it always gets wrong.
    pub fn corrected(&self, motion: Pose2) -> Pose2 {
        let [bias, scale] = self.numbers();
        let turn_rad = bias * motion.x_m.hypot(motion.y_m) + scale * motion.theta_rad;
        // The turn that was not reported is spread over the path, so that the robot ended up beside where it was reported.
        let moved = Pose2::new(0.0, 0.0, 0.5 * turn_rad) * Point2::new(motion.x_m, motion.y_m);
        Pose2::new(moved.x_m, moved.y_m, wrap(motion.theta_rad + turn_rad))
    }

    /// Learns from a displacement of the odometry that a match of this quality moved.
    pub fn learn(&mut self, by_odometry: Pose2, matched: Pose2, inliers: f64) {
        if inliers < MIN_INLIERS {
            return;
        }
        let (distance_m, turn_rad) = (by_odometry.x_m.hypot(by_odometry.y_m), by_odometry.theta_rad);
        let sigma_rad = SIGMA_RAD + SIGMA_RAD_PER_M * distance_m + SIGMA_RAD_PER_RAD * turn_rad.abs();
        let expected_rad = self.corrected(by_odometry).theta_rad;
        let limit_rad = MAX_SIGMAS * sigma_rad;
        let surprise_rad = wrap(matched.theta_rad - expected_rad).clamp(-limit_rad, limit_rad);
        let off_rad = wrap(expected_rad - turn_rad) + surprise_rad;
        let weight = sigma_rad.powi(-2);
        let row = [distance_m, turn_rad];
        let added = [row[0] * row[0], row[0] * row[1], row[1] * row[1]];
        for (sum, value) in self.matrix.iter_mut().zip(added) {
            *sum = KEPT * *sum + weight * value;
        }
        for (sum, value) in self.right.iter_mut().zip(row) {
            *sum = KEPT * *sum + weight * value * off_rad;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_robot_that_drifts_to_one_side_is_found_out_and_a_slip_is_no_bias() {
        let mut bias = OdometryBias::default();
        let straight = Pose2::new(0.5, 0.0, 0.0);
        assert_eq!(bias.corrected(straight), straight);
        // The robot turns by 2 degrees on each half metre, unseen by its wheels.
        (0..60).for_each(|_| bias.learn(straight, Pose2::new(0.5, 0.0, 2.0 * DEGREE), 0.9));
        let found = bias.corrected(straight).theta_rad;
        assert!((found - 2.0 * DEGREE).abs() < 0.1 * DEGREE, "{found}");
        bias.learn(straight, Pose2::new(0.5, 0.0, 1.0), 0.9);
        assert!((bias.corrected(straight).theta_rad - found).abs() < 0.2 * DEGREE);
        bias.learn(straight, Pose2::new(0.5, 0.0, -1.0), 0.3);
        assert!(
            (bias.corrected(straight).theta_rad - found).abs() < 0.2 * DEGREE,
            "a poor match teaches nothing"
        );
    }

    /// It was left where the odometry put it: two metres with seven degrees unseen ended 0.12 m aside.
    #[test]
    fn a_turn_that_was_not_seen_moves_the_robot_aside() {
        let mut bias = OdometryBias::default();
        let straight = Pose2::new(0.5, 0.0, 0.0);
        (0..60).for_each(|_| bias.learn(straight, Pose2::new(0.5, 0.0, 2.0 * DEGREE), 0.9));
        let found = bias.corrected(Pose2::new(2.0, 0.0, 0.0));
        // An arc of 2 m that turns by 8 degrees ends 2 sin(4 degrees) = 0.1395 m aside.
        assert!((found.y_m - 0.1395).abs() < 0.01, "{found:?}");
        assert!((found.x_m.hypot(found.y_m) - 2.0).abs() < 1e-9);
    }

    #[test]
    fn turns_that_are_reported_too_small_are_stretched() {
        let mut bias = OdometryBias::default();
        let turn = Pose2::new(0.0, 0.0, 0.2);
        (0..200).for_each(|_| bias.learn(turn, Pose2::new(0.0, 0.0, 0.21), 0.9));
        let found = bias.corrected(turn).theta_rad;
        assert!((found - 0.21).abs() < 0.002, "{found}");
    }
}

//! Where the robot is now: the odometry, a coarse search where it is weak, and a match on the present submap.

use model::{Pose2, wrap};

use super::GraphParams;
use super::scan_match::{Features, Matched, Prior, refine};
use super::submap::Submap;

/// Steps of the coarse search, metres and radians, and of the finer one around its best.
const COARSE_M: f64 = 0.1;
const COARSE_RAD: f64 = 1.0 * std::f64::consts::PI / 180.0;
const FINE_M: f64 = 0.05;
const FINE_RAD: f64 = 0.5 * std::f64::consts::PI / 180.0;
/// Below these there is nothing to search: the refinement reaches that far by itself.
const NARROW_M: f64 = 0.1;
const NARROW_RAD: f64 = 3.0 * std::f64::consts::PI / 180.0;
/// How much a pose at the edge of the window must be better than the odometry's: this share of the score.
const PENALTY: f64 = 0.2;

/// How far the odometry may be off.
#[derive(Clone, Copy, Debug)]
pub(super) struct Doubt {
    pub sigma_m: f64,
    pub sigma_rad: f64,
}

impl Doubt {
    /// Of a displacement that the odometry reports.
    pub fn of(motion: Pose2, params: &GraphParams) -> Self {
        let way_m = motion.x_m.hypot(motion.y_m);
        Self {
            sigma_m: params.odometry_floor_m
                + params.odometry_share * way_m
                + params.odometry_m_per_rad * motion.theta_rad.abs(),
            sigma_rad: params.odometry_floor_rad
                + params.odometry_turn_share * motion.theta_rad.abs()
                + params.odometry_rad_per_m * way_m,
        }
    }
}

/// Matches a scan on a submap; none if it does not fit.
pub(super) fn track(
    submap: &Submap,
    features: &Features,
    predicted: Pose2,
    doubt: Doubt,
    params: &GraphParams,
) -> Option<Matched> {
    let prior = Prior { submap_from_robot: predicted, sigma_m: doubt.sigma_m, sigma_rad: doubt.sigma_rad };
    let start = seed(submap, features, predicted, doubt);
    let from = |start: Pose2| refine(&submap.surfaces, features, start, Some(prior));
    // Where the search went away from the odometry, both are refined: the better fit wins.
    let found = if start == predicted {
        from(start)?
    } else {
        [from(start), from(predicted)]
            .into_iter()
            .flatten()
            .reduce(|a, b| if b.inliers > a.inliers { b } else { a })?
    };
    let off = found.submap_from_robot;
    let shift_m = (off.x_m - predicted.x_m).hypot(off.y_m - predicted.y_m);
    let turn_rad = wrap(off.theta_rad - predicted.theta_rad).abs();
    let is_near = shift_m < 0.15 + 4.0 * doubt.sigma_m && turn_rad < 0.05 + 4.0 * doubt.sigma_rad;
    (is_near && found.inliers >= params.least_inliers).then_some(found)
}

/// The best start for the refinement within two sigma of the odometry.
fn seed(submap: &Submap, features: &Features, predicted: Pose2, doubt: Doubt) -> Pose2 {
    let (shift_m, turn_rad) = (2.0 * doubt.sigma_m, 2.0 * doubt.sigma_rad);
    if shift_m < NARROW_M && turn_rad < NARROW_RAD {
        return predicted;
    }
    let score = |pose: Pose2| {
        let shift = (pose.x_m - predicted.x_m).hypot(pose.y_m - predicted.y_m) / shift_m;
        let turn = wrap(pose.theta_rad - predicted.theta_rad) / turn_rad;
        submap.field.score(&features.points, pose)
            * (1.0 - PENALTY * (shift * shift + turn * turn).min(2.0) / 2.0)
    };
    let coarse = best_around(predicted, (shift_m, COARSE_M), (turn_rad, COARSE_RAD), &score);
    best_around(coarse, (COARSE_M - FINE_M, FINE_M), (COARSE_RAD - FINE_RAD, FINE_RAD), &score)
}

/// The best of a lattice around a pose: (reach, step) of shifts and of turns.
fn best_around(
    middle: Pose2,
    (shift_m, shift_step_m): (f64, f64),
    (turn_rad, turn_step_rad): (f64, f64),
    score: &impl Fn(Pose2) -> f64,
) -> Pose2 {
    let shifts = (shift_m / shift_step_m).round() as i64;
    let turns = (turn_rad / turn_step_rad).round() as i64;
    let (mut best, mut most) = (middle, score(middle));
    for turn in -turns..=turns {
        for dy in -shifts..=shifts {
            for dx in -shifts..=shifts {
                let pose = Pose2::new(
                    middle.x_m + dx as f64 * shift_step_m,
                    middle.y_m + dy as f64 * shift_step_m,
                    wrap(middle.theta_rad + turn as f64 * turn_step_rad),
                );
                let reached = score(pose);
                if reached > most {
                    (best, most) = (pose, reached);
                }
            }
        }
    }
    best
}

//! `point`: closed-form rigid fit of the pairs, round by round.

use align::NearestPoints;
use align::closed_form::{Motion, PointPair, fit as rigid_fit};
use model::{Point2, Pose2};

use super::{FIRST_REACH_M, MAX_ROUNDS, Reference, is_settled, pairs};

/// The reach shrinks by this factor per round down to the last (L-ICP).
const SHRINKING: f64 = 0.8;
const LAST_REACH_M: f64 = 0.05;

/// The displacement, and the share of points with a partner in the last round.
pub(super) fn fit(
    before: &Reference,
    index: &NearestPoints,
    now: &[Point2],
    by_odometry: Pose2,
) -> Option<(Pose2, f64)> {
    let (mut found, mut reach_m, mut inliers) = (by_odometry, FIRST_REACH_M, 0.0);
    for _ in 0..MAX_ROUNDS {
        let paired = pairs(index, now, found, reach_m);
        inliers = paired.len() as f64 / now.len().max(1) as f64;
        let next = step(before, &paired)? * found;
        let is_last = is_settled(found, next);
        found = next;
        if is_last {
            break;
        }
        reach_m = (reach_m * SHRINKING).max(LAST_REACH_M);
    }
    Some((found, inliers))
}

/// The motion that brings the moved points onto their partners.
fn step(before: &Reference, paired: &[super::Pair]) -> Option<Pose2> {
    if paired.len() < 3 {
        return None;
    }
    let pair = |p: &super::Pair| PointPair { in_map: p.moved, in_truth: before.points[p.partner] };
    Some(rigid_fit(&paired.iter().map(pair).collect::<Vec<_>>(), Motion::Rigid)?.pose())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spec_09_e10_one_round_undoes_a_turn_and_a_shift() {
        let points = [(1.0, 0.0), (1.0, 1.0), (2.0, 0.0), (0.0, 2.0)].map(|(x, y)| Point2::new(x, y));
        let moved = points.map(|p| Pose2::new(0.1, 0.0, 5_f64.to_radians()) * p);
        let before = Reference::new(&points, Point2::default());
        let index = NearestPoints::with_reach(&before.points, FIRST_REACH_M).unwrap();
        let paired = pairs(&index, &moved, Pose2::IDENTITY, FIRST_REACH_M);
        assert_eq!(paired.len(), 4);
        let found = step(&before, &paired).unwrap();
        assert!((found.theta_rad.to_degrees() + 5.0).abs() < 1e-9);
        assert!((found.x_m + 0.099_619).abs() < 1e-6 && (found.y_m - 0.008_716).abs() < 1e-6, "{found:?}");
    }
}

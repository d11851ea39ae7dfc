//! Poses between keyframes, carried on by odometry (T-ASSOC `filled`, L-FILL).

use model::Rigid;

use super::lookup::{Association, Fill, Found, FoundBy, SAME_TIME_S, interpolated};
use super::track::Track;

/// A rotation of one radian counts as this much distance travelled (L-FILL).
const METRES_PER_RADIAN: f64 = 0.5;

/// The last pose at or before the time, carried on by the odometry since.
pub(super) fn filled<P: Rigid>(
    track: &Track<P>,
    odometry: &Track<P>,
    time_s: f64,
    association: Association,
) -> Option<Found<P>> {
    let times_s = track.times_s();
    let index = times_s.partition_point(|&t| t <= time_s + SAME_TIME_S).checked_sub(1)?;
    let pose = track.poses()[index];
    if (times_s[index] - time_s).abs() <= SAME_TIME_S {
        return Some(Found { pose, by: FoundBy::Exact, index });
    }
    let reading = |at_s: f64| interpolated(odometry, at_s, association.max_gap_s);
    let start = reading(times_s[index])?.pose;
    let moved = reading(time_s)?.pose.seen_from(start);
    let chained = pose * moved;
    let next = (association.fill == Fill::Spread).then_some(index + 1).filter(|&next| next < track.len());
    let Some(next) = next else { return Some(Found { pose: chained, by: FoundBy::Filled, index }) };
    // E = inverse(m(b)) (+) inverse(x_a) (+) x_b, spread by the ratio of the path that was driven.
    let whole = reading(times_s[next])?.pose.seen_from(start);
    let correction = whole.inverse() * track.poses()[next].seen_from(pose);
    let [driven_m, whole_m] =
        [time_s, times_s[next]].map(|end_s| path_length_m(odometry, times_s[index], end_s));
    let ratio = if whole_m > 0.0 { (driven_m / whole_m).clamp(0.0, 1.0) } else { 0.0 };
    let pose = chained * P::IDENTITY.toward(correction, ratio);
    Some(Found { pose, by: FoundBy::Filled, index })
}

/// Distance travelled by the odometry between two times, rotations included.
fn path_length_m<P: Rigid>(odometry: &Track<P>, from_s: f64, to_s: f64) -> f64 {
    let [first, end] = [from_s, to_s].map(|limit| odometry.times_s().partition_point(|&t| t < limit));
    let inside = &odometry.poses()[first..end.max(first)];
    let step = |pair: &[P]| {
        let moved = pair[1].seen_from(pair[0]);
        moved.distance_m() + METRES_PER_RADIAN * moved.angle_rad()
    };
    inside.windows(2).map(step).sum()
}

#[cfg(test)]
mod tests {
    use model::Pose2;

    use super::super::lookup::{Associate, Lookup};
    use super::*;

    fn track(stamped: &[(f64, f64)]) -> Track<Pose2> {
        Track::new(stamped.iter().map(|&(time_s, x_m)| (time_s, Pose2::new(x_m, 0.0, 0.0))))
    }

    fn at(time_s: f64, fill: Fill) -> Option<Found<Pose2>> {
        // The robot drives 1 m/s; by the mapper the wheels slipped by a tenth.
        let keys = track(&[(0.0, 0.0), (10.0, 9.0)]);
        let wheels: Vec<(f64, f64)> = (0..=120).map(|i| (f64::from(i) / 10.0, f64::from(i) / 10.0)).collect();
        let odometry = track(&wheels);
        let association = Association { rule: Associate::Filled, fill, ..Association::default() };
        Lookup { track: &keys, association, odometry: Some(&odometry) }.at(time_s)
    }

    #[test]
    fn the_last_pose_is_carried_on_by_the_wheels() {
        let found = at(5.0, Fill::Chain).unwrap();
        assert!((found.pose.x_m - 5.0).abs() < 1e-12 && found.by == FoundBy::Filled);
        assert!((at(11.5, Fill::Chain).unwrap().pose.x_m - 10.5).abs() < 1e-12);
        assert_eq!(at(10.0, Fill::Chain).unwrap().by, FoundBy::Exact);
    }

    #[test]
    fn spread_arrives_at_the_next_pose() {
        assert!((at(5.0, Fill::Spread).unwrap().pose.x_m - 4.5).abs() < 0.02);
        assert!((at(9.99, Fill::Spread).unwrap().pose.x_m - 9.0).abs() < 0.02);
    }

    #[test]
    fn before_the_first_pose_and_without_wheels_there_is_none() {
        assert_eq!(at(-0.5, Fill::Chain), None);
        assert_eq!(at(13.0, Fill::Chain), None, "the odometry ends at 12 s");
    }
}

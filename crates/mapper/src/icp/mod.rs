//! L-ICP: the displacement between two scans, started from the odometry. Two kinds: `line` and `point`.

mod line;
mod point;
mod refine;
pub(crate) mod seen_through;

use align::NearestPoints;
use model::{Point2, Pose2, wrap};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) use line::NormalEquations;
pub use refine::{RefinedMatch, measure, refine};

use crate::normals::normals;

/// Which distance is made small.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum IcpKind {
    /// Distance from the line at the matched point, with a prior from the odometry.
    #[default]
    Line,
    /// Distance from the matched point.
    Point,
    /// The odometry is taken as it is.
    Off,
}

/// Largest distance of a pair at first, metres (L-ICP).
const FIRST_REACH_M: f64 = 0.3;
/// Rounds at most (L-ICP).
const MAX_ROUNDS: usize = 30;
/// A match is accepted if this share of the points has a partner (L-ICP),
const MIN_INLIERS: f64 = 0.5;
/// and if it moves the odometry by less than this.
const MAX_SHIFT_M: f64 = 0.3;
const MAX_TURN_RAD: f64 = 15.0 * std::f64::consts::PI / 180.0;
/// It ends when it moves less than this, metres and radians.
const MIN_CHANGE: f64 = 1e-4;

/// The scan before, ready to be matched with.
pub(crate) struct Reference {
    points: Vec<Point2>,
    normals: Vec<Option<Point2>>,
}

impl Reference {
    /// Takes the points of a scan in the robot's frame.
    pub fn new(points: &[Point2], laser: Point2) -> Self {
        Self { points: points.to_vec(), normals: normals(points, laser) }
    }
}

/// The displacement between two scans: the pose of the robot at the second seen from the first; none if the match is
/// not accepted.
pub(crate) fn displacement(
    kind: IcpKind,
    before: &Reference,
    now: &[Point2],
    by_odometry: Pose2,
) -> Option<Pose2> {
    let index = NearestPoints::with_reach(&before.points, FIRST_REACH_M)?;
    let (found, inliers) = match kind {
        IcpKind::Off => return None,
        IcpKind::Line => {
            line::fit(before, &index, now, by_odometry, &line::LineFit::after_odometry(by_odometry))?
        }
        IcpKind::Point => point::fit(before, &index, now, by_odometry)?,
    };
    let shift_m = (found.x_m - by_odometry.x_m).hypot(found.y_m - by_odometry.y_m);
    let turn_rad = wrap(found.theta_rad - by_odometry.theta_rad).abs();
    let is_accepted = inliers >= MIN_INLIERS && shift_m < MAX_SHIFT_M && turn_rad < MAX_TURN_RAD;
    (is_accepted && found.is_finite()).then_some(found)
}

/// A point of the scan now, moved, with the point of the scan before that it is nearest to.
struct Pair {
    moved: Point2,
    partner: usize,
}

fn pairs(index: &NearestPoints, now: &[Point2], before_from_now: Pose2, reach_m: f64) -> Vec<Pair> {
    let (sin, cos) = before_from_now.theta_rad.sin_cos();
    let pair = |point: &Point2| {
        let moved = Point2::new(
            before_from_now.x_m + cos * point.x_m - sin * point.y_m,
            before_from_now.y_m + sin * point.x_m + cos * point.y_m,
        );
        index.nearest_within(moved, reach_m).map(|(partner, _)| Pair { moved, partner })
    };
    now.iter().filter_map(pair).collect()
}

/// Whether a round moved so little that the next would not matter.
fn is_settled(before: Pose2, after: Pose2) -> bool {
    (after.x_m - before.x_m).hypot(after.y_m - before.y_m) < MIN_CHANGE
        && wrap(after.theta_rad - before.theta_rad).abs() < MIN_CHANGE
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two walls of a room and a pillar, seen from the origin.
    fn room() -> Vec<Point2> {
        let mut points: Vec<Point2> = (0..60).map(|i| Point2::new(3.0, -1.5 + f64::from(i) * 0.05)).collect();
        points.extend((1..60).map(|i| Point2::new(3.0 - f64::from(i) * 0.05, 1.45)));
        points
    }

    fn seen_from(points: &[Point2], pose: Pose2) -> Vec<Point2> {
        points.iter().map(|p| pose.inverse() * *p).collect()
    }

    /// Of `line` the prior holds back a part: the least of Σ Cauchy(residual) + prior over the true pairs, found by a
    /// simplex search of another program, is (0.1161, -0.0340, 0.0509).
    #[test]
    fn both_kinds_correct_an_odometry_that_is_wrong() {
        let truth = Pose2::new(0.12, -0.05, 0.06);
        let between = Pose2::new(0.1161, -0.0340, 0.0509);
        let before = Reference::new(&room(), Point2::default());
        let now = seen_from(&room(), truth);
        for (kind, expected, within) in [(IcpKind::Line, between, 0.001), (IcpKind::Point, truth, 0.02)] {
            let found = displacement(kind, &before, &now, Pose2::new(0.1, -0.02, 0.03)).unwrap();
            let error_m = (found.x_m - expected.x_m).hypot(found.y_m - expected.y_m);
            let turned_rad = (found.theta_rad - expected.theta_rad).abs();
            assert!(error_m < within && turned_rad < within.min(0.01), "{kind:?} {found:?}");
        }
    }

    #[test]
    fn a_corridor_keeps_the_odometry_along_it() {
        let walls: Vec<Point2> =
            (0..120).flat_map(|i| [-0.6, 0.6].map(|y| Point2::new(-3.0 + f64::from(i) * 0.05, y))).collect();
        let before = Reference::new(&sorted_by_direction(walls.clone()), Point2::default());
        let now = sorted_by_direction(seen_from(&walls, Pose2::new(0.1, 0.03, 0.0)));
        let found = displacement(IcpKind::Line, &before, &now, Pose2::new(0.2, 0.0, 0.0)).unwrap();
        assert!((found.y_m - 0.03).abs() < 0.005, "{found:?}");
        assert!((found.x_m - 0.2).abs() < 0.05, "{found:?}");
    }

    fn sorted_by_direction(mut points: Vec<Point2>) -> Vec<Point2> {
        points.sort_by(|a, b| a.y_m.atan2(a.x_m).total_cmp(&b.y_m.atan2(b.x_m)));
        points
    }

    #[test]
    fn too_far_too_few_and_nothing_are_refused() {
        let before = Reference::new(&room(), Point2::default());
        for kind in [IcpKind::Line, IcpKind::Point] {
            assert_eq!(displacement(kind, &before, &[], Pose2::IDENTITY), None);
            assert_eq!(displacement(kind, &before, &[Point2::new(50.0, 50.0)], Pose2::IDENTITY), None);
            let nothing = Reference::new(&[], Point2::default());
            assert_eq!(displacement(kind, &nothing, &room(), Pose2::IDENTITY), None);
        }
        assert_eq!(displacement(IcpKind::Off, &before, &room(), Pose2::IDENTITY), None);
    }
}

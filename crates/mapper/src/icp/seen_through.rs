//! Points that lie where another scan looked through: a place that only looks alike gives itself away by them.

use model::{Point2, Pose2};

use crate::Scan;

/// A point this much nearer than what the beams around it met stands in their way, metres. Ours.
const MARGIN_M: f64 = 0.2;
/// Beams further apart than this say nothing about what is between them, radians. Ours: twice two degrees.
const WIDEST_GAP_RAD: f64 = 4.0 * std::f64::consts::PI / 180.0;

/// How far a scan saw in each direction.
pub(crate) struct Outline {
    laser_in_robot: Point2,
    /// Direction and range of each return, by direction.
    returns: Vec<(f64, f64)>,
}

impl Outline {
    pub fn of(scan: &Scan) -> Self {
        Self::of_hits(&scan.hits_in_robot, scan.laser_in_robot)
    }

    pub fn of_hits(hits_in_robot: &[Point2], laser_in_robot: Point2) -> Self {
        let mut outline = Self { laser_in_robot, returns: Vec::new() };
        outline.returns = hits_in_robot.iter().map(|hit| outline.polar(*hit)).collect();
        outline.returns.sort_by(|a, b| a.0.total_cmp(&b.0));
        outline
    }

    fn polar(&self, point: Point2) -> (f64, f64) {
        let (dx, dy) = (point.x_m - self.laser_in_robot.x_m, point.y_m - self.laser_in_robot.y_m);
        (dy.atan2(dx), dx.hypot(dy))
    }

    /// The share of points of another scan, of those between two beams of this one, that these looked through; 0 where
    /// no point lies between beams.
    pub fn share_seen_through(&self, points: &[Point2], robot_from_other: Pose2) -> f64 {
        let (mut looked_at, mut seen_through) = (0_usize, 0_usize);
        for point in points {
            let (direction_rad, range_m) = self.polar(robot_from_other * *point);
            let Some(nearest_m) = self.nearest_of_neighbours(direction_rad) else { continue };
            looked_at += 1;
            seen_through += usize::from(range_m < nearest_m - MARGIN_M);
        }
        seen_through as f64 / looked_at.max(1) as f64
    }

    /// The smaller range of the two returns around a direction.
    fn nearest_of_neighbours(&self, direction_rad: f64) -> Option<f64> {
        let after = self.returns.partition_point(|(at_rad, _)| *at_rad < direction_rad);
        let (&(left_rad, left_m), &(right_rad, right_m)) =
            (self.returns.get(after.checked_sub(1)?)?, self.returns.get(after)?);
        (right_rad - left_rad <= WIDEST_GAP_RAD).then_some(left_m.min(right_m))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pillar_that_was_not_there_is_seen_through() {
        // A wall 3 m ahead, five beams.
        let hits = (-2..=2).map(|k| Point2::new(3.0, f64::from(k) * 0.1)).collect();
        let wall = Outline::of(&Scan { hits_in_robot: hits, ..Scan::default() });
        let share = |points: &[Point2]| wall.share_seen_through(points, Pose2::IDENTITY);
        assert_eq!(share(&[Point2::new(2.0, 0.01), Point2::new(3.0, 0.05)]), 0.5);
        assert_eq!(
            share(&[Point2::new(2.9, 0.01), Point2::new(5.0, 0.0)]),
            0.0,
            "noise, and behind the wall"
        );
        assert_eq!(share(&[Point2::new(1.0, 1.0)]), 0.0, "no beam looked there");
        let nothing = Outline::of(&Scan::default());
        assert_eq!(nothing.share_seen_through(&[Point2::new(1.0, 0.0)], Pose2::IDENTITY), 0.0);
    }
}

//! Best-first branch and bound over shifts and turns of a scan on a submap.
//!
//! Paper: Hess, Kohler, Rapp, Andor 2016, "Real-time loop closure in 2D LIDAR SLAM", section V. Scores are sums of bytes,
//! bounds are exact, ties are broken by the place in the search, so that the result does not depend on anything else.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use model::{Point2, Pose2, wrap};

use super::field::{CELL_M, Pyramid};
use crate::Deadline;

/// Where to look.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window {
    /// Middle of the search.
    pub submap_from_robot: Pose2,
    /// Largest shift along x and along y, metres.
    pub shift_m: f64,
    /// Largest turn, radians.
    pub turn_rad: f64,
}

/// A part of the search that is passed over: near a solution that is known.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known {
    pub submap_from_robot: Pose2,
    pub within_m: f64,
    pub within_rad: f64,
}

/// What was found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Hit {
    pub submap_from_robot: Pose2,
    /// Mean likelihood, 0 to 1.
    pub score: f64,
}

#[derive(PartialEq, Eq)]
struct Branch {
    bound: u32,
    level: usize,
    angle: usize,
    shift: (i64, i64),
}

impl Ord for Branch {
    /// The larger bound first; of equals the finer one, then the one that comes first in the search.
    fn cmp(&self, other: &Self) -> Ordering {
        let key = |branch: &Self| (branch.level, branch.angle, branch.shift);
        self.bound.cmp(&other.bound).then_with(|| key(other).cmp(&key(self)))
    }
}

impl PartialOrd for Branch {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Most branches that are looked at; a search that needs more gives up.
const MAX_BRANCHES: usize = 60_000;

/// Branches between two looks at the clock.
const BRANCHES_PER_LOOK: usize = 256;

/// The pose with the largest score of at least `least`; none if there is none, or if the deadline passes.
pub(super) fn best(
    pyramid: &Pyramid,
    points: &[Point2],
    window: Window,
    least: f64,
    known: Option<Known>,
    deadline: Deadline,
) -> Option<Hit> {
    let farthest_m = points.iter().map(|p| p.x_m.hypot(p.y_m)).fold(1.0, f64::max);
    // The turn that moves the farthest point by one cell (Hess et al., eq. 7).
    let step_rad = (1.0 - CELL_M * CELL_M / (2.0 * farthest_m * farthest_m)).acos();
    let turns = (window.turn_rad / step_rad).ceil() as i64;
    let center = window.submap_from_robot;
    let heading = |angle: usize| wrap(center.theta_rad + (angle as i64 - turns) as f64 * step_rad);
    let turned: Vec<Vec<(i32, i32)>> =
        (0..=2 * turns as usize).map(|angle| cells(points, center, heading(angle))).collect();
    let most = 255 * points.len() as u32;
    let needed = (least * f64::from(most)).ceil() as u32;
    let reach = (window.shift_m / CELL_M).ceil() as i64;
    let pose = |angle: usize, shift: (i64, i64)| {
        Pose2::new(center.x_m + shift.0 as f64 * CELL_M, center.y_m + shift.1 as f64 * CELL_M, heading(angle))
    };
    let mut queue = BinaryHeap::new();
    let add = |queue: &mut BinaryHeap<Branch>, angle: usize, shift: (i64, i64), level: usize| {
        if shift.0 > reach || shift.1 > reach {
            return;
        }
        let bound = pyramid.bound(&turned[angle], shift, level);
        if bound >= needed {
            queue.push(Branch { bound, level, angle, shift });
        }
    };
    let top = pyramid.levels();
    for angle in 0..turned.len() {
        if deadline.is_over() {
            return None;
        }
        for dy in (-reach..=reach).step_by(1 << top) {
            for dx in (-reach..=reach).step_by(1 << top) {
                add(&mut queue, angle, (dx, dy), top);
            }
        }
    }
    for looked_at in 0..MAX_BRANCHES {
        let is_late = looked_at.is_multiple_of(BRANCHES_PER_LOOK) && deadline.is_over();
        let Branch { bound, level, angle, shift } = queue.pop().filter(|_| !is_late)?;
        if level == 0 {
            let submap_from_robot = pose(angle, shift);
            if known.is_some_and(|known| known.covers(submap_from_robot)) {
                continue;
            }
            return Some(Hit { submap_from_robot, score: f64::from(bound) / f64::from(most) });
        }
        let half = 1 << (level - 1);
        for (dx, dy) in [(0, 0), (half, 0), (0, half), (half, half)] {
            add(&mut queue, angle, (shift.0 + dx, shift.1 + dy), level - 1);
        }
    }
    None
}

impl Known {
    fn covers(&self, pose: Pose2) -> bool {
        let known = self.submap_from_robot;
        (pose.x_m - known.x_m).hypot(pose.y_m - known.y_m) <= self.within_m
            && wrap(pose.theta_rad - known.theta_rad).abs() <= self.within_rad
    }
}

fn cells(points: &[Point2], center: Pose2, heading_rad: f64) -> Vec<(i32, i32)> {
    let at = Pose2::new(center.x_m, center.y_m, heading_rad);
    let (sin, cos) = at.theta_rad.sin_cos();
    let cell = |point: &Point2| {
        let x = (at.x_m + cos * point.x_m - sin * point.y_m) / CELL_M;
        let y = (at.y_m + sin * point.x_m + cos * point.y_m) / CELL_M;
        (x.floor() as i32, y.floor() as i32)
    };
    points.iter().map(cell).collect()
}

#[cfg(test)]
mod tests {
    use super::super::field::Field;
    use super::*;

    #[test]
    fn a_room_is_found_metres_away_and_its_only_rival_is_worse() {
        let mut walls: Vec<Point2> = (0..80).map(|i| Point2::new(4.0, -3.0 + f64::from(i) * 0.1)).collect();
        walls.extend((0..60).map(|i| Point2::new(4.0 - f64::from(i) * 0.1, 5.0)));
        walls.extend((0..20).map(|i| Point2::new(1.0 + f64::from(i) * 0.1, -2.0)));
        let mut field = Field::default();
        walls.iter().for_each(|wall| field.add(*wall));
        let pyramid = field.pyramid(5);
        let truth = Pose2::new(0.7, -1.1, 0.3);
        let seen: Vec<Point2> = walls.iter().map(|wall| truth.inverse() * *wall).collect();
        let window = Window { submap_from_robot: Pose2::new(2.5, 0.5, 0.0), shift_m: 4.0, turn_rad: 0.6 };
        let hit = best(&pyramid, &seen, window, 0.5, None, Deadline::NEVER).unwrap();
        let found = hit.submap_from_robot;
        assert!((found.x_m - truth.x_m).hypot(found.y_m - truth.y_m) < 0.11, "{hit:?}");
        assert!((found.theta_rad - truth.theta_rad).abs() < 0.02 && hit.score > 0.8);
        let known = Known { submap_from_robot: found, within_m: 0.5, within_rad: 0.2 };
        let rival = best(&pyramid, &seen, window, 0.0, Some(known), Deadline::NEVER).unwrap();
        assert!(rival.score < 0.8 * hit.score, "{rival:?}");
        assert!(best(&pyramid, &seen, window, 0.999_9, Some(known), Deadline::NEVER).is_none());
        assert!(best(&pyramid, &seen, window, 0.5, None, Deadline::after(0.0)).is_none(), "too late");
    }
}

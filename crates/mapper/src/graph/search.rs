//! Best-first branch and bound over shifts and turns of a scan on a submap.
//!
//! Paper: Hess, Kohler, Rapp, Andor 2016, "Real-time loop closure in 2D LIDAR SLAM", section V. Scores are sums of bytes,
//! bounds are exact, ties are broken by the place in the search, so that the result does not depend on anything else.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use model::{Point2, Pose2, wrap};

use super::field::{CELL_M, Pyramid, whole};
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
    /// Headings are at least so far apart, radians; 0 takes as many as tell the cells of the farthest point apart.
    pub min_step_rad: f64,
    /// How much less a place at the edge of the window counts than its middle: this ratio of the score, growing with the
    /// square of the distance.
    pub penalty: f64,
    /// Branches that are looked at; a search that needs more gives up.
    pub max_branches: usize,
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
    level: u32,
    angle: u32,
    shift: (i32, i32),
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
    let mut search = Search::new(pyramid, points, window, least);
    search.begin(deadline)?;
    search.next(known.as_slice(), deadline)
}

/// Up to so many poses with the largest scores, so many metres or radians apart from each other, the best first.
pub(super) fn best_of_all(
    pyramid: &Pyramid,
    points: &[Point2],
    window: Window,
    least: f64,
    (count, (within_m, within_rad)): (usize, (f64, f64)),
    deadline: Deadline,
) -> Vec<Hit> {
    let mut search = Search::new(pyramid, points, window, least);
    let (mut hits, mut known) = (Vec::new(), Vec::new());
    if search.begin(deadline).is_none() {
        return hits;
    }
    while hits.len() < count {
        let Some(hit) = search.next(&known, deadline) else { break };
        hits.push(hit);
        known.push(Known { submap_from_robot: hit.submap_from_robot, within_m, within_rad });
    }
    hits
}

struct Search<'a> {
    pyramid: &'a Pyramid,
    window: Window,
    step_rad: f64,
    /// Headings to each side of the middle.
    turns: i32,
    /// The points as cells, at each heading.
    turned: Vec<Vec<(i32, i32)>>,
    /// Largest shift, cells.
    reach: i32,
    /// Bounds below this are not looked at.
    needed: u32,
    /// The sum that a score of 1 has.
    most: u32,
    queue: BinaryHeap<Branch>,
    looked_at: usize,
}

impl<'a> Search<'a> {
    fn new(pyramid: &'a Pyramid, points: &[Point2], window: Window, least: f64) -> Self {
        let most = 255 * points.len() as u32;
        let needed = (least * f64::from(most)).ceil() as u32;
        let farthest_m = points.iter().map(|p| p.x_m.hypot(p.y_m)).fold(1.0, f64::max);
        // The turn that moves the farthest point by one cell (Hess et al., eq. 7).
        let step_rad =
            (1.0 - CELL_M * CELL_M / (2.0 * farthest_m * farthest_m)).acos().max(window.min_step_rad);
        let turns = (window.turn_rad / step_rad).ceil() as i32;
        let reach = (window.shift_m / CELL_M).ceil() as i32;
        let (turned, queue) = (Vec::new(), BinaryHeap::new());
        let looked_at = 0;
        let mut search =
            Self { pyramid, window, step_rad, turns, turned, reach, needed, most, queue, looked_at };
        let at = |angle: u32| cells(points, search.pose(angle, (0, 0)));
        search.turned = (0..=2 * turns as u32).map(at).collect();
        search
    }

    /// Adds the largest squares of shifts at every heading; none if the deadline passes.
    fn begin(&mut self, deadline: Deadline) -> Option<()> {
        let top = self.pyramid.levels() as u32;
        for angle in 0..self.turned.len() as u32 {
            if deadline.is_over() {
                return None;
            }
            for dy in (-self.reach..=self.reach).step_by(1 << top) {
                for dx in (-self.reach..=self.reach).step_by(1 << top) {
                    self.add(angle, (dx, dy), top);
                }
            }
        }
        Some(())
    }

    /// The best pose that was not told yet and is not near those that are known.
    fn next(&mut self, known: &[Known], deadline: Deadline) -> Option<Hit> {
        while self.looked_at < self.window.max_branches {
            let is_late = self.looked_at.is_multiple_of(BRANCHES_PER_LOOK) && deadline.is_over();
            self.looked_at += 1;
            let Branch { bound, level, angle, shift } = self.queue.pop().filter(|_| !is_late)?;
            if level == 0 {
                let submap_from_robot = self.pose(angle, shift);
                if known.iter().any(|known| known.covers(submap_from_robot)) {
                    continue;
                }
                return Some(Hit { submap_from_robot, score: f64::from(bound) / f64::from(self.most) });
            }
            let half = 1 << (level - 1);
            for (dx, dy) in [(0, 0), (half, 0), (0, half), (half, half)] {
                self.add(angle, (shift.0 + dx, shift.1 + dy), level - 1);
            }
        }
        None
    }

    fn turn_rad(&self, angle: u32) -> f64 {
        f64::from(angle as i32 - self.turns) * self.step_rad
    }

    fn pose(&self, angle: u32, shift: (i32, i32)) -> Pose2 {
        let center = self.window.submap_from_robot;
        let at = |from_m: f64, cells: i32| from_m + f64::from(cells) * CELL_M;
        let heading_rad = wrap(center.theta_rad + self.turn_rad(angle));
        Pose2::new(at(center.x_m, shift.0), at(center.y_m, shift.1), heading_rad)
    }

    fn add(&mut self, angle: u32, shift: (i32, i32), level: u32) {
        if shift.0 > self.reach || shift.1 > self.reach {
            return;
        }
        let factor = self.window.factor(shift, (1 << level) - 1, self.turn_rad(angle));
        let sum = self.pyramid.bound(&self.turned[angle as usize], shift, level as usize);
        let bound = (f64::from(sum) * factor).ceil() as u32;
        if bound >= self.needed {
            self.queue.push(Branch { bound, level, angle, shift });
        }
    }
}

impl Window {
    /// The largest factor of the score among shifts from one to so many cells further in both directions, at a turn.
    fn factor(&self, shift: (i32, i32), further: i32, turn_rad: f64) -> f64 {
        let nearest_m = |from: i32| f64::from(0.max(from).max(-(from + further))) * CELL_M;
        let (x, y) = (nearest_m(shift.0) / self.shift_m, nearest_m(shift.1) / self.shift_m);
        let turn = turn_rad / self.turn_rad;
        1.0 - self.penalty * (x * x + y * y + turn * turn).min(2.0) / 2.0
    }
}

impl Known {
    fn covers(&self, pose: Pose2) -> bool {
        let known = self.submap_from_robot;
        (pose.x_m - known.x_m).hypot(pose.y_m - known.y_m) <= self.within_m
            && wrap(pose.theta_rad - known.theta_rad).abs() <= self.within_rad
    }
}

fn cells(points: &[Point2], at: Pose2) -> Vec<(i32, i32)> {
    let (sin, cos) = at.theta_rad.sin_cos();
    let cell = |point: &Point2| {
        let x = (at.x_m + cos * point.x_m - sin * point.y_m) / CELL_M;
        let y = (at.y_m + sin * point.x_m + cos * point.y_m) / CELL_M;
        (whole(x) as i32, whole(y) as i32)
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
        let window = Window {
            submap_from_robot: Pose2::new(2.5, 0.5, 0.0),
            shift_m: 4.0,
            turn_rad: 0.6,
            min_step_rad: 0.0,
            penalty: 0.0,
            max_branches: 60_000,
        };
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

    #[test]
    fn a_penalised_search_finds_the_best_of_all_places() {
        let mut random = model::SeededRng::new(8);
        let mut field = Field::default();
        let mut place = |reach: f64| reach * (2.0 * random.uniform() - 1.0);
        (0..150).for_each(|_| field.add(Point2::new(place(3.0), place(3.0))));
        let points: Vec<Point2> = (0..40).map(|_| Point2::new(place(2.0), place(2.0))).collect();
        let window = Window {
            submap_from_robot: Pose2::new(0.02, -0.03, 0.1),
            shift_m: 0.8,
            turn_rad: 0.3,
            min_step_rad: 0.0,
            penalty: 0.2,
            max_branches: 60_000,
        };
        let hit = best(&field.pyramid(3), &points, window, 0.0, None, Deadline::NEVER).unwrap();
        let farthest_m = points.iter().map(|p| p.x_m.hypot(p.y_m)).fold(1.0, f64::max);
        let step_rad = (1.0 - CELL_M * CELL_M / (2.0 * farthest_m * farthest_m)).acos();
        let turns = (window.turn_rad / step_rad).ceil() as i64;
        let mut all = 0.0_f64;
        for turn in -turns..=turns {
            for (dx, dy) in (-8..=8_i64).flat_map(|dy| (-8..=8_i64).map(move |dx| (dx, dy))) {
                let turn_rad = turn as f64 * step_rad;
                let pose = Pose2::new(0.02 + dx as f64 * CELL_M, dy as f64 * CELL_M - 0.03, 0.1 + turn_rad);
                let off = (dx * dx + dy * dy) as f64 * CELL_M * CELL_M / 0.64 + (turn_rad / 0.3).powi(2);
                all = all.max(field.score(&points, pose) * (1.0 - 0.1 * off.min(2.0)));
            }
        }
        // Bounds are rounded up to whole sums of bytes.
        assert!((hit.score - all).abs() <= 1.5 / (255.0 * 40.0), "{} {all}", hit.score);
    }
}

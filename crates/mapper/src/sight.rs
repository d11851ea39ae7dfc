//! How far a scan saw in each direction, and how another scan agrees with it at given poses.

use model::{Point2, Pose2};

use crate::Scan;

/// Points of a scan that are kept. Ours: two degrees of a half circle are 90.
const POINTS: usize = 180;
/// A point this much nearer than what the beams around it met stands in their way, metres. Ours: far above the noise of a
/// scanner and of a sound map.
const MARGIN_M: f64 = 0.2;
/// A point this near to a return of the other scan agrees with it, metres.
const AGREES_M: f64 = 0.1;
/// Beams further apart than this say nothing about what is between them, radians. Ours: twice two degrees.
const WIDEST_GAP_RAD: f64 = 4.0 * std::f64::consts::PI / 180.0;
/// Returns whose direction differs by less than this are compared with a point in space, radians: near the laser all that is
/// within reach of the point would be a half circle.
const MAX_BESIDE_RAD: f64 = 0.5;

/// A return, seen from the laser.
#[derive(Clone, Copy, Debug)]
struct Return {
    direction_rad: f32,
    range_m: f32,
}

/// The returns of a scan by direction.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sight {
    laser_in_robot: Point2,
    returns: Vec<Return>,
}

/// Points of two scans, by what the other scan says to them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Agreement {
    /// Points that lie on a return of the other.
    pub agree: usize,
    /// Points that the other looked through.
    pub contradict: usize,
}

impl Agreement {
    pub fn and(self, other: Self) -> Self {
        Self { agree: self.agree + other.agree, contradict: self.contradict + other.contradict }
    }

    /// Share of the points that are contradicted, of those that are contradicted or confirmed.
    pub fn contradicted(self) -> Option<f64> {
        let told = self.agree + self.contradict;
        (told > 0).then(|| self.contradict as f64 / told as f64)
    }
}

impl Sight {
    pub fn of(scan: &Scan) -> Self {
        Self::of_hits(&scan.hits_in_robot, scan.laser_in_robot)
    }

    pub fn of_hits(hits_in_robot: &[Point2], laser_in_robot: Point2) -> Self {
        let every = hits_in_robot.len().div_ceil(POINTS).max(1);
        let laser = laser_in_robot;
        let seen = |hit: &Point2| {
            let (dx, dy) = (hit.x_m - laser.x_m, hit.y_m - laser.y_m);
            Return { direction_rad: dy.atan2(dx) as f32, range_m: dx.hypot(dy) as f32 }
        };
        let mut returns: Vec<Return> = hits_in_robot.iter().step_by(every).map(seen).collect();
        returns.sort_by(|a, b| a.direction_rad.total_cmp(&b.direction_rad));
        Self { laser_in_robot: laser, returns }
    }

    /// What each of two scans says to the points of the other.
    pub fn agreement(&self, other: &Self, robot_from_other: Pose2) -> Agreement {
        let mut sum = Agreement::default();
        self.judge(other, robot_from_other, &mut sum);
        other.judge(self, robot_from_other.inverse(), &mut sum);
        sum
    }

    /// What this scan says to the points of another.
    fn judge(&self, other: &Self, robot_from_other: Pose2, sum: &mut Agreement) {
        let (sin, cos) = robot_from_other.theta_rad.sin_cos();
        for point in &other.returns {
            let (along, aside) = (f64::from(point.direction_rad).cos(), f64::from(point.direction_rad).sin());
            let range_m = f64::from(point.range_m);
            let (x_m, y_m) =
                (other.laser_in_robot.x_m + range_m * along, other.laser_in_robot.y_m + range_m * aside);
            let dx = robot_from_other.x_m + cos * x_m - sin * y_m - self.laser_in_robot.x_m;
            let dy = robot_from_other.y_m + sin * x_m + cos * y_m - self.laser_in_robot.y_m;
            match self.tell(dy.atan2(dx), dx.hypot(dy)) {
                Some(true) => sum.agree += 1,
                Some(false) => sum.contradict += 1,
                None => {}
            }
        }
    }

    /// Whether a point is on a return, or is looked through; none where neither is known.
    fn tell(&self, direction_rad: f64, range_m: f64) -> Option<bool> {
        let after = self.returns.partition_point(|seen| f64::from(seen.direction_rad) < direction_rad);
        let (left, right) = (self.returns.get(after.checked_sub(1)?)?, self.returns.get(after)?);
        if f64::from(right.direction_rad - left.direction_rad) > WIDEST_GAP_RAD {
            return None;
        }
        // A wall that is met at a grazing angle is near in space, though its range differs: all within the margin counts.
        let reach_rad = (MARGIN_M / range_m.max(MARGIN_M)).asin().min(MAX_BESIDE_RAD);
        let first =
            self.returns.partition_point(|seen| f64::from(seen.direction_rad) < direction_rad - reach_rad);
        let end =
            self.returns.partition_point(|seen| f64::from(seen.direction_rad) <= direction_rad + reach_rad);
        // The neighbours too, where beams lie wide apart.
        let beside = &self.returns[first.min(after - 1)..end.max(after + 1)];
        let off_m = |seen: &Return| {
            let (range, turn) = (f64::from(seen.range_m), f64::from(seen.direction_rad) - direction_rad);
            // The law of cosines.
            (range * range + range_m * range_m - 2.0 * range * range_m * turn.cos()).max(0.0).sqrt()
        };
        let nearest_m = beside.iter().map(off_m).fold(f64::INFINITY, f64::min);
        if nearest_m <= AGREES_M {
            return Some(true);
        }
        let is_before = range_m + MARGIN_M < f64::from(left.range_m.min(right.range_m));
        (is_before && nearest_m > MARGIN_M).then_some(false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wall(at_m: f64) -> Sight {
        let hits = (-20..=20).map(|k| Point2::new(at_m, f64::from(k) * 0.05)).collect();
        Sight::of(&Scan { hits_in_robot: hits, ..Scan::default() })
    }

    #[test]
    fn a_wall_agrees_with_itself_and_a_nearer_one_was_looked_through() {
        let here = Pose2::IDENTITY;
        // The outermost points have no beam beside them; so of 41 points 39 are told by each side.
        let same = wall(3.0).agreement(&wall(3.0), here);
        assert_eq!(same.contradict, 0);
        assert!(same.agree >= 2 * 39, "{same:?}");
        let nearer = wall(3.0).agreement(&wall(2.5), here);
        assert!(nearer.contradict >= 30 && nearer.agree == 0, "{nearer:?}");
        let moved = wall(3.0).agreement(&wall(2.5), Pose2::new(0.5, 0.0, 0.0));
        assert_eq!(moved.contradicted(), Some(0.0));
        assert_eq!(Sight::default().agreement(&wall(3.0), here).contradicted(), None);
    }

    #[test]
    fn a_grazing_wall_that_is_a_little_off_is_not_contradicted() {
        // A wall 0.5 m to the left, seen ahead up to 8 m; 0.08 m aside its far points differ in range by a metre.
        let hits = |off_m: f64| (10..160).map(|k| Point2::new(f64::from(k) * 0.05, 0.5 + off_m)).collect();
        let sight = |off_m: f64| Sight::of(&Scan { hits_in_robot: hits(off_m), ..Scan::default() });
        let found = sight(0.0).agreement(&sight(-0.08), Pose2::IDENTITY);
        assert!(found.contradicted().is_some_and(|share| share < 0.05), "{found:?}");
    }
}

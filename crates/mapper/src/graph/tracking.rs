//! Where the robot is now: the odometry, a coarse search where it is weak, and a match with the present submap.
//!
//! Where there is no odometry the robot is expected to go on as it did, and the search is as wide as it can have changed its
//! mind since.

use model::{Point2, Pose2, wrap};

use crate::Deadline;

use super::scan_match::{Features, Matched, Prior, refine};
use super::search::{Window, best};
use super::second_look;
use super::submap::Submap;
use super::{DEGREE, STILL_M, STILL_RAD};

/// Points of the scan that a search looks at, branches that it takes at most, and the mean likelihood below which a place is none.
/// Ours.
const SEARCH_POINTS: usize = 120;
const MAX_BRANCHES: usize = 10_000;
const MIN_SCORE: f64 = 0.1;
/// Headings of a search are so far apart, radians.
const STEP_RAD: f64 = DEGREE;
/// Steps of the search around the best cell and heading, metres and radians.
const FINE_M: f64 = 0.05;
const FINE_RAD: f64 = 0.5 * DEGREE;
/// Below these there is nothing to search: the refinement reaches that far by itself.
const NARROW_M: f64 = 0.1;
const NARROW_RAD: f64 = 3.0 * std::f64::consts::PI / 180.0;
/// Largest window of the search. Where the odometry may be off by twice as much the search
/// would find the place by luck only, so there is none.
const MAX_WINDOW_M: f64 = 2.0;
const MAX_WINDOW_RAD: f64 = 60.0 * DEGREE;
/// How much a pose at the edge of the window must be better than the odometry's: this share of the score.
const PENALTY: f64 = 0.2;

/// Standard deviation of a displacement of the odometry, metres: however short it is (the prior of L-ICP), per metre
/// (L-ICP), and per radian, since a laser does not sit where the robot turns (ours).
const SIGMA_M: f64 = 0.01;
const SIGMA_M_PER_M: f64 = 0.15;
const SIGMA_M_PER_RAD: f64 = 0.1;
/// The same of its heading, radians: at least, per radian, and per metre (all L-ICP).
const SIGMA_RAD: f64 = 0.5 * DEGREE;
const SIGMA_RAD_PER_RAD: f64 = 0.05;
const SIGMA_RAD_PER_M: f64 = 5.0 * DEGREE;
/// A match is considered from this ratio of points on a surface. Ours.
const MIN_INLIERS: f64 = 0.25;
/// A match is accepted within this of the odometry, metres and radians, plus so many standard deviations. Ours.
const MAX_OFF_M: f64 = 0.15;
const MAX_OFF_RAD: f64 = 0.05;
const MAX_SIGMAS: f64 = 4.0;
/// Standard deviation of a displacement that is expected without odometry: at least, and per second since the last match.
/// Ours: two of them are what a robot of 1 m/s and 1 rad/s that stops or starts can differ.
const UNKNOWN_M: f64 = 0.05;
const UNKNOWN_M_PER_S: f64 = 0.5;
const UNKNOWN_RAD: f64 = 0.05;
const UNKNOWN_RAD_PER_S: f64 = 0.5;
/// Most seconds that widen it.
const MAX_UNKNOWN_S: f64 = 1.5;
/// The motion of a step is carried over to one of at most so many times its length in time.
const MAX_TIME_RATIO: f64 = 3.0;

/// The last motion of the robot.
#[derive(Clone, Copy, Debug)]
pub(super) struct LastMotion {
    pub moved: Pose2,
    /// Time that it took, seconds.
    pub took_s: f64,
    /// Time of the last scan, and of the last one that was matched, seconds.
    pub time_s: f64,
    pub matched_s: f64,
}

impl LastMotion {
    /// A robot that stands.
    pub const fn at(time_s: f64) -> Self {
        Self { moved: Pose2::IDENTITY, took_s: 0.0, time_s, matched_s: time_s }
    }

    /// The motion up to a time at constant velocity, with what it may differ.
    pub fn carried_on(&self, time_s: f64) -> (Pose2, OdometryError) {
        let moved = self.moved;
        let is_still = moved.x_m.hypot(moved.y_m) < STILL_M && moved.theta_rad.abs() < STILL_RAD;
        let ratio = (time_s - self.time_s) / self.took_s;
        let ratio = if is_still || !ratio.is_finite() { 0.0 } else { ratio.clamp(0.0, MAX_TIME_RATIO) };
        let motion = Pose2::new(ratio * moved.x_m, ratio * moved.y_m, ratio * moved.theta_rad);
        let unknown_s = (time_s - self.matched_s).abs().min(MAX_UNKNOWN_S);
        let sigma_m = UNKNOWN_M + UNKNOWN_M_PER_S * unknown_s;
        let sigma_rad = UNKNOWN_RAD + UNKNOWN_RAD_PER_S * unknown_s;
        (motion, OdometryError { sigma_m, sigma_rad })
    }

    /// After a scan at a time, to which the robot moved.
    pub fn next(&self, time_s: f64, moved: Pose2, is_known: bool) -> Self {
        // A robot that nothing has moved is expected to stand.
        let moved = if is_known { moved } else { Pose2::IDENTITY };
        let matched_s = if is_known { time_s } else { self.matched_s };
        Self { moved, took_s: time_s - self.time_s, time_s, matched_s }
    }
}

/// Standard deviations of a displacement that the odometry reports.
#[derive(Clone, Copy, Debug)]
pub(super) struct OdometryError {
    pub sigma_m: f64,
    pub sigma_rad: f64,
}

impl OdometryError {
    /// Of two displacements one after the other, whose errors may have one cause.
    pub fn and(self, other: Self) -> Self {
        Self { sigma_m: self.sigma_m + other.sigma_m, sigma_rad: self.sigma_rad + other.sigma_rad }
    }

    pub fn of(motion: Pose2) -> Self {
        let distance_m = motion.x_m.hypot(motion.y_m);
        let turn_rad = motion.theta_rad.abs();
        Self {
            sigma_m: SIGMA_M + SIGMA_M_PER_M * distance_m + SIGMA_M_PER_RAD * turn_rad,
            sigma_rad: SIGMA_RAD + SIGMA_RAD_PER_RAD * turn_rad + SIGMA_RAD_PER_M * distance_m,
        }
    }
}

/// Matches a scan with a submap; none if it does not fit.
pub(super) fn track(
    submap: &Submap,
    features: &Features,
    predicted: Pose2,
    error: OdometryError,
    deadline: Deadline,
) -> Option<Matched> {
    let found = near_odometry(submap, features, predicted, error, deadline);
    let is_near = |found: &Matched| {
        let off = found.submap_from_robot;
        let shift_m = (off.x_m - predicted.x_m).hypot(off.y_m - predicted.y_m);
        let turn_rad = wrap(off.theta_rad - predicted.theta_rad).abs();
        shift_m < MAX_OFF_M + MAX_SIGMAS * error.sigma_m
            && turn_rad < MAX_OFF_RAD + MAX_SIGMAS * error.sigma_rad
    };
    let near = found.filter(is_near);
    let inliers = near.map_or(0.0, |near| near.inliers);
    let near = near.filter(|near| near.inliers >= MIN_INLIERS);
    second_look::confirmed(submap, features, (predicted, error), (near, inliers), deadline)
}

fn near_odometry(
    submap: &Submap,
    features: &Features,
    predicted: Pose2,
    error: OdometryError,
    deadline: Deadline,
) -> Option<Matched> {
    let prior = Prior { submap_from_robot: predicted, sigma_m: error.sigma_m, sigma_rad: error.sigma_rad };
    let start = seed(submap, features, predicted, error, deadline);
    let from = |start: Pose2| refine(&submap.surfaces, features, start, Some(prior));
    // Where the search went away from the odometry, both are refined: the better fit wins.
    if start == predicted {
        return from(start);
    }
    let both = [from(start), from(predicted)].into_iter().flatten();
    both.reduce(|a, b| if b.inliers > a.inliers { b } else { a })
}

/// The best start for the refinement within two sigma of the odometry.
fn seed(
    submap: &Submap,
    features: &Features,
    predicted: Pose2,
    error: OdometryError,
    deadline: Deadline,
) -> Pose2 {
    let shift_m = (2.0 * error.sigma_m).min(MAX_WINDOW_M);
    let turn_rad = (2.0 * error.sigma_rad).min(MAX_WINDOW_RAD);
    let is_hopeless = error.sigma_m > MAX_WINDOW_M;
    if is_hopeless || shift_m < NARROW_M && turn_rad < NARROW_RAD {
        return predicted;
    }
    around(submap, &features.points, predicted, (shift_m, turn_rad), deadline)
}

/// The place in a window around a pose, so many metres and radians to each side, that points fit best, the less likely the
/// further away it is; the middle where the search gives up.
pub(super) fn around(
    submap: &Submap,
    points: &[Point2],
    predicted: Pose2,
    (shift_m, turn_rad): (f64, f64),
    deadline: Deadline,
) -> Pose2 {
    if points.is_empty() {
        return predicted;
    }
    let every = points.len().div_ceil(SEARCH_POINTS);
    let points: Vec<Point2> = points.iter().copied().step_by(every).collect();
    let window = Window {
        submap_from_robot: predicted,
        shift_m,
        turn_rad,
        min_step_rad: STEP_RAD,
        penalty: PENALTY,
        max_branches: MAX_BRANCHES,
    };
    let Some(found) = best(submap.pyramid(), &points, window, MIN_SCORE, None, deadline) else {
        return predicted;
    };
    let score = penalised(submap, &points, predicted, (shift_m, turn_rad));
    best_around(found.submap_from_robot, &score)
}

/// The likelihood of points at a pose, less the further it is from where the odometry puts the robot: a share of
/// [`PENALTY`] at so many metres and radians.
fn penalised<'a>(
    submap: &'a Submap,
    points: &'a [Point2],
    predicted: Pose2,
    (shift_m, turn_rad): (f64, f64),
) -> impl Fn(Pose2) -> f64 + 'a {
    move |pose: Pose2| {
        let shift = (pose.x_m - predicted.x_m).hypot(pose.y_m - predicted.y_m) / shift_m;
        let turn = wrap(pose.theta_rad - predicted.theta_rad) / turn_rad;
        submap.field.score(points, pose) * (1.0 - PENALTY * (shift * shift + turn * turn).min(2.0) / 2.0)
    }
}

/// The best of the poses half a cell and half a degree around one.
fn best_around(middle: Pose2, score: &impl Fn(Pose2) -> f64) -> Pose2 {
    let (mut best, mut best_score) = (middle, score(middle));
    for turn in [-1.0, 0.0, 1.0] {
        for (dx, dy) in (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (dx, dy))) {
            let pose = Pose2::new(
                middle.x_m + f64::from(dx) * FINE_M,
                middle.y_m + f64::from(dy) * FINE_M,
                wrap(middle.theta_rad + turn * FINE_RAD),
            );
            let reached = score(pose);
            if reached > best_score {
                (best, best_score) = (pose, reached);
            }
        }
    }
    best
}

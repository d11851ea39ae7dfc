//! Where a robot is expected after a step, and how well that is known: by its odometry, or without it by how it moved before.

use model::Pose2;

use super::{DEGREE, STILL_M, STILL_RAD};

/// Standard deviation of a displacement of the odometry, metres: however short it is (the prior of L-ICP), per metre
/// (L-ICP), and per radian, since a laser does not sit where the robot turns (ours).
const SIGMA_M: f64 = 0.01;
const SIGMA_M_PER_M: f64 = 0.15;
const SIGMA_M_PER_RAD: f64 = 0.1;
/// The same of its heading, radians: at least, per radian, and per metre (all L-ICP).
const SIGMA_RAD: f64 = 0.5 * DEGREE;
const SIGMA_RAD_PER_RAD: f64 = 0.05;
const SIGMA_RAD_PER_M: f64 = 5.0 * DEGREE;
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

/// A displacement that is expected.
#[derive(Clone, Copy, Debug)]
pub(super) struct Expected {
    pub motion: Pose2,
    pub error: OdometryError,
    pub source: MotionSource,
}

/// What an expectation rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MotionSource {
    Odometry,
    /// How the robot moved before: it may as well stand now.
    LastMotion,
}

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
    pub fn carried_on(&self, time_s: f64) -> Expected {
        let moved = self.moved;
        let is_still = moved.x_m.hypot(moved.y_m) < STILL_M && moved.theta_rad.abs() < STILL_RAD;
        let ratio = (time_s - self.time_s) / self.took_s;
        let ratio = if is_still || !ratio.is_finite() { 0.0 } else { ratio.clamp(0.0, MAX_TIME_RATIO) };
        let motion = Pose2::new(ratio * moved.x_m, ratio * moved.y_m, ratio * moved.theta_rad);
        let unknown_s = (time_s - self.matched_s).abs().min(MAX_UNKNOWN_S);
        let sigma_m = UNKNOWN_M + UNKNOWN_M_PER_S * unknown_s;
        let sigma_rad = UNKNOWN_RAD + UNKNOWN_RAD_PER_S * unknown_s;
        Expected { motion, error: OdometryError { sigma_m, sigma_rad }, source: MotionSource::LastMotion }
    }

    /// After a scan at a time, to which the robot moved.
    pub fn next(&self, time_s: f64, moved: Pose2, is_known: bool) -> Self {
        // A robot that nothing has moved is expected to stand.
        let moved = if is_known { moved } else { Pose2::IDENTITY };
        let matched_s = if is_known { time_s } else { self.matched_s };
        Self { moved, took_s: time_s - self.time_s, time_s, matched_s }
    }
}

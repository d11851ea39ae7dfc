//! Steps of the odometry that no robot can drive: a reset, a robot that was carried, a wrong clock.

use model::{Pose2, wrap};

use crate::{Mapper, OdometrySource, Scan, Step};

/// What a robot can drive at most: so far, and so far per second. Ours: no robot that maps indoors does a third of it.
const MAX_STEP_M: f64 = 1.0;
const MAX_SPEED_MPS: f64 = 10.0;
const MAX_TURN_RAD: f64 = 1.0;
const MAX_TURN_RATE_RADPS: f64 = 10.0;
/// Scans that are nearer in time than this are taken to be so far apart, seconds; and those whose stamps do not advance, as in
/// logs without times.
const MIN_TIME_S: f64 = 0.1;
const UNKNOWN_TIME_S: f64 = 1.0;
/// After a longer pause no more is believed than after this one, seconds. Ours: in 200 m the odometry is off by more than any
/// search around it can find.
const MAX_TIME_S: f64 = 20.0;

/// A longer step, metres and radians, is a motion. Ours: far below what a scanner can tell.
const MOVED_M: f64 = 1e-3;
const MOVED_RAD: f64 = 1e-3;

/// A step that no robot can drive.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OdometryJump {
    /// Time of the scan after it, seconds.
    pub time_s: f64,
    /// Time since the scan before, seconds.
    pub since_s: f64,
    /// Its length, metres.
    pub distance_m: f64,
    /// Its turn, radians.
    pub turn_rad: f64,
}

/// The odometry of scan after scan.
#[derive(Clone, Copy, Debug, Default)]
pub struct JumpDetector {
    before: Option<(f64, Pose2)>,
    has_moved: bool,
}

impl JumpDetector {
    /// Whether any step so far was more than noise.
    #[must_use]
    pub const fn has_moved(&self) -> bool {
        self.has_moved
    }

    /// Steps a mapper with the odometry where it can be believed: not over a jump, and not where the log has none. The jump
    /// is told.
    pub fn step(
        &mut self,
        mapper: &mut dyn Mapper,
        scan: &Scan,
        odom_from_robot: Pose2,
        source: OdometrySource,
    ) -> (Step, Option<OdometryJump>) {
        let jump = self.next(scan.time_s, odom_from_robot);
        let step = if source == OdometrySource::None || jump.is_some() {
            mapper.step_without_odometry(scan)
        } else {
            mapper.step(scan, odom_from_robot)
        };
        (step, jump)
    }

    /// Takes the odometry of the next scan; the step to it where no robot can drive it.
    pub fn next(&mut self, time_s: f64, odom_from_robot: Pose2) -> Option<OdometryJump> {
        let (before_s, before) = self.before.replace((time_s, odom_from_robot))?;
        let step = before.inverse() * odom_from_robot;
        let (distance_m, turn_rad) = (step.x_m.hypot(step.y_m), wrap(step.theta_rad).abs());
        self.has_moved |= distance_m > MOVED_M || turn_rad > MOVED_RAD;
        let since_s = time_s - before_s;
        let driven_s = if since_s > 0.0 { since_s.clamp(MIN_TIME_S, MAX_TIME_S) } else { UNKNOWN_TIME_S };
        let is_jump = distance_m > MAX_STEP_M + MAX_SPEED_MPS * driven_s
            || turn_rad > MAX_TURN_RAD + MAX_TURN_RATE_RADPS * driven_s;
        is_jump.then_some(OdometryJump { time_s, since_s, distance_m, turn_rad })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reset_is_a_jump_and_a_pause_is_none() {
        let mut detector = JumpDetector::default();
        let mut next = |time_s: f64, x_m: f64, theta_rad: f64| {
            detector.next(time_s, Pose2::new(x_m, 0.0, theta_rad)).map(|jump| jump.distance_m)
        };
        assert_eq!(next(0.0, 50.0, 0.0), None, "the first scan comes from nowhere");
        assert_eq!(next(0.1, 50.1, 0.0), None);
        assert_eq!(next(0.2, 0.1, 0.0), Some(50.0));
        assert_eq!(next(0.3, 0.2, 0.0), None);
        assert_eq!(next(20.0, 100.0, 0.0), None, "19.7 s at 5 m/s");
        assert_eq!(next(20.0, 104.5, 0.0), None, "a log without times may have steps of some metres");
        assert!(next(20.0, 54.5, 0.0).is_some() && next(20.1, 54.5, 0.0).is_none());
        assert!(next(20.2, 54.5, 3.0).is_some(), "a turn of 172 degrees in a tenth of a second");
        assert!(
            next(1e9, 1e4, 3.0).is_some(),
            "no robot drives 10 km between two scans, however long the pause"
        );
    }
}

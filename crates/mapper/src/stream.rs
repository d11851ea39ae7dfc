//! A log as a mapper takes it: scans in the order of the file, each with the odometry at its time (L-TIME).

use model::{LaserScan, Pose2, SensorLog};
use serde::Serialize;

use crate::odometry::OdometryTrack;
use crate::scan::{BeamCounts, RangeLimits, Scan};

/// A longer time between two readings of odometry is counted as a gap, seconds (L-TIME).
const LONG_GAP_S: f64 = 0.5;
/// A laser further from the robot than this is a wrong pose, not a mounting, metres.
const MAX_MOUNTING_M: f64 = 2.0;

/// Where the odometry came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum OdometrySource {
    /// The scans carry it.
    Scans,
    /// Readings of their own, interpolated at the times of the scans.
    Readings,
    /// There is none; the robot is taken to stand until a match moves it.
    None,
}

/// What was odd about a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct LogCounts {
    /// Scans that were used.
    pub scans: usize,
    /// Where their odometry came from.
    pub odometry: OdometrySource,
    /// Scans of other lasers.
    pub other_lasers: usize,
    /// Scans without odometry at their time, left out.
    pub without_odometry: usize,
    /// Scans with a time or pose that is not finite, left out.
    pub not_finite: usize,
    /// Scans whose time is before that of the scan before them; used in the order of the file.
    pub back_in_time: usize,
    /// Scans between two readings of odometry more than 0.5 s apart.
    pub odometry_gaps: usize,
    /// Scans without a single return; the odometry alone moves the robot.
    pub without_hits: usize,
    /// Beams of all scans used.
    pub beams: BeamCounts,
}

impl LogCounts {
    /// Nothing was read yet.
    pub(crate) fn nothing(odometry: OdometrySource) -> Self {
        Self {
            scans: 0,
            odometry,
            other_lasers: 0,
            without_odometry: 0,
            not_finite: 0,
            back_in_time: 0,
            odometry_gaps: 0,
            without_hits: 0,
            beams: BeamCounts::default(),
        }
    }
}

/// Scans with their odometry, and what was odd.
pub struct MappingInput {
    /// Scans in the order of the file, with the pose of the odometry at their time.
    pub scans: Vec<(Scan, Pose2)>,
    /// The laser they come from.
    pub laser: String,
    pub counts: LogCounts,
}

/// Takes the scans of the laser with most scans out of a log.
#[must_use]
pub fn scans_of(log: &SensorLog, limits: RangeLimits) -> MappingInput {
    scans_of_mounted(log, limits, Pose2::IDENTITY)
}

/// The same with a laser that sits here on the robot, where the log does not tell it.
#[must_use]
pub fn scans_of_mounted(log: &SensorLog, limits: RangeLimits, robot_from_laser: Pose2) -> MappingInput {
    let sensor = busiest_laser(log);
    let track = OdometryTrack::new(log.odometry());
    let of_laser = || log.scans().filter(|scan| scan.sensor == sensor);
    let odometry = if of_laser().any(|scan| pose_of(scan).is_some()) {
        OdometrySource::Scans
    } else if track.is_empty() {
        OdometrySource::None
    } else {
        OdometrySource::Readings
    };
    let mut counts = LogCounts::nothing(odometry);
    counts.other_lasers = log.scans().filter(|scan| scan.sensor != sensor).count();
    let mut scans: Vec<(Scan, Pose2)> = Vec::new();
    for laser in of_laser() {
        let Some(odom_from_robot) = odometry_of(laser, &track, &mut counts) else { continue };
        let robot_from_laser = mounting(laser).unwrap_or(robot_from_laser);
        let scan = Scan::of(laser, robot_from_laser, limits, &mut counts.beams);
        counts.back_in_time += usize::from(scans.last().is_some_and(|(last, _)| scan.time_s < last.time_s));
        counts.without_hits += usize::from(scan.hits_in_robot.is_empty());
        scans.push((scan, odom_from_robot));
    }
    counts.scans = scans.len();
    MappingInput { scans, laser: sensor.to_owned(), counts }
}

/// The laser with most scans; of equals, the one that comes first.
fn busiest_laser(log: &SensorLog) -> &str {
    let mut lasers: Vec<(&str, usize)> = Vec::new();
    for scan in log.scans() {
        match lasers.iter_mut().find(|(name, _)| *name == scan.sensor) {
            Some((_, count)) => *count += 1,
            None => lasers.push((&scan.sensor, 1)),
        }
    }
    lasers.iter().rev().max_by_key(|(_, count)| *count).map_or("", |(name, _)| name)
}

pub(crate) fn pose_of(laser: &LaserScan) -> Option<Pose2> {
    laser.world_from_robot.or(laser.world_from_laser)
}

/// The odometry at the time of a scan; none, and counted, where there is none.
pub(crate) fn odometry_of(laser: &LaserScan, track: &OdometryTrack, counts: &mut LogCounts) -> Option<Pose2> {
    if !laser.time_s.is_finite() || pose_of(laser).is_some_and(|pose| !pose.is_finite()) {
        counts.not_finite += 1;
        return None;
    }
    let found = match counts.odometry {
        OdometrySource::None => return Some(Pose2::IDENTITY),
        OdometrySource::Scans => pose_of(laser),
        OdometrySource::Readings => track.at(laser.time_s).map(|reading| {
            counts.odometry_gaps += usize::from(reading.gap_s > LONG_GAP_S);
            reading.odom_from_robot
        }),
    };
    counts.without_odometry += usize::from(found.is_none());
    found
}

/// Where the laser sits on the robot, if the record has both poses.
pub(crate) fn mounting(laser: &LaserScan) -> Option<Pose2> {
    let robot_from_laser = laser.world_from_robot?.inverse() * laser.world_from_laser?;
    let distance_m = robot_from_laser.x_m.hypot(robot_from_laser.y_m);
    Some(if distance_m <= MAX_MOUNTING_M { robot_from_laser } else { Pose2::IDENTITY })
}

#[cfg(test)]
mod tests {
    use model::{BeamModel, LogRecord, Odometry};

    use super::*;

    fn laser(time_s: f64, pose: Option<Pose2>, ranges_m: Vec<f32>) -> LogRecord {
        let beams = BeamModel { first_rad: 0.0, step_rad: 0.1, max_range_m: 30.0, is_guessed: false };
        LogRecord::Scan(LaserScan {
            time_s,
            beams,
            ranges_m,
            remissions: Vec::new(),
            world_from_laser: None,
            world_from_robot: pose,
            sensor: "front".to_owned(),
        })
    }

    fn odometry(time_s: f64, x_m: f64) -> LogRecord {
        let odom_from_robot = Pose2::new(x_m, 0.0, 0.0);
        LogRecord::Odometry(Odometry { time_s, odom_from_robot, speed_mps: None, turn_rate_radps: None })
    }

    fn input(records: Vec<LogRecord>) -> MappingInput {
        scans_of(&SensorLog { records, skipped: Vec::new() }, RangeLimits { min_m: 0.02, max_m: 20.0 })
    }

    #[test]
    fn readings_are_interpolated_and_what_lies_outside_is_left_out() {
        let found = input(vec![
            laser(-1.0, None, vec![1.0]),
            odometry(0.0, 0.0),
            laser(0.5, None, vec![1.0, f32::NAN]),
            odometry(1.0, 1.0),
            laser(0.25, None, vec![0.0]),
            laser(2.0, None, vec![1.0]),
        ]);
        let at: Vec<f64> = found.scans.iter().map(|(_, pose)| pose.x_m).collect();
        assert_eq!(at, [0.5, 0.25]);
        let counts = found.counts;
        assert_eq!((counts.without_odometry, counts.back_in_time, counts.odometry_gaps), (2, 1, 2));
        assert_eq!((counts.without_hits, counts.beams.not_a_number, counts.beams.too_short), (1, 1, 1));
    }

    #[test]
    fn poses_of_scans_come_before_readings_and_nothing_is_an_answer() {
        let found = input(vec![odometry(0.0, 7.0), laser(0.0, Some(Pose2::new(3.0, 0.0, 0.0)), vec![1.0])]);
        assert_eq!((found.counts.odometry, found.scans[0].1.x_m), (OdometrySource::Scans, 3.0));
        let alone = input(vec![laser(0.0, None, vec![1.0]), laser(f64::NAN, None, vec![1.0])]);
        assert_eq!((alone.counts.odometry, alone.counts.not_finite), (OdometrySource::None, 1));
        assert_eq!(input(Vec::new()).counts.scans, 0);
    }
}

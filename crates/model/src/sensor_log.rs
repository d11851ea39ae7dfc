//! What a robot recorded: laser scans, sweeps of a sonar ring, odometry and attitudes.

use std::collections::{BTreeMap, BTreeSet};

use crate::Pose2;

/// Directions and limits of the beams of a scan.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BeamModel {
    /// Direction of the first beam in the laser's frame, radians.
    pub first_rad: f64,
    /// Angle from beam to beam, radians, counter-clockwise.
    pub step_rad: f64,
    /// Ranges at or beyond this are no returns, metres.
    pub max_range_m: f64,
    /// Whether the file states the beams or they were guessed from their number.
    pub is_guessed: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub struct LaserScan {
    /// When the scan was taken, seconds.
    pub time_s: f64,
    /// Directions of the beams.
    pub beams: BeamModel,
    /// Ranges in metres, first beam first.
    pub ranges_m: Vec<f32>,
    /// Intensities, where the sensor gave them.
    pub remissions: Vec<f32>,
    /// Pose of the laser, where the record has one.
    pub world_from_laser: Option<Pose2>,
    /// Pose of the robot, where the record has one.
    pub world_from_robot: Option<Pose2>,
    /// Which sensor: a topic, a laser number, or empty.
    pub sensor: String,
}

/// The ranges of a sonar ring, one per transducer.
#[derive(Clone, Debug, PartialEq)]
pub struct SonarSweep {
    /// When it was taken, seconds.
    pub time_s: f64,
    /// Opening of the cone of a transducer, radians: an echo comes from anywhere in it.
    pub cone_rad: f64,
    /// Ranges at or beyond this are no returns, metres.
    pub max_range_m: f64,
    /// Where each transducer sits on the robot and looks to.
    pub robot_from_transducers: Vec<Pose2>,
    /// Ranges in metres, as many as transducers.
    pub ranges_m: Vec<f32>,
}

/// One reading of odometry.
#[derive(Clone, Debug, PartialEq)]
pub struct Odometry {
    /// When it was taken, seconds.
    pub time_s: f64,
    /// Accumulated pose.
    pub odom_from_robot: Pose2,
    /// Forward speed in m/s, where known.
    pub speed_mps: Option<f64>,
    /// Turn rate in rad/s, where known.
    pub turn_rate_radps: Option<f64>,
}

/// How a part of a robot stood, by an inertial unit.
#[derive(Clone, Debug, PartialEq)]
pub struct Attitude {
    /// When it was taken, seconds.
    pub time_s: f64,
    /// What it is the attitude of: the scanner of that name, on a mount that moves; any other name is the robot's.
    pub sensor: String,
    /// Roll (left side up), pitch (nose down) and yaw (counter-clockwise), radians; yaw may drift.
    pub roll_pitch_yaw_rad: [f64; 3],
}

/// One record, in the order of the file.
#[derive(Clone, Debug, PartialEq)]
pub enum LogRecord {
    Scan(LaserScan),
    Sonar(SonarSweep),
    Odometry(Odometry),
    /// Attitude of the robot or of a scanner.
    Attitude(Attitude),
    /// The true pose, where a simulator told it.
    TruePose {
        time_s: f64,
        world_from_robot: Pose2,
    },
}

impl LogRecord {
    /// When the record was taken, seconds.
    pub const fn time_s(&self) -> f64 {
        match self {
            Self::Scan(scan) => scan.time_s,
            Self::Sonar(sweep) => sweep.time_s,
            Self::Odometry(odometry) => odometry.time_s,
            Self::Attitude(attitude) => attitude.time_s,
            Self::TruePose { time_s, .. } => *time_s,
        }
    }
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct SensorLog {
    /// Records in the order of the file.
    pub records: Vec<LogRecord>,
    /// Records that were understood but hold nothing needed here, and unknown ones: name and number.
    pub skipped: Vec<(String, usize)>,
}

impl SensorLog {
    pub fn scans(&self) -> impl Iterator<Item = &LaserScan> {
        self.records
            .iter()
            .filter_map(|record| if let LogRecord::Scan(scan) = record { Some(scan) } else { None })
    }

    pub fn sonar(&self) -> impl Iterator<Item = &SonarSweep> {
        self.records
            .iter()
            .filter_map(|record| if let LogRecord::Sonar(sweep) = record { Some(sweep) } else { None })
    }

    pub fn odometry(&self) -> impl Iterator<Item = &Odometry> {
        self.records
            .iter()
            .filter_map(|record| if let LogRecord::Odometry(o) = record { Some(o) } else { None })
    }

    pub fn attitudes(&self) -> impl Iterator<Item = &Attitude> {
        self.records.iter().filter_map(|record| {
            if let LogRecord::Attitude(attitude) = record { Some(attitude) } else { None }
        })
    }

    /// Roll and pitch of the scanner of each scan, in the order of the scans: those of its mount where the log has
    /// them, else those of the robot, from the reading nearest in time; none where no reading is within `within_s`.
    pub fn tilts_of_scans_rad(&self, within_s: f64) -> Vec<Option<[f64; 2]>> {
        let scanners: BTreeSet<&str> = self.scans().map(|scan| scan.sensor.as_str()).collect();
        let mut of_part: BTreeMap<&str, Vec<&Attitude>> = BTreeMap::new();
        for attitude in self.attitudes() {
            let name = scanners.get(attitude.sensor.as_str()).copied().unwrap_or(ROBOT);
            of_part.entry(name).or_default().push(attitude);
        }
        of_part.values_mut().for_each(|list| list.sort_by(|a, b| a.time_s.total_cmp(&b.time_s)));
        let tilt = |scan: &LaserScan| {
            let list = of_part.get(scan.sensor.as_str()).or_else(|| of_part.get(ROBOT))?;
            let after = list.partition_point(|attitude| attitude.time_s < scan.time_s);
            let near = list[after.saturating_sub(1)..].iter().take(2);
            let away_s = |attitude: &Attitude| (attitude.time_s - scan.time_s).abs();
            let nearest = near.min_by(|a, b| away_s(a).total_cmp(&away_s(b)))?;
            let [roll_rad, pitch_rad, _] = nearest.roll_pitch_yaw_rad;
            (away_s(nearest) <= within_s).then_some([roll_rad, pitch_rad])
        };
        self.scans().map(tilt).collect()
    }
}

/// Stands for the robot among the parts that have an attitude; no scanner is called so.
const ROBOT: &str = "\0robot";

#[cfg(test)]
mod tests {
    use super::*;

    fn attitude(time_s: f64, sensor: &str, pitch_rad: f64) -> LogRecord {
        let sensor = sensor.to_owned();
        LogRecord::Attitude(Attitude { time_s, sensor, roll_pitch_yaw_rad: [0.01, pitch_rad, 1.0] })
    }

    fn scan(time_s: f64, sensor: &str) -> LogRecord {
        LogRecord::Scan(LaserScan {
            time_s,
            beams: BeamModel { first_rad: 0.0, step_rad: 0.1, max_range_m: 4.0, is_guessed: false },
            ranges_m: Vec::new(),
            remissions: Vec::new(),
            world_from_laser: None,
            world_from_robot: None,
            sensor: sensor.to_owned(),
        })
    }

    #[test]
    fn a_scan_has_the_tilt_of_its_mount_else_of_the_robot_if_a_reading_is_near() {
        let records = vec![
            attitude(0.0, "IMU", 0.1),
            scan(0.02, "Fixed"),
            attitude(0.1, "IMU", 0.2),
            attitude(0.1, "Levelled", 0.002),
            scan(0.09, "Fixed"),
            scan(0.12, "Levelled"),
            scan(3.0, "Fixed"),
        ];
        let log = SensorLog { records, skipped: Vec::new() };
        let expected = [Some([0.01, 0.1]), Some([0.01, 0.2]), Some([0.01, 0.002]), None];
        assert_eq!(log.tilts_of_scans_rad(0.05), expected);
        assert_eq!(
            SensorLog { records: vec![scan(0.0, "Fixed")], skipped: Vec::new() }.tilts_of_scans_rad(1.0),
            [None]
        );
        assert_eq!(SensorLog::default().tilts_of_scans_rad(1.0), []);
    }
}

//! What a robot recorded: laser scans and odometry.

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

/// One laser scan.
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

/// One record, in the order of the file.
#[derive(Clone, Debug, PartialEq)]
pub enum LogRecord {
    /// A laser scan.
    Scan(LaserScan),
    /// Odometry.
    Odometry(Odometry),
    /// The true pose, where a simulator told it.
    TruePose {
        /// Seconds.
        time_s: f64,
        /// The true pose.
        world_from_robot: Pose2,
    },
}

impl LogRecord {
    /// When the record was taken, seconds.
    #[must_use]
    pub const fn time_s(&self) -> f64 {
        match self {
            Self::Scan(scan) => scan.time_s,
            Self::Odometry(odometry) => odometry.time_s,
            Self::TruePose { time_s, .. } => *time_s,
        }
    }
}

/// A recorded run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SensorLog {
    /// Records in the order of the file.
    pub records: Vec<LogRecord>,
    /// Records that were understood but hold nothing needed here, and unknown ones: name and number.
    pub skipped: Vec<(String, usize)>,
}

impl SensorLog {
    /// The scans.
    pub fn scans(&self) -> impl Iterator<Item = &LaserScan> {
        self.records
            .iter()
            .filter_map(|record| if let LogRecord::Scan(scan) = record { Some(scan) } else { None })
    }

    /// The odometry readings.
    pub fn odometry(&self) -> impl Iterator<Item = &Odometry> {
        self.records
            .iter()
            .filter_map(|record| if let LogRecord::Odometry(o) = record { Some(o) } else { None })
    }
}

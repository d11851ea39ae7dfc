//! What a simulated robot's sensors say.

use model::{Attitude, LaserScan, Odometry, SonarSweep};

/// A reading of a sensor.
#[derive(Clone, Debug, PartialEq)]
pub enum SensorEvent {
    /// A scan; its poses are those of the odometry.
    Scan {
        /// Which of the robot's scanners.
        laser: usize,
        scan: LaserScan,
    },
    Sonar(SonarSweep),
    Odometry(Odometry),
    Imu {
        /// Seconds.
        time_s: f64,
        /// Roll, pitch and yaw; yaw is 0 at the start.
        roll_pitch_yaw_rad: [f64; 3],
    },
    /// How a scanner on a levelled mount stands as the robot knows it: the last tilt of the inertial unit and the angles
    /// of the servos. It comes before the scan that is taken so.
    Mount(Attitude),
    /// Accelerometer on the robot: roll and pitch axis in g.
    Accelerometer {
        /// Seconds.
        time_s: f64,
        readings_g: [f64; 2],
    },
}

impl SensorEvent {
    /// When it was taken.
    #[must_use]
    pub const fn time_s(&self) -> f64 {
        match self {
            Self::Scan { scan, .. } => scan.time_s,
            Self::Sonar(sweep) => sweep.time_s,
            Self::Odometry(odometry) => odometry.time_s,
            Self::Mount(attitude) => attitude.time_s,
            Self::Imu { time_s, .. } | Self::Accelerometer { time_s, .. } => *time_s,
        }
    }
}

/// The reading of the inertial unit as a record of a log.
#[must_use]
pub fn imu_attitude(time_s: f64, roll_pitch_yaw_rad: [f64; 3]) -> Attitude {
    Attitude { time_s, sensor: "IMU".to_owned(), roll_pitch_yaw_rad }
}

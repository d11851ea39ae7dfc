//! What a run leaves: the log of a robot and its true trajectory.

use model::{Dimension, LogRecord, SensorLog, StampedPose, TimeBase, Trajectory};

use super::sensor_event::{SensorEvent, imu_attitude};
use super::simulator::Simulator;

/// A recorded run.
#[derive(Clone, Debug, PartialEq)]
pub struct SimulatedRun {
    /// Scans, odometry and, if the robot has an inertial unit, attitudes: `SensorLog::tilts_of_scans_rad` gives roll and
    /// pitch for each scan. Poses in the scans are those of the odometry, which starts at the origin.
    pub log: SensorLog,
    /// The true pose of the robot at the time of each reading, in the frame of the arena.
    pub truth: Trajectory,
    /// Distance travelled over the map, metres.
    pub distance_m: f64,
}

/// Collects readings and true poses of a simulator.
#[derive(Clone, Debug, Default)]
pub struct Recorder {
    /// All readings, oldest first.
    pub events: Vec<SensorEvent>,
    truth: Vec<StampedPose>,
}

impl Recorder {
    /// Takes the readings of the simulator's last step.
    pub fn take(&mut self, simulator: &Simulator) {
        self.events.extend_from_slice(simulator.events());
        self.truth.extend_from_slice(simulator.true_poses());
    }

    /// The true pose at the time of each reading, oldest first.
    #[must_use]
    pub fn truth(&self) -> &[StampedPose] {
        &self.truth
    }

    /// Scans, odometry and attitudes, and the truth.
    #[must_use]
    pub fn run(&self, distance_m: f64) -> SimulatedRun {
        let records = self.events.iter().filter_map(|event| match event {
            SensorEvent::Scan { scan, .. } => Some(LogRecord::Scan(scan.clone())),
            SensorEvent::Sonar(sweep) => Some(LogRecord::Sonar(sweep.clone())),
            SensorEvent::Odometry(odometry) => Some(LogRecord::Odometry(odometry.clone())),
            SensorEvent::Imu { time_s, roll_pitch_yaw_rad } => {
                Some(LogRecord::Attitude(imu_attitude(*time_s, *roll_pitch_yaw_rad)))
            }
            SensorEvent::Mount(attitude) => Some(LogRecord::Attitude(attitude.clone())),
            SensorEvent::Accelerometer { .. } => None,
        });
        let log = SensorLog { records: records.collect(), skipped: Vec::new() };
        SimulatedRun { log, truth: trajectory(self.truth.clone()), distance_m }
    }
}

/// True poses as a trajectory.
pub(super) const fn trajectory(poses: Vec<StampedPose>) -> Trajectory {
    Trajectory { time_base: TimeBase::Seconds, dimension: Dimension::Spatial, poses }
}

//! Where an exploring robot takes itself to be: told exactly, or found by a mapper from its own scans and odometry.

use mapper::{Hindsight, JumpDetector, Mapper, MapperEntry, OdometrySource, ScanQueue};
use model::{LogRecord, Pose2, Pose3};
use serde::Serialize;
use sim::robot::RobotModel;
use sim::run::{SensorEvent, Simulator, imu_attitude};

use crate::JobError;
use crate::mapping::Settings;

/// How an exploring robot knows where it is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Localize {
    /// It is told its true pose in space.
    #[default]
    Truth,
    /// A mapper finds it.
    Mapper(MapperEntry),
}

impl Localize {
    /// `truth`, or the name of the mapper.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Truth => "truth",
            Self::Mapper(entry) => entry.name,
        }
    }
}

impl Serialize for Localize {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// Slopes from which on a robot climbs, radians (3 degrees): below, an inertial unit tells little more than its noise.
const CLIMBING_RAD: f64 = 0.053;

/// Parameters of mappers that lead a robot, where they differ from the defaults. Rooms and corridors of an arena are alike
/// from pallet to pallet (1.2 m): a loop closure that is searched further than half a pallet finds the wrong one sooner or
/// later, and the robot that drives by it is lost at once. The pose of such a robot drifts by less.
const EXPLORING: [(&str, &str, &str); 1] = [("graph", "loop_window_m", "0.5")];

/// A mapper that is fed by a simulator, in the coordinate frame of the arena.
pub(super) struct Tracker {
    pub mapper: Box<dyn Mapper>,
    queue: ScanQueue,
    detector: JumpDetector,
    /// Where the robot starts: the mapper's origin.
    world_from_map: Pose2,
    /// The odometry at the last scan.
    odom_at_scan: Pose2,
    /// Roll and pitch of the robot, and of its first scanner on a levelled mount, as its inertial unit reads them.
    tilt_rad: [f64; 2],
    mount_tilt_rad: Option<[f64; 2]>,
    /// Height above the start by the slopes that were driven, and the highest that there is, metres.
    height_m: f64,
    highest_m: f64,
    odom_before: Pose2,
    /// Scans that the mapper has taken.
    pub scans: usize,
}

impl Tracker {
    /// A mapper at a start that has seen nothing.
    ///
    /// # Errors
    /// The mapper cannot be made.
    pub(super) fn new(entry: MapperEntry, seed: u64, start: Pose2, highest_m: f64) -> Result<Self, JobError> {
        let mut settings = Settings::default();
        for (_, name, value) in EXPLORING.iter().filter(|(mapper, _, _)| *mapper == entry.name) {
            settings.set_text(name, value)?;
        }
        let mapper = settings.mapper(entry, seed)?;
        let rules = mapper.input_rules();
        Ok(Self {
            queue: ScanQueue::new(rules.limits).levelling(rules.tilt_gate_m),
            mapper,
            detector: JumpDetector::default(),
            world_from_map: start,
            odom_at_scan: Pose2::IDENTITY,
            tilt_rad: [0.0; 2],
            mount_tilt_rad: None,
            height_m: 0.0,
            highest_m,
            odom_before: Pose2::IDENTITY,
            scans: 0,
        })
    }

    /// Takes the readings of a step.
    pub(super) fn take(&mut self, events: &[SensorEvent]) {
        for event in events {
            let record = match event {
                SensorEvent::Imu { time_s, roll_pitch_yaw_rad: rad } => {
                    self.tilt_rad = [rad[0], rad[1]];
                    LogRecord::Attitude(imu_attitude(*time_s, *rad))
                }
                SensorEvent::Mount(attitude) => {
                    let [roll_rad, pitch_rad, _] = attitude.roll_pitch_yaw_rad;
                    self.mount_tilt_rad = Some([roll_rad, pitch_rad]);
                    LogRecord::Attitude(attitude.clone())
                }
                SensorEvent::Scan { laser: 0, scan } => {
                    self.odom_at_scan = scan.world_from_robot.unwrap_or(self.odom_at_scan);
                    self.climb(self.odom_at_scan);
                    LogRecord::Scan(scan.clone())
                }
                _ => continue,
            };
            for (scan, odom_from_robot) in self.queue.push(&record) {
                let mapper = self.mapper.as_mut();
                self.detector.step(mapper, &scan, odom_from_robot, OdometrySource::Scans);
                self.scans += 1;
            }
        }
    }

    fn climb(&mut self, odom_from_robot: Pose2) {
        let moved = self.odom_before.inverse() * odom_from_robot;
        self.odom_before = odom_from_robot;
        let pitch_rad = self.tilt_rad[1];
        if pitch_rad.abs() > CLIMBING_RAD {
            self.height_m = (self.height_m - moved.x_m * pitch_rad.sin()).clamp(0.0, self.highest_m);
        }
    }

    /// Where the robot takes itself to be now: at the last scan by the mapper, since then by its wheels.
    pub(super) fn pose(&self, simulator: &Simulator) -> Pose2 {
        self.pose_at_scan() * (self.odom_at_scan.inverse() * simulator.odometry_pose())
    }

    pub(super) fn pose_at_scan(&self) -> Pose2 {
        self.world_from_map * self.mapper.pose()
    }

    /// Where the first scanner was at the last scan, seen from the planar pose of the robot.
    pub(super) fn robot_from_laser(&self, robot: &RobotModel) -> Pose3 {
        let mount = robot.lasers.first().map_or(Pose3::IDENTITY, |laser| laser.robot_from_laser);
        let tilted = |[roll_rad, pitch_rad]: [f64; 2], height_m: f64| {
            Pose3::of_roll_pitch_yaw([0.0, 0.0, height_m], [roll_rad, pitch_rad, 0.0])
        };
        let fixed = tilted(self.tilt_rad, self.height_m) * mount;
        let on_plate = Pose3 { position_m: [0.0; 3], ..mount };
        match self.mount_tilt_rad {
            Some(tilt_rad) => Pose3 { position_m: fixed.position_m, ..(tilted(tilt_rad, 0.0) * on_plate) },
            None => fixed,
        }
    }

    /// Where the robot was at each scan, as it is known now, in the coordinate frame of the arena.
    pub(super) fn poses(&self) -> Vec<Pose2> {
        let poses = self.mapper.trajectory(Hindsight::Final);
        poses.into_iter().map(|pose| self.world_from_map * pose.map_from_robot).collect()
    }

    /// The same with their times, seconds.
    pub(super) fn stamped_poses(&self) -> Vec<(f64, Pose2)> {
        let poses = self.mapper.trajectory(Hindsight::Final);
        poses.into_iter().map(|pose| (pose.time_s, self.world_from_map * pose.map_from_robot)).collect()
    }
}

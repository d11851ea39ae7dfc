//! A walk along straight legs in steps, a scan at each: turn by a step, then go by a step. No wheels and no time are
//! simulated, only what the scanner and the odometry see.

use model::{
    LaserScan, LogRecord, Odometry, Point2, Pose2, Pose3, PoseSource, SeededRng, SensorLog, StampedPose, wrap,
};

use super::recording::{SimulatedRun, trajectory};
use crate::sensor::{Laser, OdometryModel};
use crate::world::World;

/// How a walk is made.
#[derive(Clone, Debug)]
pub(super) struct Walk {
    /// Seed of both noises.
    pub seed: u64,
    pub laser: Laser,
    pub odometry: OdometryModel,
    /// Longest step ahead.
    pub step_m: f64,
    /// Largest step of a turn.
    pub turn_rad: f64,
    /// Time of a step.
    pub step_s: f64,
}

/// Streams of the seed.
const ODOMETRY: u64 = 51;
const LASER: u64 = 52;

impl Walk {
    /// Walks along points and scans at each step.
    pub(super) fn along(&self, world: &World, start: Pose2, points: &[Point2]) -> SimulatedRun {
        let (mut odometry_rng, mut laser_rng) =
            (SeededRng::new(self.seed).stream(ODOMETRY), SeededRng::new(self.seed).stream(LASER));
        let directions = self.laser.directions();
        let mut odom_from_robot = Pose2::IDENTITY;
        let mut last = start;
        let (mut log, mut poses) = (SensorLog::default(), Vec::new());
        let mut distance_m = 0.0;
        let poses_along = poses_along(start, points, self.step_m, self.turn_rad);
        for (index, at) in poses_along.into_iter().enumerate() {
            let step = last.inverse() * at;
            if index > 0 {
                odom_from_robot = odom_from_robot * self.odometry.measure(step, &mut odometry_rng);
            }
            distance_m += step.x_m.hypot(step.y_m);
            last = at;
            let time_s = index as f64 * self.step_s;
            let world_from_robot = Pose3::from(at);
            let world_from_laser = world_from_robot * self.laser.robot_from_laser;
            let odometry = Odometry { time_s, odom_from_robot, speed_mps: None, turn_rate_radps: None };
            log.records.push(LogRecord::Odometry(odometry));
            log.records.push(LogRecord::Scan(LaserScan {
                time_s,
                beams: self.laser.beam_model(),
                ranges_m: self.laser.scan(world, world_from_laser, &directions, &mut laser_rng),
                remissions: Vec::new(),
                world_from_laser: Some(odom_from_robot * self.laser.robot_from_laser.planar()),
                world_from_robot: Some(odom_from_robot),
                sensor: self.laser.name.clone(),
            }));
            poses.push(StampedPose { time_s, world_from_robot, source: PoseSource::Measured });
        }
        SimulatedRun { log, truth: trajectory(poses), distance_m }
    }
}

/// All poses of a walk along points: equal steps of a turn, then equal steps ahead, for each leg.
pub(super) fn poses_along(start: Pose2, points: &[Point2], step_m: f64, turn_rad: f64) -> Vec<Pose2> {
    let max_turn_rad = turn_rad;
    let mut poses = vec![start];
    let mut at = start;
    for point in points {
        let (dx, dy) = (point.x_m - at.x_m, point.y_m - at.y_m);
        let length_m = dx.hypot(dy);
        if length_m < 1e-9 {
            continue;
        }
        let turn_rad = wrap(dy.atan2(dx) - at.theta_rad);
        let turns = (turn_rad.abs() / max_turn_rad - 1e-9).ceil().max(0.0) as usize;
        let steps = (length_m / step_m - 1e-9).ceil().max(1.0) as usize;
        let from = at;
        poses.extend((1..=turns).map(|k| {
            let theta_rad = wrap(from.theta_rad + turn_rad * k as f64 / turns as f64);
            Pose2 { theta_rad, ..from }
        }));
        let heading_rad = wrap(from.theta_rad + turn_rad);
        poses.extend((1..=steps).map(|k| {
            let share = k as f64 / steps as f64;
            Pose2::new(from.x_m + share * dx, from.y_m + share * dy, heading_rad)
        }));
        at = Pose2::new(point.x_m, point.y_m, heading_rad);
    }
    poses
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn legs_are_cut_into_equal_steps() {
        let points = [Point2::new(0.25, 0.0), Point2::new(0.25, 0.2)];
        let poses = poses_along(Pose2::IDENTITY, &points, 0.1, 10_f64.to_radians());
        // The start, three steps ahead, nine of the turn, two ahead.
        assert_eq!(poses.len(), 1 + 3 + 9 + 2);
        let last = poses[poses.len() - 1];
        assert!(
            (last.y_m - 0.2).abs() < 1e-12 && (last.theta_rad - std::f64::consts::FRAC_PI_2).abs() < 1e-12
        );
    }
}

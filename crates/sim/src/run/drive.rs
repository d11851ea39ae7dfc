//! Driving along waypoints with the true pose: turn towards the next one, drive, correct the heading.

use std::f64::consts::FRAC_PI_6;

use model::{Point2, Pose2, wrap};

use super::recording::Recorder;
use super::simulator::Simulator;
use crate::robot::{DriveCommand, RobotModel};

/// Way points are reached within this distance. Ours.
const REACHED_M: f64 = 0.05;
/// Turn rate per radian of error, per second. Ours.
const TURN_GAIN_HZ: f64 = 2.0;
/// Largest turn rate, radians per second. Ours: 60 degrees per second.
const MAX_TURN_RADPS: f64 = 1.05;
/// Speed per metre of distance to the waypoint, per second: it is not overrun within a step. Ours.
const SPEED_GAIN_HZ: f64 = 8.0;
/// Time between two commands; a tenth of a second as in spec 09.
const STEP_S: f64 = 0.1;
/// A robot that does not get on for so long gives up. Ours.
const STUCK_S: f64 = 20.0;

/// A driver that goes from waypoint to waypoint.
#[derive(Clone, Debug)]
pub struct WaypointDriver {
    points: Vec<Point2>,
    next: usize,
}

impl WaypointDriver {
    /// A driver that goes from point to point.
    #[must_use]
    pub const fn new(points: Vec<Point2>) -> Self {
        Self { points, next: 0 }
    }

    /// The command for a pose; none when all points are reached.
    pub fn command(&mut self, at: Pose2, robot: &RobotModel) -> Option<DriveCommand> {
        loop {
            let target = *self.points.get(self.next)?;
            let (dx, dy) = (target.x_m - at.x_m, target.y_m - at.y_m);
            let away_m = dx.hypot(dy);
            if away_m <= REACHED_M {
                self.next += 1;
                continue;
            }
            let error_rad = wrap(dy.atan2(dx) - at.theta_rad);
            let turn_radps = (TURN_GAIN_HZ * error_rad).clamp(-MAX_TURN_RADPS, MAX_TURN_RADPS);
            // Beyond 30 degrees it turns in place.
            let ahead = (1.0 - error_rad.abs() / FRAC_PI_6).max(0.0);
            let speed_mps = robot.max_speed_mps.min(SPEED_GAIN_HZ * away_m) * ahead;
            return Some(robot.command(speed_mps, turn_radps));
        }
    }

    /// Number of waypoints that were reached.
    #[must_use]
    pub const fn reached(&self) -> usize {
        self.next
    }
}

/// Why a drive ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DriveEnding {
    /// All points are reached.
    Arrived,
    /// The time is over.
    TimeLimit,
    /// The robot did not get on for 20 s.
    Stuck,
}

/// What a drive came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Driven {
    /// Way points that were reached.
    pub reached: usize,
    pub ending: DriveEnding,
}

/// Drives a robot along waypoints and records it, until the time is up or the robot is stuck.
pub fn drive_waypoints(
    simulator: &mut Simulator,
    recorder: &mut Recorder,
    points: &[Point2],
    longest_s: f64,
) -> Driven {
    drive_waypoints_watched(simulator, recorder, points, longest_s, &mut |_, _| {})
}

/// As [`drive_waypoints`]; `watch` is told the simulator and the number of points reached after each step.
pub fn drive_waypoints_watched(
    simulator: &mut Simulator,
    recorder: &mut Recorder,
    points: &[Point2],
    longest_s: f64,
    watch: &mut dyn FnMut(&Simulator, usize),
) -> Driven {
    let mut driver = WaypointDriver::new(points.to_vec());
    let (mut progress, mut progress_s) = (simulator.truth_pose(), simulator.time_s());
    let ending = loop {
        let at = simulator.truth_pose();
        let Some(command) = driver.command(at, simulator.robot()) else { break DriveEnding::Arrived };
        if simulator.time_s() >= longest_s {
            break DriveEnding::TimeLimit;
        }
        let has_moved = (at.x_m - progress.x_m).hypot(at.y_m - progress.y_m) > REACHED_M
            || wrap(at.theta_rad - progress.theta_rad).abs() > REACHED_M;
        if has_moved {
            (progress, progress_s) = (at, simulator.time_s());
        } else if simulator.time_s() - progress_s > STUCK_S {
            break DriveEnding::Stuck;
        }
        simulator.step(command, STEP_S);
        recorder.take(simulator);
        watch(simulator, driver.reached());
    };
    Driven { reached: driver.reached(), ending }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::{Arena, Plan};

    fn arena() -> Arena {
        let plan =
            Plan::read("drawing = '''\n+---+---+\n| S     |\n+   +   +\n|       |\n+---+---+\n'''").unwrap();
        Arena::build(&plan).unwrap()
    }

    #[test]
    fn a_robot_drives_around_a_block_and_its_truth_is_recorded() {
        let mut simulator = Simulator::new(&arena(), RobotModel::default(), 1);
        let mut recorder = Recorder::default();
        let corners = [(1.8, 1.8), (1.8, 0.6), (0.6, 0.6), (0.6, 1.8)].map(|(x, y)| Point2::new(x, y));
        let driven = drive_waypoints(&mut simulator, &mut recorder, &corners, 300.0);
        assert_eq!(driven, Driven { reached: 4, ending: DriveEnding::Arrived });
        assert_eq!(simulator.collisions(), 0);
        let run = recorder.run(simulator.distance_m());
        assert!(run.distance_m > 4.6 && run.distance_m < 5.3, "{}", run.distance_m);
        assert_eq!(run.log.scans().count(), run.truth.poses.len());
        assert_eq!(run.log.odometry().count(), run.truth.poses.len());
        assert!(run.truth.poses.is_sorted_by(|a, b| a.time_s < b.time_s));
    }

    #[test]
    fn a_point_behind_a_wall_is_given_up() {
        let mut simulator = Simulator::new(&arena(), RobotModel::default(), 1);
        let driven =
            drive_waypoints(&mut simulator, &mut Recorder::default(), &[Point2::new(9.0, 1.8)], 300.0);
        assert_eq!(driven, Driven { reached: 0, ending: DriveEnding::Stuck });
        assert!(simulator.collisions() > 0 && simulator.time_s() < 60.0);
    }

    #[test]
    fn a_time_limit_ends_a_drive() {
        let mut simulator = Simulator::new(&arena(), RobotModel::default(), 1);
        let driven = drive_waypoints(&mut simulator, &mut Recorder::default(), &[Point2::new(1.8, 1.8)], 0.5);
        assert_eq!(driven, Driven { reached: 0, ending: DriveEnding::TimeLimit });
    }
}

//! A simulated robot: its size, its drive, its sensors, how it stands on the floor and what it bumps into.

mod footing;
mod footprint;

use crate::sensor::{ImuModel, InsModel, Laser, Levelling, OdometryModel, Sonar};

pub use footing::{Footing, footing};
pub use footprint::collides;

/// Speeds of the wheels of the two sides.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct DriveCommand {
    /// Left side, metres per second along the ground.
    pub left_mps: f64,
    /// Right side.
    pub right_mps: f64,
}

impl DriveCommand {
    pub const STOP: Self = Self { left_mps: 0.0, right_mps: 0.0 };
}

/// What a robot is like.
#[derive(Clone, Debug, PartialEq)]
pub struct RobotModel {
    /// Length. Default 0.533 (KLE).
    pub length_m: f64,
    /// Width. Default 0.304 (KLE).
    pub width_m: f64,
    /// Height. Default 0.762 (KLE).
    pub height_m: f64,
    /// Distance of the wheels of both sides. Default 0.3; ours, as wide as the robot.
    pub track_m: f64,
    /// Distance of the front and the rear wheels. Default 0.35; ours, two thirds of the length.
    pub wheel_base_m: f64,
    /// Largest speed of a side. Default 0.6 m/s; ours.
    pub max_speed_mps: f64,
    /// Skid steering: the wheels turn so much more than the robot does, 1 to 2. Default 1.03 (mapping reference: 1.03
    /// to 1.3). A robot that turns in place drags its wheels sideways.
    pub skid: f64,
    /// Slips per metre: loose paper on the ground. Default 0.02; ours.
    pub slips_per_m: f64,
    /// Length of a slip by the wheels, of which the robot drives half. Default 0.2 m; ours.
    pub slip_m: f64,
    pub lasers: Vec<Laser>,
    /// A ring of sonar transducers. Default none.
    pub sonar: Option<Sonar>,
    /// Odometry. Its scale of rotation is on top of the skid.
    pub odometry: OdometryModel,
    /// Readings of odometry, inertial unit and accelerometer per second. Default 10 (spec 09).
    pub odometry_hz: f64,
    pub imu: ImuModel,
    /// The inertial navigation system that a server tells its clients about.
    pub ins: InsModel,
    /// A levelled mount for all scanners; none: they are fixed.
    pub levelling: Option<Levelling>,
}

impl Default for RobotModel {
    fn default() -> Self {
        Self {
            length_m: 0.533,
            width_m: 0.304,
            height_m: 0.762,
            track_m: 0.3,
            wheel_base_m: 0.35,
            max_speed_mps: 0.6,
            skid: 1.03,
            slips_per_m: 0.02,
            slip_m: 0.2,
            lasers: vec![Laser::urg_04lx()],
            sonar: None,
            odometry: OdometryModel { rotation_scale: 1.0, ..OdometryModel::default() },
            odometry_hz: 10.0,
            imu: ImuModel::default(),
            ins: InsModel::default(),
            levelling: None,
        }
    }
}

impl RobotModel {
    /// The speeds of the wheels for a speed and a turn rate of the robot, within its limits: both are reduced alike.
    #[must_use]
    pub fn command(&self, speed_mps: f64, turn_rate_radps: f64) -> DriveCommand {
        let half_mps = turn_rate_radps * self.skid * self.track_m / 2.0;
        let (left, right) = (speed_mps - half_mps, speed_mps + half_mps);
        let fastest = left.abs().max(right.abs());
        let share = if fastest > self.max_speed_mps { self.max_speed_mps / fastest } else { 1.0 };
        if !share.is_finite() || !fastest.is_finite() {
            return DriveCommand::STOP;
        }
        DriveCommand { left_mps: left * share, right_mps: right * share }
    }

    /// Radius of the circle around the robot.
    #[must_use]
    pub fn outer_radius_m(&self) -> f64 {
        self.length_m.hypot(self.width_m) / 2.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_keep_their_curve_within_the_limits() {
        let robot = RobotModel { skid: 1.0, ..RobotModel::default() };
        let slow = robot.command(0.3, 1.0);
        assert!((slow.left_mps - 0.15).abs() < 1e-12 && (slow.right_mps - 0.45).abs() < 1e-12);
        let fast = robot.command(3.0, 10.0);
        assert!((fast.right_mps - 0.6).abs() < 1e-12 && (fast.left_mps - 0.2).abs() < 1e-12);
        assert_eq!(robot.command(f64::NAN, 0.0), DriveCommand::STOP);
        assert_eq!(robot.command(f64::INFINITY, 0.0), DriveCommand::STOP);
    }
}

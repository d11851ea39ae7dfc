//! Sensors of a simulated robot, each seeded and each with its faults: laser, odometry, inertial unit, levelling.

mod imu;
mod laser;
mod levelling;
mod odometry;
mod tilt_census;

pub use imu::{Accelerometer, Imu, ImuModel};
pub use laser::{Laser, NoReturn, RangeNoise};
pub use levelling::{Levelling, LevellingState, Pid, PidState};
pub use odometry::OdometryModel;
pub use tilt_census::{TiltCensus, tilt_census};

//! Sensors of a simulated robot, each seeded and each with its faults: laser, sonar, odometry, inertial unit, levelling.

mod imu;
mod ins;
mod laser;
mod levelling;
mod odometry;
mod sonar;
mod tilt_census;

pub use imu::{Accelerometer, Imu, ImuModel};
pub use ins::InsModel;
pub(crate) use ins::{Ins, InsReading};
pub use laser::{Laser, NoReturn, RangeNoise};
pub use levelling::{Levelling, LevellingState, Pid, PidState};
pub use odometry::OdometryModel;
pub use sonar::Sonar;
pub use tilt_census::{TiltCensus, tilt_census};

//! Runs: the simulator step by step, drives along way points, and the runs that mappers are tried on.

mod clock;
mod drive;
mod maze_walk;
mod office_tour;
mod ramp_drive;
mod recording;
mod sensor_event;
mod simulator;
mod sonar_walk;
mod walk;
mod way_points;

pub use drive::{DriveEnding, Driven, WayPointDriver, drive_way_points, drive_way_points_watched};
pub use maze_walk::{MazeWalk, every_pallet};
pub use office_tour::OfficeTour;
pub use ramp_drive::RampDrive;
pub use recording::{Recorder, SimulatedRun};
pub use sensor_event::{SensorEvent, imu_attitude};
pub use simulator::Simulator;
pub use sonar_walk::{SonarRun, SonarWalk};
pub use way_points::{MAX_WAY_POINTS, read_way_points};

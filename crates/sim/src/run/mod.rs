//! Runs: the simulator step by step, drives along waypoints, and the runs that mappers are tried on.

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
mod waypoints;

pub use drive::{DriveEnding, Driven, WaypointDriver, drive_waypoints, drive_waypoints_watched};
pub use maze_walk::{MazeWalk, every_pallet};
pub use office_tour::OfficeTour;
pub use ramp_drive::RampDrive;
pub use recording::{Recorder, SimulatedRun};
pub use sensor_event::{SensorEvent, imu_attitude};
pub use simulator::Simulator;
pub use sonar_walk::{SonarRun, SonarWalk};
pub use waypoints::{MAX_WAYPOINTS, read_waypoints};

//! Makes maps and trajectories from laser scans and odometry.
//!
//! One folder per mapper: [`robbie`] is the particle filter of the paper, [`graph`] matches scans against submaps, closes
//! loops and solves a pose graph; [`DeadReckoning`] believes the odometry. All take the [`Scan`]s that [`scans_of`] makes of a log, and answer to [`Mapper`].

mod dead_reckoning;
mod dice;
pub mod graph;
mod hit_grid;
pub mod icp;
mod normals;
mod odometry;
mod point_index;
mod ray_cells;
pub mod robbie;
mod scan;
mod scan_queue;
mod stream;
mod tilt;

use model::{Grid, Pose2, PoseGraph};

pub use dead_reckoning::{DeadReckoning, DeadReckoningParams};
pub use graph::{Graph, GraphParams};
pub use hit_grid::{HitGrid, Misses};
pub use icp::{RefinedMatch, refine};
pub use robbie::{Robbie, RobbieParams};
pub use scan::{BeamCounts, RangeLimits, Scan};
pub use scan_queue::ScanQueue;
pub use stream::{LogCounts, MappingInput, OdometrySource, scans_of};

/// A pose that a mapper found for a scan.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MappedPose {
    /// When the scan was taken, seconds.
    pub time_s: f64,
    /// Where the robot was.
    pub map_from_robot: Pose2,
    /// Whether the scan was matched; else the pose was carried on by odometry.
    pub is_matched: bool,
}

/// Which trajectory is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hindsight {
    /// What was known when the scan came.
    Online,
    /// What is known after the last scan.
    Final,
}

/// Figures of one step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Step {
    /// Whether the scan was matched.
    pub is_matched: bool,
    /// Standard deviation of the position, metres, where the mapper knows it.
    pub spread_m: Option<f64>,
    /// Covariance of x, y, theta, where it knows it: xx, xy, xt, yy, yt, tt in metres and radians.
    pub covariance: Option<[f64; 6]>,
    /// Effective number of particles, where there are some.
    pub effective_particles: Option<f64>,
}

/// Something that makes a map.
pub trait Mapper {
    /// Takes the next scan, with the pose of the odometry at its time.
    fn step(&mut self, scan: &Scan, odom_from_robot: Pose2) -> Step;

    /// Does what is left to do after the last scan.
    fn finish(&mut self) {}

    /// Where the robot is.
    fn pose(&self) -> Pose2;

    /// The map so far; none before the first scan.
    fn map(&self) -> Option<Grid>;

    /// Poses of all scans so far.
    fn trajectory(&self, hindsight: Hindsight) -> Vec<MappedPose>;

    /// Loops that were closed.
    fn loops(&self) -> usize {
        0
    }

    /// The pose graph, where there is one.
    fn pose_graph(&self) -> Option<PoseGraph> {
        None
    }
}

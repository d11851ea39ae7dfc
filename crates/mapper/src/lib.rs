//! Makes maps and trajectories from laser scans and odometry.
//!
//! [`all`] lists the mappers: [`DeadReckoning`] uses the odometry as it is, [`robbie`] is the particle filter of the paper,
//! [`graph`] matches scans with submaps, closes loops and solves a pose graph, [`sonar`] has three mappers for sonar rings at
//! given poses. All take the [`Scan`]s that [`scans_of`] or [`sonar::sweeps_of`] makes from a log, and implement [`Mapper`].
//!
//! A new mapper is a file here that implements [`Mapper`] and [`ListedMapper`], its `mod` line below, and its line in
//! the list; every shell then offers it.

mod dead_reckoning;
mod deadline;
mod entry;
mod error;
pub mod graph;
mod hit_grid;
pub mod icp;
mod localizer;
mod normals;
mod odometry;
mod odometry_jump;
mod ray_cells;
pub mod robbie;
mod scan;
mod scan_queue;
mod self_check;
mod sight;
pub mod sonar;
mod stream;
mod tiled_counts;
mod tilt;
mod upright;

use model::{Grid, Point2, Pose2, PoseGraph};

pub use dead_reckoning::{DeadReckoning, DeadReckoningParams};
pub use deadline::Deadline;
pub use entry::{ListedMapper, MapperEntry, MapperParams, Parameter, Settings};
pub use error::MapperError;
pub use graph::{Graph, GraphParams};
pub use hit_grid::{HitGrid, Misses};
pub use icp::{RefinedMatch, measure, refine};
pub use localizer::{Localizer, LocalizerParams};
pub use odometry_jump::{JumpDetector, OdometryJump};
pub use robbie::{Robbie, RobbieParams};
pub use scan::{BeamCounts, InputRules, RangeDevice, RangeLimits, Scan};
pub use scan_queue::ScanQueue;
pub use self_check::{DoubtfulPlace, MapCheck, SelfCheck, Soundness, Why};
pub use stream::{LogCounts, MappingInput, OdometrySource, scans_of, scans_of_mounted};
pub use upright::{UprightReading, upright_reading};

/// The list of [`all`]: one line per mapper.
#[rustfmt::skip]
static MAPPERS: &[MapperEntry] = &[
    MapperEntry::of::<DeadReckoning>(),
    MapperEntry::of::<Graph>(),
    MapperEntry::of::<Robbie>(),
    MapperEntry::of::<sonar::OnGivenPoses<sonar::Elfes>>(),
    MapperEntry::of::<sonar::OnGivenPoses<sonar::Forward>>(),
    MapperEntry::of::<sonar::OnGivenPoses<sonar::LastReading>>(),
];

/// All mappers, by name.
#[must_use]
pub fn all() -> &'static [MapperEntry] {
    MAPPERS
}

/// The mapper of a name.
///
/// # Errors
/// There is none of this name.
pub fn find(name: &str) -> Result<MapperEntry, MapperError> {
    all().iter().find(|entry| entry.name == name).copied().ok_or_else(|| MapperError::UnknownMapper {
        name: name.to_owned(),
        known: all().iter().map(|entry| entry.name).collect(),
    })
}

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
    /// Share of the points of the scan that lie on surfaces of the map, 0 to 1, where it was matched with one.
    pub on_surface: Option<f64>,
    /// Standard deviation of the position, metres, where the mapper knows it.
    pub spread_m: Option<f64>,
    /// Covariance of x, y, theta, where it knows it: xx, xy, xt, yy, yt, tt in metres and radians.
    pub covariance: Option<[f64; 6]>,
    /// Effective number of particles, where there are some.
    pub effective_particles: Option<f64>,
}

/// Something that makes a map.
pub trait Mapper: Send {
    /// Which ranges it takes, and whether it wants tilted scans levelled.
    fn input_rules(&self) -> InputRules {
        InputRules::default()
    }

    /// Takes the next scan, with the pose of the odometry at its time.
    fn step(&mut self, scan: &Scan, odom_from_robot: Pose2) -> Step;

    /// Takes the next scan where no odometry tells the motion since the one before: the robot is expected to go on as it
    /// did, and is searched around there. The odometry of a scan after it begins anew.
    fn step_without_odometry(&mut self, scan: &Scan) -> Step;

    /// From this time on steps break off what takes long: a scan that is not matched by then moves with the odometry,
    /// searches for loop closures end. Mappers whose steps are short need not heed it.
    fn end_by(&mut self, _deadline: Deadline) {}

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

    /// Where the robot was at both ends of each loop closure.
    fn loop_closures(&self) -> Vec<[Point2; 2]> {
        Vec::new()
    }

    /// The pose graph, where there is one.
    fn pose_graph(&self) -> Option<PoseGraph> {
        None
    }
}

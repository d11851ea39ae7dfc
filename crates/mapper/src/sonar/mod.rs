//! Mapping with a sonar ring at given poses: three paradigms, one file each.
//!
//! [`LastReading`] writes what each cone says over what was known, [`Elfes`] gathers evidence for free and occupied space
//! cell by cell (inverse model), [`Forward`] searches the map under which all readings together are most likely. All take
//! the poses as they come: what differs is what they make of wide cones and of mirrors. Collins et al. compare
//! paradigms of mapping in this setting (sections 3 and 4).

mod elfes;
mod forward;
mod input;
mod last_reading;
mod plane;

use model::{Grid, Pose2};

pub use elfes::{Elfes, ElfesParams};
pub use forward::{Forward, ForwardParams};
pub use input::sweeps_of;
pub use last_reading::{LastReading, LastReadingParams};

use crate::entry::params;
use crate::{
    Hindsight, InputRules, ListedMapper, MappedPose, Mapper, MapperError, MapperParams, RangeDevice,
    RangeLimits, Scan, Settings, Step,
};

/// What one transducer measured.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Cone {
    /// Where it sits and looks to.
    pub robot_from_transducer: Pose2,
    /// Opening of the cone, radians.
    pub opening_rad: f64,
    /// Distance of the echo; without one, how far the transducer sees.
    pub range_m: f64,
    /// Whether an echo came.
    pub is_echo: bool,
}

/// A way to make a map out of cones at known poses.
pub trait SonarMapping: Send {
    /// The ranges that it takes.
    fn limits(&self) -> RangeLimits;

    /// Takes the cones of a sweep.
    fn add(&mut self, cones: &[Cone], map_from_robot: Pose2);

    /// Does what is left to do after the last sweep.
    fn finish(&mut self) {}

    /// The map; none before the first sweep.
    fn grid(&self) -> Option<Grid>;
}

/// A sonar mapping that can stand in the lists of paradigms and of mappers.
pub trait ListedSonarMapping: SonarMapping + Sized + 'static {
    /// What a user types.
    const NAME: &'static str;
    /// One line for a list.
    const SUMMARY: &'static str;
    type Params: MapperParams;

    /// A mapping that has seen nothing.
    fn with_params(params: Self::Params) -> Self;
}

/// A paradigm of sonar mapping: the name of its mapper, and how it is made from settings of that mapper.
#[derive(Clone, Copy, Debug)]
pub struct SonarEntry {
    pub name: &'static str,
    make: fn(&Settings) -> Result<Box<dyn SonarMapping>, MapperError>,
}

impl SonarEntry {
    const fn of<M: ListedSonarMapping>() -> Self {
        Self { name: M::NAME, make: |settings| Ok(Box::new(M::with_params(params(settings, 0)?))) }
    }

    /// A mapping that has seen nothing.
    ///
    /// # Errors
    /// A parameter that the mapper does not have, or a value that it cannot have.
    pub fn make(&self, settings: &Settings) -> Result<Box<dyn SonarMapping>, MapperError> {
        (self.make)(settings)
    }
}

/// The three paradigms, the plainest first.
#[must_use]
pub const fn sonar_mappings() -> [SonarEntry; 3] {
    [SonarEntry::of::<LastReading>(), SonarEntry::of::<Elfes>(), SonarEntry::of::<Forward>()]
}

/// A sonar mapping as a mapper: the poses are those of the odometry, the first at the origin.
pub struct OnGivenPoses<M> {
    mapping: M,
    start_from_odom: Option<Pose2>,
    trajectory: Vec<MappedPose>,
}

impl<M: ListedSonarMapping> ListedMapper for OnGivenPoses<M> {
    const NAME: &'static str = M::NAME;
    const SUMMARY: &'static str = M::SUMMARY;
    const DEVICE: RangeDevice = RangeDevice::Sonar;
    type Params = M::Params;

    fn with_params(params: M::Params) -> Self {
        Self { mapping: M::with_params(params), start_from_odom: None, trajectory: Vec::new() }
    }
}

impl<M: SonarMapping> OnGivenPoses<M> {
    fn take(&mut self, scan: &Scan, map_from_robot: Pose2) -> Step {
        if map_from_robot.is_finite() {
            self.mapping.add(&scan.cones_in_robot, map_from_robot);
        }
        self.trajectory.push(MappedPose { time_s: scan.time_s, map_from_robot, is_matched: false });
        Step::default()
    }
}

impl<M: SonarMapping> Mapper for OnGivenPoses<M> {
    fn input_rules(&self) -> InputRules {
        InputRules { limits: self.mapping.limits(), tilt_gate_m: 0.0, device: RangeDevice::Sonar }
    }

    fn step(&mut self, scan: &Scan, odom_from_robot: Pose2) -> Step {
        let here = self.pose();
        let start_from_odom = *self.start_from_odom.get_or_insert_with(|| here * odom_from_robot.inverse());
        self.take(scan, start_from_odom * odom_from_robot)
    }

    /// The robot stays where it is.
    fn step_without_odometry(&mut self, scan: &Scan) -> Step {
        self.start_from_odom = None;
        self.take(scan, self.pose())
    }

    fn finish(&mut self) {
        self.mapping.finish();
    }

    fn pose(&self) -> Pose2 {
        self.trajectory.last().map_or(Pose2::IDENTITY, |pose| pose.map_from_robot)
    }

    fn map(&self) -> Option<Grid> {
        self.mapping.grid()
    }

    fn trajectory(&self, _hindsight: Hindsight) -> Vec<MappedPose> {
        self.trajectory.clone()
    }
}

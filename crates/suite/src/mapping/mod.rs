//! Mapping (L-BATCH): the scans of a log in, a map and a trajectory out.
//!
//! [`make_map`] takes and gives values; [`map_file`] and [`write_map_result`] are its edge to files, [`map_live`] to a
//! server.

mod files;
mod findings;
mod live;
mod outputs;
mod page;
mod run;
mod settings;
mod stepwise;

use mapper::sonar::sweeps_of;
use mapper::{MapCheck, RangeDevice, Soundness, scans_of_mounted};
use model::{Finding, Grid, Point2, Pose2, PoseGraph, SensorLog, Trajectory};
use report::Frame;
use serde::Serialize;
use serde_json::Value;

use crate::Verdict;

pub use files::{MAP_FILES, MapJob, map_file, map_result_files, read_settings, write_map_result};
pub use live::map_live;
pub use mapper::{
    Hindsight, LogCounts, MappedPose, MapperEntry, MapperError, Parameter, Step, all as mappers,
    find as find_mapper,
};
pub use page::map_page;
use run::MappingRun;
pub use run::StepRecord;
pub use settings::{Settings, parameters};
pub use stepwise::StepwiseMapper;

/// The name of the form of [`MapReport`].
pub const MAP_SCHEMA: &str = "mapjudge.map/1";

/// How to map.
#[derive(Clone, Debug, PartialEq)]
pub struct MapPlan {
    /// One of [`mapper::all`].
    pub mapper: MapperEntry,
    /// Parameters that differ from the defaults.
    pub settings: Settings,
    /// Seed of everything random.
    pub seed: u64,
    /// Which trajectory the result holds.
    pub hindsight: Hindsight,
    /// Where the laser sits on the robot, for logs that do not tell it.
    pub robot_from_laser: Option<Pose2>,
}

impl MapPlan {
    /// A mapper with its defaults, and the trajectory as it is known after the last scan.
    #[must_use]
    pub fn new(mapper: MapperEntry, seed: u64) -> Self {
        let (settings, hindsight) = (Settings::default(), Hindsight::Final);
        Self { mapper, settings, seed, hindsight, robot_from_laser: None }
    }
}

/// Why a log could not be mapped.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum MapError {
    /// The mapper refuses the settings.
    #[error("{0}")]
    Settings(#[from] MapperError),
    /// The mapper maps sonar, and the log has none.
    #[error("the log has no sweep of a sonar ring, and {mapper} maps nothing else")]
    NoSonar {
        /// Name of the mapper.
        mapper: &'static str,
    },
    /// No beam of the scans had a return.
    #[error("no map came out of {scans} scans: {hits} of {beams} beams have a return")]
    NoMap {
        /// Scans that were mapped.
        scans: usize,
        /// Beams with a return that the mapper takes.
        hits: usize,
        /// Beams of all scans.
        beams: usize,
    },
}

impl MapError {
    /// A name of the error that never changes.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Settings(error) => error.code(),
            Self::NoMap { .. } | Self::NoSonar { .. } => "MAP_EMPTY",
        }
    }
}

/// Times of steps in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct StepTimes {
    /// Median.
    pub p50: f64,
    /// Exceeded by one step in a hundred.
    pub p99: f64,
}

/// What mapping did.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MapReport {
    /// Name of this form.
    pub schema: &'static str,
    /// The log as given; empty where it did not come from a file or server.
    pub log: String,
    /// Name of the mapper.
    pub mapper: MapperEntry,
    /// Its parameters, the seed among them.
    pub params: Value,
    /// `online` or `final`: which trajectory the result holds.
    pub trajectory: &'static str,
    /// Scans that were mapped.
    pub scans: usize,
    /// Scans that were matched; the others were carried on by odometry.
    pub matched: usize,
    /// Loop closures.
    pub loops: usize,
    /// Keyframes of the pose graph, where there is one.
    pub keyframes: Option<usize>,
    /// Times of the steps; none without a scan.
    pub ms_per_scan: Option<StepTimes>,
    /// Time after the last scan, seconds.
    pub finish_s: f64,
    /// What the map says about itself, without a truth.
    pub self_check: MapCheck,
    /// Ratio of the straight walls of the map that have a second one close beside them; none without a straight wall.
    pub double_walls: Option<f64>,
    /// What was odd about the log.
    pub counts: LogCounts,
    /// Names of the files that were written; empty before.
    pub files: Vec<String>,
    /// What the reader of the log noticed, and what is to say about its odometry.
    pub findings: Vec<Finding>,
}

impl MapReport {
    /// Whether there is a map to speak of: undefined where too few scans could be matched.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        let is_lost = self.findings.iter().any(|finding| finding.code == findings::FEW_SCANS_MATCHED);
        if is_lost { Verdict::Undefined } else { Verdict::Fine }
    }

    /// The same where only a sound map is good enough: a doubtful or broken one is missed, and undefined is whether the map is
    /// sound where no two scans could be compared.
    #[must_use]
    pub fn strict_verdict(&self) -> Verdict {
        match (self.verdict(), self.self_check.verdict) {
            (Verdict::Fine, Some(Soundness::Sound)) => Verdict::Fine,
            (Verdict::Fine, Some(_)) => Verdict::Missed,
            (Verdict::Fine, None) => Verdict::Undefined,
            (other, _) => other,
        }
    }
}

/// What a mapper made of a log.
#[derive(Clone, Debug)]
pub struct MapResult {
    /// Classes and probabilities.
    pub map: Grid,
    /// A pose per scan; those that were not matched are filled.
    pub trajectory: Trajectory,
    /// The scans of the log at the poses that were found.
    pub corrected: SensorLog,
    /// Poses at the times of the odometry too (L-FILL), where the log has odometry of its own.
    pub filled: Option<Vec<MappedPose>>,
    /// The pose graph, where the mapper has one.
    pub graph: Option<PoseGraph>,
    /// What each step published.
    pub steps: Vec<StepRecord>,
    /// The run as it can be played.
    pub frames: Vec<Frame>,
    /// Where the robot was at both ends of each loop closure.
    pub loop_closures: Vec<[Point2; 2]>,
    /// Counts, parameters and times.
    pub report: MapReport,
}

/// Maps a log. `progress` is told the scans done and all scans.
///
/// # Errors
/// The log has no scan with a return, or a parameter is unknown or out of range.
pub fn make_map(
    log: &SensorLog,
    plan: &MapPlan,
    progress: &dyn Fn(usize, usize),
) -> Result<MapResult, MapError> {
    let mut run = MappingRun::new(plan)?;
    let counts = take_scans(&mut run, log, plan, progress)?;
    run.into_result(log, counts, Vec::new())
}

/// Gives a mapper all scans of a log; what was odd about them.
fn take_scans(
    run: &mut MappingRun<'_>,
    log: &SensorLog,
    plan: &MapPlan,
    progress: &dyn Fn(usize, usize),
) -> Result<LogCounts, MapError> {
    let rules = run.mapper.input_rules();
    if rules.device == RangeDevice::Sonar && log.sonar().next().is_none() {
        return Err(MapError::NoSonar { mapper: plan.mapper.name });
    }
    let mount = plan.robot_from_laser.unwrap_or(Pose2::IDENTITY);
    let mut input = match rules.device {
        RangeDevice::Laser => scans_of_mounted(log, rules.limits, mount),
        RangeDevice::Sonar => sweeps_of(log, rules.limits),
    };
    if rules.tilt_gate_m > 0.0 {
        input.level(log, rules.tilt_gate_m);
    }
    for (done, (scan, odom_from_robot)) in input.scans.iter().enumerate() {
        run.step(scan, *odom_from_robot, input.counts.odometry);
        progress(done + 1, input.scans.len());
    }
    run.finish();
    Ok(input.counts)
}

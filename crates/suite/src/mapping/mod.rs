//! A log in, a map and a trajectory out.

mod files;
mod live;
mod run;
mod settings;

use std::path::{Path, PathBuf};

use formats::{Content, ReadOptions, read_document};
use mapper::{Hindsight, LogCounts, MappedPose, scans_of};
use model::{Finding, Grid, LogRecord, Odometry, Pose2, PoseGraph, SensorLog};
use serde::Serialize;
use serde_json::Value;

use crate::JobError;
use crate::inputs::shown;
pub use live::map_live;
pub(crate) use run::MappingRun;
pub use settings::{Parameter, Settings, parameters};

/// The name of the form of [`MapReport`].
pub const MAP_SCHEMA: &str = "mapjudge.map/1";

/// The mappers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum MapperName {
    /// The particle filter of the paper.
    Robbie,
    /// Submaps, loops and a pose graph.
    Graph,
    /// The odometry as it is, to compare with.
    Odometry,
}

impl MapperName {
    /// The word on the command line.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Robbie => "robbie",
            Self::Graph => "graph",
            Self::Odometry => "odometry",
        }
    }
}

/// What to map, with what, and where the results go.
#[derive(Clone, Debug)]
pub struct MapJob {
    /// Log with scans, or where they come from live.
    pub log: PathBuf,
    /// Topic of the same bag that has the odometry; none where the log has it beside the scans.
    pub odometry_topic: Option<String>,
    /// Which mapper.
    pub mapper: MapperName,
    /// Parameters that differ from the defaults.
    pub settings: Settings,
    /// Seed of everything random.
    pub seed: u64,
    /// Which trajectory the files hold.
    pub hindsight: Hindsight,
    /// Folder to write into; made if it is not there.
    pub folder: PathBuf,
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
    /// The log as given.
    pub log: String,
    /// Which mapper.
    pub mapper: MapperName,
    /// Its parameters, the seed among them.
    pub params: Value,
    /// `online` or `final`: which trajectory the files hold.
    pub trajectory: &'static str,
    /// Scans that were mapped.
    pub scans: usize,
    /// Scans that were matched; the others were carried on by odometry.
    pub matched: usize,
    /// Loops that were closed.
    pub loops: usize,
    /// Key poses of the graph, where there is one.
    pub key_poses: Option<usize>,
    /// Times of the steps; none without a scan.
    pub ms_per_scan: Option<StepTimes>,
    /// Time after the last scan, seconds.
    pub finish_s: f64,
    /// What was odd about the log.
    pub counts: LogCounts,
    /// Files written, by name.
    pub files: Vec<String>,
    /// What the reader noticed.
    pub findings: Vec<Finding>,
}

/// What a mapper made.
struct Mapped {
    map: Grid,
    poses: Vec<MappedPose>,
    graph: Option<PoseGraph>,
}

/// Maps a log and writes `map.pgm`, `map.yaml`, `map.tif`, `trajectory.xyt`, `trajectory.tum`, `corrected.log`, `graph.g2o`
/// where there is a graph, `filled.csv` where the log has odometry of its own, `steps.csv` and `report.json`. `progress` is
/// told the scans done and all scans.
///
/// # Errors
/// The log cannot be read or has no scan with a return, a parameter is unknown or out of range, or a file cannot be
/// written.
pub fn make_map(
    job: &MapJob,
    options: &ReadOptions,
    progress: &dyn Fn(usize, usize),
) -> Result<MapReport, JobError> {
    let document = read_document(&job.log, options)?;
    let Content::Log(log) = document.content else {
        let why = format!("found a {}, expected a log with scans", document.content.kind().name());
        return Err(no_map(&job.log, why));
    };
    let log = &with_odometry(job, log, options)?;
    let mut run = MappingRun::new(job.mapper, &job.settings, job.seed)?;
    let mut input = scans_of(log, run.limits);
    if run.tilt_gate_m > 0.0 {
        input.level(log, run.tilt_gate_m);
    }
    for (done, (scan, odom_from_robot)) in input.scans.iter().enumerate() {
        run.step(scan, *odom_from_robot);
        progress(done + 1, input.scans.len());
    }
    run.finish(job.hindsight);
    conclude(job, log, &run, input.counts, document.findings)
}

/// The log with the odometry of another topic: readings of a log, or poses of a trajectory such as that of a transform.
fn with_odometry(job: &MapJob, mut log: SensorLog, options: &ReadOptions) -> Result<SensorLog, JobError> {
    let Some(topic) = &job.odometry_topic else { return Ok(log) };
    let options = ReadOptions { topic: Some(topic.clone()), ..options.clone() };
    let reading = |time_s: f64, odom_from_robot: Pose2| {
        LogRecord::Odometry(Odometry { time_s, odom_from_robot, speed_mps: None, turn_rate_radps: None })
    };
    match read_document(&job.log, &options)?.content {
        Content::Log(other) => log.records.extend(other.odometry().cloned().map(LogRecord::Odometry)),
        Content::Trajectory(poses) => {
            let readings =
                poses.poses.iter().map(|pose| reading(pose.time_s, pose.world_from_robot.planar()));
            log.records.extend(readings);
        }
        other => {
            let why = format!("topic {topic}: expected odometry or poses, found a {}", other.kind().name());
            return Err(no_map(&job.log, why));
        }
    }
    Ok(log)
}

/// Writes the files of a run, and says what it did.
fn conclude(
    job: &MapJob,
    log: &SensorLog,
    run: &MappingRun,
    counts: LogCounts,
    findings: Vec<Finding>,
) -> Result<MapReport, JobError> {
    let mapped = mapped(run, job, &counts)?;
    let mut report = MapReport {
        schema: MAP_SCHEMA,
        log: shown(&job.log),
        mapper: job.mapper,
        params: run.params.clone(),
        trajectory: if job.hindsight == Hindsight::Final { "final" } else { "online" },
        scans: counts.scans,
        matched: mapped.poses.iter().filter(|pose| pose.is_matched).count(),
        loops: run.mapper.loops(),
        key_poses: mapped.graph.as_ref().map(|graph| graph.vertices.len()),
        ms_per_scan: run.times(),
        finish_s: run.finish_s,
        counts,
        files: Vec::new(),
        findings,
    };
    write(job, log, &mapped, run, &mut report)?;
    Ok(report)
}

fn no_map(log: &Path, why: String) -> JobError {
    JobError::NoMap { path: shown(log), why }
}

fn mapped(run: &MappingRun, job: &MapJob, counts: &LogCounts) -> Result<Mapped, JobError> {
    let why = || {
        let beams = &counts.beams;
        format!(
            "no map came out of {} scans: {} of {} beams have a return",
            counts.scans, beams.hits, beams.beams
        )
    };
    let map = run.mapper.map().ok_or_else(|| no_map(&job.log, why()))?;
    Ok(Mapped { map, poses: run.mapper.trajectory(job.hindsight), graph: run.mapper.pose_graph() })
}

fn write(
    job: &MapJob,
    log: &SensorLog,
    mapped: &Mapped,
    run: &MappingRun,
    report: &mut MapReport,
) -> Result<(), JobError> {
    std::fs::create_dir_all(&job.folder).map_err(|source| JobError::file(&job.folder, source))?;
    let mut files = files::of(log, mapped, job.settings.fill, &job.folder)?;
    files.push(("steps.csv", run.steps_csv().into_bytes()));
    for (name, bytes) in files {
        let path = job.folder.join(name);
        std::fs::write(&path, bytes).map_err(|source| JobError::file(&path, source))?;
        report.files.push(name.to_owned());
    }
    report.files.push("report.json".to_owned());
    let path = job.folder.join("report.json");
    let text = serde_json::to_string_pretty(report)
        .map_err(|error| JobError::file(&path, std::io::Error::other(error)))?;
    std::fs::write(&path, text + "\n").map_err(|source| JobError::file(&path, source))
}

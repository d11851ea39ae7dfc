//! A log in, a map and a trajectory out.

mod files;
mod settings;

use std::path::{Path, PathBuf};
use std::time::Instant;

use formats::{Content, ReadOptions, read_document};
use mapper::{
    Graph, GraphParams, Hindsight, LogCounts, MappedPose, Mapper, MappingInput, RangeLimits, Robbie,
    RobbieParams, scans_of,
};
use model::{Finding, Grid, PoseGraph, SensorLog};
use serde::Serialize;
use serde_json::Value;

use crate::JobError;
use crate::inputs::shown;
pub use settings::Settings;

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
}

/// What to map, with what, and where the results go.
#[derive(Clone, Debug)]
pub struct MapJob {
    /// Log with scans.
    pub log: PathBuf,
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
/// where there is a graph, `filled.csv` where the log has odometry of its own, and `report.json`. `progress` is told the
/// scans done and all scans.
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
    let Content::Log(log) = &document.content else {
        let why = format!("found a {}, expected a log with scans", document.content.kind().name());
        return Err(no_map(&job.log, why));
    };
    let (mut mapper, limits, params) = mapper_of(job)?;
    let input = scans_of(log, limits);
    let mut times_ms = Vec::with_capacity(input.scans.len());
    for (done, (scan, odom_from_robot)) in input.scans.iter().enumerate() {
        let start = Instant::now();
        mapper.step(scan, *odom_from_robot);
        times_ms.push(start.elapsed().as_secs_f64() * 1e3);
        progress(done + 1, input.scans.len());
    }
    let start = Instant::now();
    if job.hindsight == Hindsight::Final {
        mapper.finish();
    }
    let finish_s = start.elapsed().as_secs_f64();
    let mapped = mapped(mapper.as_ref(), job, &input)?;
    let mut report = MapReport {
        schema: MAP_SCHEMA,
        log: shown(&job.log),
        mapper: job.mapper,
        params,
        trajectory: if job.hindsight == Hindsight::Final { "final" } else { "online" },
        scans: input.counts.scans,
        matched: mapped.poses.iter().filter(|pose| pose.is_matched).count(),
        loops: mapper.loops(),
        key_poses: mapped.graph.as_ref().map(|graph| graph.vertices.len()),
        ms_per_scan: step_times(times_ms),
        finish_s,
        counts: input.counts,
        files: Vec::new(),
        findings: document.findings.clone(),
    };
    write(job, log, &mapped, &mut report)?;
    Ok(report)
}

fn no_map(log: &Path, why: String) -> JobError {
    JobError::NoMap { path: shown(log), why }
}

fn mapped(mapper: &dyn Mapper, job: &MapJob, input: &MappingInput) -> Result<Mapped, JobError> {
    let why = || {
        let beams = &input.counts.beams;
        format!(
            "no map came out of {} scans: {} of {} beams have a return",
            input.counts.scans, beams.hits, beams.beams
        )
    };
    let map = mapper.map().ok_or_else(|| no_map(&job.log, why()))?;
    Ok(Mapped { map, poses: mapper.trajectory(job.hindsight), graph: mapper.pose_graph() })
}

/// A mapper with its parameters, which ranges it takes, and the parameters as the report shows them.
fn mapper_of(job: &MapJob) -> Result<(Box<dyn Mapper>, RangeLimits, Value), JobError> {
    match job.mapper {
        MapperName::Robbie => {
            let defaults = RobbieParams { seed: job.seed, ..RobbieParams::PAPER };
            let (params, shown) = job.settings.over(&defaults)?;
            settings::check("cell_size_m", params.cell_size_m, 0.005, 10.0)?;
            settings::check("particles", params.particles as f64, 1.0, 100_000.0)?;
            settings::check("top_share", params.top_share, 0.0, 1.0)?;
            let limits = RangeLimits { min_m: params.range_min_m, max_m: params.range_max_m };
            Ok((Box::new(Robbie::new(params)), limits, shown))
        }
        MapperName::Graph => {
            let (params, shown) = job.settings.over(&GraphParams::default())?;
            settings::check("cell_size_m", params.cell_size_m, 0.005, 10.0)?;
            settings::check("submap_way_m", params.submap_way_m, 0.5, 1000.0)?;
            let limits = RangeLimits { min_m: params.range_min_m, max_m: params.range_max_m };
            Ok((Box::new(Graph::new(params)), limits, shown))
        }
    }
}

fn step_times(mut times_ms: Vec<f64>) -> Option<StepTimes> {
    times_ms.sort_by(f64::total_cmp);
    let at = |share: f64| times_ms.get((share * (times_ms.len() as f64 - 1.0)).round() as usize).copied();
    Some(StepTimes { p50: at(0.5)?, p99: at(0.99)? })
}

fn write(job: &MapJob, log: &SensorLog, mapped: &Mapped, report: &mut MapReport) -> Result<(), JobError> {
    std::fs::create_dir_all(&job.folder).map_err(|source| JobError::file(&job.folder, source))?;
    for (name, bytes) in files::of(log, mapped, job.settings.fill, &job.folder)? {
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

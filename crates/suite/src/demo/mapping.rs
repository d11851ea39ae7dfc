//! The mapping half on data it makes itself: a walk through a maze, mapped by both mappers and by odometry alone, all three
//! judged by the same metrics.

use std::path::{Path, PathBuf};

use align::{Alignment, Method};
use formats::{Content, ReadOptions, read_document};
use mapper::Hindsight;
use model::{Pose2, Pose3};
use report::{CasePictures, Format, Report, render};
use sim::run::MazeWalk;
use truth::MakeParams;

use super::office_maps::write_map;
use super::write;
use crate::mapping::{MapJob, MapperName, Settings, make_map};
use crate::{
    ALIGNMENT_SCHEMA, AlignBy, AlignmentFile, Evaluation, Job, JobError, Pictures, TrajectoryJob, evaluate,
    evaluate_trajectories,
};

/// Height of the truth grid, metres: that of the laser.
const SLICE_M: f64 = 0.3;
/// Name of the trajectory of a mapper in the frame of the truth.
const IN_TRUTH: &str = "trajectory-in-truth.tum";
/// What is compared, in the order of the page.
const MAPPERS: [MapperName; 3] = [MapperName::Odometry, MapperName::Robbie, MapperName::Graph];

/// What the demonstration of mapping made.
#[derive(Debug)]
pub struct MappingDemo {
    /// The scores, one case per mapper.
    pub report: Report,
    /// The log, to map it again.
    pub log: PathBuf,
    /// The page to open.
    pub html: PathBuf,
}

/// Simulates a walk through a maze, maps it with `odometry`, `robbie` and `graph`, and judges maps and trajectories against
/// the truth. `progress` is told the steps done, of five.
///
/// # Errors
/// The folder cannot be written to.
pub fn mapping_demo(folder: &Path, seed: u64, progress: &dyn Fn(usize)) -> Result<MappingDemo, JobError> {
    let (log, truth_from_start) = simulate(folder, seed)?;
    progress(1);
    for (done, mapper) in MAPPERS.into_iter().enumerate() {
        let settings = Settings::default();
        let folder = folder.join(mapper.word());
        let job = MapJob {
            log: log.clone(),
            odometry_topic: None,
            mapper,
            settings,
            seed,
            hindsight: Hindsight::Final,
            folder,
        };
        make_map(&job, &ReadOptions::default(), &|_, _| {})?;
        move_into_truth(&job.folder, truth_from_start)?;
        progress(done + 2);
    }
    let (report, pictures) = judge(folder, seed)?;
    let out = folder.join("result");
    let page = |format| render(&report, format, &pictures).map_err(JobError::from);
    write(&out.join("index.html"), page(Format::Html)?.as_bytes())?;
    write(&out.join("report.json"), page(Format::Json)?.as_bytes())?;
    progress(5);
    Ok(MappingDemo { report, log, html: out.join("index.html") })
}

/// Writes the log of a walk and its truth: map, trajectory, relations, and where the walk begins.
fn simulate(folder: &Path, seed: u64) -> Result<(PathBuf, Pose2), JobError> {
    let (arena, run) = MazeWalk { seed, ..MazeWalk::default() }.run()?;
    let log = folder.join("log.clf");
    write(&log, formats::write_carmen(&run.log).as_bytes())?;
    let truth = folder.join("truth");
    write_map(&truth, "truth", &arena.truth(SLICE_M)?)?;
    let trajectory = truth.join("truth.tum");
    write(&trajectory, formats::write_tum(&run.truth).as_bytes())?;
    let relations = truth.join("truth.jsonl");
    crate::relations::make(&trajectory, &relations, &MakeParams::default(), None, &ReadOptions::default())?;
    // Every mapper begins at its origin, which is where the walk begins.
    let start = AlignmentFile {
        schema: ALIGNMENT_SCHEMA.to_owned(),
        inputs: Vec::new(),
        parameters: None,
        alignment: Alignment::given(Method::Georeference, arena.start.into()),
    };
    let path = truth.join("start.json");
    let text = serde_json::to_string_pretty(&start)
        .map_err(|error| JobError::file(&path, std::io::Error::other(error)))?;
    write(&path, text.as_bytes())?;
    Ok((log, arena.start))
}

/// Writes the trajectory of a mapper in the frame of the truth, so that it can be drawn on the true map.
fn move_into_truth(folder: &Path, truth_from_start: Pose2) -> Result<(), JobError> {
    let document = read_document(&folder.join("trajectory.tum"), &ReadOptions::default())?;
    let Content::Trajectory(mut trajectory) = document.content else {
        return Err(JobError::Incomplete("trajectory"));
    };
    for pose in &mut trajectory.poses {
        pose.world_from_robot = Pose3::from(truth_from_start) * pose.world_from_robot;
    }
    write(&folder.join(IN_TRUTH), formats::write_tum(&trajectory).as_bytes())
}

/// Scores of the maps and of the trajectories, as one case per mapper.
fn judge(folder: &Path, seed: u64) -> Result<(Report, Vec<CasePictures>), JobError> {
    let truth = folder.join("truth");
    let of_each = |name: &str| MAPPERS.map(|mapper| folder.join(mapper.word()).join(name)).to_vec();
    let job = Job {
        truth: Some(truth.join("truth.yaml")),
        maps: of_each("map.yaml"),
        align: AlignBy::File(truth.join("start.json")),
        ..Job::default()
    };
    let runs = TrajectoryJob {
        estimates: of_each(IN_TRUTH),
        relations: Some(truth.join("truth.jsonl")),
        map: Some(truth.join("truth.yaml")),
        seed,
        ..TrajectoryJob::default()
    };
    let maps = evaluate(&job, Pictures::Draw, &|_| {})?;
    let runs = evaluate_trajectories(&runs, Pictures::Draw, &|_| {})?;
    Ok(joined(maps, runs))
}

/// What is known of each map and of the trajectory that goes with it.
fn joined(maps: Evaluation, runs: Evaluation) -> (Report, Vec<CasePictures>) {
    let (mut report, mut pictures) = (maps.report, maps.pictures);
    for (index, (case, run)) in report.cases.iter_mut().zip(runs.report.cases).enumerate() {
        MAPPERS[index].word().clone_into(&mut case.name);
        case.metrics.extend(run.metrics);
        case.inputs.extend(run.inputs);
        case.findings.extend(run.findings);
    }
    for (of_map, of_run) in pictures.iter_mut().zip(runs.pictures) {
        of_map.figures.extend(of_run.figures);
    }
    (report, pictures)
}

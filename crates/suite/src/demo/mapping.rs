//! The mapping half on data it makes itself: a walk through a maze, mapped by both mappers and by odometry alone, all three
//! judged by the same metrics.

use std::path::{Path, PathBuf};

use align::{Alignment, Method};
use formats::{Content, ReadOptions, read_document};
use mapper::{DeadReckoning, Graph, MapperEntry, Robbie};
use model::{Pose2, Pose3};
use report::{Format, Report, render};
use sim::run::MazeWalk;
use truth::MakeParams;

use super::office_maps::write_map;
use crate::files::relations::made;
use crate::files::{Loader, OutputFolder};
use crate::mapping::{MapJob, MapPlan, map_file};
use crate::{AlignmentFile, Figures, JobError, Plan, Ranking, Subject, Truth, judge, new_report};

/// Height of the truth grid, metres: that of the laser.
const SLICE_M: f64 = 0.3;
/// Name of the trajectory of a mapper in the frame of the truth.
const IN_TRUTH: &str = "trajectory-in-truth.tum";
/// What is compared, in the order of the page.
const MAPPERS: [MapperEntry; 3] =
    [MapperEntry::of::<DeadReckoning>(), MapperEntry::of::<Robbie>(), MapperEntry::of::<Graph>()];

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
pub fn mapping_demo(
    folder: &OutputFolder,
    seed: u64,
    progress: &dyn Fn(usize),
) -> Result<MappingDemo, JobError> {
    let (log, truth_from_start) = simulate(folder, seed)?;
    progress(1);
    for (done, mapper) in MAPPERS.into_iter().enumerate() {
        let folder = folder.below(mapper.name);
        let job = MapJob {
            log: log.clone(),
            odometry_topic: None,
            plan: MapPlan::new(mapper, seed),
            folder,
            snapshot_every_s: None,
        };
        map_file(&job, &ReadOptions::default(), &|_, _| {})?;
        job.folder.commit()?;
        move_into_truth(&job.folder, truth_from_start)?;
        progress(done + 2);
    }
    folder.commit()?;
    let report = judge_mappers(folder.path(), seed)?;
    let out = folder.below("result");
    let page = |format| render(&report, format).map_err(JobError::from);
    out.write("index.html", page(Format::Html)?)?;
    out.write("report.json", page(Format::Json)?)?;
    progress(5);
    Ok(MappingDemo { report, log, html: out.path().join("index.html") })
}

/// Writes the log of a walk and its truth: map, trajectory, relations, and where the walk begins.
fn simulate(folder: &OutputFolder, seed: u64) -> Result<(PathBuf, Pose2), JobError> {
    let (arena, run) = MazeWalk { seed, ..MazeWalk::default() }.run()?;
    folder.write("log.clf", formats::write_carmen(&run.log))?;
    let truth = folder.below("truth");
    write_map(&truth, "truth", &arena.truth(SLICE_M)?)?;
    truth.write("truth.tum", formats::write_tum(&run.truth))?;
    folder.commit()?;
    let trajectory = truth.path().join("truth.tum");
    let made = made(&trajectory, &MakeParams::default(), None, None, &ReadOptions::default())?;
    truth.write("truth.jsonl", formats::write_relation_records(&made.records))?;
    // Every mapper begins at its origin, which is where the walk begins.
    let start = AlignmentFile::new(Alignment::given(Method::Georeference, arena.start.into()));
    let text = serde_json::to_string_pretty(&start)
        .map_err(|error| JobError::file(truth.path(), std::io::Error::other(error)))?;
    truth.write("start.json", text)?;
    Ok((folder.path().join("log.clf"), arena.start))
}

/// Writes the trajectory of a mapper in the frame of the truth, so that it can be drawn on the true map.
fn move_into_truth(folder: &OutputFolder, truth_from_start: Pose2) -> Result<(), JobError> {
    let document = read_document(&folder.path().join("trajectory.tum"), &ReadOptions::default())?;
    let Content::Trajectory(mut trajectory) = document.content else {
        return Err(JobError::Incomplete("trajectory"));
    };
    for pose in &mut trajectory.poses {
        pose.world_from_robot = Pose3::from(truth_from_start) * pose.world_from_robot;
    }
    folder.write(IN_TRUTH, formats::write_tum(&trajectory))
}

/// Scores of map and trajectory, as one case per mapper.
fn judge_mappers(folder: &Path, seed: u64) -> Result<Report, JobError> {
    let (truth, loader) = (folder.join("truth"), Loader::default());
    let map = loader.map(&truth.join("truth.yaml"))?;
    let references = Truth {
        relations: Some(loader.relations(&truth.join("truth.jsonl"))?),
        background: Some(map.clone()),
        map: Some(map),
        ..Truth::default()
    };
    let plan = Plan {
        transform: Some(loader.alignment(&truth.join("start.json"))?.value),
        ranking: Ranking { seed, ..Ranking::default() },
        figures: Figures::Draw,
        ..Plan::default()
    };
    let mut cases = Vec::new();
    for mapper in MAPPERS {
        let own = folder.join(mapper.name);
        let subject = Subject {
            name: mapper.name.to_owned(),
            map: Some(loader.map(&own.join("map.yaml"))?),
            trajectory: Some(loader.trajectory(&own.join(IN_TRUTH))?),
            ..Subject::default()
        };
        cases.push(judge(&subject, &references, &plan)?);
    }
    Ok(new_report(cases))
}

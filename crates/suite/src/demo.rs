//! The whole tool on data it makes itself: a place, damaged maps of it, scores, ranking, HTML report.

use std::path::{Path, PathBuf};

use formats::write_ros_map;
use model::Grid;
use report::{CaseReport, Format, render};
use sim::damage::DAMAGES;
use sim::place::{OfficePlan, office};

use crate::{Evaluation, Job, JobError, Pictures, evaluate};

/// The seed of the demonstration, where none is given.
pub const DEFAULT_SEED: u64 = 1;

/// The metric that orders the maps of the demonstration: it asks whether walls are where they should be,
/// whatever their thickness.
const RANKED_BY: &str = "surface_f1_area";

/// What the demonstration made.
#[derive(Debug)]
pub struct Demo {
    /// Scores of all maps.
    pub evaluation: Evaluation,
    /// Names of the maps from best to worst, with the value they are ranked by.
    pub ranking: Vec<(String, Option<f64>)>,
    /// Title of the metric that ranks.
    pub ranked_by: String,
    /// The report to open.
    pub html: PathBuf,
}

/// Makes a place and damaged maps of it in a folder, scores them, and writes `report.html` and `report.json`.
///
/// # Errors
/// The folder cannot be written to.
pub fn demo(folder: &Path, seed: u64, progress: &(dyn Fn(usize) + Sync)) -> Result<Demo, JobError> {
    std::fs::create_dir_all(folder).map_err(|source| JobError::file(folder, source))?;
    let place = office(&OfficePlan { seed, ..OfficePlan::default() })?;
    let truth = write_map(folder, "truth", &place)?;
    let shown = DAMAGES.iter().filter(|damage| damage.name != "unseen");
    let maps = shown
        .map(|damage| write_map(folder, damage.name, &(damage.apply)(&place, seed)?))
        .collect::<Result<Vec<_>, JobError>>()?;
    let job = Job { truth: Some(truth), maps, ..Job::default() };
    let evaluation = evaluate(&job, Pictures::Draw, progress)?;
    let html = folder.join("report.html");
    write(&html, render(&evaluation.report, Format::Html, &evaluation.pictures)?.as_bytes())?;
    write(&folder.join("report.json"), render(&evaluation.report, Format::Json, &[])?.as_bytes())?;
    let (ranking, ranked_by) = ranking(&evaluation.report.cases);
    Ok(Demo { evaluation, ranking, ranked_by, html })
}

/// Names from best to worst. A map without a value comes last.
fn ranking(cases: &[CaseReport]) -> (Vec<(String, Option<f64>)>, String) {
    let value = |case: &CaseReport| case.metric(RANKED_BY).and_then(|record| record.value);
    let mut ranked: Vec<_> = cases.iter().map(|case| (case.name.clone(), value(case))).collect();
    ranked.sort_by(|a, b| b.1.unwrap_or(f64::NEG_INFINITY).total_cmp(&a.1.unwrap_or(f64::NEG_INFINITY)));
    let title = metrics::find(RANKED_BY).map_or(RANKED_BY, |entry| entry.spec.title);
    (ranked, title.to_owned())
}

fn write_map(folder: &Path, name: &str, grid: &Grid) -> Result<PathBuf, JobError> {
    let (yaml, pgm) = write_ros_map(grid, &format!("{name}.pgm"));
    write(&folder.join(format!("{name}.pgm")), &pgm)?;
    let path = folder.join(format!("{name}.yaml"));
    write(&path, yaml.as_bytes())?;
    Ok(path)
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), JobError> {
    std::fs::write(path, bytes).map_err(|source| JobError::file(path, source))
}

//! Maps judged by a layout of fiducials alone: the work of `mapjudge fiducials MAP.. --layout FILE`.

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use metrics::fiducials::{FiducialInputs, LayoutFrame};
use metrics::{Case, Family};
use rayon::prelude::*;
use report::{CasePictures, CaseReport};
use serde_json::{Value, json};

use super::{LayoutInput, alignment_of, fiducial_facts, figures};
use crate::evaluate::measure;
use crate::evaluate::new_report;
use crate::illustrate::Pictures;
use crate::inputs::{MapInput, case_names};
use crate::judge::judge;
use crate::{Chosen, Evaluation, Job, JobError, choose};

/// Judges maps by a layout; `frame` says how they lie on it.
///
/// # Errors
/// A file that cannot be read, a name or parameter that does not exist.
pub fn judge_fiducials(
    job: &Job,
    frame: LayoutFrame,
    pictures: Pictures,
    progress: &(dyn Fn(usize) + Sync),
) -> Result<Evaluation, JobError> {
    let layout_path = job.layout.as_ref().ok_or(JobError::Incomplete("layout"))?;
    if job.maps.is_empty() {
        return Err(JobError::Incomplete("map"));
    }
    let chosen = chosen(job)?;
    let options = job.read.options()?;
    let layout = LayoutInput::read(layout_path, &options)?;
    let done = AtomicUsize::new(0);
    let judged = |(path, name): (&std::path::PathBuf, String)| {
        let result = judge_map(job, &chosen, &layout, path, name, frame, pictures);
        progress(done.fetch_add(1, Ordering::Relaxed) + 1);
        result
    };
    let named: Vec<_> = job.maps.iter().zip(case_names(&job.maps)).collect();
    let results: Vec<_> = named.into_par_iter().map(judged).collect::<Result<_, JobError>>()?;
    let (cases, pictures): (Vec<_>, Vec<_>) = results.into_iter().unzip();
    let mut report = new_report(cases);
    let verdict = judge(job.into(), &chosen, &mut report)?;
    Ok(Evaluation { report, pictures: pictures.into_iter().flatten().collect(), verdict })
}

/// What was asked for, or the whole family.
fn chosen(job: &Job) -> Result<Vec<Chosen>, JobError> {
    let names =
        if job.metrics.is_empty() { vec![Family::Fiducials.name().to_owned()] } else { job.metrics.clone() };
    choose(&names, &job.set)
}

fn judge_map(
    job: &Job,
    chosen: &[Chosen],
    layout: &LayoutInput,
    path: &Path,
    name: String,
    frame: LayoutFrame,
    pictures: Pictures,
) -> Result<(CaseReport, Option<CasePictures>), JobError> {
    let map = MapInput::read(path, "map", &job.read.options()?)?;
    let inputs =
        FiducialInputs { layout: layout.layout.clone(), map: map.grid, frame, search: job.fiducials };
    let case = Case::without_maps().with_fiducials(inputs);
    let asked = |chosen: &&Chosen| chosen.by_name || chosen.metric.applies(&case);
    let facts = [("reading", json!(job.read)), ("fiducials", fiducial_facts(&case).unwrap_or(Value::Null))];
    let report = CaseReport {
        name,
        inputs: map.records.into_iter().chain([layout.record.clone()]).collect(),
        alignment: alignment_of(&case),
        grid: None,
        metrics: chosen.iter().filter(asked).map(|chosen| measure(chosen, &case, None)).collect(),
        findings: layout.findings.iter().cloned().chain(map.findings).collect(),
        detail: Some(metrics::facts(facts)),
    };
    let drawn = match pictures {
        Pictures::Draw => Some(CasePictures { figures: figures(&case)?, ..Default::default() }),
        Pictures::None => None,
    };
    Ok((report, drawn))
}

//! Results that `traj` wrote into folders, read back and put side by side.

use std::path::{Path, PathBuf};

use model::Finding;
use report::{CaseReport, Report, read_baseline, read_errors_csv};

use super::loader::Loader;
use super::names::case_names;
use crate::trajectory::compare_saved;
use crate::{JobError, Ranking, new_report};

/// The finding of runs that were not judged alike.
const NOT_COMPARABLE: &str = "RUNS_NOT_COMPARABLE";
/// Larger reports are no reports of runs.
const MAX_REPORT_BYTES: u64 = 256 << 20;
const MAX_ERRORS_BYTES: u64 = 1 << 30;

/// Reads the results of several folders, or `report.json` files, into one report: a case per saved run, under its own
/// name, with that of its folder where two would be equal. Runs that were judged by another truth or another rule carry
/// a finding; where none does, and all kept their errors, they are ranked with intervals.
///
/// # Errors
/// A folder without a report of runs, or a file that cannot be read.
pub fn read_saved_runs(folders: &[PathBuf], ranking: &Ranking) -> Result<Report, JobError> {
    let mut cases = Vec::new();
    let mut files = Vec::new();
    for folder in folders {
        let read = read_one(folder)?;
        files.extend(read.iter().map(|case| folder_of(folder).join(&case.name)));
        cases.extend(read);
    }
    for (case, name) in cases.iter_mut().zip(names(&files)) {
        case.name = name;
    }
    let differences: Vec<Option<Finding>> = cases.iter().map(|case| difference(case, &cases[0])).collect();
    for (case, finding) in cases.iter_mut().zip(differences) {
        case.findings.retain(|finding| finding.code != "COMMON_SUPPORT");
        case.findings.extend(finding);
    }
    let is_one_truth =
        cases.iter().all(|case| !case.findings.iter().any(|found| found.code == NOT_COMPARABLE));
    let compared = compare_saved(&cases, ranking).filter(|_| is_one_truth);
    let mut report = new_report(cases);
    if let Some((comparison, finding)) = compared {
        report.cases.iter_mut().take(1).for_each(|case| case.findings.push(finding.clone()));
        report.comparison = Some(comparison);
    }
    Ok(report)
}

/// Names of runs with dots in them are no files with extensions.
fn names(files: &[PathBuf]) -> Vec<String> {
    let with_ending = |path: &PathBuf| PathBuf::from(format!("{}.run", path.display()));
    case_names(&files.iter().map(with_ending).collect::<Vec<_>>())
}

fn folder_of(path: &Path) -> &Path {
    if path.is_dir() { path } else { path.parent().unwrap_or(Path::new("")) }
}

fn read_one(path: &Path) -> Result<Vec<CaseReport>, JobError> {
    let folder = folder_of(path);
    let file = if path.is_dir() { path.join("report.json") } else { path.to_owned() };
    let loader = Loader::default();
    let text = loader.text(&file, MAX_REPORT_BYTES)?.value;
    let fault = |message: String| JobError::JobFile { path: file.display().to_string(), message };
    let report = read_baseline(&text).map_err(|error| fault(error.to_string()))?;
    let mut cases: Vec<CaseReport> = report.cases.into_iter().filter(CaseReport::is_trajectory).collect();
    if cases.is_empty() {
        return Err(fault("expected a report of trajectories, found none in it".to_owned()));
    }
    for name in ["errors", "relation_errors"] {
        let errors = folder.join(format!("{name}.csv"));
        if !errors.is_file() {
            continue;
        }
        let text = loader.text(&errors, MAX_ERRORS_BYTES)?.value;
        for case in &mut cases {
            let table = read_errors_csv(&text, name, &case.name)
                .map_err(|message| JobError::JobFile { path: errors.display().to_string(), message })?;
            case.errors.extend((!table.rows.is_empty()).then_some(table));
        }
    }
    Ok(cases)
}

/// What makes two runs incomparable: another truth, or another rule of measuring.
fn difference(case: &CaseReport, first: &CaseReport) -> Option<Finding> {
    let truths = |case: &CaseReport| -> Vec<String> {
        let is_truth = |role: &str| role == "truth" || role == "relations";
        case.inputs.iter().filter(|input| is_truth(&input.role)).map(|input| input.blake3.clone()).collect()
    };
    let rule = |case: &CaseReport| {
        let facts = case.detail.as_ref().and_then(|detail| detail.get("trajectory"));
        ["associate", "max_dt_s", "max_gap_s"].map(|key| facts.and_then(|facts| facts.get(key)).cloned())
    };
    let other_parameters = || {
        case.metrics
            .iter()
            .find(|record| first.metric(&record.id).is_some_and(|own| own.params != record.params))
    };
    let message = if truths(case) != truths(first) {
        format!("the truth is another one than that of {}", first.name)
    } else if rule(case) != rule(first) {
        format!("poses were matched by another rule than those of {}", first.name)
    } else {
        let record = other_parameters()?;
        format!("{} was measured with other parameters than for {}", record.id, first.name)
    };
    Some(
        Finding::warning(NOT_COMPARABLE, message)
            .hint("judge all runs by the same truth with the same options before comparing them"),
    )
}

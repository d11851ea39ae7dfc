//! The line for trajectories: read, match, measure, judge.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use align::trajectory::Association;
use metrics::trajectory::relative_displacement::RelativeDisplacement;
use metrics::trajectory::trajectory_coverage::TrajectoryCoverage;
use metrics::trajectory::{RunInputs, Runs};
use metrics::{Case, Metric};
use model::{Finding, Level, Relation, TimeBase, Trajectory};
use rayon::prelude::*;
use report::{Alignment, CasePictures, CaseReport, MetricRecord, RunComparison, Transform};
use serde_json::{Value, json};

use super::compare::compare;
use super::diagnose::{diagnose, time_offset};
use super::figures::{Background, figures};
use super::input::{FileInput, read_relations, read_trajectory};
use super::job::TrajectoryJob;
use crate::evaluate::{measure, new_report};
use crate::illustrate::Pictures;
use crate::inputs::case_names;
use crate::judge::{Rules, judge};
use crate::{Chosen, Evaluation, JobError, choose};

/// What all estimates are judged against.
struct References {
    truth: Option<FileInput<Trajectory>>,
    relations: Option<FileInput<Vec<Relation>>>,
    odometry: Option<FileInput<Trajectory>>,
}

/// A case with its report.
struct Judged {
    case: Case,
    report: CaseReport,
}

/// Judges trajectories. `progress` is called with the number of finished ones.
///
/// # Errors
/// A file that cannot be read or holds no poses, a name or parameter that does not exist.
pub fn evaluate_trajectories(
    job: &TrajectoryJob,
    pictures: Pictures,
    progress: &(dyn Fn(usize) + Sync),
) -> Result<Evaluation, JobError> {
    check(job)?;
    let chosen = chosen(job)?;
    let references = References::read(job)?;
    let background = job.map.as_deref().map(|path| Background::read(path, job)).transpose()?;
    let done = AtomicUsize::new(0);
    let judge_one = |(path, name): (&PathBuf, String)| {
        let judged = judge_run(job, &chosen, &references, path, name);
        progress(done.fetch_add(1, Ordering::Relaxed) + 1);
        judged
    };
    let named: Vec<_> = job.estimates.iter().zip(case_names(&job.estimates)).collect();
    let judged: Vec<Judged> = named.into_par_iter().map(judge_one).collect::<Result<_, JobError>>()?;
    let (cases, mut reports): (Vec<Case>, Vec<CaseReport>) =
        judged.into_iter().map(|judged| (judged.case, judged.report)).unzip();
    let runs: Vec<&Runs> = cases.iter().filter_map(|case| case.run().ok()).collect();
    let comparison = compare(job, &runs, &reports);
    let drawn: Vec<CasePictures> = if pictures == Pictures::Draw {
        runs.iter().map(|run| figures(run, background.as_ref())).collect()
    } else {
        Vec::new()
    };
    if let (Some(comparison), Some(first)) = (&comparison, reports.first_mut()) {
        first.findings.push(common_support(comparison));
    }
    let mut report = new_report(reports);
    report.comparison = comparison;
    let rules = Rules {
        limits: job.limits.as_deref(),
        baseline: job.baseline.as_deref(),
        baseline_tolerance: job.baseline_tolerance,
    };
    let verdict = judge(rules, &chosen, &mut report)?;
    Ok(Evaluation { report, pictures: drawn, verdict })
}

fn check(job: &TrajectoryJob) -> Result<(), JobError> {
    if job.estimates.is_empty() {
        return Err(JobError::Incomplete("trajectory"));
    }
    if job.truth.is_none() && job.relations.is_none() {
        return Err(JobError::Incomplete("truth or relations"));
    }
    let times = [("max_dt_s", job.max_dt_s), ("max_gap_s", job.max_gap_s)];
    for (name, value) in times.into_iter().chain(job.estimate_offset_s.map(|v| ("estimate_offset_s", v))) {
        if !(value.is_finite() && value >= 0.0) {
            return Err(JobError::Range { name, value, expected: "a time in seconds, not negative" });
        }
    }
    if !job.time_offset_s.is_finite() {
        return Err(JobError::Range {
            name: "time_offset_s",
            value: job.time_offset_s,
            expected: "a finite time",
        });
    }
    if !(0.0..=1.0).contains(&job.min_coverage) {
        return Err(JobError::Range {
            name: "min_coverage",
            value: job.min_coverage,
            expected: "a share from 0 to 1",
        });
    }
    if let Some(name) = job
        .rank_by
        .as_ref()
        .filter(|name| !["ate_translation", "relative_displacement"].contains(&name.as_str()))
    {
        return Err(JobError::UnknownMetric { name: name.clone(), nearest: Some("ate_translation") });
    }
    Ok(())
}

/// Giving relations asks for their metric by name.
fn chosen(job: &TrajectoryJob) -> Result<Vec<Chosen>, JobError> {
    let mut set = job.set.clone();
    let gap = set.entry("trajectory_coverage".to_owned()).or_default();
    gap.entry("max_gap_s".to_owned()).or_insert_with(|| json!(job.max_gap_s));
    let mut chosen = choose(&job.metrics, &set)?;
    for entry in &mut chosen {
        entry.by_name |= job.relations.is_some() && entry.metric.spec().id == "relative_displacement";
    }
    Ok(chosen)
}

impl References {
    fn read(job: &TrajectoryJob) -> Result<Self, JobError> {
        let trajectory = |path: &Option<PathBuf>, role: &str| {
            path.as_deref().map(|path| read_trajectory(path, role, job)).transpose()
        };
        Ok(Self {
            truth: trajectory(&job.truth, "truth")?,
            relations: job.relations.as_deref().map(|path| read_relations(path, job)).transpose()?,
            odometry: trajectory(&job.odometry, "odometry")?,
        })
    }

    fn findings(&self) -> impl Iterator<Item = &Finding> {
        let (truth, relations, odometry) =
            (self.truth.as_ref(), self.relations.as_ref(), self.odometry.as_ref());
        let of_truth = truth.into_iter().flat_map(|input| &input.findings);
        let of_relations = relations.into_iter().flat_map(|input| &input.findings);
        of_truth.chain(of_relations).chain(odometry.into_iter().flat_map(|input| &input.findings))
    }

    fn records(&self) -> impl Iterator<Item = &report::Input> {
        let (truth, relations, odometry) =
            (self.truth.as_ref(), self.relations.as_ref(), self.odometry.as_ref());
        let of_truth = truth.into_iter().flat_map(|input| &input.records);
        let of_relations = relations.into_iter().flat_map(|input| &input.records);
        of_truth.chain(of_relations).chain(odometry.into_iter().flat_map(|input| &input.records))
    }
}

fn has_times(trajectory: &Trajectory) -> bool {
    trajectory.time_base == TimeBase::Seconds
}

/// One estimate: read, match, measure.
fn judge_run(
    job: &TrajectoryJob,
    chosen: &[Chosen],
    references: &References,
    path: &Path,
    name: String,
) -> Result<Judged, JobError> {
    let FileInput { content: estimate, mut findings, records } = read_trajectory(path, "trajectory", job)?;
    let poses_in_file = estimate.poses.len();
    // The track of the run says it with the numbers that count: those of the chosen records.
    findings.retain(|finding| finding.code != "STAMPS_REPEATED");
    let truth = references.truth.as_ref().map(|input| &input.content);
    let by_time = has_times(&estimate) && truth.is_none_or(has_times);
    let inputs = |estimate, time_offset_s| RunInputs {
        estimate,
        truth,
        relations: references.relations.as_ref().map(|input| input.content.as_slice()),
        odometry: references.odometry.as_ref().map(|input| &input.content),
        association: job.association(by_time),
        time_offset_s,
    };
    let mut offset_s = job.time_offset_s;
    if job.estimate_offset_s.is_some() {
        let unshifted = Runs::new(inputs(Cow::Owned(estimate.clone()), offset_s));
        if let Some((more_s, finding)) = time_offset(&unshifted, job) {
            findings.push(finding);
            offset_s += more_s;
        }
    }
    let runs = Runs::new(inputs(Cow::Owned(estimate), offset_s));
    let case = Case::without_maps().with_run(runs);
    let asked = |c: &&Chosen| c.by_name || c.metric.applies(&case);
    let metrics: Vec<MetricRecord> = chosen.iter().filter(asked).map(|c| measure(c, &case, None)).collect();
    let coverage = coverage(&case, job);
    if let Ok(runs) = case.run() {
        findings.extend(diagnose(runs, poses_in_file, coverage, job));
    }
    let report = CaseReport {
        name,
        inputs: records.into_iter().chain(references.records().cloned()).collect(),
        alignment: alignment(&case, &metrics),
        grid: None,
        metrics,
        findings: references.findings().cloned().chain(findings).collect(),
        detail: Some(metrics::facts([("trajectory", trajectory_facts(&case, job, offset_s, coverage))])),
    };
    Ok(Judged { case, report })
}

/// Share of the truth's time and path that was compared; of the relations where there is no truth.
fn coverage(case: &Case, job: &TrajectoryJob) -> Option<f64> {
    if job.truth.is_some() {
        let metric = TrajectoryCoverage { max_gap_s: job.max_gap_s };
        return Metric::evaluate(&metric, case).ok().map(|score| score.value);
    }
    let detail = match Metric::evaluate(&RelativeDisplacement::default(), case) {
        Ok(score) => score.detail,
        Err(undefined) => undefined.detail,
    };
    detail.get("coverage").and_then(Value::as_f64)
}

/// The fit of a run, as the absolute error used it; of a run in space the part seen from above, and all of it beside.
fn alignment(case: &Case, records: &[MetricRecord]) -> Option<Alignment> {
    let fit = records.iter().find_map(|record| record.detail.get("alignment"))?;
    let number = |value: &Value| value.as_f64();
    Some(Alignment {
        method: fit["method"].as_str()?.to_owned(),
        truth_from_map: Transform {
            x_m: number(&fit["translation_m"][0])?,
            y_m: number(&fit["translation_m"][1])?,
            theta_rad: number(&fit["yaw_rad"])?,
            scale: number(&fit["scale"])?,
        },
        certificate: matches!(case.run(), Ok(Runs::Spatial(_))).then(|| fit.as_object().cloned()).flatten(),
    })
}

/// How the run was read and matched, for the report.
fn trajectory_facts(case: &Case, job: &TrajectoryJob, offset_s: f64, coverage: Option<f64>) -> Value {
    let (dimensions, association) = match case.run() {
        Ok(Runs::Planar(run)) => (2, run.association),
        Ok(Runs::Spatial(run)) => (3, run.association),
        Err(_) => (0, Association::default()),
    };
    json!({
        "coverage": coverage,
        "dimensions": dimensions,
        "associate": format!("{:?}", association.rule).to_lowercase(),
        "max_dt_s": association.max_dt_s,
        "max_gap_s": association.max_gap_s,
        "time_offset_s": offset_s,
        "records": job.records,
    })
}

/// Says that the ranking rests on what all runs have.
fn common_support(comparison: &RunComparison) -> Finding {
    let message = format!(
        "the ranking compares {} of {} true poses or relations, those that every ranked run was matched with; the \
         values in the table rest on what each run has by itself",
        comparison.common, comparison.whole
    );
    Finding::new(Level::Info, "COMMON_SUPPORT", message)
}

//! The one line of the library: find the transform, bring both onto one grid, measure, explain.
//!
//! [`judge`] is the only place where a [`CaseReport`] is made. Maps, trajectories, labelled points, fiducials, members of
//! a consensus and a map alone are subjects with different parts.

mod assemble;
mod diagnose;
mod explain;
mod frame;
mod measure;
mod nonsense;
mod placement;
mod runs;
mod selection;

use metrics::{AnyMetric, Case, Reason};
use report::CaseReport;

pub(crate) use explain::add_facts;
pub use selection::{Chosen, choose};

use crate::subject::part_records;
use crate::{JobError, Plan, Resampling, Subject, Truth};
use assemble::assemble;
pub(crate) use measure::{check_map_memory, measure};
use placement::{Placement, place};
use runs::Poses;

/// Judges a subject against a truth.
///
/// # Errors
/// A metric or parameter that does not exist, a number out of its range, or maps that cannot be compared at all. A
/// metric that is undefined is no error.
pub fn judge(subject: &Subject, truth: &Truth, plan: &Plan) -> Result<CaseReport, JobError> {
    Ok(judge_case(subject, truth, plan)?.report)
}

/// As [`judge`], with metrics of your own behind those of the plan.
///
/// # Errors
/// As [`judge`].
pub fn judge_with(
    subject: &Subject,
    truth: &Truth,
    plan: &Plan,
    own: &[&dyn AnyMetric],
) -> Result<CaseReport, JobError> {
    let Judged { mut report, case, doubt } = judge_case(subject, truth, plan)?;
    report.metrics.extend(own.iter().map(|metric| measure(*metric, &case, doubt, plan.resampling)));
    Ok(report)
}

/// A report with the case behind it, from which runs are compared with each other.
pub(crate) struct Judged {
    pub(crate) report: CaseReport,
    pub(crate) case: Case,
    /// Why the transform is in doubt; every value carries it.
    doubt: Option<Reason>,
}

/// As [`judge`], with the case itself.
pub(crate) fn judge_case(subject: &Subject, truth: &Truth, plan: &Plan) -> Result<Judged, JobError> {
    judge_poses(subject, truth, Poses::borrowed(subject, truth), plan)
}

/// As [`judge_case`], for trajectories that nobody needs any more: what is left of them has no poses.
pub(crate) fn judge_last(subject: &mut Subject, truth: &mut Truth, plan: &Plan) -> Result<Judged, JobError> {
    let poses = Poses::taken(subject, truth);
    judge_poses(subject, truth, poses, plan)
}

fn judge_poses(subject: &Subject, truth: &Truth, poses: Poses<'_>, plan: &Plan) -> Result<Judged, JobError> {
    plan.check()?;
    let chosen = selection::chosen(truth, plan)?;
    let placement = placed(subject, truth, plan)?;
    let assembled = assemble((subject, truth, poses), plan, &chosen, placement.as_ref())?;
    let case = assembled.case;
    let doubt = placement.as_ref().and_then(Placement::reason_for_values);
    let asked = chosen.iter().filter(|chosen| chosen.is_asked(&case));
    let mut metrics = Vec::new();
    for chosen in asked {
        if plan.stop.is_asked() {
            return Err(JobError::Stopped);
        }
        metrics.push(measure(&*chosen.metric, &case, doubt, plan.resampling));
    }
    let parts = part_records(subject, truth);
    let explained = explain::Explained::new(subject, truth, plan, &case, assembled.run.as_ref());
    let report = CaseReport {
        name: subject.name.clone(),
        error: None,
        alignment: explained.alignment(placement.as_ref(), &metrics),
        grid: explained.grid(),
        findings: [explained.findings(&parts, placement.as_ref(), &metrics), assembled.findings].concat(),
        inputs: parts.into_iter().flat_map(|part| part.inputs).collect(),
        detail: explained.detail(),
        figures: explained.figures(placement.as_ref(), &metrics)?,
        errors: explained.errors(&metrics),
        metrics,
    };
    Ok(Judged { report, case, doubt })
}

/// The values of the metrics of a plan alone, for whoever judges thousands of pairs: none where a metric is undefined.
pub(crate) fn values(
    subject: &Subject,
    truth: &Truth,
    plan: &Plan,
) -> Result<Vec<(String, Option<f64>)>, JobError> {
    plan.check()?;
    let chosen = selection::chosen(truth, plan)?;
    let placement = placed(subject, truth, plan)?;
    let poses = Poses::borrowed(subject, truth);
    let case = assemble((subject, truth, poses), plan, &chosen, placement.as_ref())?.case;
    let asked = chosen.iter().filter(|chosen| chosen.is_asked(&case));
    Ok(asked
        .map(|chosen| {
            let record = measure(&*chosen.metric, &case, None, Resampling::None);
            (record.id, record.value)
        })
        .collect())
}

/// Where the map lies; none without two maps.
fn placed(subject: &Subject, truth: &Truth, plan: &Plan) -> Result<Option<Placement>, JobError> {
    match (&subject.map, &truth.map) {
        (Some(map), Some(true_map)) => place(map, true_map, truth, plan).map(Some),
        _ => Ok(None),
    }
}

//! Step 2 for trajectories: poses chosen and matched in time, clocks brought together.

use std::borrow::Cow;

use metrics::trajectory::{RunInputs, Runs};
use model::{Finding, TimeBase, Trajectory};

use super::diagnose::time_offset;
use crate::{JobError, Plan, Subject, Truth};

/// How the run of a case was matched.
pub(super) struct JudgedRun {
    /// The matched run; taken by the case.
    pub(super) runs: Option<Runs>,
    /// Poses of the estimate before equal timestamps were joined.
    pub(super) poses: usize,
    /// Added to the times of the estimate, seconds.
    pub(super) offset_s: f64,
    /// What the estimation of the offset noticed.
    pub(super) findings: Vec<Finding>,
}

/// Matches the trajectory of a subject with the truth; none without a trajectory.
///
/// # Errors
/// The plan chooses poses by time, but a file has none.
pub(super) fn judged_run(
    subject: &Subject,
    truth: &Truth,
    plan: &Plan,
) -> Result<Option<JudgedRun>, JobError> {
    let Some(estimate) = subject.trajectory.as_ref().map(|loaded| &loaded.value) else { return Ok(None) };
    let matching = &plan.matching;
    let estimate = plan.poses.of_estimate(estimate)?;
    let true_trajectory = truth.trajectory.as_ref().map(|loaded| plan.poses.of_truth(&loaded.value));
    let true_trajectory = true_trajectory.transpose()?;
    let has_times = |trajectory: &Trajectory| trajectory.time_base == TimeBase::Seconds;
    let by_time = has_times(&estimate) && true_trajectory.as_deref().is_none_or(has_times);
    let inputs = |time_offset_s| RunInputs {
        estimate: Cow::Borrowed(&*estimate),
        truth: true_trajectory.as_deref(),
        relations: truth.relations.as_ref().map(|loaded| loaded.value.as_slice()),
        odometry: subject.odometry.as_ref().map(|loaded| &loaded.value),
        association: matching.association(by_time),
        time_offset_s,
        plane: plan.poses.project,
    };
    let (mut offset_s, mut findings) = (matching.time_offset_s, Vec::new());
    if let Some(max_s) = matching.estimate_offset_s
        && let Some((more_s, finding)) = time_offset(&Runs::new(inputs(offset_s)), max_s)
    {
        findings.push(finding);
        offset_s += more_s;
    }
    let runs = Some(Runs::new(inputs(offset_s)));
    Ok(Some(JudgedRun { runs, poses: estimate.poses.len(), offset_s, findings }))
}

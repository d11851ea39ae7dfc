//! Step 2 for trajectories: poses matched in time, clocks brought together.

use std::borrow::Cow;

use metrics::trajectory::{RunInputs, Runs};
use model::{Finding, TimeBase, Trajectory};

use super::diagnose::time_offset;
use crate::plan::Matching;
use crate::{Subject, Truth};

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
pub(super) fn judged_run(subject: &Subject, truth: &Truth, matching: &Matching) -> Option<JudgedRun> {
    let estimate = &subject.trajectory.as_ref()?.value;
    let true_trajectory = truth.trajectory.as_ref().map(|loaded| &loaded.value);
    let has_times = |trajectory: &Trajectory| trajectory.time_base == TimeBase::Seconds;
    let by_time = has_times(estimate) && true_trajectory.is_none_or(has_times);
    let inputs = |time_offset_s| RunInputs {
        estimate: Cow::Borrowed(estimate),
        truth: true_trajectory,
        relations: truth.relations.as_ref().map(|loaded| loaded.value.as_slice()),
        odometry: subject.odometry.as_ref().map(|loaded| &loaded.value),
        association: matching.association(by_time),
        time_offset_s,
    };
    let (mut offset_s, mut findings) = (matching.time_offset_s, Vec::new());
    if let Some(max_s) = matching.estimate_offset_s
        && let Some((more_s, finding)) = time_offset(&Runs::new(inputs(offset_s)), max_s)
    {
        findings.push(finding);
        offset_s += more_s;
    }
    let runs = Some(Runs::new(inputs(offset_s)));
    Some(JudgedRun { runs, poses: estimate.poses.len(), offset_s, findings })
}

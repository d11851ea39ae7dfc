//! Step 2 for trajectories: poses chosen and matched in time, clocks brought together.

use std::borrow::Cow;

use align::trajectory::Association;
use metrics::trajectory::{RunInputs, Runs};
use model::{Finding, TimeBase, Trajectory};

use super::diagnose::time_offset;
use crate::{JobError, Loaded, Plan, Subject, Truth};

/// The trajectories of a case. Those that are given away are dropped as soon as their tracks are made: they take more than
/// twice the memory of these.
pub(super) struct Poses<'a> {
    estimate: Option<Cow<'a, Trajectory>>,
    truth: Option<Cow<'a, Trajectory>>,
}

impl<'a> Poses<'a> {
    pub(super) fn borrowed(subject: &'a Subject, truth: &'a Truth) -> Self {
        let borrowed = |part: &'a Option<Loaded<Trajectory>>| part.as_ref().map(|p| Cow::Borrowed(&p.value));
        Self { estimate: borrowed(&subject.trajectory), truth: borrowed(&truth.trajectory) }
    }

    /// Leaves trajectories without a pose behind.
    pub(super) fn taken(subject: &mut Subject, truth: &mut Truth) -> Self {
        let taken = |part: &mut Option<Loaded<Trajectory>>| {
            part.as_mut().map(|part| {
                let poses = std::mem::take(&mut part.value.poses);
                Cow::Owned(Trajectory { poses, ..part.value })
            })
        };
        Self { estimate: taken(&mut subject.trajectory), truth: taken(&mut truth.trajectory) }
    }
}

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
    poses: Poses<'_>,
    (subject, truth): (&Subject, &Truth),
    plan: &Plan,
) -> Result<Option<JudgedRun>, JobError> {
    let Some(estimate) = poses.estimate else { return Ok(None) };
    let matching = &plan.matching;
    let estimate = plan.poses.of_estimate(estimate)?;
    let true_trajectory = poses.truth.map(|truth| plan.poses.of_truth(truth)).transpose()?;
    let has_times = |trajectory: &Trajectory| trajectory.time_base == TimeBase::Seconds;
    let by_time = has_times(&estimate) && true_trajectory.as_deref().is_none_or(has_times);
    let (true_poses, association) = (true_trajectory.as_deref(), matching.association(by_time));
    let (mut offset_s, mut findings) = (matching.time_offset_s, Vec::new());
    if let Some(max_s) = matching.estimate_offset_s {
        let tried = Tried { estimate: Cow::Borrowed(&*estimate), truth: true_poses, association, offset_s };
        if let Some((more_s, finding)) = time_offset(&tried.runs(subject, truth, plan), max_s) {
            findings.push(finding);
            offset_s += more_s;
        }
    }
    let poses = estimate.poses.len();
    let last = Tried { estimate, truth: true_poses, association, offset_s };
    let runs = Some(last.runs(subject, truth, plan));
    Ok(Some(JudgedRun { runs, poses, offset_s, findings }))
}

/// An offset between the clocks, with what is matched under it.
struct Tried<'a> {
    estimate: Cow<'a, Trajectory>,
    truth: Option<&'a Trajectory>,
    association: Association,
    offset_s: f64,
}

impl Tried<'_> {
    fn runs(self, subject: &Subject, truth: &Truth, plan: &Plan) -> Runs {
        Runs::new(RunInputs {
            estimate: self.estimate,
            truth: self.truth,
            relations: truth.relations.as_ref().map(|loaded| loaded.value.as_slice()),
            odometry: subject.odometry.as_ref().map(|loaded| &loaded.value),
            association: self.association,
            time_offset_s: self.offset_s,
            plane: plan.poses.project,
        })
    }
}

#[cfg(test)]
mod tests {
    use model::{Dimension, Pose2, PoseSource, StampedPose};

    use super::*;
    use crate::judge::{judge_case, judge_last};
    use crate::plan::Matching;

    /// A drive in a bend, as its clock and its odometer tell it.
    fn drive(late_s: f64, scale: f64) -> Option<Loaded<Trajectory>> {
        let pose = |step: u32| {
            let time_s = f64::from(step) / 10.0;
            let place = Pose2::new(scale * (time_s + time_s.sin()), 2.0 * (1.3 * time_s).cos(), 0.3 * time_s);
            StampedPose {
                time_s: time_s + late_s,
                world_from_robot: place.into(),
                source: PoseSource::Measured,
            }
        };
        let poses = (0..200).map(pose).collect();
        Some(Loaded::in_memory(Trajectory {
            time_base: TimeBase::Seconds,
            dimension: Dimension::Planar,
            poses,
        }))
    }

    #[test]
    fn trajectories_that_are_given_away_are_judged_as_those_that_are_kept() {
        let searched = Matching { estimate_offset_s: Some(2.0), ..Matching::default() };
        for (late_s, matching) in [(0.0, Matching::default()), (0.5, searched)] {
            let plan = Plan { matching, ..Plan::default() };
            let mut subject = Subject { trajectory: drive(late_s, 1.1), ..Subject::default() };
            let mut truth = Truth { trajectory: drive(0.0, 1.0), ..Truth::default() };
            let kept = judge_case(&subject, &truth, &plan).unwrap().report;
            let given = judge_last(&mut subject, &mut truth, &plan).unwrap().report;
            let text = |report: &report::CaseReport| serde_json::to_string(report).unwrap();
            assert_eq!(text(&given), text(&kept), "late by {late_s} s");
            assert!(given.metrics.iter().any(|metric| metric.value.is_some_and(|value| value > 0.0)));
            let left = [subject.trajectory, truth.trajectory].map(|part| part.unwrap().value.poses.len());
            assert_eq!(left, [0, 0]);
        }
    }
}

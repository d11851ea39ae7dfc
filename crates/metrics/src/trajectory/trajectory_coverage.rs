//! Trajectory coverage: how much of the truth's time and path the estimate was compared with.
//!
//! ```text
//! a true pose counts if it was matched, or lies between two matched ones at most `max_gap_s` apart;
//! each stands for half the distance to its neighbours; value = min(share of the time, share of the path)
//! ```
//!
//! Unit: 1. Range: 0 to 1. Better: higher.
//! Paper: none of the five; ours, because tools without it rank a run first that was lost after a tenth of the path.
//! Unknown: what was not matched is what this metric is about.
//! Known bias: keyframes further apart than `max_gap_s` count for themselves only; fill them with odometry, or widen
//! the gap and say so.
//! Undefined: without a true trajectory.

use align::trajectory::{Associate, Fittable, Track};
use serde_json::json;

use super::absolute_errors::shares;
use super::pose_blocks::PoseBlocks;
use super::run::{Run, for_run, of_any_run};
use crate::facts;
use crate::prelude::*;

/// Parameters of the coverage.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TrajectoryCoverage {
    /// Matched poses at most this far apart cover what lies between, seconds. Default 1, the gap over which a pose
    /// may be interpolated.
    pub max_gap_s: f64,
}

impl Default for TrajectoryCoverage {
    fn default() -> Self {
        Self { max_gap_s: 1.0 }
    }
}

impl Metric for TrajectoryCoverage {
    const SPEC: MetricSpec =
        MetricSpec::share(Family::Trajectory, "trajectory_coverage", "T-COVER", "Trajectory coverage")
            .over_floors(Aggregate::None);

    fn evaluate(&self, case: &Case) -> Result<Score, Undefined> {
        for_run!(case, run => self.measure(run))
    }

    fn samples(&self, case: &Case, _: &Score) -> Vec<Samples> {
        of_any_run!(case, run => self.samples(run).unwrap_or_default())
    }
}

impl TrajectoryCoverage {
    fn measure<P: Fittable>(&self, run: &Run<P>) -> Result<Score, Undefined> {
        let truth = run.truth.as_ref().ok_or(Reason::NoReference)?;
        if truth.is_empty() {
            return Err(Reason::InsufficientPoints.into());
        }
        let covered = self.covered(run, truth);
        let share = |progress: &[f64]| {
            let shares = shares(progress);
            let whole: f64 = shares.iter().sum();
            let part: f64 = shares.iter().zip(&covered).filter(|(_, c)| **c).map(|(share, _)| share).sum();
            (whole > 0.0).then(|| part / whole)
        };
        let (time_share, path_share) = (share(truth.times_s()), share(&truth.path_m()));
        let poses = covered.iter().filter(|c| **c).count() as f64 / truth.len() as f64;
        let value = time_share.into_iter().chain(path_share).reduce(f64::min).unwrap_or(poses);
        let known = facts([
            ("time_share", json!(time_share)),
            ("path_share", json!(path_share)),
            ("truth_poses", json!(truth.len())),
            ("estimate_poses", json!(run.estimate.len())),
            ("longest_gap_s", json!(longest_gap_s(truth, &covered))),
        ]);
        Ok(Score::new(value).with_all(known).with_all(run.match_facts()))
    }

    /// Covered time and path by block of true poses.
    fn samples<P: Fittable>(&self, run: &Run<P>) -> Result<Vec<Samples>, Undefined> {
        let truth = run.truth.as_ref().ok_or(Reason::NoReference)?;
        let covered = self.covered(run, truth);
        let of = |name, progress: &[f64]| {
            let mut blocks = PoseBlocks::of_truth(run)?;
            for (index, (share, covered)) in shares(progress).into_iter().zip(&covered).enumerate() {
                blocks.add(index, if *covered { share } else { 0.0 }, share);
            }
            Ok::<_, Undefined>(blocks.samples(name, Make::Ratio))
        };
        Ok(vec![of("time_share", truth.times_s())?, of("path_share", &truth.path_m())?])
    }

    /// Which true poses are covered.
    fn covered<P: Fittable>(&self, run: &Run<P>, truth: &Track<P>) -> Vec<bool> {
        let mut covered = vec![false; truth.len()];
        let mut last: Option<usize> = None;
        let by_number = run.association.rule == Associate::Index;
        for index in run.matches.pairs(&run.estimate, truth).map(|pair| pair.truth_index) {
            covered[index] = true;
            if let Some(last) = last
                && (by_number || truth.times_s()[index] - truth.times_s()[last] <= self.max_gap_s)
            {
                covered[last..index].fill(true);
            }
            last = Some(index);
        }
        covered
    }
}

/// The longest time of the truth without a covered pose.
fn longest_gap_s<P: Fittable>(truth: &Track<P>, covered: &[bool]) -> f64 {
    let Some((first_s, last_s)) = truth.span_s() else { return 0.0 };
    let met = truth.times_s().iter().zip(covered).filter(|(_, c)| **c).map(|(time_s, _)| *time_s);
    let bounds: Vec<f64> = std::iter::once(first_s).chain(met).chain([last_s]).collect();
    bounds.windows(2).map(|pair| pair[1] - pair[0]).fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use model::Trajectory;

    use super::super::run::tests::{case, drive, trajectory};
    use super::*;

    fn coverage(estimate: Trajectory, truth: Trajectory) -> Score {
        Metric::evaluate(&TrajectoryCoverage::default(), &case(estimate, truth)).unwrap()
    }

    fn line(count: u32, step_s: f64) -> Trajectory {
        let row = |i: u32| (f64::from(i) * step_s, f64::from(i), 0.0, 0.0);
        trajectory(&(0..count).map(row).collect::<Vec<_>>())
    }

    #[test]
    fn a_run_that_got_lost_after_a_tenth() {
        let mut lost = line(200, 0.1);
        lost.poses.truncate(20);
        let score = coverage(lost, line(200, 0.1));
        assert!((score.value - 0.1).abs() < 0.005, "{}", score.value);
        assert!((score.detail["longest_gap_s"].as_f64().unwrap() - 18.0).abs() < 1e-9);
    }

    #[test]
    fn every_tenth_pose_of_a_slow_log_is_a_tenth() {
        let mut sparse = line(200, 1.0);
        sparse.poses = sparse.poses.into_iter().step_by(10).collect();
        assert!((coverage(sparse, line(200, 1.0)).value - 0.1).abs() < 0.01);
    }

    #[test]
    fn a_truth_at_a_higher_rate_is_covered() {
        let mut slow = drive(300);
        slow.poses = slow.poses.into_iter().step_by(3).collect();
        assert!(coverage(slow, drive(300)).value > 0.98);
        assert_eq!(coverage(drive(300), drive(300)).value, 1.0);
    }

    #[test]
    fn a_lost_path_counts_even_if_it_took_no_time() {
        // Half of the time at rest, then the whole path, which the run has not.
        let rows: Vec<_> = (0..100).map(|i| (f64::from(i) / 10.0, f64::from(i.max(50)), 0.0, 0.0)).collect();
        let score = coverage(trajectory(&rows[..50]), trajectory(&rows));
        assert!(score.value < 0.02 && score.detail["time_share"].as_f64().unwrap() > 0.49);
    }

    #[test]
    fn nothing_matched_is_no_coverage() {
        let far = trajectory(&[(1e6, 0.0, 0.0, 0.0)]);
        assert_eq!(coverage(far, drive(20)).value, 0.0);
    }
}

//! Errors of single poses after the estimate was laid on the truth: what all ATE metrics share.

use align::trajectory::{Fit, FitMethod, Fittable, Pair, fit};
use model::Rigid;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::pose_blocks::PoseBlocks;
use super::run::Run;
use super::statistics::Statistics;
use crate::{Make, MetricEvidence, Reason, Samples, Score, Undefined};

/// What an error counts for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Weight {
    /// Each pose counts the same.
    #[default]
    Pose,
    /// Each pose counts for the time it stands for.
    Time,
    /// Each pose counts for the distance travelled that it stands for, so that a standstill counts for nothing.
    Distance,
}

/// Parameters of the absolute errors.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AbsoluteErrors {
    /// What the fit of the estimate to the truth may move. Default `auto`: `se2` for planar runs, `se3` for others,
    /// as papers report ATE; evo moves nothing unless told.
    pub align: FitMethod,
    /// Fit with the first poses only, this many. Default 0: all.
    pub first: usize,
    /// What an error counts for. Default `pose`, as everywhere in the literature.
    pub weight: Weight,
}

/// The errors of matched poses, in order of time.
pub struct Errors<P> {
    pub fit: Fit<P>,
    /// Times, seconds.
    pub times_s: Vec<f64>,
    pub errors: Vec<f64>,
}

impl AbsoluteErrors {
    /// Fits and measures each pair: `error` is handed the pose of the fitted estimate seen from the true pose.
    ///
    /// # Errors
    /// There is no truth, or nothing of it was matched.
    pub fn measure<P: Fittable>(
        &self,
        run: &Run<P>,
        error: impl Fn(P) -> f64,
    ) -> Result<Errors<P>, Undefined> {
        let fit = self.fit(run)?;
        let pairs = run.pairs_as_read()?;
        let fitted =
            |pair: Pair<P>| run.in_plane(fit.apply(pair.estimate)).seen_from(run.in_plane(pair.truth));
        let errors = pairs.clone().map(|pair| error(fitted(pair))).collect();
        Ok(Errors { fit, times_s: pairs.map(|pair| pair.time_s).collect(), errors })
    }

    /// The fit of the estimate to the truth.
    ///
    /// # Errors
    /// There is no truth, or nothing of it was matched.
    pub fn fit<P: Fittable>(&self, run: &Run<P>) -> Result<Fit<P>, Undefined> {
        let count = if self.first == 0 { usize::MAX } else { self.first };
        let pairs = run.pairs_as_read()?.take(count).map(|pair| (pair.estimate, pair.truth));
        fit(self.method::<P>(), pairs).ok_or_else(|| Reason::UnmatchedTime.into())
    }

    /// The method in words of the fit.
    #[must_use]
    pub const fn method<P: Fittable>(&self) -> FitMethod {
        self.align.resolved::<P>()
    }

    /// Statistics under the chosen weight.
    ///
    /// # Errors
    /// Nothing has a weight: a standstill weighted by its path.
    pub fn statistics<P: Fittable>(&self, run: &Run<P>, errors: &Errors<P>) -> Result<Statistics, Undefined> {
        match self.weights(run, errors)? {
            None => Statistics::of(&errors.errors).ok_or_else(|| Reason::UnmatchedTime.into()),
            Some(weights) => {
                let weighted = Statistics::weighted(&errors.errors, &weights);
                weighted.ok_or_else(|| Reason::InsufficientPoints.into())
            }
        }
    }

    /// What each error counts for; none if all count the same.
    fn weights<P: Fittable>(&self, run: &Run<P>, errors: &Errors<P>) -> Result<Option<Vec<f64>>, Undefined> {
        Ok(match self.weight {
            Weight::Pose => None,
            Weight::Time => Some(shares(&errors.times_s)),
            Weight::Distance => Some(shares(&path_m(run.pairs()?.map(|pair| pair.truth)))),
        })
    }

    /// The root mean square of the errors, with what it rests on; the statistics stand under `key` too.
    ///
    /// # Errors
    /// As [`Self::measure`] and [`Self::statistics`].
    pub fn score<P: Fittable>(
        &self,
        run: &Run<P>,
        key: &'static str,
        error: impl Fn(P) -> f64,
    ) -> Result<Score, Undefined> {
        let errors = self.measure(run, error)?;
        let score = self.statistics(run, &errors)?.rmse_score(key).with_all(run.match_facts());
        let fit = TrajectoryFit::new(self.method::<P>(), &errors.fit);
        Ok(score.with("alignment", &fit).with_evidence(MetricEvidence::Fit(fit)))
    }

    /// The squared errors by block of true poses.
    ///
    /// # Errors
    /// As [`Self::score`].
    pub fn samples<P: Fittable>(
        &self,
        run: &Run<P>,
        error: impl Fn(P) -> f64,
    ) -> Result<Vec<Samples>, Undefined> {
        let errors = self.measure(run, error)?;
        let weights = self.weights(run, &errors)?.unwrap_or_else(|| vec![1.0; errors.errors.len()]);
        let mut blocks = PoseBlocks::of_truth(run)?;
        for ((pair, error), weight) in run.pairs()?.zip(&errors.errors).zip(&weights) {
            blocks.add(pair.truth_index, weight * error * error, *weight);
        }
        Ok(vec![blocks.samples("", Make::RootMeanSquare)])
    }
}

/// How the estimate was laid on the truth: `truth = scale * rotation * estimate + translation`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TrajectoryFit {
    /// `none`, `origin`, `se2`, `yaw`, `se3` or `sim3`.
    pub method: String,
    /// 2 for planar runs, else 3.
    pub dimensions: u8,
    pub translation_m: [f64; 3],
    /// Rows of the matrix.
    pub rotation: [[f64; 3]; 3],
    pub yaw_rad: f64,
    pub scale: f64,
    /// Directions that the positions leave open, in words.
    pub unobservable: Vec<String>,
}

impl TrajectoryFit {
    fn new<P: Fittable>(method: FitMethod, fit: &Fit<P>) -> Self {
        let rotation = fit.truth_from_estimate.rotation_rows();
        Self {
            method: format!("{method:?}").to_lowercase(),
            dimensions: if P::IS_PLANAR { 2 } else { 3 },
            translation_m: fit.truth_from_estimate.position_m(),
            rotation,
            yaw_rad: rotation[1][0].atan2(rotation[0][0]),
            scale: fit.scale,
            unobservable: fit.unobservable.iter().map(|&word| word.to_owned()).collect(),
        }
    }
}

/// Distance travelled from the first pose to each pose, metres.
pub(super) fn path_m<P: Rigid>(poses: impl Iterator<Item = P>) -> Vec<f64> {
    let mut path_m = 0.0;
    let mut last: Option<[f64; 3]> = None;
    let walk = |pose: P| {
        let place = pose.position_m();
        path_m += last
            .map_or(0.0, |last| last.iter().zip(place).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt());
        last = Some(place);
        path_m
    };
    poses.map(walk).collect()
}

/// What each of growing numbers stands for: half the distance to each of its neighbours.
pub(super) fn shares(progress: &[f64]) -> Vec<f64> {
    let at = |index: usize| progress[index.min(progress.len() - 1)];
    (0..progress.len()).map(|i| (at(i + 1) - at(i.saturating_sub(1))) / 2.0).collect()
}

#[cfg(test)]
mod tests {
    use super::super::run::tests::{case, drive, trajectory};
    use super::super::run::{Runs, for_run};
    use super::*;
    use crate::Case;

    fn rmse(case: &Case, how: &AbsoluteErrors) -> Result<f64, Undefined> {
        for_run!(case, run => {
            let errors = how.measure(run, Rigid::distance_m)?;
            Ok(how.statistics(run, &errors)?.rmse)
        })
    }

    #[test]
    fn weights_follow_time_and_path() {
        // Two seconds at rest with an error of 1 m, then ten metres without.
        let truth = trajectory(&[
            (0.0, 0.0, 0.0, 0.0),
            (2.0, 0.0, 0.0, 0.0),
            (3.0, 5.0, 0.0, 0.0),
            (4.0, 10.0, 0.0, 0.0),
        ]);
        let estimate = trajectory(&[
            (0.0, 0.0, 1.0, 0.0),
            (2.0, 0.0, 1.0, 0.0),
            (3.0, 5.0, 0.0, 0.0),
            (4.0, 10.0, 0.0, 0.0),
        ]);
        let case = case(estimate, truth);
        let by = |weight| rmse(&case, &AbsoluteErrors { align: FitMethod::None, first: 0, weight }).unwrap();
        assert!((by(Weight::Pose) - 0.5_f64.sqrt()).abs() < 1e-12);
        assert!((by(Weight::Time) - (2.5_f64 / 4.0).sqrt()).abs() < 1e-12);
        assert!((by(Weight::Distance) - (2.5_f64 / 10.0).sqrt()).abs() < 1e-12);
    }

    #[test]
    fn a_standstill_has_no_path_to_weigh_with() {
        let still = trajectory(&[(0.0, 1.0, 1.0, 0.0), (1.0, 1.0, 1.0, 0.0)]);
        let case = case(still.clone(), still);
        let how = AbsoluteErrors { weight: Weight::Distance, ..AbsoluteErrors::default() };
        assert_eq!(rmse(&case, &how).unwrap_err().reasons, [Reason::InsufficientPoints]);
        assert_eq!(rmse(&case, &AbsoluteErrors::default()).unwrap(), 0.0);
    }

    #[test]
    fn the_first_poses_alone_may_fit() {
        let mut estimate = drive(100);
        for pose in &mut estimate.poses[50..] {
            pose.world_from_robot.position_m[0] += 1.0;
        }
        let case = case(estimate, drive(100));
        let of_first = AbsoluteErrors { first: 50, ..AbsoluteErrors::default() };
        assert!((rmse(&case, &of_first).unwrap() - 0.5_f64.sqrt()).abs() < 1e-9);
        assert!(rmse(&case, &AbsoluteErrors::default()).unwrap() < 0.6);
        assert!(matches!(case.run(), Ok(Runs::Planar(_))));
    }
}

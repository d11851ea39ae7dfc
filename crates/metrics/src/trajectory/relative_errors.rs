//! Errors of displacements between pairs of poses: what all RPE metrics share.

use align::trajectory::Fittable;
use model::{PoseError, Rigid};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::absolute_errors::path_m;
use super::delta::{Delta, DeltaUnit};
use super::pose_blocks::PoseBlocks;
use super::pose_pairs::{Cut, Pairs, pairs};
use super::run::Run;
use super::statistics::Statistics;
use crate::{Make, Reason, Samples, Score, Undefined, facts};

/// Whose path says how far apart two poses are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum PairsFrom {
    /// The true path.
    #[default]
    Truth,
    /// The estimated path, as evo does.
    Estimate,
}

/// Parameters of the relative errors.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RelativeErrors {
    /// How far apart the poses of a pair are: `1f` poses, `1m`, `1s` or `0.1rad`. Default `1f`, as evo.
    pub delta: Delta,
    /// One pair after the other, or one from each pose on. Default `consecutive`, as evo.
    pub pairs: Pairs,
    /// Whose path is measured in metres and radians. Default `truth`: a bad estimate must not choose its own test;
    /// evo takes the estimate.
    pub pairs_from: PairsFrom,
    /// Where a consecutive pair ends between poses. Default `nearest`; evo takes the first pose `past` it.
    pub cut: Cut,
    /// Pairs from each pose on may miss the distance by this share. Default 0.1, as evo.
    pub tolerance: f64,
}

impl Default for RelativeErrors {
    fn default() -> Self {
        Self {
            delta: Delta::default(),
            pairs: Pairs::default(),
            pairs_from: PairsFrom::default(),
            cut: Cut::default(),
            tolerance: 0.1,
        }
    }
}

/// The errors of pairs.
pub struct PairErrors {
    /// Numbers of the two matched poses.
    pub pairs: Vec<(u32, u32)>,
    /// Errors, one per pair.
    pub errors: Vec<PoseError>,
    /// Mean distance of the poses of a pair in the unit of the delta.
    pub mean_delta: f64,
}

impl RelativeErrors {
    /// The errors of all pairs: inverse(delta*) (+) delta.
    ///
    /// # Errors
    /// There is no truth, nothing of it was matched, or the path is too short for a pair.
    pub fn measure<P: Fittable>(&self, run: &Run<P>) -> Result<PairErrors, Undefined> {
        let (estimates, truths): (Vec<P>, Vec<P>) =
            run.pairs()?.map(|pair| (pair.estimate, pair.truth)).unzip();
        let whose = if self.pairs_from == PairsFrom::Truth { &truths } else { &estimates };
        let progress: Vec<f64> = match self.delta.unit {
            DeltaUnit::Frames => (0..whose.len()).map(|index| index as f64).collect(),
            DeltaUnit::Metres => path_m(whose.iter().copied()),
            DeltaUnit::Seconds => run.pairs()?.map(|pair| pair.time_s).collect(),
            DeltaUnit::Radians => turning_rad(whose),
        };
        // Poses can be counted; there is nothing to miss.
        let tolerance = if self.delta.unit == DeltaUnit::Frames { 0.0 } else { self.tolerance };
        let found = pairs(&progress, self.delta.amount, self.pairs, self.cut, tolerance);
        if found.is_empty() {
            let whole = progress.last().copied().unwrap_or(0.0) - progress.first().copied().unwrap_or(0.0);
            let known = facts([("delta", json!(self.delta)), ("path_in_that_unit", json!(whole))]);
            return Err(Undefined::because(Reason::InsufficientPoints).with_all(known));
        }
        let spans = found.iter().map(|&(a, b)| progress[b as usize] - progress[a as usize]);
        let mean_delta = spans.sum::<f64>() / found.len() as f64;
        Ok(PairErrors { errors: displacement_errors(&estimates, &truths, &found), pairs: found, mean_delta })
    }

    /// The root mean square of one part of the errors, with what it rests on.
    ///
    /// # Errors
    /// As [`Self::measure`].
    pub fn score<P: Fittable>(
        &self,
        run: &Run<P>,
        key: &'static str,
        part: impl Fn(&PoseError) -> f64,
    ) -> Result<Score, Undefined> {
        let measured = self.measure(run)?;
        let errors: Vec<f64> = measured.errors.iter().map(part).collect();
        let statistics = Statistics::of(&errors).ok_or(Reason::InsufficientPoints)?;
        let known =
            facts([("pairs", json!(measured.pairs.len())), ("mean_delta", json!(measured.mean_delta))]);
        Ok(statistics.rmse_score(key).with_all(known).with_all(run.match_facts()))
    }

    /// The squared errors by block of true poses; a pair belongs to its first pose.
    ///
    /// # Errors
    /// As [`Self::measure`].
    pub fn samples<P: Fittable>(
        &self,
        run: &Run<P>,
        part: impl Fn(&PoseError) -> f64,
    ) -> Result<Vec<Samples>, Undefined> {
        let measured = self.measure(run)?;
        let in_truth: Vec<usize> = run.pairs()?.map(|pair| pair.truth_index).collect();
        let mut blocks = PoseBlocks::of_truth(run)?;
        for ((first, _), error) in measured.pairs.iter().zip(&measured.errors) {
            blocks.add(in_truth[*first as usize], part(error).powi(2), 1.0);
        }
        Ok(vec![blocks.samples("", Make::RootMeanSquare)])
    }
}

/// The errors of the displacements between pairs of poses, given by number.
#[must_use]
pub fn displacement_errors<P: Rigid>(estimates: &[P], truths: &[P], pairs: &[(u32, u32)]) -> Vec<PoseError> {
    let error = |&(from, to): &(u32, u32)| {
        let (from, to) = (from as usize, to as usize);
        P::displacement_error(estimates[from], estimates[to], truths[from], truths[to])
    };
    pairs.iter().map(error).collect()
}

/// Turning from the first pose to each pose.
fn turning_rad<P: Rigid>(poses: &[P]) -> Vec<f64> {
    let mut turning_rad = 0.0;
    let mut last = None;
    let turn = |&pose: &P| {
        turning_rad += last.map_or(0.0, |last| pose.seen_from(last).angle_rad());
        last = Some(pose);
        turning_rad
    };
    poses.iter().map(turn).collect()
}

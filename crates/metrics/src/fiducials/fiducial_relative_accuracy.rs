//! Fiducial relative accuracy: how near the parts lie to their true places after the best transform.
//!
//! ```text
//! value = max over transforms T of 1 - mean over found parts of min(|T p - q|, d_max) / d_max
//! ```
//!
//! Unit: 1. Range: 0 to 1. Better: higher.
//! Paper: Schwertfeger et al. 2010, section 3.3.
//! Departure: the mean distance is minimised by reweighted least squares, 50 rounds; the paper does not say how. A
//! reflection is never a transform: a mirrored map keeps its error.
//! Unknown: only outlines count.
//! Known bias: parts that were not found do not count, and one or two parts fit always; read it beside the coverage.
//! Undefined: if there is no layout, or nothing was found.

use model::{Pose2, Similarity2};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::accuracy::{FitObjective, MotionModel, accuracy, best_fit, distances_m};
use super::errors::{ErrorScale, Rounding};
use super::matched;
use crate::{Better, Case, Family, Metric, MetricSpec, Reason, Score, Undefined, Unit};

/// Parameters of the relative accuracy.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FiducialRelativeAccuracy {
    /// Distance in metres that counts as wholly wrong. Default 0.6, the diameter of the paper's barrels.
    pub d_max_m: f64,
    /// Distances are taken in steps of so many metres; 0 for none. Default 0.
    pub step_m: f64,
    /// Direction of the steps. Default `floor`, as the paper counts.
    pub rounding: Rounding,
    /// What the transform may do. Default `rigid`; the paper also allows scaling.
    pub model: MotionModel,
    /// What the transform minimises. Default `mean`, the error itself, as in the paper.
    pub objective: FitObjective,
}

impl Default for FiducialRelativeAccuracy {
    fn default() -> Self {
        Self {
            d_max_m: 0.6,
            step_m: 0.0,
            rounding: Rounding::Floor,
            model: MotionModel::Rigid,
            objective: FitObjective::Mean,
        }
    }
}

impl Metric for FiducialRelativeAccuracy {
    const SPEC: MetricSpec = MetricSpec {
        id: "fiducial_relative_accuracy",
        code: "Q-REL",
        title: "Fiducial relative accuracy",
        family: Family::Fiducials,
        unit: Unit::Ratio,
        better: Better::Higher,
        best: Some(1.0),
        worst: Some(0.0),
        source: include_str!("fiducial_relative_accuracy.rs"),
    };

    fn applies(case: &Case) -> bool {
        case.has_fiducials()
    }

    fn evaluate(&self, case: &Case) -> Result<Score, Undefined> {
        let scale =
            ErrorScale { d_max_m: self.d_max_m, step_m: self.step_m, rounding: self.rounding }.checked()?;
        let fiducials = matched(case)?;
        let pairs = fiducials.pairs();
        let first = fiducials.located.truth_from_map.unwrap_or(Pose2::IDENTITY);
        let fit = best_fit(&pairs, self.model, self.objective, &scale, Some(Similarity2::from(first)));
        let fit = fit.ok_or(Reason::NoMatch)?;
        let away_m = distances_m(&pairs, fit);
        let value = accuracy(&pairs, fit, &scale).ok_or(Reason::NoMatch)?;
        Ok(Score::new(value)
            .with_all(fiducials.basis())
            .with("truth_from_map", fit)
            .with("mean_distance_m", away_m.iter().sum::<f64>() / away_m.len() as f64)
            .with("distances_m", away_m)
            .warn_if(pairs.len() < 3, Reason::InsufficientPoints))
    }
}

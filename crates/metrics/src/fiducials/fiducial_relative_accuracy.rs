//! Fiducial relative accuracy: how near the parts lie to their true places after the best transform.
//!
//! ```text
//! value = max over transforms T of 1 - mean over found parts of min(|T p - q|, d_max) / d_max
//! ```
//!
//! Unit: 1. Range: 0 to 1. Better: higher.
//! Paper: Schwertfeger et al. 2010, section 2.5.
//! Departure: the mean distance is minimised by reweighted least squares, 50 rounds; the paper does not say how. A
//! reflection is never a transform: a mirrored map keeps its error.
//! Unknown: only outlines count.
//! Known bias: parts that were not found do not count, and one or two parts fit always; read it beside the coverage.
//! Undefined: if there is no layout, it has no positions, or nothing was found. Also where
//! random layouts fit the map as well as the layout (`PLACEMENT_BY_CHANCE`).

use align::closed_form::Motion;
use model::{Pose2, Similarity2};

use super::accuracy::{FitObjective, accuracy, best_fit, distances_m};
use super::errors::ErrorScale;
use super::matched;
use crate::prelude::*;

/// Parameters of the relative accuracy.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FiducialRelativeAccuracy {
    /// How distances become errors.
    #[serde(flatten)]
    pub scale: ErrorScale,
    /// What the transform may do. Default `rigid`; the paper also allows scaling.
    pub model: Motion,
    /// What the transform minimises. Default `mean`, the error itself, as in the paper.
    pub objective: FitObjective,
}

impl Default for FiducialRelativeAccuracy {
    fn default() -> Self {
        Self { scale: ErrorScale::PLACES, model: Motion::Rigid, objective: FitObjective::Mean }
    }
}

impl Metric for FiducialRelativeAccuracy {
    const SPEC: MetricSpec = MetricSpec::share(
        Family::Fiducials,
        "fiducial_relative_accuracy",
        "Q-REL",
        "Fiducial relative accuracy",
    )
    .over_floors(Aggregate::None);

    fn evaluate(&self, case: &Case) -> Result<Score, Undefined> {
        let scale = self.scale.checked()?;
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
            .with("displaced", fiducials.displaced())
            .with("distances_m", away_m)
            .warn_if(pairs.len() < 3, Reason::InsufficientPoints))
    }

    fn samples(&self, case: &Case, score: &Score) -> Vec<Samples> {
        let (Ok(fiducials), Some(Quantity::List(away_m))) =
            (case.fiducials(), score.evidence.value("distances_m"))
        else {
            return Vec::new();
        };
        let right: Vec<f64> = away_m.iter().map(|&away_m| 1.0 - self.scale.error(away_m)).collect();
        vec![fiducials.samples_of_found(&right)]
    }
}

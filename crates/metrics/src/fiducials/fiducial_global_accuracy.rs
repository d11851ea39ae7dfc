//! Fiducial global accuracy: how near the parts lie to their true places, in the frames as given.
//!
//! ```text
//! value = 1 - mean over found parts of min(d, d_max) / d_max
//! ```
//!
//! Unit: 1. Range: 0 to 1. Better: higher.
//! Paper: Schwertfeger et al. 2010, section 2.4.
//! Departure: the paper found parts with the eye, however far from their place. Here one further than `d_max` (the
//! diameter of the barrels) is found, with the error 1 as there, if a verified outline stands for it within `reach_m`
//! (five times that). A displaced quarter barrel, whose arc alone is no proof, stays missing, as do displaced corners and
//! poles. These two kinds are the paper's outlook; without any barrel the distance of a pair is 0.6 m, its diameter there.
//! Unknown: only outlines count.
//! Known bias: parts that were not found do not count; read it beside the coverage.
//! Variants: `displaced = missing` (`fiducials --displaced missing`) leaves displaced parts out of the mean.
//! Undefined: if there is no layout, it has no positions, there is no common frame, or nothing was found. Also where
//! random layouts fit the map as well as the layout (`PLACEMENT_BY_CHANCE`).

use model::Similarity2;

use super::accuracy::{accuracy, distances_m};
use super::errors::ErrorScale;
use super::{LayoutFrame, matched, placed};
use crate::prelude::*;

/// Parameters of the global accuracy.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FiducialGlobalAccuracy {
    /// How distances become errors.
    #[serde(flatten)]
    pub scale: ErrorScale,
}

impl Default for FiducialGlobalAccuracy {
    fn default() -> Self {
        Self { scale: ErrorScale::PLACES }
    }
}

impl Metric for FiducialGlobalAccuracy {
    const SPEC: MetricSpec = MetricSpec::share(
        Family::Fiducials,
        "fiducial_global_accuracy",
        "Q-GLOBAL",
        "Fiducial global accuracy",
    )
    .over_floors(Aggregate::None);

    fn evaluate(&self, case: &Case) -> Result<Score, Undefined> {
        let scale = self.scale.checked()?;
        let LayoutFrame::Known(pose) = placed(case)?.inputs.frame else {
            return Err(Reason::NoReference.into());
        };
        let fiducials = matched(case)?;
        let (pairs, truth_from_map) = (fiducials.pairs(), Similarity2::from(pose));
        let value = accuracy(&pairs, truth_from_map, &scale).ok_or(Reason::NoMatch)?;
        Ok(Score::new(value)
            .with_all(fiducials.basis())
            .with("displaced", fiducials.displaced())
            .with("distances_m", distances_m(&pairs, truth_from_map)))
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

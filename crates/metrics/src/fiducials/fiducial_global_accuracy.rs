//! Fiducial global accuracy: how near the parts lie to their true places, in the frames as given.
//!
//! ```text
//! value = 1 - mean over found parts of min(d, d_max) / d_max
//! ```
//!
//! Unit: 1. Range: 0 to 1. Better: higher.
//! Paper: Schwertfeger et al. 2010, section 3.2.
//! Departure: none; `d_max_m` is the diameter of the paper's barrels.
//! Unknown: only outlines count.
//! Known bias: parts that were not found do not count; read it beside the coverage.
//! Undefined: if there is no layout, no common frame, or nothing was found.

use model::Similarity2;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::accuracy::{accuracy, distances_m};
use super::errors::{ErrorScale, Rounding};
use super::{LayoutFrame, matched};
use crate::{Better, Case, Family, Metric, MetricSpec, Reason, Score, Undefined, Unit};

/// Parameters of the global accuracy.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FiducialGlobalAccuracy {
    /// Distance in metres that counts as wholly wrong. Default 0.6, the diameter of the paper's barrels.
    pub d_max_m: f64,
    /// Distances are taken in steps of so many metres; 0 for none. Default 0.
    pub step_m: f64,
    /// Direction of the steps. Default `floor`, as the paper counts.
    pub rounding: Rounding,
}

impl Default for FiducialGlobalAccuracy {
    fn default() -> Self {
        Self { d_max_m: 0.6, step_m: 0.0, rounding: Rounding::Floor }
    }
}

impl Metric for FiducialGlobalAccuracy {
    const SPEC: MetricSpec = MetricSpec {
        id: "fiducial_global_accuracy",
        code: "Q-GLOBAL",
        title: "Fiducial global accuracy",
        family: Family::Fiducials,
        unit: Unit::Ratio,
        better: Better::Higher,
        best: Some(1.0),
        worst: Some(0.0),
        source: include_str!("fiducial_global_accuracy.rs"),
    };

    fn applies(case: &Case) -> bool {
        case.has_fiducials()
    }

    fn evaluate(&self, case: &Case) -> Result<Score, Undefined> {
        let Self { d_max_m, step_m, rounding } = *self;
        let scale = ErrorScale { d_max_m, step_m, rounding }.checked()?;
        let LayoutFrame::Known(pose) = case.fiducials()?.inputs.frame else {
            return Err(Reason::NoReference.into());
        };
        let fiducials = matched(case)?;
        let (pairs, truth_from_map) = (fiducials.pairs(), Similarity2::from(pose));
        let value = accuracy(&pairs, truth_from_map, &scale).ok_or(Reason::NoMatch)?;
        Ok(Score::new(value)
            .with_all(fiducials.basis())
            .with("distances_m", distances_m(&pairs, truth_from_map)))
    }
}

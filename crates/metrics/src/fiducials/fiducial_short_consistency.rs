//! Fiducial short-range consistency: whether both sides of a wall that are a short way apart fit onto each other.
//!
//! ```text
//! value = 1 - mean over short pairs of min(|d_barrel - d_fiducial|, d_max) / d_max,  error 1 if one part is missing
//! ```
//!
//! Unit: 1. Range: 0 to 1. Better: higher.
//! Paper: Schwertfeger et al. 2010, section 3.4.
//! Departure: the numbering of the steps there has a slip; the difference of steps 1 and 3 is meant.
//! Unknown: only outlines count.
//! Known bias: pairs of which no part was found do not count; read it beside the coverage.
//! Variants: `step_m = 0.3` counts pairs as right or wrong, as the paper's tables do.
//! Undefined: if there is no layout, or no short pair of which a part was found.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::consistency::consistency;
use super::errors::{ErrorScale, Rounding};
use crate::{Better, Case, Family, Metric, MetricSpec, Score, Undefined, Unit};

/// Parameters of the short-range consistency.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FiducialShortConsistency {
    /// Difference of distances in metres that counts as wholly wrong. Default 0.3, the radius of the paper's barrels.
    pub d_max_m: f64,
    /// Differences are taken in steps of so many metres; 0 for none. Default 0.
    pub step_m: f64,
    /// Direction of the steps. Default `floor`, as the paper counts.
    pub rounding: Rounding,
}

impl Default for FiducialShortConsistency {
    fn default() -> Self {
        Self { d_max_m: 0.3, step_m: 0.0, rounding: Rounding::Floor }
    }
}

impl Metric for FiducialShortConsistency {
    const SPEC: MetricSpec = MetricSpec {
        id: "fiducial_short_consistency",
        code: "Q-SHORT",
        title: "Fiducial short-range consistency",
        family: Family::Fiducials,
        unit: Unit::Ratio,
        better: Better::Higher,
        best: Some(1.0),
        worst: Some(0.0),
        source: include_str!("fiducial_short_consistency.rs"),
    };

    fn applies(case: &Case) -> bool {
        case.has_fiducials()
    }

    fn evaluate(&self, case: &Case) -> Result<Score, Undefined> {
        let Self { d_max_m, step_m, rounding } = *self;
        let fiducials = case.fiducials()?;
        let (layout, found) = (&fiducials.inputs.layout, &fiducials.located.parts);
        let scale = ErrorScale { d_max_m, step_m, rounding };
        Ok(consistency(layout, found, "short", &scale)?.with_all(fiducials.basis()))
    }
}

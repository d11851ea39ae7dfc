//! Fiducial long-range consistency: whether both sides of a wall that are far apart along the path between them fit onto each other.
//!
//! ```text
//! value = 1 - mean over long pairs of min(|d_barrel - d_fiducial|, d_max) / d_max,  error 1 if one part is missing
//! ```
//!
//! Unit: 1. Range: 0 to 1. Better: higher.
//! Paper: Schwertfeger et al. 2010, section 2.6.
//! Departure: the numbering of the steps there has a slip; the difference of steps 1 and 3 is meant. Errors are continuous
//! up to `d_max`; the paper's tables count a pair as right or wrong (see Variants).
//! Unknown: only outlines count.
//! Known bias: pairs of which no part was found do not count; read it beside the coverage. With a layout without
//! positions nobody knows which pair is which: the assignment with the least error counts.
//! Variants: `step_m = 0.3` counts pairs as right or wrong, as the paper's tables do. A layout of pair distances alone (the
//! thickness of the walls) is enough, as there.
//! Undefined: if there is no layout, or no long pair of which a part was found. Also where
//! random layouts fit the map as well as the layout (`PLACEMENT_BY_CHANCE`).

use super::consistency::{samples, score};
use super::errors::ErrorScale;
use crate::prelude::*;

/// Parameters of the long-range consistency.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FiducialLongConsistency {
    /// How distances become errors.
    #[serde(flatten)]
    pub scale: ErrorScale,
}

impl Default for FiducialLongConsistency {
    fn default() -> Self {
        Self { scale: ErrorScale::PAIRS }
    }
}

impl Metric for FiducialLongConsistency {
    const SPEC: MetricSpec = MetricSpec::share(
        Family::Fiducials,
        "fiducial_long_consistency",
        "Q-LONG",
        "Fiducial long-range consistency",
    )
    .over_floors(Aggregate::None);

    fn evaluate(&self, case: &Case) -> Result<Score, Undefined> {
        score(case, "long", &self.scale)
    }

    fn samples(&self, case: &Case, _: &Score) -> Vec<Samples> {
        samples(case, "long", &self.scale)
    }
}

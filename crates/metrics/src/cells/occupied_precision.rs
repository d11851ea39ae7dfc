//! Precision of occupied cells: the share of the map's occupied cells that are occupied in the truth.
//!
//! ```text
//! P = TP / (TP + FP)
//! ```
//!
//! Unit: 1. Range: 0 to 1. Better: higher.
//! Paper: none of the five; the usual definition, because users ask for it.
//! Unknown: counts as free (`unknown_as`), as in the 2009 set.
//! Known bias: rewards maps that claim little; a wall one cell off counts as wrong, so thick or shifted
//! walls are punished hard.
//! Sees: shift, rotate, bend, cut, thick_walls, resolution, scale, mirror; late: noise, moved_room, closed_door, blur;
//! saturates: ghost_walls; blind to: missing_wing, unseen, opened_wall. Damage of docs/lab.md, five generated floors.
//! Undefined: without a cell to compare, or where the denominator is 0.

use super::binary_counts::{BinaryCounts, UnknownAs};
use super::blocks::ratio_samples;
use crate::floors::pooled_ratio;
use crate::prelude::*;

/// Parameters of the precision of occupied cells.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct OccupiedPrecision {
    /// What an unknown cell counts as. Default `free`, as in the 2009 set.
    pub unknown_as: UnknownAs,
}

impl Metric for OccupiedPrecision {
    const SPEC: MetricSpec =
        MetricSpec::share(Family::Cells, "occupied_precision", "M-PREC", "Precision of occupied cells")
            .over_floors(Aggregate::Pooled);

    fn evaluate(&self, case: &Case) -> Result<Score, Undefined> {
        let counts = BinaryCounts::of_case(case, self.unknown_as)?;
        Ok(counts.score_of_ratio(case, counts.precision())?.of_seen(case.coverage()?))
    }

    fn samples(&self, case: &Case, _: &Score) -> Vec<Samples> {
        ratio_samples(case, self.unknown_as, BinaryCounts::precision)
    }

    fn pooled(&self, floors: &[&Case]) -> Result<Score, Undefined> {
        pooled_ratio(floors, self.unknown_as, BinaryCounts::precision)
    }
}

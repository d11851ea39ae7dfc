//! Recall of occupied cells: the share of the truth's occupied cells that are occupied in the map.
//!
//! ```text
//! R = TP / (TP + FN)
//! ```
//!
//! Unit: 1. Range: 0 to 1. Better: higher.
//! Paper: none of the five; the usual definition, because users ask for it.
//! Unknown: counts as free (`unknown_as`), as in the 2009 set.
//! Known bias: rewards thick walls; a map that is occupied everywhere has recall 1.
//! Sees: noise, shift, rotate, bend, cut, moved_room, missing_wing, unseen, opened_wall, blur, scale, mirror; blind to:
//! thick_walls, ghost_walls, closed_door, resolution. Damage of docs/lab.md, five generated floors.
//! Undefined: without a cell to compare, or where the denominator is 0.

use super::binary_counts::{BinaryCounts, UnknownAs};
use super::blocks::ratio_samples;
use crate::floors::pooled_ratio;
use crate::prelude::*;

/// Parameters of the recall of occupied cells.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct OccupiedRecall {
    /// What an unknown cell counts as. Default `free`, as in the 2009 set.
    pub unknown_as: UnknownAs,
}

impl Metric for OccupiedRecall {
    const SPEC: MetricSpec =
        MetricSpec::share(Family::Cells, "occupied_recall", "M-REC", "Recall of occupied cells")
            .over_floors(Aggregate::Pooled);

    fn evaluate(&self, case: &Case) -> Result<Score, Undefined> {
        let counts = BinaryCounts::of_case(case, self.unknown_as)?;
        counts.score_of_ratio(case, counts.recall())
    }

    fn samples(&self, case: &Case, _: &Score) -> Vec<Samples> {
        ratio_samples(case, self.unknown_as, BinaryCounts::recall)
    }

    fn pooled(&self, floors: &[&Case]) -> Result<Score, Undefined> {
        pooled_ratio(floors, self.unknown_as, BinaryCounts::recall)
    }
}

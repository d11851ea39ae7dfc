//! Intersection over union of occupied cells: cells occupied in both maps over cells occupied in either.
//!
//! ```text
//! IoU = TP / (TP + FN + FP)
//! ```
//!
//! Unit: 1. Range: 0 to 1. Better: higher.
//! Paper: none of the five; the usual definition, because users ask for it.
//! Unknown: counts as free (`unknown_as`), as in the 2009 set.
//! Known bias: one-cell truth walls against map walls 1.5 to 2 cells thick cap it at about 0.53 for a map
//! that looks perfect.
//! Sees: shift, rotate, bend, cut, thick_walls, blur, resolution, scale, mirror; late: noise, moved_room, missing_wing,
//! unseen, closed_door, opened_wall; saturates: ghost_walls. Damage of docs/lab.md, five generated floors.
//! Undefined: without a cell to compare, or where the denominator is 0.

use super::binary_counts::{BinaryCounts, UnknownAs};
use super::blocks::ratio_samples;
use crate::floors::pooled_ratio;
use crate::prelude::*;

/// Parameters of the intersection over union of occupied cells.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct OccupiedIou {
    /// What an unknown cell counts as. Default `free`, as in the 2009 set.
    pub unknown_as: UnknownAs,
}

impl Metric for OccupiedIou {
    const SPEC: MetricSpec = MetricSpec::share(
        Family::Cells,
        "occupied_iou",
        "M-IOU",
        "Intersection over union of occupied cells",
    )
    .over_floors(Aggregate::Pooled);

    fn evaluate(&self, case: &Case) -> Result<Score, Undefined> {
        let counts = BinaryCounts::of_case(case, self.unknown_as)?;
        counts.score_of_ratio(case, counts.iou())
    }

    fn samples(&self, case: &Case, _: &Score) -> Vec<Samples> {
        ratio_samples(case, self.unknown_as, BinaryCounts::iou)
    }

    fn pooled(&self, floors: &[&Case]) -> Result<Score, Undefined> {
        pooled_ratio(floors, self.unknown_as, BinaryCounts::iou)
    }
}

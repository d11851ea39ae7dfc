//! Overall error: the number of cells on which map and truth disagree about being occupied.
//!
//! ```text
//! OE = FN + FP
//! ```
//!
//! Unit: cells. Range: 0 to the number of compared cells N. Better: lower.
//! Paper: Balaguer et al. 2009, section 5 (after Carlson et al. 2005).
//! Departure: none.
//! Unknown: counts as free (`unknown_as`), as in the paper.
//! Known bias: rewards empty maps, because most cells are free; the cells a missing wall costs are few.
//! Sees: rotate, bend, cut, thick_walls, blur, resolution, scale, mirror; late: noise, moved_room, missing_wing,
//! unseen, closed_door, opened_wall; saturates: shift, ghost_walls. Damage of docs/lab.md, five generated floors.
//! Undefined: without a cell to compare.

use super::binary_counts::{BinaryCounts, UnknownAs};
use super::blocks::count_samples;
use crate::prelude::*;

/// Parameters of the overall error.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct OverallError {
    /// What an unknown cell counts as. Default `free`, from the paper.
    pub unknown_as: UnknownAs,
}

impl Metric for OverallError {
    const SPEC: MetricSpec = MetricSpec::new(Family::Cells, "overall_error", "M-OE", "Overall error")
        .measured_in(Unit::Cells, Better::Lower)
        .best(0.0)
        .over_floors(Aggregate::Sum);

    fn evaluate(&self, case: &Case) -> Result<Score, Undefined> {
        let counts = BinaryCounts::of_case(case, self.unknown_as)?;
        Ok(counts.score_of_count(case, counts.disagreed()).between(0.0, counts.compared() as f64))
    }

    fn samples(&self, case: &Case, _: &Score) -> Vec<Samples> {
        count_samples(case, self.unknown_as, BinaryCounts::disagreed)
    }
}

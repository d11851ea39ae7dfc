//! Normalised map score (2009): occupied cells of the truth that the map does not have.
//!
//! ```text
//! NMS = FN
//! ```
//!
//! Unit: cells. Range: 0 to the number of occupied cells of the truth. Better: lower.
//! Paper: Balaguer et al. 2009, section 5. Which mask it uses is only said by the order of words there;
//! the printed tables decide it.
//! Departure: none. Collins et al. mean another quantity by this name: see
//! `normalized_map_score_collins`.
//! Unknown: counts as free (`unknown_as`), as in the paper.
//! Known bias: rewards thick walls, because an extra wall costs nothing here.
//! Sees: noise, shift, rotate, bend, cut, moved_room, missing_wing, unseen, opened_wall, blur, scale, mirror; blind to:
//! thick_walls, ghost_walls, closed_door, resolution. Damage of docs/lab.md, five generated floors.
//! Undefined: without a cell to compare.

use super::binary_counts::{BinaryCounts, UnknownAs};
use super::blocks::count_samples;
use crate::prelude::*;

/// Parameters of the normalised map score (2009).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct NormalizedMapScoreBalaguer {
    /// What an unknown cell counts as. Default `free`, from the paper.
    pub unknown_as: UnknownAs,
}

impl Metric for NormalizedMapScoreBalaguer {
    const SPEC: MetricSpec = MetricSpec::new(
        Family::Cells,
        "normalized_map_score_balaguer",
        "M-NMS09",
        "Normalised map score (2009)",
    )
    .measured_in(Unit::Cells, Better::Lower)
    .best(0.0)
    .over_floors(Aggregate::Sum);

    fn evaluate(&self, case: &Case) -> Result<Score, Undefined> {
        let counts = BinaryCounts::of_case(case, self.unknown_as)?;
        Ok(counts.score_of_count(case, counts.missed).between(0.0, counts.truth_occupied() as f64))
    }

    fn samples(&self, case: &Case, _: &Score) -> Vec<Samples> {
        count_samples(case, self.unknown_as, |c| c.missed)
    }
}

//! Occupied map score (2009): occupied cells of the map that the truth does not have.
//!
//! ```text
//! OMS = FP
//! ```
//!
//! Unit: cells. Range: 0 to the number of occupied cells of the map. Better: lower.
//! Paper: Balaguer et al. 2009, section 5. Which mask it uses is only said by the order of words there;
//! the printed tables decide it.
//! Departure: none. Collins et al. mean another quantity by this name: see `occupied_map_score_collins`.
//! Unknown: counts as free (`unknown_as`), as in the paper.
//! Known bias: rewards thin walls and empty maps, because a missing wall costs nothing here.
//! Sees: rotate, bend, thick_walls, resolution, scale, mirror; late: noise, moved_room, closed_door, blur; saturates:
//! shift, cut, ghost_walls; blind to: missing_wing, unseen, opened_wall. Damage of docs/lab.md, five generated floors.
//! Undefined: without a cell to compare.

use super::binary_counts::{BinaryCounts, UnknownAs};
use super::blocks::count_samples;
use crate::prelude::*;

/// Parameters of the occupied map score (2009).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct OccupiedMapScoreBalaguer {
    /// What an unknown cell counts as. Default `free`, from the paper.
    pub unknown_as: UnknownAs,
}

impl Metric for OccupiedMapScoreBalaguer {
    const SPEC: MetricSpec =
        MetricSpec::new(Family::Cells, "occupied_map_score_balaguer", "M-OMS09", "Occupied map score (2009)")
            .measured_in(Unit::Cells, Better::Lower)
            .best(0.0)
            .over_floors(Aggregate::Sum);

    fn evaluate(&self, case: &Case) -> Result<Score, Undefined> {
        let counts = BinaryCounts::of_case(case, self.unknown_as)?;
        let score = counts.score_of_count(case, counts.invented).of_seen(case.coverage()?);
        Ok(score.between(0.0, counts.map_occupied() as f64))
    }

    fn samples(&self, case: &Case, _: &Score) -> Vec<Samples> {
        count_samples(case, self.unknown_as, |c| c.invented)
    }
}

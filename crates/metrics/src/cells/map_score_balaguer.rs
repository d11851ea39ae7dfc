//! Map score (2009): the number of cells on which map and truth agree about being occupied.
//!
//! ```text
//! MS = TP + TN
//! ```
//!
//! Unit: cells. Range: 0 to the number of compared cells N. Better: higher.
//! Paper: Balaguer et al. 2009, section 5 (after Martin and Moravec 1996).
//! Departure: none. Collins et al. use the same name for a sum of squared differences: see
//! `map_score_collins`.
//! Unknown: counts as free (`unknown_as`), as in the paper.
//! Known bias: rewards empty maps, because most cells are free and agreeing on them costs nothing.
//! Sees: rotate, bend, cut, thick_walls, blur, resolution, scale, mirror; late: noise, moved_room, missing_wing,
//! unseen, closed_door, opened_wall; saturates: shift, ghost_walls. Damage of docs/lab.md, five generated floors.
//! Real maps: does not separate five distorted maps of two simulated worlds from five intact ones (AUC 0.73);
//! `tolerance_f1_area` does.
//! Undefined: without a cell to compare.

use super::binary_counts::{BinaryCounts, UnknownAs};
use super::blocks::count_samples;
use crate::prelude::*;

/// Parameters of the map score (2009).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MapScoreBalaguer {
    /// What an unknown cell counts as. Default `free`, from the paper.
    pub unknown_as: UnknownAs,
}

impl Metric for MapScoreBalaguer {
    const SPEC: MetricSpec =
        MetricSpec::new(Family::Cells, "map_score_balaguer", "M-MS09", "Map score (2009)")
            .measured_in(Unit::Cells, Better::Higher)
            .over_floors(Aggregate::Sum);

    fn evaluate(&self, case: &Case) -> Result<Score, Undefined> {
        let counts = BinaryCounts::of_case(case, self.unknown_as)?;
        Ok(counts.score_of_count(case, counts.agreed()).between(counts.compared() as f64, 0.0))
    }

    fn samples(&self, case: &Case, _: &Score) -> Vec<Samples> {
        count_samples(case, self.unknown_as, BinaryCounts::agreed)
    }
}

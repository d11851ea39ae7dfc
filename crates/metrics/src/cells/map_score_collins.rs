//! Map score (Collins): the sum of squared differences between the cell values of truth and map.
//!
//! ```text
//! SSD = Σ (g - m)²      g, m = 0 free, 0.5 unknown, 1 occupied, or a probability
//! ```
//!
//! Unit: cells. Range: 0 to the number of compared cells N. Better: lower.
//! Paper: Collins et al., section 3.2; the square is lost in the printed formula, the text has it.
//! Departure: none. Balaguer et al. 2009 use the same name for an agreement count: see `map_score_balaguer`;
//! on binary maps SSD = OE = N - MS.
//! Unknown: 0.5 (`unknown_as = half`); so an unknown cell costs a quarter against a known one.
//! Known bias: rewards empty maps, because most cells are free.
//! Sees: shift, rotate, bend, cut, thick_walls, ghost_walls, blur, resolution, scale, mirror; late: noise, moved_room,
//! missing_wing, unseen, closed_door, opened_wall. Damage of docs/lab.md, five generated floors.
//! Undefined: without a cell to compare.

use super::number_pairs::{NumberPairs, Source, UnknownNumber, pairs_by_cell};
use crate::prelude::*;

/// Parameters of the map score of Collins et al.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MapScoreCollins {
    /// The number of an unknown cell. Default `half`, from the paper.
    pub unknown_as: UnknownNumber,
}

impl Metric for MapScoreCollins {
    const SPEC: MetricSpec =
        MetricSpec::new(Family::Cells, "map_score_collins", "M-SSD", "Map score (Collins)")
            .measured_in(Unit::Cells, Better::Lower)
            .best(0.0)
            .over_floors(Aggregate::Sum);

    fn evaluate(&self, case: &Case) -> Result<Score, Undefined> {
        let pairs = NumberPairs::of(case, Source::Probabilities, self.unknown_as)?;
        let ssd = pairs.squared_differences(|_, _| true);
        if ssd.cells == 0.0 {
            return Err(Reason::EmptyWindow.into());
        }
        Ok(Score::new(ssd.sum)
            .between(0.0, ssd.cells)
            .with("rate", ssd.sum / ssd.cells)
            .with("compared", ssd.cells as u64)
            .with("coverage", case.coverage()?))
    }

    fn samples(&self, case: &Case, _: &Score) -> Vec<Samples> {
        let (Ok(grids), Ok(blocks)) = (case.grids(), case.blocks()) else { return Vec::new() };
        let cells = pairs_by_cell(&grids.truth, &grids.map, self.unknown_as);
        vec![blocks.sum(cells.map(|(cell, g, m)| (cell, (g - m) * (g - m))))]
    }
}

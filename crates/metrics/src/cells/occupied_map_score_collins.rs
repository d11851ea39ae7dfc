//! Occupied map score (Collins): squared differences over the cells that either map calls occupied.
//!
//! ```text
//! OSSD = Σ (g - m)²   over cells with g > 0.5 or m > 0.5
//! ```
//!
//! Unit: cells. Range: 0 to the number of cells used. Better: lower.
//! Paper: Collins et al., section 3.2.
//! Departure: none. Balaguer et al. 2009 mean another quantity by this name: see `occupied_map_score_balaguer`.
//! Unknown: 0.5 (`unknown_as = half`), and so never occupied.
//! Known bias: a wall shifted by its thickness costs twice its cells; two empty maps score 0, with a warning.
//! Sees: rotate, bend, cut, thick_walls, ghost_walls, resolution, scale, mirror; late: noise, shift, moved_room,
//! missing_wing, unseen, closed_door, opened_wall, blur. Damage of docs/lab.md, five generated floors.
//! Undefined: without a cell to compare.

use super::number_pairs::{NumberPairs, Source, UnknownNumber, pairs_by_cell};
use crate::prelude::*;

/// Parameters of the occupied map score of Collins et al.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct OccupiedMapScoreCollins {
    /// The number of an unknown cell. Default `half`, from the paper.
    pub unknown_as: UnknownNumber,
}

impl Metric for OccupiedMapScoreCollins {
    const SPEC: MetricSpec = MetricSpec::new(
        Family::Cells,
        "occupied_map_score_collins",
        "M-OSSD",
        "Occupied map score (Collins)",
    )
    .measured_in(Unit::Cells, Better::Lower)
    .best(0.0)
    .over_floors(Aggregate::Sum);

    fn evaluate(&self, case: &Case) -> Result<Score, Undefined> {
        let pairs = NumberPairs::of(case, Source::Probabilities, self.unknown_as)?;
        let (mut truth_occupied, mut map_occupied, mut compared) = (0.0, 0.0, 0.0);
        pairs.for_each(|g, m, cells| {
            compared += cells;
            truth_occupied += if g > 0.5 { cells } else { 0.0 };
            map_occupied += if m > 0.5 { cells } else { 0.0 };
        });
        if compared == 0.0 {
            return Err(Reason::EmptyWindow.into());
        }
        let ossd = pairs.squared_differences(|g, m| g > 0.5 || m > 0.5);
        Ok(Score::new(ossd.sum)
            .between(0.0, ossd.cells)
            .with("cells", ossd.cells as u64)
            .with("mean", (ossd.cells > 0.0).then(|| ossd.sum / ossd.cells))
            .with("coverage", case.coverage()?)
            .warn_if(truth_occupied == 0.0, Reason::NoOccupiedGt)
            .warn_if(map_occupied == 0.0, Reason::NoOccupiedMap))
    }

    fn samples(&self, case: &Case, _: &Score) -> Vec<Samples> {
        let (Ok(grids), Ok(blocks)) = (case.grids(), case.blocks()) else { return Vec::new() };
        let cells = pairs_by_cell(&grids.truth, &grids.map, self.unknown_as);
        let cells = cells.filter(|(_, g, m)| *g > 0.5 || *m > 0.5);
        vec![blocks.sum(cells.map(|(cell, g, m)| (cell, (g - m) * (g - m))))]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drawing::{case, case_of_probabilities, nearly};

    #[test]
    fn e2_only_occupied_cells_count() {
        let case = case_of_probabilities(
            &[&[1.0, 0.0, 0.5], &[0.0, 1.0, 0.0]],
            &[&[0.9, 0.2, 0.5], &[0.1, 0.6, 0.4]],
        );
        let score = Metric::evaluate(&OccupiedMapScoreCollins::default(), &case).unwrap();
        nearly(score.value, 0.17, 1e-12);
        assert_eq!(score.detail["cells"], 2);
    }

    #[test]
    fn two_empty_maps_score_zero_with_both_warnings() {
        let score = Metric::evaluate(&OccupiedMapScoreCollins::default(), &case(&[".."], &[".."])).unwrap();
        assert_eq!(score.value, 0.0);
        assert_eq!(score.warnings, [Reason::NoOccupiedGt, Reason::NoOccupiedMap]);
    }
}

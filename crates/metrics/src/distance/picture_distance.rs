//! Picture distance: the mean distance of all occupied cells, of both maps, to the nearest in the other.
//!
//! ```text
//! d = (Σ over occupied p of G of min |p - q|₁ + the same with G and M swapped) / (nG + nM)
//! ```
//!
//! Unit: cells. Range: 0 upwards. Better: lower.
//! Paper: Balaguer et al. 2009, section 5.
//! Departure: a map without any occupied cell is not treated by the paper: `missing = max` (ours) charges the largest
//! distance of the window for each cell of the other map.
//! Unknown: not looked at; only occupied cells count.
//! Variants: `distance = l2` is Euclidean.
//! Known bias: includes any misalignment; the map with more occupied cells weighs more.
//! Sees: noise, shift, rotate, bend, cut, missing_wing, thick_walls, unseen, ghost_walls, blur, resolution, scale,
//! mirror; late: moved_room, closed_door, opened_wall. Damage of docs/lab.md, five generated floors.
//! Undefined: if neither map has an occupied cell, or one has none and `missing` is not `max`.

use super::colour_terms::{CellDistance, ColourTerms, Layer, Missing, colour_terms, largest_distance};
use crate::prelude::*;

/// Parameters of the picture distance.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PictureDistance {
    /// Distance between cells. Default `l1`, from the paper.
    pub distance: CellDistance,
    /// What occupied cells cost if the other map has none. Default `max`, ours: the paper is silent.
    pub missing: Missing,
}

impl PictureDistance {
    /// The sum of distances in cells, the number of walls of both maps, and what it was taken from.
    fn sum(&self, case: &Case) -> Result<(f64, u64, ColourTerms), Undefined> {
        let terms = colour_terms(case, Layer::Cells, self.distance)?;
        let walls = terms.into_iter().find(|colour| colour.name == "occupied").ok_or(Reason::NoReference)?;
        let (no_truth, no_map) = (walls.truth_cells == 0, walls.map_cells == 0);
        if (no_truth && no_map) || (walls.is_missing() && self.missing != Missing::Max) {
            let reason = if no_truth { Reason::NoOccupiedGt } else { Reason::NoOccupiedMap };
            return Err(Undefined::because(reason).also_if(no_map, Reason::NoOccupiedMap));
        }
        let cells = walls.truth_cells + walls.map_cells;
        let sum = if walls.is_missing() {
            largest_distance(case.grids()?) * cells as f64
        } else {
            walls.truth_to_map.map_or(0.0, |d| d.sum) + walls.map_to_truth.map_or(0.0, |d| d.sum)
        };
        Ok((sum, cells, walls))
    }
}

impl Metric for PictureDistance {
    const SPEC: MetricSpec =
        MetricSpec::new(Family::Distance, "picture_distance", "M-PSI09", "Picture distance")
            .measured_in(Unit::Cells, Better::Lower)
            .best(0.0)
            .over_floors(Aggregate::Pooled);

    fn evaluate(&self, case: &Case) -> Result<Score, Undefined> {
        let grids = case.grids()?;
        let (sum, cells, walls) = self.sum(case)?;
        let (no_truth, no_map) = (walls.truth_cells == 0, walls.map_cells == 0);
        let value = sum / cells as f64;
        Ok(Score::new(value)
            .with("value_m", value * grids.geometry().cell_size_m())
            .with("truth_to_map", walls.truth_to_map.map(|d| d.facts()))
            .with("map_to_truth", walls.map_to_truth.map(|d| d.facts()))
            .with("coverage", case.coverage()?)
            .warn_if(walls.is_missing(), Reason::MissingColour)
            .warn_if(no_truth, Reason::NoOccupiedGt)
            .warn_if(no_map, Reason::NoOccupiedMap))
    }

    fn pooled(&self, floors: &[&Case]) -> Result<Score, Undefined> {
        let (mut sum, mut cells) = (0.0, 0);
        for floor in floors {
            let [truth, map] = [floor.table()?.truth_counts()[2], floor.table()?.map_counts()[2]];
            // A floor without a wall in either map adds nothing.
            if truth + map > 0 {
                let (own, own_cells, _) = self.sum(floor)?;
                (sum, cells) = (sum + own, cells + own_cells);
            }
        }
        if cells == 0 {
            return Err(Undefined::because(Reason::NoOccupiedGt).also_if(true, Reason::NoOccupiedMap));
        }
        Ok(Score::new(sum / cells as f64))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drawing::{case, nearly};

    fn distance(missing: Missing, truth: &[&str], map: &[&str]) -> Result<Score, Undefined> {
        let params = PictureDistance { missing, ..Default::default() };
        Metric::evaluate(&params, &case(truth, map))
    }

    const ONE: [&str; 3] = ["#....", ".....", "....."];
    const EMPTY: [&str; 3] = [".....", ".....", "....."];

    #[test]
    fn e1_pools_both_directions() {
        let (g, m) = (["#####", "#...#", "#...#", "#####"], ["####.", "#...#", "#..#.", "####."]);
        nearly(distance(Missing::Max, &g, &m).unwrap().value, 4.0 / 26.0, 1e-12);
    }

    #[test]
    fn e4_e6_moved_and_unequal_walls() {
        let moved = ["...#.", ".....", "....."];
        assert_eq!(distance(Missing::Max, &ONE, &moved).unwrap().value, 3.0);
        let (g, m) = (["#..", "...", "..#"], ["###", "...", "..."]);
        assert_eq!(distance(Missing::Max, &g, &m).unwrap().value, 1.0);
    }

    #[test]
    fn e5_an_empty_map_never_looks_good() {
        let score = distance(Missing::Max, &ONE, &EMPTY).unwrap();
        assert_eq!(score.value, 6.0);
        assert_eq!(score.warnings, [Reason::MissingColour, Reason::NoOccupiedMap]);
        assert!(distance(Missing::Inf, &ONE, &EMPTY).is_err());
        assert!(distance(Missing::Skip, &ONE, &EMPTY).is_err());
        let both = distance(Missing::Max, &EMPTY, &EMPTY).unwrap_err();
        assert_eq!(both.reasons, [Reason::NoOccupiedGt, Reason::NoOccupiedMap]);
    }
}

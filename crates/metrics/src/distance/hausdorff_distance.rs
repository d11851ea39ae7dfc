//! Hausdorff distance: the largest distance of any wall to the nearest wall of the other map.
//!
//! ```text
//! d = max(max over walls of G of d(p, M), max over walls of M of d(p, G))
//! ```
//!
//! Unit: m. Range: 0 upwards. Better: lower. Distances are Euclidean between cell centres.
//! Paper: Huttenlocher et al. 1993; none of the five.
//! Unknown: not looked at; only occupied cells count.
//! Known bias: one speckle decides it; use the 95 % form to compare maps.
//! Sees: shift, rotate, bend, cut, moved_room, missing_wing, thick_walls, ghost_walls, blur, resolution, scale, mirror;
//! saturates: noise, unseen, closed_door, opened_wall. Damage of docs/lab.md, five generated floors.
//! Real maps: does not separate five distorted maps of two simulated worlds from five intact ones (AUC 0.77);
//! `tolerance_f1_area` does.
//! Undefined: if either map has no occupied cell.

use super::wall_distances::score_of;
use crate::prelude::*;

/// The Hausdorff distance has no parameters.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct HausdorffDistance {}

impl Metric for HausdorffDistance {
    const SPEC: MetricSpec =
        MetricSpec::new(Family::Distance, "hausdorff_distance", "M-HAUS", "Hausdorff distance")
            .measured_in(Unit::Metres, Better::Lower)
            .best(0.0)
            .over_floors(Aggregate::Max);

    fn evaluate(&self, case: &Case) -> Result<Score, Undefined> {
        score_of(case, |there, back| there.quantile_cells(1.0).max(back.quantile_cells(1.0)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drawing::{case, nearly};

    fn score(truth: &[&str], map: &[&str]) -> f64 {
        Metric::evaluate(&HausdorffDistance {}, &case(truth, map)).unwrap().value
    }

    #[test]
    fn the_worst_cell_decides() {
        nearly(score(&["#...", "....", "...#"], &["#...", "....", "...."]), 13.0f64.sqrt(), 1e-12);
    }

    #[test]
    fn maps_without_walls_are_undefined() {
        assert!(Metric::evaluate(&HausdorffDistance {}, &case(&["#."], &[".."])).is_err());
        assert!(Metric::evaluate(&HausdorffDistance {}, &case(&[".."], &["#."])).is_err());
    }
}

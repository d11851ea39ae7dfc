//! Median wall distance: half of the walls lie no farther than this from a wall of the other map.
//!
//! ```text
//! d = max(median over walls of G of d(p, M), median over walls of M of d(p, G))
//! ```
//!
//! Unit: m. Range: 0 upwards. Better: lower. Distances are Euclidean between cell centres.
//! Paper: none of the five; a robust companion of the mean.
//! Unknown: not looked at; only occupied cells count.
//! Known bias: blind to what happens to the worse half of the walls; a map with a missing wing can have
//! 0.
//! Sees: shift, mirror; late: rotate, bend, cut, missing_wing, thick_walls, blur, resolution, scale; blind to: noise,
//! moved_room, unseen, ghost_walls, closed_door, opened_wall. Damage of docs/lab.md, five generated floors.
//! Real maps: does not separate five distorted maps of two simulated worlds from five intact ones (AUC 0.93);
//! `tolerance_f1_area` does.
//! Undefined: if either map has no occupied cell.

use super::wall_distances::score_of;
use crate::prelude::*;

/// The median wall distance has no parameters.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MedianWallDistance {}

impl Metric for MedianWallDistance {
    const SPEC: MetricSpec =
        MetricSpec::new(Family::Distance, "median_wall_distance", "M-MEDIAN", "Median wall distance")
            .measured_in(Unit::Metres, Better::Lower)
            .best(0.0)
            .over_floors(Aggregate::None);

    fn evaluate(&self, case: &Case) -> Result<Score, Undefined> {
        score_of(case, |there, back| there.quantile_cells(0.5).max(back.quantile_cells(0.5)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drawing::{case, nearly};

    fn score(truth: &[&str], map: &[&str]) -> f64 {
        Metric::evaluate(&MedianWallDistance {}, &case(truth, map)).unwrap().value
    }

    #[test]
    fn the_larger_median_counts() {
        // G to M: 0, 1, 2, 3 with median 1.5; M to G: 0
        nearly(score(&["####"], &["#..."]), 1.5, 1e-12);
    }

    #[test]
    fn maps_without_walls_are_undefined() {
        assert!(Metric::evaluate(&MedianWallDistance {}, &case(&["#."], &[".."])).is_err());
        assert!(Metric::evaluate(&MedianWallDistance {}, &case(&[".."], &["#."])).is_err());
    }
}

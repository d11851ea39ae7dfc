//! Hausdorff distance, 95 %: 95 % of the walls lie no farther than this from a wall of the other map.
//!
//! ```text
//! d = max(95 % quantile over walls of G of d(p, M), 95 % quantile over walls of M of d(p, G))
//! ```
//!
//! Unit: m. Range: 0 upwards. Better: lower. Distances are Euclidean between cell centres.
//! Paper: Huttenlocher et al. 1993 (partial Hausdorff distance); none of the five.
//! Unknown: not looked at; only occupied cells count.
//! Known bias: says nothing about the worst twentieth; quantiles are interpolated between order
//! statistics.
//! Sees: shift, rotate, bend, cut, missing_wing, thick_walls, unseen, ghost_walls, blur, resolution, mirror; late:
//! noise, moved_room, scale; blind to: closed_door, opened_wall. Damage of docs/lab.md, five generated floors.
//! Undefined: if either map has no occupied cell.

use super::wall_distances::score_of;
use crate::prelude::*;

/// The Hausdorff distance, 95 % has no parameters.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct HausdorffDistance95 {}

impl Metric for HausdorffDistance95 {
    const SPEC: MetricSpec =
        MetricSpec::new(Family::Distance, "hausdorff_distance_95", "M-HAUS95", "Hausdorff distance, 95 %")
            .measured_in(Unit::Metres, Better::Lower)
            .best(0.0)
            .over_floors(Aggregate::None);

    fn evaluate(&self, case: &Case) -> Result<Score, Undefined> {
        score_of(case, |there, back| there.quantile_cells(0.95).max(back.quantile_cells(0.95)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drawing::{case, nearly};

    fn score(truth: &[&str], map: &[&str]) -> f64 {
        Metric::evaluate(&HausdorffDistance95 {}, &case(truth, map)).unwrap().value
    }

    #[test]
    fn quantiles_are_interpolated() {
        // G to M: 0, 1, 2, 3; rank 0.95 * 3 = 2.85
        nearly(score(&["####"], &["#..."]), 2.85, 1e-12);
    }

    #[test]
    fn maps_without_walls_are_undefined() {
        assert!(Metric::evaluate(&HausdorffDistance95 {}, &case(&["#."], &[".."])).is_err());
        assert!(Metric::evaluate(&HausdorffDistance95 {}, &case(&[".."], &["#."])).is_err());
    }
}

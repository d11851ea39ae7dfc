//! Chamfer distance: the mean distance between the walls of both maps, averaged over both directions.
//!
//! ```text
//! d = (mean over walls of G of d(p, M) + mean over walls of M of d(p, G)) / 2
//! ```
//!
//! Unit: m. Range: 0 upwards. Better: lower. Distances are Euclidean between cell centres.
//! Paper: Barrow et al. 1977; none of the five.
//! Unknown: not looked at; only occupied cells count.
//! Known bias: one far outlier hardly shows; a missing wing shows in one direction only, so read both.
//! Sees: noise, shift, rotate, bend, cut, missing_wing, thick_walls, unseen, ghost_walls, blur, resolution, scale,
//! mirror; late: moved_room, closed_door, opened_wall. Damage of docs/lab.md, five generated floors.
//! Undefined: if either map has no occupied cell.

use super::wall_distances::score_of;
use crate::prelude::*;

/// The chamfer distance has no parameters.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ChamferDistance {}

impl Metric for ChamferDistance {
    const SPEC: MetricSpec =
        MetricSpec::new(Family::Distance, "chamfer_distance", "M-CHAMFER", "Chamfer distance")
            .measured_in(Unit::Metres, Better::Lower)
            .best(0.0)
            .over_floors(Aggregate::Pooled);

    fn evaluate(&self, case: &Case) -> Result<Score, Undefined> {
        score_of(case, |there, back| (there.mean_cells() + back.mean_cells()) / 2.0)
    }

    fn pooled(&self, floors: &[&Case]) -> Result<Score, Undefined> {
        // Sums of metres and numbers of walls, for each direction.
        let mut sums = [(0.0, 0.0); 2];
        for floor in floors {
            let distances = floor.wall_distances()?;
            let cell_size_m = floor.grids()?.geometry().cell_size_m();
            for (sum, side) in sums.iter_mut().zip([&distances.truth_to_map, &distances.map_to_truth]) {
                let count = side.count() as f64;
                *sum = (sum.0 + side.mean_cells() * count * cell_size_m, sum.1 + count);
            }
        }
        if sums.iter().any(|(_, count)| *count == 0.0) {
            return Err(Reason::EmptyWindow.into());
        }
        Ok(Score::new(sums.iter().map(|(sum, count)| sum / count).sum::<f64>() / 2.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drawing::{case, nearly};

    fn score(truth: &[&str], map: &[&str]) -> f64 {
        Metric::evaluate(&ChamferDistance {}, &case(truth, map)).unwrap().value
    }

    #[test]
    fn both_directions_weigh_the_same() {
        // G to M: 0 and 2; M to G: 0
        nearly(score(&["#.#", "...", "..."], &["#..", "...", "..."]), (1.0 + 0.0) / 2.0, 1e-12);
    }

    #[test]
    fn maps_without_walls_are_undefined() {
        assert!(Metric::evaluate(&ChamferDistance {}, &case(&["#."], &[".."])).is_err());
        assert!(Metric::evaluate(&ChamferDistance {}, &case(&[".."], &["#."])).is_err());
    }
}

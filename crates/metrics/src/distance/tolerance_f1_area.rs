//! F1 over tolerance: how well the walls agree when they may lie a little apart, over a range of tolerances.
//!
//! ```text
//! precision(t) = share of the map's walls within t of the truth's     recall(t) = the reverse
//! value = area under F1(t) = 2 P R / (P + R) for t = 0 .. largest_cells, divided by largest_cells
//! ```
//!
//! Unit: 1. Range: 0 to 1. Better: higher. Distances are Euclidean between cell centres.
//! Paper: none of the five; ours, because a wall one cell off is not a missing wall.
//! Unknown: not looked at; only occupied cells count.
//! Known bias: walls of unequal thickness cost precision or recall at small tolerances; see `surface_f1_area`.
//! Sees: noise, shift, rotate, bend, cut, missing_wing, thick_walls, unseen, ghost_walls, blur, resolution, scale,
//! mirror; late: moved_room, closed_door, opened_wall. Damage of docs/lab.md, five generated floors.
//! Undefined: if either map has no occupied cell.

use super::tolerance_curve::area_score;
use crate::floors::pooled_f1_area;
use crate::prelude::*;

/// Parameters of the area under the F1 curve.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ToleranceF1Area {
    /// Largest tolerance in cells. Default 10, ours: half a metre at the usual 5 cm.
    pub largest_cells: u32,
}

impl Default for ToleranceF1Area {
    fn default() -> Self {
        Self { largest_cells: 10 }
    }
}

impl Metric for ToleranceF1Area {
    const SPEC: MetricSpec =
        MetricSpec::share(Family::Distance, "tolerance_f1_area", "M-TOL", "F1 over tolerance")
            .over_floors(Aggregate::Pooled);

    fn evaluate(&self, case: &Case) -> Result<Score, Undefined> {
        area_score(case, case.wall_distances()?, self.largest_cells)
    }

    fn pooled(&self, floors: &[&Case]) -> Result<Score, Undefined> {
        pooled_f1_area(floors, self.largest_cells, Case::wall_distances)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drawing::{case, nearly};

    #[test]
    fn a_wall_one_cell_off_counts_from_tolerance_one() {
        let params = ToleranceF1Area { largest_cells: 2 };
        let score = Metric::evaluate(&params, &case(&["##..", "...."], &["....", "##.."])).unwrap();
        // F1 = 0, 1, 1: strips 0.5 and 1
        nearly(score.value, 0.75, 1e-12);
        assert_eq!(score.detail["curve"][1]["precision"], 1.0);
    }

    #[test]
    fn equal_maps_have_one_at_any_range() {
        for largest_cells in [0, 1, 10] {
            let params = ToleranceF1Area { largest_cells };
            let score = Metric::evaluate(&params, &case(&["#.#"], &["#.#"])).unwrap();
            assert_eq!(score.value, 1.0);
        }
    }
}

//! F1 over tolerance, thinned walls: as `tolerance_f1_area`, after thinning both maps to walls one cell thick.
//!
//! ```text
//! precision(t) = share of the map's walls within t of the truth's     recall(t) = the reverse
//! value = area under F1(t) = 2 P R / (P + R) for t = 0 .. largest_cells, divided by largest_cells
//! ```
//!
//! Unit: 1. Range: 0 to 1. Better: higher. Distances are Euclidean between cell centres.
//! Paper: none of the five; ours, because walls drawn thick and thin mean the same place.
//! Unknown: not looked at; only occupied cells count.
//! Known bias: thinning moves a thick wall to its middle, so a wall thickened to one side moves by half of that.
//! Sees: noise, shift, rotate, bend, cut, missing_wing, ghost_walls, blur, resolution, scale, mirror; late: moved_room,
//! thick_walls, unseen, closed_door, opened_wall. Damage of docs/lab.md, five generated floors.
//! Undefined: if either map has no occupied cell.

use super::tolerance_curve::area_score;
use crate::floors::pooled_f1_area;
use crate::prelude::*;

/// Parameters of the area under the F1 curve.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SurfaceF1Area {
    /// Largest tolerance in cells. Default 10, ours: half a metre at the usual 5 cm.
    pub largest_cells: u32,
}

impl Default for SurfaceF1Area {
    fn default() -> Self {
        Self { largest_cells: 10 }
    }
}

impl Metric for SurfaceF1Area {
    const SPEC: MetricSpec =
        MetricSpec::share(Family::Distance, "surface_f1_area", "M-SURF", "F1 over tolerance, thinned walls")
            .over_floors(Aggregate::Pooled);

    fn evaluate(&self, case: &Case) -> Result<Score, Undefined> {
        area_score(case, &case.surfaces()?.distances, self.largest_cells)
    }

    fn pooled(&self, floors: &[&Case]) -> Result<Score, Undefined> {
        pooled_f1_area(floors, self.largest_cells, |case| Ok(&case.surfaces()?.distances))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drawing::case;

    #[test]
    fn a_wall_three_cells_thick_agrees_with_a_thin_one() {
        let (thin, thick) = ([".........", "#########", "........."], ["#########"; 3]);
        let params = SurfaceF1Area { largest_cells: 2 };
        let score = Metric::evaluate(&params, &case(&thin, &thick)).unwrap();
        let at = |t: usize, what: &str| score.detail["curve"][t][what].as_f64().unwrap();
        assert_eq!(at(0, "precision"), 1.0, "the surface lies in the middle");
        assert_eq!(at(2, "recall"), 1.0, "thinning shortens the ends by up to two cells");
    }

    #[test]
    fn a_block_of_two_by_two_does_not_vanish() {
        let rows = ["....", ".##.", ".##.", "...."];
        let score = Metric::evaluate(&SurfaceF1Area::default(), &case(&rows, &rows)).unwrap();
        assert_eq!(score.value, 1.0);
    }
}

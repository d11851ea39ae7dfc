//! Structural similarity (SSIM): agreement of local mean, contrast and structure of the two images.
//!
//! ```text
//! SSIM = mean over windows of (2 μg μm + C1)(2 σgm + C2) / ((μg² + μm² + C1)(σg² + σm² + C2))
//! windows of 7 x 7 cells, C1 = (0.01 L)², C2 = (0.03 L)², L = 255, unbiased variances
//! ```
//!
//! Unit: 1. Range: -1 to 1. Better: higher.
//! Paper: Wang et al. 2004; none of the five. It is here because users ask for it.
//! Departure: the uniform window of common libraries; cells are painted 254 free, 205 unknown, 0 occupied, as map
//! savers do.
//! Unknown: painted in a grey near to free, so the difference between the two weighs little.
//! Known bias: hardly tells a wreck from a good map: 0.73 to 0.80 for visibly broken maps and 0.89 to 0.96 for good
//! ones in a public comparison, because most windows hold nothing but free space.
//! Sees: noise, shift, rotate, bend, cut, thick_walls, ghost_walls, blur, resolution, scale, mirror; late: moved_room,
//! missing_wing, unseen, closed_door, opened_wall. Damage of docs/lab.md, five generated floors.
//! Undefined: if a side of the window is shorter than 7 cells.

use model::{CellClass, Grid};
use raster::structural_similarity::mean_structural_similarity;

use crate::prelude::*;

/// The structural similarity has no parameters: window and constants are part of the definition.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct StructuralSimilarity {}

impl Metric for StructuralSimilarity {
    const SPEC: MetricSpec =
        MetricSpec::new(Family::Cells, "structural_similarity", "M-SSIM", "Structural similarity (SSIM)")
            .measured_in(Unit::Ratio, Better::Higher)
            .between(1.0, -1.0)
            .over_floors(Aggregate::None);

    fn evaluate(&self, case: &Case) -> Result<Score, Undefined> {
        let grids = case.grids()?;
        let (width, height) = (grids.geometry().width(), grids.geometry().height());
        let (truth, map) = (painted(&grids.truth), painted(&grids.map));
        let value = mean_structural_similarity(&truth, &map, width, height, 255.0);
        Ok(Score::new(value.ok_or(Reason::TooSmall)?).with("coverage", case.coverage()?))
    }
}

/// The grey values that map savers write.
const FREE_GREY: u8 = 254;
const UNKNOWN_GREY: u8 = 205;
const OCCUPIED_GREY: u8 = 0;

fn painted(grid: &Grid) -> Vec<u8> {
    let grey = |class: &CellClass| match class {
        CellClass::Free => FREE_GREY,
        CellClass::Unknown => UNKNOWN_GREY,
        CellClass::Occupied => OCCUPIED_GREY,
    };
    grid.classes().iter().map(grey).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drawing::{case, nearly};

    #[test]
    fn equal_maps_have_one_and_small_ones_none() {
        let rows = ["#.#.#.#.", "........", "?.......", "........", "........", "........", "########"];
        let score = Metric::evaluate(&StructuralSimilarity {}, &case(&rows, &rows)).unwrap();
        nearly(score.value, 1.0, 1e-12);
        let small = Metric::evaluate(&StructuralSimilarity {}, &case(&rows[..6], &rows[..6]));
        assert_eq!(small.unwrap_err().reasons, [Reason::TooSmall]);
    }
}

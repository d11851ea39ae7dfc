//! Wall thickness ratio: how thick the map draws its walls compared with the truth.
//!
//! ```text
//! ratio = (nM / cells of the map's thinned walls) / (nG / cells of the truth's thinned walls)
//! ```
//!
//! Unit: 1. Range: above 0. Better: closer to 1; above 1 the map's walls are thicker.
//! Paper: none of the five; ours, because thickness explains most of what IoU and the 2009 set punish.
//! Unknown: not looked at; only occupied cells count.
//! Known bias: a mean over everything; blobs count as thick walls, speckles as thin ones.
//! Sees: thick_walls, resolution; late: noise, shift, rotate, bend, cut, moved_room, missing_wing, unseen, ghost_walls,
//! closed_door, opened_wall, blur, mirror; saturates: scale. Damage of docs/lab.md, five generated floors.
//! Real maps: does not separate five distorted maps of two simulated worlds from five intact ones (AUC 0.53);
//! `tolerance_f1_area` does.
//! Undefined: if either map has no occupied cell.

use crate::prelude::*;

/// The wall thickness ratio has no parameters.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct WallThicknessRatio {}

impl Metric for WallThicknessRatio {
    const SPEC: MetricSpec =
        MetricSpec::new(Family::Distance, "wall_thickness_ratio", "M-THICK", "Wall thickness ratio")
            .measured_in(Unit::Ratio, Better::Closer)
            .best(1.0)
            .over_floors(Aggregate::None);

    fn evaluate(&self, case: &Case) -> Result<Score, Undefined> {
        let surfaces = case.surfaces()?;
        let cell_size_m = case.grids()?.geometry().cell_size_m();
        let (truth, map) = (surfaces.truth_thickness_cells, surfaces.map_thickness_cells);
        Ok(Score::new(map / truth)
            .with("truth_thickness_cells", truth)
            .with("map_thickness_cells", map)
            .with("truth_thickness_m", truth * cell_size_m)
            .with("map_thickness_m", map * cell_size_m)
            .with("coverage", case.coverage()?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drawing::case;

    #[test]
    fn equal_maps_have_one_and_a_thick_wall_more() {
        let (thin, thick) = ([".........", "#########", "........."], ["#########"; 3]);
        let ratio =
            |t: &[&str], m: &[&str]| Metric::evaluate(&WallThicknessRatio {}, &case(t, m)).unwrap().value;
        assert_eq!(ratio(&thin, &thin), 1.0);
        assert!(ratio(&thin, &thick) >= 3.0);
        assert!(ratio(&thick, &thin) <= 1.0 / 3.0);
    }
}

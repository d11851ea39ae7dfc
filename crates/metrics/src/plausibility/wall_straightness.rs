//! Wall straightness: share of the occupied cells that lie on long straight walls.
//!
//! ```text
//! s = occupied cells on a straight line of at least `length_m` / occupied cells
//! ```
//!
//! Unit: share. Range: 0 to 1. Better: neither, it describes the map.
//! Paper: Schwertfeger et al. 2010, section 5 (after Chandran-Ramesh and Newman, there in 3D).
//! Departure: lines are looked for along 36 directions, one cell beside the wall at most.
//! Unknown: not looked at; only occupied cells count.
//! Known bias: a description, not a sign of quality: thick walls, blur, lost walls and added objects move it either way.  Round rooms and furniture are not straight, and a broken map of straight walls is.
//! Undefined: if the map has no occupied cell.

use super::places::with_cells;
use super::straight_walls::StraightWalls;
use crate::prelude::*;

/// Parameters of the wall straightness.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct WallStraightness {
    /// Shorter lines do not count, metres. Default 1, ours.
    pub length_m: f64,
}

impl Default for WallStraightness {
    fn default() -> Self {
        Self { length_m: 1.0 }
    }
}

impl Metric for WallStraightness {
    const SPEC: MetricSpec =
        MetricSpec::new(Family::Plausibility, "wall_straightness", "X-PLAUS-S", "Wall straightness")
            .measured_in(Unit::Ratio, Better::Neither)
            .worst(0.0)
            .over_floors(Aggregate::None);

    fn evaluate(&self, case: &Case) -> Result<Score, Undefined> {
        let map = case.map()?;
        let straight = StraightWalls::of(map, (self.length_m / map.geometry().cell_size_m()).ceil() as usize);
        if straight.walls == 0 {
            return Err(Reason::NoOccupiedMap.into());
        }
        let on_lines = straight.direction.iter().flatten().count();
        let is_crooked = |&cell: &usize| {
            map.classes()[cell] == model::CellClass::Occupied && straight.direction[cell].is_none()
        };
        let crooked: Vec<usize> = (0..straight.direction.len()).filter(is_crooked).collect();
        let score = Score::new(on_lines as f64 / straight.walls as f64).with("walls", straight.walls);
        Ok(with_cells(score, "crooked_places", map, &crooked))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::drawing::{building, nearly};

    #[test]
    fn a_building_is_straight_and_speckles_are_not() {
        let case = Case::of_map_alone(Arc::new(building(0)));
        let score = Metric::evaluate(&WallStraightness::default(), &case).unwrap();
        // All but the stub of half a metre beside the last door, row 25 from column 55 on.
        nearly(score.value, 332.0 / 335.0, 1e-12);
        let stub = &score.detail["crooked_places"][0];
        nearly(stub["x_m"].as_f64().unwrap(), 6.85, 1e-9);
        nearly(stub["y_m"].as_f64().unwrap(), 2.75, 1e-9);
        let speckles = testkit::grid(["#........", ".........", "....#....", "........#"]);
        let case = Case::of_map_alone(Arc::new(speckles));
        let score = Metric::evaluate(&WallStraightness { length_m: 5.0 }, &case).unwrap();
        assert_eq!((score.value, score.detail["crooked_places"].as_array().unwrap().len()), (0.0, 3));
    }

    #[test]
    fn a_map_without_walls_is_undefined() {
        let case = Case::of_map_alone(Arc::new(testkit::grid(["..."])));
        assert!(Metric::evaluate(&WallStraightness::default(), &case).is_err());
    }
}

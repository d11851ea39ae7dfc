//! Double walls: share of the straight walls that have a second one close beside them.
//!
//! ```text
//! d = straight wall cells with free space and then a parallel wall within `distance_m` / straight wall cells
//! ```
//!
//! Unit: share. Range: 0 to 1. Better: neither, it describes the map.
//! Paper: Schwertfeger et al. 2010, section 5 (after Chandran-Ramesh and Newman, there in 3D).
//! Departure: between the two walls there must be a free cell.
//! Unknown: between two walls it is the inside of a wall that was seen from both sides; that is no double wall.
//! Known bias: a description, not a sign of quality: thick walls, blur, lost walls and added objects move it either way. Narrow shafts, shelves and furniture along walls look like double walls.
//! Undefined: if the map has no straight wall.

use model::{CellClass, Grid};

use super::places::with_cells;
use super::straight_walls::{StraightWalls, angle_rad, steps_between};
use crate::prelude::*;

/// Parameters of the double walls.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DoubleWalls {
    /// Walls closer than this are doubled, metres. Default 0.3.
    pub distance_m: f64,
    /// Shorter lines do not count as straight walls, metres. Default 1, ours.
    pub length_m: f64,
}

impl Default for DoubleWalls {
    fn default() -> Self {
        Self { distance_m: 0.3, length_m: 1.0 }
    }
}

/// Directions that differ by at most so many steps of 5 degrees are parallel.
const PARALLEL_STEPS: u8 = 2;

impl Metric for DoubleWalls {
    const SPEC: MetricSpec =
        MetricSpec::new(Family::Plausibility, "double_walls", "X-PLAUS-D", "Double walls")
            .measured_in(Unit::Ratio, Better::Neither)
            .worst(1.0)
            .over_floors(Aggregate::None);

    fn evaluate(&self, case: &Case) -> Result<Score, Undefined> {
        let map = case.map()?;
        let cell_size_m = map.geometry().cell_size_m();
        let straight = StraightWalls::of(map, (self.length_m / cell_size_m).ceil() as usize);
        let walls = straight.direction.iter().flatten().count();
        if walls == 0 {
            return Err(Reason::NoOccupiedMap.into());
        }
        let reach = (self.distance_m / cell_size_m + 1e-9).floor() as i64;
        let is_doubled = |&cell: &usize| {
            let direction = straight.direction[cell];
            direction.is_some_and(|d| {
                [1.0, -1.0].iter().any(|side| has_twin(map, &straight, cell, d, *side, reach))
            })
        };
        let doubled: Vec<usize> = (0..straight.direction.len()).filter(is_doubled).collect();
        let score = Score::new(doubled.len() as f64 / walls as f64).with("straight_wall_cells", walls);
        Ok(with_cells(score, "double_wall_places", map, &doubled))
    }
}

/// Whether a parallel wall stands on one side of a wall cell, behind free space.
fn has_twin(map: &Grid, straight: &StraightWalls, cell: usize, direction: u8, side: f64, reach: i64) -> bool {
    let (width, height) = (map.geometry().width() as i64, map.geometry().height() as i64);
    let (x, y) = ((cell as i64 % width) as f64, (cell as i64 / width) as f64);
    let (sin, cos) = angle_rad(direction).sin_cos();
    let mut passed_free = false;
    for step in 1..=reach {
        let (column, row) =
            ((x - side * sin * step as f64).round() as i64, (y + side * cos * step as f64).round() as i64);
        if column < 0 || row < 0 || column >= width || row >= height {
            return false;
        }
        let there = (row * width + column) as usize;
        match map.classes()[there] {
            CellClass::Free => passed_free = true,
            CellClass::Unknown => return false,
            CellClass::Occupied if passed_free => {
                return straight.direction[there]
                    .is_some_and(|d| steps_between(d, direction) <= PARALLEL_STEPS);
            }
            CellClass::Occupied => {}
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::drawing::{building, nearly};

    fn score(rows: &[&str]) -> Score {
        let params = DoubleWalls { distance_m: 3.0, length_m: 8.0 };
        Metric::evaluate(&params, &Case::of_map_alone(Arc::new(testkit::grid(rows)))).unwrap()
    }

    #[test]
    fn a_wall_drawn_twice_is_found_with_its_place() {
        let found =
            score(&["..........", "##########", "..........", "..........", "##########", ".........."]);
        nearly(found.value, 1.0, 1e-12);
        let place = &found.detail["double_wall_places"][0];
        nearly(place["x_m"].as_f64().unwrap(), 5.0, 1e-9);
    }

    #[test]
    fn a_thick_wall_and_a_wall_seen_from_both_sides_are_single() {
        nearly(score(&["..........", "##########", "##########", ".........."]).value, 0.0, 1e-12);
        nearly(score(&["##########", "??????????", "##########"]).value, 0.0, 1e-12);
        let far = ["##########", "..........", "..........", "..........", "..........", "##########"];
        nearly(score(&far).value, 0.0, 1e-12);
    }

    #[test]
    fn a_sound_building_has_none() {
        let case = Case::of_map_alone(Arc::new(building(0)));
        nearly(Metric::evaluate(&DoubleWalls::default(), &case).unwrap().value, 0.0, 1e-12);
    }
}

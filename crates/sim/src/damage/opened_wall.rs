//! Openings that are not there: parts of walls between two rooms become free, as wide as a door. The seed puts the places in
//! an order; stronger damage opens more of the same.

use model::{CellClass, Grid, SeededRng};
use serde::{Deserialize, Serialize};

use super::floor_plan::FloorPlan;
use super::kind::{Chance, Damage, Damaged, KindSpec, KnownAnswer};
use crate::SimError;

/// The kind `opened_wall`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct OpenedWall {
    /// Openings that are made, or as many as there are places.
    pub doors: usize,
}

impl Damage for OpenedWall {
    const SPEC: KindSpec = KindSpec {
        name: "opened_wall",
        title: "openings in walls",
        unit: "doors",
        ladder: &[1.0, 2.0, 3.0, 4.0, 6.0, 8.0],
        range: (0.0, 1000.0),
        harmless: Some(0.0),
        answer: KnownAnswer::Places,
        chance: Chance::Seeded,
    };

    fn of_strength(strength: f64) -> Self {
        Self { doors: strength.round() as usize }
    }

    fn apply(&self, map: &Grid, seed: u64) -> Result<Damaged, SimError> {
        let nothing = || SimError::NothingToDamage { kind: Self::SPEC.name, missing: "walls between rooms" };
        let plan = FloorPlan::of(map)?.ok_or_else(nothing)?;
        let mut walls = plan.walls();
        if walls.is_empty() {
            return Err(nothing());
        }
        SeededRng::new(seed).shuffle(&mut walls);
        walls.truncate(self.doors);
        let mut classes = map.classes().to_vec();
        for wall in &walls {
            for &cell in &wall.cells {
                plan.cells_of_map(map, cell).for_each(|index| classes[index] = CellClass::Free);
            }
        }
        let places = walls.iter().map(|wall| plan.place_of(wall)).collect();
        Ok(Damaged { doors: places, ..Damaged::in_place(Grid::new(*map.geometry(), classes)?) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wall_between_two_rooms_gets_an_opening_of_a_door() {
        let mut rows = vec![format!("#{}#{}#", ".".repeat(30), ".".repeat(30)); 30];
        rows.insert(0, "#".repeat(63));
        rows.push("#".repeat(63));
        let map = testkit::grid_at(rows, 0.1, model::Pose2::IDENTITY);
        let damaged = OpenedWall { doors: 1 }.apply(&map, 3).unwrap();
        let opened = damaged.map.class_counts()[0] - map.class_counts()[0];
        assert_eq!(opened, 9, "0.9 m of a wall of one cell");
        assert!(
            (damaged.doors[0].at.x_m - 3.15).abs() < 1e-9 && (damaged.doors[0].width_m - 0.9).abs() < 1e-9
        );
    }
}

//! Doors that were shut when the robot passed: doorways become walls. The seed puts them in an order; stronger damage
//! closes more of the same.

use model::{CellClass, Grid, SeededRng};
use serde::{Deserialize, Serialize};

use super::floor_plan::FloorPlan;
use super::kind::{Chance, Damage, Damaged, KindSpec, KnownAnswer};
use crate::SimError;

/// The kind `closed_door`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ClosedDoor {
    /// Doorways that are closed, or all if there are fewer.
    pub doors: usize,
}

impl Damage for ClosedDoor {
    const SPEC: KindSpec = KindSpec {
        name: "closed_door",
        title: "doorways closed by a wall",
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
        let nothing = || SimError::NothingToDamage { kind: Self::SPEC.name, missing: "doorways" };
        let plan = FloorPlan::of(map)?.ok_or_else(nothing)?;
        let mut doors = plan.doorways();
        if doors.is_empty() {
            return Err(nothing());
        }
        SeededRng::new(seed).shuffle(&mut doors);
        doors.truncate(self.doors);
        let mut classes = map.classes().to_vec();
        for door in &doors {
            for cell in plan.with_neighbours(&door.cells) {
                for index in plan.cells_of_map(map, cell) {
                    if classes[index] == CellClass::Free {
                        classes[index] = CellClass::Occupied;
                    }
                }
            }
        }
        let places = doors.iter().map(|door| plan.place_of(door)).collect();
        Ok(Damaged { doors: places, ..Damaged::in_place(Grid::new(*map.geometry(), classes)?) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two rooms of 3 m with a door of 0.9 m between them.
    fn two_rooms() -> Grid {
        let mut rows = vec![format!("#{}#{}#", ".".repeat(30), ".".repeat(30)); 30];
        for row in &mut rows[10..19] {
            *row = format!("#{}#", ".".repeat(61));
        }
        rows.insert(0, "#".repeat(63));
        rows.push("#".repeat(63));
        testkit::grid_at(rows, 0.1, model::Pose2::IDENTITY)
    }

    #[test]
    fn the_only_door_is_closed_and_no_path_leads_through() {
        let damaged = ClosedDoor { doors: 1 }.apply(&two_rooms(), 1).unwrap();
        assert_eq!(damaged.doors.len(), 1);
        let at = damaged.doors[0].at;
        // The door lies at column 31.5 of 0.1 m; rows 11 to 19 of 32 from the top.
        assert!((at.x_m - 3.15).abs() < 0.25 && (at.y_m - 1.65).abs() < 0.25, "{at:?}");
        let free: Vec<u8> = damaged.map.class_bytes().iter().map(|&class| u8::from(class == 0)).collect();
        let parts = raster::components::label(&free, 63, 32, raster::components::Connectivity::Eight);
        assert_eq!(parts.count, 2, "{}", testkit::rows(&damaged.map).join("\n"));
    }

    #[test]
    fn a_map_without_doors_has_nothing_to_damage() {
        let room = testkit::grid_at(vec![".".repeat(40); 40], 0.1, model::Pose2::IDENTITY);
        assert!(matches!(ClosedDoor { doors: 1 }.apply(&room, 1), Err(SimError::NothingToDamage { .. })));
    }
}

//! One room in the wrong place: the rectangle around a room and its walls is moved. What lay there becomes unknown. The seed
//! chooses the room and the direction.

use std::f64::consts::TAU;

use model::{Grid, SeededRng, Similarity2};
use serde::{Deserialize, Serialize};

use super::floor_plan::FloorPlan;
use super::kind::{Chance, Damage, Damaged, KindSpec, KnownAnswer};
use super::motion::Rectangle;
use super::transformed::moved_rectangle;
use crate::SimError;

/// The kind `moved_room`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct MovedRoom {
    /// Length of the displacement in metres.
    pub distance_m: f64,
}

/// Rooms smaller than this are niches, square metres.
const MIN_ROOM_M2: f64 = 4.0;
/// What belongs to a room around its floor: its walls, metres.
const WALL_M: f64 = 0.15;

impl Damage for MovedRoom {
    const SPEC: KindSpec = KindSpec {
        name: "moved_room",
        title: "one room moved",
        unit: "m",
        ladder: &[0.05, 0.1, 0.2, 0.4, 0.8, 1.6],
        range: (0.0, 1000.0),
        harmless: Some(0.0),
        answer: KnownAnswer::Field,
        chance: Chance::Seeded,
    };

    fn of_strength(strength: f64) -> Self {
        Self { distance_m: strength }
    }

    fn apply(&self, map: &Grid, seed: u64) -> Result<Damaged, SimError> {
        let mut rng = SeededRng::new(seed);
        let rectangle = room(map, &mut rng)?;
        let (sin, cos) = (TAU * rng.uniform()).sin_cos();
        let moved = Similarity2::new(self.distance_m * cos, self.distance_m * sin, 0.0, 1.0);
        moved_rectangle(map, rectangle, moved)
    }
}

/// The rectangle around a room that is neither a niche nor a corridor around all others: of at most half the map's sides.
fn room(map: &Grid, rng: &mut SeededRng) -> Result<Rectangle, SimError> {
    let nothing = || SimError::NothingToDamage { kind: MovedRoom::SPEC.name, missing: "rooms" };
    let plan = FloorPlan::of(map)?.ok_or_else(nothing)?;
    let side_m = plan.cell_size_m();
    let rooms = plan.rooms();
    let all = rooms.iter().map(|(_, cells)| cells).sum::<usize>();
    let suits = |(_, cells): &&([usize; 4], usize)| {
        *cells as f64 * side_m * side_m >= MIN_ROOM_M2 && (rooms.len() == 1 || *cells * 3 <= all)
    };
    let suited: Vec<_> = rooms.iter().filter(suits).collect();
    let ([left, top, right, bottom], _) = suited.get(rng.below(suited.len())).ok_or_else(nothing)?;
    let grid_cell_m = map.geometry().cell_size_m();
    // The plan is as high as the map, rounded up to its cells.
    let height = map.geometry().height().div_ceil(plan.factor);
    let metres = |cells: usize| cells as f64 * side_m;
    let wall = (WALL_M / grid_cell_m).round() * grid_cell_m;
    Ok(Rectangle {
        low: (metres(*left) - wall, metres(height - 1 - bottom) - wall),
        high: (metres(right + 1) + wall, metres(height - top) + wall),
    })
}

//! Walls seen twice: every wall stands once more beside itself, as after a loop that was closed too late. The seed chooses
//! the direction.

use std::f64::consts::TAU;

use model::{CellClass, Grid, SeededRng};
use serde::{Deserialize, Serialize};

use super::kind::{Chance, Damage, Damaged, KindSpec, KnownAnswer};
use crate::SimError;

/// The kind `ghost_walls`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct GhostWalls {
    /// Distance of the second walls in metres, rounded to whole cells.
    pub distance_m: f64,
}

impl Damage for GhostWalls {
    const SPEC: KindSpec = KindSpec {
        name: "ghost_walls",
        title: "walls doubled",
        unit: "m",
        ladder: &[0.1, 0.2, 0.3, 0.4, 0.6, 0.8],
        range: (0.0, 1000.0),
        harmless: Some(0.0),
        answer: KnownAnswer::Cells,
        chance: Chance::Seeded,
    };

    fn of_strength(strength: f64) -> Self {
        Self { distance_m: strength }
    }

    fn apply(&self, map: &Grid, seed: u64) -> Result<Damaged, SimError> {
        let (width, height) = (map.geometry().width() as i64, map.geometry().height() as i64);
        let (sin, cos) = (TAU * SeededRng::new(seed).uniform()).sin_cos();
        let cells = |share: f64| (share * self.distance_m / map.geometry().cell_size_m()).round() as i64;
        // Image rows run down.
        let (columns, rows) = (cells(cos), -cells(sin));
        let mut classes = map.classes().to_vec();
        for (index, _) in map.classes().iter().enumerate().filter(|(_, c)| **c == CellClass::Occupied) {
            let (column, row) = (index as i64 % width + columns, index as i64 / width + rows);
            if (0..width).contains(&column) && (0..height).contains(&row) {
                classes[(row * width + column) as usize] = CellClass::Occupied;
            }
        }
        Ok(Damaged::in_place(Grid::new(*map.geometry(), classes)?))
    }
}

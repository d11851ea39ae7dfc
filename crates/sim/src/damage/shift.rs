//! A map that is right in itself but lies beside its place. The seed chooses the direction.

use std::f64::consts::TAU;

use model::{Grid, SeededRng};
use serde::{Deserialize, Serialize};

use super::kind::{Chance, Damage, Damaged, KindSpec, KnownAnswer};
use super::transformed::{about_middle, moved_whole};
use crate::SimError;

/// The kind `shift`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Shift {
    /// Length of the displacement in metres.
    pub distance_m: f64,
}

impl Damage for Shift {
    const SPEC: KindSpec = KindSpec {
        name: "shift",
        title: "moved as a whole",
        unit: "m",
        ladder: &[0.05, 0.1, 0.2, 0.4, 0.8, 1.6],
        range: (0.0, 1000.0),
        harmless: Some(0.0),
        answer: KnownAnswer::Rigid,
        chance: Chance::Seeded,
    };

    fn of_strength(strength: f64) -> Self {
        Self { distance_m: strength }
    }

    fn apply(&self, map: &Grid, seed: u64) -> Result<Damaged, SimError> {
        let (sin, cos) = (TAU * SeededRng::new(seed).uniform()).sin_cos();
        moved_whole(map, about_middle(map, 0.0, 1.0, (self.distance_m * cos, self.distance_m * sin)))
    }
}

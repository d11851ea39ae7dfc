//! A map that is right in itself but turned about its middle. The seed chooses the sense of rotation.

use model::{Grid, SeededRng};
use serde::{Deserialize, Serialize};

use super::kind::{Chance, Damage, Damaged, KindSpec, KnownAnswer};
use super::transformed::{about_middle, moved_whole};
use crate::SimError;

/// The kind `rotate`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rotate {
    /// Angle in degrees.
    pub angle_deg: f64,
}

impl Damage for Rotate {
    const SPEC: KindSpec = KindSpec {
        name: "rotate",
        title: "turned as a whole",
        unit: "deg",
        ladder: &[0.25, 0.5, 1.0, 2.0, 4.0, 8.0],
        range: (0.0, 180.0),
        harmless: Some(0.0),
        answer: KnownAnswer::Rigid,
        chance: Chance::Seeded,
    };

    fn of_strength(strength: f64) -> Self {
        Self { angle_deg: strength }
    }

    fn apply(&self, map: &Grid, seed: u64) -> Result<Damaged, SimError> {
        let sense = if SeededRng::new(seed).chance(0.5) { 1.0 } else { -1.0 };
        moved_whole(map, about_middle(map, sense * self.angle_deg.to_radians(), 1.0, (0.0, 0.0)))
    }
}

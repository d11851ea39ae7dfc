//! A map that is too large: wrong odometry or a wrong resolution. The cells keep their size, the content grows.

use model::Grid;
use serde::{Deserialize, Serialize};

use super::kind::{Chance, Damage, Damaged, KindSpec, KnownAnswer};
use super::transformed::{about_middle, moved_whole};
use crate::SimError;

/// The kind `scale`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Scale {
    /// Lengths grow by this share about the middle of the grid.
    pub growth: f64,
}

impl Damage for Scale {
    const SPEC: KindSpec = KindSpec {
        name: "scale",
        title: "too large",
        unit: "",
        ladder: &[0.0025, 0.005, 0.01, 0.02, 0.04, 0.08],
        range: (0.0, 1.0),
        harmless: Some(0.0),
        answer: KnownAnswer::Similarity,
        chance: Chance::None,
    };

    fn of_strength(strength: f64) -> Self {
        Self { growth: strength }
    }

    fn apply(&self, map: &Grid, _: u64) -> Result<Damaged, SimError> {
        moved_whole(map, about_middle(map, 0.0, 1.0 + self.growth, (0.0, 0.0)))
    }
}

//! A map seen in a mirror: left and right exchanged on the grid, as by a wrong sign of an axis.

use model::Grid;
use serde::{Deserialize, Serialize};

use super::kind::{Chance, Damage, Damaged, KindSpec, KnownAnswer};
use super::motion::{Motion, Step};
use crate::SimError;

/// The kind `mirror`; it has one level.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Mirror {}

impl Damage for Mirror {
    const SPEC: KindSpec = KindSpec {
        name: "mirror",
        title: "left and right exchanged",
        unit: "",
        ladder: &[1.0],
        range: (0.0, 1.0),
        harmless: Some(0.0),
        answer: KnownAnswer::Reflection,
        chance: Chance::None,
    };

    fn of_strength(_: f64) -> Self {
        Self {}
    }

    fn apply(&self, map: &Grid, _: u64) -> Result<Damaged, SimError> {
        let geometry = map.geometry();
        let rows = map.classes().chunks(geometry.width());
        let classes = rows.flat_map(|row| row.iter().rev().copied()).collect();
        let width_m = geometry.width() as f64 * geometry.cell_size_m();
        let motion = Motion::on(geometry, Step::Mirror(width_m));
        Ok(Damaged::moved(Grid::new(*geometry, classes)?, motion))
    }
}

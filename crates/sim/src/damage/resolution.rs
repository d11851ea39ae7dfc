//! Larger cells: a cell is occupied if one inside it is, else free if more of them are free than unknown. The lower-left
//! corner stays where it is.

use model::{CellClass, Grid, GridGeometry};
use serde::{Deserialize, Serialize};

use super::kind::{Chance, Damage, Damaged, KindSpec, KnownAnswer};
use crate::SimError;

/// The kind `resolution`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Resolution {
    /// Cells of the truth along the side of a new cell.
    pub factor: usize,
}

impl Damage for Resolution {
    const SPEC: KindSpec = KindSpec {
        name: "resolution",
        title: "larger cells",
        unit: "times",
        ladder: &[2.0, 3.0, 4.0, 5.0, 6.0, 8.0],
        range: (1.0, 100.0),
        harmless: Some(1.0),
        answer: KnownAnswer::Similarity,
        chance: Chance::None,
    };

    fn of_strength(strength: f64) -> Self {
        Self { factor: strength.round().max(1.0) as usize }
    }

    fn apply(&self, map: &Grid, _: u64) -> Result<Damaged, SimError> {
        Ok(Damaged::in_place(coarser(map, self.factor)?))
    }
}

/// The map with cells of `factor` times the size.
pub(super) fn coarser(map: &Grid, factor: usize) -> Result<Grid, SimError> {
    let (geometry, factor) = (map.geometry(), factor.max(1));
    let (width, height) = (geometry.width().div_ceil(factor), geometry.height().div_ceil(factor));
    // Counts of free and of occupied cells, row by row of the new grid.
    let mut classes = Vec::with_capacity(width * height);
    for row in (0..height).rev() {
        let mut counts = vec![[0_u32; 3]; width];
        for up in row * factor..((row + 1) * factor).min(geometry.height()) {
            let start = (geometry.height() - 1 - up) * geometry.width();
            for (column, class) in map.classes()[start..start + geometry.width()].iter().enumerate() {
                counts[column / factor][*class as usize] += 1;
            }
        }
        classes.extend(counts.iter().map(|counts| class_of(*counts)));
    }
    let cell_size_m = geometry.cell_size_m() * factor as f64;
    Ok(Grid::new(GridGeometry::new(width, height, cell_size_m, geometry.origin())?, classes)?)
}

/// From the numbers of free, unknown and occupied cells.
fn class_of([free, unknown, occupied]: [u32; 3]) -> CellClass {
    match (occupied > 0, free > unknown) {
        (true, _) => CellClass::Occupied,
        (false, true) => CellClass::Free,
        (false, false) => CellClass::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_cells_become_one_and_the_rest_keeps_its_corner() {
        let map = coarser(&testkit::grid(["#....", "..??.", "..?.."]), 2).unwrap();
        // From below: rows 0 and 1 (`..?..`, `..??.`), then row 2 alone.
        assert_eq!(testkit::rows(&map), ["#..", ".?."]);
        assert_eq!(map.geometry().cell_size_m(), 2.0);
    }
}

//! Walls too thick: every occupied cell grows by a disc, as with a wide beam or small errors of the pose.

use model::{CellClass, Grid};
use serde::{Deserialize, Serialize};

use super::kind::{Chance, Damage, Damaged, KindSpec, KnownAnswer};
use super::neighbourhood::Neighbourhood;
use crate::SimError;

/// Parameters of [`thick_walls`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ThickWalls {
    /// Radius of growth in cells, 0 to 1000. Default 2; ours: doors of 0.9 m stay open at 5 cm per cell.
    pub growth_cells: usize,
}

impl Default for ThickWalls {
    fn default() -> Self {
        Self { growth_cells: 2 }
    }
}

/// Makes each cell occupied whose middle lies at most the growth away from that of an occupied cell. Walls grow
/// over free and unknown cells alike.
///
/// # Errors
/// A growth above 1000 cells.
pub fn thick_walls(truth: &Grid, params: &ThickWalls) -> Result<Grid, SimError> {
    SimError::check_range("growth_cells", params.growth_cells as f64, 0.0..=1000.0, "0 to 1000")?;
    let (width, height) = (truth.geometry().width() as i64, truth.geometry().height() as i64);
    let half_widths = disc_half_widths(params.growth_cells as i64);
    let near = Neighbourhood::of(truth);
    let mut classes = truth.classes().to_vec();
    for (index, _) in truth.classes().iter().enumerate().filter(|(_, c)| **c == CellClass::Occupied) {
        // What a cell inside a wall would cover, the cells at the wall's faces cover already.
        if !near.beside(index, CellClass::Free) && !near.beside(index, CellClass::Unknown) {
            continue;
        }
        let (column, row) = (index as i64 % width, index as i64 / width);
        for (dy, half) in &half_widths {
            if !(0..height).contains(&(row + dy)) {
                continue;
            }
            let start = (row + dy) * width;
            let (left, right) = ((column - half).max(0), (column + half).min(width - 1));
            classes[(start + left) as usize..=(start + right) as usize].fill(CellClass::Occupied);
        }
    }
    Ok(Grid::new(*truth.geometry(), classes)?)
}

impl Damage for ThickWalls {
    const SPEC: KindSpec = KindSpec {
        name: "thick_walls",
        title: "walls too thick",
        unit: "cells",
        ladder: &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0],
        range: (0.0, 1000.0),
        harmless: Some(0.0),
        answer: KnownAnswer::Cells,
        chance: Chance::None,
    };

    fn of_strength(strength: f64) -> Self {
        Self { growth_cells: strength.round() as usize }
    }

    fn apply(&self, map: &Grid, _: u64) -> Result<Damaged, SimError> {
        Ok(Damaged::in_place(thick_walls(map, self)?))
    }
}

/// For each row of a disc, how many cells it reaches to both sides.
fn disc_half_widths(radius: i64) -> Vec<(i64, i64)> {
    (-radius..=radius).map(|dy| (dy, (radius * radius - dy * dy).isqrt())).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn one_cell_grows_to_a_disc() {
        let truth = testkit::grid([".....", ".....", "..#..", ".....", "?????"]);
        let grown = |growth_cells| testkit::rows(&thick_walls(&truth, &ThickWalls { growth_cells }).unwrap());
        assert_eq!(grown(0), [".....", ".....", "..#..", ".....", "?????"]);
        assert_eq!(grown(1), [".....", "..#..", ".###.", "..#..", "?????"]);
        assert_eq!(grown(2), ["..#..", ".###.", "#####", ".###.", "??#??"]);
    }

    #[test]
    fn growth_does_not_run_round_the_border() {
        let truth = testkit::grid(["#...", "....", "...#"]);
        let map = thick_walls(&truth, &ThickWalls { growth_cells: 1 }).unwrap();
        assert_eq!(testkit::rows(&map), ["##..", "#..#", "..##"]);
    }

    #[test]
    fn absurd_growth_is_refused() {
        assert!(thick_walls(&testkit::grid(["#"]), &ThickWalls { growth_cells: usize::MAX }).is_err());
    }

    proptest! {
        #[test]
        fn equals_the_definition(letters in proptest::collection::vec(0..3usize, 63), growth in 0..5usize) {
            let rows: Vec<String> =
                letters.chunks(9).map(|row| row.iter().map(|&l| ['.', '?', '#'][l]).collect()).collect();
            let truth = testkit::grid(&rows);
            let map = thick_walls(&truth, &ThickWalls { growth_cells: growth }).unwrap();
            for (index, class) in map.classes().iter().enumerate() {
                let near = |other: usize| {
                    let dx = (index % 9).abs_diff(other % 9);
                    let dy = (index / 9).abs_diff(other / 9);
                    dx * dx + dy * dy <= growth * growth
                };
                let covered = (0..63).any(|o| truth.classes()[o] == CellClass::Occupied && near(o));
                let expected = if covered { CellClass::Occupied } else { truth.classes()[index] };
                prop_assert_eq!(*class, expected);
            }
        }
    }
}

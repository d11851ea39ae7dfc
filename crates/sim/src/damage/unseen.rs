//! What a mapper inside the building cannot see: the backs of walls, the outside, the cores of thick walls.

use model::{CellClass, Grid};
use serde::{Deserialize, Serialize};

use super::kind::{Chance, Damage, Damaged, KindSpec, KnownAnswer};
use crate::SimError;

/// Parameters of [`unseen`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Unseen {
    /// How many cells of a wall are seen from its free side. Default 1: a laser sees the face only.
    pub seen_depth_cells: usize,
}

impl Default for Unseen {
    fn default() -> Self {
        Self { seen_depth_cells: 1 }
    }
}

/// Turns every occupied cell that lies deeper than seen behind free floor into unknown.
///
/// # Errors
/// None for a valid grid.
pub fn unseen(truth: &Grid, params: &Unseen) -> Result<Grid, SimError> {
    let is_seen = near_free(truth, params.seen_depth_cells);
    let classes = truth.classes().iter().zip(is_seen);
    let seen = classes.map(
        |(&class, is_seen)| {
            if class == CellClass::Occupied && !is_seen { CellClass::Unknown } else { class }
        },
    );
    Ok(Grid::new(*truth.geometry(), seen.collect())?)
}

/// Which cells have a free cell at most `reach` columns and rows away: first along the rows, then along the columns.
fn near_free(grid: &Grid, reach: usize) -> Vec<bool> {
    let (width, height) = (grid.geometry().width(), grid.geometry().height());
    let mut near: Vec<bool> = grid.classes().iter().map(|class| *class == CellClass::Free).collect();
    near.chunks_mut(width).for_each(|row| {
        // Free cells are found from the left, then from the right.
        let is_free: Vec<bool> = row.to_vec();
        let mut last = None;
        for column in 0..width {
            last = if is_free[column] { Some(column) } else { last };
            row[column] |= last.is_some_and(|last| column - last <= reach);
        }
        let mut next = None;
        for column in (0..width).rev() {
            next = if is_free[column] { Some(column) } else { next };
            row[column] |= next.is_some_and(|next| next - column <= reach);
        }
    });
    let along_rows = near.clone();
    // Rows since the last one that is near in each column: downwards, then upwards.
    for rows in [(0..height).collect::<Vec<_>>(), (0..height).rev().collect()] {
        let mut since = vec![usize::MAX; width];
        for row in rows {
            for (column, since) in since.iter_mut().enumerate() {
                let index = row * width + column;
                *since = if along_rows[index] { 0 } else { since.saturating_add(1) };
                near[index] |= *since <= reach;
            }
        }
    }
    near
}

impl Damage for Unseen {
    const SPEC: KindSpec = KindSpec {
        name: "unseen",
        title: "only the faces of walls that a laser sees",
        unit: "cells",
        ladder: &[6.0, 5.0, 4.0, 3.0, 2.0, 1.0],
        range: (1.0, 1000.0),
        harmless: None,
        answer: KnownAnswer::Cells,
        chance: Chance::None,
    };

    fn of_strength(strength: f64) -> Self {
        Self { seen_depth_cells: strength.round() as usize }
    }

    fn apply(&self, map: &Grid, _: u64) -> Result<Damaged, SimError> {
        Ok(Damaged::in_place(unseen(map, self)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_face_towards_free_floor_is_seen() {
        let truth = testkit::grid(["?###..", "?###..", "######"]);
        let seen = |seen_depth_cells| testkit::rows(&unseen(&truth, &Unseen { seen_depth_cells }).unwrap());
        assert_eq!(seen(1), ["???#..", "???#..", "???###"]);
        assert_eq!(seen(2), ["??##..", "??##..", "??####"]);
        assert_eq!(seen(0), ["????..", "????..", "??????"]);
    }

    proptest::proptest! {
        #[test]
        fn equals_the_definition(letters in proptest::collection::vec(0..3usize, 63), depth in 0..4usize) {
            let rows: Vec<String> =
                letters.chunks(9).map(|row| row.iter().map(|&l| ['.', '?', '#'][l]).collect()).collect();
            let truth = testkit::grid(&rows);
            let map = unseen(&truth, &Unseen { seen_depth_cells: depth }).unwrap();
            let near = super::super::neighbourhood::Neighbourhood::of(&truth);
            for (index, class) in truth.classes().iter().enumerate() {
                let hidden = *class == CellClass::Occupied && !near.within(index, depth, CellClass::Free);
                let expected = if hidden { CellClass::Unknown } else { *class };
                proptest::prop_assert_eq!(map.classes()[index], expected);
            }
        }
    }

    #[test]
    fn a_map_without_free_floor_shows_nothing() {
        let map = unseen(&testkit::grid(["##", "##"]), &Unseen::default()).unwrap();
        assert_eq!(testkit::rows(&map), ["??", "??"]);
    }
}

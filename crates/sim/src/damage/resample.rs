//! Looks up, for each cell of the damaged map, where it came from.
//!
//! Four points per cell are looked up, a quarter cell off its middle. One occupied point makes the cell
//! occupied, so that a wall of one cell cannot vanish; it may become one cell thicker. Where nothing is
//! occupied, free needs more points than unknown.

use model::{Cell, CellClass, Grid, GridGeometry};

use crate::SimError;

/// Where the middle of a cell of the damaged map came from, in cells from the truth's lower-left corner, and how
/// that point moves when one goes one cell to the right or up in the damaged map.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Source {
    /// The point in the truth: (right, up).
    pub point: (f64, f64),
    /// Its move per cell to the right.
    pub per_right: (f64, f64),
    /// Its move per cell upwards.
    pub per_up: (f64, f64),
}

impl Source {
    /// The point a part of a cell away from the middle. Exact for a rigid transform; for a bend of radius R cells
    /// off by about 0.06 / R cells.
    fn beside(&self, right: f64, up: f64) -> (f64, f64) {
        (
            self.point.0 + right * self.per_right.0 + up * self.per_up.0,
            self.point.1 + right * self.per_right.1 + up * self.per_up.1,
        )
    }
}

/// The truth seen through a transform: the function gives the source of a point of the damaged map, which is
/// counted in cells from the lower-left corner: (right, up).
pub(super) fn resample(truth: &Grid, source_of: impl Fn(f64, f64) -> Source) -> Result<Grid, SimError> {
    let geometry = *truth.geometry();
    let mut classes = Vec::with_capacity(geometry.cells());
    for j in (0..geometry.height()).rev() {
        for i in 0..geometry.width() {
            classes.push(vote(truth, &geometry, &source_of(i as f64 + 0.5, j as f64 + 0.5)));
        }
    }
    Ok(Grid::new(geometry, classes)?)
}

fn vote(truth: &Grid, geometry: &GridGeometry, source: &Source) -> CellClass {
    let mut free = 0;
    for (right, up) in [(-0.25, -0.25), (0.25, -0.25), (-0.25, 0.25), (0.25, 0.25)] {
        match class_at(truth, geometry, source.beside(right, up)) {
            CellClass::Occupied => return CellClass::Occupied,
            CellClass::Free => free += 1,
            CellClass::Unknown => {}
        }
    }
    if free > 2 { CellClass::Free } else { CellClass::Unknown }
}

/// Nothing is known beyond the grid.
fn class_at(truth: &Grid, geometry: &GridGeometry, (right, up): (f64, f64)) -> CellClass {
    let inside =
        right >= 0.0 && up >= 0.0 && right < geometry.width() as f64 && up < geometry.height() as f64;
    if !inside {
        return CellClass::Unknown;
    }
    truth.classes()[geometry.index_of(Cell { i: right as usize, j: up as usize })]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn from(right: f64, up: f64) -> Source {
        Source { point: (right, up), per_right: (1.0, 0.0), per_up: (0.0, 1.0) }
    }

    #[test]
    fn the_identity_changes_nothing() {
        let truth = testkit::grid(["#.?", "..#"]);
        assert_eq!(resample(&truth, from).unwrap(), truth);
    }

    #[test]
    fn whole_cells_move_and_unknown_follows_from_beyond() {
        let truth = testkit::grid(["#..", "..#"]);
        let moved = resample(&truth, |right, up| from(right - 1.0, up)).unwrap();
        assert_eq!(testkit::rows(&moved), ["?#.", "?.."]);
    }

    #[test]
    fn a_wall_between_two_cells_fills_both() {
        let truth = testkit::grid(["..#.."]);
        let moved = resample(&truth, |right, up| from(right - 0.5, up)).unwrap();
        assert_eq!(testkit::rows(&moved), ["?.##."]);
    }
}

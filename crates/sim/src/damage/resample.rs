//! Looks up, for each cell of the damaged map, where it came from.
//!
//! Four points per cell are looked up, a quarter cell off its middle. One occupied point makes the cell
//! occupied, so that a wall of one cell cannot vanish; it may become one cell thicker. Where nothing is
//! occupied, free needs more points than unknown.

use model::{Cell, CellClass, Grid, GridGeometry};

use crate::SimError;

/// The truth seen through a transform: the function gives, for a point of the damaged map, the point of the
/// truth that appears there. Both are counted in cells from the lower-left corner: (right, up).
pub(super) fn resample(
    truth: &Grid,
    truth_from_map: impl Fn(f64, f64) -> (f64, f64),
) -> Result<Grid, SimError> {
    let geometry = *truth.geometry();
    let lookup = |right: f64, up: f64| {
        let (right, up) = truth_from_map(right, up);
        class_at(truth, &geometry, right, up)
    };
    let mut classes = Vec::with_capacity(geometry.cells());
    for j in (0..geometry.height()).rev() {
        for i in 0..geometry.width() {
            classes.push(vote(&lookup, i as f64, j as f64));
        }
    }
    Ok(Grid::new(geometry, classes)?)
}

fn vote(lookup: &impl Fn(f64, f64) -> CellClass, left: f64, bottom: f64) -> CellClass {
    let mut free = 0;
    for (right, up) in [(0.25, 0.25), (0.75, 0.25), (0.25, 0.75), (0.75, 0.75)] {
        match lookup(left + right, bottom + up) {
            CellClass::Occupied => return CellClass::Occupied,
            CellClass::Free => free += 1,
            CellClass::Unknown => {}
        }
    }
    if free > 2 { CellClass::Free } else { CellClass::Unknown }
}

/// Nothing is known beyond the grid.
fn class_at(truth: &Grid, geometry: &GridGeometry, right: f64, up: f64) -> CellClass {
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

    #[test]
    fn the_identity_changes_nothing() {
        let truth = testkit::grid(["#.?", "..#"]);
        assert_eq!(resample(&truth, |right, up| (right, up)).unwrap(), truth);
    }

    #[test]
    fn whole_cells_move_and_unknown_follows_from_beyond() {
        let truth = testkit::grid(["#..", "..#"]);
        let moved = resample(&truth, |right, up| (right - 1.0, up)).unwrap();
        assert_eq!(testkit::rows(&moved), ["?#.", "?.."]);
    }

    #[test]
    fn a_wall_between_two_cells_fills_both() {
        let truth = testkit::grid(["..#.."]);
        let moved = resample(&truth, |right, up| (right - 0.5, up)).unwrap();
        assert_eq!(testkit::rows(&moved), ["?.##."]);
    }
}

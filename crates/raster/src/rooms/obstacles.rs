//! Which cells of a map bound a room: small things standing about do not.

use model::{CellClass, Grid};

use crate::components::{Connectivity, components_of};

/// Byte of a cell that bounds rooms.
pub(super) const BLOCKED: u8 = 1;
/// Byte of a cell that belongs to a room.
pub(super) const OPEN: u8 = 0;

/// What an unknown cell is to a room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnknownCells {
    /// They bound it like walls.
    Block,
    /// They bound nothing, but belong to no room.
    Pass,
}

/// One byte per cell, [`BLOCKED`] or [`OPEN`]; obstacles smaller than `min_cells` in both directions are open.
pub(super) fn blocked_plane(grid: &Grid, unknown: UnknownCells, min_cells: usize) -> Vec<u8> {
    let blocks = |class: &CellClass| match class {
        CellClass::Free => OPEN,
        CellClass::Occupied => BLOCKED,
        CellClass::Unknown => u8::from(unknown == UnknownCells::Block),
    };
    let mut plane: Vec<u8> = grid.classes().iter().map(blocks).collect();
    clear_small(&mut plane, grid.geometry().width(), min_cells);
    plane
}

/// Opens the blocked components whose longer side is below a number of cells.
fn clear_small(plane: &mut [u8], width: usize, min_cells: usize) {
    let height = plane.len() / width;
    let found = components_of(plane, BLOCKED, width, height, Connectivity::Eight);
    // Left, right, top, bottom of each component.
    let mut boxes = vec![(usize::MAX, 0, usize::MAX, 0); found.count() as usize + 1];
    for (component, run) in found.runs() {
        let (row, first, last) = (run.start / width, run.start % width, (run.end - 1) % width);
        let sides = &mut boxes[component as usize];
        *sides = (sides.0.min(first), sides.1.max(last), sides.2.min(row), sides.3.max(row));
    }
    for (component, run) in found.runs() {
        let (left, right, top, bottom) = boxes[component as usize];
        if (right - left).max(bottom - top) + 1 < min_cells {
            plane[run].fill(OPEN);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_things_are_open_and_walls_stay() {
        let grid = testkit::grid(["#####", "#...#", "#.#.#", "#...#", "#####"]);
        let plane = blocked_plane(&grid, UnknownCells::Block, 2);
        assert_eq!(plane[12], OPEN);
        assert_eq!(plane.iter().filter(|&&cell| cell == BLOCKED).count(), 16);
        assert_eq!(
            blocked_plane(&grid, UnknownCells::Block, 1)[12],
            BLOCKED,
            "exactly as large is no small thing"
        );
    }

    #[test]
    fn unknown_cells_block_if_told() {
        let grid = testkit::grid(["..??"]);
        assert_eq!(blocked_plane(&grid, UnknownCells::Block, 0), [0, 0, 1, 1]);
        assert_eq!(blocked_plane(&grid, UnknownCells::Pass, 0), [0, 0, 0, 0]);
    }
}

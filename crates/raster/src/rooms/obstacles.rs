//! Which cells of a map bound a room: small things standing about do not.

use model::{CellClass, Grid};

use crate::components::{Components, Connectivity, components_of};
use crate::euclidean::squared_distances;

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

/// What is too small to bound a room, in cells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Ignored {
    /// Obstacles shorter than this in both directions are open.
    pub(super) obstacle_cells: usize,
    /// Open cells that no disc of this radius reaches are blocked: niches of ragged walls, holes in walls.
    pub(super) niche_cells: usize,
}

impl Ignored {
    pub(super) fn of_metres(min_obstacle_m: f64, smoothing_m: f64, cell_size_m: f64) -> Self {
        let obstacle_cells = super::cells_of(min_obstacle_m, cell_size_m);
        // A radius that is a whole number of cells must not lose one to rounding.
        Self { obstacle_cells, niche_cells: (smoothing_m / cell_size_m + 1e-9).max(0.0) as usize }
    }
}

/// One byte per cell, [`BLOCKED`] or [`OPEN`], without what is too small to matter.
pub(super) fn blocked_plane(grid: &Grid, unknown: UnknownCells, ignored: Ignored) -> Vec<u8> {
    let blocks = |class: &CellClass| match class {
        CellClass::Free => OPEN,
        CellClass::Occupied => BLOCKED,
        CellClass::Unknown => u8::from(unknown == UnknownCells::Block),
    };
    let mut plane: Vec<u8> = grid.classes().iter().map(blocks).collect();
    let width = grid.geometry().width();
    clear_small(&mut plane, width, ignored.obstacle_cells);
    block_niches(plane, width, ignored.niche_cells)
}

/// Opening of the free space by a disc: cells stay open that lie within the radius of a cell whose distance to every wall
/// exceeds it by a cell. Straight walls stay where they are; gaps of up to 2·sqrt(2·radius) - 1 cells close. A plane too
/// long for exact distances stays as it is; the methods refuse it themselves.
fn block_niches(plane: Vec<u8>, width: usize, radius_cells: usize) -> Vec<u8> {
    let (height, radius) = (plane.len() / width.max(1), radius_cells.min(MAX_RADIUS_CELLS) as u32);
    if radius == 0 {
        return plane;
    }
    let Ok(to_wall) = squared_distances(&plane, BLOCKED, width, height) else { return plane };
    let needed = (radius + 1) * (radius + 1);
    let has_room: Vec<u8> = to_wall.iter().map(|&squared| u8::from(squared >= needed)).collect();
    let is_open = |&squared: &u32| if squared <= radius * radius { OPEN } else { BLOCKED };
    match squared_distances(&has_room, 1, width, height) {
        Ok(to_room) => to_room.iter().map(is_open).collect(),
        Err(_) => vec![BLOCKED; plane.len()],
    }
}

/// No disc is larger than any plane, so that squares fit into 32 bits.
const MAX_RADIUS_CELLS: usize = 46_340;

/// Opens the blocked components whose longer side is below a number of cells.
fn clear_small(plane: &mut [u8], width: usize, min_cells: usize) {
    if min_cells < 2 {
        return;
    }
    let found = components_of(plane, BLOCKED, width, plane.len() / width, Connectivity::Eight);
    let sides = longer_sides(&found, width);
    for (component, run) in found.runs() {
        if sides[component as usize] < min_cells {
            plane[run].fill(OPEN);
        }
    }
}

/// The longer side of the box around each component, in cells; entry 0 is that of none.
fn longer_sides(found: &Components, width: usize) -> Vec<usize> {
    // Left, right, top, bottom of each component.
    let mut boxes = vec![(usize::MAX, 0, usize::MAX, 0); found.count() as usize + 1];
    for (component, run) in found.runs() {
        let (row, first, last) = (run.start / width, run.start % width, (run.end - 1) % width);
        let sides = &mut boxes[component as usize];
        *sides = (sides.0.min(first), sides.1.max(last), sides.2.min(row), sides.3.max(row));
    }
    let longer = |&(left, right, top, bottom): &(usize, usize, usize, usize)| {
        right.saturating_sub(left).max(bottom.saturating_sub(top)) + 1
    };
    boxes.iter().map(longer).collect()
}

/// The longer side of each blocked component, in cells.
pub(super) fn obstacle_sides(plane: &[u8], width: usize) -> Vec<usize> {
    let found = components_of(plane, BLOCKED, width, plane.len() / width.max(1), Connectivity::Eight);
    longer_sides(&found, width).split_off(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn below(obstacle_cells: usize) -> Ignored {
        Ignored { obstacle_cells, niche_cells: 0 }
    }

    #[test]
    fn niches_and_holes_narrower_than_the_disc_are_blocked() {
        // A hole of one cell in the wall, a niche of one cell in the lower wall, a room of 5 x 3 and one of 3 x 3.
        let rows = ["###########", "#.....#...#", "#.........#", "#.....#...#", "##.########"];
        let smooth = blocked_plane(
            &testkit::grid(rows),
            UnknownCells::Block,
            Ignored { obstacle_cells: 0, niche_cells: 1 },
        );
        let drawn: Vec<String> = smooth
            .chunks(11)
            .map(|row| row.iter().map(|&c| if c == BLOCKED { '#' } else { '.' }).collect())
            .collect();
        // A disc of radius 1 is a plus: it does not reach the corners.
        assert_eq!(drawn, ["###########", "##...###.##", "#.....#...#", "##...###.##", "###########"]);
    }

    #[test]
    fn small_things_are_open_and_walls_stay() {
        let grid = testkit::grid(["#####", "#...#", "#.#.#", "#...#", "#####"]);
        let plane = blocked_plane(&grid, UnknownCells::Block, below(2));
        assert_eq!(plane[12], OPEN);
        assert_eq!(plane.iter().filter(|&&cell| cell == BLOCKED).count(), 16);
        assert_eq!(
            blocked_plane(&grid, UnknownCells::Block, below(1))[12],
            BLOCKED,
            "exactly as large is no small thing"
        );
    }

    #[test]
    fn unknown_cells_block_if_told() {
        let grid = testkit::grid(["..??"]);
        assert_eq!(blocked_plane(&grid, UnknownCells::Block, below(0)), [0, 0, 1, 1]);
        assert_eq!(blocked_plane(&grid, UnknownCells::Pass, below(0)), [0, 0, 0, 0]);
    }
}

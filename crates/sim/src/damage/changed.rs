//! Which cells of a damaged map are not those of its truth.

use model::{Cell, CellClass, Grid};
use rayon::prelude::*;

/// Cells that lie this near to each other are the same, in cells.
const SAME_CELLS: f64 = 1e-6;

/// For each cell of the damaged map, in image order, whether the truth has another class at its middle; beyond the truth nothing
/// is known.
#[must_use]
pub fn changed_cells(truth: &Grid, damaged: &Grid) -> Vec<bool> {
    let (own, geometry) = (truth.geometry(), damaged.geometry());
    let (width, height) = (geometry.width(), geometry.height());
    let offset = whole_offset(truth, damaged);
    let class_at =
        |cell: Option<Cell>| cell.map_or(CellClass::Unknown, |cell| truth.classes()[own.index_of(cell)]);
    let mut changed = vec![false; geometry.cells()];
    let rows = changed.par_chunks_mut(width).zip(damaged.classes().par_chunks(width)).enumerate();
    rows.for_each(|(row, (changed, classes))| {
        let j = height - 1 - row;
        for (i, (changed, class)) in changed.iter_mut().zip(classes).enumerate() {
            let cell = match offset {
                Some((right, up)) => moved_cell((i, j), (right, up), truth),
                None => own.cell_at(geometry.center_of(Cell { i, j })),
            };
            *changed = class_at(cell) != *class;
        }
    });
    changed
}

/// Whole cells by which the cells of the damaged map lie right of and above those of the truth; none for other cells.
fn whole_offset(truth: &Grid, damaged: &Grid) -> Option<(i64, i64)> {
    let (own, geometry) = (truth.geometry(), damaged.geometry());
    let whole = |value: f64| ((value - value.round()).abs() <= SAME_CELLS).then_some(value.round() as i64);
    let at = |right: usize, up: usize| {
        let (x, y) = own.grid_point_of_world(geometry.world_of_grid_point(right as f64, up as f64));
        Some((whole(x)?, whole(y)?))
    };
    let (right, up) = at(0, 0)?;
    let (width, height) = (geometry.width(), geometry.height());
    let is_there = |i: usize, j: usize| at(i, j) == Some((right + i as i64, up + j as i64));
    (is_there(width, 0) && is_there(0, height)).then_some((right, up))
}

fn moved_cell((i, j): (usize, usize), (right, up): (i64, i64), truth: &Grid) -> Option<Cell> {
    let inside = |at: i64, side: usize| usize::try_from(at).ok().filter(|&at| at < side);
    let i = inside(i as i64 + right, truth.geometry().width())?;
    Some(Cell { i, j: inside(j as i64 + up, truth.geometry().height())? })
}

#[cfg(test)]
mod tests {
    use model::Pose2;

    use super::*;

    #[test]
    fn cells_are_compared_where_they_lie() {
        let truth = testkit::grid(["#..", "..."]);
        // One cell further left and down: the wall has moved one cell to the right, and what lies beyond was unknown.
        let damaged = testkit::grid_at(["?.#.", "?...", "?#??"], 1.0, Pose2::new(-1.0, -1.0, 0.0));
        #[rustfmt::skip]
        let expected = [
            false, true, true, false,
            false, false, false, false,
            false, true, false, false,
        ];
        assert_eq!(changed_cells(&truth, &damaged), expected);
    }

    #[test]
    fn larger_cells_are_compared_at_their_middles() {
        let truth = testkit::grid(["#...", "..#.", "....", "...."]);
        let coarse = testkit::grid_at(["#.", "#."], 2.0, Pose2::IDENTITY);
        // Middles on a corner of four cells belong to the upper right one: (1, 3), (3, 3), (1, 1), (3, 1) from below are free.
        assert_eq!(changed_cells(&truth, &coarse), [true, false, true, false]);
    }
}

//! What is known about a place that a robot drives to.

use model::{Cell, CellClass, GridGeometry, Point2};

/// Whether the cell at a position is free with an unknown one beside it.
pub(crate) fn is_frontier_at(geometry: &GridGeometry, map: &[CellClass], position: Point2) -> bool {
    let Some(cell) = geometry.cell_at(position).map(|cell| geometry.index_of(cell)) else { return false };
    let mut beside = raster::neighbours::beside(cell, geometry.width(), map.len());
    map[cell] == CellClass::Free && beside.any(|cell| map[cell] == CellClass::Unknown)
}

/// Whether a cell is free and no wall has its centre within a radius.
pub(crate) fn is_clear_around(
    geometry: &GridGeometry,
    map: &[CellClass],
    cell: usize,
    radius_m: f64,
) -> bool {
    let middle = geometry.center_of(geometry.cell_of(cell));
    map[cell] == CellClass::Free
        && cells_within(geometry, middle, radius_m).all(|near| map[near] != CellClass::Occupied)
}

/// Cells whose centres lie within a radius of a position.
pub fn cells_within(geometry: &GridGeometry, position: Point2, radius_m: f64) -> impl Iterator<Item = usize> {
    let radius = radius_m / geometry.cell_size_m();
    let (x, y) = geometry.grid_point_of_world(position);
    let side = |at: f64, size: usize| {
        let first = (at - radius - 0.5).ceil().max(0.0) as usize;
        first..((at + radius - 0.5).floor().max(-1.0) + 1.0).min(size as f64) as usize
    };
    let (columns, rows) = (side(x, geometry.width()), side(y, geometry.height()));
    rows.flat_map(move |j| columns.clone().map(move |i| Cell { i, j }))
        .filter(move |cell| (cell.i as f64 + 0.5 - x).hypot(cell.j as f64 + 0.5 - y) <= radius)
        .map(move |cell| geometry.index_of(cell))
}

#[cfg(test)]
mod tests {
    use testkit::grid;

    use super::*;

    #[test]
    fn discs_are_round_and_end_at_the_border() {
        let map = grid([".....", ".....", ".....", ".....", "....."]);
        let count =
            |x_m, y_m, radius_m| cells_within(map.geometry(), Point2::new(x_m, y_m), radius_m).count();
        assert_eq!([count(2.5, 2.5, 1.0), count(2.5, 2.5, 1.5), count(0.5, 0.5, 1.0)], [5, 9, 3]);
        assert_eq!(count(-9.0, 2.0, 1.0), 0);
    }

    #[test]
    fn frontiers_and_walls_are_seen() {
        let map = grid(["..?", "#.."]);
        let is_frontier = |x_m, y_m| is_frontier_at(map.geometry(), map.classes(), Point2::new(x_m, y_m));
        assert_eq!(
            [is_frontier(0.5, 1.5), is_frontier(1.5, 1.5), is_frontier(2.5, 1.5)],
            [false, true, false]
        );
        assert!(!is_frontier(9.0, 9.0));
        let is_clear = |cell| is_clear_around(map.geometry(), map.classes(), cell, 1.2);
        assert_eq!([is_clear(0), is_clear(1), is_clear(3), is_clear(4)], [false, true, false, false]);
    }
}

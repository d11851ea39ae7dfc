//! Virtual scans: what a laser would measure at a place of a map.

use model::{CellClass, Grid};

/// What stopped a beam.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Beam {
    /// A wall, at so many cells.
    Wall(f64),
    /// Nothing up to the range of the laser.
    Clear,
    /// An unknown cell or the end of the map: the range is not known.
    Unknown,
}

/// Follows a beam from a place (cells from the upper left corner, rows down) through all cells it crosses.
#[must_use]
pub fn cast(grid: &Grid, (x, y): (f64, f64), angle_rad: f64, range_cells: f64) -> Beam {
    let (width, height) = (grid.geometry().width() as i64, grid.geometry().height() as i64);
    let (dy, dx) = angle_rad.sin_cos();
    // Length of beam per column and row, and to the first border of each.
    let per = |d: f64| if d == 0.0 { f64::INFINITY } else { d.abs().recip() };
    let first = |at: f64, d: f64| if d > 0.0 { at.floor() + 1.0 - at } else { at - at.floor() };
    let (per_x, per_y) = (per(dx), per(dy));
    let mut next_x = if dx == 0.0 { f64::INFINITY } else { first(x, dx) * per_x };
    let mut next_y = if dy == 0.0 { f64::INFINITY } else { first(y, dy) * per_y };
    let (mut column, mut row) = (x.floor() as i64, y.floor() as i64);
    let mut length = 0.0;
    while length <= range_cells {
        if column < 0 || row < 0 || column >= width || row >= height {
            return Beam::Unknown;
        }
        match grid.classes()[(row * width + column) as usize] {
            CellClass::Occupied => return Beam::Wall(length),
            CellClass::Unknown => return Beam::Unknown,
            CellClass::Free => {}
        }
        if next_x < next_y {
            length = next_x;
            next_x += per_x;
            column += dx.signum() as i64;
        } else {
            length = next_y;
            next_y += per_y;
            row += dy.signum() as i64;
        }
    }
    Beam::Clear
}

#[cfg(test)]
mod tests {
    use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI};

    use super::*;

    #[test]
    fn beams_end_at_walls_unknown_cells_and_the_border() {
        let grid = testkit::grid(["....#", ".....", "?....", "....."]);
        let from = (1.5, 0.5);
        assert_eq!(cast(&grid, from, 0.0, 100.0), Beam::Wall(2.5));
        assert_eq!(cast(&grid, from, 0.0, 2.0), Beam::Clear);
        assert_eq!(cast(&grid, from, PI, 100.0), Beam::Unknown, "the border of the map");
        assert_eq!(cast(&grid, from, FRAC_PI_2, 3.0), Beam::Clear);
        assert_eq!(cast(&grid, (2.5, 2.5), PI, 100.0), Beam::Unknown, "the unknown cell");
    }

    #[test]
    fn a_slanted_beam_is_as_long_as_it_looks() {
        let grid = testkit::grid(["....", "....", "....", "...#"]);
        let Beam::Wall(length) = cast(&grid, (0.5, 0.5), FRAC_PI_4 + 1e-9, 100.0) else { panic!("no wall") };
        assert!((length - 2.5 * 2.0_f64.sqrt()).abs() < 1e-6, "{length}");
    }
}

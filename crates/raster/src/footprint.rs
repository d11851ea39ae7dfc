//! Where a round robot fits: free cells with enough clearance.
//!
//! ```text
//! traversable(c)  <=>  free(c) and D(c) > radius,   D = distance to the nearest centre of a cell that is not free
//! ```
//!
//! Cells outside the grid are not free. Distances are exact integers, squared.

use crate::euclidean::{EuclideanError, squared_distance_rows};

/// Squared clearance of each cell: distance in cells to the nearest cell that is not free, 0 on those
/// themselves.
///
/// # Errors
/// A plane whose squared diagonal does not fit into 31 bits.
///
/// # Panics
/// The plane does not have `width * height` cells.
pub fn squared_clearance(free: &[u8], width: usize, height: usize) -> Result<Vec<u32>, EuclideanError> {
    let mut squared = vec![0; free.len()];
    clearance_rows(free, width, height, |row, clearance| {
        squared[row * width..][..width].copy_from_slice(clearance);
    })?;
    Ok(squared)
}

/// Free cells whose clearance exceeds the radius, as a mask of 0 and 1. Keeps no plane of distances.
///
/// # Errors
/// As [`squared_clearance`].
///
/// # Panics
/// As [`squared_clearance`].
pub fn traversable(
    free: &[u8],
    width: usize,
    height: usize,
    radius_cells: f64,
) -> Result<Vec<u8>, EuclideanError> {
    let limit = squared_radius(radius_cells);
    if limit == 0 {
        return Ok(free.iter().map(|&cell| u8::from(cell != 0)).collect());
    }
    let mut mask = vec![0; free.len()];
    clearance_rows(free, width, height, |row, clearance| {
        for (cell, &squared) in mask[row * width..][..width].iter_mut().zip(clearance) {
            *cell = u8::from(squared > limit);
        }
    })?;
    Ok(mask)
}

/// The largest squared clearance at which a robot of this radius does not fit. A radius that is a whole
/// number of cells up to rounding, such as 0.25 m / 0.05 m, counts as that number.
pub fn squared_radius(radius_cells: f64) -> u32 {
    (radius_cells * radius_cells * (1.0 + 1e-9)) as u32
}

fn clearance_rows(
    free: &[u8],
    width: usize,
    height: usize,
    mut each: impl FnMut(usize, &[u32]),
) -> Result<(), EuclideanError> {
    assert_eq!(free.len(), width * height, "plane of another size");
    const BLOCKED: u8 = 1;
    let mut framed = vec![BLOCKED; (width + 2) * (height + 2)];
    for (row, cells) in free.chunks(width.max(1)).enumerate() {
        for (out, &cell) in framed[(row + 1) * (width + 2) + 1..].iter_mut().zip(cells) {
            *out = u8::from(cell == 0);
        }
    }
    squared_distance_rows(&framed, BLOCKED, width + 2, height + 2, |row, squared| {
        if (1..=height).contains(&row) {
            each(row - 1, &squared[1..=width]);
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn free(rows: &[&str]) -> (Vec<u8>, usize, usize) {
        let cells = rows.concat().bytes().map(|letter| u8::from(letter == b'.')).collect();
        (cells, rows[0].len(), rows.len())
    }

    #[test]
    fn the_border_of_the_grid_blocks() {
        let (cells, width, height) = free(&["...", "...", "..."]);
        assert_eq!(squared_clearance(&cells, width, height).unwrap(), [1, 1, 1, 1, 4, 1, 1, 1, 1]);
    }

    #[test]
    fn a_robot_fits_only_where_the_clearance_exceeds_its_radius() {
        let (cells, width, height) = free(&[".....", ".....", ".....", ".....", "...#."]);
        // Squared clearances of the rows: 11111 / 14441 / 14541 / 14211 / 11101.
        let fits = |radius: f64| {
            let mask = traversable(&cells, width, height, radius).unwrap();
            mask.iter().map(|&cell| u32::from(cell)).sum::<u32>()
        };
        assert_eq!([fits(0.0), fits(1.0), fits(1.5), fits(2.0), fits(3.0)], [24, 8, 7, 1, 0]);
    }

    #[test]
    fn a_radius_of_whole_cells_is_not_spoiled_by_rounding() {
        assert_eq!(squared_radius(0.25 / 0.05), 25);
        assert_eq!(squared_radius(0.3 / 0.1), 9);
        assert_eq!(squared_radius(0.0), 0);
        assert_eq!(squared_radius(f64::INFINITY), u32::MAX);
    }

    #[test]
    fn planes_without_free_cells_and_single_cells_have_an_answer() {
        assert_eq!(squared_clearance(&[0, 0], 2, 1).unwrap(), [0, 0]);
        assert_eq!(squared_clearance(&[1], 1, 1).unwrap(), [1]);
        assert_eq!(traversable(&[1], 1, 1, 1.0).unwrap(), [0]);
    }
}

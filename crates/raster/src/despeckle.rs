//! Removes specks: small connected groups of cells of one colour become another colour.

use crate::components::{Connectivity, components_of};

/// Cells of `speck` in 8-connected groups of fewer than `fewer_than` cells become `ground`.
///
/// # Panics
/// The plane does not have `width * height` cells.
pub fn despeckle(plane: &mut [u8], width: usize, height: usize, speck: u8, ground: u8, fewer_than: u64) {
    // A group has at least one cell.
    if fewer_than <= 1 {
        return;
    }
    let groups = components_of(plane, speck, width, height, Connectivity::Eight);
    let mut sizes = vec![0_u64; groups.count() as usize + 1];
    for (group, cells) in groups.runs() {
        sizes[group as usize] += cells.len() as u64;
    }
    for (group, cells) in groups.runs() {
        if sizes[group as usize] < fewer_than {
            plane[cells].fill(ground);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn without(rows: &[&str], fewer_than: u64) -> String {
        let mut plane: Vec<u8> = rows.concat().into_bytes();
        despeckle(&mut plane, rows[0].len(), rows.len(), b'#', b'.', fewer_than);
        String::from_utf8(plane).unwrap()
    }

    #[test]
    fn groups_below_the_size_go_and_corners_join() {
        // Three groups: a single cell, a diagonal of three, a bar of four.
        let rows = ["#...#", "...#.", "..#..", "?....", "####."];
        assert_eq!(without(&rows, 0), rows.concat());
        assert_eq!(without(&rows, 1), rows.concat());
        assert_eq!(without(&rows, 2), ["....#", "...#.", "..#..", "?....", "####."].concat());
        assert_eq!(without(&rows, 4), [".....", ".....", ".....", "?....", "####."].concat());
        assert_eq!(without(&rows, 5), [".....", ".....", ".....", "?....", "....."].concat());
    }

    #[test]
    fn a_plane_without_specks_stays() {
        assert_eq!(without(&["?.", ".?"], 9), "?..?");
    }
}

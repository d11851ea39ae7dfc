//! Squared distance to the nearest cell of a colour, as far as one cares: capped, in one byte per cell.
//!
//! Aligning and matching ask only whether something lies within a few cells. Then the transform is separable
//! into a few minima of shifted rows, exact within its reach, and a tenth of the cost of the whole distance
//! transform (`euclidean.rs`).

use crate::dispatch::dispatched;

/// The largest reach: its square fits into a byte.
pub const MAX_REACH: usize = 15;

/// Further away than the reach.
pub const BEYOND: u8 = 255;

/// For each cell the squared distance in cells to the nearest cell of `colour`, if it is at most `reach`² ;
/// [`BEYOND`] otherwise. A `reach` above [`MAX_REACH`] is taken as [`MAX_REACH`].
///
/// # Panics
/// The plane does not have `width * height` cells.
pub fn capped_squared_distances(
    plane: &[u8],
    colour: u8,
    width: usize,
    height: usize,
    reach: usize,
) -> Vec<u8> {
    assert_eq!(plane.len(), width * height, "plane of another size");
    let reach = reach.min(MAX_REACH);
    let mut along_rows = vec![BEYOND; plane.len()];
    if width > 0 {
        let mut padded = vec![BEYOND; width + 2 * reach];
        for (source, target) in plane.chunks_exact(width).zip(along_rows.chunks_exact_mut(width)) {
            let inner = padded[reach..].iter_mut().zip(source);
            inner.for_each(|(near, &cell)| *near = if cell == colour { 0 } else { BEYOND });
            for shift in 0..=2 * reach {
                lower(target, &padded[shift..][..width], square(shift.abs_diff(reach)));
            }
        }
    }
    let mut squared = vec![BEYOND; plane.len()];
    for row in 0..height {
        let target = &mut squared[row * width..][..width];
        for other in row.saturating_sub(reach)..(row + reach + 1).min(height) {
            lower(target, &along_rows[other * width..][..width], square(row.abs_diff(other)));
        }
    }
    let limit = square(reach);
    squared.iter_mut().filter(|near| **near > limit).for_each(|near| *near = BEYOND);
    squared
}

/// The square of an offset within the reach.
fn square(offset: usize) -> u8 {
    u8::try_from(offset * offset).unwrap_or(BEYOND)
}

dispatched! {
    /// Lowers each target to the source plus the offset where that is less; sums end at [`BEYOND`].
    fn lower(target: &mut [u8], source: &[u8], offset: u8) = lower_kernel;
}

#[inline(always)]
fn lower_kernel(target: &mut [u8], source: &[u8], offset: u8) {
    for (near, &other) in target.iter_mut().zip(source) {
        *near = (*near).min(other.saturating_add(offset));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::euclidean::squared_distances;

    #[test]
    fn a_single_cell_reaches_two_cells_far() {
        let squared = capped_squared_distances(&[0, 0, 0, 2, 0, 0, 0], 2, 7, 1, 2);
        assert_eq!(squared, [BEYOND, 4, 1, 0, 1, 4, BEYOND]);
    }

    #[test]
    fn equals_the_whole_transform_within_the_reach() {
        let mut random = testkit::Random(3);
        for (width, height) in [(1, 1), (37, 21), (5, 90), (130, 3)] {
            let mut plane: Vec<u8> =
                (0..width * height).map(|_| if random.below(40) == 0 { 2 } else { 0 }).collect();
            plane[0] = 2;
            let whole = squared_distances(&plane, 2, width, height).unwrap();
            for reach in [0, 1, 4, 15] {
                let capped = capped_squared_distances(&plane, 2, width, height, reach);
                let limit = (reach * reach) as u32;
                let expected: Vec<u8> =
                    whole.iter().map(|&d| if d <= limit { d as u8 } else { BEYOND }).collect();
                assert_eq!(capped, expected, "{width} x {height}, reach {reach}");
            }
        }
    }

    #[test]
    fn nothing_is_near_a_colour_that_does_not_occur() {
        assert_eq!(capped_squared_distances(&[0, 1], 2, 2, 1, 3), [BEYOND, BEYOND]);
        assert!(capped_squared_distances(&[], 2, 0, 0, 3).is_empty());
    }
}

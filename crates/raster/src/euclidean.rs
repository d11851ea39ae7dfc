//! Exact Euclidean distance of each cell to the nearest cell of a colour.
//!
//! ```text
//! D²(x, y) = min over x' of (x - x')² + V²(x', y),   V = distance along the column
//! ```
//!
//! Squared distances are integers, so they are exact. Most cells of a real map are near an obstacle:
//! a block of cells looks 1, 2, 3, ... columns to both sides and stops as soon as no column further out
//! can improve any of its cells. A row where that would take long, or where a square does not fit into
//! 16 bits, goes to the lower envelope of parabolas (`parabolas.rs`), which is linear in the
//! width; so the whole is linear in the number of cells whatever the map.

use crate::dispatch::dispatched;
use crate::nearness::{ColumnSweep, Size};
use crate::parabolas::LowerEnvelope;

/// Why there are no distances.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EuclideanError {
    /// No cell has the colour.
    #[error("no cell of class {colour}: expected at least one")]
    NoSuchCell { colour: u8 },
    /// A squared distance might exceed 31 bits.
    #[error("plane of {width} x {height} cells: expected a diagonal of at most 46340 cells")]
    TooLarge { width: usize, height: usize },
}

impl EuclideanError {
    /// A name for programs; it never changes.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::NoSuchCell { .. } => "NO_SUCH_CELL",
            Self::TooLarge { .. } => "PLANE_TOO_LARGE",
        }
    }
}

/// Squared distance in cells from each cell to the nearest cell of the colour.
///
/// # Errors
/// No such cell, or a plane whose squared diagonal does not fit into 31 bits.
///
/// # Panics
/// The plane does not have `width * height` cells.
pub fn squared_distances(
    plane: &[u8],
    colour: u8,
    width: usize,
    height: usize,
) -> Result<Vec<u32>, EuclideanError> {
    let mut squared = Vec::with_capacity(plane.len());
    squared_distance_rows(plane, colour, width, height, |_, row| squared.extend_from_slice(row))?;
    Ok(squared)
}

/// Distance in cells from each cell to the nearest cell of the colour, rounded once to `f32` as long as
/// it is below 4096.
///
/// # Errors
/// As [`squared_distances`].
///
/// # Panics
/// As [`squared_distances`].
pub fn distances_f32(
    plane: &[u8],
    colour: u8,
    width: usize,
    height: usize,
) -> Result<Vec<f32>, EuclideanError> {
    let mut distances = vec![0.0; plane.len()];
    distances_f32_into(plane, colour, width, height, &mut distances)?;
    Ok(distances)
}

/// As [`distances_f32`], into memory of the caller: fetching fresh pages from the system takes as long as
/// a third of the transform, so who calls often keeps the plane.
///
/// # Errors
/// As [`squared_distances`].
///
/// # Panics
/// As [`squared_distances`], or `distances` has another size than the plane.
pub fn distances_f32_into(
    plane: &[u8],
    colour: u8,
    width: usize,
    height: usize,
    distances: &mut [f32],
) -> Result<(), EuclideanError> {
    assert_eq!(distances.len(), plane.len(), "planes of unequal size");
    let mut search = RowSearch::new(Size { width, height });
    for_each_row(plane, colour, width, height, |row, nearness| {
        search.distances(nearness, &mut distances[row * width..][..width]);
    })
}

/// Calls `each` with the squared distances of each row, top row first, and keeps no plane of them.
///
/// # Errors
/// As [`squared_distances`].
///
/// # Panics
/// As [`squared_distances`].
pub fn squared_distance_rows(
    plane: &[u8],
    colour: u8,
    width: usize,
    height: usize,
    mut each: impl FnMut(usize, &[u32]),
) -> Result<(), EuclideanError> {
    let mut search = RowSearch::new(Size { width, height });
    let mut squared = vec![0; width];
    for_each_row(plane, colour, width, height, |row, nearness| {
        search.squared_distances(nearness, &mut squared);
        each(row, &squared);
    })
}

/// First dimension: calls `each` with the column nearness of each row, top row first.
fn for_each_row(
    plane: &[u8],
    colour: u8,
    width: usize,
    height: usize,
    mut each: impl FnMut(usize, &[u16]),
) -> Result<(), EuclideanError> {
    assert_eq!(plane.len(), width * height, "plane of another size");
    if !plane.contains(&colour) {
        return Err(EuclideanError::NoSuchCell { colour });
    }
    let square = |side: usize| side.saturating_sub(1).saturating_mul(side.saturating_sub(1));
    if square(width).saturating_add(square(height)) > i32::MAX as usize {
        return Err(EuclideanError::TooLarge { width, height });
    }
    let size = Size { width, height };
    let mut columns = ColumnSweep::<u16>::new(plane, colour, size);
    (0..height).rev().for_each(|row| columns.rise(row));
    let (mut band, mut nearness) = (Vec::new(), vec![0; size.padded_width()]);
    for rows in size.bands() {
        columns.enter_band(rows.clone(), &mut band);
        for row in rows {
            columns.descend(row, &band, &mut nearness);
            each(row, &nearness);
        }
    }
    Ok(())
}

/// Cells that search together: two registers of AVX-512, four of AVX2.
const LANES: usize = 64;
/// Columns that a block looks to each side, so that squares of the offsets fit into 16 bits.
const REACH: usize = 255;
/// Columns looked at between two checks whether a block is finished.
const STRIDE: usize = 4;
/// Average reach above which a row costs more than its envelope would.
const FAIR_REACH: usize = 96;
/// Stands for a square that does not fit.
const FAR: u16 = u16::MAX;

/// Buffers for the second dimension of the transform.
struct RowSearch {
    width: usize,
    /// Squared column distances with a margin of [`FAR`] on both sides.
    squares: Vec<u16>,
    envelope: LowerEnvelope,
}

impl RowSearch {
    fn new(size: Size) -> Self {
        Self {
            width: size.width,
            squares: vec![FAR; size.padded_width() + 2 * (REACH + STRIDE)],
            envelope: LowerEnvelope::new(size.width),
        }
    }

    /// Squared distances of a row from its column nearness.
    fn squared_distances(&mut self, nearness: &[u16], squared: &mut [u32]) {
        square_all(nearness, &mut self.squares[REACH + STRIDE..]);
        if search_squared(&self.squares, squared) == Outcome::TooFar {
            self.envelope.squared_distances(&nearness[..self.width], squared);
        }
    }

    /// Distances of a row from its column nearness. They are written block by block while the search goes
    /// on, which hides the time that fresh cache lines take.
    fn distances(&mut self, nearness: &[u16], distances: &mut [f32]) {
        square_all(nearness, &mut self.squares[REACH + STRIDE..]);
        if search_distances(&self.squares, distances) == Outcome::TooFar {
            let mut squared = vec![0; self.width];
            self.envelope.squared_distances(&nearness[..self.width], &mut squared);
            roots(&squared, distances);
        }
    }
}

/// Whether the search answered for all cells of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    Found,
    TooFar,
}

dispatched! {
    /// Squares the distances that the nearness stands for.
    fn square_all(nearness: &[u16], squares: &mut [u16]) = square_kernel;
}

#[inline(always)]
fn square_kernel(nearness: &[u16], squares: &mut [u16]) {
    for (&near, square) in nearness.iter().zip(squares) {
        let distance = u16::MAX - near;
        let short = distance.min(255);
        *square = if distance > 255 { FAR } else { short * short };
    }
}

dispatched! {
    /// Searches all blocks of a row for squared distances. `squares` has the margins, `squared` has not.
    fn search_squared(squares: &[u16], squared: &mut [u32]) -> Outcome = search_squared_kernel;
}

#[inline(always)]
fn search_squared_kernel(squares: &[u16], squared: &mut [u32]) -> Outcome {
    search_row(squares, squared, u32::from)
}

dispatched! {
    /// Searches all blocks of a row for distances.
    fn search_distances(squares: &[u16], distances: &mut [f32]) -> Outcome = search_distances_kernel;
}

#[inline(always)]
fn search_distances_kernel(squares: &[u16], distances: &mut [f32]) -> Outcome {
    search_row(squares, distances, |square| f32::from(square).sqrt())
}

#[inline(always)]
fn search_row<T: Copy + Default>(squares: &[u16], row: &mut [T], number_of: impl Fn(u16) -> T) -> Outcome {
    let mut budget = FAIR_REACH * row.len().div_ceil(LANES);
    let mut last = [T::default(); LANES];
    let (blocks, rest) = row.as_chunks_mut::<LANES>();
    // One loop over the whole blocks and the last one, so that the search is inlined once.
    let whole = blocks.len();
    for index in 0..whole + usize::from(!rest.is_empty()) {
        let window = &squares[index * LANES..][..LANES + 2 * (REACH + STRIDE)];
        let Some((best, reach)) = search_block(window) else { return Outcome::TooFar };
        if reach > budget {
            return Outcome::TooFar;
        }
        budget -= reach;
        let block = if index < whole { &mut blocks[index] } else { &mut last };
        for (cell, &square) in block.iter_mut().zip(&best) {
            *cell = number_of(square);
        }
    }
    rest.copy_from_slice(&last[..rest.len()]);
    Outcome::Found
}

/// The squared distances of the block in the middle of a window, and how far it looked; none if one of
/// them does not fit.
#[inline(always)]
fn search_block(window: &[u16]) -> Option<([u16; LANES], usize)> {
    let middle = REACH + STRIDE;
    let mut best: [u16; LANES] = *window[middle..].first_chunk()?;
    let mut reach = 0;
    // Columns beyond the reach cost more than (reach + 1)², so equal squares need no further look.
    while exceeds_anywhere(&best, ((reach + 1) * (reach + 1)) as u16) {
        if reach + STRIDE > REACH {
            return None;
        }
        for offset in reach + 1..=reach + STRIDE {
            let square = (offset * offset) as u16;
            let left = &window[middle - offset..][..LANES];
            let right = &window[middle + offset..][..LANES];
            for lane in 0..LANES {
                best[lane] = best[lane].min(left[lane].min(right[lane]).saturating_add(square));
            }
        }
        reach += STRIDE;
    }
    Some((best, reach))
}

/// True if some lane is above the limit; one comparison instead of the search for a maximum.
#[inline(always)]
fn exceeds_anywhere(lanes: &[u16; LANES], limit: u16) -> bool {
    lanes.iter().fold(0, |excess, &square| excess | square.saturating_sub(limit)) > 0
}

dispatched! {
    /// Square roots of one row.
    fn roots(squared: &[u32], distances: &mut [f32]) = roots_kernel;
}

#[inline(always)]
fn roots_kernel(squared: &[u32], distances: &mut [f32]) {
    for (&squared, distance) in squared.iter().zip(distances) {
        // Below 2^31 by the check of the size; signed numbers convert in one instruction.
        *distance = (squared as i32 as f32).sqrt();
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn brute_force(plane: &[u8], colour: u8, width: usize) -> Vec<u32> {
        let at = |index: usize| ((index % width) as i64, (index / width) as i64);
        let targets: Vec<(i64, i64)> = (0..plane.len()).filter(|&i| plane[i] == colour).map(at).collect();
        let nearest = |(x, y): (i64, i64)| targets.iter().map(|(u, v)| (x - u).pow(2) + (y - v).pow(2)).min();
        (0..plane.len()).map(|index| nearest(at(index)).unwrap() as u32).collect()
    }

    #[test]
    fn distances_to_one_corner_by_hand() {
        let plane = [2, 0, 0, 0, 1, 0];
        assert_eq!(squared_distances(&plane, 2, 3, 2), Ok(vec![0, 1, 4, 1, 2, 5]));
        let distances = distances_f32(&plane, 2, 3, 2).unwrap();
        assert_eq!(distances[2], 2.0);
        assert_eq!(distances[5], 5.0_f32.sqrt());
    }

    #[test]
    fn a_plane_without_the_colour_has_no_distances() {
        assert_eq!(squared_distances(&[0, 1], 2, 2, 1), Err(EuclideanError::NoSuchCell { colour: 2 }));
        assert_eq!(squared_distances(&[], 2, 0, 0), Err(EuclideanError::NoSuchCell { colour: 2 }));
    }

    #[test]
    fn a_strip_too_long_for_31_bits_is_refused() {
        let mut plane = vec![0; 46_342];
        plane[0] = 2;
        assert!(matches!(squared_distances(&plane, 2, 46_342, 1), Err(EuclideanError::TooLarge { .. })));
        plane.pop();
        assert_eq!(squared_distances(&plane, 2, 46_341, 1).unwrap()[46_340], 46_340 * 46_340);
        assert_eq!(squared_distances(&plane, 2, 1, 46_341).unwrap()[46_340], 46_340 * 46_340);
    }

    #[test]
    fn rows_with_far_cells_are_exact() {
        for (width, height) in [(700, 3), (3, 700), (400, 300)] {
            let mut plane = vec![0; width * height];
            (plane[0], plane[width * height / 2 + width / 3]) = (2, 2);
            assert_eq!(squared_distances(&plane, 2, width, height).unwrap(), brute_force(&plane, 2, width));
        }
    }

    #[test]
    fn squares_around_the_limit_of_16_bits_are_exact() {
        for length in 250..262_usize {
            let mut plane = vec![0; (length + 1) * 3];
            plane[0] = 2;
            for (width, height) in [(length + 1, 3), (3, length + 1)] {
                assert_eq!(
                    squared_distances(&plane, 2, width, height).unwrap(),
                    brute_force(&plane, 2, width)
                );
            }
        }
    }

    #[test]
    fn search_and_envelope_agree_on_every_row() {
        let size = Size { width: 131, height: 1 };
        let distances = (0..131_u16).map(|x| (x.wrapping_mul(40_503) >> 9) % 60);
        let mut nearness: Vec<u16> = distances.map(|d| u16::MAX - d).collect();
        nearness.resize(size.padded_width(), 0);
        let mut search = RowSearch::new(size);
        let (mut searched, mut enveloped) = (vec![0; 131], vec![0; 131]);
        search.squared_distances(&nearness, &mut searched);
        search.envelope.squared_distances(&nearness[..131], &mut enveloped);
        assert_eq!(searched, enveloped);
        let mut narrow = vec![0; 131];
        assert_eq!(search_squared_kernel(&search.squares, &mut narrow), Outcome::Found);
        assert_eq!(narrow, searched);
    }

    #[test]
    fn distances_are_the_roots_of_the_squared_distances() {
        // Near cells come from the search, rows with far cells from the envelope.
        for length in [50, 100, 900] {
            let mut plane = vec![0; length * 3];
            plane[length / 3] = 2;
            let squared = squared_distances(&plane, 2, length, 3).unwrap();
            let expected: Vec<f32> = squared.iter().map(|&square| (square as f32).sqrt()).collect();
            assert_eq!(distances_f32(&plane, 2, length, 3).unwrap(), expected);
        }
    }

    proptest! {
        #[test]
        fn equals_brute_force(
            width in 1..120_usize, height in 1..70_usize, rare in 1..=40_u32, seed in any::<u64>(),
        ) {
            let mut state = seed | 1;
            let mut draw = || {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                if ((state >> 33) as u32).is_multiple_of(rare * rare) { 2 } else { 0 }
            };
            let mut plane: Vec<u8> = (0..width * height).map(|_| draw()).collect();
            plane[(seed as usize) % (width * height)] = 2;
            prop_assert_eq!(squared_distances(&plane, 2, width, height).unwrap(), brute_force(&plane, 2, width));
        }
    }
}

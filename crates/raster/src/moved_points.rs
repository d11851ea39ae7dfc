//! How well a set of points fits a field under every translation at once.
//!
//! ```text
//! sum(tx, ty) = Σ over points p of field(p + (tx, ty))
//! ```
//!
//! A few hundred points against a field of bytes: the rows of the field are added as they lie in memory, 64
//! translations at a time, which for maps of some hundred cells is several times faster than a correlation by
//! Fourier transforms, and exact.

use bytemuck::must_cast_mut;

use crate::dispatch::{dispatched, dispatched_avx2};

#[cfg(target_arch = "x86_64")]
#[path = "moved_points_avx2.rs"]
mod avx2;

/// The largest value of a field, and the most points that may be summed: their product fits into 16 bits.
pub const MAX_VALUE: u8 = 127;
/// See [`MAX_VALUE`].
pub const MAX_POINTS: usize = 516;

/// Translations that are summed together.
pub const LANES: usize = 64;

/// A field with a border of zeros, so that points that leave it add nothing.
#[derive(Clone, Debug)]
pub struct BorderedField {
    cells: Vec<u8>,
    stride: usize,
    border: usize,
    width: usize,
    height: usize,
    max_value: u8,
}

impl BorderedField {
    /// A field of `width * height` values, none above [`MAX_VALUE`], with a border as wide as the points reach.
    ///
    /// # Panics
    /// The number of values is not `width * height`, one is too large, or the field with its border has too many cells.
    pub fn new(values: &[u8], width: usize, height: usize, border: usize) -> Self {
        assert_eq!(values.len(), width * height, "field of another size");
        assert!(values.iter().all(|&value| value <= MAX_VALUE), "field above {MAX_VALUE}");
        let stride = width + 2 * border + LANES;
        let mut cells = vec![0; stride * (height + 2 * border)];
        assert!(u32::try_from(cells.len()).is_ok(), "field beyond 32 bits");
        for (row, source) in values.chunks_exact(width.max(1)).enumerate() {
            cells[(row + border) * stride + border..][..width].copy_from_slice(source);
        }
        let max_value = values.iter().copied().max().unwrap_or(0);
        Self { cells, stride, border, width, height, max_value }
    }

    /// The number of translations along each axis for points in a box of this size: from where its last cell
    /// meets the first of the field to where its first meets the last.
    pub const fn translations(&self, points_width: usize, points_height: usize) -> (usize, usize) {
        (self.width + points_width - 1, self.height + points_height - 1)
    }

    /// The points ready to be summed under translations.
    ///
    /// Points are (column, row) in a box of `points_width * points_height`; row j and column i stand for the translation by
    /// (i - points_width + 1, j - points_height + 1).
    ///
    /// # Panics
    /// More than [`MAX_POINTS`] points, a point outside the box, or a box wider than the border.
    pub fn under(
        &self,
        points: &[(usize, usize)],
        (points_width, points_height): (usize, usize),
    ) -> UnderPoints<'_> {
        assert!(points.len() <= MAX_POINTS, "more than {MAX_POINTS} points");
        assert!(
            points_width <= self.border + 1 && points_height <= self.border + 1,
            "a box beyond the border"
        );
        assert!(
            points.iter().all(|&(x, y)| x < points_width && y < points_height),
            "a point outside its box"
        );
        let offsets = points.iter().map(|&(x, y)| (y * self.stride + x) as u32).collect();
        let first = (self.border + 1 - points_height) * self.stride + self.border + 1 - points_width;
        UnderPoints { field: self, offsets, first }
    }

    /// Sums of the field for translations that lay the origin of the points on a cell of it, row by row.
    ///
    /// Points are (right, down) from their origin. Those further than the border are left out: with a border as wide as the
    /// field they lie outside of it under all these translations.
    ///
    /// # Panics
    /// More than [`MAX_POINTS`] points.
    pub fn sums_on_cells(&self, points: &[(i32, i32)], sums: &mut Vec<u16>) {
        assert!(points.len() <= MAX_POINTS, "more than {MAX_POINTS} points");
        let within = |step: i32| {
            let step = isize::try_from(step).ok()?;
            self.border.checked_add_signed(step).filter(|&cells| cells <= 2 * self.border)
        };
        let offset =
            |&(right, down): &(i32, i32)| Some((within(down)? * self.stride + within(right)?) as u32);
        let offsets: Vec<u32> = points.iter().filter_map(offset).collect();
        sums.clear();
        sums.resize(self.width * self.height, 0);
        for (row, target) in sums.chunks_exact_mut(self.width.max(1)).enumerate() {
            row_sums(&self.cells[row * self.stride..], &offsets, target);
        }
    }
}

/// A field under points that are moved.
#[derive(Clone, Debug)]
pub struct UnderPoints<'a> {
    field: &'a BorderedField,
    /// Of 32 bits, so that one comparison tells whether a block lies within the field.
    offsets: Vec<u32>,
    /// The cell of the first translation.
    first: usize,
}

impl UnderPoints<'_> {
    /// Sums under [`LANES`] neighbouring translations: those of a row from `block * LANES` on. Beyond the last translation of
    /// the row they mean nothing.
    pub fn sums(&self, row: usize, block: usize) -> [u16; LANES] {
        let mut sums = [0; LANES];
        self.sums_into(row, block, &mut sums);
        sums
    }

    /// The same into memory of the caller.
    pub fn sums_into(&self, row: usize, block: usize, sums: &mut [u16; LANES]) {
        let cells = self.cells(row, block);
        if self.field.max_value <= 1 {
            *sums = [0; LANES];
            block_sums_of_marks(cells, &self.offsets, sums);
        } else {
            sums_of_block(cells, &self.offsets, must_cast_mut(sums));
        }
    }

    /// The same of a block and the next one, which takes less time than one after the other.
    pub fn sums_of_two_into(&self, row: usize, block: usize, sums: &mut [[u16; LANES]; 2]) {
        if self.field.max_value <= 1 {
            let [here, next] = sums;
            self.sums_into(row, block, here);
            self.sums_into(row, block + 1, next);
        } else {
            sums_of_two_blocks(self.cells(row, block), &self.offsets, must_cast_mut(sums));
        }
    }

    /// Whether there are no points: all sums are 0 then.
    pub const fn is_empty(&self) -> bool {
        self.offsets.is_empty()
    }

    fn cells(&self, row: usize, block: usize) -> &[u8] {
        let first = self.first + row * self.field.stride + block * LANES;
        self.field.cells.get(first..).unwrap_or(&[])
    }
}

/// Translations that the widest registers in use hold.
const HALF: usize = 32;

dispatched_avx2! {
    fn sums_of_block(cells: &[u8], offsets: &[u32], sums: &mut [[u16; HALF]; 2]) = avx2::sums | portable;
}
dispatched_avx2! {
    fn sums_of_two_blocks(cells: &[u8], offsets: &[u32], sums: &mut [[u16; HALF]; 4]) = avx2::sums | portable;
}

/// Sums under neighbouring translations.
fn portable<const HALVES: usize>(cells: &[u8], offsets: &[u32], sums: &mut [[u16; HALF]; HALVES]) {
    *sums = [[0; HALF]; HALVES];
    for values in offsets.iter().filter_map(|&offset| bytes_at::<HALVES>(cells, offset)) {
        for (sum, value) in sums.as_flattened_mut().iter_mut().zip(values.as_flattened()) {
            *sum += u16::from(*value);
        }
    }
}

/// The cells from an offset on. A field ends with a border, so that those which are not there would be zeros.
#[inline(always)]
fn bytes_at<const HALVES: usize>(cells: &[u8], offset: u32) -> Option<&[[u8; HALF]; HALVES]> {
    cells.get(offset as usize..)?.as_chunks().0.first_chunk()
}

impl BorderedField {
    /// The same for all translations by up to `reach` along each axis, row by row, for any number of points.
    ///
    /// Points are (column, row) of the field. The border must be twice as wide as the reach.
    ///
    /// # Panics
    /// The border is narrower.
    pub fn sums_around(&self, points: &[(i64, i64)], reach: usize, sums: &mut Vec<u32>) {
        assert!(2 * reach <= self.border, "translations beyond the border");
        let side = 2 * reach + 1;
        sums.clear();
        sums.resize(side * side, 0);
        // From the first translation; a point further out than the reach never meets the field.
        let within = |at: i64, size: usize| {
            let from_border = usize::try_from(at + reach as i64).ok()?;
            (from_border < size + 2 * reach).then_some(from_border + self.border - 2 * reach)
        };
        let offset = |&(x, y): &(i64, i64)| {
            Some((within(y, self.height)? * self.stride + within(x, self.width)?) as u32)
        };
        let offsets: Vec<u32> = points.iter().filter_map(offset).collect();
        let mut row_of_some = vec![0; side];
        for some in offsets.chunks(MAX_POINTS) {
            for (row, target) in sums.chunks_exact_mut(side).enumerate() {
                row_sums(&self.cells[row * self.stride..], some, &mut row_of_some);
                target.iter_mut().zip(&row_of_some).for_each(|(sum, &more)| *sum += u32::from(more));
            }
        }
    }
}

/// What translations are ranked by: see [`ranks`].
#[derive(Clone, Copy, Debug)]
pub struct RankWeights {
    /// Of a unit of a hit.
    pub per_hit: f32,
    /// Of a known point.
    pub per_known: f32,
    /// Known points count for at least so much.
    pub least_known: f32,
    /// Of a miss.
    pub per_miss: f32,
}

dispatched! {
    /// hits · per_hit / (max(known · per_known, least_known) + misses · per_miss), lane by lane.
    pub fn ranks(
        hits: &[u16; LANES],
        known: &[u16; LANES],
        misses: &[u16; LANES],
        weights: RankWeights,
    ) -> [f32; LANES] = ranks_kernel;
}

#[inline(always)]
fn ranks_kernel(
    hits: &[u16; LANES],
    known: &[u16; LANES],
    misses: &[u16; LANES],
    RankWeights { per_hit, per_known, least_known, per_miss }: RankWeights,
) -> [f32; LANES] {
    let mut ranks = [0.0; LANES];
    for lane in 0..LANES {
        let known = f32::from(known[lane]) * per_known;
        let charged = if known > least_known { known } else { least_known };
        ranks[lane] = f32::from(hits[lane]) * per_hit / (charged + f32::from(misses[lane]) * per_miss);
    }
    ranks
}

dispatched! {
    /// The highest of some ranks; at least 0.
    pub fn highest(ranks: &[f32]) -> f32 = highest_kernel;
}

/// In lanes of their own, so that no comparison waits for another.
#[inline(always)]
fn highest_kernel(ranks: &[f32]) -> f32 {
    let (blocks, rest) = ranks.as_chunks::<16>();
    let mut lanes = [0.0_f32; 16];
    for block in blocks {
        for (lane, &rank) in lanes.iter_mut().zip(block) {
            *lane = if rank > *lane { rank } else { *lane };
        }
    }
    lanes.iter().chain(rest).fold(0.0, |best, &rank| if rank > best { rank } else { best })
}

dispatched! {
    /// The largest of some sums; 0 if there are none.
    pub fn largest(sums: &[u16]) -> u16 = largest_kernel;
}

#[inline(always)]
fn largest_kernel(sums: &[u16]) -> u16 {
    let (blocks, rest) = sums.as_chunks::<16>();
    let mut lanes = [0_u16; 16];
    for block in blocks {
        for (lane, &sum) in lanes.iter_mut().zip(block) {
            *lane = if sum > *lane { sum } else { *lane };
        }
    }
    lanes.iter().chain(rest).copied().max().unwrap_or(0)
}

dispatched! {
    /// One row of translations.
    fn row_sums(cells: &[u8], offsets: &[u32], sums: &mut [u16]) = row_sums_kernel;
}

#[inline(always)]
fn row_sums_kernel(cells: &[u8], offsets: &[u32], sums: &mut [u16]) {
    for (block, target) in sums.chunks_mut(LANES).enumerate() {
        let cells = &cells[block * LANES..];
        // The rest of a row is often short.
        match target.len() {
            ..=16 => block_sums::<16>(cells, offsets, target),
            17..=32 => block_sums::<32>(cells, offsets, target),
            _ => block_sums::<LANES>(cells, offsets, target),
        }
    }
}

dispatched! {
    /// One block of translations over a field of zeros and ones: bytes hold the sums of many points.
    fn block_sums_of_marks(cells: &[u8], offsets: &[u32], sums: &mut [u16; LANES]) = block_sums_of_marks_kernel;
}

#[inline(always)]
fn block_sums_of_marks_kernel(cells: &[u8], offsets: &[u32], sums: &mut [u16; LANES]) {
    for some in offsets.chunks(usize::from(u8::MAX)) {
        let mut lanes = [0_u8; LANES];
        for &offset in some {
            let first = offset as usize;
            let Some(values) = cells.get(first..first + LANES) else { continue };
            for lane in 0..LANES {
                lanes[lane] += values[lane];
            }
        }
        sums.iter_mut().zip(lanes).for_each(|(sum, lane)| *sum += u16::from(lane));
    }
}

#[inline(always)]
fn block_sums<const N: usize>(cells: &[u8], offsets: &[u32], target: &mut [u16]) {
    let mut lanes = [0_u16; N];
    for &offset in offsets {
        let first = offset as usize;
        let Some(values) = cells.get(first..first + N) else { continue };
        for lane in 0..N {
            lanes[lane] += u16::from(values[lane]);
        }
    }
    target.copy_from_slice(&lanes[..target.len()]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_blocks_at_once_are_as_one_after_the_other() {
        let mut random = testkit::Random(7);
        for most in [2, 128] {
            let values: Vec<u8> = (0..150 * 9).map(|_| random.below(most) as u8).collect();
            let points: Vec<(usize, usize)> = (0..101).map(|_| (random.below(30), random.below(5))).collect();
            let field = BorderedField::new(&values, 150, 9, 30);
            let under = field.under(&points, (30, 5));
            for row in 0..field.translations(30, 5).1 {
                for block in 0..2 {
                    let mut sums = [[1; LANES]; 2];
                    under.sums_of_two_into(row, block, &mut sums);
                    assert_eq!(sums, [under.sums(row, block), under.sums(row, block + 1)], "{row}, {block}");
                }
                let (mut wide, mut narrow) = ([[1; HALF]; 4], [[2; HALF]; 4]);
                sums_of_two_blocks(under.cells(row, 0), &under.offsets, &mut wide);
                portable(under.cells(row, 0), &under.offsets, &mut narrow);
                assert_eq!(wide, narrow);
            }
        }
        assert!(BorderedField::new(&[1], 1, 1, 0).under(&[], (1, 1)).is_empty());
    }

    #[test]
    fn the_highest_of_ranks_and_sums() {
        for count in [0, 1, 15, 16, 17, 64] {
            let sums: Vec<u16> = (0..count).map(|at| (at * 37 % 101) as u16).collect();
            let ranks: Vec<f32> = sums.iter().map(|&sum| f32::from(sum) - 50.0).collect();
            assert_eq!(largest(&sums), sums.iter().copied().max().unwrap_or(0));
            assert_eq!(highest(&ranks), ranks.iter().copied().fold(0.0, f32::max));
        }
    }

    #[test]
    fn two_points_over_three_cells_by_hand() {
        let field = BorderedField::new(&[1, 5, 9], 3, 1, 2);
        let sums = field.under(&[(0, 0), (1, 0)], (2, 1)).sums(0, 0);
        assert_eq!(sums[..4], [1, 6, 14, 9], "from one point on the first cell to one on the last");
    }

    #[test]
    fn equals_the_definition() {
        let mut random = testkit::Random(11);
        let (width, height) = (90, 33);
        let values: Vec<u8> = (0..width * height).map(|_| random.below(128) as u8).collect();
        let points: Vec<(usize, usize)> = (0..200).map(|_| (random.below(20), random.below(9))).collect();
        let field = BorderedField::new(&values, width, height, 20);
        let under = field.under(&points, (20, 9));
        let at = |x: i64, y: i64| {
            let inside = x >= 0 && y >= 0 && x < width as i64 && y < height as i64;
            if inside { u32::from(values[y as usize * width + x as usize]) } else { 0 }
        };
        let (wide, high) = field.translations(20, 9);
        assert_eq!((wide, high), (width + 19, height + 8));
        for index in 0..wide * high {
            let (column, row) = (index % wide, index / wide);
            let (tx, ty) = (column as i64 - 19, row as i64 - 8);
            let expected: u32 = points.iter().map(|&(x, y)| at(x as i64 + tx, y as i64 + ty)).sum();
            let sum = under.sums(row, column / LANES)[column % LANES];
            assert_eq!(u32::from(sum), expected, "translation ({tx}, {ty})");
        }
    }

    #[test]
    fn marks_are_summed_like_values() {
        let mut random = testkit::Random(3);
        let values: Vec<u8> = (0..70 * 20).map(|_| u8::from(random.below(2) == 0)).collect();
        let points: Vec<(usize, usize)> =
            (0..MAX_POINTS).map(|_| (random.below(9), random.below(4))).collect();
        let marks = BorderedField::new(&values, 70, 20, 9);
        let as_values = BorderedField { max_value: 2, ..marks.clone() };
        let under = [&marks, &as_values].map(|field| field.under(&points, (9, 4)));
        for row in 0..marks.translations(9, 4).1 {
            assert_eq!(under[0].sums(row, 0), under[1].sums(row, 0));
            assert_eq!(under[0].sums(row, 1)[..14], under[1].sums(row, 1)[..14]);
        }
    }

    #[test]
    fn translations_that_lay_the_origin_on_a_cell() {
        let field = BorderedField::new(&[1, 5, 9], 3, 1, 3);
        let mut sums = Vec::new();
        field.sums_on_cells(&[(0, 0), (1, 0), (-2, 0), (0, 1), (4, 0)], &mut sums);
        assert_eq!(sums, [1 + 5, 5 + 9, 9 + 1], "what lies outside adds nothing");
    }

    #[test]
    fn translations_around_the_points_themselves() {
        let mut random = testkit::Random(5);
        let (width, height, reach) = (40_usize, 30_usize, 7_usize);
        let values: Vec<u8> = (0..width * height).map(|_| random.below(128) as u8).collect();
        let points: Vec<(i64, i64)> =
            (0..1500).map(|_| (random.below(80) as i64 - 20, random.below(70) as i64 - 20)).collect();
        let mut sums = Vec::new();
        BorderedField::new(&values, width, height, 2 * reach).sums_around(&points, reach, &mut sums);
        let at = |x: i64, y: i64| match (usize::try_from(x), usize::try_from(y)) {
            (Ok(x), Ok(y)) if x < width && y < height => u32::from(values[y * width + x]),
            _ => 0,
        };
        let side = 2 * reach + 1;
        for (index, &sum) in sums.iter().enumerate() {
            let shift = |n: usize| n as i64 - reach as i64;
            let (tx, ty) = (shift(index % side), shift(index / side));
            let expected: u32 = points.iter().map(|&(x, y)| at(x + tx, y + ty)).sum();
            assert_eq!(sum, expected, "translation ({tx}, {ty})");
        }
    }

    #[test]
    fn as_many_points_as_allowed_do_not_overflow() {
        let field = BorderedField::new(&[MAX_VALUE], 1, 1, 0);
        let sums = field.under(&vec![(0, 0); MAX_POINTS], (1, 1)).sums(0, 0);
        assert_eq!(usize::from(sums[0]), MAX_POINTS * usize::from(MAX_VALUE));
    }
}

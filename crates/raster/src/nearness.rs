//! Vertical nearness: how near, up or down its column, each cell has a cell of a class (its "colour").
//!
//! Nearness is the largest number of the type minus the distance, and 0 from there on. Then "no such
//! cell" is 0, the nearest is the maximum, moving away is a saturating subtraction, and a mask of equal
//! bytes can be used as it is. A narrow type holds short distances only, but twice as many per register.
//!
//! No plane of distances is kept. One sweep from the bottom stores the row of nearness-below at every
//! band's lower edge; a second sweep from the top recomputes the rows of one band, which stay in the
//! cache, and joins them with the nearness above.

use crate::dispatch::dispatched;

/// Rows recomputed together: their buffer should stay in the second-level cache, and each band keeps one
/// row as its checkpoint.
const BAND_ROWS: usize = 32;
/// Row buffers are padded to this many cells, so that kernels see whole registers only.
const PADDING_CELLS: usize = 64;

/// An unsigned number that holds a nearness.
pub(crate) trait Nearness: Copy + Ord + Default + Into<u32> + 'static {
    /// Nearness of the cell itself.
    const HERE: Self;

    /// Distance that this nearness stands for; [`Nearness::HERE`] as a number means "this or more".
    fn distance(self) -> u32;

    /// Nearness one cell further on.
    fn one_further(self) -> Self;

    /// Steps one row further: `to[x]` from `from[x]`, starting anew at cells of the colour.
    fn step(classes: &[u8], colour: u8, from: &[Self], to: &mut [Self]);

    /// Steps a row one row further in place.
    fn step_in_place(classes: &[u8], colour: u8, row: &mut [Self]);

    /// Steps `above` one row down and joins it with the nearness below.
    fn step_and_join(classes: &[u8], colour: u8, above: &mut [Self], below: &[Self], joined: &mut [Self]);
}

/// Nearness after one step. A maximum, because a branch would keep the loop from being vectorised.
#[inline(always)]
fn stepped<T: Nearness>(class: u8, colour: u8, from: T) -> T {
    let here = if class == colour { T::HERE } else { T::default() };
    from.one_further().max(here)
}

#[inline(always)]
fn step_kernel<T: Nearness>(classes: &[u8], colour: u8, from: &[T], to: &mut [T]) {
    for ((&class, &from), to) in classes.iter().zip(from).zip(to) {
        *to = stepped(class, colour, from);
    }
}

#[inline(always)]
fn step_in_place_kernel<T: Nearness>(classes: &[u8], colour: u8, row: &mut [T]) {
    for (&class, cell) in classes.iter().zip(row) {
        *cell = stepped(class, colour, *cell);
    }
}

#[inline(always)]
fn join_kernel<T: Nearness>(classes: &[u8], colour: u8, above: &mut [T], below: &[T], joined: &mut [T]) {
    for (((&class, above), &below), joined) in classes.iter().zip(above).zip(below).zip(joined) {
        *above = stepped(class, colour, *above);
        *joined = (*above).max(below);
    }
}

macro_rules! nearness {
    ($number:ty, $step:ident, $in_place:ident, $join:ident) => {
        dispatched! {
            fn $step(classes: &[u8], colour: u8, from: &[$number], to: &mut [$number]) = step_kernel;
        }
        dispatched! {
            fn $in_place(classes: &[u8], colour: u8, row: &mut [$number]) = step_in_place_kernel;
        }
        dispatched! {
            fn $join(classes: &[u8], colour: u8, above: &mut [$number], below: &[$number],
                joined: &mut [$number]) = join_kernel;
        }
        impl Nearness for $number {
            const HERE: Self = Self::MAX;

            #[inline(always)]
            fn distance(self) -> u32 {
                u32::from(Self::MAX - self)
            }

            #[inline(always)]
            fn one_further(self) -> Self {
                self.saturating_sub(1)
            }

            fn step(classes: &[u8], colour: u8, from: &[Self], to: &mut [Self]) {
                $step(classes, colour, from, to);
            }

            fn step_in_place(classes: &[u8], colour: u8, row: &mut [Self]) {
                $in_place(classes, colour, row);
            }

            fn step_and_join(
                classes: &[u8],
                colour: u8,
                above: &mut [Self],
                below: &[Self],
                joined: &mut [Self],
            ) {
                $join(classes, colour, above, below, joined);
            }
        }
    };
}

nearness!(u8, step_u8, step_in_place_u8, join_u8);
nearness!(u16, step_u16, step_in_place_u16, join_u16);
nearness!(u32, step_u32, step_in_place_u32, join_u32);

/// Size of the planes a sweep runs over.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Size {
    pub width: usize,
    pub height: usize,
}

impl Size {
    /// Length of a row buffer: the width, filled up to whole registers.
    pub fn padded_width(self) -> usize {
        self.width.next_multiple_of(PADDING_CELLS)
    }

    /// One row of a plane of this size.
    pub fn row(self, plane: &[u8], row: usize) -> &[u8] {
        &plane[row * self.width..][..self.width]
    }

    /// The bands from the top, as ranges of rows.
    pub fn bands(self) -> impl Iterator<Item = std::ops::Range<usize>> {
        let height = self.height;
        (0..height).step_by(BAND_ROWS).map(move |top| top..(top + BAND_ROWS).min(height))
    }
}

/// Vertical nearness of one plane to one colour, in two sweeps.
pub(crate) struct ColumnSweep<'a, T> {
    plane: &'a [u8],
    colour: u8,
    size: Size,
    /// Nearness below, at the row of the first sweep.
    below: Vec<T>,
    /// Row of nearness-below under each band, top band first.
    checkpoints: Vec<T>,
    /// Nearness above, at the row of the second sweep.
    above: Vec<T>,
}

impl<'a, T: Nearness> ColumnSweep<'a, T> {
    pub fn new(plane: &'a [u8], colour: u8, size: Size) -> Self {
        let row = vec![T::default(); size.padded_width()];
        let checkpoints = vec![T::default(); row.len() * size.bands().count()];
        Self { plane, colour, size, below: row.clone(), checkpoints, above: row }
    }

    /// First sweep: to be called for each row, bottom row first.
    pub fn rise(&mut self, row: usize) {
        if (row + 1).is_multiple_of(BAND_ROWS) {
            let start = row / BAND_ROWS * self.below.len();
            self.checkpoints[start..][..self.below.len()].copy_from_slice(&self.below);
        }
        T::step_in_place(self.size.row(self.plane, row), self.colour, &mut self.below);
    }

    /// Second sweep: recomputes the nearness below for the rows of a band into `buffer`.
    pub fn enter_band(&self, rows: std::ops::Range<usize>, buffer: &mut Vec<T>) {
        let padded = self.size.padded_width();
        buffer.resize(padded * (BAND_ROWS + 1), T::default());
        let checkpoint = &self.checkpoints[rows.start / BAND_ROWS * padded..][..padded];
        buffer[rows.len() * padded..][..padded].copy_from_slice(checkpoint);
        for row in rows.rev() {
            let (upper, lower) = buffer.split_at_mut((row % BAND_ROWS + 1) * padded);
            let to = &mut upper[row % BAND_ROWS * padded..];
            T::step(self.size.row(self.plane, row), self.colour, &lower[..padded], to);
        }
    }

    /// Second sweep: the nearness along the columns of a row, padding 0. `buffer` is that of
    /// [`ColumnSweep::enter_band`], rows come from the top.
    pub fn descend(&mut self, row: usize, buffer: &[T], joined: &mut [T]) {
        let padded = self.size.padded_width();
        let below = &buffer[row % BAND_ROWS * padded..][..padded];
        let classes = self.size.row(self.plane, row);
        T::step_and_join(classes, self.colour, &mut self.above, below, joined);
        joined[self.size.width..].fill(T::default());
    }

    /// Second sweep over a row whose nearness is not needed.
    pub fn skip(&mut self, row: usize) {
        T::step_in_place(self.size.row(self.plane, row), self.colour, &mut self.above);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Nearness by looking along every column.
    fn by_columns(plane: &[u8], size: Size) -> Vec<u16> {
        let nearest = |index: usize| {
            let (x, y) = (index % size.width, index / size.width);
            let rows = (0..size.height).filter(|row| plane[row * size.width + x] == 1);
            rows.map(|row| u16::MAX - row.abs_diff(y) as u16).max().unwrap_or(0)
        };
        (0..plane.len()).map(nearest).collect()
    }

    #[test]
    fn two_sweeps_give_the_nearness_of_every_row() {
        for height in [1, 2, 31, 32, 33, 64, 65, 100] {
            let size = Size { width: 5, height };
            let plane: Vec<u8> = (0..5 * height as u32)
                .map(|i| u8::from(i % 5 > 0 && i.wrapping_mul(2_654_435_761) >> 28 == 0))
                .collect();
            let mut sweep = ColumnSweep::<u16>::new(&plane, 1, size);
            (0..height).rev().for_each(|row| sweep.rise(row));
            let (mut band, mut joined, mut found) = (Vec::new(), vec![7; size.padded_width()], Vec::new());
            for rows in size.bands() {
                sweep.enter_band(rows.clone(), &mut band);
                for row in rows {
                    sweep.descend(row, &band, &mut joined);
                    found.extend_from_slice(&joined[..5]);
                    assert!(joined[5..].iter().all(|&padding| padding == 0));
                }
            }
            assert_eq!(found, by_columns(&plane, size), "height {height}");
        }
    }

    #[test]
    fn a_skipped_row_still_counts_for_those_below() {
        let size = Size { width: 1, height: 3 };
        let mut sweep = ColumnSweep::<u8>::new(&[1, 0, 0], 1, size);
        (0..3).rev().for_each(|row| sweep.rise(row));
        let (mut band, mut joined) = (Vec::new(), vec![0; size.padded_width()]);
        sweep.enter_band(0..3, &mut band);
        sweep.skip(0);
        sweep.skip(1);
        sweep.descend(2, &band, &mut joined);
        assert_eq!(joined[0].distance(), 2);
    }

    #[test]
    fn a_byte_saturates_beyond_its_range() {
        let mut row = [200_u8, 1, 0];
        u8::step_in_place(&[0, 0, 0], 1, &mut row);
        assert_eq!(row, [199, 0, 0]);
        assert_eq!(row.map(Nearness::distance), [56, 255, 255]);
    }
}

//! Spreads nearness along a row with slope one, and sums the distances at the cells that ask.
//!
//! ```text
//! spread(x) = max over x' of nearness(x') - |x - x'|
//! ```
//!
//! Two passes over the row. The AVX2 form takes a whole register at a time: inside it the maximum runs
//! over 1, 2, 4, ... lanes, between registers only one number is carried on.

use crate::dispatch::dispatched_avx2;
use crate::nearness::Nearness;

/// Sum and maximum of the distances of one row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct RowSum {
    pub sum: u64,
    pub max: u32,
}

/// A nearness that can be spread along a row.
pub(crate) trait Spread: Nearness {
    /// Spreads the row and sums the distances where `askers` has the colour. `row` is padded with zeros
    /// beyond the askers to whole registers; it is left in an unspecified state.
    fn spread_and_sum(row: &mut [Self], askers: &[u8], colour: u8) -> RowSum;
}

dispatched_avx2! {
    fn spread_u8(row: &mut [u8], askers: &[u8], colour: u8) -> RowSum =
        avx2::spread_u8 | spread_one_by_one;
}
dispatched_avx2! {
    fn spread_u16(row: &mut [u16], askers: &[u8], colour: u8) -> RowSum =
        avx2::spread_u16 | spread_one_by_one;
}

impl Spread for u8 {
    fn spread_and_sum(row: &mut [Self], askers: &[u8], colour: u8) -> RowSum {
        spread_u8(row, askers, colour)
    }
}

impl Spread for u16 {
    fn spread_and_sum(row: &mut [Self], askers: &[u8], colour: u8) -> RowSum {
        spread_u16(row, askers, colour)
    }
}

/// For maps of more than 65534 cells in width and height together: rare, so not tuned.
impl Spread for u32 {
    fn spread_and_sum(row: &mut [Self], askers: &[u8], colour: u8) -> RowSum {
        spread_one_by_one(row, askers, colour)
    }
}

/// Portable form.
fn spread_one_by_one<T: Nearness>(row: &mut [T], askers: &[u8], colour: u8) -> RowSum {
    let mut carried = T::default();
    for cell in row.iter_mut() {
        carried = carried.one_further().max(*cell);
        *cell = carried;
    }
    let mut found = RowSum::default();
    carried = T::default();
    for (cell, &asker) in row[..askers.len()].iter().zip(askers).rev() {
        carried = carried.one_further().max(*cell);
        if asker == colour {
            found.sum += u64::from(carried.distance());
            found.max = found.max.max(carried.distance());
        }
    }
    found
}

#[cfg(target_arch = "x86_64")]
#[path = "spread_avx2.rs"]
mod avx2;

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn one_source_spreads_to_both_sides() {
        let mut row = vec![0_u8; 64];
        row[2] = 255;
        let askers = [1, 1, 1, 1, 1, 0];
        assert_eq!(u8::spread_and_sum(&mut row, &askers, 1), RowSum { sum: 2 + 1 + 1 + 2, max: 2 });
    }

    #[test]
    fn wide_rows_of_far_cells_do_not_overflow() {
        let cells = 1 << 20;
        let expected = RowSum { sum: cells * 65_534, max: 65_534 };
        let askers = vec![1; cells as usize];
        assert_eq!(u16::spread_and_sum(&mut vec![1; cells as usize], &askers, 1), expected);
    }

    proptest! {
        #[test]
        fn registers_and_single_cells_agree(
            cells in proptest::collection::vec((0..300_u16, 0..3_u8), 1..200), far in 0..300_u16,
        ) {
            let (near, askers): (Vec<u16>, Vec<u8>) =
                cells.iter().map(|&(near, asker)| (near.saturating_sub(far), asker)).unzip();
            let padded = near.len().next_multiple_of(64);
            let mut words: Vec<u16> = near.iter().map(|&n| if n > 0 { u16::MAX - 300 + n } else { 0 }).collect();
            let mut bytes: Vec<u8> = near.iter().map(|&n| n.min(255) as u8).collect();
            words.resize(padded, 0);
            bytes.resize(padded, 0);
            let expected = spread_one_by_one(&mut words.clone(), &askers, 1);
            prop_assert_eq!(u16::spread_and_sum(&mut words, &askers, 1), expected);
            let expected = spread_one_by_one(&mut bytes.clone(), &askers, 1);
            prop_assert_eq!(u8::spread_and_sum(&mut bytes, &askers, 1), expected);
        }
    }
}

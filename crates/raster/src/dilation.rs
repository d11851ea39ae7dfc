//! Dilation by a square: every cell within a Chebyshev distance of a set cell is set too.
//!
//! Two passes along the rows and two along the columns, whatever the radius.

/// Grows a mask of 0 and 1 by `radius_cells` in all eight directions.
///
/// # Panics
/// The mask is no whole number of rows.
pub fn dilated(mask: &[u8], width: usize, radius_cells: usize) -> Vec<u8> {
    assert!(width > 0 && mask.len().is_multiple_of(width), "a mask of whole rows");
    let mut grown = vec![0; mask.len()];
    for (row, out) in mask.chunks(width).zip(grown.chunks_mut(width)) {
        let mut reach = Reach::new(radius_cells);
        (0..width).for_each(|x| out[x] |= reach.step(row[x]));
        let mut reach = Reach::new(radius_cells);
        (0..width).rev().for_each(|x| out[x] |= reach.step(row[x]));
    }
    let along_rows = grown.clone();
    let rows = mask.len() / width;
    spread_down(&along_rows, &mut grown, width, radius_cells, 0..rows);
    spread_down(&along_rows, &mut grown, width, radius_cells, (0..rows).rev());
    grown
}

fn spread_down(
    from: &[u8],
    into: &mut [u8],
    width: usize,
    radius_cells: usize,
    rows: impl Iterator<Item = usize>,
) {
    let mut reaches = vec![Reach::new(radius_cells); width];
    for row in rows {
        let (from, into) = (&from[row * width..][..width], &mut into[row * width..][..width]);
        for ((out, &set), reach) in into.iter_mut().zip(from).zip(&mut reaches) {
            *out |= reach.step(set);
        }
    }
}

/// How far the last set cell still reaches.
#[derive(Clone, Copy)]
struct Reach {
    radius_cells: usize,
    left_cells: usize,
}

impl Reach {
    const fn new(radius_cells: usize) -> Self {
        Self { radius_cells, left_cells: 0 }
    }

    /// Moves one cell on; 1 if this cell lies within reach.
    fn step(&mut self, set: u8) -> u8 {
        let within = u8::from(set != 0 || self.left_cells > 0);
        self.left_cells = if set != 0 { self.radius_cells } else { self.left_cells.saturating_sub(1) };
        within
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(rows: &[&str]) -> Vec<u8> {
        rows.iter().flat_map(|r| r.bytes()).map(|b| u8::from(b == b'#')).collect()
    }

    #[test]
    fn a_cell_becomes_a_square_cut_by_the_border() {
        let mask = drawn(&[".....", ".....", "...#."]);
        assert_eq!(dilated(&mask, 5, 0), mask);
        assert_eq!(dilated(&mask, 5, 1), drawn(&[".....", "..###", "..###"]));
        assert_eq!(dilated(&mask, 5, 3), drawn(&["#####", "#####", "#####"]));
    }

    #[test]
    fn an_empty_mask_stays_empty() {
        assert_eq!(dilated(&[0; 6], 3, 2), [0; 6]);
        assert_eq!(dilated(&[], 3, 2), [] as [u8; 0]);
    }
}

//! The sum of a field at the cells of points that were turned and moved.
//!
//! Cells are computed first, many points at a time, and looked up then: the arithmetic runs wide, and the sum in lanes of
//! its own does not wait for one addition after the other. The order of the additions is the same on every processor.

use crate::dispatch::dispatched;

/// Points whose cells are computed together, and sums that are kept apart.
const LANES: usize = 16;
/// Stands for a place outside of the field.
const OUTSIDE: u32 = u32::MAX;

/// Values row by row, at most 2^22 columns and rows.
#[derive(Clone, Copy, Debug)]
pub struct Field<'a> {
    /// Value of each cell.
    pub values: &'a [f32],
    pub width: usize,
    pub height: usize,
}

/// A turn, then a move, in cells.
#[derive(Clone, Copy, Debug)]
pub struct Turned {
    /// Sine of the turn.
    pub sin: f32,
    /// Cosine of the turn.
    pub cos: f32,
    /// Columns moved.
    pub x: f32,
    /// Rows moved.
    pub y: f32,
}

dispatched! {
    /// Σ value of the cell of each point; what lies outside adds 0. Cell (column, row) covers
    /// [column, column + 1) x [row, row + 1).
    pub fn sampled_sum(field: Field<'_>, xs: &[f32], ys: &[f32], turned: Turned) -> f32 = kernel;
}

#[inline(always)]
fn kernel(field: Field<'_>, xs: &[f32], ys: &[f32], turned: Turned) -> f32 {
    let mut sums = [0.0_f32; LANES];
    let ((x_blocks, x_rest), (y_blocks, y_rest)) = (xs.as_chunks::<LANES>(), ys.as_chunks::<LANES>());
    for (xs, ys) in x_blocks.iter().zip(y_blocks) {
        add(field, xs, ys, turned, &mut sums);
    }
    // Points that are no number lie outside.
    let (mut last_xs, mut last_ys) = ([f32::NAN; LANES], [f32::NAN; LANES]);
    last_xs[..x_rest.len()].copy_from_slice(x_rest);
    last_ys[..y_rest.len()].copy_from_slice(y_rest);
    add(field, &last_xs, &last_ys, turned, &mut sums);
    sums.iter().sum()
}

#[inline(always)]
fn add(field: Field<'_>, xs: &[f32; LANES], ys: &[f32; LANES], turned: Turned, sums: &mut [f32; LANES]) {
    let (columns, rows, width) = (field.width as f32, field.height as f32, field.width as u32);
    let Turned { sin, cos, x, y } = turned;
    let mut cells = [OUTSIDE; LANES];
    for lane in 0..LANES {
        let column = x + cos * xs[lane] - sin * ys[lane];
        let row = y + sin * xs[lane] + cos * ys[lane];
        let is_inside = (column >= 0.0) & (row >= 0.0) & (column < columns) & (row < rows);
        let index = floor(row).wrapping_mul(width).wrapping_add(floor(column));
        cells[lane] = if is_inside { index } else { OUTSIDE };
    }
    for lane in 0..LANES {
        sums[lane] += match field.values.get(cells[lane] as usize) {
            Some(value) => *value,
            None => 0.0,
        };
    }
}

/// The whole part of a number from 0 to 2^22; of others anything. A cast would be exact for all, and not be done wide: this
/// adds 2^23, which leaves the number rounded in the last bits, and takes one off where that was up.
#[inline(always)]
pub(crate) fn floor(number: f32) -> u32 {
    const WHOLE: f32 = 8_388_608.0;
    let rounded = number + WHOLE;
    let is_up = rounded - WHOLE > number;
    (rounded.to_bits() & 0x7f_ffff).wrapping_sub(u32::from(is_up))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equals_the_definition_and_the_portable_form() {
        let mut random = testkit::Random(7);
        let (width, height) = (90, 33);
        let values: Vec<f32> = (0..width * height).map(|_| random.below(256) as f32).collect();
        let field = Field { values: &values, width, height };
        for count in [0, 1, 7, 8, 64, 65, 300] {
            let mut draw =
                || (0..count).map(|_| random.below(4000) as f32 / 100.0 - 20.0).collect::<Vec<_>>();
            let (xs, ys) = (draw(), draw());
            let (sin, cos) = 0.7_f32.sin_cos();
            let turned = Turned { sin, cos, x: 12.3, y: 9.1 };
            let at = |(px, py): (&f32, &f32)| {
                let (column, row) = (12.3 + cos * px - sin * py, 9.1 + sin * px + cos * py);
                let is_inside = column >= 0.0 && row >= 0.0 && column < width as f32 && row < height as f32;
                if is_inside { values[row as usize * width + column as usize] } else { 0.0 }
            };
            // Whole numbers below 2^24: any order of additions gives the same sum.
            let expected: f32 = xs.iter().zip(&ys).map(at).sum();
            assert_eq!(sampled_sum(field, &xs, &ys, turned), expected, "{count} points");
            assert_eq!(kernel(field, &xs, &ys, turned), expected, "{count} points");
        }
    }

    #[test]
    fn whole_parts() {
        for number in [0.0, 0.3, 0.5, 0.7, 0.999_999_94, 1.0, 1.5, 2.5, 799.999_94, 4_194_303.5] {
            assert_eq!(floor(number), number as u32, "{number}");
        }
    }

    #[test]
    fn what_is_no_number_or_far_away_adds_nothing() {
        let field = Field { values: &[5.0], width: 1, height: 1 };
        let still = Turned { sin: 0.0, cos: 1.0, x: 0.0, y: 0.0 };
        let xs = [0.5, f32::NAN, f32::INFINITY, -0.5, 1e30];
        assert_eq!(sampled_sum(field, &xs, &[0.5; 5], still), 5.0);
        assert_eq!(sampled_sum(Field { values: &[], width: 0, height: 0 }, &xs, &[0.5; 5], still), 0.0);
    }
}

//! The sum of a field at the cells of points that were turned and moved.
//!
//! Cells are computed first, many points at a time, and looked up then: the arithmetic runs wide, and the sum in lanes of
//! its own does not wait for one addition after the other. The order of the additions is the same on every processor.

use crate::dispatch::dispatched;

/// Points whose cells are computed together.
const BLOCK: usize = 64;
/// Sums that are kept apart.
const LANES: usize = 8;
/// Stands for a place outside of the field.
const OUTSIDE: u32 = u32::MAX;

/// Values row by row. No more than 2^31 of them can be told apart.
#[derive(Clone, Copy, Debug)]
pub struct Field<'a> {
    /// Value of each cell.
    pub values: &'a [f32],
    /// Columns.
    pub width: usize,
    /// Rows.
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
    let (columns, rows, width) = (field.width as f32, field.height as f32, field.width as i32);
    let Turned { sin, cos, x, y } = turned;
    let mut sums = [0.0_f32; LANES];
    let mut cells = [OUTSIDE; BLOCK];
    for (xs, ys) in xs.chunks(BLOCK).zip(ys.chunks(BLOCK)) {
        for ((cell, point_x), point_y) in cells.iter_mut().zip(xs).zip(ys) {
            let column = x + cos * point_x - sin * point_y;
            let row = y + sin * point_x + cos * point_y;
            let is_inside = (column >= 0.0) & (row >= 0.0) & (column < columns) & (row < rows);
            // From 0 on, cutting off the fraction is rounding down.
            let index = (row as i32).wrapping_mul(width).wrapping_add(column as i32);
            *cell = if is_inside { index as u32 } else { OUTSIDE };
        }
        for cells in cells[..xs.len().min(ys.len())].chunks(LANES) {
            for (sum, cell) in sums.iter_mut().zip(cells) {
                *sum += field.values.get(*cell as usize).copied().unwrap_or(0.0);
            }
        }
    }
    sums.iter().sum()
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
            let mut draw = || (0..count).map(|_| random.below(4000) as f32 / 100.0 - 20.0).collect::<Vec<_>>();
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
    fn what_is_no_number_or_far_away_adds_nothing() {
        let field = Field { values: &[5.0], width: 1, height: 1 };
        let still = Turned { sin: 0.0, cos: 1.0, x: 0.0, y: 0.0 };
        let xs = [0.5, f32::NAN, f32::INFINITY, -0.5, 1e30];
        assert_eq!(sampled_sum(field, &xs, &[0.5; 5], still), 5.0);
        assert_eq!(sampled_sum(Field { values: &[], width: 0, height: 0 }, &xs, &[0.5; 5], still), 0.0);
    }
}

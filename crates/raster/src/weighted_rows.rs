//! Weighted sums of rows, cell by cell: the two steps of smoothing a plane by a kernel that is the product of two.

use crate::dispatch::dispatched;

const LANES: usize = 16;

dispatched! {
    /// Sets each cell of a row to the sum of the rows by their weights, in the order given, over `total`.
    ///
    /// # Panics
    /// A row that is shorter than the target.
    pub fn weighted_sum(rows: &[(&[f32], f32)], total: f32, target: &mut [f32]) = weighted_sum_kernel;
}

#[inline(always)]
fn weighted_sum_kernel(rows: &[(&[f32], f32)], total: f32, target: &mut [f32]) {
    let width = target.len();
    let (blocks, rest) = target.as_chunks_mut::<LANES>();
    for (block, cells) in blocks.iter_mut().enumerate() {
        let mut sums = [0.0_f32; LANES];
        for (row, weight) in rows {
            let values = &row[..width][block * LANES..][..LANES];
            for lane in 0..LANES {
                sums[lane] += weight * values[lane];
            }
        }
        *cells = sums.map(|sum| sum / total);
    }
    let first = width - rest.len();
    for (column, cell) in (first..).zip(rest) {
        *cell = rows.iter().fold(0.0, |sum, (row, weight)| sum + weight * row[column]) / total;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equals_the_sum_of_each_cell_by_itself() {
        let mut random = testkit::Random(7);
        for width in [0, 1, 15, 16, 40] {
            let mut row = || (0..width).map(|_| random.below(1000) as f32 / 7.0).collect::<Vec<_>>();
            let (one, other) = (row(), row());
            let mut found = vec![5.0; width];
            weighted_sum(&[(&one, 0.3), (&other, 0.7)], 1.5, &mut found);
            let expected = one.iter().zip(&other).map(|(a, b)| (0.0 + 0.3 * a + 0.7 * b) / 1.5);
            assert_eq!(found, expected.collect::<Vec<f32>>());
        }
    }
}

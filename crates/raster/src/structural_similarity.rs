//! Mean structural similarity (SSIM) of two grey planes.
//!
//! ```text
//! S = (2 μa μb + C1) (2 σab + C2) / ((μa² + μb² + C1) (σa² + σb² + C2)),  C1 = (0.01 R)², C2 = (0.03 R)²
//! ```
//!
//! over windows of 7 x 7 cells that lie inside the planes, R the data range; then the mean. Unit: none.
//! Range: -1 to 1. Better: higher. Paper: Wang, Bovik, Sheikh, Simoncelli 2004, eq. (13). Departure:
//! uniform window and sample covariance (divided by 48, not 49), as scikit-image's defaults.
//!
//! The sums of a window are integers that slide from row to row, so they are exact.

use crate::dispatch::dispatched;

/// Side of the window in cells.
const WINDOW: usize = 7;
/// Cells of the window.
const CELLS: i32 = (WINDOW * WINDOW) as i32;
/// Constants of the paper, section III-B.
const K1: f64 = 0.01;
const K2: f64 = 0.03;
/// Partial sums per row, so that wide and narrow instructions add in the same order.
const LANES: usize = 8;

/// Mean similarity of two planes of grey values; none if a side is shorter than the window or the data
/// range is not a positive number.
///
/// # Panics
/// A plane does not have `width * height` cells.
pub fn mean_structural_similarity(
    a: &[u8],
    b: &[u8],
    width: usize,
    height: usize,
    data_range: f64,
) -> Option<f64> {
    assert_eq!(a.len(), width * height, "first plane of another size");
    assert_eq!(b.len(), width * height, "second plane of another size");
    if width < WINDOW || height < WINDOW || !(data_range.is_finite() && data_range > 0.0) {
        return None;
    }
    let stabilisers = Stabilisers::of(data_range);
    let mut columns = ColumnSums::new(width);
    let mut total = 0.0;
    for row in 0..height {
        let [entering_a, entering_b] = [a, b].map(|plane| &plane[row * width..][..width]);
        columns.add(entering_a, entering_b);
        if row + 1 < WINDOW {
            continue;
        }
        total += row_total(&columns, &stabilisers);
        let top = row + 1 - WINDOW;
        let [leaving_a, leaving_b] = [a, b].map(|plane| &plane[top * width..][..width]);
        columns.subtract(leaving_a, leaving_b);
    }
    Some(total / ((width + 1 - WINDOW) as f64 * (height + 1 - WINDOW) as f64))
}

/// C1 and C2, scaled like the integer sums they are added to.
#[derive(Clone, Copy)]
struct Stabilisers {
    /// C1 times 49², for products of two sums.
    means: f64,
    /// C2 times 49 * 48, for sample covariances times that.
    covariances: f64,
}

impl Stabilisers {
    fn of(data_range: f64) -> Self {
        let cells = f64::from(CELLS);
        Self {
            means: (K1 * data_range).powi(2) * cells * cells,
            covariances: (K2 * data_range).powi(2) * cells * (cells - 1.0),
        }
    }
}

/// Sums over the rows of the window, for each column. All fit: 7 * 2 * 255² < 2^20.
struct ColumnSums {
    a: Vec<i32>,
    b: Vec<i32>,
    /// a² + b²: only the sum of the two variances is needed.
    squares: Vec<i32>,
    products: Vec<i32>,
}

impl ColumnSums {
    fn new(width: usize) -> Self {
        let zeros = || vec![0; width];
        Self { a: zeros(), b: zeros(), squares: zeros(), products: zeros() }
    }

    fn add(&mut self, a: &[u8], b: &[u8]) {
        change_columns(self, a, b, 1);
    }

    fn subtract(&mut self, a: &[u8], b: &[u8]) {
        change_columns(self, a, b, -1);
    }
}

dispatched! {
    /// Adds a row `sign` times.
    fn change_columns(columns: &mut ColumnSums, a: &[u8], b: &[u8], sign: i32) = change_kernel;
}

#[inline(always)]
fn change_kernel(columns: &mut ColumnSums, a: &[u8], b: &[u8], sign: i32) {
    let sums = columns.a.iter_mut().zip(&mut columns.b).zip(&mut columns.squares).zip(&mut columns.products);
    for ((((sum_a, sum_b), squares), products), (&a, &b)) in sums.zip(a.iter().zip(b)) {
        let (a, b) = (i32::from(a), i32::from(b));
        *sum_a += sign * a;
        *sum_b += sign * b;
        *squares += sign * (a * a + b * b);
        *products += sign * (a * b);
    }
}

dispatched! {
    /// Sum of the similarities of all windows of one row.
    fn row_total(columns: &ColumnSums, stabilisers: &Stabilisers) -> f64 = row_kernel;
}

#[inline(always)]
fn row_kernel(columns: &ColumnSums, stabilisers: &Stabilisers) -> f64 {
    let windows = columns.a.len() + 1 - WINDOW;
    let mut totals = [0.0; LANES];
    let whole = windows / LANES * LANES;
    for start in (0..whole).step_by(LANES) {
        let a = window_sums(&columns.a, start);
        let b = window_sums(&columns.b, start);
        let squares = window_sums(&columns.squares, start);
        let products = window_sums(&columns.products, start);
        for lane in 0..LANES {
            totals[lane] += similarity(a[lane], b[lane], squares[lane], products[lane], stabilisers);
        }
    }
    for start in whole..windows {
        let [a, b, squares, products] = [&columns.a, &columns.b, &columns.squares, &columns.products]
            .map(|sums| sums[start..][..WINDOW].iter().sum());
        totals[start - whole] += similarity(a, b, squares, products, stabilisers);
    }
    totals.iter().sum()
}

/// Sums over the columns of [`LANES`] windows side by side.
#[inline(always)]
fn window_sums(columns: &[i32], start: usize) -> [i32; LANES] {
    let columns = &columns[start..][..LANES + WINDOW - 1];
    let mut sums = [0; LANES];
    for (lane, sum) in sums.iter_mut().enumerate() {
        for offset in 0..WINDOW {
            *sum += columns[lane + offset];
        }
    }
    sums
}

/// Eq. (13) for one window, both fractions multiplied by 49² and 49 * 48. All integers stay below 2^31.
#[inline(always)]
fn similarity(a: i32, b: i32, squares: i32, products: i32, stabilisers: &Stabilisers) -> f64 {
    let product_of_means = 2 * (a * b);
    let squared_means = a * a + b * b;
    let covariance = 2 * (CELLS * products) - product_of_means;
    let variances = CELLS * squares - squared_means;
    (f64::from(product_of_means) + stabilisers.means) * (f64::from(covariance) + stabilisers.covariances)
        / ((f64::from(squared_means) + stabilisers.means) * (f64::from(variances) + stabilisers.covariances))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The definition, window by window.
    fn by_windows(a: &[u8], b: &[u8], width: usize, height: usize, range: f64) -> f64 {
        let (c1, c2) = ((0.01 * range).powi(2), (0.03 * range).powi(2));
        let mut values = Vec::new();
        for top in 0..=height - 7 {
            for left in 0..=width - 7 {
                let cells: Vec<(f64, f64)> = (0..49)
                    .map(|k| (top + k / 7) * width + left + k % 7)
                    .map(|index| (f64::from(a[index]), f64::from(b[index])))
                    .collect();
                let mean_a = cells.iter().map(|c| c.0).sum::<f64>() / 49.0;
                let mean_b = cells.iter().map(|c| c.1).sum::<f64>() / 49.0;
                let covariance = |f: &dyn Fn(&(f64, f64)) -> f64| cells.iter().map(f).sum::<f64>() / 48.0;
                let var_a = covariance(&|c| (c.0 - mean_a).powi(2));
                let var_b = covariance(&|c| (c.1 - mean_b).powi(2));
                let cov = covariance(&|c| (c.0 - mean_a) * (c.1 - mean_b));
                values.push(
                    (2.0 * mean_a * mean_b + c1) * (2.0 * cov + c2)
                        / ((mean_a * mean_a + mean_b * mean_b + c1) * (var_a + var_b + c2)),
                );
            }
        }
        values.iter().sum::<f64>() / values.len() as f64
    }

    #[test]
    fn equal_planes_have_similarity_one() {
        let plane: Vec<u8> = (0..9 * 8).map(|i| (i * 37 % 256) as u8).collect();
        assert_eq!(mean_structural_similarity(&plane, &plane, 9, 8, 255.0), Some(1.0));
    }

    #[test]
    fn black_against_white_by_hand() {
        // No variance: S = C1 / (255² + C1) with C1 = 2.55² = 6.5025.
        let found = mean_structural_similarity(&[0; 49], &[255; 49], 7, 7, 255.0).unwrap();
        assert!((found - 6.5025 / (65025.0 + 6.5025)).abs() < 1e-15);
    }

    #[test]
    fn one_white_cell_by_hand() {
        // Sums 255 and 0: means 255/49 and 0; variance (255² - 255²/49) / 48 = 255²/49; covariance 0.
        let mut a = [0; 49];
        a[24] = 255;
        let (mean_squared, variance, c1, c2) = ((255.0_f64 / 49.0).powi(2), 65025.0 / 49.0, 6.5025, 58.5225);
        let expected = c1 * c2 / ((mean_squared + c1) * (variance + c2));
        let found = mean_structural_similarity(&a, &[0; 49], 7, 7, 255.0).unwrap();
        assert!((found - expected).abs() < 1e-15);
    }

    #[test]
    fn planes_below_the_window_and_senseless_ranges_are_undefined() {
        assert_eq!(mean_structural_similarity(&[0; 42], &[0; 42], 6, 7, 255.0), None);
        assert_eq!(mean_structural_similarity(&[0; 42], &[0; 42], 7, 6, 255.0), None);
        for range in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert_eq!(mean_structural_similarity(&[0; 49], &[0; 49], 7, 7, range), None);
        }
    }

    #[test]
    fn full_white_does_not_overflow() {
        assert_eq!(mean_structural_similarity(&[255; 100], &[255; 100], 10, 10, 255.0), Some(1.0));
    }

    proptest! {
        #[test]
        fn equals_the_definition(width in 7..30_usize, height in 7..20_usize, seed in any::<u64>()) {
            let mut state = seed | 1;
            let mut draw = || {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                [0, 128, 255, (state >> 40) as u8][(state >> 60) as usize % 4]
            };
            let a: Vec<u8> = (0..width * height).map(|_| draw()).collect();
            let b: Vec<u8> = (0..width * height).map(|_| draw()).collect();
            let found = mean_structural_similarity(&a, &b, width, height, 255.0).unwrap();
            prop_assert!((found - by_windows(&a, &b, width, height, 255.0)).abs() < 1e-12);
            let swapped = mean_structural_similarity(&b, &a, width, height, 255.0).unwrap();
            prop_assert_eq!(found, swapped);
        }
    }
}

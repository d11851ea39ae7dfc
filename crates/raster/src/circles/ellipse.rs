//! Whether an outline is longer than wide.

use super::rays::Ray;

/// How strongly all harmonics are held, as a share of the number of rays: half an outline does not determine them.
const PRIOR: f64 = 0.02;
/// 1, cos t, sin t, cos 2t, sin 2t.
const HARMONICS: usize = 5;

/// Amplitude of the second harmonic of an outline's distance from its circle, in cells: half the difference of the half axes
/// of an ellipse.
pub(super) fn second_harmonic(rays: &[&Ray]) -> f64 {
    let mut normal = [[0.0; HARMONICS]; HARMONICS];
    let mut right = [0.0; HARMONICS];
    for ray in rays {
        let [x, y] = ray.direction.map(f64::from);
        let row = [1.0, x, y, x * x - y * y, 2.0 * x * y];
        for (i, of_row) in row.iter().enumerate() {
            for (sum, of_column) in normal[i].iter_mut().zip(row) {
                *sum += of_row * of_column;
            }
            right[i] += of_row * f64::from(ray.offset);
        }
    }
    for (i, row) in normal.iter_mut().enumerate() {
        row[i] += PRIOR * rays.len().max(1) as f64;
    }
    let [.., cos, sin] = solved(normal, right);
    cos.hypot(sin)
}

/// Gaussian elimination; the prior makes the matrix positive, so that no pivot is sought.
fn solved(mut matrix: [[f64; HARMONICS]; HARMONICS], mut right: [f64; HARMONICS]) -> [f64; HARMONICS] {
    for pivot in 0..HARMONICS {
        let above = matrix[pivot];
        for row in pivot + 1..HARMONICS {
            let factor = matrix[row][pivot] / above[pivot];
            for (cell, above) in matrix[row].iter_mut().zip(above) {
                *cell -= factor * above;
            }
            right[row] -= factor * right[pivot];
        }
    }
    for row in (0..HARMONICS).rev() {
        let known: f64 = (row + 1..HARMONICS).map(|column| matrix[row][column] * right[column]).sum();
        right[row] = (right[row] - known) / matrix[row][row];
    }
    right
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::circles::rays::{Meets, directions};

    #[test]
    fn an_ellipse_has_half_the_difference_of_its_half_axes() {
        // Half axes 11 and 9 around a circle of 10: the offset is cos 2t to first order.
        let ray = |direction: [f32; 2]| {
            let [x, y] = direction;
            let away = 1.0 / ((x / 11.0).powi(2) + (y / 9.0).powi(2)).sqrt();
            Ray { meets: Meets::Outline, direction, offset: away - 10.0 }
        };
        let rays: Vec<Ray> = directions(10.0).into_iter().map(ray).collect();
        let found = second_harmonic(&rays.iter().collect::<Vec<_>>());
        assert!((found - 1.0).abs() < 0.06, "{found}");
        assert_eq!(second_harmonic(&[]), 0.0);
    }
}

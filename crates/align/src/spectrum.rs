//! Fourier transforms of square images, and the shift between two of them by phase correlation.

use std::sync::Arc;

use rustfft::num_complex::Complex32;
use rustfft::{Fft, FftPlanner};

/// Transforms of images of one size.
pub(crate) struct Spectra {
    pub(crate) width: usize,
    pub(crate) height: usize,
    rows: [Arc<dyn Fft<f32>>; 2],
    columns: [Arc<dyn Fft<f32>>; 2],
}

impl Spectra {
    pub(crate) fn new(width: usize, height: usize) -> Self {
        let mut planner = FftPlanner::new();
        let rows = [planner.plan_fft_forward(width), planner.plan_fft_inverse(width)];
        let columns = [planner.plan_fft_forward(height), planner.plan_fft_inverse(height)];
        Self { width, height, rows, columns }
    }

    /// The spectrum of an image, transposed: entry (v, u) of frequency u along x is at `u * height + v`.
    pub(crate) fn forward(&self, image: &[f32]) -> Vec<Complex32> {
        let mut rows: Vec<Complex32> = image.iter().map(|&value| Complex32::new(value, 0.0)).collect();
        self.rows[0].process(&mut rows);
        let mut columns = transposed(&rows, self.width);
        self.columns[0].process(&mut columns);
        columns
    }

    /// Real part of the image of a transposed spectrum, not normalised.
    fn inverse(&self, mut columns: Vec<Complex32>) -> Vec<f32> {
        self.columns[1].process(&mut columns);
        let mut rows = transposed(&columns, self.height);
        self.rows[1].process(&mut rows);
        rows.iter().map(|value| value.re).collect()
    }

    /// How likely each shift is that brings `map` onto `truth`: the cross-power spectrum without its magnitudes.
    pub(crate) fn phase_correlation(&self, truth: &[Complex32], map: &[Complex32]) -> Vec<f32> {
        let phase = |(t, m): (&Complex32, &Complex32)| {
            let product = t * m.conj();
            let size = product.norm();
            if size > 1e-12 { product / size } else { Complex32::default() }
        };
        self.inverse(truth.iter().zip(map).map(phase).collect())
    }
}

fn transposed(values: &[Complex32], width: usize) -> Vec<Complex32> {
    let height = values.len() / width;
    (0..width).flat_map(|column| (0..height).map(move |row| values[row * width + column])).collect()
}

/// Places of the highest values, each with its surroundings taken out; the image repeats at its borders.
pub(crate) fn peaks(mut values: Vec<f32>, width: usize, most: usize, radius: isize) -> Vec<(usize, usize)> {
    let height = values.len() / width;
    let mut found = Vec::new();
    for _ in 0..most {
        let Some((index, _)) = values.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1)) else {
            break;
        };
        let (column, row) = (index % width, index / width);
        found.push((column, row));
        for dy in -radius..=radius {
            for dx in -radius..=radius {
                let x = (column as isize + dx).rem_euclid(width as isize) as usize;
                let y = (row as isize + dy).rem_euclid(height as isize) as usize;
                values[y * width + x] = f32::NEG_INFINITY;
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shift_of_a_picture_is_its_peak() {
        let (width, height) = (16, 12);
        let image: Vec<f32> = (0..width * height).map(|i| ((i * i * 7 + i) % 31) as f32).collect();
        let moved: Vec<f32> = (0..width * height)
            .map(|i| image[(i / width + height - 3) % height * width + (i % width + 5) % width])
            .collect();
        let spectra = Spectra::new(width, height);
        let likely = spectra.phase_correlation(&spectra.forward(&moved), &spectra.forward(&image));
        assert_eq!(peaks(likely, width, 1, 0), [(width - 5, 3)], "11 = -5 to the right, 3 down");
    }
}

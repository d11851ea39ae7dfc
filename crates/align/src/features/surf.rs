//! SURF key points, written from the paper (Bay, Ess, Tuytelaars, Van Gool 2008) so that its use on maps can be
//! compared, as Pellenz' article proposes.
//!
//! Fast Hessian by box filters of 9, 15, 21, 27 and 15, 27, 39, 51 cells, maxima over place and scale; orientation
//! from Haar responses within 6 scales; descriptor of 4 x 4 fields of 5 x 5 samples, (Σdx, Σdy, Σ|dx|, Σ|dy|) each.
//! Departure: no interpolation between places and scales; a cell of the fine image is a quarter of the tolerance.

use std::f64::consts::{PI, TAU};

use super::Feature;
use crate::pooled::Pooled;

/// Sizes of the box filters by octave.
const OCTAVES: [[usize; 4]; 2] = [[9, 15, 21, 27], [15, 27, 39, 51]];
/// Least determinant of the Hessian, of an image with values 0 to 1.
const MIN_RESPONSE: f64 = 1e-4;
/// Weight of the mixed derivative: box filters against Gaussians (paper, eq. 3).
const MIXED: f64 = 0.9;

/// All key points of an image: free is bright, occupied dark, unknown between.
pub(super) fn key_points(pooled: &Pooled) -> Vec<Feature> {
    let image = Integral::new(pooled);
    let mut found = Vec::new();
    for sizes in OCTAVES {
        let layers: Vec<Vec<f64>> = sizes.iter().map(|&size| hessians(&image, size)).collect();
        for (layer, &size) in sizes.iter().enumerate().skip(1).take(2) {
            for index in maxima(&layers[layer - 1..=layer + 1], image.width, size / 2 + 1) {
                let (column, row) = (index % image.width, index / image.width);
                let scale = 1.2 * size as f64 / 9.0;
                let at = [column as f64 + 0.5, row as f64 + 0.5];
                let direction = direction(&image, at, scale);
                found.push(Feature {
                    at: pooled.center_of(column, row),
                    descriptor: descriptor(&image, at, scale, direction),
                    strength: layers[layer][index] as f32,
                });
            }
        }
    }
    found
}

/// Half the Euclidean distance of two unit vectors, 0 to 1.
pub(super) fn distance(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f32>().sqrt() / 2.0
}

/// Sums of rectangles in four look-ups.
struct Integral {
    width: usize,
    height: usize,
    sums: Vec<f64>,
}

impl Integral {
    fn new(pooled: &Pooled) -> Self {
        let (width, height) = (pooled.width, pooled.height);
        let mut sums = vec![0.0; (width + 1) * (height + 1)];
        for row in 0..height {
            let mut along = 0.0;
            for column in 0..width {
                along += 1.0 - f64::from(pooled.classes[row * width + column]) / 2.0;
                sums[(row + 1) * (width + 1) + column + 1] = sums[row * (width + 1) + column + 1] + along;
            }
        }
        Self { width, height, sums }
    }

    /// Sum of a rectangle given by its left upper corner and size; parts beyond the image add nothing.
    fn sum(&self, left: isize, top: isize, width: isize, height: isize) -> f64 {
        let column = |x: isize| x.clamp(0, self.width as isize) as usize;
        let row = |y: isize| y.clamp(0, self.height as isize) as usize;
        let (l, r, t, b) = (column(left), column(left + width), row(top), row(top + height));
        let at = |x: usize, y: usize| self.sums[y * (self.width + 1) + x];
        at(r, b) - at(l, b) - at(r, t) + at(l, t)
    }

    /// Haar responses along x and y of a square of this size about a point.
    fn haar(&self, x: f64, y: f64, size: isize) -> (f64, f64) {
        let half = (size / 2).max(1);
        let (left, top) = (x.round() as isize - half, y.round() as isize - half);
        let dx = self.sum(left + half, top, half, 2 * half) - self.sum(left, top, half, 2 * half);
        let dy = self.sum(left, top + half, 2 * half, half) - self.sum(left, top, 2 * half, half);
        (dx, dy)
    }
}

/// Determinant of the approximated Hessian at each cell, for one filter size.
fn hessians(image: &Integral, size: usize) -> Vec<f64> {
    let (lobe, size) = ((size / 3) as isize, size as isize);
    let (half, wide) = (size / 2, 2 * lobe - 1);
    let area = (size * size) as f64;
    let at = |x: isize, y: isize| {
        let three = |whole: f64, middle: f64| whole - 3.0 * middle;
        let yy = three(
            image.sum(x - wide / 2, y - half, wide, size),
            image.sum(x - wide / 2, y - lobe / 2, wide, lobe),
        );
        let xx = three(
            image.sum(x - half, y - wide / 2, size, wide),
            image.sum(x - lobe / 2, y - wide / 2, lobe, wide),
        );
        let corner = |left: isize, top: isize| image.sum(left, top, lobe, lobe);
        let xy = corner(x + 1, y - lobe) + corner(x - lobe, y + 1)
            - corner(x - lobe, y - lobe)
            - corner(x + 1, y + 1);
        let (xx, yy, xy) = (xx / area, yy / area, xy / area);
        xx * yy - (MIXED * xy).powi(2)
    };
    let inside = |value: isize, side: usize| value >= half && value + half < side as isize;
    (0..image.width * image.height)
        .map(|index| {
            let (x, y) = ((index % image.width) as isize, (index / image.width) as isize);
            if inside(x, image.width) && inside(y, image.height) { at(x, y) } else { 0.0 }
        })
        .collect()
}

/// Cells of the middle layer above all their neighbours in three layers.
fn maxima(layers: &[Vec<f64>], width: usize, border: usize) -> Vec<usize> {
    let height = layers[1].len() / width;
    let is_top = |index: usize| {
        let value = layers[1][index];
        let neighbours = |layer: usize| {
            [index - width, index, index + width]
                .into_iter()
                .flat_map(move |i| [i - 1, i, i + 1].map(|j| (layer, j)))
        };
        // On a plateau the first cell in image order stays.
        let is_lower = |layer: usize, i: usize| {
            layers[layer][i] < value || (layer == 1 && i >= index && layers[layer][i] == value)
        };
        (0..3).flat_map(neighbours).all(|(layer, i)| is_lower(layer, i))
    };
    let mut found = Vec::new();
    for row in border..height.saturating_sub(border) {
        for column in border..width.saturating_sub(border) {
            let index = row * width + column;
            if layers[1][index] > MIN_RESPONSE && is_top(index) {
                found.push(index);
            }
        }
    }
    found
}

/// The direction of the longest sum of Haar responses in a window of 60 degrees.
fn direction(image: &Integral, at: [f64; 2], scale: f64) -> f64 {
    let mut responses = Vec::new();
    for j in -6_i32..=6 {
        for i in -6_i32..=6 {
            if i * i + j * j < 36 {
                let (x, y) = (at[0] + f64::from(i) * scale, at[1] + f64::from(j) * scale);
                let (dx, dy) = image.haar(x, y, (4.0 * scale).round() as isize);
                let weight = (-f64::from(i * i + j * j) / (2.0 * 2.0 * 2.0)).exp();
                responses.push((dy.atan2(dx), dx * weight, dy * weight));
            }
        }
    }
    let window = |start: f64| {
        let inside = responses.iter().filter(|(angle, ..)| (angle - start).rem_euclid(TAU) < PI / 3.0);
        inside.fold((0.0, 0.0), |sum: (f64, f64), r| (sum.0 + r.1, sum.1 + r.2))
    };
    let sums = (0..72).map(|step| window(f64::from(step) * TAU / 72.0));
    let best = sums.max_by(|a, b| a.0.hypot(a.1).total_cmp(&b.0.hypot(b.1)));
    best.map_or(0.0, |(x, y)| y.atan2(x))
}

fn descriptor(image: &Integral, at: [f64; 2], scale: f64, direction: f64) -> Vec<f32> {
    let (sin, cos) = direction.sin_cos();
    let size = (2.0 * scale).round() as isize;
    let mut fields = vec![0.0_f64; 64];
    for j in 0..20 {
        for i in 0..20 {
            let (u, v) = ((f64::from(i) - 9.5) * scale, (f64::from(j) - 9.5) * scale);
            let (dx, dy) = image.haar(at[0] + cos * u - sin * v, at[1] + sin * u + cos * v, size);
            let weight = (-(u * u + v * v) / (2.0 * (3.3 * scale).powi(2))).exp();
            let (along, across) = ((cos * dx + sin * dy) * weight, (cos * dy - sin * dx) * weight);
            let field = &mut fields[((j / 5 * 4 + i / 5) * 4) as usize..][..4];
            field[0] += along;
            field[1] += across;
            field[2] += along.abs();
            field[3] += across.abs();
        }
    }
    let length = fields.iter().map(|v| v * v).sum::<f64>().sqrt().max(f64::MIN_POSITIVE);
    fields.iter().map(|v| (v / length) as f32).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blob(dark: bool) -> Pooled {
        let mut classes = vec![0; 90 * 90];
        if dark {
            for row in 41..48 {
                classes[row * 90 + 41..row * 90 + 48].fill(2);
            }
        }
        Pooled { factor: 1, corner: (0, 0), width: 90, height: 90, classes }
    }

    #[test]
    fn a_blob_is_found_in_its_middle_and_an_even_picture_has_nothing() {
        let found = key_points(&blob(true));
        let best = found.iter().max_by(|a, b| a.strength.total_cmp(&b.strength)).unwrap();
        assert!((best.at[0] - 44.5).abs() < 1.5 && (best.at[1] - 44.5).abs() < 1.5, "{:?}", best.at);
        assert!(key_points(&blob(false)).is_empty());
    }

    #[test]
    fn descriptors_are_unit_vectors() {
        for feature in key_points(&blob(true)) {
            let length: f32 = feature.descriptor.iter().map(|v| v * v).sum();
            assert!((length - 1.0).abs() < 1e-4 && feature.descriptor.len() == 64);
        }
        assert_eq!(distance(&[1.0, 0.0], &[-1.0, 0.0]), 1.0);
    }
}

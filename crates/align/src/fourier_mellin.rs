//! `fourier-mellin`: rotation and scale from the magnitudes of the spectra, which do not see translations, in
//! log-polar coordinates; then the translation by phase correlation.
//!
//! Paper: Reddy and Chatterji 1996. Departure: several peaks are followed and ranked by the two-sided wall score, and
//! the best climb to its top, so that the certificate is that of all methods. Good for complete, asymmetric maps; on
//! partial maps and floor plans it is wrong more often than right (spec 07 has the counts), and its certificate then shows it.

use std::f64::consts::PI;

use model::Grid;

use crate::candidate::Candidate;
use crate::certificate::{Found, Scored, certify};
use crate::correlative::climb_finely;
use crate::levels::{Allowance, Levels};
use crate::spectrum::{Spectra, peaks};
use crate::{AlignError, Aligner, Alignment, Method};

/// Parameters of the method.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FourierMellin {
    pub allowance: Allowance,
}

/// Side of the images.
const SIDE: usize = 256;
/// Angles over half a circle, and radii.
const ANGLES: usize = 360;
const RADII: usize = 128;
/// Rotations that are followed, and translations of each.
const ROTATIONS: usize = 6;
const TRANSLATIONS: usize = 2;

impl Aligner for FourierMellin {
    fn method(&self) -> Method {
        Method::FourierMellin
    }

    fn align(&self, truth: &Grid, map: &Grid) -> Result<Alignment, AlignError> {
        self.allowance.check()?;
        let Some(levels) = Levels::new(&self.allowance, truth, map) else {
            return Ok(Alignment::failed(Method::FourierMellin));
        };
        let plain = climb_finely(&levels, &candidates(&levels));
        Ok(certify(Method::FourierMellin, truth, map, &levels, &Found { plain, mirrored: None }))
    }
}

/// Candidates of the best rotations, scales and translations.
fn candidates(levels: &Levels) -> Vec<Scored> {
    let fine = levels.fine(usize::MAX);
    let (truth, map) = (fine.truth.walls(), fine.map.walls());
    let (min, max) = levels.sizes.scale_range;
    let middle_scale = (min * max).sqrt();
    let reach = |walls: &[[f64; 2]], about: [f64; 2]| {
        walls.iter().map(|p| (p[0] - about[0]).hypot(p[1] - about[1])).fold(1.0, f64::max)
    };
    let about = middle(truth);
    let cell = reach(truth, about).max(reach(map, levels.pivot) * middle_scale) * 2.2 / SIDE as f64;
    let spectra = Spectra::new(SIDE, SIDE);
    let drawn = |walls: &[[f64; 2]], candidate: &Candidate, pivot: [f64; 2]| {
        spectra.forward(&draw(walls, candidate, pivot))
    };
    let centred =
        |theta_rad: f64, scale: f64| Candidate { at: [SIDE as f64 / 2.0; 2], theta_rad, scale: scale / cell };
    let truth_spectrum = drawn(truth, &centred(0.0, 1.0), about);
    let map_spectrum = drawn(map, &centred(0.0, middle_scale), levels.pivot);
    let polar = Spectra::new(RADII, ANGLES);
    let [truth_polar, map_polar] =
        [&truth_spectrum, &map_spectrum].map(|spectrum| polar.forward(&log_polar(&magnitudes(spectrum))));
    let mut likely = polar.phase_correlation(&truth_polar, &map_polar);
    forbid_scales(&mut likely, (min / middle_scale).ln(), (max / middle_scale).ln());
    let mut found = Vec::new();
    for (column, row) in peaks(likely, RADII, ROTATIONS, 3) {
        let signed = |index: usize, size: usize| {
            if index > size / 2 { index as f64 - size as f64 } else { index as f64 }
        };
        let half_turn = row as f64 * PI / ANGLES as f64;
        // A larger image has a smaller spectrum.
        let scale = middle_scale * (-signed(column, RADII) * log_step()).exp();
        for theta_rad in [half_turn, half_turn + PI] {
            let candidate = centred(theta_rad, scale.clamp(min, max));
            let turned = drawn(map, &candidate, levels.pivot);
            let translations = spectra.phase_correlation(&truth_spectrum, &turned);
            for (x, y) in peaks(translations, SIDE, TRANSLATIONS, 3) {
                let at = [about[0] + signed(x, SIDE) * cell, about[1] + signed(y, SIDE) * cell];
                let candidate = Candidate { at, theta_rad, scale: scale.clamp(min, max) };
                found.push((levels.coarse(600).score(&candidate), candidate));
            }
        }
    }
    found.sort_by(|a: &Scored, b: &Scored| b.0.total_cmp(&a.0));
    found
}

fn middle(points: &[[f64; 2]]) -> [f64; 2] {
    let sum = points.iter().fold([0.0, 0.0], |sum, p| [sum[0] + p[0], sum[1] + p[1]]);
    sum.map(|total| total / points.len().max(1) as f64)
}

/// Walls as an image, faded out towards the border.
fn draw(walls: &[[f64; 2]], candidate: &Candidate, pivot: [f64; 2]) -> Vec<f32> {
    let motion = candidate.motion(pivot);
    let mut image = vec![0.0_f32; SIDE * SIDE];
    for &wall in walls {
        let [x, y] = motion.apply(wall);
        if x >= 0.0 && y >= 0.0 && x < SIDE as f64 && y < SIDE as f64 {
            image[y as usize * SIDE + x as usize] = 1.0;
        }
    }
    let fade = |index: usize| 0.5 - 0.5 * (2.0 * PI * (index as f64 + 0.5) / SIDE as f64).cos();
    for (row, cells) in image.chunks_exact_mut(SIDE).enumerate() {
        cells.iter_mut().enumerate().for_each(|(column, cell)| *cell *= (fade(row) * fade(column)) as f32);
    }
    image
}

/// Logarithms of the magnitudes with frequency 0 in the middle, row by row.
fn magnitudes(spectrum: &[rustfft::num_complex::Complex32]) -> Vec<f32> {
    let half = SIDE / 2;
    let at = |row: usize, column: usize| spectrum[(column + half) % SIDE * SIDE + (row + half) % SIDE];
    (0..SIDE * SIDE).map(|index| at(index / SIDE, index % SIDE).norm().ln_1p()).collect()
}

/// Min radius, in frequencies, and the logarithm of the ratio of neighbouring ones.
const MIN_RADIUS: f64 = 8.0;
fn log_step() -> f64 {
    (SIDE as f64 / 2.0 / MIN_RADIUS).ln() / RADII as f64
}

/// Half a circle of a centred image: one row per angle, one column per logarithm of the radius.
fn log_polar(centred: &[f32]) -> Vec<f32> {
    let half = SIDE as f64 / 2.0;
    let at = |row: usize, column: usize| {
        let angle = row as f64 * PI / ANGLES as f64;
        let radius = MIN_RADIUS * (column as f64 * log_step()).exp();
        let (x, y) = (half + radius * angle.cos(), half + radius * angle.sin());
        let (left, top) = ((x as usize).min(SIDE - 2), (y as usize).min(SIDE - 2));
        let (right, lower) = ((x - left as f64) as f32, (y - top as f64) as f32);
        let value = |dx: usize, dy: usize| centred[(top + dy) * SIDE + left + dx];
        let upper_row = value(0, 0) * (1.0 - right) + value(1, 0) * right;
        let lower_row = value(0, 1) * (1.0 - right) + value(1, 1) * right;
        upper_row * (1.0 - lower) + lower_row * lower
    };
    let mut values: Vec<f32> = (0..ANGLES * RADII).map(|index| at(index / RADII, index % RADII)).collect();
    // What all directions have in common does not depend on the rotation.
    for column in 0..RADII {
        let mean = (0..ANGLES).map(|row| values[row * RADII + column]).sum::<f32>() / ANGLES as f32;
        (0..ANGLES).for_each(|row| values[row * RADII + column] -= mean);
    }
    values
}

/// Takes out translations along the radius that stand for scales outside the range.
fn forbid_scales(likely: &mut [f32], min_log: f64, max_log: f64) {
    for (index, value) in likely.iter_mut().enumerate() {
        let column = index % RADII;
        let signed = if column > RADII / 2 { column as f64 - RADII as f64 } else { column as f64 };
        let log = -signed * log_step();
        if log < min_log - log_step() || log > max_log + log_step() {
            *value = f32::NEG_INFINITY;
        }
    }
}

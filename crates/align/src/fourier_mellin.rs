//! `fourier-mellin`: rotation and scale from the magnitudes of the spectra, which do not see translations, in
//! log-polar coordinates; then the translation by phase correlation.
//!
//! Paper: Reddy and Chatterji 1996. Departure: several peaks are followed and ranked by the two-sided wall score, and
//! the best climb to its top, so that the certificate is that of all methods. Good for complete, asymmetric maps; on
//! partial maps and floor plans it is wrong more often than right (spec 07 has the counts), and then says so.

use std::f64::consts::PI;

use model::Grid;

use crate::certificate::{Found, Scored, certify};
use crate::correlative::climb_finely;
use crate::frame::Frame;
use crate::levels::{Allowance, Levels};
use crate::spectrum::{Spectra, peaks};
use crate::{AlignError, Aligner, Alignment, Method};

/// Parameters of the method.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FourierMellin {
    /// Tolerance and scales.
    pub allowance: Allowance,
}

/// Side of the pictures.
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
        let plain = climb_finely(&levels, &frames(&levels));
        Ok(certify(Method::FourierMellin, truth, map, &levels, &Found { plain, mirrored: None }))
    }
}

/// Frames of the best rotations, scales and translations.
fn frames(levels: &Levels) -> Vec<Scored> {
    let fine = levels.fine(usize::MAX);
    let (truth, map) = (fine.truth.walls(), fine.map.walls());
    let (least, most) = levels.sizes.scale_range;
    let middle_scale = (least * most).sqrt();
    let reach = |walls: &[[f64; 2]], about: [f64; 2]| {
        walls.iter().map(|p| (p[0] - about[0]).hypot(p[1] - about[1])).fold(1.0, f64::max)
    };
    let about = middle(truth);
    let cell = reach(truth, about).max(reach(map, levels.pivot) * middle_scale) * 2.2 / SIDE as f64;
    let spectra = Spectra::new(SIDE, SIDE);
    let drawn =
        |walls: &[[f64; 2]], frame: &Frame, pivot: [f64; 2]| spectra.forward(&draw(walls, frame, pivot));
    let centred =
        |theta_rad: f64, scale: f64| Frame { at: [SIDE as f64 / 2.0; 2], theta_rad, scale: scale / cell };
    let truth_spectrum = drawn(truth, &centred(0.0, 1.0), about);
    let map_spectrum = drawn(map, &centred(0.0, middle_scale), levels.pivot);
    let polar = Spectra::new(RADII, ANGLES);
    let [truth_polar, map_polar] =
        [&truth_spectrum, &map_spectrum].map(|spectrum| polar.forward(&log_polar(&magnitudes(spectrum))));
    let mut likely = polar.phase_correlation(&truth_polar, &map_polar);
    forbid_scales(&mut likely, (least / middle_scale).ln(), (most / middle_scale).ln());
    let mut found = Vec::new();
    for (column, row) in peaks(likely, RADII, ROTATIONS, 3) {
        let signed = |index: usize, size: usize| {
            if index > size / 2 { index as f64 - size as f64 } else { index as f64 }
        };
        let half_turn = row as f64 * PI / ANGLES as f64;
        // A larger picture has a smaller spectrum.
        let scale = middle_scale * (-signed(column, RADII) * log_step()).exp();
        for theta_rad in [half_turn, half_turn + PI] {
            let frame = centred(theta_rad, scale.clamp(least, most));
            let turned = drawn(map, &frame, levels.pivot);
            let shifts = spectra.phase_correlation(&truth_spectrum, &turned);
            for (x, y) in peaks(shifts, SIDE, TRANSLATIONS, 3) {
                let at = [about[0] + signed(x, SIDE) * cell, about[1] + signed(y, SIDE) * cell];
                let frame = Frame { at, theta_rad, scale: scale.clamp(least, most) };
                found.push((levels.coarse(600).fit(&frame).score, frame));
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

/// Walls as a picture, faded out towards the border.
fn draw(walls: &[[f64; 2]], frame: &Frame, pivot: [f64; 2]) -> Vec<f32> {
    let motion = frame.motion(pivot);
    let mut picture = vec![0.0_f32; SIDE * SIDE];
    for &wall in walls {
        let [x, y] = motion.apply(wall);
        if x >= 0.0 && y >= 0.0 && x < SIDE as f64 && y < SIDE as f64 {
            picture[y as usize * SIDE + x as usize] = 1.0;
        }
    }
    let fade = |index: usize| 0.5 - 0.5 * (2.0 * PI * (index as f64 + 0.5) / SIDE as f64).cos();
    for (row, cells) in picture.chunks_exact_mut(SIDE).enumerate() {
        cells.iter_mut().enumerate().for_each(|(column, cell)| *cell *= (fade(row) * fade(column)) as f32);
    }
    picture
}

/// Logarithms of the magnitudes with frequency 0 in the middle, row by row.
fn magnitudes(spectrum: &[rustfft::num_complex::Complex32]) -> Vec<f32> {
    let half = SIDE / 2;
    let at = |row: usize, column: usize| spectrum[(column + half) % SIDE * SIDE + (row + half) % SIDE];
    (0..SIDE * SIDE).map(|index| at(index / SIDE, index % SIDE).norm().ln_1p()).collect()
}

/// Least radius, in frequencies, and the logarithm of the ratio of neighbouring ones.
const LEAST_RADIUS: f64 = 8.0;
fn log_step() -> f64 {
    (SIDE as f64 / 2.0 / LEAST_RADIUS).ln() / RADII as f64
}

/// Half a circle of a centred picture: one row per angle, one column per logarithm of the radius.
fn log_polar(centred: &[f32]) -> Vec<f32> {
    let half = SIDE as f64 / 2.0;
    let at = |row: usize, column: usize| {
        let angle = row as f64 * PI / ANGLES as f64;
        let radius = LEAST_RADIUS * (column as f64 * log_step()).exp();
        let (x, y) = (half + radius * angle.cos(), half + radius * angle.sin());
        let (left, top) = ((x as usize).min(SIDE - 2), (y as usize).min(SIDE - 2));
        let (right, lower) = ((x - left as f64) as f32, (y - top as f64) as f32);
        let value = |dx: usize, dy: usize| centred[(top + dy) * SIDE + left + dx];
        let upper_row = value(0, 0) * (1.0 - right) + value(1, 0) * right;
        let lower_row = value(0, 1) * (1.0 - right) + value(1, 1) * right;
        upper_row * (1.0 - lower) + lower_row * lower
    };
    let mut values: Vec<f32> = (0..ANGLES * RADII).map(|index| at(index / RADII, index % RADII)).collect();
    // What all directions have in common says nothing about the rotation.
    for column in 0..RADII {
        let mean = (0..ANGLES).map(|row| values[row * RADII + column]).sum::<f32>() / ANGLES as f32;
        (0..ANGLES).for_each(|row| values[row * RADII + column] -= mean);
    }
    values
}

/// Takes out shifts along the radius that stand for scales outside the range.
fn forbid_scales(likely: &mut [f32], least_log: f64, most_log: f64) {
    for (index, value) in likely.iter_mut().enumerate() {
        let column = index % RADII;
        let signed = if column > RADII / 2 { column as f64 - RADII as f64 } else { column as f64 };
        let log = -signed * log_step();
        if log < least_log - log_step() || log > most_log + log_step() {
            *value = f32::NEG_INFINITY;
        }
    }
}

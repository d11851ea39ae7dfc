//! Soft walls: the map of a probabilistic mapper whose poses shake. Each known cell gets the mean occupancy of the known
//! cells around it, weighted by a Gaussian and cut off at three standard deviations; the classes follow from the map
//! server's thresholds. Unknown cells stay unknown.
//!
//! The weights rest on an exponential; a platform that rounds it differently could change the last digit of a probability.

use model::{CellClass, Grid};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::kind::{Chance, Damage, Damaged, KindSpec, KnownAnswer};
use crate::SimError;

/// The kind `blur`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Blur {
    /// Standard deviation of the Gaussian in cells.
    pub sigma_cells: f64,
}

/// A cell is occupied above this probability and free below that one: the defaults of the map server.
const OCCUPIED_ABOVE: f64 = 0.65;
const FREE_BELOW: f64 = 0.196;
/// Rows of the result that are worked on together; the blurred rows around them are kept.
const ROWS_AT_ONCE: usize = 64;

impl Damage for Blur {
    const SPEC: KindSpec = KindSpec {
        name: "blur",
        title: "soft walls, with probabilities",
        unit: "cells",
        ladder: &[0.5, 1.0, 1.5, 2.0, 3.0, 4.0],
        range: (0.0, 100.0),
        harmless: Some(0.0),
        answer: KnownAnswer::Cells,
        chance: Chance::None,
    };

    fn of_strength(strength: f64) -> Self {
        Self { sigma_cells: strength }
    }

    fn apply(&self, map: &Grid, _: u64) -> Result<Damaged, SimError> {
        SimError::check_range("sigma_cells", self.sigma_cells, 1e-3..=100.0, "0.001 to 100 cells")?;
        let (width, cells) = (map.geometry().width(), map.geometry().cells());
        let weights = half_gaussian(self.sigma_cells);
        let mut probabilities = vec![0.5; cells];
        let bands = probabilities.par_chunks_mut(width * ROWS_AT_ONCE).enumerate();
        bands.for_each(|(band, out)| blur_band(map, &weights, band * ROWS_AT_ONCE, out));
        let classes = map.classes().iter().zip(&probabilities);
        let classes = classes.map(|(class, &p)| match class {
            CellClass::Unknown => CellClass::Unknown,
            _ if p > OCCUPIED_ABOVE => CellClass::Occupied,
            _ if p < FREE_BELOW => CellClass::Free,
            _ => CellClass::Unknown,
        });
        let blurred = Grid::new(*map.geometry(), classes.collect())?.with_probabilities(probabilities)?;
        Ok(Damaged::in_place(blurred))
    }
}

/// Weights of the distances 0, 1, .. up to three standard deviations.
fn half_gaussian(sigma: f64) -> Vec<f32> {
    let reach = (3.0 * sigma).ceil() as usize;
    (0..=reach).map(|d| (-0.5 * (d as f64 / sigma).powi(2)).exp() as f32).collect()
}

/// The probabilities of some rows: first along each row around them, then across.
fn blur_band(map: &Grid, weights: &[f32], first_row: usize, out: &mut [f64]) {
    let (width, height, reach) = (map.geometry().width(), map.geometry().height(), weights.len() - 1);
    let rows = out.len() / width;
    let (top, bottom) = (first_row.saturating_sub(reach), (first_row + rows + reach).min(height));
    let along: Vec<[Vec<f32>; 2]> = (top..bottom).map(|row| blur_row(map, weights, row)).collect();
    for (offset, out) in out.chunks_mut(width).enumerate() {
        let row = first_row + offset;
        let mut sums = [vec![0.0_f32; width], vec![0.0_f32; width]];
        for other in row.saturating_sub(reach)..(row + reach + 1).min(height) {
            let weight = weights[row.abs_diff(other)];
            for (sum, plane) in sums.iter_mut().zip(&along[other - top]) {
                sum.iter_mut().zip(plane).for_each(|(sum, value)| *sum += weight * value);
            }
        }
        let classes = &map.classes()[row * width..(row + 1) * width];
        let [occupied, known] = &sums;
        for (((out, class), occupied), known) in out.iter_mut().zip(classes).zip(occupied).zip(known) {
            if *class != CellClass::Unknown {
                *out = f64::from(occupied / known).clamp(0.0, 1.0);
            }
        }
    }
}

/// Weighted sums of occupied and of known cells along a row.
fn blur_row(map: &Grid, weights: &[f32], row: usize) -> [Vec<f32>; 2] {
    let width = map.geometry().width();
    let classes = &map.classes()[row * width..(row + 1) * width];
    let share = |holds: fn(CellClass) -> bool| -> Vec<f32> {
        classes.iter().map(|class| if holds(*class) { 1.0 } else { 0.0 }).collect()
    };
    [share(|class| class == CellClass::Occupied), share(|class| class != CellClass::Unknown)].map(|plane| {
        let mut sums = vec![0.0_f32; width];
        for (distance, weight) in weights.iter().enumerate().take(width) {
            let ahead = sums.iter_mut().zip(&plane[distance..]);
            ahead.for_each(|(sum, value)| *sum += weight * value);
            if distance > 0 {
                let behind = sums[distance..].iter_mut().zip(&plane);
                behind.for_each(|(sum, value)| *sum += weight * value);
            }
        }
        sums
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Weights 1 and exp(-1/2) = 0.60653 at sigma 1, exp(-2) = 0.13534 and exp(-9/2) = 0.01111 further out. In a row of 3 the
    /// middle wall has 1 / (1 + 2 * 0.60653), its neighbour 0.60653 / (1 + 0.60653 + 0.13534).
    #[test]
    fn a_row_by_hand() {
        let blurred = Blur { sigma_cells: 1.0 }.apply(&testkit::grid([".#.?"]), 1).unwrap().map;
        let p = blurred.probabilities().unwrap();
        assert!((p[1] - 1.0 / 2.213_061).abs() < 1e-5, "{p:?}");
        assert!((p[0] - 0.606_531 / 1.741_866).abs() < 1e-5, "{p:?}");
        assert_eq!(p[3], 0.5);
        assert_eq!(testkit::rows(&blurred), ["????"]);
    }

    #[test]
    fn floor_far_from_walls_stays_free_and_solid_walls_stay_walls() {
        let rows = vec!["#######...................."; 30];
        let blurred = Blur { sigma_cells: 2.0 }.apply(&testkit::grid(rows), 1).unwrap().map;
        let row = &testkit::rows(&blurred)[15];
        assert!(row.starts_with("######") && row.ends_with("................"), "{row}");
    }
}

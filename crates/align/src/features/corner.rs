//! Corners (R-FEAT, project): Harris response of the smoothed walls, described by what lies around.
//!
//! Response: det - 0.04 trace² of the structure tensor of the occupied mask, smoothed with sigma 2 cells; maxima
//! within 4 cells. Direction: the smoothed gradient. Descriptor: occupied and free cells in 4 rings times 8 sectors
//! about that direction, each half with sum 1.

use raster::weighted_rows::weighted_sum;

use super::Feature;
use crate::pooled::Pooled;

/// Weight of the trace in the response.
const HARRIS_K: f32 = 0.04;
/// Corners are further apart than this, in cells; 0.3 m at the fine level.
const APART: usize = 4;
/// Outer radii of the rings in cells: 0.25, 0.5, 1 and 2 m where 0.3 m are four cells.
const RINGS: [f64; 4] = [10.0 / 3.0, 20.0 / 3.0, 40.0 / 3.0, 80.0 / 3.0];
const SECTORS: usize = 8;
/// Smoothing with sigma 2 cells.
const SIGMA: f64 = 2.0;
/// Taps of the smoothing on each side: three sigma.
const REACH: usize = 6;

/// All corners of an image, with their descriptors.
pub(super) fn corners(pooled: &Pooled) -> Vec<Feature> {
    features(pooled, |corner| descriptor(pooled, corner.index, corner.direction_rad))
}

/// The same with empty descriptors, for those who ask only where corners are.
pub(super) fn bare_corners(pooled: &Pooled) -> Vec<Feature> {
    features(pooled, |_| Vec::new())
}

fn features(pooled: &Pooled, described: impl Fn(&Corner) -> Vec<f32>) -> Vec<Feature> {
    let feature = |corner: Corner| Feature {
        at: pooled.center_of(corner.index % pooled.width, corner.index / pooled.width),
        descriptor: described(&corner),
        strength: corner.strength,
    };
    found(pooled).into_iter().map(feature).collect()
}

struct Corner {
    index: usize,
    direction_rad: f64,
    strength: f32,
}

fn found(pooled: &Pooled) -> Vec<Corner> {
    let (width, height) = (pooled.width, pooled.height);
    let mask: Vec<f32> = pooled.classes.iter().map(|&class| f32::from(u8::from(class == 2))).collect();
    let mut smoothing = Smoothing::new(width, mask.len());
    let mut values = mask;
    let mut smooth = vec![0.0; values.len()];
    smoothing.smooth(&values, &mut smooth);
    let (gx, gy) = gradients(&smooth, width, height);
    let mut product = |a: &[f32], b: &[f32], mut smooth: Vec<f32>| {
        values.iter_mut().zip(a.iter().zip(b)).for_each(|(value, (a, b))| *value = a * b);
        smoothing.smooth(&values, &mut smooth);
        smooth
    };
    let (xy, yy) = (product(&gx, &gy, vec![0.0; gx.len()]), product(&gy, &gy, vec![0.0; gx.len()]));
    let mut response = product(&gx, &gx, smooth);
    for ((xx, xy), yy) in response.iter_mut().zip(&xy).zip(&yy) {
        *xx = *xx * yy - xy * xy - HARRIS_K * (*xx + yy).powi(2);
    }
    let is_top = |&index: &usize| response[index] > 0.0 && is_maximum(&response, width, height, index);
    let corner = |index: usize| Corner {
        index,
        direction_rad: f64::from(gy[index]).atan2(f64::from(gx[index])),
        strength: response[index],
    };
    (0..response.len()).filter(is_top).map(corner).collect()
}

/// Half the chi-square distance of two descriptors, 0 to 1.
pub(super) fn distance(a: &[f32], b: &[f32]) -> f32 {
    let term = |(a, b): (&f32, &f32)| if a + b > 0.0 { (a - b) * (a - b) / (a + b) } else { 0.0 };
    // Each half has sum 1, so that the sum of all terms is at most 4.
    a.iter().zip(b).map(term).sum::<f32>() / 4.0
}

fn is_maximum(response: &[f32], width: usize, height: usize, index: usize) -> bool {
    let (column, row) = (index % width, index / width);
    let columns = column.saturating_sub(APART)..=(column + APART).min(width - 1);
    let mut rows = row.saturating_sub(APART)..=(row + APART).min(height - 1);
    rows.all(|y| {
        columns.clone().all(|x| {
            let other = response[y * width + x];
            // Of equal ones the first in image order stays.
            other < response[index] || (other == response[index] && y * width + x >= index)
        })
    })
}

/// Gaussian smoothing, first along rows, then along columns; nothing lies beyond the image.
struct Smoothing {
    weights: [f32; 2 * REACH + 1],
    total: f32,
    width: usize,
    /// Smoothed along rows.
    rows: Vec<f32>,
}

impl Smoothing {
    fn new(width: usize, cells: usize) -> Self {
        let weights: [f32; 2 * REACH + 1] = std::array::from_fn(|tap| {
            let offset = tap as f64 - REACH as f64;
            (-(offset * offset) / (2.0 * SIGMA * SIGMA)).exp() as f32
        });
        Self { weights, total: weights.iter().sum(), width, rows: vec![0.0; cells] }
    }

    fn smooth(&mut self, values: &[f32], smooth: &mut [f32]) {
        let Self { weights, total, width, rows } = self;
        let width = *width;
        let mut padded = vec![0.0; width + 2 * REACH];
        for (source, target) in values.chunks_exact(width).zip(rows.chunks_exact_mut(width)) {
            padded[REACH..REACH + width].copy_from_slice(source);
            let taps: [(&[f32], f32); 2 * REACH + 1] =
                std::array::from_fn(|tap| (&padded[tap..], weights[tap]));
            weighted_sum(&taps, *total, target);
        }
        for (row, target) in smooth.chunks_exact_mut(width).enumerate() {
            let row_of_tap = |tap: usize| {
                let row = (row + tap).checked_sub(REACH)?;
                Some((rows.get(row * width..(row + 1) * width)?, weights[tap]))
            };
            let taps: Vec<(&[f32], f32)> = (0..weights.len()).filter_map(row_of_tap).collect();
            weighted_sum(&taps, *total, target);
        }
    }
}

/// Half the differences of the cells on both sides; a cell at the rim stands in for what lies beyond.
fn gradients(values: &[f32], width: usize, height: usize) -> (Vec<f32>, Vec<f32>) {
    let (mut across, mut down) = (Vec::with_capacity(values.len()), Vec::with_capacity(values.len()));
    let row_at = |row: usize| &values[row * width..][..width];
    for row in 0..height {
        let here = row_at(row);
        let at = |column: usize| (here[(column + 1).min(width - 1)] - here[column.saturating_sub(1)]) / 2.0;
        across.extend((0..width).map(at));
        let (above, below) = (row_at(row.saturating_sub(1)), row_at((row + 1).min(height - 1)));
        down.extend(above.iter().zip(below).map(|(above, below)| (below - above) / 2.0));
    }
    (across, down)
}

fn descriptor(pooled: &Pooled, index: usize, direction: f64) -> Vec<f32> {
    let (column, row) = ((index % pooled.width) as isize, (index / pooled.width) as isize);
    let reach = RINGS[3] as isize;
    let mut halves = [[0.0_f32; 4 * SECTORS]; 2];
    for dy in -reach..=reach {
        for dx in -reach..=reach {
            let (x, y) = (column + dx, row + dy);
            let distance = (dx as f64).hypot(dy as f64);
            let Some(ring) = RINGS.iter().position(|&radius| distance <= radius) else {
                continue;
            };
            if x < 0 || y < 0 || x >= pooled.width as isize || y >= pooled.height as isize {
                continue;
            }
            let half = match pooled.classes[y as usize * pooled.width + x as usize] {
                2 => 0,
                0 => 1,
                _ => continue,
            };
            let turn = ((dy as f64).atan2(dx as f64) - direction).rem_euclid(std::f64::consts::TAU);
            let sector = (turn / std::f64::consts::TAU * SECTORS as f64) as usize % SECTORS;
            halves[half][ring * SECTORS + sector] += 1.0;
        }
    }
    let normalised = |half: [f32; 4 * SECTORS]| {
        let sum = half.iter().sum::<f32>().max(1.0);
        half.map(|count| count / sum)
    };
    halves.into_iter().flat_map(normalised).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn image() -> Pooled {
        let mut classes = vec![0; 60 * 50];
        for row in 20..30 {
            classes[row * 60 + 15..row * 60 + 40].fill(2);
        }
        Pooled { factor: 1, corner: (0, 0), width: 60, height: 50, classes }
    }

    #[test]
    fn a_block_has_four_corners() {
        let mut found = corners(&image());
        found.sort_by(|a, b| b.strength.total_cmp(&a.strength));
        let near = |x: f64, y: f64| found[..4].iter().any(|f| (f.at[0] - x).hypot(f.at[1] - y) < 4.0);
        assert!(near(15.0, 20.0) && near(40.0, 20.0) && near(15.0, 30.0) && near(40.0, 30.0), "{found:?}");
    }

    #[test]
    fn descriptors_do_not_see_a_half_turn() {
        let mut turned = image();
        turned.classes.reverse();
        let (plain, turned) = (corners(&image()), corners(&turned));
        let best = |feature: &Feature| {
            turned.iter().map(|other| distance(&feature.descriptor, &other.descriptor)).fold(1.0, f32::min)
        };
        assert!(plain.iter().all(|feature| best(feature) < 0.05));
        assert_eq!(distance(&[1.0, 0.0, 1.0, 0.0], &[0.0, 1.0, 0.0, 1.0]), 1.0, "nothing in common");
    }
}

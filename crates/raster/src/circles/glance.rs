//! A first look at a candidate: a few directions, whole cells, all radii at once.

use super::Padded;

const DIRECTIONS: usize = 32;
/// Share of the directions that must meet an outline with nothing behind it.
const MIN_SHARE: f64 = 0.28;
/// Radii with this many directions fewer than the best one are tried too.
const SLACK_DIRECTIONS: u8 = 4;

/// Steps from a centre along each direction, one per cell from one cell below the smallest radius.
pub(super) struct Glance {
    steps: Vec<isize>,
    per_direction: usize,
}

impl Glance {
    /// For `radii` radii, one cell apart, from the smallest.
    pub fn new(mask: &Padded, smallest: f64, radii: usize) -> Self {
        // One cell within the smallest radius to three cells beyond the largest.
        let per_direction = radii + 4;
        let mut steps = Vec::with_capacity(DIRECTIONS * per_direction);
        for direction in 0..DIRECTIONS {
            let (sin, cos) = (direction as f64 * std::f64::consts::TAU / DIRECTIONS as f64).sin_cos();
            for step in 0..per_direction {
                let reach = smallest - 1.0 + step as f64;
                let (right, down) = ((cos * reach).round() as isize, (-sin * reach).round() as isize);
                steps.push(down * mask.stride as isize + right);
            }
        }
        Self { steps, per_direction }
    }

    /// Which radii, counted from the smallest, have most of an outline around a cell: bit by bit.
    pub fn promising(&self, mask: &Padded, x: usize, y: usize) -> u64 {
        let center = y * mask.stride + x;
        let radii = self.per_direction - 4;
        let mut counts = [0_u8; 64];
        for steps in self.steps.chunks(self.per_direction) {
            let mut seen = 0_u64;
            for (bit, &step) in steps.iter().enumerate() {
                seen |= u64::from(mask.cells[center.wrapping_add_signed(step)]) << bit;
            }
            // Bit i is set where something lies at radius i - 1, i or i + 1, and nothing at i + 2 and i + 3.
            let clear = !(seen >> 3 | seen >> 4);
            let outline = (seen | seen >> 1 | seen >> 2) & clear;
            for (radius, count) in counts[..radii].iter_mut().enumerate() {
                *count += (outline >> radius & 1) as u8;
            }
        }
        best_of(&counts[..radii])
    }
}

/// Radii with enough directions, and not many fewer than the best radius.
fn best_of(counts: &[u8]) -> u64 {
    let best = counts.iter().copied().max().unwrap_or(0);
    let enough = ((MIN_SHARE * DIRECTIONS as f64) as u8).max(best.saturating_sub(SLACK_DIRECTIONS));
    (0..counts.len()).filter(|&radius| counts[radius] >= enough).fold(0, |bits, radius| bits | 1 << radius)
}

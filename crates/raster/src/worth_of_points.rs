//! What points earn on a plane of distances under a rigid motion: Σ max(0, most - d) over the cells that they fall on.
//!
//! Places are computed many at a time, and each lane by the same steps as one alone, so that sums do not depend on the
//! processor.

use crate::dispatch::dispatched;

/// Turns about `center` by an angle of which sine and cosine are given, and then moves; in cells.
#[derive(Clone, Copy, Debug)]
pub struct CellMotion {
    pub center: (f64, f64),
    pub sin: f64,
    pub cos: f64,
    pub translation: (f64, f64),
}

impl CellMotion {
    /// Where a point is sent, not rounded.
    #[inline(always)]
    pub fn apply(&self, (x, y): (f64, f64)) -> (f64, f64) {
        let (dx, dy) = (x - self.center.0, y - self.center.1);
        let (turned_x, turned_y) = (self.cos * dx - self.sin * dy, self.sin * dx + self.cos * dy);
        (turned_x + self.center.0 + self.translation.0, turned_y + self.center.1 + self.translation.1)
    }
}

const LANES: usize = 16;

dispatched! {
    /// Sum of `most - d` over the points whose cell has a distance d below `most`; whole numbers are the middles of cells, and
    /// points outside of the plane earn nothing. The plane has `width` cells in a row. A sum that cannot exceed `above` is not
    /// finished, and given as it stands.
    pub fn worth_of_points(
        distances: &[u16],
        width: usize,
        points: &[(f64, f64)],
        motion: &CellMotion,
        most: u32,
        above: u64,
    ) -> u64 = worth_kernel;
}

#[inline(always)]
fn worth_kernel(
    distances: &[u16],
    width: usize,
    points: &[(f64, f64)],
    motion: &CellMotion,
    most: u32,
    above: u64,
) -> u64 {
    let (columns, rows) = (width as f64, (distances.len() / width.max(1)) as f64);
    let (blocks, rest) = points.as_chunks::<LANES>();
    // Points that are no number lie outside.
    let mut last = [(f64::NAN, f64::NAN); LANES];
    last[..rest.len()].copy_from_slice(rest);
    let mut sum = 0;
    // What the points that are left may earn.
    let mut left = u64::from(most) * points.len() as u64;
    for block in blocks.iter().chain(std::iter::once(&last)) {
        if sum + left <= above {
            return sum;
        }
        left = left.saturating_sub(u64::from(most) * LANES as u64);
        let (mut xs, mut ys) = ([0.0; LANES], [0.0; LANES]);
        for lane in 0..LANES {
            let (x, y) = motion.apply(block[lane]);
            // The nearest cell; a negative sum would be cut off to 0, which is a cell.
            (xs[lane], ys[lane]) = (x + 0.5, y + 0.5);
        }
        let mut cells = [0_u32; LANES];
        for lane in 0..LANES {
            let (x, y) = (xs[lane], ys[lane]);
            let cell = floor(y) * columns + floor(x);
            // One choice after the other: of conditions in one the compiler makes branches.
            let cell = if x >= 0.0 { cell } else { OUTSIDE };
            let cell = if y >= 0.0 { cell } else { OUTSIDE };
            let cell = if x < columns { cell } else { OUTSIDE };
            cells[lane] = whole(if y < rows { cell } else { OUTSIDE });
        }
        for cell in cells {
            let distance = distances.get(cell as usize).copied();
            sum += u64::from(distance.map_or(0, |distance| most.saturating_sub(u32::from(distance))));
        }
    }
    sum
}

/// The cell of a point outside of the plane.
const OUTSIDE: f64 = u32::MAX as f64;
/// From here on numbers are whole, so that adding it rounds: a conversion of the processor would be done one by one.
const WHOLE: f64 = 4_503_599_627_370_496.0;

/// The next whole number below one from 0 to 2^32.
#[inline(always)]
fn floor(value: f64) -> f64 {
    let nearest = value + WHOLE - WHOLE;
    if nearest > value { nearest - 1.0 } else { nearest }
}

/// A whole number from 0 to 2^32 as one.
#[inline(always)]
fn whole(value: f64) -> u32 {
    (value + WHOLE).to_bits() as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equals_the_sum_over_single_points() {
        let mut random = testkit::Random(23);
        let (width, height) = (31_usize, 17_usize);
        let distances: Vec<u16> = (0..width * height).map(|_| random.below(9) as u16).collect();
        let motion = CellMotion { center: (14.5, 8.0), sin: 0.6, cos: 0.8, translation: (-2.25, 3.5) };
        for count in [0, 1, 7, 8, 9, 500] {
            let mut place = || random.below(6000) as f64 / 100.0 - 10.0;
            let points: Vec<(f64, f64)> = (0..count).map(|_| (place(), place())).collect();
            let worth = |&point: &(f64, f64)| {
                let (x, y) = motion.apply(point);
                let (x, y) = ((x + 0.5).floor(), (y + 0.5).floor());
                let is_inside = x >= 0.0 && y >= 0.0 && x < width as f64 && y < height as f64;
                let d = is_inside.then(|| distances[y as usize * width + x as usize]);
                d.map_or(0, |d| 6_u64.saturating_sub(u64::from(d)))
            };
            let expected: u64 = points.iter().map(worth).sum();
            for worth in [worth_of_points, worth_kernel] {
                let worth = |above| worth(&distances, width, &points, &motion, 6, above);
                assert_eq!(worth(0), expected);
                assert_eq!(worth(expected.saturating_sub(1)), expected);
                assert!((0..=expected).contains(&worth(expected)));
            }
        }
    }
}

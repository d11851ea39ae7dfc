//! How near the walls of an image lie to points that were turned, scaled and moved, summed over the points: what a search
//! for an alignment spends its time on.
//!
//! Nearness is interpolated between the centres of cells, so that a sum changes smoothly with the motion. Places are
//! computed first, many points at a time, and looked up then, as in `sampled_sum.rs`. The order of the additions is the same
//! on every processor.

use crate::dispatch::dispatched;
use crate::near_field::{BEYOND, capped_squared_distances};
use crate::sampled_sum::floor;

/// Points that are moved together, and sums that are kept apart.
const LANES: usize = 16;

/// Nearness for each value of a near field; that of [`BEYOND`] should be 0.
pub type Kernel = [f32; 256];

/// A motion of the plane: `(x, y)` goes to `(ax x - ay y + bx, ay x + ax y + by)`.
#[derive(Clone, Copy, Debug)]
pub struct Motion {
    pub ax: f32,
    pub ay: f32,
    pub bx: f32,
    pub by: f32,
}

/// The walls of an image and what it knows, with a border of one cell that is neither.
#[derive(Clone, Debug)]
pub struct NearWalls {
    /// Capped squared distances to the nearest wall.
    near: Vec<u8>,
    /// 1 where the image makes a claim.
    known: Vec<u8>,
    width: usize,
    height: usize,
}

/// What points find in an image.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Found {
    /// Sum of the nearness of those that count.
    pub nearness: f64,
    /// How many count.
    pub count: f64,
    /// How many of them have a wall within the reach of the kernel.
    pub near: f64,
}

/// Which points count.
const ALL: u8 = 0;
const KNOWN: u8 = 1;
const KNOWN_OR_NEAR: u8 = 2;

impl NearWalls {
    /// Of a plane of classes, with distances up to `reach` cells (at most [`crate::near_field::MAX_REACH`]).
    ///
    /// # Panics
    /// The plane does not have `width * height` cells.
    pub fn new(
        plane: &[u8],
        wall: u8,
        is_known: impl Fn(u8) -> bool,
        width: usize,
        height: usize,
        reach: usize,
    ) -> Self {
        let bordered = |values: &[u8], outside: u8| {
            let mut cells = vec![outside; (width + 2) * (height + 2)];
            let inner = cells.chunks_exact_mut(width + 2).skip(1);
            for (target, source) in inner.zip(values.chunks_exact(width.max(1))) {
                target[1..=width].copy_from_slice(source);
            }
            cells
        };
        let known: Vec<u8> = plane.iter().map(|&class| u8::from(is_known(class))).collect();
        let near = capped_squared_distances(plane, wall, width, height, reach);
        Self { near: bordered(&near, BEYOND), known: bordered(&known, 0), width, height }
    }

    /// The sum of the nearness of all points.
    pub fn of_all(&self, kernel: &Kernel, xs: &[f32], ys: &[f32], motion: Motion) -> f64 {
        sums_of_all(self, kernel, xs, ys, motion).nearness
    }

    /// What the points find that lie where the image makes a claim.
    pub fn of_known(&self, kernel: &Kernel, xs: &[f32], ys: &[f32], motion: Motion) -> Found {
        sums_of_known(self, kernel, xs, ys, motion)
    }

    /// What the points find that lie where the image makes a claim, or near one of its walls.
    pub fn of_known_or_near(&self, kernel: &Kernel, xs: &[f32], ys: &[f32], motion: Motion) -> Found {
        sums_of_known_or_near(self, kernel, xs, ys, motion)
    }

    /// The capped squared distance at a column and row; [`BEYOND`] outside of the image.
    pub fn squared_distance(&self, column: usize, row: usize) -> u8 {
        let inside = column < self.width && row < self.height;
        let index = (row + 1) * (self.width + 2) + column + 1;
        self.near.get(index).filter(|_| inside).copied().unwrap_or(BEYOND)
    }
}

dispatched! {
    fn sums_of_all(walls: &NearWalls, kernel: &Kernel, xs: &[f32], ys: &[f32], motion: Motion) -> Found =
        sums_kernel::<ALL>;
}
dispatched! {
    fn sums_of_known(walls: &NearWalls, kernel: &Kernel, xs: &[f32], ys: &[f32], motion: Motion) -> Found =
        sums_kernel::<KNOWN>;
}
dispatched! {
    fn sums_of_known_or_near(walls: &NearWalls, kernel: &Kernel, xs: &[f32], ys: &[f32], motion: Motion)
        -> Found = sums_kernel::<KNOWN_OR_NEAR>;
}

#[inline(always)]
fn sums_kernel<const WHICH: u8>(
    walls: &NearWalls,
    kernel: &Kernel,
    xs: &[f32],
    ys: &[f32],
    motion: Motion,
) -> Found {
    let mut sums = Sums::default();
    let ((x_blocks, x_rest), (y_blocks, y_rest)) = (xs.as_chunks::<LANES>(), ys.as_chunks::<LANES>());
    for (xs, ys) in x_blocks.iter().zip(y_blocks) {
        add::<WHICH>(walls, kernel, xs, ys, motion, &mut sums);
    }
    // Points that are no number lie outside and count nowhere; where all count, nobody asks how many.
    let rest = x_rest.len().min(y_rest.len());
    let (mut last_xs, mut last_ys) = ([f32::NAN; LANES], [f32::NAN; LANES]);
    last_xs[..rest].copy_from_slice(&x_rest[..rest]);
    last_ys[..rest].copy_from_slice(&y_rest[..rest]);
    add::<WHICH>(walls, kernel, &last_xs, &last_ys, motion, &mut sums);
    Found {
        nearness: sums.nearness.iter().sum(),
        count: f64::from(sums.count.iter().sum::<u32>()),
        near: f64::from(sums.near.iter().sum::<u32>()),
    }
}

#[derive(Default)]
struct Sums {
    nearness: [f64; LANES],
    count: [u32; LANES],
    near: [u32; LANES],
}

/// Where points lie in an image: index of the cell up and to the left of each, and of the cell that holds it, and the parts
/// of a cell by which it is further right and down. The corner of the border stands for all that lies outside.
struct Places {
    cells: [u32; LANES],
    claims: [u32; LANES],
    rights: [f32; LANES],
    lowers: [f32; LANES],
}

#[inline(always)]
fn places<const WHICH: u8>(
    walls: &NearWalls,
    xs: &[f32; LANES],
    ys: &[f32; LANES],
    Motion { ax, ay, bx, by }: Motion,
) -> Places {
    let (columns, rows) = (walls.width as f32, walls.height as f32);
    let stride = walls.width as u32 + 2;
    let (mut cells, mut claims) = ([0_u32; LANES], [0_u32; LANES]);
    let (mut rights, mut lowers) = ([0.0_f32; LANES], [0.0_f32; LANES]);
    for lane in 0..LANES {
        let column = ax * xs[lane] - ay * ys[lane] + bx;
        let row = ay * xs[lane] + ax * ys[lane] + by;
        // Half a cell to the centres, one cell of border.
        let (left, top) = (column + 0.5, row + 0.5);
        let is_near = (left >= 0.0) & (top >= 0.0) & (left < columns + 1.0) & (top < rows + 1.0);
        let (whole_left, whole_top) = (floor(left), floor(top));
        cells[lane] = if is_near { whole_top.wrapping_mul(stride).wrapping_add(whole_left) } else { 0 };
        rights[lane] = if is_near { left - whole_left as f32 } else { 0.0 };
        lowers[lane] = if is_near { top - whole_top as f32 } else { 0.0 };
        if WHICH != ALL {
            let is_inside = (column >= 0.0) & (row >= 0.0) & (column < columns) & (row < rows);
            let below = floor(row).wrapping_add(1).wrapping_mul(stride);
            claims[lane] = if is_inside { below.wrapping_add(floor(column)).wrapping_add(1) } else { 0 };
        }
    }
    Places { cells, claims, rights, lowers }
}

#[inline(always)]
fn add<const WHICH: u8>(
    walls: &NearWalls,
    kernel: &Kernel,
    xs: &[f32; LANES],
    ys: &[f32; LANES],
    motion: Motion,
    sums: &mut Sums,
) {
    let Places { cells, claims, rights, lowers } = places::<WHICH>(walls, xs, ys, motion);
    let stride = walls.width as u32 + 2;
    let mut corners = [[0.0_f32; LANES]; 4];
    let mut known = [0_u32; LANES];
    for lane in 0..LANES {
        let upper = pair(&walls.near, cells[lane]);
        let lower = pair(&walls.near, cells[lane].wrapping_add(stride));
        corners[0][lane] = kernel[usize::from(upper[0])];
        corners[1][lane] = kernel[usize::from(upper[1])];
        corners[2][lane] = kernel[usize::from(lower[0])];
        corners[3][lane] = kernel[usize::from(lower[1])];
        if WHICH != ALL {
            known[lane] = u32::from(walls.known.get(claims[lane] as usize).copied().unwrap_or(0));
        }
    }
    for lane in 0..LANES {
        let upper = corners[0][lane] + (corners[1][lane] - corners[0][lane]) * rights[lane];
        let lower = corners[2][lane] + (corners[3][lane] - corners[2][lane]) * rights[lane];
        let nearness = upper + (lower - upper) * lowers[lane];
        let is_near = u32::from(nearness > 0.0);
        let counts = match WHICH {
            KNOWN => known[lane],
            KNOWN_OR_NEAR => known[lane] | is_near,
            _ => 1,
        };
        sums.nearness[lane] += f64::from(if counts == 1 { nearness } else { 0.0 });
        if WHICH != ALL {
            sums.count[lane] += counts;
            sums.near[lane] += counts & is_near;
        }
    }
}

#[inline(always)]
fn pair(near: &[u8], index: u32) -> [u8; 2] {
    let pair = near.get(index as usize..).and_then(|rest| rest.first_chunk::<2>());
    pair.copied().unwrap_or([BEYOND; 2])
}

#[cfg(test)]
mod tests {
    use super::*;

    const FREE: u8 = 0;
    const UNKNOWN: u8 = 1;
    const WALL: u8 = 2;

    fn kernel(tol: f32) -> Kernel {
        let mut kernel = std::array::from_fn(|squared| (1.0 - (squared as f32).sqrt() / tol).max(0.0));
        kernel[usize::from(BEYOND)] = 0.0;
        kernel
    }

    /// Nearness at a place by the definition: between the centres of the four cells around it.
    fn nearness(plane: &[u8], width: usize, kernel: &Kernel, reach: usize, column: f32, row: f32) -> f32 {
        let near = capped_squared_distances(plane, WALL, width, plane.len() / width, reach);
        let at = |column: i64, row: i64| {
            let inside =
                column >= 0 && row >= 0 && column < width as i64 && row < (plane.len() / width) as i64;
            if inside { kernel[usize::from(near[row as usize * width + column as usize])] } else { 0.0 }
        };
        let (left, top) = ((column - 0.5).floor(), (row - 0.5).floor());
        let (right_part, lower_part) = (column - 0.5 - left, row - 0.5 - top);
        let (left, top) = (left as i64, top as i64);
        let between = |a: f32, b: f32, part: f32| a + (b - a) * part;
        between(
            between(at(left, top), at(left + 1, top), right_part),
            between(at(left, top + 1), at(left + 1, top + 1), right_part),
            lower_part,
        )
    }

    #[test]
    fn equals_the_definition_and_the_portable_form() {
        let mut random = testkit::Random(3);
        let (width, height, reach) = (37, 21, 4);
        let plane: Vec<u8> =
            (0..width * height).map(|_| [FREE, FREE, FREE, UNKNOWN, WALL][random.below(5)]).collect();
        let walls = NearWalls::new(&plane, WALL, |class| class != UNKNOWN, width, height, reach);
        let kernel = kernel(3.5);
        let motion = Motion { ax: 0.8, ay: -0.5, bx: 9.3, by: 7.7 };
        for count in [0, 1, 15, 16, 17, 200] {
            let mut draw =
                || (0..count).map(|_| random.below(6000) as f32 / 100.0 - 20.0).collect::<Vec<_>>();
            let (xs, ys) = (draw(), draw());
            let (mut all, mut known, mut either) = (0.0, Found::default(), Found::default());
            for (x, y) in xs.iter().zip(&ys) {
                let (column, row) = (0.8 * x + 0.5 * y + 9.3, -0.5 * x + 0.8 * y + 7.7);
                let near = f64::from(nearness(&plane, width, &kernel, reach, column, row));
                let inside = column >= 0.0 && row >= 0.0 && column < width as f32 && row < height as f32;
                let claims = inside && plane[row as usize * width + column as usize] != UNKNOWN;
                all += near;
                for (found, counts) in [(&mut known, claims), (&mut either, claims || near > 0.0)] {
                    found.nearness += if counts { near } else { 0.0 };
                    found.count += f64::from(u8::from(counts));
                    found.near += f64::from(u8::from(counts && near > 0.0));
                }
            }
            assert!((walls.of_all(&kernel, &xs, &ys, motion) - all).abs() < 1e-3, "{count} points");
            for (found, expected, portable) in [
                (
                    walls.of_known(&kernel, &xs, &ys, motion),
                    known,
                    sums_kernel::<KNOWN>(&walls, &kernel, &xs, &ys, motion),
                ),
                (
                    walls.of_known_or_near(&kernel, &xs, &ys, motion),
                    either,
                    sums_kernel::<KNOWN_OR_NEAR>(&walls, &kernel, &xs, &ys, motion),
                ),
            ] {
                assert_eq!(found, portable, "{count} points");
                assert_eq!((found.count, found.near), (expected.count, expected.near), "{count} points");
                assert!((found.nearness - expected.nearness).abs() < 1e-3, "{count} points");
            }
        }
    }

    #[test]
    fn points_on_a_wall_and_far_away() {
        let walls = NearWalls::new(&[FREE, WALL], WALL, |class| class != UNKNOWN, 2, 1, 3);
        let still = Motion { ax: 1.0, ay: 0.0, bx: 0.0, by: 0.0 };
        let xs = [1.5, f32::NAN, f32::INFINITY, -50.0, 1e30];
        let found = walls.of_known(&kernel(2.0), &xs, &[0.5; 5], still);
        assert_eq!(found, Found { nearness: 1.0, count: 1.0, near: 1.0 });
        assert_eq!([walls.squared_distance(0, 0), walls.squared_distance(1, 0)], [1, 0]);
        assert_eq!(walls.squared_distance(2, 0), BEYOND);
    }
}

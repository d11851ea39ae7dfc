//! One map as the probe sees it: cells of about a third of the tolerance, how near the next wall is, a sample of walls.
//!
//! A hypothesis is then scored by two short sums of bytes, about a microsecond, without a look at the map itself. The
//! definition is that of `wall_score.rs`; distances are those between centres of cells.

use model::Grid;
use raster::near_field::BEYOND;

use super::affine::Affine;
use super::wall_sample::count_of;
use crate::pooled::Pooled;

/// Walls of each map that are looked at, at most.
pub(super) const WALLS: usize = 256;
/// The same where many hypotheses are compared.
pub(super) const FEW_WALLS: usize = 96;
/// Cells along the diagonal, at most: more take time and say no more.
const MAX_DIAGONAL: f64 = 1500.0;
/// k = 1, and the bit of cells that the map knows.
const NEAREST: u8 = 127;
const KNOWN: u8 = 128;
const FREE: u8 = 0;
const UNKNOWN: u8 = 1;
const OCCUPIED: u8 = 2;
/// A map with a larger share of occupied cells is solid.
const SOLID: f64 = 0.5;
/// Outside of every map, wherever a transform puts it.
const FAR: f32 = 1e12;
/// Walls that are looked at for the last digits of a transform.
const SMOOTH_WALLS: usize = 128;
/// Walls next to each other in the sample are so many apart in the image.
const SPREAD: usize = 8;
/// Walls that are moved together: the compiler moves as many at once as the processor can.
const LANES: usize = 16;

/// A map at one level of coarseness.
#[derive(Debug)]
pub(super) struct Sheet {
    pub(super) pooled: Pooled,
    /// Nearness of each cell, 0 to 127, and whether it is known, with a border of one cell.
    near: Vec<u8>,
    /// Columns and rows of the sampled walls, in original cells, filled up to whole groups with places far outside.
    walls: [Vec<f32>; 2],
    sampled: usize,
    /// All walls.
    count: usize,
}

impl Sheet {
    /// Cells of about a third of the tolerance; none if the map has no wall.
    pub(super) fn fine(grid: &Grid, tol_m: f64) -> Option<Self> {
        let part = Pooled::known_part(grid)?;
        let cell_size_m = grid.geometry().cell_size_m();
        let factor =
            (tol_m / cell_size_m / 3.0).round().max((part.diagonal() / MAX_DIAGONAL).ceil()).max(1.0);
        Self::of(faces(Pooled::of(grid, part, factor as usize)), tol_m / cell_size_m)
    }

    /// Cells that are so many times larger, and a tolerance in original cells.
    pub(super) fn coarser(&self, times: usize, tol_cells: f64) -> Option<Self> {
        Self::of(self.pooled.coarser(times), tol_cells)
    }

    fn of(pooled: Pooled, tol_cells: f64) -> Option<Self> {
        let (walls, sampled, count) = sampled_walls(&pooled)?;
        let kernel = kernel(tol_cells / pooled.factor as f64);
        let reach = (tol_cells / pooled.factor as f64).ceil() as usize;
        let squared = pooled.near(reach);
        let stride = pooled.width + 2;
        let mut near = vec![0; stride * (pooled.height + 2)];
        let rows = squared.chunks_exact(pooled.width).zip(pooled.classes.chunks_exact(pooled.width));
        for (target, (squared, classes)) in near.chunks_exact_mut(stride).skip(1).zip(rows) {
            for ((near, &squared), &class) in target[1..].iter_mut().zip(squared).zip(classes) {
                *near = kernel[usize::from(squared)] | if class == UNKNOWN { 0 } else { KNOWN };
            }
        }
        Some(Self { pooled, near, walls, sampled, count })
    }

    /// Nearness of the cells without border and knowledge, row by row.
    pub(super) fn nearness(&self) -> Vec<u8> {
        let rows = self.near.chunks_exact(self.pooled.width + 2).skip(1).take(self.pooled.height);
        rows.flat_map(|row| &row[1..=self.pooled.width]).map(|near| near & NEAREST).collect()
    }

    /// The sampled walls in original cells.
    pub(super) fn walls(&self) -> impl Iterator<Item = [f64; 2]> + '_ {
        self.walls[0]
            .iter()
            .zip(&self.walls[1])
            .take(self.sampled)
            .map(|(&x, &y)| [f64::from(x), f64::from(y)])
    }

    /// S of a transform, this being the truth.
    pub(super) fn score(&self, map: &Self, truth_from_map: &Affine, max_walls: usize) -> f64 {
        self.score_by(map, truth_from_map, |on, of, transform| on.sums(of, transform, max_walls))
    }

    /// The same with nearness interpolated between the centres of cells, so that it changes smoothly with the transform.
    pub(super) fn smooth_score(&self, map: &Self, truth_from_map: &Affine) -> f64 {
        self.score_by(map, truth_from_map, Self::smooth_sums)
    }

    #[inline]
    fn score_by(
        &self,
        map: &Self,
        truth_from_map: &Affine,
        sums: impl Fn(&Self, &Self, &Affine) -> Sums,
    ) -> f64 {
        let Some(map_from_truth) = truth_from_map.inverse() else { return 0.0 };
        let of_map = sums(self, map, truth_from_map);
        let of_truth = sums(map, self, &map_from_truth);
        // Walls of the map outside of the truth are charged, walls of the truth that the map never saw are not.
        let charged = map.count as f64 + of_truth.seen;
        (of_map.hits + of_truth.seen_hits) / charged
    }

    /// Sums over the first walls of another map, laid on this one: cells of sixteen walls at once, then their bytes.
    fn sums(&self, other: &Self, this_from_other: &Affine, max_walls: usize) -> Sums {
        let stride = (self.pooled.width + 2) as u32;
        let places = self.places(this_from_other);
        let mut cells = [0_u32; LANES];
        let mut sum = 0_u64;
        let [xs, ys] = &other.walls;
        let chunks = xs.as_chunks::<LANES>().0.iter().zip(ys.as_chunks::<LANES>().0);
        for (xs, ys) in chunks.take(max_walls.div_ceil(LANES)) {
            for ((cell, &x), &y) in cells.iter_mut().zip(xs).zip(ys) {
                let [column, row] = places.of(x, y);
                *cell = whole(row) * stride + whole(column);
            }
            for &cell in &cells {
                sum += PACKED[usize::from(self.near.get(cell as usize).copied().unwrap_or(0))];
            }
        }
        let part = |shift: u32| (sum >> shift & 0xFF_FFFF) as f64;
        other.all(part(0), (sum >> 48) as f64, part(24), max_walls.min(other.sampled))
    }

    fn smooth_sums(&self, other: &Self, this_from_other: &Affine) -> Sums {
        let stride = self.pooled.width + 2;
        let (mut hits, mut seen, mut seen_hits) = (0.0, 0.0, 0.0);
        let places = self.places(this_from_other);
        let count = SMOOTH_WALLS.min(other.sampled);
        for (&x, &y) in other.walls[0].iter().zip(&other.walls[1]).take(count) {
            let [column, row] = places.of(x, y);
            let near_at = |column: u32, row: u32| {
                self.near.get(row as usize * stride + column as usize).copied().unwrap_or(0)
            };
            let at = |column: u32, row: u32| f32::from(near_at(column, row) & NEAREST);
            let known = f64::from(near_at(column as u32, row as u32) >> 7);
            let (from_left, from_top) = ((column - 0.5).max(0.0), (row - 0.5).max(0.0));
            let (left, top) = (from_left as u32, from_top as u32);
            let (right_part, lower_part) = (from_left - left as f32, from_top - top as f32);
            let between = |row: u32| at(left, row) * (1.0 - right_part) + at(left + 1, row) * right_part;
            let hit = f64::from(between(top) * (1.0 - lower_part) + between(top + 1) * lower_part);
            hits += hit;
            seen += known;
            seen_hits += known * hit;
        }
        other.all(hits, seen, seen_hits, count)
    }

    fn places(&self, this_from_other: &Affine) -> Places {
        let Pooled { corner, factor, width, height, .. } = self.pooled;
        let corner = [corner.0 as f64, corner.1 as f64];
        let mut factors = this_from_other.onto(corner, 1.0 / factor as f64);
        // One cell of border.
        factors[2] += 1.0;
        factors[5] += 1.0;
        Places { factors, last: [width as f32 + 1.5, height as f32 + 1.5] }
    }

    /// Sums of so many walls, scaled to all walls of this map.
    fn all(&self, hits: f64, seen: f64, seen_hits: f64, looked_at: usize) -> Sums {
        let each = self.count as f64 / looked_at as f64;
        let hit = each / f64::from(NEAREST);
        Sums { hits: hits * hit, seen: seen * each, seen_hits: seen_hits * hit }
    }
}

/// Where the walls of one map lie on the sheet of another.
struct Places {
    factors: [f32; 6],
    /// The middle of the last column and row, which are border as the first are.
    last: [f32; 2],
}

impl Places {
    /// Column and row of a wall; of one outside that of a cell of the border, which is nothing.
    #[inline]
    fn of(&self, x: f32, y: f32) -> [f32; 2] {
        let [a, b, c, d, e, f] = self.factors;
        [(a * x + b * y + c).max(0.5).min(self.last[0]), (d * x + e * y + f).max(0.5).min(self.last[1])]
    }
}

/// The whole part of a number from 0.5 to 2^22, which keeps many at once in the processor's registers: at 2^23 the last digit
/// of a number is 1, and its bits are those of the whole number. On the border of two cells it may be either.
#[inline]
fn whole(value: f32) -> u32 {
    const POWER: f32 = 8_388_608.0;
    (value + (POWER - 0.5)).to_bits() & 0x7F_FFFF
}

/// What a byte of a sheet adds to the three sums: nearness, nearness where it is known, known.
const PACKED: [u64; 256] = {
    let mut packed = [0; 256];
    let mut near = 0;
    while near < 256 {
        let (hit, known) = ((near & 127) as u64, (near >> 7) as u64);
        packed[near] = hit | (known * hit) << 24 | known << 48;
        near += 1;
    }
    packed
};

/// A plan whose outside or whose walls are solid, without the insides of what is solid: no map can show them.
fn faces(mut pooled: Pooled) -> Pooled {
    let occupied = count_of(&pooled.classes, OCCUPIED);
    let known = pooled.classes.len() - count_of(&pooled.classes, UNKNOWN);
    if (occupied as f64) < SOLID * known as f64 {
        return pooled;
    }
    let (width, cells) = (pooled.width, pooled.classes.clone());
    let is_inside = |index: usize| {
        let column = index % width;
        let (left, right) = (column > 0, column + 1 < width);
        let beside = [
            left.then(|| index - 1),
            right.then(|| index + 1),
            index.checked_sub(width),
            Some(index + width).filter(|below| *below < cells.len()),
        ];
        beside.into_iter().flatten().all(|cell| cells[cell] != FREE)
    };
    for (index, class) in pooled.classes.iter_mut().enumerate() {
        if *class == OCCUPIED && is_inside(index) {
            *class = UNKNOWN;
        }
    }
    pooled
}

/// Sums over the walls of one map, scaled from the sample to all of them.
struct Sums {
    hits: f64,
    /// Walls that lie where the other map knows something.
    seen: f64,
    seen_hits: f64,
}

/// k of each squared distance, 0 to 127.
fn kernel(tol_cells: f64) -> [u8; 256] {
    let mut kernel = std::array::from_fn(|squared| {
        let k = 1.0 - (squared as f64).sqrt() / tol_cells;
        (k.max(0.0) * f64::from(NEAREST)).round() as u8
    });
    kernel[usize::from(BEYOND)] = 0;
    kernel
}

/// Every so many walls, at most [`WALLS`], and how many there are; none without any. They stand in an order in which the
/// first few are a fair sample too.
fn sampled_walls(pooled: &Pooled) -> Option<([Vec<f32>; 2], usize, usize)> {
    let (in_order, count) = super::wall_sample::sampled(&pooled.classes, WALLS)?;
    let cells: Vec<usize> =
        (0..SPREAD).flat_map(|first| in_order.iter().skip(first).step_by(SPREAD)).copied().collect();
    let axis = |corner: usize, cell: fn(usize, usize) -> usize| {
        let center = |&index: &usize| {
            (corner as f64 + (cell(index, pooled.width) as f64 + 0.5) * pooled.factor as f64) as f32
        };
        let outside = std::iter::repeat_n(FAR, cells.len().next_multiple_of(LANES) - cells.len());
        cells.iter().map(center).chain(outside).collect()
    };
    let walls = [
        axis(pooled.corner.0, |index, width| index % width),
        axis(pooled.corner.1, |index, width| index / width),
    ];
    Some((walls, cells.len(), count))
}

//! The two-sided wall score of a candidate (spec 07, R-ALIGN).
//!
//! ```text
//! S(T) = ( Σ occupied p of M: k(d_G(T p)) + Σ occupied q of G with T⁻¹q known in M: k(d_M(T⁻¹q)) ) / (n_M + n_seen)
//! k(d) = max(0, 1 - d / tol)
//! ```
//!
//! Walls of the truth that the map never saw are not charged; walls that it claims to have seen as free are. Where the
//! truth may be a part of the place ([`Charge::Shared`]), walls of the map that lie where it knows nothing are not charged
//! either: n_M counts the others.
//! Between cells k is interpolated, so that the score changes smoothly with the candidate.

use std::borrow::Cow;

use raster::near_field::{BEYOND, MAX_REACH};

use crate::candidate::{Candidate, Motion2};
use crate::levels::Charge;
use crate::pooled::Pooled;

/// How well a candidate fits.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Fit {
    /// S, 0 to 1.
    pub(crate) score: f64,
    /// Mean nearness of the walls that both maps make a claim about.
    pub(crate) shared_score: f64,
    /// Half the number of these walls, both maps counted, as a ratio to all walls of the map that has fewer.
    pub(crate) shared: f64,
    /// Share of the shared walls of the truth, or of the map, that have a wall of the other within the tolerance, whichever
    /// is larger: a map full of specks shows all walls of the truth, one with walls missing has none that the truth has not.
    pub(crate) explained: f64,
    /// Walls of the truth that lie where the map knows something, of all its walls.
    pub(crate) seen: f64,
    /// Walls of the map that lie where the truth knows something, of all its walls.
    pub(crate) map_seen: f64,
}

/// One map as the score sees it.
#[derive(Clone, Debug)]
pub(crate) struct Side {
    pub(crate) pooled: Pooled,
    /// Capped squared distances with a border of one cell, so that every neighbour exists.
    near: Vec<u8>,
    walls: Vec<[f64; 2]>,
    /// The same from the corner of the image, axis by axis.
    wall_axes: [Vec<f32>; 2],
}

/// k for each squared distance of the near field.
type Kernel = [f32; 256];

/// A candidate under which less of the walls is shared is worth less, in proportion.
pub(crate) const LEAST_SHARED: f64 = 0.1;

/// Points that are moved together: the compiler moves as many at once as the processor can.
const LANES: usize = 16;

impl Side {
    /// Prepares a map for tolerances of up to `reach_cells` original cells.
    pub(crate) fn new(pooled: Pooled, reach_cells: f64) -> Self {
        // Beyond the largest reach nothing is told apart; a tolerance of many cells must not overflow.
        let reach = (reach_cells / pooled.factor as f64).ceil().min(MAX_REACH as f64) as usize + 1;
        let mut near = vec![BEYOND; (pooled.width + 2) * (pooled.height + 2)];
        let inner = near.chunks_exact_mut(pooled.width + 2).skip(1);
        for (target, source) in inner.zip(pooled.near(reach).chunks_exact(pooled.width)) {
            target[1..=pooled.width].copy_from_slice(source);
        }
        let walls = shuffled(pooled.walls());
        let axis =
            |axis: usize, corner: usize| walls.iter().map(|w| (w[axis] - corner as f64) as f32).collect();
        let wall_axes = [axis(0, pooled.corner.0), axis(1, pooled.corner.1)];
        Self { near, walls, wall_axes, pooled }
    }

    pub(crate) fn walls(&self) -> &[[f64; 2]] {
        &self.walls
    }

    /// k for a tolerance in original cells of this map.
    fn kernel(&self, tol_cells: f64) -> Kernel {
        let per_root = (self.pooled.factor as f64 / tol_cells) as f32;
        let mut kernel = std::array::from_fn(|squared| (1.0 - (squared as f32).sqrt() * per_root).max(0.0));
        kernel[usize::from(BEYOND)] = 0.0;
        kernel
    }

    /// k at a column and row of this level, interpolated between the centres of cells; 0 outside.
    #[inline]
    fn nearness(&self, column: f32, row: f32, kernel: &Kernel) -> f32 {
        // Half a cell to the centres, one cell of border.
        let (column, row) = (column + 0.5, row + 0.5);
        let Pooled { width, height, .. } = self.pooled;
        if !(column >= 0.0 && row >= 0.0 && column < (width + 1) as f32 && row < (height + 1) as f32) {
            return 0.0;
        }
        // Both are at least 0, so that cutting off is rounding down.
        let (left, top) = (column as u32 as usize, row as u32 as usize);
        let (right_part, lower_part) = (column - left as f32, row - top as f32);
        let stride = width + 2;
        let pair = |index: usize| {
            let pair = &self.near[index..index + 2];
            let (left, right) = (kernel[usize::from(pair[0])], kernel[usize::from(pair[1])]);
            left + (right - left) * right_part
        };
        let (upper, lower) = (pair(top * stride + left), pair((top + 1) * stride + left));
        upper + (lower - upper) * lower_part
    }

    /// Whether the map makes a claim about a column and row of this level.
    #[inline]
    fn knows_cell(&self, column: f32, row: f32) -> bool {
        const UNKNOWN: u8 = 1;
        let Pooled { width, height, .. } = self.pooled;
        column >= 0.0
            && row >= 0.0
            && column < width as f32
            && row < height as f32
            && self.pooled.classes[row as u32 as usize * width + column as u32 as usize] != UNKNOWN
    }

    /// Column and row of a point in cells of this level.
    #[inline]
    fn place(&self, [x, y]: [f64; 2]) -> (f32, f32) {
        let Pooled { factor, corner, .. } = self.pooled;
        ((x - corner.0 as f64) as f32 / factor as f32, (y - corner.1 as f64) as f32 / factor as f32)
    }

    /// Distance from a point to the nearest wall in original cells; none beyond the reach.
    pub(crate) fn distance(&self, point: [f64; 2]) -> Option<f64> {
        let (column, row) = self.place(point);
        let (column, row, Pooled { width, height, .. }) = (column + 1.0, row + 1.0, &self.pooled);
        let inside = column >= 0.0 && row >= 0.0 && column < (width + 1) as f32 && row < (height + 1) as f32;
        let squared = *self.near.get(row as usize * (width + 2) + column as usize).filter(|_| inside)?;
        (squared != BEYOND).then(|| f64::from(squared).sqrt() * self.pooled.factor as f64)
    }

    /// Whether the map makes a claim about a point.
    #[inline]
    pub(crate) fn knows(&self, point: [f64; 2]) -> bool {
        let (column, row) = self.place(point);
        self.knows_cell(column, row)
    }

    /// Calls `visit` with the column and row, in cells of `onto`, of the first `count` walls.
    #[inline]
    fn for_each_wall_on(&self, onto: &Self, motion: &Motion2, count: usize, mut visit: impl FnMut(f32, f32)) {
        let corner = |side: &Self| [side.pooled.corner.0 as f64, side.pooled.corner.1 as f64];
        let [ax, ay, bx, by] =
            motion.between(corner(self), corner(onto), 1.0 / onto.pooled.factor as f64).map(|v| v as f32);
        let [xs, ys] = &self.wall_axes;
        let mut columns = [0.0_f32; LANES];
        let mut rows = [0.0_f32; LANES];
        for (xs, ys) in xs[..count].chunks(LANES).zip(ys[..count].chunks(LANES)) {
            for (((column, row), x), y) in columns.iter_mut().zip(&mut rows).zip(xs).zip(ys) {
                *column = ax * x - ay * y + bx;
                *row = ay * x + ax * y + by;
            }
            columns.iter().zip(&rows).take(xs.len()).for_each(|(&column, &row)| visit(column, row));
        }
    }
}

/// Brings points into an order without pattern, the same in each run, so that any prefix is a fair sample.
pub(crate) fn shuffled(mut points: Vec<[f64; 2]>) -> Vec<[f64; 2]> {
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    for last in (1..points.len()).rev() {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        points.swap(last, (state >> 11) as usize % (last + 1));
    }
    points
}

/// What the walls of one map find in the other.
#[derive(Clone, Copy, Default)]
struct Sums {
    /// Sum of their nearness.
    hits: f64,
    /// Walls about which the other makes a claim.
    seen: f64,
    /// Of these, walls with one of the other within the tolerance.
    near: f64,
}

impl Sums {
    #[inline]
    fn add(&mut self, nearness: f32) {
        self.seen += 1.0;
        self.near += if nearness > 0.0 { 1.0 } else { 0.0 };
        self.hits += f64::from(nearness);
    }

    /// The sums over all walls from those over a share of them.
    fn of_all(self, share: f64) -> Self {
        Self { hits: self.hits / share, seen: self.seen / share, near: self.near / share }
    }

    fn explained(&self) -> f64 {
        if self.seen > 0.0 { self.near / self.seen } else { 0.0 }
    }
}

/// Two maps, a tolerance, and how many walls of each are looked at.
#[derive(Clone, Debug)]
pub(crate) struct WallScore<'a> {
    pub(crate) truth: &'a Side,
    pub(crate) map: &'a Side,
    /// The point of the map about which candidates turn.
    pub(crate) pivot: [f64; 2],
    /// Tolerance in cells of the truth.
    pub(crate) tol_cells: f64,
    /// Look at no more walls of each map than about this many.
    max_walls: usize,
    /// Which walls of the map are charged.
    pub(crate) charge: Charge,
    truth_kernel: Kernel,
    /// The kernel of the map at this scale; those of other scales are made when they are needed.
    map_kernel: (f64, Kernel),
}

impl<'a> WallScore<'a> {
    /// The score of candidates, most of them of the given scale.
    pub(crate) fn new(
        [truth, map]: [&'a Side; 2],
        pivot: [f64; 2],
        tol_cells: f64,
        max_walls: usize,
        scale: f64,
    ) -> Self {
        let truth_kernel = truth.kernel(tol_cells);
        let map_kernel = (scale, map.kernel(tol_cells / scale));
        Self { truth, map, pivot, tol_cells, max_walls, truth_kernel, map_kernel, charge: Charge::All }
    }

    /// The same, charging other walls.
    pub(crate) fn charging(self, charge: Charge) -> Self {
        Self { charge, ..self }
    }

    /// S of a candidate alone: most of the time of a search is spent here.
    pub(crate) fn score(&self, candidate: &Candidate) -> f64 {
        if self.charge == Charge::Shared {
            return self.fit(candidate).score;
        }
        let motion = candidate.motion(self.pivot);
        let (sample, share) = self.sample(self.map);
        let mut hits = 0.0;
        self.map.for_each_wall_on(self.truth, &motion, sample.len(), |column, row| {
            hits += f64::from(self.truth.nearness(column, row, &self.truth_kernel));
        });
        let of_map = hits / share;
        let kernel: &Kernel = &self.kernel_at(candidate.scale);
        let (sample, share) = self.sample(self.truth);
        let (mut hits, mut seen) = (0.0, 0_u32);
        self.truth.for_each_wall_on(self.map, &motion.inverse(), sample.len(), |column, row| {
            if self.map.knows_cell(column, row) {
                seen += 1;
                hits += f64::from(self.map.nearness(column, row, kernel));
            }
        });
        (of_map + hits / share) / (self.map.walls.len() as f64 + f64::from(seen) / share).max(1.0)
    }

    /// The kernel of the map at a scale; made where it is another than most candidates'.
    fn kernel_at(&self, scale: f64) -> Cow<'_, Kernel> {
        match &self.map_kernel {
            (known, kernel) if *known == scale => Cow::Borrowed(kernel),
            _ => Cow::Owned(self.map.kernel(self.tol_cells / scale)),
        }
    }

    /// How well a candidate fits: S, and what it rests on.
    pub(crate) fn fit(&self, candidate: &Candidate) -> Fit {
        let motion = candidate.motion(self.pivot);
        let map = self.map_walls(&motion);
        let truth = self.truth_walls(&motion.inverse(), candidate.scale);
        let [n_truth, n_map] = [self.truth, self.map].map(|side| side.walls.len() as f64);
        let (hits, both) = (map.hits + truth.hits, map.seen + truth.seen);
        if both == 0.0 {
            return Fit::default();
        }
        let shared = both / (2.0 * n_truth.min(n_map));
        let score = match self.charge {
            Charge::All => hits / (n_map + truth.seen),
            Charge::Shared => hits / both * (shared / LEAST_SHARED).min(1.0),
        };
        Fit {
            score,
            shared_score: hits / both,
            shared,
            explained: truth.explained().max(map.explained()),
            seen: truth.seen / n_truth,
            map_seen: map.seen / n_map,
        }
    }

    /// Sums over the walls of the map that lie where the truth makes a claim, or near one of its walls.
    fn map_walls(&self, motion: &Motion2) -> Sums {
        let (sample, share) = self.sample(self.map);
        let mut sums = Sums::default();
        self.map.for_each_wall_on(self.truth, motion, sample.len(), |column, row| {
            let nearness = self.truth.nearness(column, row, &self.truth_kernel);
            if nearness > 0.0 || self.truth.knows_cell(column, row) {
                sums.add(nearness);
            }
        });
        sums.of_all(share)
    }

    /// Sums over the walls of the truth that lie where the map makes a claim.
    fn truth_walls(&self, map_from_truth: &Motion2, scale: f64) -> Sums {
        let kernel: &Kernel = &self.kernel_at(scale);
        let (sample, share) = self.sample(self.truth);
        let mut sums = Sums::default();
        self.truth.for_each_wall_on(self.map, map_from_truth, sample.len(), |column, row| {
            if self.map.knows_cell(column, row) {
                sums.add(self.map.nearness(column, row, kernel));
            }
        });
        sums.of_all(share)
    }

    /// The walls that are looked at, and their share of all.
    pub(crate) fn sample<'s>(&self, side: &'s Side) -> (&'s [[f64; 2]], f64) {
        let count = side.walls.len().min(self.max_walls);
        (&side.walls[..count], (count as f64 / side.walls.len() as f64).max(f64::MIN_POSITIVE))
    }
}

#[cfg(test)]
mod tests {
    use testkit::grid;

    use super::*;

    fn side(rows: &[&str]) -> Side {
        let grid = grid(rows);
        let part = crate::pooled::KnownBox {
            left: 0,
            top: 0,
            width: grid.geometry().width(),
            height: grid.geometry().height(),
        };
        Side::new(Pooled::of(&grid, part, 1), 2.0)
    }

    fn score(truth: &[&str], map: &[&str], down: f64) -> f64 {
        let (truth, map) = (side(truth), side(map));
        let score = WallScore::new([&truth, &map], [0.0, 0.0], 2.0, usize::MAX, 1.0);
        let candidate = Candidate { at: [0.0, down], theta_rad: 0.0, scale: 1.0 };
        assert_eq!(score.score(&candidate), score.fit(&candidate).score);
        score.score(&candidate)
    }

    #[test]
    fn spec_07_e10_a_wall_one_row_off() {
        let (truth, map) = (["#####", ".....", "....."], [".....", "#####", "....."]);
        assert_eq!(score(&truth, &map, 0.0), 0.5);
        assert_eq!(score(&truth, &map, -1.0), 1.0);
        assert_eq!(score(&truth, &map, 1.0), 0.0);
    }

    #[test]
    fn spec_07_e10_unseen_walls_are_not_charged() {
        assert_eq!(score(&["#.#"], &["#.?"], 0.0), 1.0);
        assert!((score(&["#.#"], &["#.."], 0.0) - 2.0 / 3.0).abs() < 1e-6);
    }

    #[test]
    fn walls_beyond_a_partial_truth_are_charged_in_one_reading_only() {
        let (truth, map) = (side(&["#.????"]), side(&["#...#."]));
        let score = WallScore::new([&truth, &map], [0.0, 0.0], 2.0, usize::MAX, 1.0);
        let fit = |charge| score.clone().charging(charge).fit(&Candidate::ORIGIN);
        assert!((fit(Charge::All).score - 2.0 / 3.0).abs() < 1e-6);
        let shared = fit(Charge::Shared);
        assert_eq!((shared.score, shared.shared_score, shared.explained), (1.0, 1.0, 1.0));
        assert_eq!((shared.map_seen, shared.shared), (0.5, 1.0));
    }

    #[test]
    fn without_walls_the_score_is_zero() {
        assert_eq!(score(&["..."], &["..."], 0.0), 0.0);
        assert_eq!(score(&["#.."], &["???"], 0.0), 0.0);
    }
}

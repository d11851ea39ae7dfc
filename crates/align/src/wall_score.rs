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
use raster::near_walls::{Found, Kernel, Motion, NearWalls};

use crate::candidate::{Candidate, Motion2};
use crate::levels::Charge;
use crate::pooled::{OCCUPIED, Pooled, UNKNOWN};

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
    /// The same of the truth's walls alone.
    pub(crate) truth_explained: f64,
    /// Walls of the truth that lie where the map knows something, of all its walls.
    pub(crate) seen: f64,
    /// Walls of the map that lie where the truth knows something, of all its walls.
    pub(crate) map_seen: f64,
}

/// One map as the score sees it.
#[derive(Clone, Debug)]
pub(crate) struct Side {
    pub(crate) pooled: Pooled,
    near: NearWalls,
    walls: Vec<[f64; 2]>,
    /// The same from the corner of the image, axis by axis.
    wall_axes: [Vec<f32>; 2],
}

/// How nearness falls with the distance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Peak {
    /// Along a straight line: walls that coincide count most.
    Pointed,
    /// With the square: walls are drawn to the middle of what they fit.
    Round,
}

/// A candidate under which less of the walls is shared is worth less, in proportion.
pub(crate) const MIN_SHARED: f64 = 0.1;

impl Side {
    /// Prepares a map for tolerances of up to `reach_cells` original cells.
    pub(crate) fn new(pooled: Pooled, reach_cells: f64) -> Self {
        // Beyond the largest reach nothing is told apart; a tolerance of many cells must not overflow.
        let reach = (reach_cells / pooled.factor as f64).ceil().min(MAX_REACH as f64) as usize + 1;
        let known = |class: u8| class != UNKNOWN;
        let near = NearWalls::new(&pooled.classes, OCCUPIED, known, pooled.width, pooled.height, reach);
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
    fn kernel(&self, tol_cells: f64, peak: Peak) -> Kernel {
        let per_root = (self.pooled.factor as f64 / tol_cells) as f32;
        let nearness = |squared: f32| match peak {
            Peak::Pointed => 1.0 - squared.sqrt() * per_root,
            Peak::Round => 1.0 - squared * per_root * per_root,
        };
        let mut kernel = std::array::from_fn(|squared| nearness(squared as f32).max(0.0));
        kernel[usize::from(BEYOND)] = 0.0;
        kernel
    }

    /// Column and row of a point in cells of this level; none outside of the image.
    #[inline]
    fn cell(&self, [x, y]: [f64; 2]) -> Option<(usize, usize)> {
        let Pooled { factor, corner, width, height, .. } = self.pooled;
        let (column, row) =
            ((x - corner.0 as f64) as f32 / factor as f32, (y - corner.1 as f64) as f32 / factor as f32);
        let inside = column >= 0.0 && row >= 0.0 && column < width as f32 && row < height as f32;
        // Both are at least 0, so that cutting off is rounding down.
        inside.then_some((column as usize, row as usize))
    }

    /// Distance from a point to the nearest wall in original cells; none beyond the reach.
    pub(crate) fn distance(&self, point: [f64; 2]) -> Option<f64> {
        let (column, row) = self.cell(point)?;
        let squared = self.near.squared_distance(column, row);
        (squared != BEYOND).then(|| f64::from(squared).sqrt() * self.pooled.factor as f64)
    }

    /// Whether the map makes a claim about a point.
    #[inline]
    pub(crate) fn knows(&self, point: [f64; 2]) -> bool {
        let width = self.pooled.width;
        self.cell(point).is_some_and(|(column, row)| self.pooled.classes[row * width + column] != UNKNOWN)
    }

    /// The first walls, and the motion that leads to cells of `onto`.
    #[inline]
    fn laid_on(&self, onto: &Self, motion: &Motion2, count: usize) -> (&[f32], &[f32], Motion) {
        let corner = |side: &Self| [side.pooled.corner.0 as f64, side.pooled.corner.1 as f64];
        let [ax, ay, bx, by] =
            motion.between(corner(self), corner(onto), 1.0 / onto.pooled.factor as f64).map(|v| v as f32);
        let [xs, ys] = &self.wall_axes;
        (&xs[..count], &ys[..count], Motion { ax, ay, bx, by })
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

/// What all walls of one map find in the other, from what a share of them found.
fn of_all(Found { nearness, count, near }: Found, share: f64) -> Found {
    Found { nearness: nearness / share, count: count / share, near: near / share }
}

/// Share of the walls about which the other map makes a claim that have one of its walls within the tolerance.
fn explained(found: Found) -> f64 {
    if found.count > 0.0 { found.near / found.count } else { 0.0 }
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
    peak: Peak,
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
        let peak = Peak::Pointed;
        let truth_kernel = truth.kernel(tol_cells, peak);
        let map_kernel = (scale, map.kernel(tol_cells / scale, peak));
        Self { truth, map, pivot, tol_cells, max_walls, charge: Charge::All, peak, truth_kernel, map_kernel }
    }

    /// The same with a round peak, and another tolerance in cells of the truth.
    pub(crate) fn rounded(self, tol_cells: f64) -> Self {
        let peak = Peak::Round;
        let (scale, _) = self.map_kernel;
        let truth_kernel = self.truth.kernel(tol_cells, peak);
        let map_kernel = (scale, self.map.kernel(tol_cells / scale, peak));
        Self { tol_cells, peak, truth_kernel, map_kernel, ..self }
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
        // What the truth claims about the walls of the map is not asked for, as in [`WallScore::map_walls`].
        let (xs, ys, onto_truth) = self.map.laid_on(self.truth, &motion, sample.len());
        let of_map = self.truth.near.of_all(&self.truth_kernel, xs, ys, onto_truth) / share;
        let of_truth = self.truth_walls(&motion.inverse(), candidate.scale);
        (of_map + of_truth.nearness) / (self.map.walls.len() as f64 + of_truth.count).max(1.0)
    }

    /// The kernel of the map at a scale; made where it is another than most candidates'.
    fn kernel_at(&self, scale: f64) -> Cow<'_, Kernel> {
        match &self.map_kernel {
            (known, kernel) if *known == scale => Cow::Borrowed(kernel),
            _ => Cow::Owned(self.map.kernel(self.tol_cells / scale, self.peak)),
        }
    }

    /// How well a candidate fits: S, and what it rests on.
    pub(crate) fn fit(&self, candidate: &Candidate) -> Fit {
        let motion = candidate.motion(self.pivot);
        let map = self.map_walls(&motion);
        let truth = self.truth_walls(&motion.inverse(), candidate.scale);
        let [n_truth, n_map] = [self.truth, self.map].map(|side| side.walls.len() as f64);
        let (hits, both) = (map.nearness + truth.nearness, map.count + truth.count);
        if both == 0.0 {
            return Fit::default();
        }
        let shared = both / (2.0 * n_truth.min(n_map));
        let score = match self.charge {
            Charge::All => hits / (n_map + truth.count),
            Charge::Shared => hits / both * (shared / MIN_SHARED).min(1.0),
        };
        Fit {
            score,
            shared_score: hits / both,
            shared,
            explained: explained(truth).max(explained(map)),
            truth_explained: explained(truth),
            seen: truth.count / n_truth,
            map_seen: map.count / n_map,
        }
    }

    /// What the walls of the map find that lie where the truth makes a claim, or near one of its walls.
    fn map_walls(&self, motion: &Motion2) -> Found {
        let (sample, share) = self.sample(self.map);
        let (xs, ys, onto_truth) = self.map.laid_on(self.truth, motion, sample.len());
        of_all(self.truth.near.of_known_or_near(&self.truth_kernel, xs, ys, onto_truth), share)
    }

    /// What the walls of the truth find that lie where the map makes a claim.
    fn truth_walls(&self, map_from_truth: &Motion2, scale: f64) -> Found {
        let kernel: &Kernel = &self.kernel_at(scale);
        let (sample, share) = self.sample(self.truth);
        let (xs, ys, onto_map) = self.truth.laid_on(self.map, map_from_truth, sample.len());
        of_all(self.map.near.of_known(kernel, xs, ys, onto_map), share)
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

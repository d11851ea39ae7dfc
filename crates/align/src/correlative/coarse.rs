//! First step: every rotation, scale and translation on coarse images.
//!
//! The walls of the map are laid on the nearness field of the truth, and its free cells on the walls of the truth:
//!
//! ```text
//! rank(T) = Σ walls p of M: k(d_G(T p)) / ( n_M + number of G's walls where M is free )
//! ```
//!
//! which orders candidates nearly as the two-sided score does, and costs two sums of a few hundred points for many
//! translations at once (`raster::moved_points`). Translations under which too few points meet the truth for one of the
//! best ranks are left out, and so is the second sum where the first is too small. The best few per rotation and scale then
//! get their true score.

use raster::moved_points::{BorderedField, LANES, MAX_VALUE, RankWeights, ranks as lane_ranks};
use rayon::prelude::*;

use super::peaks::Ranks;
use crate::candidate::Candidate;
use crate::certificate::Scored;
use crate::levels::Charge;
use crate::pooled::Pooled;
use crate::wall_score::{WallScore, shuffled};

/// Points of each kind that are laid on the truth. With half of them in the second reading, and fewer climbs, maps were
/// certain of a wrong aisle.
const POINTS: usize = 256;
/// Share of the map's walls that counts at least where the truth knows less.
const MIN_SHARED: f32 = 0.2;

/// Which candidates are tried.
pub(crate) struct Steps {
    pub(crate) yaws_rad: Vec<f64>,
    /// Scales, cells of the truth per cell of the map.
    pub(crate) scales: Vec<f64>,
    /// Candidates kept per rotation and scale.
    pub(crate) peaks: usize,
}

/// The best candidates of each rotation and scale, with their two-sided scores, unsorted but in a fixed order.
pub(crate) fn search(
    score: &WallScore,
    steps: &Steps,
    least_seen: impl Fn(f64) -> bool + Sync,
) -> Vec<Scored> {
    let stage = Stage::new(score, steps);
    let scaled = |&theta_rad: &f64| steps.scales.iter().map(move |&scale| (theta_rad, scale));
    let jobs: Vec<(f64, f64)> = steps.yaws_rad.iter().flat_map(scaled).collect();
    let found = jobs.par_iter().map_init(Ranks::default, |ranks, &(theta_rad, scale)| {
        let peaks = stage.peaks(theta_rad, scale, ranks);
        let fits = peaks.into_iter().map(|candidate| (score.fit(&candidate), candidate));
        fits.filter(|(fit, _)| least_seen(fit.seen))
            .map(|(fit, candidate)| (fit.score, candidate))
            .collect::<Vec<_>>()
    });
    found.flatten().collect()
}

/// The two images, prepared for all rotations.
struct Stage<'a> {
    score: &'a WallScore<'a>,
    peaks: usize,
    nearness: BorderedField,
    known: BorderedField,
    occupied: BorderedField,
    walls: Vec<[f64; 2]>,
    free: Vec<[f64; 2]>,
    /// Cells that a point stands for.
    per_wall: f32,
    per_free: f32,
}

impl<'a> Stage<'a> {
    fn new(score: &'a WallScore<'a>, steps: &Steps) -> Self {
        let truth = &score.truth.pooled;
        let (walls, per_wall) = sample(score.map.walls().to_vec());
        let clear = score.map.pooled.near(reach_of(score));
        let free_cells = score.map.pooled.centers_where(|index| {
            score.map.pooled.classes[index] == 0 && clear[index] == raster::near_field::BEYOND
        });
        let (free, per_free) = sample(free_cells);
        let near = truth.near(reach_of(score));
        let per_root = truth.factor as f64 / score.tol_cells;
        let value = |&squared: &u8| {
            let k = 1.0 - f64::from(squared).sqrt() * per_root;
            if squared == raster::near_field::BEYOND { 0 } else { (k.max(0.0) * f64::from(MAX_VALUE)) as u8 }
        };
        let nearness: Vec<u8> = near.iter().map(value).collect();
        let claims = |(class, near): (&u8, &u8)| u8::from(*class != 1 || *near > 0);
        let known: Vec<u8> = truth.classes.iter().zip(&nearness).map(claims).collect();
        let occupied: Vec<u8> = truth.classes.iter().map(|&class| u8::from(class == 2)).collect();
        // As far as the map reaches in any direction at its largest scale.
        let largest = steps.scales.iter().copied().fold(0.0, f64::max) * score.map.pooled.factor as f64;
        let diagonal = (score.map.pooled.width as f64).hypot(score.map.pooled.height as f64);
        let border = (diagonal * largest / truth.factor as f64).ceil() as usize + 2;
        let field = |values: &[u8]| BorderedField::new(values, truth.width, truth.height, border);
        Self {
            score,
            peaks: steps.peaks,
            nearness: field(&nearness),
            occupied: field(&occupied),
            known: field(&known),
            walls,
            free,
            per_wall,
            per_free,
        }
    }

    /// The best translations of a rotation and scale.
    fn peaks(&self, theta_rad: f64, scale: f64, ranks: &mut Ranks) -> Vec<Candidate> {
        let Some(laid) = self.lay(theta_rad, scale) else {
            return Vec::new();
        };
        self.rank(&laid, ranks);
        let candidate = |(row, column): (usize, usize)| {
            let moved = [column as f64 - laid.origin[0], row as f64 - laid.origin[1]];
            let Pooled { factor, corner, .. } = self.score.truth.pooled;
            let at = [corner.0 as f64 + moved[0] * factor as f64, corner.1 as f64 + moved[1] * factor as f64];
            Candidate { at, theta_rad, scale }
        };
        ranks.peaks().into_iter().map(candidate).collect()
    }

    /// Ranks of all translations that may be among the best, row by row, those under which most walls meet the truth first.
    /// The dearer parts of a rank are left out where the cheaper ones say that it is too low.
    fn rank(&self, laid: &Laid, ranks: &mut Ranks) {
        let walls = self.nearness.under(&laid.walls, laid.size);
        let free = self.occupied.under(&laid.free, laid.size);
        let known = self.known.under(&laid.walls, laid.size);
        let is_shared = self.score.charge == Charge::Shared;
        let count = self.walls.len() as f32 * self.per_wall;
        let least_known = if is_shared { MIN_SHARED * count } else { count };
        let weights = RankWeights {
            per_hit: self.per_wall / f32::from(MAX_VALUE),
            per_known: self.per_wall,
            least_known,
            per_miss: self.per_free,
        };
        // The highest rank that so many near walls of the sample allow.
        let highest = |near: f32| (near * self.per_wall / least_known).min(1.0);
        let (wide, high) = self.nearness.translations(laid.size.0, laid.size.1);
        ranks.clear((wide, high), self.peaks);
        let truth = &self.score.truth.pooled;
        let within_row = within(laid.walls.iter().map(|wall| wall.1), laid.size.1, truth.height, 1);
        let within_block = within(laid.walls.iter().map(|wall| wall.0), laid.size.0, truth.width, LANES);
        let mut rows: Vec<usize> = (0..high).collect();
        rows.sort_by_key(|&row| std::cmp::Reverse(within_row[row]));
        for row in rows {
            for (block, &in_block) in within_block.iter().enumerate() {
                let column = block * LANES;
                if highest(f32::from(in_block.min(within_row[row]))) < ranks.least() {
                    continue;
                }
                let hits = walls.sums(row, block);
                let lanes = LANES.min(wide - column);
                let most = hits[..lanes].iter().copied().max().unwrap_or(0);
                if highest(f32::from(most) / f32::from(MAX_VALUE)) < ranks.least() {
                    continue;
                }
                let known = if is_shared { known.sums(row, block) } else { [0; LANES] };
                if is_shared
                    && lane_ranks(&hits, &known, &[0; LANES], weights)[..lanes]
                        .iter()
                        .all(|&rank| rank < ranks.least())
                {
                    continue;
                }
                let misses = free.sums(row, block);
                let rank = lane_ranks(&hits, &known, &misses, weights);
                ranks.set(row, column, &rank[..lanes]);
            }
        }
    }

    /// The points of the map turned and scaled, in whole cells of the truth's image, in their box.
    fn lay(&self, theta_rad: f64, scale: f64) -> Option<Laid> {
        let per_cell = scale / self.score.truth.pooled.factor as f64;
        let motion = Candidate { at: [0.0, 0.0], theta_rad, scale: per_cell }.motion(self.score.pivot);
        let turned =
            |points: &[[f64; 2]]| -> Vec<[f64; 2]> { points.iter().map(|&p| motion.apply(p)).collect() };
        let (walls, free) = (turned(&self.walls), turned(&self.free));
        let all = || walls.iter().chain(&free);
        let least = |axis: usize| all().map(|p| p[axis]).fold(f64::INFINITY, f64::min).floor();
        let low = [least(0), least(1)];
        let cell = |p: &[f64; 2]| ((p[0] - low[0]) as usize, (p[1] - low[1]) as usize);
        let (walls, free): (Vec<_>, Vec<_>) =
            (walls.iter().map(cell).collect(), free.iter().map(cell).collect());
        let side = |axis: fn(&(usize, usize)) -> usize| walls.iter().chain(&free).map(axis).max();
        let size = (side(|p| p.0)? + 1, side(|p| p.1)? + 1);
        // Entry (i, j) moves the box by i - width + 1; the pivot lies at -low in the box.
        let origin = [low[0] + size.0 as f64 - 1.0, low[1] + size.1 as f64 - 1.0];
        Some(Laid { walls, free, size, origin })
    }
}

/// Points of the map in their box.
struct Laid {
    walls: Vec<(usize, usize)>,
    free: Vec<(usize, usize)>,
    size: (usize, usize),
    /// What to take off an entry's column and row to get the place of the pivot.
    origin: [f64; 2],
}

fn reach_of(score: &WallScore) -> usize {
    (score.tol_cells / score.truth.pooled.factor as f64).ceil() as usize
}

/// Up to [`POINTS`] points, and how many each stands for.
fn sample(points: Vec<[f64; 2]>) -> (Vec<[f64; 2]>, f32) {
    let all = points.len();
    let points: Vec<_> = shuffled(points).into_iter().take(POINTS).collect();
    let each = all as f32 / points.len().max(1) as f32;
    (points, each)
}

/// How many points lie within a field of so many cells under each `step` neighbouring translations, at most: from where their
/// last cell meets its first to where their first meets its last.
fn within(points: impl Iterator<Item = usize>, extent: usize, field: usize, step: usize) -> Vec<u16> {
    let mut counts = vec![0_u16; extent];
    points.for_each(|at| counts[at] = counts[at].saturating_add(1));
    // Points before each cell.
    let before: Vec<u16> = std::iter::once(0)
        .chain(counts.iter().scan(0_u16, |sum, count| {
            *sum = sum.saturating_add(*count);
            Some(*sum)
        }))
        .collect();
    let translations = field + extent - 1;
    let of_step = |first: usize| {
        let last = (first + step).min(translations) - 1;
        // Translation t lays cell c on t - extent + 1 + c: within from extent - 1 - t on, up to extent - 1 - t + field.
        let low = (extent - 1).saturating_sub(last);
        let high = (extent - 1 + field).saturating_sub(first).min(extent);
        before[high].saturating_sub(before[low.min(high)])
    };
    (0..translations).step_by(step).map(of_step).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_within_the_field_by_hand() {
        // Points at 0 and 2 of three cells, over two cells: the last on the first, ..., the first on the last.
        let points = || [0, 2].into_iter();
        assert_eq!(within(points(), 3, 2, 1), [1, 1, 1, 1]);
        assert_eq!(within(points(), 3, 3, 1), [1, 1, 2, 1, 1]);
        assert_eq!(within(points(), 3, 3, 2), [1, 2, 1], "never fewer than under one of the two");
    }
}

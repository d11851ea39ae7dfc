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

use raster::moved_points::{
    BorderedField, LANES, MAX_VALUE, RankWeights, UnderPoints, highest, largest, ranks as lane_ranks,
};
use rayon::prelude::*;

use super::covered::{Covered, gaps};
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
    let found = jobs.par_iter().map_init(Scratch::default, |scratch, &(theta_rad, scale)| {
        let peaks = stage.peaks(theta_rad, scale, scratch);
        let fits = peaks.into_iter().map(|candidate| (score.fit(&candidate), candidate));
        fits.filter(|(fit, _)| least_seen(fit.seen))
            .map(|(fit, candidate)| (fit.score, candidate))
            .collect::<Vec<_>>()
    });
    found.flatten().collect()
}

/// Memory that is used again for each rotation.
#[derive(Default)]
struct Scratch {
    ranks: Ranks,
    covered: Covered,
}

/// The two images, prepared for all rotations.
struct Stage<'a> {
    score: &'a WallScore<'a>,
    peaks: usize,
    nearness: BorderedField,
    known: BorderedField,
    /// Cells of the truth that are not known, if there are few.
    gaps: Option<Vec<(usize, usize)>>,
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
            gaps: gaps(&known, truth.width),
            walls,
            free,
            per_wall,
            per_free,
        }
    }

    /// The best translations of a rotation and scale.
    fn peaks(&self, theta_rad: f64, scale: f64, scratch: &mut Scratch) -> Vec<Candidate> {
        let Some(laid) = self.lay(theta_rad, scale) else {
            return Vec::new();
        };
        self.rank(&laid, scratch);
        let candidate = |(row, column): (usize, usize)| {
            let moved = [column as f64 - laid.origin[0], row as f64 - laid.origin[1]];
            let Pooled { factor, corner, .. } = self.score.truth.pooled;
            let at = [corner.0 as f64 + moved[0] * factor as f64, corner.1 as f64 + moved[1] * factor as f64];
            Candidate { at, theta_rad, scale }
        };
        scratch.ranks.peaks().into_iter().map(candidate).collect()
    }

    /// Ranks of all translations that may be among the best, row by row, those under which most walls meet the truth first.
    /// The dearer parts of a rank are left out where the cheaper ones say that it is too low.
    fn rank(&self, laid: &Laid, Scratch { ranks, covered }: &mut Scratch) {
        let walls = self.nearness.under(&laid.walls, laid.size);
        let count = self.walls.len() as f32 * self.per_wall;
        let ranking = Ranking {
            known: self.known.under(&laid.walls, laid.size),
            free: self.occupied.under(&laid.free, laid.size),
            charge: self.score.charge,
            is_known_counted: self.gaps.is_some(),
            weights: RankWeights {
                per_hit: self.per_wall / f32::from(MAX_VALUE),
                per_known: self.per_wall,
                least_known: if self.score.charge == Charge::Shared { MIN_SHARED * count } else { count },
                per_miss: self.per_free,
            },
        };
        let truth = &self.score.truth.pooled;
        let (wide, high) = self.nearness.translations(laid.size.0, laid.size.1);
        ranks.clear((wide, high), self.peaks);
        covered.lay(&laid.walls, laid.size, (truth.width, truth.height));
        let within_row = within(laid.walls.iter().map(|wall| wall.1), laid.size.1, truth.height);
        let mut least_near = 0.0;
        for row in most_first(&within_row) {
            if f32::from(within_row[row]) < least_near {
                // Fewer still are within the rows that follow.
                break;
            }
            let known = covered.of_row(row, self.gaps.as_deref().unwrap_or(&[])).as_chunks::<LANES>().0;
            let may_hold_peak = |block: usize, least_near: f32| {
                known.get(block).is_some_and(|known| f32::from(largest(known)) >= least_near)
            };
            // Of this block and the next one, if both are wanted.
            let mut sums = [[0; LANES]; 2];
            let mut is_ahead = false;
            for (block, known) in known.iter().enumerate() {
                let was_ahead = std::mem::take(&mut is_ahead);
                if !may_hold_peak(block, least_near) {
                    continue;
                }
                if !was_ahead {
                    is_ahead = may_hold_peak(block + 1, least_near);
                    match is_ahead {
                        true => walls.sums_of_two_into(row, block, &mut sums),
                        false => walls.sums_into(row, block, &mut sums[0]),
                    }
                }
                let hits = &sums[usize::from(was_ahead)];
                let column = block * LANES;
                let lanes = LANES.min(wide - column);
                if let Some(found) = ranking.of_block((row, block), (hits, known), lanes, ranks.least()) {
                    ranks.set(row, column, &found[..lanes]);
                    least_near = ranking.least_near(ranks.least());
                }
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

/// What a rank is made of beside the hits.
struct Ranking<'a> {
    known: UnderPoints<'a>,
    free: UnderPoints<'a>,
    charge: Charge,
    /// Whether known points were counted already, and not only those on the field.
    is_known_counted: bool,
    weights: RankWeights,
}

/// Ranks are compared with bounds that are rounded otherwise.
const ROUNDING: f32 = 1e-5;

impl Ranking<'_> {
    /// Near walls of the sample without which no such rank is reached: all of them coincide then, and nothing is missed.
    fn least_near(&self, rank: f32) -> f32 {
        (rank - ROUNDING) * self.weights.least_known / self.weights.per_known
    }

    /// The ranks of some lanes of a block; none if all of them are below the least.
    fn of_block(
        &self,
        (row, block): (usize, usize),
        (hits, counted): (&[u16; LANES], &[u16; LANES]),
        lanes: usize,
        least: f32,
    ) -> Option<[f32; LANES]> {
        if f32::from(largest(&hits[..lanes])) < self.least_near(least) * f32::from(MAX_VALUE) {
            return None;
        }
        let known = match self.charge {
            Charge::All => [0; LANES],
            Charge::Shared if self.is_known_counted => *counted,
            Charge::Shared => self.known.sums(row, block),
        };
        let is_high = |ranks: &[f32; LANES]| highest(&ranks[..lanes]) >= least;
        let without_misses = lane_ranks(hits, &known, &[0; LANES], self.weights);
        if self.free.is_empty() || !is_high(&without_misses) {
            return Some(without_misses).filter(is_high);
        }
        let misses = self.free.sums(row, block);
        Some(lane_ranks(hits, &known, &misses, self.weights)).filter(is_high)
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

/// How many points lie within a field of so many cells under each translation: from where their last cell meets its first to
/// where their first meets its last.
fn within(points: impl Iterator<Item = usize>, extent: usize, field: usize) -> Vec<u16> {
    let mut counts = vec![0_u16; extent];
    points.for_each(|at| counts[at] = counts[at].saturating_add(1));
    // Points before each cell.
    let before: Vec<u16> = std::iter::once(0)
        .chain(counts.iter().scan(0_u16, |sum, count| {
            *sum = sum.saturating_add(*count);
            Some(*sum)
        }))
        .collect();
    // Translation t lays cell c on t - extent + 1 + c: within from extent - 1 - t on, up to extent - 1 - t + field.
    let of_translation = |t: usize| {
        let low = (extent - 1).saturating_sub(t);
        let high = (extent - 1 + field).saturating_sub(t).min(extent);
        before[high].saturating_sub(before[low.min(high)])
    };
    (0..field + extent - 1).map(of_translation).collect()
}

/// The rows in the order of their numbers, the largest first; equal ones from the top.
fn most_first(within_row: &[u16]) -> Vec<usize> {
    let most = within_row.iter().copied().max().map_or(0, usize::from);
    let mut first = vec![0; most + 2];
    within_row.iter().for_each(|&count| first[most - usize::from(count) + 1] += 1);
    (1..first.len()).for_each(|at| first[at] += first[at - 1]);
    let mut rows = vec![0; within_row.len()];
    for (row, &count) in within_row.iter().enumerate() {
        let next = &mut first[most - usize::from(count)];
        rows[*next] = row;
        *next += 1;
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_with_most_points_come_first() {
        assert_eq!(most_first(&[3, 0, 7, 3, 7, 1]), [2, 4, 0, 3, 5, 1]);
        assert!(most_first(&[]).is_empty());
    }

    #[test]
    fn points_within_the_field_by_hand() {
        // Points at 0 and 2 of three cells, over two cells: the last on the first, ..., the first on the last.
        let points = || [0, 2].into_iter();
        assert_eq!(within(points(), 3, 2), [1, 1, 1, 1]);
        assert_eq!(within(points(), 3, 3), [1, 1, 2, 1, 1]);
    }
}

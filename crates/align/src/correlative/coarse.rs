//! First step: every rotation, scale and translation on coarse images.
//!
//! The walls of the map are laid on the nearness field of the truth, and its free cells on the walls of the truth:
//!
//! ```text
//! rank(T) = Σ walls p of M: k(d_G(T p)) / ( n_M + number of G's walls where M is free )
//! ```
//!
//! which orders candidates nearly as the two-sided score does, and costs two sums of a few hundred points for all
//! translations at once (`raster::moved_points`). The best few per rotation and scale then get their true score.

use raster::moved_points::{BorderedField, MAX_VALUE};
use rayon::prelude::*;

use crate::candidate::Candidate;
use crate::certificate::Scored;
use crate::levels::Charge;
use crate::pooled::Pooled;
use crate::wall_score::{WallScore, shuffled};

/// Points of each kind that are laid on the truth.
const POINTS: usize = 256;
/// Share of the map's walls that counts at least where the truth knows less.
const LEAST_SHARED: f32 = 0.2;
/// Cells around a peak that belong to it.
const PEAK_RADIUS: usize = 3;

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
    let found = jobs.par_iter().map_init(Sums::default, |sums, &(theta_rad, scale)| {
        let peaks = stage.peaks(theta_rad, scale, sums);
        let fits = peaks.into_iter().map(|candidate| (score.fit(&candidate), candidate));
        fits.filter(|(fit, _)| least_seen(fit.seen))
            .map(|(fit, candidate)| (fit.score, candidate))
            .collect::<Vec<_>>()
    });
    found.flatten().collect()
}

#[derive(Default)]
struct Sums {
    walls: Vec<u16>,
    free: Vec<u16>,
    known: Vec<u16>,
    rank: Vec<f32>,
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
    fn peaks(&self, theta_rad: f64, scale: f64, sums: &mut Sums) -> Vec<Candidate> {
        let Some(laid) = self.lay(theta_rad, scale) else {
            return Vec::new();
        };
        self.nearness.sums(&laid.walls, laid.size, &mut sums.walls);
        self.occupied.sums(&laid.free, laid.size, &mut sums.free);
        let count = self.walls.len() as f32 * self.per_wall;
        let per_hit = self.per_wall / f32::from(MAX_VALUE);
        sums.rank.clear();
        if self.score.charge == Charge::Shared {
            self.known.sums(&laid.walls, laid.size, &mut sums.known);
            let rank = |((&hits, &misses), &known): ((&u16, &u16), &u16)| {
                let known = (f32::from(known) * self.per_wall).max(LEAST_SHARED * count);
                f32::from(hits) * per_hit / (known + f32::from(misses) * self.per_free)
            };
            sums.rank.extend(sums.walls.iter().zip(&sums.free).zip(&sums.known).map(rank));
        } else {
            let rank = |(&hits, &misses): (&u16, &u16)| {
                f32::from(hits) * per_hit / (count + f32::from(misses) * self.per_free)
            };
            sums.rank.extend(sums.walls.iter().zip(&sums.free).map(rank));
        }
        let (wide, _) = self.nearness.translations(laid.size.0, laid.size.1);
        let candidate = |index: usize| {
            let (tx, ty) = (index % wide, index / wide);
            let moved = [tx as f64 - laid.origin[0], ty as f64 - laid.origin[1]];
            let Pooled { factor, corner, .. } = self.score.truth.pooled;
            let at = [corner.0 as f64 + moved[0] * factor as f64, corner.1 as f64 + moved[1] * factor as f64];
            Candidate { at, theta_rad, scale }
        };
        best_peaks(&mut sums.rank, wide, self.peaks).into_iter().map(candidate).collect()
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

/// Indices of the highest ranks, each with its surroundings taken out before the next is looked for.
fn best_peaks(rank: &mut [f32], wide: usize, most: usize) -> Vec<usize> {
    let mut peaks = Vec::with_capacity(most);
    let row_best = |row: &[f32]| row.iter().fold(0.0_f32, |best, &value| best.max(value));
    let mut best_of_rows: Vec<f32> = rank.chunks_exact(wide).map(row_best).collect();
    for _ in 0..most {
        let best = row_best(&best_of_rows);
        if best <= 0.0 {
            break;
        }
        let row = best_of_rows.iter().position(|&value| value == best).unwrap_or(0);
        let column = rank[row * wide..][..wide].iter().position(|&value| value == best).unwrap_or(0);
        peaks.push(row * wide + column);
        let columns = column.saturating_sub(PEAK_RADIUS)..(column + PEAK_RADIUS + 1).min(wide);
        for near in row.saturating_sub(PEAK_RADIUS)..(row + PEAK_RADIUS + 1).min(best_of_rows.len()) {
            rank[near * wide..][columns.clone()].fill(0.0);
            best_of_rows[near] = row_best(&rank[near * wide..][..wide]);
        }
    }
    peaks
}

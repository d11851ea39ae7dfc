//! The motion in which most walls fit: a grid of rotations and shifts, then pattern search from the best.

use model::GridGeometry;
use rayon::prelude::*;

use super::Piecewise;
use super::field::WallField;
use super::rigid_motion::RigidMotion;

/// So many motions of the grid are refined.
const STARTS: usize = 5;
/// First step of the pattern search, cells; the last is [`LAST_STEP_CELLS`].
const FIRST_STEP_CELLS: f64 = 2.0;
const LAST_STEP_CELLS: f64 = 0.125;
/// With more walls than this the starts are refined on every second, third, ...; then the best on all, from a
/// smaller step.
const MAX_FOR_STARTS: usize = 4_000;
const STEP_OF_ALL_CELLS: f64 = 0.5;
/// The same for the grid; the refinement sees all.
const MAX_ON_GRID: usize = 5_000;
const MIN_ON_GRID: usize = 200;
/// Additions that the grid may take: with small cells there are more shifts, and fewer walls must do.
const MAX_ADDITIONS: usize = 2_000_000_000;

/// The grid lies around a known motion too if its translation is farther than this share of the reach from the others.
const FAR_SHARE_OF_REACH: f64 = 0.25;

pub(super) struct Search {
    thetas_rad: Vec<f64>,
    shift_max: usize,
    center: (f64, f64),
    /// Rotation that moves the ends of the map by one cell.
    rad_per_cell: f64,
}

/// The best motion, and the motions of the grid that it was found from.
pub(super) struct Finding {
    pub(super) motion: RigidMotion,
    pub(super) starts: Vec<RigidMotion>,
}

/// A motion and its score, with the order in which motions win.
#[derive(Clone, Copy)]
struct Scored {
    score: u64,
    motion: RigidMotion,
}

impl Search {
    pub(super) fn over(params: &Piecewise, shift_max: usize, geometry: &GridGeometry) -> Self {
        let steps = (params.theta_max_deg / params.theta_step_deg + 1e-9).floor().max(0.0) as i32;
        let (width, height) = (geometry.width() as f64, geometry.height() as f64);
        Self {
            thetas_rad: (-steps..=steps)
                .map(|k| (f64::from(k) * params.theta_step_deg).to_radians())
                .collect(),
            shift_max,
            center: ((width - 1.0) / 2.0, (height - 1.0) / 2.0),
            rad_per_cell: 2.0 / width.max(height),
        }
    }

    /// For refinements about a place alone; turning by a step moves what lies so far from it by the step.
    pub(super) fn about(center: (f64, f64), half_side_cells: f64) -> Self {
        Self { thetas_rad: Vec::new(), shift_max: 0, center, rad_per_cell: 1.0 / half_side_cells }
    }

    /// Step 1: the grid, then the five best refined. Translations are tried around that of each known motion too: a part is
    /// looked for near its place and near the parts that were found.
    pub(super) fn best_motion(
        &self,
        field: &WallField,
        points: &[(f64, f64)],
        known: impl IntoIterator<Item = RigidMotion>,
    ) -> Finding {
        let middles = self.middles(known);
        let motions = self.thetas_rad.len() * (2 * self.shift_max + 1).pow(2) * middles.len();
        let most = (MAX_ADDITIONS / motions).clamp(MIN_ON_GRID, MAX_ON_GRID);
        let sparse = thinned(points, most);
        let on_grid = |&theta_rad: &f64| {
            let best = |&middle: &(f64, f64)| self.best_translation(field, &sparse, theta_rad, middle);
            middles.iter().map(best).collect::<Vec<Scored>>()
        };
        let mut grid: Vec<Scored> = self.thetas_rad.par_iter().flat_map_iter(on_grid).collect();
        grid.sort_by(|a, b| b.score.cmp(&a.score).then(by_size(&a.motion, &b.motion)));
        grid.truncate(STARTS);
        let starts: Vec<RigidMotion> = grid.iter().map(|scored| scored.motion).collect();
        Finding { motion: self.best_refined(field, points, &starts, by_size), starts }
    }

    /// Whether a motion lies beyond the grid around no motion.
    pub(super) fn is_beyond(&self, motion: &RigidMotion) -> bool {
        let (x, y) = motion.about(self.center).translation;
        x.abs().max(y.abs()) > self.shift_max as f64
    }

    /// Motions around which the grid lies where it does around none: together they reach three times as far.
    pub(super) fn around_reach(&self) -> impl Iterator<Item = RigidMotion> {
        let side = 2.0 * self.shift_max as f64;
        let places = [-side, 0.0, side].into_iter().flat_map(move |x| [-side, 0.0, side].map(|y| (x, y)));
        places.map(|translation| RigidMotion { center: self.center, theta_rad: 0.0, translation })
    }

    /// Whole translations around which the grid lies: none, and those of known motions that are far from each other.
    fn middles(&self, known: impl IntoIterator<Item = RigidMotion>) -> Vec<(f64, f64)> {
        let far = self.shift_max as f64 * FAR_SHARE_OF_REACH;
        let mut middles = vec![(0.0, 0.0)];
        for motion in known {
            let (x, y) = motion.about(self.center).translation;
            let place = (x.round(), y.round());
            if middles.iter().all(|(x, y)| (place.0 - x).abs().max((place.1 - y).abs()) > far) {
                middles.push(place);
            }
        }
        middles
    }

    /// Climbs from a motion with all points.
    pub(super) fn climbed(
        &self,
        field: &WallField,
        points: &[(f64, f64)],
        start: RigidMotion,
    ) -> RigidMotion {
        self.refined(field, points, start, FIRST_STEP_CELLS).motion
    }

    /// Step 3: the motion of a stretch alone.
    pub(super) fn refit(
        &self,
        field: &WallField,
        points: &[(f64, f64)],
        starts: &[RigidMotion],
        winner: RigidMotion,
    ) -> RigidMotion {
        let starts: Vec<RigidMotion> = starts.iter().copied().chain([winner]).collect();
        self.best_refined(field, points, &starts, by_turn)
    }

    /// The best whole translation under one rotation within reach of another; of equals the shortest.
    fn best_translation(
        &self,
        field: &WallField,
        points: &[(f64, f64)],
        theta_rad: f64,
        middle: (f64, f64),
    ) -> Scored {
        let side = 2 * self.shift_max + 1;
        let turn = RigidMotion { center: self.center, theta_rad, translation: middle };
        let sums = field.shifted_worth(&turn, points, self.shift_max);
        let translation = |index: usize| {
            let reach = self.shift_max as f64;
            (middle.0 + (index % side) as f64 - reach, middle.1 + (index / side) as f64 - reach)
        };
        let mut best = Scored { score: 0, motion: turn };
        for (index, &score) in sums.iter().enumerate() {
            let scored = Scored {
                score: u64::from(score),
                motion: RigidMotion { translation: translation(index), ..turn },
            };
            let is_better = scored.score > best.score
                || (scored.score == best.score
                    && scored.motion.translation_length() < best.motion.translation_length());
            if is_better {
                best = scored;
            }
        }
        best
    }

    fn best_refined(
        &self,
        field: &WallField,
        points: &[(f64, f64)],
        starts: &[RigidMotion],
        tie: fn(&RigidMotion, &RigidMotion) -> std::cmp::Ordering,
    ) -> RigidMotion {
        let some = thinned(points, MAX_FOR_STARTS);
        let refined = starts.iter().map(|&start| self.refined(field, &some, start, FIRST_STEP_CELLS));
        let best = refined.min_by(|a, b| b.score.cmp(&a.score).then(tie(&a.motion, &b.motion)));
        let still = RigidMotion { center: self.center, theta_rad: 0.0, translation: (0.0, 0.0) };
        let best = best.map_or(still, |scored| scored.motion);
        if some.len() == points.len() {
            return best;
        }
        self.refined(field, points, best, STEP_OF_ALL_CELLS).motion
    }

    /// Pattern search: the best single move while one helps, then half the step.
    fn refined(
        &self,
        field: &WallField,
        points: &[(f64, f64)],
        start: RigidMotion,
        first_step_cells: f64,
    ) -> Scored {
        let mut best = Scored { score: field.worth(&start, points, 0), motion: start };
        let mut step = first_step_cells;
        while step >= LAST_STEP_CELLS {
            let scored =
                |motion: RigidMotion| Scored { score: field.worth(&motion, points, best.score), motion };
            let moves = self.moves(best.motion, step).map(scored);
            let better = moves.into_iter().filter(|moved| moved.score > best.score);
            match better.min_by(|a, b| b.score.cmp(&a.score)) {
                Some(moved) => best = moved,
                None => step /= 2.0,
            }
        }
        best
    }

    pub(super) fn moves(&self, motion: RigidMotion, step: f64) -> [RigidMotion; 6] {
        let turned = |by: f64| RigidMotion { theta_rad: motion.theta_rad + by * self.rad_per_cell, ..motion };
        let moved = |x: f64, y: f64| RigidMotion {
            translation: (motion.translation.0 + x, motion.translation.1 + y),
            ..motion
        };
        [
            turned(step),
            turned(-step),
            moved(step, 0.0),
            moved(-step, 0.0),
            moved(0.0, step),
            moved(0.0, -step),
        ]
    }
}

/// Every second, third, ... point, so that at most so many are left.
pub(super) fn thinned(points: &[(f64, f64)], most: usize) -> Vec<(f64, f64)> {
    points.iter().copied().step_by(points.len().div_ceil(most).max(1)).collect()
}

/// Smaller translation, then smaller rotation.
fn by_size(a: &RigidMotion, b: &RigidMotion) -> std::cmp::Ordering {
    let of = |motion: &RigidMotion| (motion.translation_length(), motion.theta_rad.abs());
    of(a).0.total_cmp(&of(b).0).then(of(a).1.total_cmp(&of(b).1))
}

/// Smaller rotation, then smaller translation.
fn by_turn(a: &RigidMotion, b: &RigidMotion) -> std::cmp::Ordering {
    let turn = a.theta_rad.abs().total_cmp(&b.theta_rad.abs());
    turn.then(a.translation_length().total_cmp(&b.translation_length()))
}

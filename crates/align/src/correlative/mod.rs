//! `correlative`: exhaustive coarse-to-fine search over rotation, translation and, on request, scale (spec 07,
//! R-ALIGN). The default for maps whose frames have nothing to do with each other.
//!
//! 1. Both maps are pooled to about 110 cells along the longer diagonal; every rotation, scale and translation is
//!    ranked there (`coarse.rs`), and the best of each rotation and scale get their two-sided score.
//! 2. The 40 best distinct candidates (64 where a scale is searched) climb to the top of the score by a pattern search (`refine.rs`), first with the
//!    wide, then with the final tolerance.
//! 3. A winner that does not convince is held against its neighbours in places that repeat themselves, and both maps are
//!    read once more with the truth as a part of the place (`readings.rs`).
//! 4. The winner settles in the middle of what its walls fit (`settle.rs`).
//! 5. The winner is held against the best candidate that differs from it, and against the mirror image
//!    (`certificate.rs`).
//!
//! Departure: the final score is taken on images pooled so that the tolerance is four cells, not on the full
//! grid; walls that are thicker than that count once. Where the tolerance is below eight cells this is the full
//! grid.

mod coarse;
mod covered;
mod peaks;
mod readings;
mod refine;
mod settle;

use std::f64::consts::TAU;

use model::{CellClass, Grid};
use rayon::prelude::*;

use crate::candidate::Candidate;
use crate::certificate::{Scored, distinct};
use crate::levels::{Allowance, Levels};
use crate::{AlignError, Aligner, Alignment, Method};
use coarse::Steps;
use readings::Pair;
use refine::{Pattern, refine};
pub(crate) use settle::settled;

/// Parameters of the search.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Correlative {
    pub allowance: Allowance,
    /// Whether the mirror image is tried too.
    pub mirror_test: MirrorTest,
}

/// Whether the mirror image is tried.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MirrorTest {
    /// Yes; it takes as long as the search itself.
    #[default]
    Run,
    /// No; the certificate then leaves it undecided.
    Skip,
}

/// Candidates kept per rotation and scale.
const PEAKS: usize = 3;
/// Ratio of neighbouring scales.
const SCALE_STEP: f64 = 1.06;
/// Largest step of the rotation.
const MAX_YAW_STEP_RAD: f64 = 6.0 * std::f64::consts::PI / 180.0;
/// A better score needs no second look.
const SURE: f64 = 0.75;
/// Places per turn at which a second look is taken.
const NEIGHBOURS: usize = 12;
/// Share of the best score, before it climbs, from which on such a place is worth a climb.
const PROMISING: f64 = 0.5;
/// Share of the best score from which on a candidate may still win, and its turn and scale are looked at again.
const LIKELY: f64 = 0.7;
/// So many candidates reach the last round whatever their score: the winner and its rival.
const RIVALS: usize = 2;
/// Turns and scales that are looked at again, and how far apart they are.
const KINDS: usize = 4;
const LIKE_TURN_RAD: f64 = std::f64::consts::PI / 180.0;
const LIKE_SCALE: f64 = 1.015;
/// A candidate must show at least this share of the smaller number of walls.
const MIN_SEEN: f64 = 0.05;
/// Parts of a map are turned against each other by at most this.
const BENT_RAD: f64 = 10.0 * std::f64::consts::PI / 180.0;
/// The second part of a large map is turned like one of so many best candidates of the first.
const GUIDES: usize = 3;
/// Walls of each map that are looked at to rank the candidates of the coarse search.
const RANK_WALLS: usize = 400;

impl Aligner for Correlative {
    fn method(&self) -> Method {
        Method::Correlative
    }

    fn align(&self, truth: &Grid, map: &Grid) -> Result<Alignment, AlignError> {
        self.allowance.check()?;
        let Some(levels) = Levels::new(&self.allowance, truth, map) else {
            return Ok(Alignment::failed(Method::Correlative));
        };
        let mirror_image = match self.mirror_test {
            MirrorTest::Skip => None,
            MirrorTest::Run => mirror_image(map),
        };
        let pair = Pair { truth, map, mirror_image };
        let whole = pair.read_whole(&levels);
        Ok(pair.decided(whole, &levels))
    }
}

/// The map with its columns from right to left, in the same place.
pub(crate) fn mirror_image(map: &Grid) -> Option<Grid> {
    let mut classes = map.classes().to_vec();
    classes.chunks_exact_mut(map.geometry().width()).for_each(<[CellClass]>::reverse);
    Grid::new(*map.geometry(), classes).ok()
}

/// The best candidates, best first, each a top of the score. Those with a lower coarse score than asked for are dropped.
fn search(levels: &Levels, least_coarse: f64) -> Vec<Scored> {
    let steps = steps(levels);
    let mut candidates = coarse_candidates(levels, &steps);
    // A map too large for one coarse image is searched by two of its parts: one alone may be the part that is bent.
    if let Some(other) = levels.with_other_part() {
        let moved = |(score, candidate): Scored| (score, candidate.about(other.pivot, levels.pivot));
        let bent = Steps { yaws_rad: near_yaws(&steps.yaws_rad, &candidates), ..steps };
        candidates.extend(coarse_candidates(&other, &bent).into_iter().map(moved));
        best_first(&mut candidates);
    }
    candidates.retain(|&(score, _)| score >= least_coarse);
    let found = climb_finely(levels, &candidates);
    match found.first() {
        Some(&(score, _)) if score < SURE => with_neighbours(levels, found),
        _ => found,
    }
}

/// The candidates with others that are turned and scaled like the best of them, or by a quarter turn more: places that
/// repeat themselves, one aisle on.
fn with_neighbours(levels: &Levels, found: Vec<Scored>) -> Vec<Scored> {
    let is_new = |a: &Candidate, b: &Candidate| {
        let quarter = model::wrap(4.0 * (a.theta_rad - b.theta_rad)).abs() / 4.0;
        quarter > LIKE_TURN_RAD || a.growth(b) > LIKE_SCALE.ln()
    };
    let mut candidates = Vec::new();
    let best = found.first().map_or(0.0, |&(best, _)| best);
    let likely: Vec<Scored> = found.iter().copied().filter(|&(score, _)| score >= LIKELY * best).collect();
    for (_, kind) in distinct(&likely, KINDS, is_new) {
        let turns = [0.0, 0.25, 0.5, 0.75].map(|turn| kind.theta_rad + turn * TAU);
        let steps = Steps { yaws_rad: turns.to_vec(), scales: vec![kind.scale], peaks: NEIGHBOURS };
        candidates.extend(coarse_candidates(levels, &steps));
    }
    let fine = levels.fine(ROUNDS[1].walls[0]);
    candidates.iter_mut().for_each(|(score, candidate)| *score = fine.score(candidate));
    let least = PROMISING * best;
    let is_found = |candidate: &Candidate| found.iter().any(|(_, other)| !levels.differ(candidate, other));
    candidates.retain(|(score, candidate)| *score >= least && !is_found(candidate));
    best_first(&mut candidates);
    let mut all = climb_finely(levels, &candidates);
    all.extend(found);
    best_first(&mut all);
    all
}

/// The best candidates of the coarse images, best first.
fn coarse_candidates(levels: &Levels, steps: &Steps) -> Vec<Scored> {
    let sizes = &levels.sizes;
    let coarse = levels.coarse(RANK_WALLS);
    let [n_truth, n_map] = [coarse.truth, coarse.map].map(|side| side.walls().len() as f64);
    let enough = |seen: f64| seen * n_truth >= MIN_SEEN * n_truth.min(n_map);
    let mut candidates = coarse::search(&coarse, steps, enough);
    best_first(&mut candidates);
    let differ = |a: &Candidate, b: &Candidate| {
        let limit = sizes.coarse_tol_cells;
        a.apart(b) > limit
            || a.yaw_rad(b) > limit / levels.probe_half_side_cells()
            || a.growth(b) > SCALE_STEP.ln()
    };
    climb(levels, &distinct(&candidates, ROUNDS[0].kept_for(levels), differ), &ROUNDS[0])
}

/// One round of refinement: fewer candidates, more walls, smaller steps from round to round.
struct Round {
    level: Level,
    /// Candidates that enter it where the scale is known, and where it is searched.
    kept: [usize; 2],
    /// Walls of each map that are looked at while climbing, and for the score at the end.
    walls: [usize; 2],
    /// First and last step, as ratios to the tolerance.
    steps: [f64; 2],
    /// Whether candidates climb too that are far below the best.
    climbs_all: bool,
}

impl Round {
    fn kept_for(&self, levels: &Levels) -> usize {
        let (min, max) = levels.sizes.scale_range;
        self.kept[usize::from(min < max)]
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Level {
    Coarse,
    Fine,
}

const ROUNDS: &[Round] = &[
    Round { level: Level::Coarse, kept: [40, 64], walls: [250, 600], steps: [0.5, 0.1], climbs_all: true },
    Round { level: Level::Fine, kept: [16, 24], walls: [500, 1500], steps: [1.0, 0.1], climbs_all: true },
    Round { level: Level::Fine, kept: [6, 6], walls: [2000, 20_000], steps: [0.1, 0.01], climbs_all: false },
];

/// Lets each candidate climb to the top of the score nearby, and sorts them by it.
fn climb(levels: &Levels, candidates: &[Scored], round: &Round) -> Vec<Scored> {
    let ([few, many], half_side_cells) = match round.level {
        Level::Coarse => (round.walls.map(|walls| levels.coarse(walls)), levels.probe_half_side_cells()),
        Level::Fine => (round.walls.map(|walls| levels.fine(walls)), levels.sizes.half_side_cells),
    };
    let [first_cells, last_cells] = round.steps.map(|step| step * few.tol_cells);
    let pattern = Pattern { first_cells, last_cells, half_side_cells, scale_range: levels.sizes.scale_range };
    let climbed = |&(_, candidate): &Scored| {
        let (_, candidate) = refine(&few, candidate, &pattern);
        (many.score(&candidate), candidate)
    };
    let mut candidates: Vec<Scored> = candidates.par_iter().map(climbed).collect();
    best_first(&mut candidates);
    candidates
}

/// The best of some candidates, each led to the top of the score nearby; also for methods that find candidates otherwise.
/// In the last round those that cannot be the winner or its rival stay where they are.
pub(crate) fn climb_finely(levels: &Levels, candidates: &[Scored]) -> Vec<Scored> {
    let best_of = |candidates: &[Scored], most: usize| distinct(candidates, most, |a, b| levels.differ(a, b));
    let mut candidates = candidates.to_vec();
    for round in &ROUNDS[1..] {
        candidates = best_of(&candidates, round.kept_for(levels));
        let least = candidates.first().map_or(0.0, |&(best, _)| LIKELY * best);
        let is_likely = |&&(score, _): &&Scored| round.climbs_all || score >= least;
        let climbing = candidates.iter().take_while(is_likely).count().max(RIVALS).min(candidates.len());
        let staying = candidates.split_off(climbing);
        candidates = climb(levels, &candidates, round);
        candidates.extend(staying);
        best_first(&mut candidates);
    }
    candidates
}

/// Each candidate led to the top of the score nearby, in the order given.
pub(crate) fn climb_each(levels: &Levels, candidates: &[Candidate]) -> Vec<Scored> {
    let top = |candidate: &Candidate| climb(levels, &[(0.0, *candidate)], &ROUNDS[1]);
    candidates.par_iter().flat_map_iter(top).collect()
}

/// Equal scores keep their order.
fn best_first(candidates: &mut [Scored]) {
    candidates.sort_by(|a, b| b.0.total_cmp(&a.0));
}

/// Steps of rotation and scale that leave no candidate further than about the tolerance from one that is tried.
fn steps(levels: &Levels) -> Steps {
    let (min, max) = levels.sizes.scale_range;
    let rim_cells = levels.probe_half_side_cells() * (min * max).sqrt();
    let yaw_rad = (levels.sizes.coarse_tol_cells / rim_cells).min(MAX_YAW_STEP_RAD);
    let growth = (max / min).ln();
    let scales = (growth / SCALE_STEP.ln()).ceil() as usize;
    let scale = |step: usize| min * (growth * step as f64 / scales.max(1) as f64).exp();
    let yaws = (TAU / yaw_rad).ceil() as usize;
    Steps {
        yaws_rad: (0..yaws).map(|step| step as f64 * TAU / yaws as f64).collect(),
        scales: (0..=scales).map(scale).collect(),
        peaks: PEAKS,
    }
}

/// Rotations near those of the best candidates.
fn near_yaws(yaws_rad: &[f64], candidates: &[Scored]) -> Vec<f64> {
    let is_near = |yaw_rad: &f64| {
        candidates
            .iter()
            .take(GUIDES)
            .any(|(_, best)| model::wrap(yaw_rad - best.theta_rad).abs() <= BENT_RAD)
    };
    yaws_rad.iter().copied().filter(is_near).collect()
}

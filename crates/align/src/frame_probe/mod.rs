//! Whether a transform that nobody searched, such as that of two origins, may be trusted (spec 07, R-PROBE).
//!
//! 1. A sample of the walls of both maps at the given transform. A good fit needs no search, and costs next to nothing;
//!    beside it, common mistakes of files are tried (`mistakes.rs`).
//! 2. Every translation at the given heading on coarse images, and a climb from the given transform.
//! 3. Only if nothing fits there: every heading, the mirror image, and other cell sizes, on very coarse images.
//!
//! What is found climbs to the top of its score and is then held against the given transform: it must gain most of what
//! there was to be gained. A map that is merely bad fits badly everywhere, and raises no doubt.

mod mistakes;
mod sampled_fit;
mod texture;

use model::{Grid, Similarity2};

use crate::candidate::Candidate;
use crate::certificate::Scored;
use crate::correlative::{Steps, climb_roughly, mirror_image, peaks, steps};
use crate::levels::{Allowance, Levels};
use crate::{Certificate, worst_corner_m};
use mistakes::{turned_or_mirrored, wrong_cell_size};
pub use sampled_fit::sampled_fit;
pub use texture::MapTexture;

/// A [`sampled_fit`] from here on needs no search.
pub const GOOD_FIT: f64 = 0.7;
/// From here on not even a turned or mirrored image is looked for.
const BEST_FIT: f64 = 0.85;
/// A fit from here on, after a climb from the given transform, is that of a map that lies about where it should.
const IN_PLACE: f64 = 0.55;
/// What another transform must gain over the given one, in score and as a share of what there was to be gained. Chosen on
/// simulated and shared maps (spec 07).
const MIN_RISE: f64 = 0.3;
const MIN_GAIN: f64 = 0.6;
/// A corner of the map must move by at least this: less is the accuracy of the map.
const MIN_MOVE_M: f64 = 0.25;
/// The mirror image and other scales must beat every plain transform by this.
const CLEAR: f64 = 0.1;
/// Cells along the diagonal of the very coarse images.
const COARSE_DIAGONAL: f64 = 40.0;
/// Scales that are tried: cell sizes wrong by up to this factor.
const MAX_SCALE: f64 = 2.5;
/// Scales up to [`MAX_SCALE`] and down to its inverse.
const SCALES: u32 = 32;
/// A scale nearer to 1 than this is none.
const MIN_SCALE_CHANGE: f64 = 0.03;
/// Candidates that climb: beside the given one, and of all headings.
const NEARBY: usize = 2;
const KEPT: usize = 4;
/// Walls that are looked at for the final comparison.
const WALLS: usize = 1500;

/// What is wrong with the given transform.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Misfit {
    /// The map lies elsewhere.
    Moved,
    /// The map is the mirror image of the truth.
    Mirrored,
    /// The cells of the map have another size.
    Scaled,
}

/// A transform that fits far better than the given one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BetterFrame {
    pub misfit: Misfit,
    /// The better transform; of the mirror image (columns from right to left) if the map is mirrored.
    pub truth_from_map: Similarity2,
    /// How well it fits, 0 to 1.
    pub score: f64,
}

/// What a look at a given transform found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FrameProbe {
    /// How well the given transform fits, 0 to 1; where it fits well, from a sample of the walls.
    pub score: f64,
    /// A transform that fits far better; none if there is no doubt.
    pub better: Option<BetterFrame>,
}

/// Looks for a transform that fits far better than the given one; none if one of the maps has no wall.
#[must_use]
pub fn probe_frame(truth: &Grid, map: &Grid, truth_from_map: Similarity2) -> Option<FrameProbe> {
    let sampled = sampled_fit(truth, map, truth_from_map)?;
    let found = |score, better| Some(FrameProbe { score, better });
    if sampled >= BEST_FIT {
        return found(sampled, None);
    }
    let mistake = turned_or_mirrored(truth, map, truth_from_map, sampled);
    if mistake.is_some() || sampled >= GOOD_FIT {
        return found(sampled, mistake);
    }
    let probe = Probe::new(truth, map, truth_from_map)?;
    let nearby = probe.nearby();
    if let Some(better) = nearby.and_then(|nearby| probe.if_far_better(nearby)) {
        return found(probe.score, Some(better));
    }
    let mistake = wrong_cell_size(truth, map, truth_from_map, sampled);
    let is_in_place = nearby.is_some_and(|nearby| nearby.score >= IN_PLACE);
    found(probe.score, if is_in_place { mistake } else { mistake.or_else(|| probe.elsewhere()) })
}

/// Both maps, and how well the given transform fits.
struct Probe<'a> {
    truth: &'a Grid,
    map: &'a Grid,
    truth_from_map: Similarity2,
    levels: Levels,
    given: Candidate,
    score: f64,
}

impl<'a> Probe<'a> {
    fn new(truth: &'a Grid, map: &'a Grid, truth_from_map: Similarity2) -> Option<Self> {
        let levels = Levels::new(&Allowance::default(), truth, map)?;
        let scale = levels.sizes.scale_range.0;
        let given = Candidate { scale, ..Candidate::of(truth_from_map, truth, map, levels.pivot) };
        let score = levels.fine(WALLS).fit(&given).score;
        Some(Self { truth, map, truth_from_map, levels, given, score })
    }

    /// The best transform at the given heading or near the given one.
    fn nearby(&self) -> Option<BetterFrame> {
        let heading = Steps { yaws_rad: vec![self.given.theta_rad], scales: vec![self.given.scale] };
        let mut nearby = peaks(&self.levels, &heading, NEARBY);
        nearby.push((self.score, self.given));
        self.best_of(&self.levels, &nearby, Misfit::Moved)
    }

    /// The best of all headings, of the mirror image and of other cell sizes; a plain transform goes before the others.
    fn elsewhere(&self) -> Option<BetterFrame> {
        let levels = Levels::with_diagonal(&Allowance::default(), self.truth, self.map, COARSE_DIAGONAL)?;
        let everywhere = steps(&levels);
        let turned = self.best_of(&levels, &peaks(&levels, &everywhere, KEPT), Misfit::Moved);
        let mirrored = mirror_image(self.map).and_then(|image| {
            let levels = levels.with_mirror_image(&image)?;
            self.best_of(&levels, &peaks(&levels, &everywhere, KEPT), Misfit::Mirrored)
        });
        let plain_score = turned.map_or(0.0, |found| found.score);
        let others = [mirrored, self.scaled()].into_iter().flatten();
        let clear = others.filter(|found| found.score >= plain_score + CLEAR);
        let best = clear.max_by(|a, b| a.score.total_cmp(&b.score)).or(turned);
        best.and_then(|best| self.if_far_better(best))
    }

    /// The best cell size at the given heading.
    fn scaled(&self) -> Option<BetterFrame> {
        let tol_m = self.levels.sizes.tol_cells * self.truth.geometry().cell_size_m();
        let allowance = Allowance { tol_m: Some(tol_m), scale_min: 1.0 / MAX_SCALE, scale_max: MAX_SCALE };
        let levels = Levels::with_diagonal(&allowance, self.truth, self.map, COARSE_DIAGONAL)?;
        let (min, max) = levels.sizes.scale_range;
        let scale = |step: u32| min * (max / min).powf(f64::from(step) / f64::from(SCALES));
        let scales = (0..=SCALES).map(scale).collect();
        let found = peaks(&levels, &Steps { yaws_rad: vec![self.given.theta_rad], scales }, 2 * KEPT);
        let best = self.best_of(&levels, &found, Misfit::Scaled)?;
        ((best.truth_from_map.scale - 1.0).abs() >= MIN_SCALE_CHANGE).then_some(best)
    }

    /// The best of some candidates at the top of its score.
    fn best_of(&self, levels: &Levels, candidates: &[Scored], misfit: Misfit) -> Option<BetterFrame> {
        let climbed = climb_roughly(levels, candidates);
        let &(score, candidate) = climbed.first()?;
        let truth_from_map = candidate.truth_from_map(self.truth, self.map, levels.pivot)?;
        Some(BetterFrame { misfit, truth_from_map, score })
    }

    /// Keeps a transform that gains most of what there was to be gained, and lies elsewhere.
    fn if_far_better(&self, best: BetterFrame) -> Option<BetterFrame> {
        let is_elsewhere = best.misfit == Misfit::Mirrored
            || worst_corner_m(self.map, best.truth_from_map, self.truth_from_map) > MIN_MOVE_M;
        let gain = Certificate::gain(best.score, self.score);
        (is_elsewhere && best.score - self.score >= MIN_RISE && gain >= MIN_GAIN).then_some(best)
    }
}

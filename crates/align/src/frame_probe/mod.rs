//! Whether a transform that nobody searched, such as that of two origins, may be trusted (spec 07, R-PROBE).
//!
//! 1. A sample of the walls of both maps at the given transform. A good fit needs no search, and costs next to nothing.
//! 2. Mistakes that files come with, one by one (`mistakes.rs`).
//! 3. Every translation at the given heading on coarse images, and a climb from the given transform.
//! 4. Only if nothing fits there: every heading, the mirror image, and other cell sizes, on rough images.
//!
//! What is found climbs to the top of its score and is then held against the given transform: it must gain most of what
//! there was to be gained. A map that is merely bad fits badly everywhere, and raises no doubt.
//!
//! All scores are sums of bytes over a few hundred walls (`sheet.rs`), and what the truth gives is made once for all maps
//! (`probed_truth.rs`): a look takes some hundredths of a millisecond where the map fits, a few tenths where it does not.

mod affine;
mod agreement;
mod mistakes;
mod probed_truth;
mod sampled_fit;
mod search;
mod sheet;
mod texture;
mod wall_sample;

use std::f64::consts::{FRAC_PI_2, TAU};

use model::{Grid, Similarity2};

use crate::candidate::Candidate;
use crate::correlative::mirror_image;
use crate::{Certificate, worst_corner_m};
pub use agreement::class_agreement;
use mistakes::{other_cell_sizes, other_origins, turned};
pub use probed_truth::ProbedTruth;
use probed_truth::TruthLevels;
pub use sampled_fit::sampled_fit;
use search::{Hypothesis, Level, ScaleIs, Scored, Search};
pub use texture::MapTexture;

/// A [`sampled_fit`] from here on needs no search.
pub const GOOD_FIT: f64 = 0.7;
/// From here on not even mistakes of files are looked for.
const BEST_FIT: f64 = 0.85;
/// A fit from here on, after a climb from the given transform, is that of a map that lies about where it should.
const IN_PLACE: f64 = 0.55;
/// What another transform must gain over the given one, in score and as a share of what there was to be gained: the mirror
/// image on its own rectangle, one of a hundred mistakes, and one of all that a search has tried; the more are tried, the
/// more chance finds. Chosen on even seeds (spec 07).
const ON_ITS_RECTANGLE: (f64, f64) = (0.12, 0.45);
const MISTAKE: (f64, f64) = (0.2, 0.6);
const SEARCHED: (f64, f64) = (0.3, 0.6);
/// Share of both that must be gained on the fine images before the walls at full resolution are asked.
const NEARLY: f64 = 0.6;
/// A mistake that rises by less than this before it climbs is not followed.
const PROMISING: f64 = 0.1;
/// A corner of the map must move by at least this: less is the accuracy of the map.
const MIN_MOVE_M: f64 = 0.25;
/// The mirror image and other scales must beat every plain transform by this.
const CLEAR: f64 = 0.1;
/// Scales that are searched: cell sizes wrong by up to this factor, in so many steps.
const MAX_SCALE: f64 = 2.2;
const SCALES: i32 = 32;
/// A scale nearer to 1 than this is none.
const MIN_SCALE_CHANGE: f64 = 0.03;
/// Headings that are searched.
const HEADINGS: usize = 60;
/// Translations that are scored: at the given heading, and at each other heading or scale.
const NEARBY: usize = 6;
const ELSEWHERE: usize = 2;
/// Hypotheses that climb: on coarse images, and of these on fine ones.
const CLIMB: [usize; 2] = [4, 2];

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
    /// How well the given transform fits, 0 to 1.
    pub score: f64,
    /// A transform that fits far better; none if there is no doubt.
    pub better: Option<BetterFrame>,
}

/// Looks for a transform that fits far better than the given one; none if one of the maps has too few walls to say where it
/// lies.
#[must_use]
pub fn probe_frame(truth: &ProbedTruth, map: &Grid, truth_from_map: Similarity2) -> Option<FrameProbe> {
    let score = sampled_fit(truth, map, truth_from_map)?;
    let better =
        (score < BEST_FIT).then(|| Probe::new(truth, map, truth_from_map, score)?.better()).flatten();
    Some(FrameProbe { score, better })
}

/// Both maps, and how well the given transform fits.
struct Probe<'a> {
    levels: &'a TruthLevels,
    truth: &'a ProbedTruth,
    map: &'a Grid,
    truth_from_map: Similarity2,
    search: Search<'a>,
    given: Hypothesis,
    /// Of the sample at full resolution, by which all is decided, and on the fine image, by which is searched.
    sampled: f64,
    score: f64,
}

impl<'a> Probe<'a> {
    fn new(truth: &'a ProbedTruth, map: &'a Grid, truth_from_map: Similarity2, sampled: f64) -> Option<Self> {
        let levels = truth.levels()?;
        let search = Search::new(levels, truth.grid(), map)?;
        let given = search.hypothesis(truth_from_map, false);
        let score = search.score(&given, Level::Fine);
        Some(Self { levels, truth, map, truth_from_map, search, given, sampled, score })
    }

    /// Mistakes of files, then a search near the given transform, then one everywhere.
    fn better(&self) -> Option<BetterFrame> {
        let turned = self.turned_or_mirrored();
        if turned.is_some() || self.sampled >= GOOD_FIT {
            return turned;
        }
        if let Some(scaled) = self.scaled() {
            return Some(scaled);
        }
        let nearby = self.nearby();
        let found = nearby.and_then(|nearby| self.if_far_better(Misfit::Moved, nearby, SEARCHED));
        if found.is_some() {
            return found;
        }
        let nearby_score = nearby.map_or(self.score, |(score, _)| score);
        let (misfit, top) = if nearby_score >= IN_PLACE {
            (Misfit::Mirrored, self.mirrored_at_right_angles(nearby_score)?)
        } else {
            self.elsewhere()?
        };
        self.if_far_better(misfit, top, SEARCHED)
    }

    /// The image turned or mirrored on its rectangle, or another origin, that explains most of what does not fit.
    fn turned_or_mirrored(&self) -> Option<BetterFrame> {
        let given = self.truth_from_map;
        let turns = turned(self.map, given);
        let origins = other_origins(self.truth.grid(), self.map, given);
        let hypotheses = |transforms: &mut dyn Iterator<Item = &Similarity2>, mirrored: bool| {
            let hypothesis = |transform: &Similarity2| self.search.hypothesis(*transform, mirrored);
            transforms.map(hypothesis).collect::<Vec<_>>()
        };
        let moved = hypotheses(&mut turns.iter().chain(&origins), false);
        let mirrored = hypotheses(&mut turns.iter().chain([&given]), true);
        let tops = [(Misfit::Moved, moved), (Misfit::Mirrored, mirrored)].into_iter().filter_map(
            |(misfit, hypotheses)| Some((misfit, self.top_of_promising(&hypotheses, ScaleIs::Given)?)),
        );
        let (misfit, top) = tops.max_by(|a, b| a.1.0.total_cmp(&b.1.0))?;
        let limits = if misfit == Misfit::Mirrored { ON_ITS_RECTANGLE } else { MISTAKE };
        self.if_far_better(misfit, top, limits)
    }

    /// Another cell size that explains most of what does not fit.
    fn scaled(&self) -> Option<BetterFrame> {
        let sizes = other_cell_sizes(self.map, self.truth_from_map);
        let hypotheses: Vec<Hypothesis> =
            sizes.iter().map(|transform| self.search.hypothesis(*transform, false)).collect();
        let top = self.top_of_promising(&hypotheses, ScaleIs::Free)?;
        self.if_far_better(Misfit::Scaled, top, MISTAKE)
    }

    /// The best of some mistakes, led to the top of its score, if it promises anything.
    fn top_of_promising(&self, hypotheses: &[Hypothesis], scale: ScaleIs) -> Option<Scored> {
        let &(score, best) = self.search.best(hypotheses, Level::Quick, 1).first()?;
        (score >= self.score + PROMISING).then(|| self.search.climb_finely(&best, scale))
    }

    /// The best transform at the given heading or near the given one.
    fn nearby(&self) -> Option<Scored> {
        let peaks = self.search.peaks(&self.levels.coarse_field, &self.given, NEARBY, &mut Vec::new());
        let mut starts = self.search.best(&peaks, Level::Coarse, CLIMB[1]);
        starts.push((self.score, self.given));
        self.search.top_of(&starts, CLIMB[1], ScaleIs::Given)
    }

    /// The mirror image at the given heading and across it, where it may beat a plain transform.
    fn mirrored_at_right_angles(&self, plain_score: f64) -> Option<Scored> {
        let like = (0..4).map(|turn| {
            let theta_rad = self.given.candidate.theta_rad + FRAC_PI_2 * f64::from(turn);
            Hypothesis { candidate: Candidate { theta_rad, ..self.given.candidate }, mirrored: true }
        });
        self.top_of_rough(like, ScaleIs::Given, [2, 1]).filter(|(score, _)| *score >= plain_score + CLEAR)
    }

    /// The best of all headings, of the mirror image and of other cell sizes; a plain transform goes before the others.
    fn elsewhere(&self) -> Option<(Misfit, Scored)> {
        let turned = |mirrored: bool| {
            let like = (0..HEADINGS).map(|step| {
                let theta_rad = step as f64 * TAU / HEADINGS as f64;
                Hypothesis { candidate: Candidate { theta_rad, ..self.given.candidate }, mirrored }
            });
            self.top_of_rough(like, ScaleIs::Given, CLIMB)
        };
        let scaled = || {
            let scales = (0..=SCALES).map(|step| {
                MAX_SCALE.powf(2.0 * f64::from(step) / f64::from(SCALES) - 1.0) * self.given.candidate.scale
            });
            let like = scales.map(|scale| Hypothesis {
                candidate: Candidate { scale, ..self.given.candidate },
                mirrored: false,
            });
            self.top_of_rough(like, ScaleIs::Free, CLIMB)
        };
        let plain = turned(false);
        let plain_score = plain.map_or(0.0, |(score, _)| score);
        let others = [(Misfit::Mirrored, turned(true)), (Misfit::Scaled, scaled())];
        let clear = others.into_iter().filter_map(|(misfit, top)| Some((misfit, top?)));
        let clear = clear.filter(|(_, (score, _))| *score >= plain_score + CLEAR);
        clear.max_by(|a, b| a.1.0.total_cmp(&b.1.0)).or(plain.map(|top| (Misfit::Moved, top)))
    }

    /// The best that every translation of some headings or scales leads to.
    fn top_of_rough(
        &self,
        like: impl Iterator<Item = Hypothesis>,
        scale: ScaleIs,
        [coarsely, finely]: [usize; 2],
    ) -> Option<Scored> {
        let mut sums = Vec::new();
        let peaks =
            |like: Hypothesis| self.search.peaks(&self.levels.rough_field, &like, ELSEWHERE, &mut sums);
        let peaks: Vec<Hypothesis> = like.flat_map(peaks).collect();
        self.search.top_of(&self.search.best(&peaks, Level::Coarse, coarsely), finely, scale)
    }

    /// Keeps a transform that gains most of what there was to be gained, and lies elsewhere.
    fn if_far_better(
        &self,
        misfit: Misfit,
        (score, top): Scored,
        (min_rise, min_gain): (f64, f64),
    ) -> Option<BetterFrame> {
        let growth = top.candidate.scale / self.given.candidate.scale;
        if misfit == Misfit::Scaled && (growth - 1.0).abs() < MIN_SCALE_CHANGE {
            // A scale that has climbed back to that of the map was a place: the search near it decides.
            return None;
        }
        let may_gain = score - self.score >= min_rise * NEARLY
            && Certificate::gain(score, self.score) >= min_gain * NEARLY
            && (1.0 / MAX_SCALE..=MAX_SCALE).contains(&growth);
        if !may_gain {
            return None;
        }
        let mirrored = if misfit == Misfit::Mirrored { mirror_image(self.map) } else { None };
        let image = mirrored.as_ref().unwrap_or(self.map);
        let sampled = |hypothesis: &Hypothesis| {
            let truth_from_map = self.search.truth_from_map(hypothesis)?;
            Some((truth_from_map, sampled_fit(self.truth, image, truth_from_map)?))
        };
        // Before the last climb, which takes as long as all before it.
        let (_, score) = sampled(&top)?;
        if Certificate::gain(score, self.sampled) < min_gain * NEARLY {
            return None;
        }
        let scale = if misfit == Misfit::Scaled { ScaleIs::Free } else { ScaleIs::Given };
        let (truth_from_map, score) = sampled(&self.search.climb(&top, Level::Smooth, scale).1)?;
        let is_elsewhere = misfit == Misfit::Mirrored
            || worst_corner_m(self.map, truth_from_map, self.truth_from_map) > MIN_MOVE_M;
        let gains = score - self.sampled >= min_rise && Certificate::gain(score, self.sampled) >= min_gain;
        (is_elsewhere && gains).then_some(BetterFrame { misfit, truth_from_map, score })
    }
}

//! How sure an alignment is: the winner against its rivals, against the mirror image, and against sliding.

use std::f64::consts::PI;

use model::{Grid, GridGeometry};

use crate::candidate::Candidate;
use crate::correlative::settled;
use crate::levels::{Charge, Levels};
use crate::look_alike::{Of, Winner, may_look_alike};
use crate::other_part::other_part;
use crate::spread::spread;
use crate::wall_score::WallScore;
use crate::{Alignment, Certificate, Hypothesis, Method, Mirror, Slide, Verdict};

/// Gain over the best rival at which the winner is certain. Chosen on the shared data (spec 07).
pub const CERTAIN: f64 = 0.10;
/// Gain of the mirror image over the map as it is at which the map is called mirrored: a strong thing to say.
const CERTAIN_MIRRORED: f64 = 0.20;
/// A rival within this of the winner's score is as good, whatever its gain: the gain is relative to 1 - rival, so that near 1
/// differences without meaning have a large one.
const CLEAR: f64 = 0.03;
/// Gain at which a mirror image that fits nearly as well speaks for a symmetric place, and not for chance: fits by
/// chance have rivals as good as they are.
const SYMMETRIC: f64 = 0.30;
/// Below this score nothing was found.
pub(crate) const FOUND: f64 = 0.2;
/// Share of the truth's known cells that a certain map knows, at least: below it a few walls of another building fit by
/// chance, and nothing contradicts them.
const MIN_OVERLAP: f64 = 0.02;
/// Walls on which a certain fit rests, in cells of the fine images, at least, in each of the two maps.
const MIN_WALLS: usize = 40;
/// Share of the walls of one of the two maps that has a wall of the other within the tolerance under a certain candidate,
/// at least: of two buildings of one kind neither's walls are all in the other.
const EXPLAINED: f64 = 0.86;
/// The same of the truth's walls under the mirror image: a map and its mirror image are more alike, and what the map shows as
/// free speaks against it.
const EXPLAINED_MIRRORED: f64 = 0.92;
/// Walls that are looked at for that.
pub(crate) const FIT_WALLS: usize = 20_000;
/// Hypotheses that are reported.
const REPORTED: usize = 5;
/// Walls that are looked at while the map slides.
const SLIDE_WALLS: usize = 1500;
/// Directions in which it is pushed, over half a circle.
const DIRECTIONS: usize = 12;

/// A candidate and its score.
pub(crate) type Scored = (f64, Candidate);

/// What a search found: candidates of the map, and of its mirror image if that was looked at.
pub(crate) struct Found {
    /// Best first.
    pub(crate) plain: Vec<Scored>,
    /// The mirror image's levels and candidates, best first.
    pub(crate) mirrored: Option<(Levels, Vec<Scored>)>,
}

/// The alignment that follows from the candidates that a method found, with its certificate.
pub(crate) fn certify(method: Method, truth: &Grid, map: &Grid, levels: &Levels, found: &Found) -> Alignment {
    let plain = distinct(&found.plain, REPORTED, |a, b| levels.differ(a, b));
    let Some(&(score, winner)) = plain.first() else {
        return Alignment::failed(method);
    };
    // The other part of a broken map is no other answer.
    let broken = plain[1..].iter().find_map(|(_, rival)| other_part(levels, &winner, rival));
    let is_rival = |(_, rival): &&Scored| broken.is_none() || other_part(levels, &winner, rival).is_none();
    let second_score = plain[1..].iter().find(is_rival).map(|&(score, _)| score);
    let value = Certificate::gain(score, second_score.unwrap_or(0.0));
    let metres = truth.geometry().cell_size_m();
    let fine = levels.fine(SLIDE_WALLS);
    let slide = slide(&fine, &winner, levels, truth.geometry());
    let spread = spread(&fine, &winner, metres);
    let mirrored = found.mirrored.as_ref().map(|(levels, candidates)| (levels, candidates.as_slice()));
    let rival = mirrored.map(|image| MirrorRival::new(image, (levels, &found.plain)));
    let mirror = rival.as_ref().map_or(Mirror::MirrorUndecided, |rival| rival.against(score));
    let may_slide = slide
        .as_ref()
        .is_some_and(|slide| slide.forward_m.max(slide.backward_m) > 2.0 * levels.sizes.tol_cells * metres);
    let overlap = levels.overlap(&winner);
    let fit = levels.fine(FIT_WALLS).fit(&winner);
    let is_explained =
        broken.map_or(fit.explained, |broken| broken.explained.max(fit.explained)) >= EXPLAINED;
    let is_open = may_slide
        || !is_explained
        || !rests_on_enough(levels, &winner, overlap)
        || broken.is_none() && may_look_alike(&fit, (levels, &found.plain), mirrored, Winner::Map);
    let certificate = Certificate {
        verdict: verdict(score, second_score.unwrap_or(0.0), is_open, rival.as_ref().map(|_| mirror)),
        score: Some(score),
        second_score,
        value: Some(value),
        mirror,
        mirror_score: rival.as_ref().map(|rival| rival.score),
        truth_is_part: levels.charge == Charge::Shared,
        is_largest_part: broken.is_some(),
        overlap: Some(overlap),
        slide,
        covariance: spread.and_then(|spread| spread.covariance),
        residual_m: spread.map(|spread| spread.residual_m),
    };
    let as_hypotheses = |levels: &Levels, candidates: &[Scored], mirrored: bool| -> Vec<Hypothesis> {
        let transform = |candidate: &Candidate| candidate.truth_from_map(truth, map, levels.pivot);
        let hypothesis = |(score, candidate): &Scored| {
            Some(Hypothesis { truth_from_map: transform(candidate)?, score: *score, mirrored })
        };
        candidates.iter().filter_map(hypothesis).collect()
    };
    let settled = settled(levels, &winner);
    let placed: Vec<Scored> = std::iter::once((score, settled)).chain(plain[1..].iter().copied()).collect();
    let mut hypotheses = as_hypotheses(levels, &placed, false);
    if let Some((levels, candidates)) = &found.mirrored {
        hypotheses.extend(as_hypotheses(levels, &candidates[..candidates.len().min(1)], true));
    }
    let truth_from_map = settled.truth_from_map(truth, map, levels.pivot);
    Alignment { method, truth_from_map, certificate, hypotheses }
}

/// Whether a certain fit may rest on what two maps share under a candidate with this overlap.
fn rests_on_enough(levels: &Levels, winner: &Candidate, overlap: f64) -> bool {
    overlap >= MIN_OVERLAP && levels.share_walls(winner, MIN_WALLS)
}

/// Whether one score is clearly better than another.
fn is_clear(score: f64, rival: f64) -> bool {
    score - rival >= CLEAR && Certificate::gain(score, rival) >= CERTAIN
}

/// The conclusion. `is_open` if the map may slide, or rests on too little.
fn verdict(score: f64, rival: f64, is_open: bool, mirror: Option<Mirror>) -> Verdict {
    let value = Certificate::gain(score, rival);
    // Without the mirror test it is not known how well a wrong candidate would fit.
    let by_chance = mirror.is_none_or(|mirror| mirror == Mirror::MirrorUndecided) && value < SYMMETRIC;
    if mirror == Some(Mirror::Mirrored) {
        Verdict::Mirrored
    } else if score < FOUND {
        Verdict::Failed
    } else if is_clear(score, rival) && !is_open && !by_chance {
        Verdict::Certain
    } else {
        Verdict::Ambiguous
    }
}

/// The best candidate of the mirror image.
struct MirrorRival {
    score: f64,
    /// Whether it rests on enough walls, explains them, and is no look-alike.
    is_sound: bool,
    /// Its gain over the best other candidate of the mirror image.
    value: f64,
}

impl MirrorRival {
    fn new((levels, candidates): Of<'_>, map: Of<'_>) -> Self {
        let best = distinct(candidates, 2, |a, b| levels.differ(a, b));
        let score = best.first().map_or(0.0, |&(score, _)| score);
        let is_sound = best.first().is_some_and(|(_, winner)| {
            let fit = levels.fine(FIT_WALLS).fit(winner);
            fit.truth_explained >= EXPLAINED_MIRRORED
                && rests_on_enough(levels, winner, levels.overlap(winner))
                && !may_look_alike(&fit, (levels, candidates), Some(map), Winner::MirrorImage)
        });
        let value = Certificate::gain(score, best.get(1).map_or(0.0, |&(score, _)| score));
        Self { score, value, is_sound }
    }

    /// Which of the two fits clearly better; a mirror image must also be certain of its own candidate.
    fn against(&self, score: f64) -> Mirror {
        let is_found = self.score >= FOUND && self.value >= CERTAIN && self.is_sound;
        if is_found && Certificate::gain(self.score, score) >= CERTAIN_MIRRORED && is_clear(self.score, score)
        {
            Mirror::Mirrored
        } else if is_clear(score, self.score) {
            Mirror::Plain
        } else {
            Mirror::MirrorUndecided
        }
    }
}

/// The first candidates that differ from all before them.
pub(crate) fn distinct(
    candidates: &[Scored],
    max: usize,
    differ: impl Fn(&Candidate, &Candidate) -> bool,
) -> Vec<Scored> {
    let mut kept: Vec<Scored> = Vec::new();
    for (score, candidate) in candidates {
        if kept.len() == max {
            break;
        }
        if kept.iter().all(|(_, other)| differ(candidate, other)) {
            kept.push((*score, *candidate));
        }
    }
    kept
}

/// How far the map may be pushed in the direction in which its score falls least.
fn slide(score: &WallScore, winner: &Candidate, levels: &Levels, truth: &GridGeometry) -> Option<Slide> {
    let best = score.score(winner);
    let (push, tol_cells) = (2.0 * levels.sizes.tol_cells, levels.sizes.tol_cells);
    let pushed = |direction: f64, cells: f64| {
        // The direction is the world's; the image may be turned in it, and its y runs down.
        let (sin, cos) = (direction - truth.origin().theta_rad).sin_cos();
        let at = [winner.at[0] + cells * cos, winner.at[1] - cells * sin];
        score.score(&Candidate { at, ..*winner })
    };
    let ease = |direction: &f64| pushed(*direction, push).max(pushed(*direction, -push));
    let directions = (0..DIRECTIONS).map(|step| (step as f64 / DIRECTIONS as f64 - 0.5) * PI);
    let direction = directions.max_by(|a, b| ease(a).total_cmp(&ease(b)))?;
    let max_steps = (4.0 * levels.sizes.half_side_cells * winner.scale / tol_cells).ceil() as usize * 2;
    let walk = |sign: f64| {
        let reaches = |step: &usize| {
            let cells = sign * *step as f64 * tol_cells / 2.0;
            !is_clear(best, pushed(direction, cells))
        };
        (1..=max_steps).take_while(reaches).count() as f64 * tol_cells / 2.0
    };
    let metres = truth.cell_size_m();
    Some(Slide { direction_rad: direction, forward_m: walk(1.0) * metres, backward_m: walk(-1.0) * metres })
}

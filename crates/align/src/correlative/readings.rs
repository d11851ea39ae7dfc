//! Two readings of a pair of maps: the truth is the whole place, or it is a part of it.
//!
//! In the first, walls of the map that lie where the truth knows nothing are wrong; in the second they say nothing. Where a
//! map shows more than the truth, the first prefers a wrong place within the truth (one aisle on in a hall of equal
//! shelves); where the truth is complete, the second finds good fits of a few walls at its rim. So the first decides, unless
//! the second is certain of a place where the shared walls fit nearly perfectly.

use model::Grid;

use super::search;
use crate::candidate::Candidate;
use crate::certificate::{FIT_WALLS, Found, Scored, certify, distinct};
use crate::levels::{Charge, Levels};
use crate::wall_score::{Fit, MIN_SHARED};
use crate::{Alignment, Method, Mirror, Verdict};

/// A certain fit as good as this needs no second reading.
const GOOD: f64 = 0.82;
/// Share of the map's walls that lie where the truth knows something, from which on the map shows no more than the truth.
const WITHIN: f64 = 0.95;
/// What the second reading must reach: mean nearness of the shared walls, their share of all, and its gain over the first.
const MIN_NEARNESS: f64 = 0.90;
const MIN_SHARED_OF_PART: f64 = 0.15;
const MIN_GAIN: f64 = 0.05;
/// A rival of the first reading's place shares nearly as much with the truth, and fits nearly as well.
const RIVAL_SHARED: f64 = 0.4;
const RIVAL_NEARNESS: f64 = 0.02;
/// By so much the nearness may be lower on the coarse images.
const COARSE_SLACK: f64 = 0.2;
/// Candidates of the second reading that are compared with the first's.
const PLACES: usize = 5;
/// Share from which on a mirror image that fits as well does not count against it.
const MIN_SHARED_MIRRORED: f64 = 0.30;

/// Two maps, and the mirror image of the second if it is tried.
pub(super) struct Pair<'a> {
    pub(super) truth: &'a Grid,
    pub(super) map: &'a Grid,
    pub(super) mirror_image: Option<Grid>,
}

/// What one reading found.
pub(super) struct Reading {
    alignment: Alignment,
    /// The best candidate.
    place: Option<Place>,
}

/// A candidate, and how well it fits.
type Place = (Fit, Candidate);

impl Pair<'_> {
    /// The first reading: the truth is the whole place.
    pub(super) fn read_whole(&self, levels: &Levels) -> Reading {
        self.certified(levels, search(levels, 0.0))
    }

    /// The second reading, of places where the shared walls are at least so near; its certificate is made only where it
    /// may decide.
    fn read_part(&self, levels: &Levels, least_nearness: f64) -> (Vec<Place>, Option<Alignment>) {
        let plain = search(levels, least_nearness - COARSE_SLACK);
        let places = places(levels, &plain, PLACES);
        let may_decide =
            places.first().is_some_and(|(fit, _)| fit.is_near() && fit.shared >= MIN_SHARED_OF_PART);
        let alignment = may_decide.then(|| self.certified(levels, plain).alignment);
        (places, alignment)
    }

    fn certified(&self, levels: &Levels, plain: Vec<Scored>) -> Reading {
        let mirrored = self.mirror_image.as_ref().and_then(|image| levels.with_mirror_image(image));
        let mirrored = mirrored.map(|levels| {
            let candidates = search(&levels, 0.0);
            (levels, candidates)
        });
        let place = places(levels, &plain, 1).pop();
        let found = Found { plain, mirrored };
        Reading { alignment: certify(Method::Correlative, self.truth, self.map, levels, &found), place }
    }

    /// The alignment that follows from the first reading and, where that leaves doubts, from a second one.
    pub(super) fn decided(&self, whole: Reading, levels: &Levels) -> Alignment {
        let Some((fit, place)) = whole.place else { return whole.alignment };
        if whole.is_beyond_doubt() {
            return whole.alignment;
        }
        let may_have_rival = fit.map_seen < WITHIN;
        let rival_nearness = fit.shared_score - RIVAL_NEARNESS;
        let least = if may_have_rival { rival_nearness.min(MIN_NEARNESS) } else { MIN_NEARNESS };
        let (places, part) = self.read_part(&levels.charged(Charge::Shared), least);
        let Some(&(part_fit, part_place)) = places.first() else { return whole.alignment };
        let gains =
            !levels.differ(&place, &part_place) || part_fit.shared_score >= fit.shared_score + MIN_GAIN;
        let decides = |part: &Alignment| {
            let is_plain = part.certificate.mirror == Mirror::Plain || part_fit.shared >= MIN_SHARED_MIRRORED;
            part.certificate.verdict == Verdict::Certain && is_plain && gains
        };
        if let Some(part) = part.filter(decides) {
            return part;
        }
        let is_rival = |(rival, candidate): &Place| {
            levels.differ(&place, candidate)
                && rival.shared >= RIVAL_SHARED * fit.shared
                && rival.shared_score >= rival_nearness
        };
        let has_rival = may_have_rival && places.iter().any(is_rival);
        let mut alignment = whole.alignment;
        let certificate = &mut alignment.certificate;
        let mirror_score = certificate.mirror_score.unwrap_or(0.0);
        match certificate.verdict {
            // More than the truth is shown, and without what lies outside of it another place is as good.
            Verdict::Certain if has_rival => certificate.verdict = Verdict::Ambiguous,
            // The map as it is fits as well, where less is shared.
            Verdict::Mirrored if part_fit.is_near() && part_fit.shared_score >= mirror_score => {
                certificate.verdict = Verdict::Ambiguous;
                certificate.mirror = Mirror::MirrorUndecided;
            }
            _ => {}
        }
        alignment
    }
}

impl Fit {
    /// Whether the shared walls fit nearly perfectly.
    fn is_near(&self) -> bool {
        self.shared_score >= MIN_NEARNESS && self.shared >= MIN_SHARED
    }
}

/// So many of the best candidates that differ, with their fits, best first.
fn places(levels: &Levels, candidates: &[Scored], most: usize) -> Vec<Place> {
    let fine = levels.fine(FIT_WALLS);
    let best = distinct(candidates, most, |a, b| levels.differ(a, b));
    best.into_iter().map(|(_, place)| (fine.fit(&place), place)).collect()
}

impl Reading {
    /// Whether the map fits well as a part of the truth.
    fn is_beyond_doubt(&self) -> bool {
        let is_good = |(fit, _): &Place| fit.score >= GOOD && fit.map_seen >= WITHIN;
        self.alignment.certificate.verdict == Verdict::Certain && self.place.as_ref().is_some_and(is_good)
    }
}

//! Alignment by matched rooms (Pellenz, IV-D to IV-F): find rooms in both maps, match them, fit the motion.
//!
//! Independent of the correlative search, so that agreement of the two confirms both. Needs at least two rooms that both
//! maps show whole; partial maps and single halls have too few.

mod matcher;
mod objective;
mod placing;
mod search;
mod topology;

use model::{Grid, Point2};

pub use matcher::{FeatureKind, FeatureMatcher, features_of};
pub use objective::{Difference, Feature, FeaturePair, Matching, Objective, relative_difference};
pub use placing::{Placing, Refusal};
pub use search::RoomSearch;

use crate::{AlignError, Aligner, Alignment, Certificate, Hypothesis, Method, Mirror, Verdict};

/// Alignment by the rooms of both maps.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RoomAligner {
    /// How rooms are found and matched.
    pub matcher: FeatureMatcher,
}

/// Transforms that lie apart by more than this are different answers, metres and degrees.
const DISTINCT_M: f64 = 0.6;
const DISTINCT_DEG: f64 = 5.0;
/// Certificate and number of pairs from which on an alignment counts as certain. Two pairs always fit something.
const CERTAIN_GAIN: f64 = 0.10;
const CERTAIN_PAIRS: usize = 4;

impl Aligner for RoomAligner {
    fn method(&self) -> Method {
        Method::Rooms
    }

    fn align(&self, truth: &Grid, map: &Grid) -> Result<Alignment, AlignError> {
        let matcher = self.matcher.settled_by(truth);
        let (in_truth, in_map) = (matcher.features(truth)?, matcher.features(map)?);
        let found = matcher.matchings(&in_truth, &in_map);
        let mirrored = matcher.matchings(&in_truth, &mirror(&in_map));
        // A transform that the walls contradict is no answer, however well the rooms fit.
        let Ok(placed) = self.matcher.place([truth, map], [&in_truth, &in_map], &[]) else {
            return Ok(Alignment::failed(Method::Rooms));
        };
        let (best, objective) = (&placed.matching, &self.matcher.objective);
        let hypothesis = |mirrored: bool| {
            move |matching: &Matching| Hypothesis {
                truth_from_map: matching.truth_from_map,
                score: matching.score(objective),
                mirrored,
            }
        };
        let score = best.score(objective);
        let second = found.iter().find(|other| is_distinct(best, other, &in_map));
        let second_score = second.map(|matching| matching.score(objective));
        let mirror_score = mirrored.first().map(|matching| matching.score(objective));
        let gain = Certificate::gain(score, second_score.unwrap_or(0.0));
        let mirror = mirror_state(score, mirror_score);
        let verdict = match mirror {
            Mirror::Mirrored => Verdict::Mirrored,
            _ if gain >= CERTAIN_GAIN && best.pairs.len() >= CERTAIN_PAIRS => Verdict::Certain,
            _ => Verdict::Ambiguous,
        };
        let squared = best.pairs.iter().map(|pair| pair.position_m2).sum::<f64>() / best.pairs.len() as f64;
        let listed = std::iter::once(best).chain(second).map(hypothesis(false));
        let mirrored = mirrored.iter().take(1).map(hypothesis(true));
        Ok(Alignment {
            method: Method::Rooms,
            truth_from_map: Some(best.truth_from_map),
            certificate: Certificate {
                score: Some(score),
                second_score,
                value: Some(gain),
                mirror,
                mirror_score,
                residual_m: Some(squared.sqrt()),
                ..Certificate::plain(verdict)
            },
            hypotheses: listed.chain(mirrored).collect(),
        })
    }
}

fn mirror(features: &[Feature]) -> Vec<Feature> {
    let flipped = |f: &Feature| Feature { place: Point2::new(-f.place.x_m, f.place.y_m), ..f.clone() };
    features.iter().map(flipped).collect()
}

fn mirror_state(score: f64, mirror_score: Option<f64>) -> Mirror {
    let mirror_score = mirror_score.unwrap_or(0.0);
    if Certificate::gain(mirror_score, score) >= CERTAIN_GAIN {
        Mirror::Mirrored
    } else if Certificate::gain(score, mirror_score) >= CERTAIN_GAIN {
        Mirror::Plain
    } else {
        Mirror::MirrorUndecided
    }
}

/// Whether two matchings put the map elsewhere: some room moves, or the map turns.
fn is_distinct(one: &Matching, other: &Matching, in_map: &[Feature]) -> bool {
    let (a, b) = (one.truth_from_map, other.truth_from_map);
    let apart_m = |f: &Feature| (a * f.place).distance_m(b * f.place);
    let turned_deg = model::wrap(a.theta_rad - b.theta_rad).abs().to_degrees();
    turned_deg > DISTINCT_DEG || in_map.iter().map(apart_m).fold(0.0, f64::max) > DISTINCT_M
}

#[cfg(test)]
mod tests;

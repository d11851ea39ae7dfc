//! The matching whose transform the walls do not contradict.
//!
//! Rooms look alike, and a noisy map has rooms that the truth has not: the cheapest matching may then put the map somewhere
//! else. The walls know better. For every matching its transform climbs to the top of the two-sided wall score S nearby
//! (R-ALIGN); it is contradicted where another transform has an S that is clearly higher, or where S is as low as that
//! of maps that show different places. The cheapest matching that is not contradicted is taken; without one there is none.

use model::{Grid, Similarity2};

use super::matcher::FeatureMatcher;
use super::objective::{Feature, Matching};
use super::search::matchings;
use crate::candidate::Candidate;
use crate::correlative::climb_each;
use crate::levels::{Allowance, Levels};
use crate::{Certificate, certificate::FOUND};

/// A matching that may be scored.
#[derive(Clone, Debug, PartialEq)]
pub struct Placing {
    pub matching: Matching,
    /// The cheapest matching under the transform near it that fits the walls best.
    pub on_walls: Matching,
    /// S of that transform; none if a map has no walls.
    pub wall_score: Option<f64>,
    /// Cheaper matchings that the walls contradict.
    pub contradicted: usize,
}

/// Why no matching may be scored.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Refusal {
    /// No matching has two pairs.
    NoMatch,
    /// The walls contradict every matching.
    Contradicted {
        /// S of the cheapest matching.
        wall_score: f64,
        /// S of the transform that fits the walls best.
        best_wall_score: f64,
    },
}

/// Matchings whose transforms are held against the walls.
const TRIED: usize = 12;
/// S by which another transform must be better, and the part of what was to be gained: below, both are the same place.
const MIN_RISE: f64 = 0.10;
const MIN_GAIN: f64 = 0.20;

impl FeatureMatcher {
    /// The cheapest matching whose transform the walls do not contradict. `given` are further transforms to hold against the
    /// walls, such as that of the files' origins.
    ///
    /// # Errors
    /// No matching, or none that the walls allow.
    pub fn place(
        &self,
        [truth, map]: [&Grid; 2],
        features: [&[Feature]; 2],
        given: &[Similarity2],
    ) -> Result<Placing, Refusal> {
        let problem = self.problem(features);
        let mut found = matchings(&problem, &self.search);
        found.truncate(TRIED);
        let as_settled = given.iter().map(|&transform| problem.settled(transform));
        found.extend(as_settled.filter(|matching| matching.pairs.len() >= 2));
        let Some(levels) = Levels::new(&Allowance::default(), truth, map) else {
            return first_of(found).ok_or(Refusal::NoMatch);
        };
        let walls = Walls { levels: &levels, truth, map };
        let mut tops = walls.tops(given.iter().copied().chain(found.iter().map(|m| m.truth_from_map)));
        let best = tops.iter().map(|top| top.score).fold(0.0, f64::max);
        // The place that the walls like best has a matching of its own.
        if let Some(top) = tops.iter().find(|top| top.score >= best).and_then(|top| walls.transform(top)) {
            let at_top = problem.settled(top);
            if at_top.pairs.len() >= 2 {
                tops.extend(walls.tops(std::iter::once(at_top.truth_from_map)));
                found.push(at_top);
            }
        }
        let mut judged: Vec<(Matching, Top)> = found.into_iter().zip(tops.split_off(given.len())).collect();
        judged.sort_by(|a, b| a.0.cost_m2.total_cmp(&b.0.cost_m2));
        let (matching, top, contradicted) = walls.first_allowed(judged, &tops)?;
        let on_walls =
            walls.transform(&top).map_or_else(|| matching.clone(), |at_top| problem.matched(at_top));
        Ok(Placing { matching, on_walls, wall_score: Some(top.score), contradicted })
    }
}

fn first_of(found: Vec<Matching>) -> Option<Placing> {
    let matching = found.into_iter().min_by(|a, b| a.cost_m2.total_cmp(&b.cost_m2))?;
    Some(Placing { on_walls: matching.clone(), matching, wall_score: None, contradicted: 0 })
}

/// A transform near a matching's own, and what the walls say of it.
#[derive(Clone, Copy)]
struct Top {
    candidate: Candidate,
    score: f64,
}

struct Walls<'a> {
    levels: &'a Levels,
    truth: &'a Grid,
    map: &'a Grid,
}

impl Walls<'_> {
    /// Each transform led to the top of S nearby; one that would be led to another place stays where it is.
    fn tops(&self, transforms: impl Iterator<Item = Similarity2>) -> Vec<Top> {
        let pivot = self.levels.pivot;
        let starts: Vec<Candidate> =
            transforms.map(|transform| Candidate::of(transform, self.truth, self.map, pivot)).collect();
        let score = self.levels.fine(MAX_WALLS);
        let kept = |(start, (top, candidate)): (&Candidate, (f64, Candidate))| {
            if self.levels.differ(start, &candidate) {
                Top { candidate: *start, score: score.score(start) }
            } else {
                Top { candidate, score: top }
            }
        };
        starts.iter().zip(climb_each(self.levels, &starts)).map(kept).collect()
    }

    fn transform(&self, top: &Top) -> Option<Similarity2> {
        top.candidate.truth_from_map(self.truth, self.map, self.levels.pivot)
    }

    /// The first matching that no place contradicts, of those in order of their cost, the best top near it, and how many are
    /// contradicted before it.
    fn first_allowed(
        &self,
        judged: Vec<(Matching, Top)>,
        given: &[Top],
    ) -> Result<(Matching, Top, usize), Refusal> {
        let cheapest = judged.first().ok_or(Refusal::NoMatch)?.1.score;
        let rivals: Vec<Top> = given.iter().copied().chain(judged.iter().map(|(_, top)| *top)).collect();
        let is_contradicted = |own: &Top| {
            let is_better = |other: &Top| {
                other.score - own.score >= MIN_RISE
                    && Certificate::gain(other.score, own.score) >= MIN_GAIN
                    && self.levels.differ(&own.candidate, &other.candidate)
            };
            own.score < FOUND || rivals.iter().any(is_better)
        };
        let allowed = judged.iter().position(|(_, top)| !is_contradicted(top));
        let Some(contradicted) = allowed else {
            let best_wall_score = rivals.iter().map(|top| top.score).fold(0.0, f64::max);
            return Err(Refusal::Contradicted { wall_score: cheapest, best_wall_score });
        };
        let (matching, own) = judged.into_iter().nth(contradicted).ok_or(Refusal::NoMatch)?;
        let near = rivals.iter().filter(|top| !self.levels.differ(&own.candidate, &top.candidate));
        let top = near.fold(own, |best, &top| if top.score > best.score { top } else { best });
        Ok((matching, top, contradicted))
    }
}

/// Walls of each map that S is taken from.
const MAX_WALLS: usize = 1500;

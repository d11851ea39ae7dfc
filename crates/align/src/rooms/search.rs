//! The search for the cheapest matching (R-MATCH). The paper names RANSAC and PROSAC, which draw hypotheses at random; ours
//! tries all of them, in the order in which PROSAC would come to them. At most 60 features with 5 candidates each make at
//! most 44 850 pairs of candidates, so that none is dropped and no seed decides.
//!
//! 1. candidate pairs by descriptor alone: for each room of the map the few of the truth that look most like it;
//! 2. two candidate pairs whose distances agree are a hypothesis, in order of their summed differences;
//! 3. rigid fit, cheapest assignment, fit again, until nothing changes;
//! 4. the cheapest wins, of equals the one that turns less.

use model::Similarity2;

use super::objective::{Feature, Matching, Problem};
use crate::closed_form::{Motion, fit};

/// Parameters of the search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RoomSearch {
    /// Candidates per room of the map. Default 5.
    pub candidates: usize,
    /// Descriptors that differ more are no candidates. Default 0.5.
    pub max_difference: f64,
    /// Distances may differ by this ratio. Default 0.1.
    pub length_ratio: f64,
    /// And by this length, metres. Default 0.5.
    pub length_m: f64,
    /// At most so many hypotheses, those with the least summed difference. Default 50 000.
    pub max_hypotheses: usize,
    /// So many of them, the most promising by a bound of their cost, are settled by assignment. Default 200.
    pub settle: usize,
}

impl Default for RoomSearch {
    fn default() -> Self {
        Self {
            candidates: 5,
            max_difference: 0.5,
            length_ratio: 0.1,
            length_m: 0.5,
            max_hypotheses: 50_000,
            settle: 200,
        }
    }
}

/// A candidate pair: truth, map, difference.
type Candidate = (usize, usize, f64);

/// Matchings with at least two pairs, the cheapest first, each transform once.
pub(crate) fn matchings(problem: &Problem, search: &RoomSearch) -> Vec<Matching> {
    let candidates = candidates(problem, search);
    let mut hypotheses = hypotheses(problem, search, &candidates);
    hypotheses.truncate(search.max_hypotheses);
    let fits = hypotheses.iter().filter_map(|&(_, a, b)| {
        let pairs = [candidates[a], candidates[b]].map(|(truth, map, _)| problem.points(truth, map));
        fit(&pairs, Motion::Rigid)
    });
    let mut starts: Vec<(f64, Similarity2)> = fits.map(|start| (problem.bound_m2(start), start)).collect();
    starts.sort_by(|a, b| a.0.total_cmp(&b.0));
    starts.truncate(search.settle);
    let mut found: Vec<Matching> = starts.iter().map(|&(_, start)| problem.settled(start)).collect();
    found.retain(|matching| matching.pairs.len() >= 2);
    let turn = |matching: &Matching| matching.truth_from_map.theta_rad.abs();
    found.sort_by(|a, b| a.cost_m2.total_cmp(&b.cost_m2).then(turn(a).total_cmp(&turn(b))));
    found.dedup_by(|later, earlier| later.pairs == earlier.pairs);
    found
}

fn candidates(problem: &Problem, search: &RoomSearch) -> Vec<Candidate> {
    let mut all = Vec::new();
    for map in 0..problem.map.len() {
        let differences = (0..problem.truth.len()).map(|truth| (truth, map, problem.difference(truth, map)));
        let mut alike: Vec<Candidate> = differences.filter(|c| c.2 <= search.max_difference).collect();
        alike.sort_by(|a, b| a.2.total_cmp(&b.2));
        all.extend(alike.into_iter().take(search.candidates));
    }
    all
}

/// Pairs of candidates whose distances agree, with their summed difference, the smallest first.
fn hypotheses(problem: &Problem, search: &RoomSearch, candidates: &[Candidate]) -> Vec<(f64, usize, usize)> {
    let [in_truth, in_map] = [problem.truth, problem.map].map(Distances::between);
    let mut found = Vec::new();
    for (second, &(truth_b, map_b, of_b)) in candidates.iter().enumerate() {
        for (first, &(truth_a, map_a, of_a)) in candidates[..second].iter().enumerate() {
            if truth_a == truth_b || map_a == map_b {
                continue;
            }
            let (in_truth_m, in_map_m) = (in_truth.of(truth_a, truth_b), in_map.of(map_a, map_b));
            let allowed_m = search.length_ratio * in_truth_m.max(in_map_m) + search.length_m;
            if (in_truth_m - in_map_m).abs() <= allowed_m {
                found.push((of_a + of_b, first, second));
            }
        }
    }
    found.sort_by(|a, b| a.0.total_cmp(&b.0));
    found
}

/// Distances between all features of a map, metres.
struct Distances {
    metres: Vec<f64>,
    count: usize,
}

impl Distances {
    fn between(features: &[Feature]) -> Self {
        let from = |one: &Feature| {
            features.iter().map(move |other| one.place.distance_m(other.place)).collect::<Vec<_>>()
        };
        Self { metres: features.iter().flat_map(from).collect(), count: features.len() }
    }

    fn of(&self, one: usize, other: usize) -> f64 {
        self.metres[one * self.count + other]
    }
}

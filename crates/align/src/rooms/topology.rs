//! The topology term of the matching (R-MATCH): neighbours in the map should match neighbours in the truth.
//!
//! With this term the cheapest matching is a quadratic assignment, which no fast method solves exactly. Ours is a local
//! search: the assignment is solved again with the adjacencies that each pair would break if all others stayed, then pairs
//! that cost more than they gain are dropped; a step counts only if the whole cost falls.

use super::objective::Problem;
use crate::assignment::cheapest;

/// Partner of each feature of the truth.
type Chosen = Vec<Option<usize>>;

const ROUNDS: usize = 5;

/// Pairs of neighbours in the map whose partners are no neighbours in the truth.
pub(super) fn broken(problem: &Problem, chosen: &[Option<usize>]) -> usize {
    let partner_of = partners(problem, chosen);
    let breaks = |(truth, map): (usize, usize)| {
        let later = problem.map[map].neighbours.iter().filter(|&&next| next > map);
        later.filter(|&&next| is_broken(problem, truth, partner_of[next])).count()
    };
    chosen.iter().enumerate().filter_map(|(truth, map)| Some((truth, (*map)?))).map(breaks).sum()
}

/// A matching that costs less with the topology than the given one; the given one without a weight of the topology.
pub(super) fn improved(problem: &Problem, start: Chosen, gain: impl Fn(usize, usize) -> f64) -> Chosen {
    let weight_m2 = problem.objective.topology_m2;
    if weight_m2 <= 0.0 {
        return start;
    }
    let cost = |chosen: &Chosen| {
        let pairs = chosen.iter().enumerate().filter_map(|(truth, map)| Some(gain(truth, (*map)?)));
        pairs.sum::<f64>() + weight_m2 * broken(problem, chosen) as f64
    };
    let mut best = (cost(&start), start);
    for _ in 0..ROUNDS {
        let partner_of = partners(problem, &best.1);
        let with_topology = |truth: usize, map: usize| {
            let neighbours = problem.map[map].neighbours.iter();
            let breaks = neighbours.filter(|&&next| is_broken(problem, truth, partner_of[next])).count();
            gain(truth, map) + weight_m2 * breaks as f64
        };
        let next = cheapest(problem.truth.len(), problem.map.len(), with_topology);
        let next_cost = cost(&next);
        if next_cost >= best.0 {
            break;
        }
        best = (next_cost, next);
    }
    without_dear_pairs(best, cost)
}

/// Drops the pair whose loss lowers the cost most, until none does.
fn without_dear_pairs((mut best, mut chosen): (f64, Chosen), cost: impl Fn(&Chosen) -> f64) -> Chosen {
    loop {
        let without = |truth: usize| {
            let mut fewer = chosen.clone();
            fewer[truth] = None;
            (cost(&fewer), fewer)
        };
        let all = (0..chosen.len()).filter(|&truth| chosen[truth].is_some()).map(without);
        match all.min_by(|a, b| a.0.total_cmp(&b.0)).filter(|(cheaper, _)| *cheaper < best) {
            Some(next) => (best, chosen) = next,
            None => return chosen,
        }
    }
}

/// Whether a feature of the truth and the partner of a neighbour do not border on each other.
fn is_broken(problem: &Problem, truth: usize, partner: Option<usize>) -> bool {
    partner.is_some_and(|other| other != truth && !problem.truth[truth].neighbours.contains(&other))
}

/// The feature of the truth that each one of the map has as its partner.
fn partners(problem: &Problem, chosen: &[Option<usize>]) -> Chosen {
    let mut of_map = vec![None; problem.map.len()];
    for (truth, map) in chosen.iter().enumerate() {
        map.iter().for_each(|&map| of_map[map] = Some(truth));
    }
    of_map
}

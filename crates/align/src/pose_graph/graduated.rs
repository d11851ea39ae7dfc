//! Kernels that bend the cost, graduated: from least squares, where every measurement counts, to the kernels as they are.
//!
//! Truncated squares (graduated non-convexity, Yang, Antonante, Tzoumas, Carlone 2020, "Graduated non-convexity for robust
//! spatial perception", section IV and remark 5): each constraint has a weight w from 0 to 1, and the control parameter
//! mu grows from nearly 0, where the cost is convex, until every weight is 0 or 1.
//!
//! ```text
//! w = 0                                      where r² >= (mu + 1) / mu k²
//!     1                                      where r² <= mu / (mu + 1) k²
//!     k / r sqrt(mu (mu + 1)) - mu           between them                                     eq. (14)
//! ```
//!
//! Departures: the weighted problem is solved by two iterations from the better of where the poses are and rotations first
//! with the same weights, in the place of a global solver; constraints with other kernels, and of parts that nothing
//! else joins, count always; at the end weights follow from the poses and poses from the weights until neither changes.

use model::Pose2;
use raster::disjoint_sets::DisjointSets;

use super::block_cholesky::FactorError;
use super::descent::{Descended, Patience, Penalty, descend};
use super::start::rotations_first;
use super::unknowns::Unknowns;
use super::{Constraint, Kernel, PlanarGraph};

/// Factor of the control parameter from one round to the next (remark 5).
const MU_STEP: f64 = 1.4;
/// Rounds at most. Ours; graphs with a hundred false loops need 30.
const MAX_ROUNDS: usize = 200;
/// Iterations of the solver in each round, and relative gain below which a round ends. Ours.
const ROUND: Patience = Patience { max_iterations: 2, min_gain: 1e-6 };
/// Weight below which a constraint is left out, and that of one which alone joins two parts. Ours.
const MIN_WEIGHT: f64 = 1e-6;
/// Rounds at the end at most. Ours: each lowers the cost, so that a circle is only one of rounding.
const MAX_SETTLING: usize = 20;
/// How much narrower kernels become from one round to the next. Ours.
const NARROWING: f64 = 4.0;

/// Kernels as many times as wide as the worst error asks for, then narrower and narrower.
pub(super) fn narrowed(
    graph: &PlanarGraph,
    unknowns: &Unknowns,
    from: Descended,
    patience: Patience,
) -> Result<Descended, FactorError> {
    let excess = |constraint: &Constraint| {
        let width = constraint.kernel.width()?;
        Some(constraint.chi2(constraint.error(&from.poses)).max(0.0).sqrt() / width)
    };
    let mut factor = graph.constraints.iter().filter_map(excess).fold(1.0, f64::max);
    let (mut poses, mut iterations) = (from.poses, from.iterations);
    while factor > 1.0 && factor.is_finite() {
        let reached = descend(graph, unknowns, poses, Penalty::Widened(factor), patience)?;
        (poses, iterations) = (reached.poses, iterations + reached.iterations);
        factor /= NARROWING;
    }
    let reached = descend(graph, unknowns, poses, Penalty::Kernels, patience)?;
    Ok(Descended { iterations: iterations + reached.iterations, ..reached })
}

/// The first round, in which every constraint counts. `relaxed` tries rotations first in each round too.
pub(super) fn first_round(
    graph: &PlanarGraph,
    unknowns: &Unknowns,
    poses: Vec<Pose2>,
    relaxed: bool,
) -> Result<Descended, FactorError> {
    let mut rounds = Rounds { graph, unknowns, relaxed, poses, iterations: 0 };
    let all = vec![1.0; graph.constraints.len()];
    rounds.solve(&all, ROUND)?;
    let cost = Penalty::Weights(&all).of(graph, &rounds.poses);
    Ok(Descended { poses: rounds.poses, cost, iterations: rounds.iterations })
}

/// Truncated squares by graduated non-convexity, from the end of a first round.
pub(super) fn truncated(
    graph: &PlanarGraph,
    unknowns: &Unknowns,
    first: Descended,
    relaxed: bool,
    patience: Patience,
) -> Result<Descended, FactorError> {
    let Descended { poses, iterations, .. } = first;
    let mut rounds = Rounds { graph, unknowns, relaxed, poses, iterations };
    let mut mu = rounds.first_mu();
    for _ in 0..MAX_ROUNDS {
        let weights = rounds.weights(mu);
        rounds.solve(&weights, ROUND)?;
        if weights.iter().all(|weight| *weight <= MIN_WEIGHT || *weight == 1.0) {
            break;
        }
        mu *= MU_STEP;
    }
    rounds.settle(patience)?;
    let Rounds { poses, iterations, .. } = rounds;
    let cost = Penalty::Kernels.of(graph, &poses);
    Ok(Descended { poses, cost, iterations })
}

struct Rounds<'a> {
    graph: &'a PlanarGraph,
    unknowns: &'a Unknowns,
    relaxed: bool,
    poses: Vec<Pose2>,
    iterations: usize,
}

impl Rounds<'_> {
    /// Solves the weighted problem from where the poses are, or from rotations first where that costs less.
    fn solve(&mut self, weights: &[f64], patience: Patience) -> Result<(), FactorError> {
        let penalty = Penalty::Weights(weights);
        if self.relaxed
            && let Ok(relaxed) = rotations_first(self.graph, self.unknowns, self.poses.clone(), weights)
            && penalty.of(self.graph, &relaxed) < penalty.of(self.graph, &self.poses)
        {
            self.poses = relaxed;
        }
        let poses = std::mem::take(&mut self.poses);
        let reached = descend(self.graph, self.unknowns, poses, penalty, patience)?;
        self.poses = reached.poses;
        self.iterations += reached.iterations;
        Ok(())
    }

    /// So small that the cost is convex at the worst error (remark 5).
    fn first_mu(&self) -> f64 {
        let ratio = |constraint: &Constraint| match constraint.kernel {
            Kernel::TruncatedSquare(k) => Some(constraint.chi2(constraint.error(&self.poses)) / (k * k)),
            _ => None,
        };
        let worst = self.graph.constraints.iter().filter_map(ratio).fold(1.0, f64::max);
        1.0 / (2.0 * worst - 1.0)
    }

    /// The weights at the poses; a constraint that alone joins two parts keeps a little.
    fn weights(&self, mu: f64) -> Vec<f64> {
        let weight = |constraint: &Constraint| {
            let chi2 = constraint.chi2(constraint.error(&self.poses));
            match constraint.kernel {
                Kernel::TruncatedSquare(k) => truncated_weight(chi2 / (k * k), mu),
                kernel => kernel.weight(chi2),
            }
        };
        self.joined(self.graph.constraints.iter().map(weight).collect())
    }

    fn joined(&self, mut weights: Vec<f64>) -> Vec<f64> {
        let mut parts = DisjointSets::new(self.graph.poses.len());
        self.graph.fixed.windows(2).for_each(|pair| {
            parts.join(pair[0] as u32, pair[1] as u32);
        });
        let (counting, left_out): (Vec<usize>, Vec<usize>) =
            (0..weights.len()).partition(|&index| weights[index] >= MIN_WEIGHT);
        let mut joins = |index: usize| {
            let constraint = &self.graph.constraints[index];
            parts.join(constraint.from as u32, constraint.to as u32)
        };
        counting.into_iter().for_each(|index| {
            joins(index);
        });
        left_out.into_iter().for_each(|index| weights[index] = if joins(index) { MIN_WEIGHT } else { 0.0 });
        weights
    }

    /// Constraints within their width count, others do not, until that changes nothing.
    fn settle(&mut self, patience: Patience) -> Result<(), FactorError> {
        let mut weights = self.weights(f64::INFINITY);
        for _ in 0..MAX_SETTLING {
            self.solve(&weights, patience)?;
            let next = self.weights(f64::INFINITY);
            if next == weights {
                break;
            }
            weights = next;
        }
        Ok(())
    }
}

/// Eq. (14) for r² in units of k².
fn truncated_weight(r2: f64, mu: f64) -> f64 {
    if mu.is_infinite() {
        return if r2 <= 1.0 { 1.0 } else { 0.0 };
    }
    if r2 >= (mu + 1.0) / mu {
        0.0
    } else if r2 <= mu / (mu + 1.0) {
        1.0
    } else {
        (mu * (mu + 1.0) / r2).sqrt() - mu
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_by_hand() {
        // mu = 1: 0 from r² = 2 on, 1 up to r² = 1/2, sqrt(2) - 1 at r² = 1.
        let weights = [2.0, 0.5, 1.0].map(|r2| truncated_weight(r2, 1.0));
        assert_eq!((weights[0], weights[1]), (0.0, 1.0));
        assert!((weights[2] - (2_f64.sqrt() - 1.0)).abs() < 1e-15);
    }

    #[test]
    fn weights_go_over_into_each_other() {
        for mu in [0.01, 1.0, 100.0] {
            let near = |r2: f64| truncated_weight(r2, mu);
            assert!(near((mu + 1.0) / mu * (1.0 - 1e-9)) < 1e-6);
            assert!(near(mu / (mu + 1.0) * (1.0 + 1e-9)) > 1.0 - 1e-6);
        }
        assert_eq!([0.9, 1.1].map(|r2| truncated_weight(r2, f64::INFINITY)), [1.0, 0.0]);
    }
}

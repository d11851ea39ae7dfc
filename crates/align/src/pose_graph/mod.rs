//! Planar pose graphs: the poses that fit measured displacements best.
//!
//! ```text
//! chi2 = Σ e' Ω e,   e = inverse(measured) (+) (inverse(from) (+) to)
//! ```
//!
//! Gauss-Newton, with Levenberg's damping where a step does not help, on a sparse Cholesky factor of 3 x 3 blocks.
//! It is run from each start (what is given, the chain of measurements, rotations first, and for kernels that bend
//! the cost from least squares on, the kernels graduated), and the solution with the lowest cost under the kernels is kept.

mod block_cholesky;
mod constraint;
mod descent;
mod graduated;
mod graph;
mod kernel;
mod ordering;
mod start;
mod unknowns;

use model::Pose2;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use block_cholesky::FactorError;
pub use constraint::Constraint;
use descent::{Descended, Patience, Penalty, check_determined, descend};
pub use graph::{GraphError, NamedGraph, PlanarGraph};
pub use kernel::{Kernel, KernelShape};
use unknowns::Unknowns;

/// Where the solver begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Start {
    /// The poses as they are.
    Given,
    /// Measurements of neighbours one after the other, from the first pose on.
    Chain,
    /// Headings by a linear relaxation, then positions.
    RotationsFirst,
    /// The least-squares solution from the other starts; kernels that bend the cost bend it more and more from there.
    /// Nothing is tried where all kernels are squares.
    Graduated,
}

/// Parameters of the solver.
#[derive(Clone, Debug, PartialEq)]
pub struct Solver {
    /// Starts, each of which is followed to its end; the solution with the lowest cost under the kernels is kept. Default: all
    /// four (ours: none of them is best on all public graphs).
    pub starts: Vec<Start>,
    /// Max number of iterations from each start. Default 100, ours; public graphs need 4 to 15.
    pub max_iterations: usize,
    /// It ends when the cost falls by less than this ratio. Default 1e-9, ours.
    pub min_gain: f64,
}

impl Default for Solver {
    fn default() -> Self {
        let starts = vec![Start::Given, Start::Chain, Start::RotationsFirst, Start::Graduated];
        Self { starts, max_iterations: 100, min_gain: 1e-9 }
    }
}

/// What the solver did.
#[derive(Clone, Debug, PartialEq)]
pub struct Solution {
    /// The poses that fit best.
    pub poses: Vec<Pose2>,
    /// The start that led there.
    pub start: Start,
    /// chi2 of the poses as given.
    pub chi2_given: f64,
    /// chi2 of the start that was chosen.
    pub chi2_start: f64,
    /// chi2 of the solution, without kernels.
    pub chi2: f64,
    /// Cost of the solution, with kernels.
    pub cost: f64,
    /// Iterations that improved the cost.
    pub iterations: usize,
    /// Connected parts; each keeps one pose where it was.
    pub parts: usize,
    /// Indices of the constraints that do not count at all at the solution.
    pub rejected: Vec<usize>,
}

/// A start with its poses, or how far it led.
struct Found {
    start: Start,
    chi2_start: f64,
    reached: Descended,
}

/// Costs this near each other are the same solution; the first start keeps it.
const SAME_COST: f64 = 1e-9;
/// The same of a first round. Ours: with 1e-3, a start was merged that alone led to the optimum of Manhattan with a hundred
/// false loops.
const SAME_ROUND: f64 = 1e-9;

impl Solver {
    /// Finds the poses that fit the constraints best.
    ///
    /// # Errors
    /// The measurements do not determine the poses, or the graph is too dense.
    pub fn solve(&self, graph: &PlanarGraph) -> Result<Solution, FactorError> {
        let unknowns = Unknowns::new(graph)?;
        let beginnings = self.beginnings(graph, &unknowns)?;
        let found = match self.graduation(graph) {
            Some(Graduation::Truncated) => self.truncated(graph, &unknowns, &beginnings)?,
            Some(Graduation::Widened) => {
                let mut found = self.descents(graph, &unknowns, &beginnings, Penalty::Kernels);
                found.push(self.widened(graph, &unknowns, &beginnings));
                lowest(found)?
            }
            None => lowest(self.descents(graph, &unknowns, &beginnings, Penalty::Kernels))?,
        };
        let Found { start, chi2_start, reached: Descended { poses, cost, iterations } } = found;
        check_determined(graph, &unknowns, &poses)?;
        let (chi2_given, chi2) = (chi2(graph, &graph.poses), chi2(graph, &poses));
        let rejected = rejected(graph, &poses);
        let parts = unknowns.parts;
        Ok(Solution { poses, start, chi2_given, chi2_start, chi2, cost, iterations, parts, rejected })
    }

    const fn patience(&self) -> Patience {
        Patience { max_iterations: self.max_iterations, min_gain: self.min_gain }
    }

    /// How kernels that bend the cost are graduated; none if they are not, or if there is none.
    fn graduation(&self, graph: &PlanarGraph) -> Option<Graduation> {
        let is_truncated = |constraint: &Constraint| matches!(constraint.kernel, Kernel::TruncatedSquare(_));
        let bends = |constraint: &Constraint| constraint.kernel != Kernel::Square;
        if !self.starts.contains(&Start::Graduated) || !graph.constraints.iter().any(bends) {
            return None;
        }
        let is_any_truncated = graph.constraints.iter().any(is_truncated);
        Some(if is_any_truncated { Graduation::Truncated } else { Graduation::Widened })
    }

    /// The poses of each start, that of the lowest cost first. A start that fails is skipped as long as another one works.
    fn beginnings(
        &self,
        graph: &PlanarGraph,
        unknowns: &Unknowns,
    ) -> Result<Vec<(Start, Vec<Pose2>)>, FactorError> {
        let mut begun: Vec<(f64, Start, Vec<Pose2>)> = Vec::new();
        let mut failed = None;
        for &start in self.starts.iter().filter(|start| **start != Start::Graduated) {
            match start::poses(graph, unknowns, start) {
                Ok(poses) => {
                    let cost = Penalty::Kernels.of(graph, &poses);
                    let is_new = begun.iter().all(|(_, _, other)| *other != poses);
                    if cost.is_finite() && is_new {
                        begun.push((cost, start, poses));
                    }
                }
                Err(error) => failed = Some(error),
            }
        }
        begun.sort_by(|(a, ..), (b, ..)| a.total_cmp(b));
        match (begun.is_empty(), failed) {
            (true, Some(error)) => Err(error),
            (true, None) => Ok(vec![(Start::Given, graph.poses.clone())]),
            (false, _) => Ok(begun.into_iter().map(|(_, start, poses)| (start, poses)).collect()),
        }
    }

    /// Where each start leads.
    fn descents(
        &self,
        graph: &PlanarGraph,
        unknowns: &Unknowns,
        beginnings: &[(Start, Vec<Pose2>)],
        penalty: Penalty<'_>,
    ) -> Vec<Result<Found, FactorError>> {
        let descent = |(start, poses): &(Start, Vec<Pose2>)| {
            let reached = descend(graph, unknowns, poses.clone(), penalty, self.patience())?;
            Ok(Found { start: *start, chi2_start: chi2(graph, poses), reached })
        };
        beginnings.iter().map(descent).collect()
    }

    /// From least squares on, the kernels wide at first.
    fn widened(
        &self,
        graph: &PlanarGraph,
        unknowns: &Unknowns,
        beginnings: &[(Start, Vec<Pose2>)],
    ) -> Result<Found, FactorError> {
        let all = vec![1.0; graph.constraints.len()];
        let squares = lowest(self.descents(graph, unknowns, beginnings, Penalty::Weights(&all)))?;
        let chi2_start = squares.reached.cost;
        let reached = graduated::narrowed(graph, unknowns, squares.reached, self.patience())?;
        Ok(Found { start: Start::Graduated, chi2_start, reached })
    }

    /// Least squares where nothing contradicts it, else graduated non-convexity from every start. Starts whose first round
    /// ends at the same cost are one.
    fn truncated(
        &self,
        graph: &PlanarGraph,
        unknowns: &Unknowns,
        beginnings: &[(Start, Vec<Pose2>)],
    ) -> Result<Found, FactorError> {
        let all = vec![1.0; graph.constraints.len()];
        let best = &beginnings[..beginnings.len().min(1)];
        let least = lowest(self.descents(graph, unknowns, best, Penalty::Weights(&all)))?;
        if rejected(graph, &least.reached.poses).is_empty() {
            return Ok(least);
        }
        let relaxed = self.starts.contains(&Start::RotationsFirst);
        let starts = std::iter::once(&least.reached.poses).chain(beginnings.iter().map(|(_, poses)| poses));
        let mut begun: Vec<(f64, Descended)> = Vec::new();
        for poses in starts {
            let first = graduated::first_round(graph, unknowns, poses.clone(), relaxed)?;
            if begun.iter().all(|(_, other)| (first.cost - other.cost).abs() > SAME_ROUND * other.cost) {
                begun.push((chi2(graph, poses), first));
            }
        }
        // Where least squares is bent by false loops, the starts themselves know better which constraints do not fit.
        begun.extend(beginnings.iter().map(|(_, poses)| {
            let cost = chi2(graph, poses);
            (cost, Descended { poses: poses.clone(), cost, iterations: 0 })
        }));
        let found = begun.into_iter().map(|(chi2_start, first)| {
            let reached = graduated::truncated(graph, unknowns, first, relaxed, self.patience())?;
            Ok(Found { start: Start::Graduated, chi2_start, reached })
        });
        lowest(found.collect())
    }
}

/// How kernels are graduated.
enum Graduation {
    /// Their widths shrink to what they are.
    Widened,
    /// Weights of truncated squares become 0 or 1 step by step.
    Truncated,
}

/// The lowest cost; an error only if nothing else was found.
fn lowest(found: Vec<Result<Found, FactorError>>) -> Result<Found, FactorError> {
    let best = found.into_iter().reduce(|best, next| match (best, next) {
        (Ok(best), Ok(next)) => {
            let is_lower = next.reached.cost < best.reached.cost * (1.0 - SAME_COST);
            Ok(if is_lower { next } else { best })
        }
        (best, next) => best.or(next),
    });
    best.unwrap_or(Err(FactorError::NotPositive(0)))
}

/// Constraints that do not count where the poses are.
fn rejected(graph: &PlanarGraph, poses: &[Pose2]) -> Vec<usize> {
    let is_rejected = |constraint: &Constraint| match constraint.kernel {
        Kernel::TruncatedSquare(k) => constraint.chi2(constraint.error(poses)) > k * k,
        _ => false,
    };
    (0..graph.constraints.len()).filter(|&index| is_rejected(&graph.constraints[index])).collect()
}

/// Sum of the squared Mahalanobis lengths of all errors.
pub fn chi2(graph: &PlanarGraph, poses: &[Pose2]) -> f64 {
    graph.constraints.iter().map(|constraint| constraint.chi2(constraint.error(poses))).sum()
}

#[cfg(test)]
mod tests;

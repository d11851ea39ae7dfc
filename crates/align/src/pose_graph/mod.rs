//! Planar pose graphs: the poses that fit measured displacements best.
//!
//! ```text
//! chi2 = Σ e' Ω e,   e = inverse(measured) (+) (inverse(from) (+) to)
//! ```
//!
//! Gauss-Newton, with Levenberg's damping where a step does not help, on a sparse Cholesky factor of 3 x 3 blocks.
//! The start is the best of what is given, the chain of measurements, and rotations first.

mod block_cholesky;
mod constraint;
mod graph;
mod kernel;
mod ordering;
mod start;
mod unknowns;

use model::{Pose2, wrap};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use block_cholesky::FactorError;
use block_cholesky::{BlockMatrix, Factor};
pub use constraint::Constraint;
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
}

/// Parameters of the solver.
#[derive(Clone, Debug, PartialEq)]
pub struct Solver {
    /// Starts to choose from; the one with the least cost is taken. Default: all three (ours: none of them is best on
    /// all public graphs).
    pub starts: Vec<Start>,
    /// Max number of iterations. Default 100, ours; public graphs need 4 to 15.
    pub max_iterations: usize,
    /// It ends when the cost falls by less than this ratio. Default 1e-9, ours.
    pub min_gain: f64,
}

impl Default for Solver {
    fn default() -> Self {
        let starts = vec![Start::Given, Start::Chain, Start::RotationsFirst];
        Self { starts, max_iterations: 100, min_gain: 1e-9 }
    }
}

/// What the solver did.
#[derive(Clone, Debug, PartialEq)]
pub struct Solution {
    /// The poses that fit best.
    pub poses: Vec<Pose2>,
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
}

/// Damping that a first failed step begins with, and below which it ends again.
const MIN_DAMPING: f64 = 1e-6;
/// Damping above which no step is worth trying.
const MAX_DAMPING: f64 = 1e9;

impl Solver {
    /// Finds the poses that fit the constraints best.
    ///
    /// # Errors
    /// The measurements do not determine the poses, or the graph is too dense.
    pub fn solve(&self, graph: &PlanarGraph) -> Result<Solution, FactorError> {
        let unknowns = Unknowns::new(graph)?;
        let (start, mut poses) = self.best_start(graph, &unknowns)?;
        let chi2_start = chi2(graph, &poses);
        let mut cost = cost_of(graph, &poses);
        let (mut damping, mut iterations) = (0.0, 0);
        while iterations < self.max_iterations {
            let Some(step) = improve(graph, &unknowns, &poses, cost, &mut damping)? else { break };
            let gain = cost - step.cost;
            (poses, cost) = (step.poses, step.cost);
            iterations += usize::from(gain > 0.0);
            if gain <= self.min_gain * cost {
                break;
            }
        }
        // Damping lowers the cost also where nothing is measured; without it such a graph has no factor.
        Factor::new(&unknowns.pattern, &normal_equations(graph, &unknowns, &poses).0)?;
        let (chi2_given, chi2) = (chi2(graph, &graph.poses), chi2(graph, &poses));
        Ok(Solution { poses, start, chi2_given, chi2_start, chi2, cost, iterations, parts: unknowns.parts })
    }

    /// The start with the least cost. A start that fails is skipped as long as another one works.
    fn best_start(
        &self,
        graph: &PlanarGraph,
        unknowns: &Unknowns,
    ) -> Result<(Start, Vec<Pose2>), FactorError> {
        let mut best: Option<(f64, Start, Vec<Pose2>)> = None;
        let mut failed = None;
        for &start in &self.starts {
            match start::poses(graph, unknowns, start) {
                Ok(poses) => {
                    let cost = cost_of(graph, &poses);
                    if cost.is_finite() && best.as_ref().is_none_or(|(least, ..)| cost < *least) {
                        best = Some((cost, start, poses));
                    }
                }
                Err(error) => failed = Some(error),
            }
        }
        match (best, failed) {
            (Some((_, start, poses)), _) => Ok((start, poses)),
            (None, Some(error)) => Err(error),
            (None, None) => Ok((Start::Given, graph.poses.clone())),
        }
    }
}

/// Sum of the squared Mahalanobis lengths of all errors.
pub fn chi2(graph: &PlanarGraph, poses: &[Pose2]) -> f64 {
    graph.constraints.iter().map(|constraint| constraint.chi2(constraint.error(poses))).sum()
}

fn cost_of(graph: &PlanarGraph, poses: &[Pose2]) -> f64 {
    let cost = |constraint: &Constraint| constraint.kernel.cost(constraint.chi2(constraint.error(poses)));
    graph.constraints.iter().map(cost).sum()
}

struct Step {
    poses: Vec<Pose2>,
    cost: f64,
}

/// A step that lowers the cost; none if there is no such step.
fn improve(
    graph: &PlanarGraph,
    unknowns: &Unknowns,
    poses: &[Pose2],
    cost: f64,
    damping: &mut f64,
) -> Result<Option<Step>, FactorError> {
    let (matrix, right) = normal_equations(graph, unknowns, poses);
    loop {
        let step =
            Factor::new(&unknowns.pattern, &damped(&matrix, *damping)).map(|factor| factor.solve(&right));
        let moved = step.as_ref().ok().map(|step| moved(poses, unknowns, step));
        if let Some(poses) = moved {
            let next = cost_of(graph, &poses);
            if next <= cost {
                *damping = if *damping > MIN_DAMPING { *damping / 10.0 } else { 0.0 };
                return Ok(Some(Step { poses, cost: next }));
            }
        }
        if *damping > MAX_DAMPING {
            return step.map(|_| None);
        }
        *damping = (*damping * 10.0).max(MIN_DAMPING);
    }
}

fn moved(poses: &[Pose2], unknowns: &Unknowns, step: &[[f64; 3]]) -> Vec<Pose2> {
    let mut moved = poses.to_vec();
    for (node, [dx, dy, yaw]) in step.iter().enumerate() {
        let pose = &mut moved[unknowns.pose_of(node)];
        *pose = Pose2::new(pose.x_m + dx, pose.y_m + dy, wrap(pose.theta_rad + yaw));
    }
    moved
}

/// H = Σ w J' Ω J and -Σ w J' Ω e.
fn normal_equations(
    graph: &PlanarGraph,
    unknowns: &Unknowns,
    poses: &[Pose2],
) -> (BlockMatrix<3>, Vec<[f64; 3]>) {
    let mut matrix = BlockMatrix::zeros(&unknowns.pattern);
    let mut right = vec![[0.0; 3]; unknowns.len()];
    for (index, constraint) in graph.constraints.iter().enumerate() {
        let linearised = constraint.linearised(poses);
        let weight = constraint.kernel.weight(constraint.chi2(linearised.error));
        let omega = constraint.information.map(|row| row.map(|v| v * weight));
        let weighted = |derivative: &[[f64; 3]; 3]| product(&omega, derivative);
        let (by_from, by_to) = (weighted(&linearised.by_from), weighted(&linearised.by_to));
        for (end, derivative, weighted) in
            [(constraint.from, &linearised.by_from, &by_from), (constraint.to, &linearised.by_to, &by_to)]
        {
            let Some(node) = unknowns.node_of(end) else { continue };
            add_transposed_product(&mut matrix.diagonal[node], derivative, weighted);
            for i in 0..3 {
                right[node][i] -= (0..3).map(|k| weighted[k][i] * linearised.error[k]).sum::<f64>();
            }
        }
        match unknowns.pair_of(index) {
            Some((pair, false)) => {
                add_transposed_product(&mut matrix.pairs[pair], &linearised.by_from, &by_to);
            }
            Some((pair, true)) => {
                add_transposed_product(&mut matrix.pairs[pair], &linearised.by_to, &by_from);
            }
            None => {}
        }
    }
    (matrix, right)
}

fn product(a: &[[f64; 3]; 3], b: &[[f64; 3]; 3]) -> [[f64; 3]; 3] {
    std::array::from_fn(|i| {
        std::array::from_fn(|j| a[i][0] * b[0][j] + a[i][1] * b[1][j] + a[i][2] * b[2][j])
    })
}

/// target += a' b
fn add_transposed_product(target: &mut [[f64; 3]; 3], a: &[[f64; 3]; 3], b: &[[f64; 3]; 3]) {
    for i in 0..3 {
        for j in 0..3 {
            target[i][j] += a[0][i] * b[0][j] + a[1][i] * b[1][j] + a[2][i] * b[2][j];
        }
    }
}

/// The matrix with its diagonal raised by a ratio (Marquardt).
fn damped(matrix: &BlockMatrix<3>, ratio: f64) -> BlockMatrix<3> {
    let mut damped = BlockMatrix { diagonal: matrix.diagonal.clone(), pairs: matrix.pairs.clone() };
    if ratio > 0.0 {
        for block in &mut damped.diagonal {
            (0..3).for_each(|i| block[i][i] += ratio * block[i][i].max(f64::MIN_POSITIVE));
        }
    }
    damped
}

#[cfg(test)]
mod tests;

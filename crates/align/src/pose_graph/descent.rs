//! Gauss-Newton with Levenberg's damping where a step does not help, under any weighting of the constraints.

use model::{Pose2, wrap};

use super::block_cholesky::{BlockMatrix, Factor, FactorError};
use super::unknowns::Unknowns;
use super::{Constraint, PlanarGraph};

/// Damping that a first failed step begins with, and below which it ends again.
const MIN_DAMPING: f64 = 1e-6;
/// Damping above which no step is worth trying.
const MAX_DAMPING: f64 = 1e9;

/// How the squared Mahalanobis errors of the constraints become a cost.
#[derive(Clone, Copy)]
pub(super) enum Penalty<'a> {
    /// Each by its kernel.
    Kernels,
    /// Each by its kernel, as many times as wide.
    Widened(f64),
    /// Each times its weight, without kernels.
    Weights(&'a [f64]),
}

impl Penalty<'_> {
    fn cost(self, index: usize, constraint: &Constraint, chi2: f64) -> f64 {
        match self {
            Self::Kernels => constraint.kernel.cost(chi2),
            Self::Widened(factor) => constraint.kernel.widened(factor).cost(chi2),
            Self::Weights(weights) => weights[index] * chi2,
        }
    }

    fn weight(self, index: usize, constraint: &Constraint, chi2: f64) -> f64 {
        match self {
            Self::Kernels => constraint.kernel.weight(chi2),
            Self::Widened(factor) => constraint.kernel.widened(factor).weight(chi2),
            Self::Weights(weights) => weights[index],
        }
    }

    pub(super) fn of(self, graph: &PlanarGraph, poses: &[Pose2]) -> f64 {
        let cost = |(index, constraint): (usize, &Constraint)| {
            self.cost(index, constraint, constraint.chi2(constraint.error(poses)))
        };
        graph.constraints.iter().enumerate().map(cost).sum()
    }
}

/// Poses after so many steps that lowered the cost.
#[derive(Clone, Debug)]
pub(super) struct Descended {
    pub poses: Vec<Pose2>,
    pub cost: f64,
    pub iterations: usize,
}

/// When a descent ends.
#[derive(Clone, Copy)]
pub(super) struct Patience {
    pub max_iterations: usize,
    /// It ends when the cost falls by less than this ratio.
    pub min_gain: f64,
}

/// Follows the cost downhill from `poses`.
///
/// # Errors
/// The weighted constraints do not determine the poses.
pub(super) fn descend(
    graph: &PlanarGraph,
    unknowns: &Unknowns,
    mut poses: Vec<Pose2>,
    penalty: Penalty<'_>,
    patience: Patience,
) -> Result<Descended, FactorError> {
    let mut cost = penalty.of(graph, &poses);
    let (mut damping, mut iterations) = (0.0, 0);
    while iterations < patience.max_iterations {
        let at = (poses.as_slice(), cost);
        let Some(step) = improve(graph, unknowns, at, penalty, &mut damping)? else { break };
        let gain = cost - step.cost;
        (poses, cost) = (step.poses, step.cost);
        iterations += usize::from(gain > 0.0);
        if gain <= patience.min_gain * cost {
            break;
        }
    }
    Ok(Descended { poses, cost, iterations })
}

/// Whether the constraints determine every pose. Damping lowers the cost also where nothing is measured; without it such
/// a graph has no factor.
pub(super) fn check_determined(
    graph: &PlanarGraph,
    unknowns: &Unknowns,
    poses: &[Pose2],
) -> Result<(), FactorError> {
    let all = vec![1.0; graph.constraints.len()];
    let (matrix, _) = normal_equations(graph, unknowns, poses, Penalty::Weights(&all));
    Factor::new(&unknowns.pattern, &matrix).map(|_| ())
}

struct Step {
    poses: Vec<Pose2>,
    cost: f64,
}

/// A step that lowers the cost; none if there is no such step.
fn improve(
    graph: &PlanarGraph,
    unknowns: &Unknowns,
    (poses, cost): (&[Pose2], f64),
    penalty: Penalty<'_>,
    damping: &mut f64,
) -> Result<Option<Step>, FactorError> {
    let (matrix, right) = normal_equations(graph, unknowns, poses, penalty);
    loop {
        let step =
            Factor::new(&unknowns.pattern, &damped(&matrix, *damping)).map(|factor| factor.solve(&right));
        let moved = step.as_ref().ok().map(|step| moved(poses, unknowns, step));
        if let Some(poses) = moved {
            let next = penalty.of(graph, &poses);
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
    penalty: Penalty<'_>,
) -> (BlockMatrix<3>, Vec<[f64; 3]>) {
    let mut matrix = BlockMatrix::zeros(&unknowns.pattern);
    let mut right = vec![[0.0; 3]; unknowns.len()];
    for (index, constraint) in graph.constraints.iter().enumerate() {
        let linearised = constraint.linearised(poses);
        let weight = penalty.weight(index, constraint, constraint.chi2(linearised.error));
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

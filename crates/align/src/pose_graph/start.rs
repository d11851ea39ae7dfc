//! Where the solver begins. Least squares over headings has many local minima, so the start decides.
//!
//! Rotations first: the headings alone, relaxed to vectors of any length, are a linear problem; with the headings
//! fixed, the positions are one too. Paper: Carlone, Tron, Daniilidis, Dellaert 2015, "Initialization techniques for
//! 3D SLAM", section III-B (chordal relaxation), in the plane.

use model::Pose2;
use raster::disjoint_sets::DisjointSets;

use super::block_cholesky::{BlockMatrix, Factor, FactorError};
use super::unknowns::Unknowns;
use super::{PlanarGraph, Start};

/// Below this length a relaxed heading points nowhere.
const MIN_HEADING: f64 = 1e-6;

/// Poses to begin with. None where the start does not exist for this graph.
pub(super) fn poses(
    graph: &PlanarGraph,
    unknowns: &Unknowns,
    start: Start,
) -> Result<Vec<Pose2>, FactorError> {
    match start {
        Start::Given | Start::Graduated => Ok(graph.poses.clone()),
        Start::Chain => Ok(chain(graph, unknowns)),
        Start::RotationsFirst => {
            let all = vec![1.0; graph.constraints.len()];
            rotations_first(graph, unknowns, chain(graph, unknowns), &all)
        }
    }
}

/// Poses along a spanning tree: measurements between neighbours in the order of the poses first, then the others.
fn chain(graph: &PlanarGraph, unknowns: &Unknowns) -> Vec<Pose2> {
    let tree = spanning_tree(graph);
    let mut neighbours = vec![Vec::new(); graph.poses.len()];
    for &index in &tree {
        let constraint = &graph.constraints[index];
        neighbours[constraint.from].push((constraint.to, constraint.from_from_to));
        neighbours[constraint.to].push((constraint.from, constraint.from_from_to.inverse()));
    }
    let mut poses = graph.poses.clone();
    let mut is_placed = vec![false; poses.len()];
    let mut queue: std::collections::VecDeque<usize> = unknowns.anchors().collect();
    queue.iter().for_each(|&anchor| is_placed[anchor] = true);
    while let Some(at) = queue.pop_front() {
        for &(next, at_from_next) in &neighbours[at] {
            if !std::mem::replace(&mut is_placed[next], true) {
                poses[next] = poses[at] * at_from_next;
                queue.push_back(next);
            }
        }
    }
    poses
}

/// Constraints that join all poses of a part without a cycle (Kruskal).
fn spanning_tree(graph: &PlanarGraph) -> Vec<usize> {
    let mut joined = DisjointSets::new(graph.poses.len());
    let mut order: Vec<usize> = (0..graph.constraints.len()).collect();
    let is_jump = |c: &usize| graph.constraints[*c].from.abs_diff(graph.constraints[*c].to) != 1;
    order.sort_by_key(is_jump);
    order.retain(|&index| {
        let constraint = &graph.constraints[index];
        joined.join(constraint.from as u32, constraint.to as u32)
    });
    order
}

/// Headings, then positions, each constraint as often as its weight says; fixed poses are those of `poses`.
pub(super) fn rotations_first(
    graph: &PlanarGraph,
    unknowns: &Unknowns,
    mut poses: Vec<Pose2>,
    weights: &[f64],
) -> Result<Vec<Pose2>, FactorError> {
    set_headings(graph, unknowns, &mut poses, weights)?;
    set_positions(graph, unknowns, &mut poses, weights)?;
    Ok(poses)
}

/// min Σ w |r_to - R(measured) r_from|² over vectors r; their directions are the headings.
fn set_headings(
    graph: &PlanarGraph,
    unknowns: &Unknowns,
    poses: &mut [Pose2],
    weights: &[f64],
) -> Result<(), FactorError> {
    let mut matrix = BlockMatrix::<2>::zeros(&unknowns.pattern);
    let mut right = vec![[0.0; 2]; unknowns.len()];
    for (index, constraint) in graph.constraints.iter().enumerate() {
        let weight = weights[index] * constraint.information[2][2];
        let (sin, cos) = constraint.from_from_to.theta_rad.sin_cos();
        let turn = [[cos, -sin], [sin, cos]];
        let vector = |pose: Pose2| [pose.theta_rad.cos(), pose.theta_rad.sin()];
        let ends =
            [(constraint.from, turn.map(|row| row.map(|v| -v))), (constraint.to, [[1.0, 0.0], [0.0, 1.0]])];
        add(unknowns, index, ends, [[weight, 0.0], [0.0, weight]], &mut matrix, &mut right, |end| {
            vector(poses[end])
        });
    }
    let vectors = Factor::new(&unknowns.pattern, &matrix)?.solve(&right);
    for (node, vector) in vectors.into_iter().enumerate() {
        if vector[0].hypot(vector[1]) > MIN_HEADING {
            poses[unknowns.pose_of(node)].theta_rad = vector[1].atan2(vector[0]);
        }
    }
    Ok(())
}

/// The positions that fit the measurements best if the headings are right.
fn set_positions(
    graph: &PlanarGraph,
    unknowns: &Unknowns,
    poses: &mut [Pose2],
    weights: &[f64],
) -> Result<(), FactorError> {
    let mut matrix = BlockMatrix::<2>::zeros(&unknowns.pattern);
    let mut right = vec![[0.0; 2]; unknowns.len()];
    for (index, constraint) in graph.constraints.iter().enumerate() {
        let measured = constraint.from_from_to;
        let (sin, cos) = (poses[constraint.from].theta_rad + measured.theta_rad).sin_cos();
        let back = [[cos, sin], [-sin, cos]];
        let omega = constraint.information.map(|row| row.map(|v| v * weights[index]));
        let weight = [[omega[0][0], omega[0][1]], [omega[1][0], omega[1][1]]];
        let ends = [(constraint.from, back.map(|row| row.map(|v| -v))), (constraint.to, back)];
        add(unknowns, index, ends, weight, &mut matrix, &mut right, |end| [poses[end].x_m, poses[end].y_m]);
        // The constant of the error: R(-theta_z) t_z.
        let (sin, cos) = measured.theta_rad.sin_cos();
        let target = [cos * measured.x_m + sin * measured.y_m, cos * measured.y_m - sin * measured.x_m];
        let weighted = apply(weight, target);
        for (end, derivative) in ends {
            if let Some(node) = unknowns.node_of(end) {
                (0..2).for_each(|c| {
                    right[node][c] += (0..2).map(|r| derivative[r][c] * weighted[r]).sum::<f64>();
                });
            }
        }
    }
    for (node, [x_m, y_m]) in Factor::new(&unknowns.pattern, &matrix)?.solve(&right).into_iter().enumerate() {
        let pose = &mut poses[unknowns.pose_of(node)];
        (pose.x_m, pose.y_m) = (x_m, y_m);
    }
    Ok(())
}

fn apply(matrix: [[f64; 2]; 2], vector: [f64; 2]) -> [f64; 2] {
    matrix.map(|row| row[0] * vector[0] + row[1] * vector[1])
}

/// Adds the linear error Σ derivative_end x_end with a weight to the normal equations; what is fixed goes to the right.
fn add(
    unknowns: &Unknowns,
    constraint: usize,
    ends: [(usize, [[f64; 2]; 2]); 2],
    weight: [[f64; 2]; 2],
    matrix: &mut BlockMatrix<2>,
    right: &mut [[f64; 2]],
    known: impl Fn(usize) -> [f64; 2],
) {
    let product = |a: &[[f64; 2]; 2], b: &[[f64; 2]; 2]| -> [[f64; 2]; 2] {
        let weighted: [[f64; 2]; 2] =
            std::array::from_fn(|i| std::array::from_fn(|j| (0..2).map(|k| weight[i][k] * b[k][j]).sum()));
        std::array::from_fn(|i| std::array::from_fn(|j| (0..2).map(|k| a[k][i] * weighted[k][j]).sum()))
    };
    let nodes = ends.map(|(end, _)| unknowns.node_of(end));
    for (at, (_, derivative)) in ends.iter().enumerate() {
        let Some(node) = nodes[at] else { continue };
        add_block(&mut matrix.diagonal[node], &product(derivative, derivative));
        let (other, other_derivative) = &ends[1 - at];
        if nodes[1 - at].is_none() {
            let moved = apply(product(derivative, other_derivative), known(*other));
            (0..2).for_each(|i| right[node][i] -= moved[i]);
        }
    }
    if let Some((pair, is_turned)) = unknowns.pair_of(constraint) {
        let (a, b) = if is_turned { (&ends[1].1, &ends[0].1) } else { (&ends[0].1, &ends[1].1) };
        add_block(&mut matrix.pairs[pair], &product(a, b));
    }
}

fn add_block<const N: usize>(target: &mut [[f64; N]; N], block: &[[f64; N]; N]) {
    target.iter_mut().flatten().zip(block.iter().flatten()).for_each(|(t, b)| *t += b);
}

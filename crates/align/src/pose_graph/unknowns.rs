//! Which poses may move, and where they and their constraints stand in the system of equations.

use std::collections::BTreeMap;

use super::PlanarGraph;
use super::block_cholesky::{FactorError, Pattern};
use super::start::root;

/// The free poses of a graph as nodes of a linear system.
pub(super) struct Unknowns {
    /// Node of each pose; none if it is fixed.
    nodes: Vec<Option<u32>>,
    /// Pose of each node.
    poses: Vec<u32>,
    /// For each constraint between two free poses: its pair, and whether the pair is (to, from).
    pairs: Vec<Option<(u32, bool)>>,
    /// Connected parts.
    pub parts: usize,
    /// The pattern of the system.
    pub pattern: Pattern,
}

impl Unknowns {
    pub fn new(graph: &PlanarGraph) -> Result<Self, FactorError> {
        let (is_fixed, parts) = anchored(graph);
        let mut nodes = vec![None; graph.poses.len()];
        let mut poses = Vec::new();
        for (pose, node) in nodes.iter_mut().enumerate().filter(|(pose, _)| !is_fixed[*pose]) {
            *node = Some(poses.len() as u32);
            poses.push(pose as u32);
        }
        let mut places: BTreeMap<(u32, u32), u32> = BTreeMap::new();
        let mut listed = Vec::new();
        let mut pair = |from: u32, to: u32| {
            let key = (from.min(to), from.max(to));
            let place = *places.entry(key).or_insert_with(|| {
                listed.push(key);
                listed.len() as u32 - 1
            });
            (place, to < from)
        };
        let pairs = graph.constraints.iter().map(|constraint| {
            let (from, to) = (nodes[constraint.from]?, nodes[constraint.to]?);
            (from != to).then(|| pair(from, to))
        });
        let pairs = pairs.collect();
        let pattern = Pattern::new(poses.len(), &listed)?;
        Ok(Self { nodes, poses, pairs, parts, pattern })
    }

    pub fn len(&self) -> usize {
        self.poses.len()
    }

    /// The node of a pose; none if it is fixed.
    pub fn node_of(&self, pose: usize) -> Option<usize> {
        self.nodes[pose].map(|node| node as usize)
    }

    pub fn pose_of(&self, node: usize) -> usize {
        self.poses[node] as usize
    }

    /// The pair of a constraint, and whether its block is that of (to, from).
    pub fn pair_of(&self, constraint: usize) -> Option<(usize, bool)> {
        self.pairs[constraint].map(|(pair, is_turned)| (pair as usize, is_turned))
    }

    /// The fixed poses.
    pub fn anchors(&self) -> impl Iterator<Item = usize> + '_ {
        self.nodes.iter().enumerate().filter(|(_, node)| node.is_none()).map(|(pose, _)| pose)
    }
}

/// Which poses are fixed: those of the graph, and the first of each connected part without one. And the parts.
fn anchored(graph: &PlanarGraph) -> (Vec<bool>, usize) {
    let mut group: Vec<usize> = (0..graph.poses.len()).collect();
    for constraint in &graph.constraints {
        let (a, b) = (root(&mut group, constraint.from), root(&mut group, constraint.to));
        group[a.max(b)] = a.min(b);
    }
    let mut is_fixed = vec![false; group.len()];
    graph.fixed.iter().for_each(|&pose| is_fixed[pose] = true);
    let roots: Vec<usize> = (0..group.len()).map(|pose| root(&mut group, pose)).collect();
    let mut has_anchor = vec![false; group.len()];
    (0..group.len()).filter(|&pose| is_fixed[pose]).for_each(|pose| has_anchor[roots[pose]] = true);
    let mut parts = 0;
    for pose in 0..group.len() {
        if roots[pose] == pose {
            parts += 1;
            is_fixed[pose] |= !has_anchor[pose];
        }
    }
    (is_fixed, parts)
}

//! Which poses may move, and where they and their constraints stand in the system of equations.

use std::collections::BTreeMap;

use raster::disjoint_sets::DisjointSets;

use super::PlanarGraph;
use super::block_cholesky::{FactorError, Pattern};

/// The free poses of a graph as nodes of a linear system.
pub(super) struct Unknowns {
    /// Node of each pose; none if it is fixed.
    nodes: Vec<Option<u32>>,
    /// Pose of each node.
    poses: Vec<u32>,
    /// For each constraint between two free poses: its pair, and whether the pair is (to, from).
    pairs: Vec<Option<(u32, bool)>>,
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

    pub fn anchors(&self) -> impl Iterator<Item = usize> + '_ {
        self.nodes.iter().enumerate().filter(|(_, node)| node.is_none()).map(|(pose, _)| pose)
    }
}

/// Which poses are fixed: those of the graph, and the first of each connected part without one. And the parts.
fn anchored(graph: &PlanarGraph) -> (Vec<bool>, usize) {
    let mut parts = DisjointSets::new(graph.poses.len());
    for constraint in &graph.constraints {
        parts.join(constraint.from as u32, constraint.to as u32);
    }
    let roots = parts.roots();
    let mut is_fixed = vec![false; roots.len()];
    graph.fixed.iter().for_each(|&pose| is_fixed[pose] = true);
    let mut has_anchor = vec![false; roots.len()];
    (0..roots.len()).filter(|&pose| is_fixed[pose]).for_each(|pose| has_anchor[roots[pose]] = true);
    let firsts = (0..roots.len()).filter(|&pose| roots[pose] == pose);
    let parts = firsts.map(|pose| is_fixed[pose] |= !has_anchor[pose]).count();
    (is_fixed, parts)
}

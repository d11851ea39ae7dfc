//! Pruning: dead ends that are shorter than what they branch off from are noise of the outline.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::{Edge, Node, SkeletonGraph};

impl SkeletonGraph {
    /// Removes, shortest first, the edges with one loose end whose length in cells is below the limit of
    /// their junction; then nodes with two edges are merged into the line through them.
    ///
    /// Spec: V-GRAPH, step 6. Components and cycles stay.
    #[must_use]
    pub fn pruned(self, shortest_cells: impl Fn(Node) -> f64) -> Self {
        let node_count = self.nodes.len();
        let mut pruning = Pruning {
            edges_of: self.edges_of_nodes(),
            width: self.width,
            nodes: self.nodes,
            edges: self.edges.into_iter().map(Some).collect(),
            gone: vec![false; node_count],
        };
        pruning.remove_short_ends(shortest_cells);
        pruning.merge_lines();
        pruning.finished()
    }
}

struct Pruning {
    width: usize,
    nodes: Vec<Node>,
    /// None where an edge is gone.
    edges: Vec<Option<Edge>>,
    /// Indices of the edges that end at each node.
    edges_of: Vec<Vec<usize>>,
    /// Nodes that were cut off or merged.
    gone: Vec<bool>,
}

impl Pruning {
    /// The loose end and the junction of an edge, if exactly one of its nodes has no other edge.
    fn loose_end(&self, edge: usize) -> Option<(usize, usize)> {
        let Edge { a, b, .. } = *self.edges[edge].as_ref()?;
        match (self.edges_of[a].len(), self.edges_of[b].len()) {
            (1, 2..) => Some((a, b)),
            (2.., 1) => Some((b, a)),
            _ => None,
        }
    }

    fn remove_short_ends(&mut self, shortest_cells: impl Fn(Node) -> f64) {
        // Lengths are not negative, so their bits have the order of the numbers.
        let length = |edge: &Edge| edge.steps.length_cells();
        let key = |pruning: &Self, edge: usize| {
            pruning.edges[edge].as_ref().map(|e| Reverse((length(e).to_bits(), edge)))
        };
        let loose = (0..self.edges.len()).filter(|&edge| self.loose_end(edge).is_some());
        let mut queue: BinaryHeap<_> = loose.filter_map(|edge| key(self, edge)).collect();
        while let Some(Reverse((bits, edge))) = queue.pop() {
            let Some((end, junction)) = self.loose_end(edge) else { continue };
            if f64::from_bits(bits) >= shortest_cells(self.nodes[junction]) {
                continue;
            }
            self.edges[edge] = None;
            self.edges_of[end].clear();
            self.edges_of[junction].retain(|&other| other != edge);
            self.gone[end] = true;
            if let [last] = self.edges_of[junction][..] {
                queue.extend(key(self, last));
            }
        }
    }

    /// Joins the two edges of each node that has just two, unless both lead to the same node.
    fn merge_lines(&mut self) {
        for node in 0..self.nodes.len() {
            let [one, other] = self.edges_of[node][..] else { continue };
            let (Some(before), Some(after)) = (self.edges[one].take(), self.edges[other].take()) else {
                continue;
            };
            let (before, after) = (ending_at(before, node), starting_at(after, node));
            let (a, b) = (before.a, after.b);
            if a == b {
                (self.edges[one], self.edges[other]) = (Some(before), Some(after));
                continue;
            }
            let mut cells = before.cells;
            cells.extend(&after.cells[1..]);
            self.edges[one] = Some(Edge { a, b, cells, steps: before.steps + after.steps });
            self.edges_of[node].clear();
            self.gone[node] = true;
            self.edges_of[b].iter_mut().filter(|edge| **edge == other).for_each(|edge| *edge = one);
        }
    }

    /// The graph of what is left.
    fn finished(self) -> SkeletonGraph {
        let mut number = vec![0; self.nodes.len()];
        let mut nodes = Vec::new();
        for (index, &node) in self.nodes.iter().enumerate().filter(|(index, _)| !self.gone[*index]) {
            number[index] = nodes.len();
            nodes.push(node);
        }
        let renumbered = |edge: Edge| Edge { a: number[edge.a], b: number[edge.b], ..edge };
        let edges = self.edges.into_iter().flatten().map(renumbered).collect();
        SkeletonGraph { width: self.width, nodes, edges }.in_order()
    }
}

fn ending_at(edge: Edge, node: usize) -> Edge {
    if edge.b == node { edge } else { reversed(edge) }
}

fn starting_at(edge: Edge, node: usize) -> Edge {
    if edge.a == node { edge } else { reversed(edge) }
}

fn reversed(mut edge: Edge) -> Edge {
    edge.cells.reverse();
    Edge { a: edge.b, b: edge.a, ..edge }
}

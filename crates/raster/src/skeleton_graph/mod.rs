//! The graph of a skeleton: junctions and ends become nodes, the lines between them edges.
//!
//! Cells are adjacent if they share an edge, or if they share a corner and neither cell beside that corner
//! belongs to the skeleton. Nodes are connected groups of cells with three or more adjacent ones, ends, and
//! isolated cells; edges are the chains of cells with two adjacent ones between them. A ring without a node
//! is cut at its first cell and at the one halfway round, an edge from a node to itself at its middle, so
//! no edge has equal ends.
//!
//! Spec: V-GRAPH, steps 4 to 6. Only skeleton cells are visited more than once.

mod chains;
mod links;
mod nodes;
mod pruning;

use crate::Steps;
use crate::disjoint_sets::DisjointSets;
use chains::traced;
use links::Links;
use nodes::NodeCells;

/// Places and the lines between them, over the cells of a plane in image order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SkeletonGraph {
    /// Columns of the plane.
    pub width: usize,
    /// In the order of their cells.
    pub nodes: Vec<Node>,
    /// In the order of their ends; several may have the same ends.
    pub edges: Vec<Edge>,
}

/// A place: a junction, an end, an isolated cell, or a cut through a ring.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node {
    /// The cell that stands for it: of a junction's cells the one nearest to their mean.
    pub cell: u32,
}

/// A line between two places.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge {
    /// Index of the node where it starts; smaller than `b`.
    pub a: usize,
    /// Index of the node where it ends.
    pub b: usize,
    /// Cells from node to node, both included.
    pub cells: Vec<u32>,
    /// Steps along the cells.
    pub steps: Steps,
}

/// The graph of the cells that are not 0, which should be a skeleton; nothing is pruned.
///
/// # Panics
/// The skeleton does not have `width * height` cells.
pub fn skeleton_graph(skeleton: &[u8], width: usize, height: usize) -> SkeletonGraph {
    let links = Links::between(skeleton, width, height);
    let nodes = NodeCells::of(&links, width);
    traced(&links, nodes, width)
}

impl SkeletonGraph {
    /// Number of edges that end at each node.
    pub fn degrees(&self) -> Vec<usize> {
        let mut degrees = vec![0; self.nodes.len()];
        for edge in &self.edges {
            degrees[edge.a] += 1;
            degrees[edge.b] += 1;
        }
        degrees
    }

    /// For each node the indices of its edges, in their order.
    pub fn edges_of_nodes(&self) -> Vec<Vec<usize>> {
        let mut edges_of = vec![Vec::new(); self.nodes.len()];
        for (index, edge) in self.edges.iter().enumerate() {
            edges_of[edge.a].push(index);
            edges_of[edge.b].push(index);
        }
        edges_of
    }

    /// For each node the smallest index of a node it is connected with.
    pub fn parts(&self) -> Vec<usize> {
        let mut parts = DisjointSets::new(self.nodes.len());
        for edge in &self.edges {
            parts.join(edge.a as u32, edge.b as u32);
        }
        parts.roots()
    }

    /// Number of connected parts.
    pub fn components(&self) -> usize {
        self.parts().iter().enumerate().filter(|(node, part)| node == *part).count()
    }

    /// Number of independent cycles: edges - nodes + components.
    pub fn cycles(&self) -> usize {
        self.edges.len() + self.components() - self.nodes.len()
    }

    /// Sorts nodes by cell and edges by their ends, so that ids do not depend on how the graph came about.
    fn in_order(mut self) -> Self {
        let mut order: Vec<usize> = (0..self.nodes.len()).collect();
        order.sort_by_key(|&node| self.nodes[node].cell);
        let mut rank = vec![0; order.len()];
        order.iter().enumerate().for_each(|(new, &old)| rank[old] = new);
        self.nodes = order.iter().map(|&old| self.nodes[old]).collect();
        for edge in &mut self.edges {
            (edge.a, edge.b) = (rank[edge.a], rank[edge.b]);
            if edge.a > edge.b {
                std::mem::swap(&mut edge.a, &mut edge.b);
                edge.cells.reverse();
            }
        }
        self.edges.sort_by(|x, y| (x.a, x.b, &x.cells).cmp(&(y.a, y.b, &y.cells)));
        self
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::components::{Connectivity, label};
    use crate::thinning::zhang_suen;

    fn drawn(rows: &[&str]) -> SkeletonGraph {
        let cells: Vec<u8> = rows.concat().bytes().map(|letter| u8::from(letter == b'.')).collect();
        skeleton_graph(&cells, rows[0].len(), rows.len())
    }

    fn size(graph: &SkeletonGraph) -> [usize; 4] {
        [graph.nodes.len(), graph.edges.len(), graph.components(), graph.cycles()]
    }

    #[test]
    fn a_plus_has_four_arms() {
        let graph = drawn(&["##.##", "##.##", ".....", "##.##", "##.##"]);
        assert_eq!(size(&graph), [5, 4, 1, 0]);
        assert_eq!(graph.degrees(), [1, 1, 4, 1, 1]);
        assert_eq!(graph.edges[0].cells, [2, 7, 12]);
        assert_eq!(graph.edges[0].steps, Steps { straight: 2, diagonal: 0 });
    }

    #[test]
    fn a_ring_is_cut_at_its_first_cell_and_half_way_round() {
        let graph = drawn(&["##...##", "#.###.#", "##...##"]);
        assert_eq!(size(&graph), [2, 2, 1, 1]);
        assert_eq!([graph.nodes[0].cell, graph.nodes[1].cell], [2, 18]);
        assert!(graph.edges.iter().all(|edge| (edge.a, edge.b) == (0, 1)));
        let total = graph.edges[0].steps + graph.edges[1].steps;
        assert_eq!(total, Steps { straight: 4, diagonal: 4 });
    }

    #[test]
    fn a_loop_at_a_junction_is_cut_at_its_middle() {
        // A stick that ends in a ring.
        let graph = drawn(&["####..#", "###.##.", "....##.", "###.##.", "####..#"]);
        assert_eq!(size(&graph), [3, 3, 1, 1]);
        assert!(graph.edges.iter().all(|edge| edge.a < edge.b));
    }

    #[test]
    fn isolated_cells_pairs_and_lines() {
        assert_eq!(size(&drawn(&["."])), [1, 0, 1, 0]);
        assert_eq!(size(&drawn(&[".."])), [2, 1, 1, 0]);
        assert_eq!(size(&drawn(&[".#", "#."])), [2, 1, 1, 0]);
        assert_eq!(size(&drawn(&[".#.", "###"])), [2, 0, 2, 0]);
        assert_eq!(size(&drawn(&["##"])), [0, 0, 0, 0]);
        assert_eq!(skeleton_graph(&[], 0, 0), SkeletonGraph::default());
    }

    #[test]
    fn junctions_around_a_hole_keep_the_cycle() {
        // Four cells around a hole, each with an arm: contracted to one node, the cycle would be lost.
        let graph = drawn(&["##.##", "##.##", "..#..", "##.##", "##.##"]);
        assert_eq!(size(&graph)[2..], [1, 1]);
        assert_eq!(graph.edges.len(), 8, "four arms and the ring between them");
    }

    #[test]
    fn a_block_of_cells_is_one_node_without_a_cycle() {
        let graph = drawn(&[".####.", "#.##.#", "##..##", "##..##", "#.##.#", ".####."]);
        assert_eq!(size(&graph), [5, 4, 1, 0]);
    }

    /// Background parts (4-connected) that do not reach the border.
    fn holes_of(cells: &[u8], width: usize, height: usize) -> usize {
        let mut background = vec![1; (width + 2) * (height + 2)];
        for (row, line) in cells.chunks(width).enumerate() {
            for (column, &cell) in line.iter().enumerate() {
                background[(row + 1) * (width + 2) + column + 1] = u8::from(cell == 0);
            }
        }
        label(&background, width + 2, height + 2, Connectivity::Four).count as usize - 1
    }

    proptest! {
        #[test]
        fn parts_and_holes_of_any_picture_are_those_of_its_graph(
            width in 1..30_usize, height in 1..25_usize, sparse in 2..6_usize, seed in any::<u64>(),
        ) {
            let mut random = testkit::Random(seed | 1);
            let mut cells: Vec<u8> =
                (0..width * height).map(|_| u8::from(random.below(sparse) != 0)).collect();
            for thin in [false, true] {
                if thin {
                    zhang_suen(&mut cells, width, height);
                }
                let graph = skeleton_graph(&cells, width, height);
                let parts = label(&cells, width, height, Connectivity::Eight).count as usize;
                prop_assert_eq!(graph.components(), parts);
                prop_assert_eq!(graph.cycles(), holes_of(&cells, width, height));
                for edge in &graph.edges {
                    prop_assert!(edge.a < edge.b);
                    prop_assert_eq!(edge.cells[0], graph.nodes[edge.a].cell);
                    prop_assert_eq!(*edge.cells.last().unwrap(), graph.nodes[edge.b].cell);
                    prop_assert_eq!(edge.steps, Steps::along(&edge.cells, width));
                    prop_assert!(edge.cells.iter().all(|&cell| cells[cell as usize] != 0));
                    let near = |w: &[u32]| {
                        let at = |c: u32| (c as usize % width, c as usize / width);
                        let ((x, y), (u, v)) = (at(w[0]), at(w[1]));
                        x.abs_diff(u) <= 1 && y.abs_diff(v) <= 1 && (x, y) != (u, v)
                    };
                    prop_assert!(edge.cells.windows(2).all(near));
                }
            }
        }
    }
}

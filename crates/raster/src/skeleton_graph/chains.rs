//! The lines between nodes, followed cell by cell.

use super::links::{Links, NONE};
use super::nodes::NodeCells;
use super::{Edge, Node, SkeletonGraph};
use crate::Steps;

/// The graph of nodes and the lines between them.
pub(super) fn traced(links: &Links, nodes: NodeCells, width: usize) -> SkeletonGraph {
    let graph = SkeletonGraph { width, nodes: nodes.nodes.clone(), edges: Vec::new() };
    let mut tracer = Tracer { links, nodes, graph, seen: vec![false; links.count()] };
    for cell in 0..links.count() as u32 {
        if tracer.nodes.node_of(cell) != NONE {
            tracer.trace_from(cell);
        }
    }
    for cell in 0..links.count() as u32 {
        if tracer.nodes.node_of(cell) == NONE && !tracer.seen[cell as usize] {
            tracer.cut_ring(cell);
        }
    }
    tracer.graph.in_order()
}

struct Tracer<'a> {
    links: &'a Links,
    nodes: NodeCells,
    graph: SkeletonGraph,
    /// Line cells that belong to an edge already.
    seen: Vec<bool>,
}

impl Tracer<'_> {
    /// Follows every line that leaves a node at this cell.
    fn trace_from(&mut self, cell: u32) {
        let links = self.links;
        for &to in links.adjacent(cell) {
            let (here, there) = (self.nodes.node_of(cell), self.nodes.node_of(to));
            if there == NONE {
                if !self.seen[to as usize] {
                    let line = self.follow(cell, to);
                    self.add_line(&line);
                }
            } else if here != there && cell < to && !self.closes_block(cell, to) {
                self.add_line(&[cell, to]);
            }
        }
    }

    /// The lower side of a full block: left out, because the block has no hole that it would go round.
    fn closes_block(&self, cell: u32, to: u32) -> bool {
        self.links.ends_block(to) && self.links.cells[to as usize] == self.links.cells[cell as usize] + 1
    }

    /// The cells of a line from a node's cell up to the next node's cell, or back to a cell seen before.
    fn follow(&mut self, from: u32, to: u32) -> Vec<u32> {
        let mut line = vec![from, to];
        let (mut before, mut cell) = (from, to);
        while self.nodes.node_of(cell) == NONE && !self.seen[cell as usize] {
            self.seen[cell as usize] = true;
            let Some(&next) = self.links.adjacent(cell).iter().find(|&&next| next != before) else { break };
            (before, cell) = (cell, next);
            line.push(cell);
        }
        line
    }

    /// Adds the edge of a line between two nodes; one that leads back to its node is cut at its middle.
    fn add_line(&mut self, line: &[u32]) {
        let (Some(&first), Some(&last)) = (line.first(), line.last()) else { return };
        let (a, b) = (self.nodes.node_of(first) as usize, self.nodes.node_of(last) as usize);
        let mut path = self.nodes.path_in(first);
        path.reverse();
        path.extend(&line[1..line.len() - 1]);
        let inner = line.len() - 2;
        let before_middle = path.len() - inner + inner / 2;
        path.extend(self.nodes.path_in(last));
        if a != b {
            self.add_edge(a, b, &path);
        } else {
            let middle = self.add_node(path[before_middle]);
            self.add_edge(a, middle, &path[..=before_middle]);
            self.add_edge(middle, b, &path[before_middle..]);
        }
    }

    /// A ring without a node: nodes at this cell, its first, and halfway round.
    fn cut_ring(&mut self, first: u32) {
        let Some(&second) = self.links.adjacent(first).first() else { return };
        self.seen[first as usize] = true;
        let ring = self.follow(first, second);
        let half = (ring.len() - 1) / 2;
        let (a, b) = (self.add_node(first), self.add_node(ring[half]));
        self.add_edge(a, b, &ring[..=half]);
        self.add_edge(b, a, &ring[half..]);
    }

    fn add_node(&mut self, cell: u32) -> usize {
        self.graph.nodes.push(Node { cell: self.links.cells[cell as usize] });
        self.graph.nodes.len() - 1
    }

    /// Adds an edge along skeleton cells.
    fn add_edge(&mut self, a: usize, b: usize, path: &[u32]) {
        let cells: Vec<u32> = path.iter().map(|&cell| self.links.cells[cell as usize]).collect();
        let steps = Steps::along(&cells, self.graph.width);
        self.graph.edges.push(Edge { a, b, cells, steps });
    }
}

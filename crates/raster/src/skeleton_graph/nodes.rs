//! Which skeleton cells are nodes: junctions, ends and isolated cells.

use super::Node;
use super::links::{Links, NONE};

/// The nodes, and which cells belong to them.
pub(super) struct NodeCells {
    pub(super) nodes: Vec<Node>,
    /// Node of each skeleton cell, [`NONE`] for cells of a line.
    node_of: Vec<u32>,
    /// The next cell on the path to the cell that stands for the node; the cell itself there.
    inwards: Vec<u32>,
}

impl NodeCells {
    pub(super) fn of(links: &Links, width: usize) -> Self {
        let count = links.count();
        let mut found = Self { nodes: Vec::new(), node_of: vec![NONE; count], inwards: vec![NONE; count] };
        for cell in 0..count as u32 {
            if found.node_of(cell) != NONE {
                continue;
            }
            if links.is_junction(cell) {
                found.add_junction(links, cell, width);
            } else if links.degree(cell) <= 1 {
                found.add(links, &[cell], cell);
            }
        }
        found
    }

    pub(super) fn node_of(&self, cell: u32) -> u32 {
        self.node_of[cell as usize]
    }

    /// The cells from a cell of a node to the one that stands for the node, both included.
    pub(super) fn path_in(&self, mut cell: u32) -> Vec<u32> {
        let mut path = vec![cell];
        while self.inwards[cell as usize] != cell {
            cell = self.inwards[cell as usize];
            path.push(cell);
        }
        path
    }

    fn add_junction(&mut self, links: &Links, first: u32, width: usize) {
        let members = group_of(links, first);
        // Cells, steps between them and full blocks are the corners, edges and faces of a surface, so
        // Euler's formula gives its holes. A group around a hole is not contracted: its cycle would go.
        let inside = |cell: &u32| links.adjacent(*cell).iter().filter(|&&to| links.is_junction(to)).count();
        let steps: usize = members.iter().map(inside).sum::<usize>() / 2;
        let blocks = members.iter().filter(|&&cell| links.ends_block(cell)).count();
        if steps + 1 == members.len() + blocks {
            let middle = nearest_to_mean(links, &members, width);
            self.add(links, &members, middle);
        } else {
            members.iter().for_each(|&cell| self.add(links, &[cell], cell));
        }
    }

    /// Adds a node of these cells, with the paths from each of them to its middle.
    fn add(&mut self, links: &Links, members: &[u32], middle: u32) {
        let node = self.nodes.len() as u32;
        self.nodes.push(Node { cell: links.cells[middle as usize] });
        members.iter().for_each(|&cell| self.node_of[cell as usize] = node);
        self.inwards[middle as usize] = middle;
        if members.len() == 1 {
            return;
        }
        let mut wave = vec![middle];
        let mut next = 0;
        while let Some(&cell) = wave.get(next) {
            next += 1;
            for &to in links.adjacent(cell) {
                if self.node_of(to) == node && self.inwards[to as usize] == NONE {
                    self.inwards[to as usize] = cell;
                    wave.push(to);
                }
            }
        }
    }
}

/// The connected junction cells around one of them, in image order.
fn group_of(links: &Links, first: u32) -> Vec<u32> {
    let mut members = vec![first];
    let mut seen = std::collections::HashSet::from([first]);
    let mut next = 0;
    while let Some(&cell) = members.get(next) {
        next += 1;
        for &to in links.adjacent(cell) {
            if links.is_junction(to) && seen.insert(to) {
                members.push(to);
            }
        }
    }
    members.sort_unstable();
    members
}

fn nearest_to_mean(links: &Links, members: &[u32], width: usize) -> u32 {
    let place = |cell: u32| {
        let index = links.cells[cell as usize] as usize;
        ((index % width) as f64, (index / width) as f64)
    };
    let weight = 1.0 / members.len() as f64;
    let (x, y) = members
        .iter()
        .map(|&cell| place(cell))
        .fold((0.0, 0.0), |(x, y), (u, v)| (x + u * weight, y + v * weight));
    let squared = |cell: u32| (place(cell).0 - x).powi(2) + (place(cell).1 - y).powi(2);
    // Rounding of the mean must not decide between cells that are equally near.
    let nearer = |best: u32, cell: u32| if squared(cell) < squared(best) - 1e-9 { cell } else { best };
    members.iter().copied().reduce(nearer).unwrap_or(members[0])
}

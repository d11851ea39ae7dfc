//! An order of elimination that keeps the factor of a sparse matrix sparse: approximate minimum degree.
//!
//! Paper: Amestoy, Davis, Duff 1996, "An approximate minimum degree ordering algorithm". Of its refinements, element
//! absorption (also the aggressive one) and approximate degrees are here; supervariables are not, since pose graphs
//! have few indistinguishable nodes.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Nodes in the order in which they are to be eliminated. `neighbours[i]` lists each neighbour of i once, without i.
pub fn minimum_degree(neighbours: &[Vec<u32>]) -> Vec<u32> {
    let mut graph = QuotientGraph::new(neighbours);
    let degree = |index: usize| neighbours[index].len() as u32;
    let mut queue: BinaryHeap<Reverse<(u32, u32)>> =
        (0..neighbours.len()).map(|index| Reverse((degree(index), index as u32))).collect();
    let mut order = Vec::with_capacity(neighbours.len());
    // A node is queued anew whenever its degree changes; entries that are out of date are skipped.
    while let Some(Reverse((degree, pivot))) = queue.pop() {
        if graph.is_eliminated[pivot as usize] || graph.degree[pivot as usize] != degree {
            continue;
        }
        order.push(pivot);
        for node in graph.eliminate(pivot) {
            queue.push(Reverse((graph.degree[node as usize], node)));
        }
    }
    order
}

/// The graph of what is left: nodes that were eliminated live on as elements, the cliques of their neighbours.
struct QuotientGraph {
    /// Neighbours by an edge of the matrix that no element covers.
    nodes: Vec<Vec<u32>>,
    /// Elements that a node belongs to.
    elements: Vec<Vec<u32>>,
    /// Nodes of an element; empty once another element has absorbed it.
    members: Vec<Vec<u32>>,
    degree: Vec<u32>,
    is_eliminated: Vec<bool>,
    /// The pivot for which a node or the outside of an element was last looked at.
    marked_for: Vec<u32>,
    counted_for: Vec<u32>,
    /// Members of an element outside of the present pivot's.
    outside: Vec<u32>,
}

const NOBODY: u32 = u32::MAX;

impl QuotientGraph {
    fn new(neighbours: &[Vec<u32>]) -> Self {
        let count = neighbours.len();
        Self {
            nodes: neighbours.to_vec(),
            elements: vec![Vec::new(); count],
            members: vec![Vec::new(); count],
            degree: neighbours.iter().map(|list| list.len() as u32).collect(),
            is_eliminated: vec![false; count],
            marked_for: vec![NOBODY; count],
            counted_for: vec![NOBODY; count],
            outside: vec![0; count],
        }
    }

    /// Turns a node into an element; gives the nodes whose degree changed.
    fn eliminate(&mut self, pivot: u32) -> Vec<u32> {
        self.is_eliminated[pivot as usize] = true;
        let members = self.reach(pivot);
        self.count_outside(pivot, &members);
        for &node in &members {
            self.renew(pivot, node, members.len() as u32);
        }
        self.members[pivot as usize].clone_from(&members);
        members
    }

    /// Neighbours of the pivot, by edges and by elements. Its elements are absorbed.
    fn reach(&mut self, pivot: u32) -> Vec<u32> {
        let mut found = Vec::new();
        let mut add = |node: u32, is_eliminated: &[bool], marked_for: &mut [u32]| {
            if !is_eliminated[node as usize] && marked_for[node as usize] != pivot {
                marked_for[node as usize] = pivot;
                found.push(node);
            }
        };
        for node in std::mem::take(&mut self.nodes[pivot as usize]) {
            add(node, &self.is_eliminated, &mut self.marked_for);
        }
        for element in std::mem::take(&mut self.elements[pivot as usize]) {
            for node in std::mem::take(&mut self.members[element as usize]) {
                add(node, &self.is_eliminated, &mut self.marked_for);
            }
        }
        found
    }

    /// For each element that touches the members: how many of its nodes are not among them.
    fn count_outside(&mut self, pivot: u32, members: &[u32]) {
        for &node in members {
            for &element in &self.elements[node as usize] {
                let element = element as usize;
                if self.counted_for[element] != pivot {
                    self.counted_for[element] = pivot;
                    self.outside[element] = self.members[element].len() as u32;
                }
                self.outside[element] = self.outside[element].saturating_sub(1);
            }
        }
    }

    fn renew(&mut self, pivot: u32, node: u32, members: u32) {
        let index = node as usize;
        let (marked_for, is_eliminated) = (&self.marked_for, &self.is_eliminated);
        self.nodes[index]
            .retain(|&other| !is_eliminated[other as usize] && marked_for[other as usize] != pivot);
        let outside = &self.outside;
        self.elements[index].retain(|&element| outside[element as usize] > 0);
        let beyond: u32 = self.elements[index].iter().map(|&element| outside[element as usize]).sum();
        self.elements[index].push(pivot);
        self.degree[index] = self.nodes[index].len() as u32 + (members - 1) + beyond;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn neighbours(count: usize, edges: &[(u32, u32)]) -> Vec<Vec<u32>> {
        let mut lists = vec![Vec::new(); count];
        for &(a, b) in edges {
            lists[a as usize].push(b);
            lists[b as usize].push(a);
        }
        lists
    }

    #[test]
    fn the_hub_of_a_star_goes_last_and_every_node_once() {
        let order = minimum_degree(&neighbours(5, &[(0, 1), (0, 2), (0, 3), (0, 4)]));
        let mut sorted = order.clone();
        sorted.sort_unstable();
        assert_eq!(sorted, [0, 1, 2, 3, 4]);
        assert!(order[3..].contains(&0), "{order:?}");
    }

    #[test]
    fn empty_and_unconnected_graphs() {
        assert!(minimum_degree(&[]).is_empty());
        assert_eq!(minimum_degree(&neighbours(3, &[])).len(), 3);
    }
}

//! Disjoint sets of numbers from 0 on (union-find with path halving; Tarjan and van Leeuwen 1984).
//!
//! No ranks: who joins decides which root stays, because callers number parts by their first member or keep the highest
//! basin.

/// Sets of numbers, each with a root that stands for it.
#[derive(Clone, Debug, Default)]
pub struct DisjointSets {
    parents: Vec<u32>,
}

impl DisjointSets {
    /// `count` sets of one number each.
    pub fn new(count: usize) -> Self {
        Self { parents: (0..count as u32).collect() }
    }

    pub const fn len(&self) -> usize {
        self.parents.len()
    }

    pub const fn is_empty(&self) -> bool {
        self.parents.is_empty()
    }

    /// Adds the next number as a set of its own.
    pub fn push(&mut self) -> u32 {
        let number = self.parents.len() as u32;
        self.parents.push(number);
        number
    }

    pub fn root(&mut self, mut number: u32) -> u32 {
        while self.parents[number as usize] != number {
            let grandparent = self.parents[self.parents[number as usize] as usize];
            self.parents[number as usize] = grandparent;
            number = grandparent;
        }
        number
    }

    /// Joins the sets of two numbers under the smaller root; false if they were one set already.
    pub fn join(&mut self, one: u32, other: u32) -> bool {
        let (one, other) = (self.root(one), self.root(other));
        self.adopt(one.max(other), one.min(other));
        one != other
    }

    /// Puts one root below another, which then stands for both sets.
    pub fn adopt(&mut self, child: u32, parent: u32) {
        self.parents[child as usize] = parent;
    }

    /// The root of every number.
    pub fn roots(mut self) -> Vec<usize> {
        (0..self.parents.len() as u32).map(|number| self.root(number) as usize).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_number_stands_for_its_set() {
        let mut sets = DisjointSets::new(5);
        assert!(sets.join(3, 4) && sets.join(4, 1) && !sets.join(1, 3));
        assert_eq!(sets.push(), 5);
        assert_eq!(sets.clone().roots(), [0, 1, 2, 1, 1, 5]);
        sets.adopt(1, 5);
        assert_eq!(sets.roots(), [0, 5, 2, 5, 5, 5]);
        assert!(DisjointSets::default().is_empty());
    }
}

//! Connected components of an image: union of runs.
//!
//! A run is a stretch of set cells in a row. Runs of neighbouring rows that touch are joined, so the work
//! beyond finding the runs grows with their number, not with the number of cells.

use std::ops::Range;

use crate::bits::{CELLS_PER_WORD, packed, packed_where};

/// Which cells are neighbours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Connectivity {
    /// Cells that share an edge.
    Four,
    /// Cells that share an edge or a corner.
    Eight,
}

/// A label per cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Labels {
    /// 0 where the image is not set, else 1 to `count`, numbered by each component's first cell in image
    /// order.
    pub labels: Vec<u32>,
    pub count: u32,
}

/// Labels the components of the cells that are not 0.
///
/// # Panics
/// The mask does not have `width * height` cells.
pub fn label(mask: &[u8], width: usize, height: usize, connectivity: Connectivity) -> Labels {
    joined_runs(mask, width, height, connectivity, packed).labels()
}

/// Finds the components of the cells of one colour and keeps them as runs, without a plane of labels: less
/// memory than the image itself, for those who ask for a few cells only.
///
/// # Panics
/// The plane does not have `width * height` cells.
pub fn components_of(
    plane: &[u8],
    colour: u8,
    width: usize,
    height: usize,
    connectivity: Connectivity,
) -> Components {
    joined_runs(plane, width, height, connectivity, |cells| packed_where(cells, |cell| cell == colour))
}

/// Components as runs of cells.
#[derive(Clone, Debug)]
pub struct Components {
    cells: usize,
    /// In image order; `parent` is the number of the component.
    runs: Vec<Run>,
    count: u32,
}

impl Components {
    pub const fn count(&self) -> u32 {
        self.count
    }

    /// Component of the cell at a position in image order, 1 to the number of components; none if it
    /// belongs to no component.
    pub fn component_at(&self, index: usize) -> Option<u32> {
        let after = self.runs.partition_point(|run| run.start as usize <= index);
        let run = self.runs[..after].last()?;
        (index < run.end as usize).then_some(run.parent)
    }

    /// The component and the cells of each run, in image order; a run lies in one row.
    pub fn runs(&self) -> impl Iterator<Item = (u32, Range<usize>)> {
        self.runs.iter().map(|run| (run.parent, run.start as usize..run.end as usize))
    }

    /// The plane of labels.
    pub fn labels(&self) -> Labels {
        let mut labels = vec![0; self.cells];
        for run in &self.runs {
            labels[run.start as usize..run.end as usize].fill(run.parent);
        }
        Labels { labels, count: self.count }
    }
}

fn joined_runs(
    plane: &[u8],
    width: usize,
    height: usize,
    connectivity: Connectivity,
    bits_of: impl Fn(&[u8]) -> u64,
) -> Components {
    assert_eq!(plane.len(), width * height, "plane of another size");
    let mut forest = Forest { runs: Vec::new() };
    let mut above = 0..0;
    for (row, cells) in plane.chunks(width.max(1)).enumerate() {
        let start = forest.runs.len();
        forest.add_runs_of(cells, (row * width) as u32, &bits_of);
        let here = start..forest.runs.len();
        forest.join_rows(above, here.clone(), width as u32, connectivity);
        above = here;
    }
    forest.numbered(plane.len())
}

/// A stretch of set cells in one row; cells are counted in image order.
#[derive(Clone, Copy, Debug)]
struct Run {
    start: u32,
    /// One past the last cell.
    end: u32,
    /// A run of the same component that is not later than this one; the run itself if it is the first.
    parent: u32,
}

/// All runs in image order, joined into trees. Their parents stand in the runs: with
/// [`crate::disjoint_sets::DisjointSets`] beside them the search took a third longer.
struct Forest {
    runs: Vec<Run>,
}

impl Forest {
    /// Finds the runs of a row from the changes between neighbouring bits.
    fn add_runs_of(&mut self, row: &[u8], row_start: u32, bits_of: &impl Fn(&[u8]) -> u64) {
        let mut last_bit = 0;
        let mut open = None;
        for (word_index, cells) in row.chunks(CELLS_PER_WORD).enumerate() {
            let word = bits_of(cells);
            let mut changes = word ^ (word << 1 | last_bit);
            last_bit = word >> 63;
            while changes != 0 {
                let cell = row_start + (word_index * CELLS_PER_WORD) as u32 + changes.trailing_zeros();
                changes &= changes - 1;
                open = match open {
                    None => Some(cell),
                    Some(start) => {
                        self.push(start, cell);
                        None
                    }
                };
            }
        }
        if let Some(start) = open {
            self.push(start, row_start + row.len() as u32);
        }
    }

    fn push(&mut self, start: u32, end: u32) {
        self.runs.push(Run { start, end, parent: self.runs.len() as u32 });
    }

    /// Joins the runs of two neighbouring rows that touch.
    fn join_rows(
        &mut self,
        mut above: Range<usize>,
        mut here: Range<usize>,
        width: u32,
        connectivity: Connectivity,
    ) {
        let reach = match connectivity {
            Connectivity::Four => 0,
            Connectivity::Eight => 1,
        };
        while !above.is_empty() && !here.is_empty() {
            let (upper, lower) = (self.runs[above.start], self.runs[here.start]);
            let (upper_start, upper_end) = (upper.start + width, upper.end + width);
            if upper_start < lower.end + reach && lower.start < upper_end + reach {
                self.join(above.start as u32, here.start as u32);
            }
            // The run that ends first can touch nothing further on.
            if upper_end < lower.end {
                above.start += 1;
            } else {
                here.start += 1;
            }
        }
    }

    fn join(&mut self, one: u32, other: u32) {
        let (one, other) = (self.root(one), self.root(other));
        let (first, later) = (one.min(other), one.max(other));
        self.runs[later as usize].parent = first;
    }

    fn root(&mut self, mut run: u32) -> u32 {
        loop {
            let parent = self.runs[run as usize].parent;
            if parent == run {
                return run;
            }
            let grandparent = self.runs[parent as usize].parent;
            self.runs[run as usize].parent = grandparent;
            run = grandparent;
        }
    }

    /// Replaces each run's parent by the number of its tree. A parent is never later, so its number is
    /// known.
    fn numbered(mut self, cells: usize) -> Components {
        let mut count = 0;
        for index in 0..self.runs.len() {
            let parent = self.runs[index].parent as usize;
            self.runs[index].parent = if parent == index {
                count += 1;
                count
            } else {
                self.runs[parent].parent
            };
        }
        Components { cells, runs: self.runs, count }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn labelled(rows: &[&str], connectivity: Connectivity) -> Labels {
        let mask: Vec<u8> = rows.iter().flat_map(|row| row.bytes()).map(|c| u8::from(c == b'#')).collect();
        label(&mask, rows[0].len(), rows.len(), connectivity)
    }

    /// Fills each component from its first cell.
    fn by_filling(mask: &[u8], width: usize, height: usize, connectivity: Connectivity) -> Labels {
        let (mut labels, mut count) = (vec![0; mask.len()], 0);
        for seed in 0..mask.len() {
            if mask[seed] == 0 || labels[seed] != 0 {
                continue;
            }
            count += 1;
            let mut stack = vec![seed];
            while let Some(cell) = stack.pop() {
                if mask[cell] == 0 || labels[cell] != 0 {
                    continue;
                }
                labels[cell] = count;
                let (x, y) = (cell % width, cell / width);
                for v in y.saturating_sub(1)..=(y + 1).min(height - 1) {
                    for u in x.saturating_sub(1)..=(x + 1).min(width - 1) {
                        if connectivity == Connectivity::Eight || u == x || v == y {
                            stack.push(v * width + u);
                        }
                    }
                }
            }
        }
        Labels { labels, count }
    }

    #[test]
    fn corners_join_only_with_eight_neighbours() {
        let rows = ["#.", ".#"];
        assert_eq!(labelled(&rows, Connectivity::Eight), Labels { labels: vec![1, 0, 0, 1], count: 1 });
        assert_eq!(labelled(&rows, Connectivity::Four), Labels { labels: vec![1, 0, 0, 2], count: 2 });
    }

    #[test]
    fn two_arms_that_meet_below_are_one_component() {
        let found = labelled(&["#.#.#", "#.#..", "###.#"], Connectivity::Four);
        assert_eq!(found.labels, [1, 0, 1, 0, 2, 1, 0, 1, 0, 0, 1, 1, 1, 0, 3]);
        assert_eq!(found.count, 3);
    }

    #[test]
    fn the_end_of_a_row_does_not_touch_the_start_of_the_next() {
        assert_eq!(labelled(&["..#", "#.."], Connectivity::Eight).count, 2);
    }

    #[test]
    fn empty_pictures_have_no_components() {
        assert_eq!(label(&[], 0, 0, Connectivity::Four), Labels { labels: vec![], count: 0 });
        assert_eq!(labelled(&["..."], Connectivity::Four).count, 0);
    }

    proptest! {
        #[test]
        fn equals_filling(
            width in 1..150_usize, height in 1..20_usize, share in 1..10_u32, seed in any::<u64>(),
        ) {
            let mut state = seed | 1;
            let mut draw = || {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                u8::from((state >> 33) as u32 % 10 < share)
            };
            let mask: Vec<u8> = (0..width * height).map(|_| draw()).collect();
            for connectivity in [Connectivity::Four, Connectivity::Eight] {
                let expected = by_filling(&mask, width, height, connectivity);
                let found = components_of(&mask, 1, width, height, connectivity);
                let at_cells = (0..mask.len()).map(|index| found.component_at(index).unwrap_or(0));
                prop_assert_eq!(at_cells.collect::<Vec<u32>>(), &expected.labels[..]);
                prop_assert_eq!(found.count(), expected.count);
                prop_assert_eq!(label(&mask, width, height, connectivity), expected);
            }
        }
    }
}

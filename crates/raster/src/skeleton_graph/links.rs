//! Skeleton cells and which of them are adjacent.

use crate::bits::{CELLS_PER_WORD, packed};

/// Stands for no cell.
pub(super) const NONE: u32 = u32::MAX;

/// The skeleton's cells, numbered in image order, with their adjacent cells.
pub(super) struct Links {
    /// Index in the plane of each skeleton cell.
    pub(super) cells: Vec<u32>,
    /// Numbers of the adjacent cells; at most four, because a diagonal excludes the cells beside it.
    adjacent: Vec<[u32; 4]>,
    degrees: Vec<u8>,
    /// Whether a cell belongs to a full block of 2 x 2 cells.
    in_block: Vec<bool>,
    /// Whether a cell is the lower right one of such a block.
    ends_block: Vec<bool>,
}

impl Links {
    pub(super) fn between(skeleton: &[u8], width: usize, height: usize) -> Self {
        assert_eq!(skeleton.len(), width * height, "skeleton of another size");
        let mut links = Self {
            cells: Vec::new(),
            adjacent: Vec::new(),
            degrees: Vec::new(),
            in_block: Vec::new(),
            ends_block: Vec::new(),
        };
        // Numbers of the cells of two rows, with a margin of one on both sides.
        let (mut above, mut here) = (vec![NONE; width + 2], vec![NONE; width + 2]);
        let (mut columns_above, mut columns) = (Vec::new(), Vec::new());
        for (row, cells) in skeleton.chunks(width.max(1)).enumerate() {
            set_columns(cells, &mut columns);
            for &column in &columns {
                here[column + 1] = links.push((row * width + column) as u32);
            }
            for &column in &columns {
                links.join(&above[column..column + 3], &here[column..column + 3]);
            }
            columns_above.iter().for_each(|&column: &usize| above[column + 1] = NONE);
            std::mem::swap(&mut above, &mut here);
            std::mem::swap(&mut columns_above, &mut columns);
        }
        links
    }

    fn push(&mut self, cell: u32) -> u32 {
        self.cells.push(cell);
        self.adjacent.push([NONE; 4]);
        self.degrees.push(0);
        self.in_block.push(false);
        self.ends_block.push(false);
        self.cells.len() as u32 - 1
    }

    /// Joins the middle cell of `here` with the adjacent cells that come before it in image order.
    fn join(&mut self, above: &[u32], here: &[u32]) {
        let [north_west, north, north_east] = [above[0], above[1], above[2]];
        let [west, cell, east] = [here[0], here[1], here[2]];
        self.link(cell, west);
        self.link(cell, north);
        if north == NONE && west == NONE {
            self.link(cell, north_west);
        }
        if north == NONE && east == NONE {
            self.link(cell, north_east);
        }
        if ![west, north, north_west].contains(&NONE) {
            self.ends_block[cell as usize] = true;
            [cell, west, north, north_west].iter().for_each(|&one| self.in_block[one as usize] = true);
        }
    }

    fn link(&mut self, one: u32, other: u32) {
        if other == NONE {
            return;
        }
        for (from, to) in [(one, other), (other, one)] {
            let degree = &mut self.degrees[from as usize];
            self.adjacent[from as usize][usize::from(*degree)] = to;
            *degree += 1;
        }
    }

    pub(super) fn count(&self) -> usize {
        self.cells.len()
    }

    pub(super) fn adjacent(&self, cell: u32) -> &[u32] {
        &self.adjacent[cell as usize][..self.degree(cell)]
    }

    pub(super) fn degree(&self, cell: u32) -> usize {
        usize::from(self.degrees[cell as usize])
    }

    /// Cells that are not part of a line: three lines or more meet, or the cell lies in a block.
    pub(super) fn is_junction(&self, cell: u32) -> bool {
        self.degrees[cell as usize] >= 3 || self.in_block[cell as usize]
    }

    pub(super) fn ends_block(&self, cell: u32) -> bool {
        self.ends_block[cell as usize]
    }
}

/// The columns of a row's set cells.
fn set_columns(row: &[u8], columns: &mut Vec<usize>) {
    columns.clear();
    for (index, cells) in row.chunks(CELLS_PER_WORD).enumerate() {
        let mut word = packed(cells);
        while word != 0 {
            columns.push(index * CELLS_PER_WORD + word.trailing_zeros() as usize);
            word &= word - 1;
        }
    }
}

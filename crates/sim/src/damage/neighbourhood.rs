//! Questions about the cells around a cell, by index in image order.

use model::{CellClass, Grid};

/// A grid that can be asked about the surroundings of its cells.
pub(super) struct Neighbourhood<'a> {
    width: usize,
    height: usize,
    classes: &'a [CellClass],
}

impl<'a> Neighbourhood<'a> {
    pub(super) fn of(grid: &'a Grid) -> Self {
        let (width, height) = (grid.geometry().width(), grid.geometry().height());
        Self { width, height, classes: grid.classes() }
    }

    /// True if one of the four cells that share an edge has the class.
    pub(super) fn beside(&self, index: usize, class: CellClass) -> bool {
        let (column, row) = (index % self.width, index / self.width);
        (column > 0 && self.classes[index - 1] == class)
            || (column + 1 < self.width && self.classes[index + 1] == class)
            || (row > 0 && self.classes[index - self.width] == class)
            || (row + 1 < self.height && self.classes[index + self.width] == class)
    }

    /// True if a cell of the class lies at most `reach` columns and rows away.
    pub(super) fn within(&self, index: usize, reach: usize, class: CellClass) -> bool {
        self.any_within(index, reach, |near| self.classes[near] == class)
    }

    /// True if the question holds for a cell at most `reach` columns and rows away, itself included.
    pub(super) fn any_within(&self, index: usize, reach: usize, holds: impl Fn(usize) -> bool) -> bool {
        let (column, row) = (index % self.width, index / self.width);
        let (left, right) = (column.saturating_sub(reach), column.saturating_add(reach).min(self.width - 1));
        let (top, bottom) = (row.saturating_sub(reach), row.saturating_add(reach).min(self.height - 1));
        (top..=bottom).any(|r| (left..=right).any(|c| holds(r * self.width + c)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_stop_at_the_border() {
        let grid = testkit::grid(["..#", "#.."]);
        let near = Neighbourhood::of(&grid);
        // Index 2 ends the first row, index 3 starts the second: they are no neighbours.
        assert!(!near.beside(2, CellClass::Occupied) && !near.beside(3, CellClass::Occupied));
        assert!(near.beside(0, CellClass::Occupied) && near.beside(1, CellClass::Occupied));
    }

    #[test]
    fn reach_counts_columns_and_rows() {
        let grid = testkit::grid(["...#", "....", "...."]);
        let near = Neighbourhood::of(&grid);
        assert!(near.within(6, 1, CellClass::Occupied));
        assert!(!near.within(9, 1, CellClass::Occupied));
        assert!(near.within(9, 2, CellClass::Occupied));
        assert!(near.within(8, usize::MAX, CellClass::Occupied));
    }
}

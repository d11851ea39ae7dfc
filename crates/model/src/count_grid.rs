//! F-CNT: two-plane count grid of a mapper, p = occ / seen. Paper: Pellenz 2008, III-B, eq. 1.

use crate::{Cell, CellClass, Grid, GridGeometry, Pose2};

/// How often each cell was seen, and how often it was seen occupied.
#[derive(Clone, Debug, PartialEq)]
pub struct CountGrid {
    geometry: GridGeometry,
    seen: Vec<u32>,
    occupied: Vec<u32>,
}

impl CountGrid {
    /// Side of the paper's grid in cells: 800 cells of 50 mm make 40 m.
    pub const PAPER_SIDE_CELLS: usize = 800;
    /// Cell size of the paper's grid.
    pub const PAPER_CELL_SIZE_M: f64 = 0.05;
    /// Cell size the paper recommends for noisy or tilted data.
    pub const PAPER_TILTED_CELL_SIZE_M: f64 = 0.1;

    /// A grid where nothing was seen yet.
    #[must_use]
    pub fn new(geometry: GridGeometry) -> Self {
        Self { geometry, seen: vec![0; geometry.cells()], occupied: vec![0; geometry.cells()] }
    }

    /// The grid of the paper, its centre at the world's origin.
    ///
    /// # Errors
    /// Never for these constants; the error is that of the geometry.
    pub fn paper() -> Result<Self, crate::GeometryError> {
        let half_m = Self::PAPER_SIDE_CELLS as f64 * Self::PAPER_CELL_SIZE_M / 2.0;
        let origin = Pose2::new(-half_m, -half_m, 0.0);
        let side = Self::PAPER_SIDE_CELLS;
        Ok(Self::new(GridGeometry::new(side, side, Self::PAPER_CELL_SIZE_M, origin)?))
    }

    /// Size and place of the grid.
    #[must_use]
    pub const fn geometry(&self) -> &GridGeometry {
        &self.geometry
    }

    /// Counts one observation of a cell inside the grid.
    pub fn observe(&mut self, cell: Cell, class: CellClass) {
        let index = self.geometry.index_of(cell);
        if self.seen[index] == u32::MAX {
            self.seen[index] /= 2;
            self.occupied[index] /= 2;
        }
        match class {
            CellClass::Unknown => return,
            CellClass::Free => {}
            CellClass::Occupied => self.occupied[index] += 1,
        }
        self.seen[index] += 1;
    }

    /// (occupied, seen) of a cell inside the grid.
    #[must_use]
    pub fn counts(&self, cell: Cell) -> (u32, u32) {
        let index = self.geometry.index_of(cell);
        (self.occupied[index], self.seen[index])
    }

    /// p = occ / seen (eq. 1); none where nothing was seen.
    #[must_use]
    pub fn probability(&self, cell: Cell) -> Option<f64> {
        let (occupied, seen) = self.counts(cell);
        (seen > 0).then(|| f64::from(occupied) / f64::from(seen))
    }

    /// The map with classes and probabilities; never seen and exactly one half are unknown.
    #[must_use]
    pub fn to_grid(&self) -> Grid {
        let numbers = self.occupied.iter().zip(&self.seen);
        let probabilities: Vec<f64> =
            numbers.map(|(&o, &s)| if s == 0 { 0.5 } else { f64::from(o) / f64::from(s) }).collect();
        let classes = probabilities.iter().map(|&p| CellClass::of_probability(p)).collect();
        Grid::from_planes(self.geometry, classes, probabilities)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counted(occupied: u32, seen: u32) -> CountGrid {
        let mut grid = CountGrid::new(GridGeometry::new(1, 1, 0.05, Pose2::IDENTITY).unwrap());
        let cell = Cell { i: 0, j: 0 };
        (0..occupied).for_each(|_| grid.observe(cell, CellClass::Occupied));
        (occupied..seen).for_each(|_| grid.observe(cell, CellClass::Free));
        grid
    }

    #[test]
    fn f_cnt_worked_examples() {
        for (occupied, seen, p, class) in [
            (0, 0, None, CellClass::Unknown),
            (1, 4, Some(0.25), CellClass::Free),
            (3, 4, Some(0.75), CellClass::Occupied),
            (0, 7, Some(0.0), CellClass::Free),
            (5, 5, Some(1.0), CellClass::Occupied),
            (1, 2, Some(0.5), CellClass::Unknown),
        ] {
            let grid = counted(occupied, seen);
            assert_eq!(grid.probability(Cell { i: 0, j: 0 }), p, "({occupied}, {seen})");
            assert_eq!(grid.to_grid().classes(), [class], "({occupied}, {seen})");
        }
    }

    #[test]
    fn full_counters_are_halved_together() {
        let mut grid = counted(1, 1);
        grid.seen[0] = u32::MAX;
        grid.occupied[0] = u32::MAX - 1;
        grid.observe(Cell { i: 0, j: 0 }, CellClass::Free);
        assert_eq!(grid.counts(Cell { i: 0, j: 0 }), ((u32::MAX - 1) / 2, u32::MAX / 2 + 1));
    }

    #[test]
    fn the_papers_grid_is_forty_metres_wide() {
        let grid = CountGrid::paper().unwrap();
        assert_eq!(grid.geometry().width() as f64 * grid.geometry().cell_size_m(), 40.0);
    }
}

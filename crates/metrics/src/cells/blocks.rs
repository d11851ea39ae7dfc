//! The compared cells in square blocks, so that what is counted cell by cell can be resampled.
//!
//! Errors of a map hang together over a metre or more, so single cells cannot be drawn; blocks can. They belong to the
//! truth's grid and are the same for all maps that are compared on it.

use align::AlignedGrids;
use model::{GridGeometry, Point2};
use raster::contingency::Contingency;

use super::binary_counts::{BinaryCounts, UnknownAs};
use crate::{Case, Make, SampleUnit, Samples};

/// Blocks along the longer side of the window. Ours: some hundred blocks carry a bootstrap.
const BLOCKS_ALONG: usize = 20;
/// Smallest edge of a block, metres.
const MIN_BLOCK_M: f64 = 1.0;

/// The blocks of a case, row by row, each with its contingency table.
#[derive(Clone, Debug)]
pub struct CellBlocks {
    geometry: GridGeometry,
    edge_cells: usize,
    across: usize,
    tables: Vec<Contingency>,
}

impl CellBlocks {
    pub(crate) fn of(grids: &AlignedGrids) -> Self {
        let geometry = *grids.geometry();
        let (width, height) = (geometry.width(), geometry.height());
        let min_cells = (MIN_BLOCK_M / geometry.cell_size_m()).ceil().max(1.0) as usize;
        let edge_cells = width.max(height).div_ceil(BLOCKS_ALONG).max(min_cells);
        let across = width.div_ceil(edge_cells);
        let tables = vec![Contingency::default(); across * height.div_ceil(edge_cells)];
        let mut blocks = Self { geometry, edge_cells, across, tables };
        for (index, (&truth, &map)) in grids.truth.classes().iter().zip(grids.map.classes()).enumerate() {
            let block = blocks.block_of(index);
            blocks.tables[block].counts[truth as usize][map as usize] += 1;
        }
        blocks
    }

    /// The block of a cell.
    #[must_use]
    pub fn block_of(&self, cell: usize) -> usize {
        let (column, row) = (cell % self.geometry.width(), cell / self.geometry.width());
        row / self.edge_cells * self.across + column / self.edge_cells
    }

    /// The cell nearest to a place, which may lie beyond the window.
    #[must_use]
    pub fn nearest(&self, place: Point2) -> usize {
        let (right, up) = self.geometry.grid_point_of_world(place);
        let (width, height) = (self.geometry.width(), self.geometry.height());
        let clamped = |at: f64, side: usize| (at.max(0.0) as usize).min(side - 1);
        (height - 1 - clamped(up, height)) * width + clamped(right, width)
    }

    fn samples(&self, make: Make) -> Samples {
        Samples::own(SampleUnit::new("blocks of cells", self.tables.len()), make)
    }

    /// A sum over cells: each with what it adds.
    #[must_use]
    pub fn sum(&self, cells: impl Iterator<Item = (usize, f64)>) -> Samples {
        let mut sums = vec![0.0; self.tables.len()];
        cells.for_each(|(cell, of)| sums[self.block_of(cell)] += of);
        self.samples(Make::Sum(sums))
    }

    /// A ratio over cells: each with what it adds above and below the line.
    #[must_use]
    pub fn ratio(&self, cells: impl Iterator<Item = (usize, f64, f64)>) -> Samples {
        let mut sums = vec![(0.0, 0.0); self.tables.len()];
        for (cell, of, by) in cells {
            let sum = &mut sums[self.block_of(cell)];
            *sum = (sum.0 + of, sum.1 + by);
        }
        self.samples(Make::ratio(sums))
    }

    /// A ratio of what the tables of the blocks give.
    #[must_use]
    pub fn ratio_of_tables(&self, part: impl Fn(&Contingency) -> (u64, u64)) -> Samples {
        let parts = self.tables.iter().map(part).map(|(of, by)| (of as f64, by as f64));
        self.samples(Make::ratio(parts))
    }
}

/// A count of cells by block, from the binary counts of each.
pub(super) fn count_samples(
    case: &Case,
    unknown_as: UnknownAs,
    cells: impl Fn(&BinaryCounts) -> u64,
) -> Vec<Samples> {
    let Ok(blocks) = case.blocks() else { return Vec::new() };
    let counts = blocks.tables.iter().map(|table| cells(&BinaryCounts::of(table, unknown_as)) as f64);
    vec![blocks.samples(Make::Sum(counts.collect()))]
}

/// A ratio of counts by block.
pub(super) fn ratio_samples(
    case: &Case,
    unknown_as: UnknownAs,
    parts: impl Fn(&BinaryCounts) -> (u64, u64),
) -> Vec<Samples> {
    let Ok(blocks) = case.blocks() else { return Vec::new() };
    vec![blocks.ratio_of_tables(|table| parts(&BinaryCounts::of(table, unknown_as)))]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drawing::case;

    #[test]
    fn blocks_cover_the_window_once() {
        let rows = vec!["#..#."; 4];
        let case = case(&rows, &rows);
        let blocks = case.blocks().unwrap();
        assert_eq!(blocks.tables.len(), 20, "cells of a metre are blocks of their own");
        assert_eq!(blocks.tables.iter().map(Contingency::total).sum::<u64>(), 20);
        assert_eq!(blocks.nearest(Point2::new(-5.0, 99.0)), 0, "beyond the upper left corner");
        assert_eq!(blocks.nearest(Point2::new(4.5, 0.5)), 19);
        assert_eq!(blocks.sum([(7, 2.0)].into_iter()).unit.to_string(), "20 blocks of cells");
    }
}

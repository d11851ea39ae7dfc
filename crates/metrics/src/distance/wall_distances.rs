//! Euclidean distance of each occupied cell to the nearest occupied cell of the other map, both ways.

use model::CellClass;
use raster::euclidean::{EuclideanError, squared_distance_rows};
use serde_json::{Value, json};

use crate::{AlignedGrids, Reason};

/// The occupied cells of one map, as a mask of 0 and 1.
#[derive(Clone, Debug)]
pub struct Walls {
    /// 1 where the map is occupied.
    pub mask: Vec<u8>,
    /// Columns.
    pub width: usize,
}

impl Walls {
    /// Occupied cells of the truth.
    #[must_use]
    pub fn of_truth(grids: &AlignedGrids) -> Self {
        Self::of(grids.truth.classes(), grids.geometry().width())
    }

    /// Occupied cells of the map.
    #[must_use]
    pub fn of_map(grids: &AlignedGrids) -> Self {
        Self::of(grids.map.classes(), grids.geometry().width())
    }

    fn of(classes: &[CellClass], width: usize) -> Self {
        Self { mask: classes.iter().map(|&c| u8::from(c == CellClass::Occupied)).collect(), width }
    }

    /// Squared distance in cells from each of these cells to the nearest of the others, in image order.
    fn squared_distances_to(&self, others: &Self) -> Result<Vec<u32>, Reason> {
        let mut distances = Vec::new();
        let height = self.mask.len() / self.width;
        let reached = squared_distance_rows(&others.mask, 1, self.width, height, |row, squared| {
            let here = self.mask[row * self.width..][..self.width].iter();
            distances.extend(here.zip(squared).filter(|(set, _)| **set == 1).map(|(_, &d)| d));
        });
        match reached {
            Ok(()) => Ok(distances),
            Err(EuclideanError::NoSuchCell { .. }) => Err(Reason::NoMatch),
            Err(EuclideanError::TooLarge { .. }) => Err(Reason::TooLarge),
        }
    }
}

/// Distances of one direction.
#[derive(Clone, Debug, PartialEq)]
pub struct Distances {
    /// Squared distances in cells, one per occupied cell, in image order.
    pub squared_cells: Vec<u32>,
    sorted: Vec<u32>,
}

impl Distances {
    fn new(squared_cells: Vec<u32>) -> Self {
        let mut sorted = squared_cells.clone();
        sorted.sort_unstable();
        Self { squared_cells, sorted }
    }

    /// Mean distance in cells.
    #[must_use]
    pub fn mean_cells(&self) -> f64 {
        self.sorted.iter().map(|&d| f64::from(d).sqrt()).sum::<f64>() / self.sorted.len() as f64
    }

    /// Distance in cells that a share of the cells does not exceed; linear between order statistics.
    #[must_use]
    pub fn quantile_cells(&self, share: f64) -> f64 {
        let place = share * (self.sorted.len() - 1) as f64;
        let (below, part) = (place.floor(), place.fract());
        let at = |rank: f64| f64::from(self.sorted[rank as usize]).sqrt();
        if part == 0.0 { at(below) } else { at(below) * (1.0 - part) + at(below + 1.0) * part }
    }

    /// Number of cells at most this far from the other map's walls.
    #[must_use]
    pub fn within_cells(&self, tolerance_cells: u32) -> u64 {
        let squared = tolerance_cells.saturating_mul(tolerance_cells);
        self.sorted.partition_point(|&d| d <= squared) as u64
    }

    /// Number of cells.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.sorted.len() as u64
    }

    fn facts(&self, cell_size_m: f64) -> Value {
        json!({
            "count": self.count(),
            "mean_m": self.mean_cells() * cell_size_m,
            "median_m": self.quantile_cells(0.5) * cell_size_m,
            "p95_m": self.quantile_cells(0.95) * cell_size_m,
            "max_m": self.quantile_cells(1.0) * cell_size_m,
        })
    }
}

/// Both directions. Neither is empty.
#[derive(Clone, Debug, PartialEq)]
pub struct WallDistances {
    /// From the truth's walls to the map's: large where the map misses something.
    pub truth_to_map: Distances,
    /// From the map's walls to the truth's: large where the map invents something.
    pub map_to_truth: Distances,
}

impl WallDistances {
    /// Distances between two sets of walls; both have at least one cell.
    ///
    /// # Errors
    /// The window is too long for exact squared distances.
    pub fn between(truth: &Walls, map: &Walls) -> Result<Self, Reason> {
        Ok(Self {
            truth_to_map: Distances::new(truth.squared_distances_to(map)?),
            map_to_truth: Distances::new(map.squared_distances_to(truth)?),
        })
    }

    /// Mean, median, 95 % and largest distance of both directions, as facts beside a value.
    #[must_use]
    pub fn facts(&self, cell_size_m: f64) -> crate::Detail {
        crate::facts([
            ("truth_to_map", self.truth_to_map.facts(cell_size_m)),
            ("map_to_truth", self.map_to_truth.facts(cell_size_m)),
        ])
    }
}

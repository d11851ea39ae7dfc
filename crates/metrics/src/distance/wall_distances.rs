//! Euclidean distance of each occupied cell to the nearest occupied cell of the other map, in both directions.

use std::borrow::Cow;

use model::{CellClass, Grid};
use raster::components::{Components, Connectivity, components_of};
use raster::euclidean::{EuclideanError, squared_distance_rows};
use serde_json::{Value, json};

use crate::{Case, Reason, Score, Undefined};

/// The occupied cells of one map.
#[derive(Clone, Debug)]
pub struct Walls<'a> {
    /// A byte per cell.
    plane: Cow<'a, [u8]>,
    /// The byte that stands for a wall.
    wall: u8,
    width: usize,
    /// The same cells as connected obstacles.
    obstacles: Components,
}

impl<'a> Walls<'a> {
    /// Occupied cells of a map.
    #[must_use]
    pub fn of(grid: &'a Grid) -> Self {
        Self::new(Cow::Borrowed(grid.class_bytes()), CellClass::Occupied as u8, grid.geometry().width())
    }

    /// Cells where a mask is 1.
    #[must_use]
    pub fn of_mask(mask: Vec<u8>, width: usize) -> Walls<'static> {
        Walls::new(Cow::Owned(mask), 1, width)
    }

    fn new(plane: Cow<'a, [u8]>, wall: u8, width: usize) -> Self {
        let height = plane.len() / width;
        let obstacles = components_of(&plane, wall, width, height, Connectivity::Eight);
        Self { plane, wall, width, obstacles }
    }

    /// 1 for each wall cell, 0 elsewhere.
    #[must_use]
    pub fn mask(&self) -> Vec<u8> {
        self.plane.iter().map(|&cell| u8::from(cell == self.wall)).collect()
    }

    /// The connected obstacles.
    #[must_use]
    pub const fn obstacles(&self) -> &Components {
        &self.obstacles
    }

    #[must_use]
    pub const fn width(&self) -> usize {
        self.width
    }

    /// Number of wall cells.
    #[must_use]
    pub fn cells(&self) -> usize {
        self.obstacles.runs().map(|(_, run)| run.len()).sum()
    }

    /// Squared distance in cells from each of these cells to the nearest of the others, in image order.
    fn squared_distances_to(&self, others: &Walls) -> Result<Vec<u32>, Reason> {
        let (width, height) = (self.width, self.plane.len() / self.width);
        let mut distances = Vec::with_capacity(self.cells());
        let mut runs = self.obstacles.runs().map(|(_, run)| run).peekable();
        let reached = squared_distance_rows(&others.plane, others.wall, width, height, |row, squared| {
            while let Some(run) = runs.next_if(|run| run.start < (row + 1) * width) {
                distances.extend_from_slice(&squared[run.start - row * width..run.end - row * width]);
            }
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

/// One number out of both directions (truth to map, map to truth), as a score in metres with its facts.
///
/// # Errors
/// There are no maps to compare, or one of them has no occupied cell.
pub fn score_of(
    case: &Case,
    summarise_cells: impl Fn(&Distances, &Distances) -> f64,
) -> Result<Score, Undefined> {
    let distances = case.wall_distances()?;
    let value_cells = summarise_cells(&distances.truth_to_map, &distances.map_to_truth);
    let cell_size_m = case.grids()?.geometry().cell_size_m();
    Ok(Score::new(value_cells * cell_size_m)
        .with("value_cells", value_cells)
        .with_all(distances.facts(cell_size_m))
        .with("coverage", case.coverage()?))
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

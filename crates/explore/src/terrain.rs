//! What driving over each cell costs: where a robot may be, how far the walls are, how uncomfortable it is.

use model::{CellClass, GridGeometry};
use raster::euclidean::{EuclideanError, squared_distances};

use crate::discomfort::UnknownIs;
use crate::{Discomfort, ExploreError};

/// Costs of the cells of a map.
#[derive(Clone, Debug)]
pub struct Terrain {
    geometry: GridGeometry,
    params: Discomfort,
    free: Vec<bool>,
    /// Squared distance to the nearest obstacle in cells; [`NO_OBSTACLE`] if there is none.
    squared_clearance: Vec<u32>,
    /// Discomfort in units of the formula; infinite where the robot may not be.
    danger: Vec<f64>,
}

/// Squared clearances below this have their discomfort in a table: up to 64 cells.
const NEAR: u32 = 64 * 64;
/// The squared clearance of a map without obstacles.
const NO_OBSTACLE: u32 = u32::MAX;

impl Terrain {
    /// The costs of a map.
    ///
    /// # Errors
    /// A parameter out of its range, another number of cells, or a map too large for exact distances.
    pub fn of(
        geometry: &GridGeometry,
        classes: &[CellClass],
        params: &Discomfort,
    ) -> Result<Self, ExploreError> {
        params.check()?;
        if classes.len() != geometry.cells() {
            return Err(ExploreError::Size { found: classes.len(), expected: geometry.cells() });
        }
        let is_obstacle = |class: CellClass| match class {
            CellClass::Free => false,
            CellClass::Occupied => true,
            CellClass::Unknown => params.unknown_is == UnknownIs::Obstacle,
        };
        let obstacles: Vec<u8> = classes.iter().map(|&class| u8::from(is_obstacle(class))).collect();
        let squared_clearance = match squared_distances(&obstacles, 1, geometry.width(), geometry.height()) {
            Ok(squared) => squared,
            Err(EuclideanError::NoSuchCell { .. }) => vec![NO_OBSTACLE; classes.len()],
            Err(error) => return Err(error.into()),
        };
        let free: Vec<bool> = classes.iter().map(|&class| class == CellClass::Free).collect();
        let at = |squared: u32| params.at(cells_of(squared), geometry.cell_size_m());
        let near: Vec<f64> = (0..NEAR).map(at).collect();
        let danger = free.iter().zip(&squared_clearance).map(|(&is_free, &squared)| match is_free {
            true => near.get(squared as usize).copied().unwrap_or_else(|| at(squared)),
            false => f64::INFINITY,
        });
        let danger = danger.collect();
        Ok(Self { geometry: *geometry, params: *params, free, squared_clearance, danger })
    }

    /// Discomfort of all cells in image order.
    pub(crate) fn dangers(&self) -> &[f64] {
        &self.danger
    }

    /// Which cells are free, in image order.
    pub(crate) fn free(&self) -> &[bool] {
        &self.free
    }

    /// Size and place of the map.
    #[must_use]
    pub const fn geometry(&self) -> &GridGeometry {
        &self.geometry
    }

    #[must_use]
    pub const fn params(&self) -> &Discomfort {
        &self.params
    }

    #[must_use]
    pub const fn width(&self) -> usize {
        self.geometry.width()
    }

    #[must_use]
    pub const fn height(&self) -> usize {
        self.geometry.height()
    }

    /// Whether a cell is free.
    #[must_use]
    pub fn is_free(&self, cell: usize) -> bool {
        self.free[cell]
    }

    /// Whether the robot may be on a cell: free, and far enough from walls.
    #[must_use]
    pub fn is_safe(&self, cell: usize) -> bool {
        self.danger[cell].is_finite()
    }

    /// Distance to the nearest obstacle in cells; infinite without obstacles.
    #[must_use]
    pub fn clearance_cells(&self, cell: usize) -> f64 {
        cells_of(self.squared_clearance[cell])
    }

    /// Distance to the nearest obstacle in metres; infinite without obstacles.
    #[must_use]
    pub fn clearance_m(&self, cell: usize) -> f64 {
        self.clearance_cells(cell) * self.geometry.cell_size_m()
    }

    /// Discomfort of a cell, infinite where the robot may not be.
    #[must_use]
    pub fn danger(&self, cell: usize) -> f64 {
        self.danger[cell]
    }

    /// Lets the robot leave a start that is too close to an obstacle: the start, and the free cells around it that
    /// are no closer, count as if they were at `d_min`.
    ///
    /// Departure: N-ET says so of the start cell alone; on fine grids the next cell is too close as well.
    pub fn allow_leaving(&mut self, start: usize) {
        if !self.free[start] || self.is_safe(start) {
            return;
        }
        let cell_size_m = self.geometry.cell_size_m();
        let at_limit = self.params.at_any_distance(self.params.d_min_m / cell_size_m, cell_size_m);
        let reach = (2.0 * self.params.d_min_m / cell_size_m).ceil() as usize;
        let (width, height) = (self.width(), self.height());
        let least = self.squared_clearance[start];
        self.danger[start] = at_limit;
        let mut front = vec![start];
        for _ in 0..reach {
            let mut next = Vec::new();
            for cell in front {
                for beside in raster::neighbours::beside(cell, width, width * height) {
                    let is_new = self.free[beside] && !self.is_safe(beside);
                    if is_new && self.squared_clearance[beside] >= least {
                        self.danger[beside] = at_limit;
                        next.push(beside);
                    }
                }
            }
            front = next;
        }
    }
}

fn cells_of(squared: u32) -> f64 {
    if squared == NO_OBSTACLE { f64::INFINITY } else { f64::from(squared).sqrt() }
}

#[cfg(test)]
mod tests {
    use testkit::grid;

    use super::*;

    #[test]
    fn unknown_cells_are_obstacles_only_if_asked() {
        let map = grid(["?..#"]);
        let terrain = |unknown_is| {
            let params = Discomfort { d_min_m: 2.0, d_opt_m: 2.0, unknown_is, ..Discomfort::default() };
            Terrain::of(map.geometry(), map.classes(), &params).unwrap()
        };
        assert_eq!([1, 2].map(|c| terrain(UnknownIs::Open).is_safe(c)), [true, false]);
        assert_eq!([1, 2].map(|c| terrain(UnknownIs::Obstacle).is_safe(c)), [false, false]);
    }

    #[test]
    fn without_obstacles_nothing_is_uncomfortable() {
        let map = grid(["..?"]);
        let terrain = Terrain::of(map.geometry(), map.classes(), &Discomfort::default()).unwrap();
        assert_eq!((terrain.danger(0), terrain.clearance_cells(0)), (0.0, f64::INFINITY));
        assert!(!terrain.is_safe(2));
    }

    #[test]
    fn leaving_goes_only_where_it_is_no_closer() {
        let map = grid(["#......"]);
        let params = Discomfort { d_min_m: 3.0, d_opt_m: 5.0, ..Discomfort::default() };
        let mut terrain = Terrain::of(map.geometry(), map.classes(), &params).unwrap();
        terrain.allow_leaving(2);
        let danger: Vec<f64> = (0..7).map(|cell| terrain.danger(cell)).collect();
        assert_eq!(danger, [f64::INFINITY, f64::INFINITY, 4.0, 4.0, 1.0, 0.0, 1.0]);
        terrain.allow_leaving(0);
        assert!(!terrain.is_safe(0), "nobody stands in a wall");
    }

    #[test]
    fn another_size_is_refused() {
        let map = grid([".."]);
        assert!(Terrain::of(map.geometry(), &[CellClass::Free], &Discomfort::default()).is_err());
    }
}

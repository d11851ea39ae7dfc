//! Path extraction (N-PATH): from a cell along the cheapest neighbours to a frontier.
//!
//! Each step goes to the neighbour n that minimises step(c, n) + Φ(n), ties in image order. Picking the neighbour with
//! the smallest Φ alone would also end at a frontier, but may take a dearer path.

use model::Point2;
use raster::Steps;

use crate::{Terrain, Transform};

/// A path to a goal.
#[derive(Clone, Debug, PartialEq)]
pub struct Path {
    /// Cells from the start to the goal, both included, in image order of the plane.
    pub cells: Vec<u32>,
    /// The same as positions of the cell centres.
    pub points: Vec<Point2>,
    /// Straight and diagonal steps.
    pub steps: Steps,
    /// Length in metres.
    pub length_m: f64,
    /// Sum of the discomfort of all cells, in squared units of the formula.
    pub summed_danger: f64,
    /// Smallest distance to an obstacle between its ends (which are given), metres; of the ends where
    /// nothing lies between them, and none if the map has no obstacle.
    pub smallest_clearance_m: Option<f64>,
}

impl Path {
    /// The cheapest path from a cell; none if no goal can be reached from it.
    #[must_use]
    pub fn from(start: usize, transform: &Transform, terrain: &Terrain) -> Option<Self> {
        transform.phi(start)?;
        let mut cells = vec![start as u32];
        let mut at = start;
        while let Some(next) = transform.next(terrain, at) {
            cells.push(next as u32);
            at = next;
        }
        Some(Self::along(cells, terrain))
    }

    fn along(cells: Vec<u32>, terrain: &Terrain) -> Self {
        let geometry = terrain.geometry();
        let steps = Steps::along(&cells, terrain.width());
        let of_cells = || cells.iter().map(|&cell| cell as usize);
        let between = if cells.len() > 2 { &cells[1..cells.len() - 1] } else { &cells[..] };
        let clearances = between.iter().map(|&cell| terrain.clearance_cells(cell as usize));
        let clearance_cells = clearances.fold(f64::INFINITY, f64::min);
        Self {
            points: of_cells().map(|cell| geometry.center_of(geometry.cell_of(cell))).collect(),
            length_m: steps.length_cells() * geometry.cell_size_m(),
            summed_danger: of_cells().map(|cell| terrain.danger(cell)).sum(),
            smallest_clearance_m: clearance_cells
                .is_finite()
                .then(|| clearance_cells * geometry.cell_size_m()),
            steps,
            cells,
        }
    }

    #[must_use]
    pub fn target(&self) -> usize {
        self.cells.last().map_or(0, |&cell| cell as usize)
    }
}

//! Walls thinned to surfaces one cell thick, so that walls drawn thick and thin can be compared.
//!
//! Zhang-Suen thinning deletes a block of 2 x 2 cells entirely; an obstacle that would vanish keeps its first
//! cell in image order, so that no obstacle is lost.

use raster::components::{Connectivity, label};
use raster::thinning::zhang_suen;

use super::wall_distances::{WallDistances, Walls};
use crate::{AlignedGrids, Reason};

/// The surfaces of both maps, with how thick the walls were.
#[derive(Clone, Debug)]
pub struct Surfaces {
    /// Distances between the surfaces.
    pub distances: WallDistances,
    /// Mean thickness of the truth's walls in cells: occupied cells per surface cell.
    pub truth_thickness_cells: f64,
    /// Mean thickness of the map's walls in cells.
    pub map_thickness_cells: f64,
}

impl Surfaces {
    /// Thins both maps; each has at least one occupied cell.
    ///
    /// # Errors
    /// The window is too long for exact squared distances.
    pub fn of(grids: &AlignedGrids) -> Result<Self, Reason> {
        let (truth, map) = (Walls::of_truth(grids), Walls::of_map(grids));
        let (thin_truth, thin_map) = (surface(&truth), surface(&map));
        let cells = |walls: &Walls| walls.mask.iter().map(|&set| u64::from(set)).sum::<u64>() as f64;
        Ok(Self {
            truth_thickness_cells: cells(&truth) / cells(&thin_truth),
            map_thickness_cells: cells(&map) / cells(&thin_map),
            distances: WallDistances::between(&thin_truth, &thin_map)?,
        })
    }
}

/// The walls thinned to one cell; every connected obstacle keeps at least one.
fn surface(walls: &Walls) -> Walls {
    let (width, height) = (walls.width, walls.mask.len() / walls.width);
    let mut thin = walls.mask.clone();
    zhang_suen(&mut thin, width, height);
    let obstacles = label(&walls.mask, width, height, Connectivity::Eight);
    let mut survives = vec![false; obstacles.count as usize + 1];
    for (&set, &obstacle) in thin.iter().zip(&obstacles.labels) {
        survives[obstacle as usize] |= set == 1;
    }
    survives[0] = true;
    for (set, &obstacle) in thin.iter_mut().zip(&obstacles.labels) {
        if !survives[obstacle as usize] {
            survives[obstacle as usize] = true;
            *set = 1;
        }
    }
    Walls { mask: thin, width }
}

//! Walls thinned to surfaces one cell thick, so that walls drawn thick and thin can be compared.
//!
//! Zhang-Suen thinning deletes a block of 2 x 2 cells entirely; an obstacle that would vanish keeps its first
//! cell in image order, so that no obstacle is lost.

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
        let (truth, map) = (Walls::of(&grids.truth), Walls::of(&grids.map));
        let (thin_truth, thin_map) = (surface(&truth), surface(&map));
        let thickness = |thick: &Walls, thin: &Walls| thick.cells() as f64 / thin.cells() as f64;
        Ok(Self {
            truth_thickness_cells: thickness(&truth, &thin_truth),
            map_thickness_cells: thickness(&map, &thin_map),
            distances: WallDistances::between(&thin_truth, &thin_map)?,
        })
    }
}

/// The walls thinned to one cell; every connected obstacle keeps at least one.
fn surface(walls: &Walls) -> Walls<'static> {
    let mut thin = walls.mask();
    let height = thin.len() / walls.width();
    zhang_suen(&mut thin, walls.width(), height);
    let mut survives = vec![false; walls.obstacles().count() as usize + 1];
    for (obstacle, cells) in walls.obstacles().runs() {
        survives[obstacle as usize] |= thin[cells].contains(&1);
    }
    for (obstacle, cells) in walls.obstacles().runs() {
        if !survives[obstacle as usize] {
            survives[obstacle as usize] = true;
            thin[cells.start] = 1;
        }
    }
    Walls::of_mask(thin, walls.width())
}

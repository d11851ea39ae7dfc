//! Maps as tiles at halving resolutions, and the exact difference of a window: what a person looks at.

use std::sync::{Arc, OnceLock};

use align::Resample;
use model::{Grid, GridGeometry, MemoryNeed, Similarity2};
use raster::pooling::pool;
use raster::resample::resample_at;
use report::{OVERLAY_LEGEND, Rgb, overlay_entries, tile_png};

use crate::JobError;

/// Cells along the edge of a tile.
pub const TILE_CELLS: usize = 1024;

/// Bytes of a class: free, unknown, occupied.
const UNKNOWN: u8 = 1;

/// The colours of a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ink {
    /// Blue walls: what the map is laid on.
    Truth,
    /// Vermilion walls: the map that moves.
    Map,
    /// Black walls: a map alone.
    Plain,
}

impl Ink {
    /// Colours of free, unknown and occupied cells; unknown ones are transparent.
    pub(super) const fn palette(self) -> [Rgb; 3] {
        let unknown = [217, 217, 217];
        match self {
            Self::Truth => [[238, 243, 249], unknown, [27, 79, 138]],
            Self::Map => [[253, 241, 234], unknown, [200, 80, 30]],
            Self::Plain => [[255, 255, 255], unknown, [34, 34, 34]],
        }
    }
}

/// A map at halving resolutions. Levels below the first are made when somebody looks at them.
#[derive(Debug)]
pub struct TiledMap {
    grid: Arc<Grid>,
    coarser: Vec<OnceLock<Plane>>,
}

#[derive(Debug)]
struct Plane {
    width: usize,
    height: usize,
    classes: Vec<u8>,
}

impl TiledMap {
    /// The levels of a map.
    #[must_use]
    pub fn new(grid: Arc<Grid>) -> Self {
        let side = grid.geometry().width().max(grid.geometry().height());
        let levels = (0..usize::BITS).find(|level| side.div_ceil(1 << level) <= TILE_CELLS).unwrap_or(0);
        Self { grid, coarser: (0..levels).map(|_| OnceLock::new()).collect() }
    }

    /// Number of levels: the last one fits into one tile.
    #[must_use]
    pub fn levels(&self) -> usize {
        self.coarser.len() + 1
    }

    /// One tile as a PNG of one pixel per pooled cell; none outside of the map. Column 0 and row 0 are the upper left.
    ///
    /// # Errors
    /// The image cannot be encoded.
    pub fn tile(
        &self,
        level: usize,
        column: usize,
        row: usize,
        ink: Ink,
    ) -> Result<Option<Vec<u8>>, JobError> {
        let Some((width, height, classes)) = self.plane(level) else { return Ok(None) };
        let start = |index: usize| index.checked_mul(TILE_CELLS);
        let (Some(left), Some(top)) = (start(column), start(row)) else { return Ok(None) };
        if left >= width || top >= height {
            return Ok(None);
        }
        let (right, bottom) = ((left + TILE_CELLS).min(width), (top + TILE_CELLS).min(height));
        let rows = classes.chunks_exact(width).skip(top).take(bottom - top);
        let cells: Vec<u8> = rows.flat_map(|row| &row[left..right]).copied().collect();
        Ok(Some(tile_png(&ink.palette(), Some(UNKNOWN), &cells, right - left, bottom - top)?))
    }

    fn plane(&self, level: usize) -> Option<(usize, usize, &[u8])> {
        let geometry = self.grid.geometry();
        let Some(above) = level.checked_sub(1) else {
            return Some((geometry.width(), geometry.height(), self.grid.class_bytes()));
        };
        let slot = self.coarser.get(above)?;
        if slot.get().is_none() {
            let (width, height, finer) = self.plane(above)?;
            let (width, height, classes) = pool(finer.chunks_exact(width), width, height, 2);
            slot.get_or_init(|| Plane { width, height, classes });
        }
        slot.get().map(|plane| (plane.width, plane.height, plane.classes.as_slice()))
    }
}

/// The exact nine-colour picture of a window: one pixel per cell of it, in the frame of the truth. Each map comes with its place
/// in that frame; what is below takes the part of the truth.
///
/// # Errors
/// A window or a transform that leaves no cell, or too little memory.
pub fn difference_tile(
    below: (&Grid, Similarity2),
    map: (&Grid, Similarity2),
    window: &GridGeometry,
) -> Result<Vec<u8>, JobError> {
    let refused = |source| JobError::CommonGrid { map: String::new(), source };
    MemoryNeed::new(window.cells(), 64).check().map_err(|over| refused(over.into()))?;
    let onto = |(grid, truth_from_grid): (&Grid, Similarity2)| -> Result<Grid, JobError> {
        let place =
            grid.geometry().moved_by(truth_from_grid).checked().map_err(|error| refused(error.into()))?;
        let found = resample_at(grid, &place, window, Resample::OccupiedWins);
        Ok(found.map_err(|error| refused(error.into()))?.grid)
    };
    let colours = OVERLAY_LEGEND.map(|(colour, _)| colour);
    Ok(tile_png(
        &colours,
        None,
        &overlay_entries(&onto(below)?, &onto(map)?)?,
        window.width(),
        window.height(),
    )?)
}

#[cfg(test)]
mod tests {
    use model::Pose2;
    use testkit::{grid, grid_at};

    use super::*;

    #[test]
    fn levels_halve_until_one_tile_holds_all() {
        let wide = |width: usize| {
            let geometry = GridGeometry::new(width, 2, 0.1, Pose2::IDENTITY).unwrap();
            TiledMap::new(Arc::new(Grid::new(geometry, vec![model::CellClass::Occupied; 2 * width]).unwrap()))
        };
        assert_eq!([3, 1024, 1025, 2049, 4000].map(|width| wide(width).levels()), [1, 1, 2, 3, 3]);
        let map = wide(2049);
        let is_there = |level, column, row| map.tile(level, column, row, Ink::Plain).unwrap().is_some();
        assert!(is_there(0, 2, 0) && !is_there(0, 3, 0) && !is_there(0, 0, 1) && !is_there(3, 0, 0));
        assert!(is_there(1, 1, 0) && is_there(2, 0, 0) && !is_there(0, usize::MAX, 0));
    }

    #[test]
    fn a_wall_stays_a_wall_at_every_level() {
        let map = TiledMap::new(Arc::new(grid(["..", ".#"])));
        let (.., finest) = map.plane(0).unwrap();
        assert_eq!(finest, [0, 0, 0, 2]);
        let (width, height, classes) = pool(finest.chunks_exact(2), 2, 2, 2);
        assert_eq!((width, height, classes), (1, 1, vec![2]));
    }

    #[test]
    fn the_difference_of_a_map_with_itself_has_no_error() {
        let map = grid_at(["#.", "?#"], 1.0, Pose2::IDENTITY);
        let window = *map.geometry();
        let here = (&map, Similarity2::IDENTITY);
        let beside = (&map, Similarity2::new(1.0, 0.0, 0.0, 1.0));
        let same = difference_tile(here, here, &window).unwrap();
        assert_ne!(same, difference_tile(here, beside, &window).unwrap());
        assert_ne!(same, difference_tile(beside, here, &window).unwrap());
        let nowhere = (&map, Similarity2::new(f64::NAN, 0.0, 0.0, 1.0));
        assert!(difference_tile(here, nowhere, &window).is_err());
    }
}

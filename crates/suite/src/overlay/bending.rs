//! The map as a polynomial bends it: what it looks like on the truth, and Psi after bending.

use align::Resample;
use align::warp::Warp;
use model::{CellClass, Grid, GridGeometry, Point2, Pose2, Similarity2};
use raster::resample::resample;
use report::tile_png;

use super::tiles::Ink;
use super::{OverlayPair, Precision};
use crate::{JobError, Loaded, Map};

/// Cells of the picture, at most about.
const PICTURE_CELLS: f64 = 1e6;
/// How closely the source of a cell is found, in cells.
const TOLERANCE_CELLS: f64 = 1e-2;

/// A bent map over the extent of the truth, in the axes of the frame of the truth.
#[derive(Clone, Debug, PartialEq)]
pub struct BentPicture {
    /// Image similarity of the bent map in the cells of the picture; none where it is undefined.
    pub psi_after: Option<f64>,
    /// Size and place of the picture.
    pub window: GridGeometry,
    /// The picture, one pixel per cell, unknown cells transparent.
    pub png: Vec<u8>,
}

impl OverlayPair {
    /// Bends the map onto the truth. No wall vanishes: where the cells of the picture are larger, occupied wins.
    ///
    /// # Errors
    /// Maps between which there is nothing to draw.
    pub fn bend(&self, warp: &Warp) -> Result<BentPicture, JobError> {
        let refused = |source: align::CommonGridError| JobError::CommonGrid { map: String::new(), source };
        let (truth, map) = (&self.truth().value.grid, &self.map().value.grid);
        let window = window_of(truth.geometry()).map_err(|error| refused(error.into()))?;
        let coarse =
            coarse_geometry(map.geometry(), window.cell_size_m()).map_err(|error| refused(error.into()))?;
        let onto = |grid: &Grid, cells: &GridGeometry| {
            resample(grid, cells, Resample::OccupiedWins).map_err(|error| refused(error.into()))
        };
        let (below, source) = (onto(truth, &window)?.grid, onto(map, &coarse)?.grid);
        let bent = bent_grid(&source, warp, &window).map_err(|error| refused(error.into()))?;
        let png =
            tile_png(&Ink::Map.palette(), Some(1), bent.class_bytes(), window.width(), window.height())?;
        let loaded = |grid: Grid| Loaded::in_memory(Map::new(grid));
        let numbers = Self::new(loaded(bent), loaded(below)).live(Similarity2::IDENTITY, Precision::Exact)?;
        let psi_after =
            numbers.numbers.iter().find(|number| number.id == "image_similarity").and_then(|n| n.value);
        Ok(BentPicture { psi_after, window, png })
    }
}

/// The extent of a grid along the axes of its frame, in cells so large that they are not too many.
fn window_of(truth: &GridGeometry) -> Result<GridGeometry, model::GeometryError> {
    let (width, height) = (truth.width() as f64, truth.height() as f64);
    let corners: [Point2; 4] = [(0.0, 0.0), (width, 0.0), (0.0, height), (width, height)]
        .map(|(right, up)| truth.world_of_grid_point(right, up));
    let low = |of: fn(&Point2) -> f64| corners.iter().map(of).fold(f64::INFINITY, f64::min);
    let high = |of: fn(&Point2) -> f64| corners.iter().map(of).fold(f64::NEG_INFINITY, f64::max);
    let (west, south) = (low(|p| p.x_m), low(|p| p.y_m));
    let (wide_m, high_m) = (high(|p| p.x_m) - west, high(|p| p.y_m) - south);
    let factor = (wide_m * high_m / truth.cell_size_m().powi(2) / PICTURE_CELLS).sqrt().ceil().max(1.0);
    let cell_m = truth.cell_size_m() * factor;
    let cells = |length_m: f64| ((length_m / cell_m - 1e-6).ceil() as usize).max(1);
    GridGeometry::new(cells(wide_m), cells(high_m), cell_m, Pose2::new(west, south, 0.0))
}

/// The extent of a map in cells of another size, not smaller than its own.
fn coarse_geometry(map: &GridGeometry, cell_m: f64) -> Result<GridGeometry, model::GeometryError> {
    let cell_m = cell_m.max(map.cell_size_m());
    let cells = |count: usize| (count as f64 * map.cell_size_m() / cell_m - 1e-6).ceil() as usize;
    GridGeometry::new(cells(map.width()).max(1), cells(map.height()).max(1), cell_m, map.origin())
}

/// By cell of the window, the class of the map at the place that the polynomial sends there.
fn bent_grid(map: &Grid, warp: &Warp, window: &GridGeometry) -> Result<Grid, model::GridError> {
    let geometry = map.geometry();
    let tolerance_m = TOLERANCE_CELLS * geometry.cell_size_m();
    let in_map = warp.inverse(tolerance_m);
    let class_at = |index: usize| {
        let source = in_map(window.center_of(window.cell_of(index)))?;
        Some(map.classes()[geometry.index_of(geometry.cell_at(source)?)])
    };
    let classes = (0..window.cells()).map(|index| class_at(index).unwrap_or(CellClass::Unknown));
    Grid::new(*window, classes.collect())
}

#[cfg(test)]
mod tests {
    use align::closed_form::PointPair;
    use align::warp::fit_warp;
    use testkit::grid_at;

    use super::*;

    fn pair(grid: &Grid) -> OverlayPair {
        let loaded = || Loaded::in_memory(Map::new(grid.clone()));
        OverlayPair::new(loaded(), loaded())
    }

    fn pairs(moved: impl Fn(f64, f64) -> (f64, f64)) -> Vec<PointPair> {
        let places = (0..4).flat_map(|i| (0..3).map(move |j| (f64::from(i), f64::from(j))));
        let pair = |(x, y): (f64, f64)| {
            let (u, v) = moved(x, y);
            PointPair { in_map: Point2::new(x, y), in_truth: Point2::new(u, v) }
        };
        places.map(pair).collect()
    }

    #[test]
    fn a_map_that_need_not_bend_lies_on_itself() {
        let rooms = testkit::seven_rooms(Pose2::IDENTITY);
        let warp = fit_warp(&pairs(|x, y| (x, y)), 2).unwrap();
        let bent = pair(&rooms).bend(&warp).unwrap();
        assert_eq!(bent.psi_after, Some(0.0));
        assert_eq!(
            (bent.window.width(), bent.window.height()),
            (rooms.geometry().width(), rooms.geometry().height())
        );
        let moved = fit_warp(&pairs(|x, y| (x + 0.3, y + 0.05 * x * x)), 2).unwrap();
        assert!(pair(&rooms).bend(&moved).unwrap().psi_after > Some(0.0));
    }

    #[test]
    fn the_window_of_a_turned_truth_holds_it_and_a_large_one_has_larger_cells() {
        let turned = grid_at(["....", "...."], 1.0, Pose2::new(0.0, 0.0, std::f64::consts::FRAC_PI_2));
        let window = window_of(turned.geometry()).unwrap();
        assert_eq!((window.width(), window.height()), (2, 4));
        assert!((window.origin().x_m + 2.0).abs() < 1e-9);
        let large = GridGeometry::new(4000, 4000, 0.05, Pose2::IDENTITY).unwrap();
        assert_eq!(window_of(&large).unwrap().width(), 1000);
    }
}

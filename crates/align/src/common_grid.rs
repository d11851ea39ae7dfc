//! Two maps on one grid: the window that is compared, and both maps resampled onto it.
//!
//! Cells are always the truth's: its cell size and its yaw. The default window is the extent of the truth,
//! so that all maps of a set are judged over the same number of cells (Balaguer et al. 2009, tables 1, 2).

use std::sync::Arc;

use model::{GeometryError, Grid, GridError, GridGeometry, MemoryNeed, OverMemory, Pose2, Similarity2};
use raster::resample::{Resample, resample_at};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Which cells are compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum Window {
    /// The extent of the ground truth. Project default.
    #[default]
    Truth,
    /// The smallest extent that holds both maps.
    Union,
    /// The part of the truth's extent that the map reaches.
    Intersection,
}

/// Why there is no common grid.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum CommonGridError {
    /// Map and truth do not touch, and the window is their intersection.
    #[error("the map lies outside the truth: their intersection is empty")]
    EmptyWindow,
    /// The window has no sensible size.
    #[error("the common window: {0}")]
    Geometry(#[from] GeometryError),
    /// The window has more cells than fit into memory.
    #[error("the common window: {0}")]
    Memory(#[from] OverMemory),
    /// A plane did not fit its grid.
    #[error("the common window: {0}")]
    Grid(#[from] GridError),
}

impl CommonGridError {
    /// A name for programs; it never changes.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::EmptyWindow => "EMPTY_WINDOW",
            Self::Geometry(error) => error.code(),
            Self::Memory(_) => "OVER_MEMORY",
            Self::Grid(error) => error.code(),
        }
    }
}

/// A ground truth and a map on identical cells.
#[derive(Clone, Debug, PartialEq)]
pub struct AlignedGrids {
    pub truth: Arc<Grid>,
    pub map: Arc<Grid>,
    /// Free cells of the map outside the window; they are not scored.
    pub outside_free: u64,
    /// Occupied cells of the map outside the window; they are not scored.
    pub outside_occupied: u64,
}

impl AlignedGrids {
    /// The cells both maps share.
    pub fn geometry(&self) -> &GridGeometry {
        self.truth.geometry()
    }

    /// Number of compared cells.
    pub fn cells(&self) -> usize {
        self.geometry().cells()
    }
}

/// Brings both maps onto the cells of the window.
///
/// # Errors
/// An empty intersection, a union too large to hold, a transform that leaves no cell size or place.
pub fn common_grid(
    truth: &Arc<Grid>,
    map: &Arc<Grid>,
    truth_from_map: impl Into<Similarity2>,
    window: Window,
    rule: Resample,
) -> Result<AlignedGrids, CommonGridError> {
    let map_in_truth = map.geometry().moved_by(truth_from_map).checked()?;
    let cells = window_cells(truth.geometry(), &map_in_truth, window)?;
    let on_window = |grid: &Arc<Grid>, place: GridGeometry| -> Result<_, CommonGridError> {
        if place.same_cells_as(&cells) {
            return Ok((Arc::clone(grid), 0, 0));
        }
        MemoryNeed::new(cells.cells(), window_bytes(grid)).check()?;
        let result = resample_at(grid, &place, &cells, rule)?;
        Ok((Arc::new(result.grid), result.outside_free, result.outside_occupied))
    };
    let (truth, _, _) = on_window(truth, *truth.geometry())?;
    let (map, outside_free, outside_occupied) = on_window(map, map_in_truth)?;
    Ok(AlignedGrids { truth, map, outside_free, outside_occupied })
}

/// What resampling takes per cell of the window: who decides the cell, and the planes of the result.
fn window_bytes(grid: &Grid) -> u64 {
    match (grid.probabilities(), grid.navigation()) {
        (None, None) => 4,
        (None, Some(_)) => 16,
        (Some(_), _) => 32,
    }
}

/// The compared cells: the truth's grid, grown or cut by whole cells.
fn window_cells(
    truth: &GridGeometry,
    map: &GridGeometry,
    window: Window,
) -> Result<GridGeometry, CommonGridError> {
    if window == Window::Truth {
        return Ok(*truth);
    }
    let (left, right, bottom, top) = extent_in(truth, map);
    let (width, height) = (truth.width() as f64, truth.height() as f64);
    let (left, right, bottom, top) = match window {
        Window::Union => (left.min(0.0), right.max(width), bottom.min(0.0), top.max(height)),
        _ => (left.max(0.0), right.min(width), bottom.max(0.0), top.min(height)),
    };
    if right <= left || top <= bottom {
        return Err(CommonGridError::EmptyWindow);
    }
    let corner = truth.world_of_grid_point(left, bottom);
    let origin = Pose2::new(corner.x_m, corner.y_m, truth.origin().theta_rad);
    Ok(GridGeometry::new((right - left) as usize, (top - bottom) as usize, truth.cell_size_m(), origin)?)
}

/// Bounding box of a grid in whole cells of another: left, right, bottom, top.
fn extent_in(frame: &GridGeometry, grid: &GridGeometry) -> (f64, f64, f64, f64) {
    // A corner this close to a border lies on it; otherwise rounding would add a row of empty cells.
    const BORDER_CELLS: f64 = 1e-6;
    let (w, h) = (grid.width() as f64, grid.height() as f64);
    let corners = [(0.0, 0.0), (w, 0.0), (0.0, h), (w, h)]
        .map(|(right, up)| frame.grid_point_of_world(grid.world_of_grid_point(right, up)));
    let low = |of: fn(&(f64, f64)) -> f64| corners.iter().map(of).fold(f64::INFINITY, f64::min);
    let high = |of: fn(&(f64, f64)) -> f64| corners.iter().map(of).fold(f64::NEG_INFINITY, f64::max);
    let (floor, ceil) = (|v: f64| (v + BORDER_CELLS).floor(), |v: f64| (v - BORDER_CELLS).ceil());
    (floor(low(|c| c.0)), ceil(high(|c| c.0)), floor(low(|c| c.1)), ceil(high(|c| c.1)))
}

#[cfg(test)]
mod tests {
    use testkit::{grid_at, rows};

    use super::*;

    fn at(rows: &[&str], x_m: f64, y_m: f64) -> Arc<Grid> {
        Arc::new(grid_at(rows, 1.0, Pose2::new(x_m, y_m, 0.0)))
    }

    fn together(
        truth: &Arc<Grid>,
        map: &Arc<Grid>,
        window: Window,
    ) -> Result<(Vec<String>, Vec<String>), CommonGridError> {
        let grids = common_grid(truth, map, Pose2::IDENTITY, window, Resample::OccupiedWins)?;
        Ok((rows(&grids.truth), rows(&grids.map)))
    }

    #[test]
    fn equal_grids_are_shared_and_not_copied() {
        let (truth, map) = (at(&["#."], 0.0, 0.0), at(&[".#"], 0.0, 0.0));
        let grids =
            common_grid(&truth, &map, Pose2::IDENTITY, Window::Truth, Resample::OccupiedWins).unwrap();
        assert!(Arc::ptr_eq(&grids.truth, &truth) && Arc::ptr_eq(&grids.map, &map));
    }

    #[test]
    fn windows_follow_their_names() {
        let (truth, map) = (at(&["#.", ".#"], 0.0, 0.0), at(&["##", "##"], 1.0, 1.0));
        let text = |rows: &[&str]| rows.iter().map(|r| (*r).to_owned()).collect::<Vec<_>>();
        let pair = |t: &[&str], m: &[&str]| Ok((text(t), text(m)));
        assert_eq!(together(&truth, &map, Window::Truth), pair(&["#.", ".#"], &["?#", "??"]));
        assert_eq!(together(&truth, &map, Window::Intersection), pair(&["."], &["#"]));
        assert_eq!(
            together(&truth, &map, Window::Union),
            pair(&["???", "#.?", ".#?"], &["?##", "?##", "???"])
        );
    }

    #[test]
    fn an_empty_intersection_is_said() {
        let (truth, map) = (at(&["#"], 0.0, 0.0), at(&["#"], 5.0, 0.0));
        assert_eq!(together(&truth, &map, Window::Intersection), Err(CommonGridError::EmptyWindow));
        assert_eq!(together(&truth, &map, Window::Truth).unwrap().1, ["?"], "disjoint reads as unknown");
    }

    #[test]
    fn the_transform_moves_the_map() {
        let (truth, map) = (at(&["#.."], 0.0, 0.0), at(&["#"], 7.0, 7.0));
        let truth_from_map = Pose2::new(-7.0, -7.0, 0.0);
        let grids = common_grid(&truth, &map, truth_from_map, Window::Truth, Resample::OccupiedWins).unwrap();
        assert_eq!(rows(&grids.map), ["#??"]);
    }

    #[test]
    fn a_scale_makes_the_cells_of_the_map_larger() {
        let (truth, map) = (at(&["....", "...."], 0.0, 0.0), at(&["#."], 0.0, 0.0));
        let doubled = Similarity2::new(0.0, 0.0, 0.0, 2.0);
        let grids = common_grid(&truth, &map, doubled, Window::Truth, Resample::OccupiedWins).unwrap();
        assert_eq!(rows(&grids.map), ["##..", "##.."]);
        for scale in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            let senseless = Similarity2::new(0.0, 0.0, 0.0, scale);
            let refused = common_grid(&truth, &map, senseless, Window::Truth, Resample::OccupiedWins);
            assert!(matches!(refused, Err(CommonGridError::Geometry(_))), "{scale}");
        }
    }

    #[test]
    fn a_union_beyond_all_bounds_is_refused() {
        let (truth, map) = (at(&["#"], 0.0, 0.0), at(&["#"], 9e8, 9e8));
        assert!(matches!(together(&truth, &map, Window::Union), Err(CommonGridError::Geometry(_))));
    }
}

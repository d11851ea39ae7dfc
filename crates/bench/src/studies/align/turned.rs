//! Maps under random rotations, and mirrored maps.

use std::f64::consts::TAU;

use model::{CellClass, Grid, GridGeometry, Point2, Pose2, Similarity2};
use raster::resample::{Resample, resample};

use crate::inputs::BenchError;

/// The map drawn on a canvas that is turned by an angle made from the seed, and the transform that did it.
pub fn turned(map: &Grid, seed: usize) -> Result<(Grid, Similarity2), BenchError> {
    let golden = 0.618_033_988_749_895;
    let theta_rad = ((seed + 1) as f64 * golden).fract() * TAU;
    let geometry = map.geometry();
    let (w, h) = (geometry.width() as f64, geometry.height() as f64);
    let moved_from_map = Similarity2::sending(
        geometry.world_of_grid_point(w / 2.0, h / 2.0),
        Point2::new(seed as f64, -2.0 * seed as f64),
        theta_rad,
        1.0,
    );
    let side = w.hypot(h).ceil();
    let half_m = side / 2.0 * geometry.cell_size_m();
    let origin = Pose2::new(seed as f64 - half_m, -2.0 * seed as f64 - half_m, 0.0);
    let canvas = GridGeometry::new(side as usize, side as usize, geometry.cell_size_m(), origin);
    let canvas = canvas.map_err(BenchError::no_value)?;
    let moved = Grid::clone(map).with_geometry(geometry.moved_by(moved_from_map));
    let drawn = moved.and_then(|moved| resample(&moved, &canvas, Resample::Nearest));
    Ok((drawn.map_err(BenchError::no_value)?.grid, moved_from_map))
}

/// The map with its columns from right to left.
pub fn mirrored(map: &Grid) -> Result<Grid, BenchError> {
    let mut classes = map.classes().to_vec();
    classes.chunks_exact_mut(map.geometry().width()).for_each(<[CellClass]>::reverse);
    Grid::new(*map.geometry(), classes).map_err(BenchError::no_value)
}

/// Corners of the box around the known cells, in metres.
pub fn known_corners(map: &Grid) -> [Point2; 4] {
    let geometry = map.geometry();
    let known = |index: &usize| map.classes()[*index].is_known();
    let cells = || (0..geometry.cells()).filter(known).map(|index| geometry.cell_of(index));
    let range = |axis: fn(model::Cell) -> usize| {
        (cells().map(axis).min().unwrap_or(0) as f64, cells().map(axis).max().unwrap_or(0) as f64 + 1.0)
    };
    let ((left, right), (bottom, top)) = (range(|cell| cell.i), range(|cell| cell.j));
    [(left, bottom), (right, bottom), (left, top), (right, top)]
        .map(|(x, y)| geometry.world_of_grid_point(x, y))
}

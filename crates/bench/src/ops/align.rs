//! `align` and `rotation_search`: the rigid transform from truth to map without a start.

use align::{Aligner, Correlative, MirrorTest};
use model::{Grid, Point2};
use serde_json::json;

use super::Outcome;
use crate::Arguments;
use crate::inputs::{BenchError, given};
use crate::measure::measure;

/// Runs the operation: the search without the mirror test, as a user calls it.
pub fn run(arguments: &Arguments) -> Outcome {
    let (truth, map) = (given(arguments, "truth")?, given(arguments, &arguments.map)?);
    let search = Correlative { mirror_test: MirrorTest::Skip, ..Correlative::default() };
    let (cost, alignment) = measure(arguments.seconds, || search.align(&truth, &map));
    let alignment = alignment.map_err(BenchError::no_value)?;
    let found = alignment.truth_from_map.ok_or_else(|| BenchError::no_value("align"))?;
    // Centre of the image and a point to its right, in image cells: p_M = R (p_G - c) + c + t.
    let map_from_truth = found.inverse();
    let moved = |column: f64, row: f64| image_point(&map, map_from_truth * world_point(&truth, column, row));
    let (cx, cy) =
        ((truth.geometry().width() as f64 - 1.0) / 2.0, (truth.geometry().height() as f64 - 1.0) / 2.0);
    let (center, right) = (moved(cx, cy), moved(cx + 1.0, cy));
    let rotation_deg = (right.1 - center.1).atan2(right.0 - center.0).to_degrees();
    Ok((cost, json!({"rotation_deg": rotation_deg, "tx": center.0 - cx, "ty": center.1 - cy})))
}

/// World position of image coordinates whose whole numbers are the middles of cells.
fn world_point(grid: &Grid, column: f64, row: f64) -> Point2 {
    grid.geometry().world_of_grid_point(column + 0.5, grid.geometry().height() as f64 - row - 0.5)
}

/// The inverse of [`world_point`].
fn image_point(grid: &Grid, point: Point2) -> (f64, f64) {
    let (right, up) = grid.geometry().grid_point_of_world(point);
    (right - 0.5, grid.geometry().height() as f64 - up - 0.5)
}

//! `rays`: ranges of a million rays on the occupied cells of the truth.

use model::CellClass;
use raster::grid_rays::{GridRay, RayGrid};
use serde_json::json;

use super::Outcome;
use crate::Arguments;
use crate::inputs::{given, records};
use crate::measure::measure;

/// Longest range in cells.
const MAX_RANGE_CELLS: f32 = 600.0;
/// Every so many rays one is shown.
const SAMPLE_EVERY: usize = 1000;

/// Runs the operation. Making the blocks of the grid is part of it.
pub fn run(arguments: &Arguments) -> Outcome {
    let map = given(arguments, &arguments.map)?;
    let (width, height) = (map.geometry().width(), map.geometry().height());
    // Rows of x, y, angle: little-endian f32.
    let numbers = records(&arguments.inputs.join("rays.f32"))?;
    let numbers: Vec<f32> = numbers.into_iter().map(f32::from_le_bytes).collect();
    let ray = |&[x, y, angle_rad]: &[f32; 3]| GridRay { x, y, angle_rad };
    let rays: Vec<GridRay> = numbers.as_chunks().0.iter().map(ray).collect();
    let mut ranges = Vec::new();
    let (cost, ()) = measure(arguments.seconds, || {
        let grid = RayGrid::new(map.class_bytes(), CellClass::Occupied as u8, width, height);
        grid.ranges_into(&rays, MAX_RANGE_CELLS, &mut ranges);
    });
    let mean = ranges.iter().map(|range| f64::from(*range)).sum::<f64>() / ranges.len().max(1) as f64;
    let sample: Vec<f32> = ranges.iter().step_by(SAMPLE_EVERY).copied().collect();
    Ok((cost, json!({ "mean": mean, "sample": sample })))
}

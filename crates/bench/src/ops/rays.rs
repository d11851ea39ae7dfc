//! `rays`: ranges of a million rays on the occupied cells of the truth.

use model::CellClass;
use raster::grid_rays::{GridRay, RayGrid};
use serde_json::{Value, json};

use crate::Arguments;
use crate::inputs::{BenchError, given};
use crate::measure::{Cost, measure};

/// Longest range in cells.
const MAX_RANGE_CELLS: f32 = 600.0;
/// Every so many rays one is shown.
const SAMPLE_EVERY: usize = 1000;

/// Runs the operation. Making the blocks of the grid is part of it.
pub fn run(arguments: &Arguments) -> Result<(Cost, Value), BenchError> {
    let map = given(arguments, &arguments.map)?;
    let (width, height) = (map.geometry().width(), map.geometry().height());
    let rays = read_rays(arguments)?;
    let mut ranges = Vec::new();
    let (cost, ()) = measure(arguments.seconds, || {
        let grid = RayGrid::new(map.class_bytes(), CellClass::Occupied as u8, width, height);
        grid.ranges_into(&rays, MAX_RANGE_CELLS, &mut ranges);
    });
    let mean = ranges.iter().map(|range| f64::from(*range)).sum::<f64>() / ranges.len().max(1) as f64;
    let sample: Vec<f32> = ranges.iter().step_by(SAMPLE_EVERY).copied().collect();
    Ok((cost, json!({ "mean": mean, "sample": sample })))
}

/// Rows of x, y, angle: little-endian f32.
fn read_rays(arguments: &Arguments) -> Result<Vec<GridRay>, BenchError> {
    let path = arguments.inputs.join("rays.f32");
    let bytes = std::fs::read(&path)
        .map_err(|error| BenchError::Description { path: path.clone(), reason: error.to_string() })?;
    let number = |chunk: &[u8; 4]| f32::from_le_bytes(*chunk);
    let (rows, _) = bytes.as_chunks::<12>();
    let ray = |row: &[u8; 12]| {
        let (numbers, _) = row.as_chunks::<4>();
        GridRay { x: number(&numbers[0]), y: number(&numbers[1]), angle_rad: number(&numbers[2]) }
    };
    Ok(rows.iter().map(ray).collect())
}

//! `edt`: plane of Euclidean distances to the nearest occupied cell of the map.

use raster::euclidean::distances_f32_into;
use serde_json::{Value, json};

use crate::Arguments;
use crate::inputs::{BenchError, states};
use crate::measure::{Cost, measure};

/// Runs the operation.
pub fn run(arguments: &Arguments) -> Result<(Cost, Value), BenchError> {
    let map = states(&arguments.inputs, &arguments.map)?;
    // The plane of distances is the caller's and is kept from call to call, as a context would be.
    let mut distances = vec![0.0; map.cells.len()];
    let (cost, outcome) = measure(arguments.seconds, || {
        distances_f32_into(&map.cells, 2, map.width, map.height, &mut distances)
    });
    outcome.map_err(|e| BenchError::Content { path: arguments.inputs.clone(), reason: e.to_string() })?;
    let squared = |&d: &f32| (f64::from(d) * f64::from(d)).round() as u32;
    let squared: Vec<u32> = distances.iter().map(squared).collect();
    let bytes: Vec<u8> = squared.iter().flat_map(|square| square.to_le_bytes()).collect();
    let value = json!({
        "sum_squared": squared.iter().map(|&square| u64::from(square)).sum::<u64>(),
        "max_squared": squared.iter().max(),
        "crc32": crc32fast::hash(&bytes),
    });
    Ok((cost, value))
}

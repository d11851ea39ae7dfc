//! `edt`: plane of Euclidean distances to the nearest occupied cell of the map.

use model::CellClass;
use raster::euclidean::distances_f32_into;
use serde_json::json;

use super::Outcome;
use crate::Arguments;
use crate::inputs::{BenchError, given};
use crate::measure::measure;

pub fn run(arguments: &Arguments) -> Outcome {
    let map = given(arguments, &arguments.map)?;
    let (width, height) = (map.geometry().width(), map.geometry().height());
    // The plane of distances is the caller's and is kept from call to call, as a context would be.
    let mut distances = vec![0.0; map.geometry().cells()];
    let (cost, outcome) = measure(arguments.seconds, || {
        distances_f32_into(map.class_bytes(), CellClass::Occupied as u8, width, height, &mut distances)
    });
    outcome.map_err(BenchError::no_value)?;
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

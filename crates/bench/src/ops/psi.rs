//! `psi`: picture distance of truth and map, city-block distances per state in both directions.

use raster::city_block::{ColourDistances, DirectedDistances, colour_distance_sums};
use serde_json::{Value, json};

use crate::Arguments;
use crate::inputs::{BenchError, states};
use crate::measure::{Cost, measure};

/// Runs the operation.
pub fn run(arguments: &Arguments) -> Result<(Cost, Value), BenchError> {
    let truth = states(&arguments.inputs, "truth")?;
    let map = states(&arguments.inputs, &arguments.map)?;
    let (cost, found) = measure(arguments.seconds, || {
        colour_distance_sums(&truth.cells, &map.cells, truth.width, truth.height, &[0, 1, 2])
    });
    Ok((cost, value_of(&found)))
}

/// The kit's fields; it promises that each state occurs in both maps.
pub fn value_of(found: &[ColourDistances]) -> Value {
    let both = |colour: &ColourDistances| [colour.truth_to_map, colour.map_to_truth];
    let directed: Vec<DirectedDistances> = found.iter().flat_map(both).flatten().collect();
    let mean = |d: &DirectedDistances| d.sum as f64 / d.count as f64;
    let occupied = &directed[directed.len().saturating_sub(2)..];
    let pooled_sum: u64 = occupied.iter().map(|d| d.sum).sum();
    let pooled_count: u64 = occupied.iter().map(|d| d.count).sum();
    json!({
        "image_similarity": directed.iter().map(mean).sum::<f64>(),
        "picture_distance": pooled_sum as f64 / pooled_count as f64,
        "sums": directed.iter().map(|d| d.sum).collect::<Vec<u64>>(),
    })
}

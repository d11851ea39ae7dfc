//! `path_one_source`: shortest lengths from the first endpoint to every free cell of the truth.

use model::CellClass;
use raster::Steps;
use raster::shortest_paths::{Diagonals, Roads};
use serde_json::{Value, json};

use crate::Arguments;
use crate::endpoints::endpoints;
use crate::inputs::{BenchError, given};
use crate::measure::{Cost, measure};

/// Runs the operation.
pub fn run(arguments: &Arguments) -> Result<(Cost, Value), BenchError> {
    let truth = given(arguments, "truth")?;
    let (width, height) = (truth.geometry().width(), truth.geometry().height());
    let mask: Vec<u8> = truth.classes().iter().map(|&class| u8::from(class == CellClass::Free)).collect();
    let no_value = || BenchError::NoValue("path_one_source".to_owned());
    let [x, y] = *endpoints(arguments)?.first().ok_or_else(no_value)?;
    // One who searches often keeps the plane.
    let mut buffer = Vec::new();
    let (cost, ()) = measure(arguments.seconds, || {
        let roads = Roads::in_buffer(std::mem::take(&mut buffer), &mask, width, height, Diagonals::Always);
        buffer = roads.lengths_from(y * width + x).into_buffer();
    });
    let lengths =
        Roads::in_buffer(buffer, &mask, width, height, Diagonals::Always).lengths_from(y * width + x);
    let reached = || (0..mask.len()).filter_map(|cell| lengths.steps_to(cell)).map(Steps::length_cells);
    let longest = reached().fold(0.0, f64::max);
    Ok((cost, json!({ "reached": reached().count(), "sum": reached().sum::<f64>(), "longest": longest })))
}

//! `skeleton_graph`: nodes and edges of the kit's skeleton picture, without pruning.

use raster::skeleton_graph::skeleton_graph;
use serde_json::{Value, json};

use crate::Arguments;
use crate::inputs::{BenchError, read};
use crate::measure::{Cost, measure};

/// Runs the operation.
pub fn run(arguments: &Arguments) -> Result<(Cost, Value), BenchError> {
    // A skeleton is drawn white on black, so that it reads as free cells.
    let picture = read(&arguments.inputs.join("skeleton.pgm"))?;
    let (width, height) = (picture.geometry().width(), picture.geometry().height());
    let skeleton: Vec<u8> = picture.class_bytes().iter().map(|&class| u8::from(class == 0)).collect();
    let (cost, graph) = measure(arguments.seconds, || skeleton_graph(&skeleton, width, height));
    Ok((cost, json!({ "components": graph.components(), "loops": graph.cycles() })))
}

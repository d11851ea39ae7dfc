//! `skeleton_graph`: nodes and edges of the kit's skeleton image, without pruning.

use raster::skeleton_graph::skeleton_graph;
use serde_json::json;

use super::Outcome;
use crate::Arguments;
use crate::inputs::read;
use crate::measure::measure;

pub fn run(arguments: &Arguments) -> Outcome {
    // A skeleton is drawn white on black, so that it reads as free cells.
    let image = read(&arguments.inputs.join("skeleton.pgm"))?;
    let (width, height) = (image.geometry().width(), image.geometry().height());
    let skeleton: Vec<u8> = image.class_bytes().iter().map(|&class| u8::from(class == 0)).collect();
    let (cost, graph) = measure(arguments.seconds, || skeleton_graph(&skeleton, width, height));
    Ok((cost, json!({ "components": graph.components(), "loops": graph.cycles() })))
}

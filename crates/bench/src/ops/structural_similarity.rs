//! `structural_similarity`: mean structural similarity of truth and map. An operation of ours, for which
//! the kit has no peer.

use model::Grid;
use raster::structural_similarity::mean_structural_similarity;
use serde_json::json;

use super::Outcome;
use crate::Arguments;
use crate::inputs::given;
use crate::measure::measure;

/// Runs the operation with grey values 254, 205 and 0, the kit's bytes.
pub fn run(arguments: &Arguments) -> Outcome {
    let [truth, map] = [given(arguments, "truth")?, given(arguments, &arguments.map)?];
    let (width, height) = (truth.geometry().width(), truth.geometry().height());
    let grey = |grid: &Grid| -> Vec<u8> {
        grid.class_bytes().iter().map(|&class| [254, 205, 0][usize::from(class)]).collect()
    };
    let (truth, map) = (grey(&truth), grey(&map));
    let (cost, similarity) =
        measure(arguments.seconds, || mean_structural_similarity(&truth, &map, width, height, 255.0));
    Ok((cost, json!({ "similarity": similarity })))
}

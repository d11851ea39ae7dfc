//! `pair_score`: from two files to all cell metrics and picture distances.

use serde_json::Value;

use crate::Arguments;
use crate::inputs::{BenchError, map_path, pair, read};
use crate::measure::{Cost, measure};
use crate::scores::{CELL_FIELDS, PICTURE_FIELDS, Scores};

/// Runs the operation.
pub fn run(arguments: &Arguments) -> Result<(Cost, Value), BenchError> {
    let [truth, map] = ["truth", &arguments.map].map(|name| map_path(arguments, name, "png"));
    let scores = Scores::new(&[CELL_FIELDS, PICTURE_FIELDS].concat())?;
    let (cost, values) = measure(arguments.seconds, || scores.evaluate(&pair(read(&truth)?, read(&map)?)));
    Ok((cost, values?.to_json().into()))
}

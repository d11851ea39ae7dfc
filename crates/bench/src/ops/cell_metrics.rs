//! `cell_metrics`: all cell metrics of truth and map.

use serde_json::Value;

use crate::Arguments;
use crate::inputs::{BenchError, given_pair};
use crate::measure::{Cost, measure};
use crate::scores::{CELL_FIELDS, Scores};

/// Runs the operation.
pub fn run(arguments: &Arguments) -> Result<(Cost, Value), BenchError> {
    let grids = given_pair(arguments)?;
    let scores = Scores::new(CELL_FIELDS)?;
    let (cost, values) = measure(arguments.seconds, || scores.evaluate(&grids));
    Ok((cost, values?.to_json().into()))
}

//! `psi`: picture distance of truth and map, city-block distances per state in both directions.

use serde_json::{Value, json};

use crate::Arguments;
use crate::inputs::{BenchError, given_pair};
use crate::measure::{Cost, measure};
use crate::scores::{PICTURE_FIELDS, Scores};

/// Runs the operation.
pub fn run(arguments: &Arguments) -> Result<(Cost, Value), BenchError> {
    let grids = given_pair(arguments)?;
    let scores = Scores::new(PICTURE_FIELDS)?;
    let (cost, values) = measure(arguments.seconds, || scores.evaluate(&grids));
    let values = values?;
    let colours = values.case.city_block_sums().map_err(|_| BenchError::NoValue("sums".to_owned()))?;
    let both_ways = colours.iter().flat_map(|colour| [colour.truth_to_map, colour.map_to_truth]);
    let sums: Vec<Option<u64>> = both_ways.map(|directed| directed.map(|d| d.sum)).collect();
    let mut value = values.to_json();
    value.insert("sums".to_owned(), json!(sums));
    Ok((cost, value.into()))
}

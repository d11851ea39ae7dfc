//! `cell_metrics`, `psi`, `pair_score`: metrics of truth and map, the last one from the files on.

use serde_json::json;

use super::Outcome;
use crate::Arguments;
use crate::inputs::{BenchError, given_pair, map_path, pair, read};
use crate::measure::measure;
use crate::scores::{CELL_FIELDS, PICTURE_FIELDS, Scores};

pub fn cell_metrics(arguments: &Arguments) -> Outcome {
    let (grids, scores) = (given_pair(arguments)?, Scores::new(CELL_FIELDS)?);
    let (cost, values) = measure(arguments.seconds, || scores.evaluate(&grids));
    Ok((cost, values?.to_json().into()))
}

/// City-block distances per state in both directions.
pub fn psi(arguments: &Arguments) -> Outcome {
    let (grids, scores) = (given_pair(arguments)?, Scores::new(PICTURE_FIELDS)?);
    let (cost, values) = measure(arguments.seconds, || scores.evaluate(&grids));
    let values = values?;
    let colours = values.case.city_block_sums().map_err(|_| BenchError::no_value("sums"))?;
    let directed = colours.iter().flat_map(|colour| [colour.truth_to_map, colour.map_to_truth]);
    let sums: Vec<Option<u64>> = directed.map(|directed| directed.map(|d| d.sum)).collect();
    let mut value = values.to_json();
    value.insert("sums".to_owned(), json!(sums));
    Ok((cost, value.into()))
}

pub fn pair_score(arguments: &Arguments) -> Outcome {
    let [truth, map] = ["truth", &arguments.map].map(|name| map_path(arguments, name, "png"));
    let scores = Scores::new(&[CELL_FIELDS, PICTURE_FIELDS].concat())?;
    let (cost, values) = measure(arguments.seconds, || scores.evaluate(&pair(read(&truth)?, read(&map)?)));
    Ok((cost, values?.to_json().into()))
}

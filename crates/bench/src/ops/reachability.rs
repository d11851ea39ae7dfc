//! `reachability`: which endpoints reach each other over free cells of the map.

use model::{CellClass, Grid};
use raster::components::{Connectivity, Labels, label};
use serde_json::{Value, json};

use crate::Arguments;
use crate::inputs::{BenchError, given};
use crate::measure::{Cost, measure};

/// Runs the operation.
pub fn run(arguments: &Arguments) -> Result<(Cost, Value), BenchError> {
    let map = given(arguments, &arguments.map)?;
    let endpoints = endpoints(arguments)?;
    let (cost, labels) = measure(arguments.seconds, || free_components(&map));
    Ok((cost, json!({ "groups": groups(&labels, &endpoints, map.geometry().width()) })))
}

/// A diagonal step is allowed whatever lies beside it, so cells that share a corner are connected.
fn free_components(map: &Grid) -> Labels {
    let is_free = |class: &CellClass| u8::from(*class == CellClass::Free);
    let mask: Vec<u8> = map.classes().iter().map(is_free).collect();
    label(&mask, map.geometry().width(), map.geometry().height(), Connectivity::Eight)
}

/// For each endpoint the first one in the same component, -1 if its cell is not free.
fn groups(labels: &Labels, endpoints: &[[usize; 2]], width: usize) -> Vec<i64> {
    let label_of = |[x, y]: [usize; 2]| labels.labels[y * width + x];
    let first_like = |&end: &[usize; 2]| match label_of(end) {
        0 => -1,
        label => endpoints.iter().position(|&other| label_of(other) == label).map_or(-1, |i| i as i64),
    };
    endpoints.iter().map(first_like).collect()
}

/// Endpoints as (column, row) from the kit's description of the truth.
fn endpoints(arguments: &Arguments) -> Result<Vec<[usize; 2]>, BenchError> {
    let path = arguments.inputs.join("truth.json");
    let described = |reason: String| BenchError::Description { path: path.clone(), reason };
    let text = std::fs::read_to_string(&path).map_err(|error| described(error.to_string()))?;
    let description: Value = serde_json::from_str(&text).map_err(|error| described(error.to_string()))?;
    let list = description["endpoints"].clone();
    serde_json::from_value(list).map_err(|error| described(format!("endpoints: {error}")))
}

//! `reachability`: which endpoints reach each other over free cells of the map.

use model::CellClass;
use raster::components::{Components, Connectivity, components_of};
use serde_json::{Value, json};

use crate::Arguments;
use crate::endpoints::endpoints;
use crate::inputs::{BenchError, given};
use crate::measure::{Cost, measure};

/// Runs the operation.
pub fn run(arguments: &Arguments) -> Result<(Cost, Value), BenchError> {
    let map = given(arguments, &arguments.map)?;
    let endpoints = endpoints(arguments)?;
    let (width, height) = (map.geometry().width(), map.geometry().height());
    let (cost, components) = measure(arguments.seconds, || {
        // A diagonal step is allowed whatever lies beside it: cells that share a corner are connected.
        components_of(map.class_bytes(), CellClass::Free as u8, width, height, Connectivity::Eight)
    });
    Ok((cost, json!({ "groups": groups(&components, &endpoints, width) })))
}

/// For each endpoint the first one in the same component, -1 if its cell is not free.
fn groups(components: &Components, endpoints: &[[usize; 2]], width: usize) -> Vec<i64> {
    let component_of = |&[x, y]: &[usize; 2]| components.component_at(y * width + x);
    let first_like = |end: &[usize; 2]| {
        let component = component_of(end)?;
        endpoints.iter().position(|other| component_of(other) == Some(component))
    };
    endpoints.iter().map(|end| first_like(end).map_or(-1, |index| index as i64)).collect()
}

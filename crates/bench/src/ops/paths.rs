//! `path_one_source`, `path_all_pairs`, `reachability`: shortest paths from and between the kit's end points.

use model::CellClass;
use raster::Steps;
use raster::components::{Components, Connectivity, components_of};
use raster::shortest_paths::{Diagonals, Roads};
use serde_json::json;

use super::Outcome;
use crate::Arguments;
use crate::inputs::{BenchError, endpoints, given, given_free};
use crate::measure::measure;

/// Shortest lengths from the first end point to every free cell of the truth.
pub fn one_source(arguments: &Arguments) -> Outcome {
    let (mask, width, height) = given_free(arguments, "truth")?;
    let [x, y] = *endpoints(arguments)?.first().ok_or_else(|| BenchError::no_value("path_one_source"))?;
    let lengths_in = |buffer| {
        Roads::in_buffer(buffer, &mask, width, height, Diagonals::Always).lengths_from(y * width + x)
    };
    // One who searches often keeps the plane.
    let mut buffer = Vec::new();
    let (cost, ()) = measure(arguments.seconds, || {
        buffer = lengths_in(std::mem::take(&mut buffer)).into_buffer();
    });
    let lengths = lengths_in(buffer);
    let reached = || (0..mask.len()).filter_map(|cell| lengths.steps_to(cell)).map(Steps::length_cells);
    let longest = reached().fold(0.0, f64::max);
    Ok((cost, json!({ "reached": reached().count(), "sum": reached().sum::<f64>(), "longest": longest })))
}

/// Shortest lengths between all pairs of end points over the free cells of the truth.
pub fn all_pairs(arguments: &Arguments) -> Outcome {
    let (mask, width, height) = given_free(arguments, "truth")?;
    let ends: Vec<usize> = endpoints(arguments)?.iter().map(|[x, y]| y * width + x).collect();
    let (cost, table) =
        measure(arguments.seconds, || Roads::new(&mask, width, height, Diagonals::Always).all_pairs(&ends));
    let lengths: Vec<f64> = table.iter().flatten().flatten().copied().map(Steps::length_cells).collect();
    Ok((cost, json!({ "pairs": lengths.len(), "sum": lengths.iter().sum::<f64>() })))
}

/// Which end points reach each other over free cells of the map.
pub fn reachability(arguments: &Arguments) -> Outcome {
    let (map, endpoints) = (given(arguments, &arguments.map)?, endpoints(arguments)?);
    let (width, height) = (map.geometry().width(), map.geometry().height());
    let (cost, components) = measure(arguments.seconds, || {
        // A diagonal step is allowed whatever lies beside it: cells that share a corner are connected.
        components_of(map.class_bytes(), CellClass::Free as u8, width, height, Connectivity::Eight)
    });
    Ok((cost, json!({ "groups": groups(&components, &endpoints, width) })))
}

/// For each end point the first one in the same component, -1 if its cell is not free.
fn groups(components: &Components, endpoints: &[[usize; 2]], width: usize) -> Vec<i64> {
    let component_of = |&[x, y]: &[usize; 2]| components.component_at(y * width + x);
    let first_like = |end: &[usize; 2]| {
        let component = component_of(end)?;
        endpoints.iter().position(|other| component_of(other) == Some(component))
    };
    endpoints.iter().map(|end| first_like(end).map_or(-1, |index| index as i64)).collect()
}

//! The operations, one topic per file: load, measure, and make the value that the kit compares.

mod align;
mod cell_metrics;
mod circles;
mod displacements;
mod edt;
mod icp;
mod load;
mod load_geotiff;
mod pair_score;
mod parse_log;
mod path_all_pairs;
mod path_one_source;
mod psi;
mod rays;
mod reachability;
mod skeleton;
mod skeleton_graph;
mod structural_similarity;

use serde_json::Value;

use crate::Arguments;
use crate::inputs::BenchError;
use crate::line::Line;
use crate::measure::Cost;

/// An operation: arguments in, cost and value out.
type Operation = fn(&Arguments) -> Result<(Cost, Value), BenchError>;

/// All operations by the kit's names.
const OPERATIONS: &[(&str, Operation)] = &[
    ("align", align::run),
    ("cell_metrics", cell_metrics::run),
    ("circles", circles::run),
    ("edt", edt::run),
    ("icp", icp::run),
    ("load_geotiff_deflate", load_geotiff::deflate),
    ("load_geotiff_lzw", load_geotiff::lzw),
    ("load_geotiff_none", load_geotiff::none),
    ("load_pgm", load::pgm),
    ("load_png", load::png),
    ("pair_score", pair_score::run),
    ("parse_log", parse_log::run),
    ("path_all_pairs", path_all_pairs::run),
    ("path_one_source", path_one_source::run),
    ("psi", psi::run),
    ("rays", rays::run),
    ("reachability", reachability::run),
    ("relations_ordered", displacements::ordered),
    ("relations_random", displacements::random),
    ("rotation_search", align::run),
    ("rpe", displacements::rpe),
    ("skeleton", skeleton::run),
    ("skeleton_graph", skeleton_graph::run),
    ("structural_similarity", structural_similarity::run),
];

/// Runs the operation that the arguments name.
pub fn run(arguments: &Arguments) -> Result<Line, BenchError> {
    let Some((_, operation)) = OPERATIONS.iter().find(|(name, _)| *name == arguments.op) else {
        let names: Vec<&str> = OPERATIONS.iter().map(|(name, _)| *name).collect();
        return Err(BenchError::UnknownOperation(arguments.op.clone(), names.join(", ")));
    };
    let (cost, value) = operation(arguments)?;
    let Arguments { op, size, map, .. } = arguments;
    Ok(Line { op: op.clone(), size: *size, map: map.clone(), cost, value })
}

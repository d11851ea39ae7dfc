//! The operations, one topic per file: load, measure, and make the value that the kit compares.

mod align;
mod circles;
mod displacements;
mod edt;
mod icp;
mod load;
mod metric_times;
mod parse_log;
mod particle_step;
mod paths;
mod rays;
mod scores;
mod skeleton;
mod skeleton_graph;
mod structural_similarity;

use serde_json::Value;

use crate::Arguments;
use crate::inputs::BenchError;
use crate::line::Line;
use crate::measure::Cost;

/// What an operation cost, and the value that the kit compares.
type Outcome = Result<(Cost, Value), BenchError>;

type Operation = fn(&Arguments) -> Outcome;

/// All operations by the kit's names.
const OPERATIONS: &[(&str, Operation)] = &[
    ("align", align::run),
    ("cell_metrics", scores::cell_metrics),
    ("circles", circles::run),
    ("edt", edt::run),
    ("icp", icp::run),
    ("load_geotiff_deflate", |arguments| load::geotiff(arguments, "deflate")),
    ("load_geotiff_lzw", |arguments| load::geotiff(arguments, "lzw")),
    ("load_geotiff_none", |arguments| load::geotiff(arguments, "none")),
    ("load_pgm", |arguments| load::map(arguments, "pgm")),
    ("load_png", |arguments| load::map(arguments, "png")),
    ("metric_times", metric_times::run),
    ("pair_score", scores::pair_score),
    ("parse_log", parse_log::run),
    ("particle_step", particle_step::run),
    ("path_all_pairs", paths::all_pairs),
    ("path_one_source", paths::one_source),
    ("psi", scores::psi),
    ("rays", rays::run),
    ("reachability", paths::reachability),
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

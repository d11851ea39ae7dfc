//! `load_png`, `load_pgm`: read a file and classify it.

use serde_json::{Value, json};

use crate::Arguments;
use crate::inputs::{BenchError, map_path, read};
use crate::measure::{Cost, measure};

/// Runs `load_png`.
pub fn png(arguments: &Arguments) -> Result<(Cost, Value), BenchError> {
    load(arguments, "png")
}

/// Runs `load_pgm`.
pub fn pgm(arguments: &Arguments) -> Result<(Cost, Value), BenchError> {
    load(arguments, "pgm")
}

fn load(arguments: &Arguments, extension: &str) -> Result<(Cost, Value), BenchError> {
    let path = map_path(arguments, &arguments.map, extension);
    let (cost, grid) = measure(arguments.seconds, || read(&path));
    let grid = grid?;
    let [free, unknown, occupied] = grid.class_counts();
    let crc32 = crc32fast::hash(grid.class_bytes());
    Ok((cost, json!({ "free": free, "unknown": unknown, "occupied": occupied, "crc32": crc32 })))
}

//! `circles`: barrels with radii of 6 to 12 cells, by the setting that people get.

use model::CellClass;
use raster::circles::outlines::{MIN_QUALITY, OutlineSearch, outlines};
use serde_json::json;

use super::Outcome;
use crate::Arguments;
use crate::inputs::{BenchError, given};
use crate::measure::measure;

/// What the kit's maps hold.
const SEARCH: OutlineSearch =
    OutlineSearch { min_radius_cells: 6.0, max_radius_cells: 12.0, min_quality: MIN_QUALITY };

pub fn run(arguments: &Arguments) -> Outcome {
    let map = given(arguments, &arguments.map)?;
    let width = map.geometry().width();
    let (cost, found) =
        measure(arguments.seconds, || outlines(map.class_bytes(), CellClass::Occupied as u8, width, &SEARCH));
    let found = found.map_err(BenchError::no_value)?;
    // The kit counts places from the middle of the first cell.
    let circles: Vec<[f64; 3]> =
        found.iter().map(|c| [c.x_cells - 0.5, c.y_cells - 0.5, c.radius_cells]).collect();
    Ok((cost, json!({ "circles": circles })))
}

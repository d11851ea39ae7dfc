//! `path_all_pairs`: shortest lengths between all pairs of endpoints over the free cells of the truth.

use model::CellClass;
use raster::Steps;
use raster::shortest_paths::{Diagonals, Roads};
use serde_json::{Value, json};

use crate::Arguments;
use crate::endpoints::endpoints;
use crate::inputs::{BenchError, given};
use crate::measure::{Cost, measure};

/// Runs the operation.
pub fn run(arguments: &Arguments) -> Result<(Cost, Value), BenchError> {
    let truth = given(arguments, "truth")?;
    let (width, height) = (truth.geometry().width(), truth.geometry().height());
    let mask: Vec<u8> = truth.classes().iter().map(|&class| u8::from(class == CellClass::Free)).collect();
    let ends: Vec<usize> = endpoints(arguments)?.iter().map(|[x, y]| y * width + x).collect();
    let (cost, table) =
        measure(arguments.seconds, || Roads::new(&mask, width, height, Diagonals::Always).all_pairs(&ends));
    let lengths: Vec<f64> = table.iter().flatten().flatten().copied().map(Steps::length_cells).collect();
    Ok((cost, json!({ "pairs": lengths.len(), "sum": lengths.iter().sum::<f64>() })))
}

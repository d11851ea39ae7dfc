//! `skeleton`: Zhang-Suen thinning of the truth's free cells.

use raster::thinning::zhang_suen;
use serde_json::{Value, json};

use crate::Arguments;
use crate::inputs::{BenchError, states};
use crate::measure::{Cost, measure};

/// Runs the operation.
pub fn run(arguments: &Arguments) -> Result<(Cost, Value), BenchError> {
    let name = if arguments.map.is_empty() { "truth" } else { &arguments.map };
    let truth = states(&arguments.inputs, name)?;
    let (cost, skeleton) = measure(arguments.seconds, || {
        let mut mask: Vec<u8> = truth.cells.iter().map(|&state| u8::from(state == 0)).collect();
        zhang_suen(&mut mask, truth.width, truth.height);
        mask
    });
    let pixels: u64 = skeleton.iter().map(|&cell| u64::from(cell)).sum();
    Ok((cost, json!({ "pixels": pixels, "crc32": crc32fast::hash(&skeleton) })))
}

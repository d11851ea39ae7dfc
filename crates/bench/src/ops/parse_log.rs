//! `parse_log`: a TUM trajectory from its file into rows of numbers, whose memory the caller keeps.

use serde_json::{Value, json};

use crate::Arguments;
use crate::inputs::BenchError;
use crate::measure::{Cost, measure};

/// Runs `parse_log`.
pub fn run(arguments: &Arguments) -> Result<(Cost, Value), BenchError> {
    let path = arguments.inputs.join("truth.tum");
    let mut rows = Vec::new();
    let (cost, result) = measure(arguments.seconds, || formats::read_tum_rows(&path, &mut rows));
    result?;
    let mut sums = [0.0; 8];
    for row in &rows {
        for (sum, number) in sums.iter_mut().zip(row) {
            *sum += number;
        }
    }
    Ok((cost, json!({ "rows": rows.len(), "sums": sums, "last": rows.last() })))
}

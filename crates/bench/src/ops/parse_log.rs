//! `parse_log`: a TUM trajectory from its file into a fresh array of numbers, as a user of the library gets it.

use serde_json::json;

use super::Outcome;
use crate::Arguments;
use crate::measure::measure;

pub fn run(arguments: &Arguments) -> Outcome {
    let path = arguments.inputs.join("truth.tum");
    let parse = || {
        let mut rows = Vec::new();
        formats::read_tum_rows(&path, &mut rows).map(|()| rows)
    };
    let (cost, rows) = measure(arguments.seconds, parse);
    let rows = rows?;
    let mut sums = [0.0; 8];
    for row in &rows {
        for (sum, number) in sums.iter_mut().zip(row) {
            *sum += number;
        }
    }
    Ok((cost, json!({ "rows": rows.len(), "sums": sums, "last": rows.last() })))
}

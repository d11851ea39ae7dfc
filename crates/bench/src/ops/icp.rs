//! `icp`: 30 rounds of closest points of two scans, building the index included.

use align::Icp;
use model::{Point2, Similarity2};
use serde_json::{Value, json};

use crate::Arguments;
use crate::inputs::BenchError;
use crate::measure::{Cost, measure};

/// Runs the operation.
pub fn run(arguments: &Arguments) -> Result<(Cost, Value), BenchError> {
    let [reference, moved] = ["reference.f64", "moved.f64"].map(|name| points(arguments, name));
    let (reference, moved) = (reference?, moved?);
    let (cost, found) =
        measure(arguments.seconds, || Icp::default().refine(&reference, &moved, Similarity2::IDENTITY));
    let found = found.ok_or_else(|| BenchError::NoValue("icp".to_owned()))?;
    Ok((cost, json!({"rms": found.rms_m})))
}

/// Pairs of little-endian numbers.
fn points(arguments: &Arguments, name: &str) -> Result<Vec<Point2>, BenchError> {
    let path = arguments.inputs.join(name);
    let bytes = std::fs::read(&path)
        .map_err(|error| BenchError::Description { path: path.clone(), reason: error.to_string() })?;
    let (words, _) = bytes.as_chunks::<8>();
    let numbers: Vec<f64> = words.iter().map(|word| f64::from_le_bytes(*word)).collect();
    Ok(numbers.chunks_exact(2).map(|pair| Point2::new(pair[0], pair[1])).collect())
}

//! `icp`: 30 rounds of closest points of two scans, building the index included.

use align::Icp;
use model::{Point2, Similarity2};
use serde_json::json;

use super::Outcome;
use crate::Arguments;
use crate::inputs::{BenchError, rows};
use crate::measure::measure;

pub fn run(arguments: &Arguments) -> Outcome {
    let points = |name: &str| -> Result<Vec<Point2>, BenchError> {
        let rows = rows(&arguments.inputs.join(name))?;
        Ok(rows.iter().map(|&[x_m, y_m]| Point2::new(x_m, y_m)).collect())
    };
    let (reference, moved) = (points("reference.f64")?, points("moved.f64")?);
    let (cost, found) =
        measure(arguments.seconds, || Icp::default().refine(&reference, &moved, Similarity2::IDENTITY));
    let found = found.ok_or_else(|| BenchError::no_value("icp"))?;
    Ok((cost, json!({"rms": found.rms_m})))
}

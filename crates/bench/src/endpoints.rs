//! The end points that the kit's description of a map names.

use serde_json::Value;

use crate::Arguments;
use crate::inputs::BenchError;

/// End points as (column, row) from the kit's description of the truth.
pub fn endpoints(arguments: &Arguments) -> Result<Vec<[usize; 2]>, BenchError> {
    let path = arguments.inputs.join("truth.json");
    let described = |reason: String| BenchError::Description { path: path.clone(), reason };
    let text = std::fs::read_to_string(&path).map_err(|error| described(error.to_string()))?;
    let description: Value = serde_json::from_str(&text).map_err(|error| described(error.to_string()))?;
    let list = description["endpoints"].clone();
    serde_json::from_value(list).map_err(|error| described(format!("endpoints: {error}")))
}

//! The kit's inputs: maps, read as a user's maps are read, and rows of numbers.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use formats::{ReadError, ReadOptions, read_map};
use metrics::AlignedGrids;
use model::{CellClass, Grid};
use serde_json::Value;

use crate::Arguments;

/// Why an operation could not be run.
#[derive(Debug, thiserror::Error)]
pub enum BenchError {
    /// The operation is not one of ours.
    #[error("operation {0}: expected one of {1}")]
    UnknownOperation(String, String),
    /// A map could not be read.
    #[error(transparent)]
    Map(#[from] ReadError),
    /// A file of the kit differs from what its README describes.
    #[error("{}: {reason}", path.display())]
    Description { path: PathBuf, reason: String },
    /// A study could not be made.
    #[error("{0}")]
    Study(String),
    /// A kernel or metric gave no value for these maps.
    #[error("{0}: no value for these maps")]
    NoValue(String),
}

#[allow(clippy::needless_pass_by_value, reason = "these stand in `map_err`")]
impl BenchError {
    pub fn description(path: &Path, reason: impl ToString) -> Self {
        Self::Description { path: path.to_owned(), reason: reason.to_string() }
    }

    #[cfg(any(test, feature = "studies"))]
    pub fn study(error: impl ToString) -> Self {
        Self::Study(error.to_string())
    }

    pub fn no_value(what: impl ToString) -> Self {
        Self::NoValue(what.to_string())
    }
}

/// Path of a map in one format.
pub fn map_path(arguments: &Arguments, name: &str, extension: &str) -> PathBuf {
    arguments.inputs.join(format!("{name}.{extension}"))
}

/// Reads a map with the kit's cell size and thresholds.
pub fn read(path: &Path) -> Result<Grid, BenchError> {
    let options = ReadOptions {
        resolution_m: Some(0.05),
        occupied_thresh: Some(0.65),
        free_thresh: Some(0.196),
        ..ReadOptions::default()
    };
    Ok(read_map(path, &options)?.grid)
}

/// A map that counts as given.
pub fn given(arguments: &Arguments, name: &str) -> Result<Grid, BenchError> {
    read(&map_path(arguments, name, "png"))
}

/// The free cells of a given map, and its size.
pub fn given_free(arguments: &Arguments, name: &str) -> Result<(Vec<u8>, usize, usize), BenchError> {
    let grid = given(arguments, name)?;
    let mask = grid.classes().iter().map(|&class| u8::from(class == CellClass::Free)).collect();
    Ok((mask, grid.geometry().width(), grid.geometry().height()))
}

/// Truth and map of equal size in one coordinate frame.
pub fn pair(truth: Grid, map: Grid) -> AlignedGrids {
    AlignedGrids { truth: Arc::new(truth), map: Arc::new(map), outside_free: 0, outside_occupied: 0 }
}

/// Truth and map as given.
pub fn given_pair(arguments: &Arguments) -> Result<AlignedGrids, BenchError> {
    Ok(pair(given(arguments, "truth")?, given(arguments, &arguments.map)?))
}

/// Records of `SIZE` bytes.
pub fn records<const SIZE: usize>(path: &Path) -> Result<Vec<[u8; SIZE]>, BenchError> {
    let bytes = std::fs::read(path).map_err(|error| BenchError::description(path, error))?;
    match bytes.as_chunks() {
        (records, []) => Ok(records.to_vec()),
        _ => Err(BenchError::description(path, "a length that is no whole number of records")),
    }
}

/// Rows of little-endian numbers of 8 bytes.
pub fn rows<const COLUMNS: usize>(path: &Path) -> Result<Vec<[f64; COLUMNS]>, BenchError> {
    let numbers: Vec<f64> = records(path)?.into_iter().map(f64::from_le_bytes).collect();
    match numbers.as_chunks() {
        (rows, []) => Ok(rows.to_vec()),
        _ => Err(BenchError::description(path, "a length that is no whole number of rows")),
    }
}

/// End points as (column, row) from the kit's description of the truth.
pub fn endpoints(arguments: &Arguments) -> Result<Vec<[usize; 2]>, BenchError> {
    let path = arguments.inputs.join("truth.json");
    let text = std::fs::read_to_string(&path).map_err(|error| BenchError::description(&path, error))?;
    let described = |error| BenchError::description(&path, format!("endpoints: {error}"));
    let mut description: Value = serde_json::from_str(&text).map_err(described)?;
    serde_json::from_value(description["endpoints"].take()).map_err(described)
}

//! The kit's maps, read as a user's maps are read.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use formats::{ReadError, ReadOptions, read_map};
use metrics::AlignedGrids;
use model::Grid;

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
    /// The kit's description of a map is not what its README says.
    #[error("{}: {reason}", path.display())]
    Description {
        /// File.
        path: PathBuf,
        /// Expected and found.
        reason: String,
    },
    /// A study could not be made.
    #[error("{0}")]
    Study(String),
    /// A kernel or metric gave no value for these maps.
    #[error("{0}: no value for these maps")]
    NoValue(String),
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

/// Truth and map of equal size in one frame.
pub fn pair(truth: Grid, map: Grid) -> AlignedGrids {
    AlignedGrids { truth: Arc::new(truth), map: Arc::new(map), outside_free: 0, outside_occupied: 0 }
}

/// Truth and map as given.
pub fn given_pair(arguments: &Arguments) -> Result<AlignedGrids, BenchError> {
    Ok(pair(given(arguments, "truth")?, given(arguments, &arguments.map)?))
}

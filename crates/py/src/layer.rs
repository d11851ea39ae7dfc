//! Vector layers as GeoJSON, which is what Python gets of them.

use std::path::PathBuf;

use formats::{Content, Document, NamedBytes, ReadOptions, read_document_bytes, write_geojson};
use mapjudge::files::Loader;
use mapjudge::{JobError, Stop};
use pyo3::prelude::*;

use crate::errors::{self, PyFinding};
use crate::pool::without_lock;
use crate::writing::write_content;

/// The text of a layer as GeoJSON, and what was noticed while reading.
#[pyfunction]
pub fn read_layer(py: Python<'_>, path: PathBuf) -> PyResult<(String, Vec<PyFinding>)> {
    let stop = Stop::default();
    let read = without_lock(py, 1, &stop, move || {
        let loaded = Loader::default().document(&path)?;
        let kind = loaded.value.kind().noun();
        let Content::Vector(layer) = loaded.value else {
            return Err(JobError::NoConversion { kind, ending: "geojson".to_owned() });
        };
        let text = write_geojson(&layer).map_err(|error| JobError::Unwritable {
            output: path.display().to_string(),
            why: error.to_string(),
        })?;
        Ok((text, loaded.findings))
    })?;
    let (text, findings) = read.map_err(|error| errors::job(py, error))?;
    Ok((text, errors::findings(&findings)))
}

/// Writes the GeoJSON of a layer in the format that the ending names; the files written.
#[pyfunction]
pub fn write_layer(py: Python<'_>, text: String, path: PathBuf, overwrite: bool) -> PyResult<Vec<PathBuf>> {
    let file = NamedBytes { name: "layer.geojson", bytes: text.as_bytes() };
    let read = read_document_bytes(file, &[], &ReadOptions::default());
    let Document { content, .. } =
        read.map_err(|error| errors::input(py, "LAYER_INVALID", &error.to_string(), None))?;
    write_content(py, 1, path, overwrite, move || content)
}

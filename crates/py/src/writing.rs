//! Values in memory to files.

use std::path::PathBuf;

use formats::{Content, Document};
use mapjudge::Stop;
use mapjudge::files::{Loss, Overwrite, convert_document};
use pyo3::prelude::*;

use crate::errors;
use crate::pool::without_lock;

/// Writes what `content` makes in the format that the ending names; the files written. The threads are those of
/// [`without_lock`].
pub fn write_content(
    py: Python<'_>,
    threads: usize,
    path: PathBuf,
    overwrite: bool,
    content: impl FnOnce() -> Content + Send + 'static,
) -> PyResult<Vec<PathBuf>> {
    let overwrite = if overwrite { Overwrite::Allowed } else { Overwrite::Refused };
    let stop = Stop::default();
    let written = without_lock(py, threads, &stop, move || {
        let document =
            Document { format: "memory", content: content(), findings: Vec::new(), sources: Vec::new() };
        convert_document(&document, &path, Loss::Accepted, overwrite)
    })?;
    written.map(|written| written.files).map_err(|error| errors::job(py, error))
}

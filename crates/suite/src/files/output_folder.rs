//! Results to a folder of files.

use std::path::{Path, PathBuf};

use report::{Format, Report, render};

use crate::JobError;

/// A folder that results are written into; made when the first file is written.
#[derive(Clone, Debug)]
pub struct OutputFolder {
    path: PathBuf,
}

impl OutputFolder {
    /// The folder of this path, which need not exist.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into() }
    }

    /// The path of the folder.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes a file below the folder; `name` may have folders of its own.
    ///
    /// # Errors
    /// The file or its folder cannot be written.
    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> Result<(), JobError> {
        let path = self.path.join(name);
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(|source| JobError::output(folder, source))?;
        }
        std::fs::write(&path, bytes).map_err(|source| JobError::output(&path, source))
    }
}

/// Writes `report.json`, `report.html` and every figure into a folder.
///
/// # Errors
/// A file cannot be written, or a page cannot be made.
pub fn write_report(folder: &OutputFolder, report: &Report) -> Result<(), JobError> {
    for (format, name) in [(Format::Json, "report.json"), (Format::Html, "report.html")] {
        folder.write(name, render(report, format)?)?;
    }
    for figure in report::run_figures(report) {
        folder.write(&figure.file_name(), figure.bytes()?)?;
    }
    for case in &report.cases {
        let stem: String = case.name.chars().map(|c| if c.is_alphanumeric() { c } else { '_' }).collect();
        for figure in &case.figures {
            folder.write(&format!("{stem}_{}", figure.file_name()), figure.bytes()?)?;
        }
    }
    Ok(())
}

//! Results to a folder of files.

use std::path::{Path, PathBuf};

use report::{Figure, Format, Report, error_table_names, errors_csv, render};

use super::write_whole;
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
        write_whole(&path, bytes)
    }

    /// Writes a figure under its name behind a prefix, one of lines and text as PDF too.
    ///
    /// # Errors
    /// The figure cannot be drawn or written.
    pub fn write_figure(&self, prefix: &str, figure: &Figure) -> Result<(), JobError> {
        self.write(&format!("{prefix}{}", figure.file_name()), figure.bytes()?)?;
        match figure.pdf()? {
            Some(pdf) => self.write(&format!("{prefix}{}.pdf", figure.name), pdf),
            None => Ok(()),
        }
    }
}

/// Writes `report.json`, `report.html`, every table of errors and every figure into a folder; `junit.xml` too if there were
/// limits or a baseline.
///
/// # Errors
/// A file cannot be written, or a page cannot be made.
pub fn write_report(folder: &OutputFolder, report: &Report) -> Result<(), JobError> {
    for (format, name) in [(Format::Json, "report.json"), (Format::Html, "report.html")] {
        folder.write(name, render(report, format)?)?;
    }
    for name in error_table_names(report) {
        folder.write(&format!("{name}.csv"), errors_csv(report, name))?;
    }
    if !report.limits.is_empty() || report.baseline.is_some() {
        folder.write("junit.xml", render(report, Format::Junit)?)?;
    }
    for figure in report::run_figures(report) {
        folder.write_figure("", &figure)?;
    }
    for case in &report.cases {
        let stem: String = case.name.chars().map(|c| if c.is_alphanumeric() { c } else { '_' }).collect();
        for figure in &case.figures {
            folder.write_figure(&format!("{stem}_"), figure)?;
        }
    }
    Ok(())
}

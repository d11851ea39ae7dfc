//! A layout file with its hash and findings.

use std::path::Path;

use formats::{Content, ReadOptions, read_document};
use model::{FiducialLayout, Finding};
use report::Input;

use crate::JobError;
use crate::inputs::input_record;

/// A layout that was read, with what the report says about its file.
pub(crate) struct LayoutInput {
    pub layout: FiducialLayout,
    pub findings: Vec<Finding>,
    pub record: Input,
}

impl LayoutInput {
    /// Reads a layout file.
    ///
    /// # Errors
    /// The file cannot be read, or holds something else.
    pub fn read(path: &Path, options: &ReadOptions) -> Result<Self, JobError> {
        let document = read_document(path, options)?;
        let Content::Layout(layout) = document.content else {
            return Err(JobError::NoLayout { path: path.to_owned(), found: document.format });
        };
        let record = input_record(path, "layout", document.format)?;
        let named = |f: Finding| Finding { message: format!("layout: {}", f.message), ..f };
        Ok(Self { layout, findings: document.findings.into_iter().map(named).collect(), record })
    }
}

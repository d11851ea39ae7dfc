//! Transform files on disk.

use std::path::Path;

use super::write_whole;
use crate::{AlignmentFile, JobError};

/// Writes a transform file, whole or not at all; its folder is made if there is none. Over an earlier one.
///
/// # Errors
/// It cannot be written.
pub fn write_alignment(path: &Path, file: &AlignmentFile) -> Result<(), JobError> {
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        std::fs::create_dir_all(folder).map_err(|source| JobError::file(folder, source))?;
    }
    write_whole(path, file.to_json()?)
}

//! Repairs that leave no doubt, written as a copy beside the original.

use std::path::{Path, PathBuf};

use model::Finding;

use crate::JobError;

/// A corrected copy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// Where it was written.
    pub path: PathBuf,
    /// What was changed, one sentence each.
    pub changes: Vec<String>,
}

/// The largest `free_thresh` that leaves grey 205 unknown, as map savers of ROS 1 write it.
const CURED_FREE_THRESH: &str = "0.196";

/// Writes a corrected copy of a file, if one of its findings can be repaired without a doubt.
///
/// # Errors
/// The file cannot be read again, or the copy cannot be written.
pub fn fix(path: &Path, findings: &[Finding]) -> Result<Option<Fix>, JobError> {
    let has = |code: &str| findings.iter().any(|finding| finding.code == code);
    let is_yaml =
        path.extension().is_some_and(|e| e.eq_ignore_ascii_case("yaml") || e.eq_ignore_ascii_case("yml"));
    if !(is_yaml && has("UNKNOWN_MAY_READ_AS_FREE")) {
        return Ok(None);
    }
    let text = std::fs::read_to_string(path).map_err(|source| JobError::file(path, source))?;
    let Some((fixed, before)) = with_cured_threshold(&text) else { return Ok(None) };
    let copy =
        path.with_extension(format!("fixed.{}", path.extension().unwrap_or_default().to_string_lossy()));
    std::fs::write(&copy, fixed).map_err(|source| JobError::file(&copy, source))?;
    let change = format!("free_thresh: {before} -> {CURED_FREE_THRESH}, so that grey 205 stays unknown");
    Ok(Some(Fix { path: copy, changes: vec![change] }))
}

/// The text with `free_thresh` lowered, and what stood there. All else stays as it is.
fn with_cured_threshold(text: &str) -> Option<(String, String)> {
    let line = text.lines().find(|line| line.trim_start().starts_with("free_thresh:"))?;
    let (key, value) = line.split_once(':')?;
    let before = value.split('#').next()?.trim().to_owned();
    let cured = format!("{key}: {CURED_FREE_THRESH}");
    Some((text.replacen(line.trim_end_matches('\r'), &cured, 1), before))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_threshold_changes() {
        let text = "image: m.pgm\r\nfree_thresh: 0.25 # ros 2\r\nnegate: 0";
        let (fixed, before) = with_cured_threshold(text).unwrap();
        assert_eq!(before, "0.25");
        assert_eq!(fixed, "image: m.pgm\r\nfree_thresh: 0.196\r\nnegate: 0");
        assert_eq!(with_cured_threshold("image: m.pgm"), None);
    }
}

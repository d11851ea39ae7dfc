//! Repairs that leave no doubt, written as a copy beside the original.

use std::path::{Path, PathBuf};

use formats::{Content, NamedBytes, ReadOptions, read_document, read_document_bytes};
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
/// The version of detection lists that is written today.
const CURRENT_VERSION: &str = "1.2";

/// Writes a corrected copy of a file, if its findings can be repaired without a doubt: the threshold that turns
/// unknown into free, and the form of a detection list of the current version.
///
/// # Errors
/// The file cannot be read again, or the copy cannot be written.
pub fn fix(path: &Path, findings: &[Finding]) -> Result<Option<Fix>, JobError> {
    let has = |test: &dyn Fn(&str) -> bool| findings.iter().any(|finding| test(&finding.code));
    let ending = path.extension().map(|e| e.to_string_lossy().to_lowercase()).unwrap_or_default();
    let repaired = match ending.as_str() {
        "yaml" | "yml" if has(&|code| code == "UNKNOWN_MAY_READ_AS_FREE") => cured_yaml(path)?,
        "csv" if has(&|code| code.starts_with("CSV")) => tidy_detections(path)?,
        _ => None,
    };
    let Some((text, changes)) = repaired else { return Ok(None) };
    let copy = path.with_extension(format!("fixed.{ending}"));
    std::fs::write(&copy, text).map_err(|source| JobError::file(&copy, source))?;
    Ok(Some(Fix { path: copy, changes }))
}

/// What a repair gives: the text of the copy, and what was changed.
type Repaired = Option<(String, Vec<String>)>;

fn cured_yaml(path: &Path) -> Result<Repaired, JobError> {
    let text = std::fs::read_to_string(path).map_err(|source| JobError::file(path, source))?;
    let cured = with_cured_threshold(&text);
    Ok(cured.map(|(fixed, before)| {
        let change = format!("free_thresh: {before} -> {CURED_FREE_THRESH}, so that grey 205 stays unknown");
        (fixed, vec![change])
    }))
}

/// A detection list written anew in the form of the rules; the changes are the findings that went away.
fn tidy_detections(path: &Path) -> Result<Repaired, JobError> {
    let options = ReadOptions::default();
    let before = read_document(path, &options)?;
    let Content::Detections(table) = &before.content else { return Ok(None) };
    // Another version has other columns; to raise it is the team's decision.
    if table.version != CURRENT_VERSION {
        return Ok(None);
    }
    let Ok(text) = formats::write_detections(table) else { return Ok(None) };
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let after = read_document_bytes(NamedBytes { name: &name, bytes: text.as_bytes() }, &[], &options)?;
    let still = |finding: &Finding| after.findings.iter().any(|other| other.code == finding.code);
    let gone = before.findings.iter().filter(|finding| !still(finding));
    let changes: Vec<String> = gone.map(|finding| format!("{}: {}", finding.code, finding.message)).collect();
    Ok((!changes.is_empty()).then_some((text, changes)))
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

    #[test]
    fn a_padded_detection_list_is_written_anew() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("team_pois.csv");
        let text = "pois\n1.2\nTeam\nDE\n2024-07-19\n12:00:00\nfinals\n\n\
                    id,time,text,x-coord,y,z,robot,mode,type\n1,12:01:00,exit,1,2,0,robbie,A,qr,,\n";
        std::fs::write(&path, text).unwrap();
        let findings = read_document(&path, &ReadOptions::default()).unwrap().findings;
        let fixed = fix(&path, &findings).unwrap().unwrap();
        assert!(
            fixed.changes.iter().any(|change| change.starts_with("CSV_COLUMN_RENAMED")),
            "{:?}",
            fixed.changes
        );
        assert!(
            fixed.changes.iter().any(|change| change.starts_with("CSV_TRAILING_COMMAS")),
            "{:?}",
            fixed.changes
        );
        let again = read_document(&fixed.path, &ReadOptions::default()).unwrap();
        assert!(
            again.findings.iter().all(|finding| finding.level < model::Level::Warning),
            "{:?}",
            again.findings
        );
    }
}

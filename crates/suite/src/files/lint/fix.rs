//! Repairs that leave no doubt, written as a copy beside the original.

use std::path::{Path, PathBuf};

use formats::{Content, NamedBytes, ReadOptions, read_document, read_document_bytes};
use model::Finding;

use super::world_file::is_world_file;
use crate::JobError;
use crate::files::{MAX_SETTINGS_BYTES, Overwrite, check_overwrite, holds, read_small_text, write_whole};

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

/// Writes a corrected copy of a file, if its findings can be repaired without a doubt: the threshold that turns
/// unknown into free, the path of an image that lies beside its YAML, the sign of the fourth line of a world file,
/// and the form of a detection list. A copy that is there with other content is replaced only if it may be.
///
/// # Errors
/// The file cannot be read again, or the copy cannot be written.
pub fn fix(path: &Path, findings: &[Finding], overwrite: Overwrite) -> Result<Option<Fix>, JobError> {
    let has = |test: &dyn Fn(&str) -> bool| findings.iter().any(|finding| test(&finding.code));
    let ending = path.extension().map(|e| e.to_string_lossy().to_lowercase()).unwrap_or_default();
    let repaired = match ending.as_str() {
        "yaml" | "yml" => cured_yaml(path, findings)?,
        _ if is_world_file(path) && has(&|code| code == "WORLD_FILE_Y_POSITIVE") => downward_rows(path)?,
        "csv" if has(&|code| code.starts_with("CSV") || code == "NOT_UTF8") => tidy_detections(path)?,
        _ => None,
    };
    let Some((text, changes)) = repaired else { return Ok(None) };
    let copy = path.with_extension(format!("fixed.{ending}"));
    if !holds(&copy, text.as_bytes()) {
        check_overwrite(&copy, overwrite)?;
    }
    write_whole(&copy, text)?;
    Ok(Some(Fix { path: copy, changes }))
}

/// What a repair gives: the text of the copy, and what was changed.
type Repaired = Option<(String, Vec<String>)>;

fn cured_yaml(path: &Path, findings: &[Finding]) -> Result<Repaired, JobError> {
    let mut text = read_small_text(path, MAX_SETTINGS_BYTES)?;
    let mut changes = Vec::new();
    for finding in findings {
        let (key, value, why) = match finding.code.as_ref() {
            "UNKNOWN_MAY_READ_AS_FREE" => {
                ("free_thresh", CURED_FREE_THRESH.to_owned(), ", so that grey 205 stays unknown")
            }
            "IMAGE_FOUND_ELSEWHERE" => match bare_image(&text) {
                Some(name) => ("image", name, ", which lies beside the file"),
                None => continue,
            },
            _ => continue,
        };
        if let Some((fixed, before)) = with_value(&text, key, &value) {
            text = fixed;
            changes.push(format!("{key}: {before} -> {value}{why}"));
        }
    }
    Ok((!changes.is_empty()).then_some((text, changes)))
}

/// The name of the image without folders, if YAML can hold it without quotes.
fn bare_image(text: &str) -> Option<String> {
    let line = text.lines().find(|line| line.trim_start().starts_with("image:"))?;
    let path = line.split_once(':')?.1.split(" #").next()?.trim().trim_matches(['\'', '"']);
    let name = path.rsplit(['/', '\\']).next()?;
    let is_plain = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || "_-.".contains(c));
    is_plain.then(|| name.to_owned())
}

/// A world file with the fourth line negated, so that rows run downwards.
fn downward_rows(path: &Path) -> Result<Repaired, JobError> {
    let text = read_small_text(path, MAX_SETTINGS_BYTES)?;
    let filled = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let Some((fourth, before)) = filled.map(|(index, line)| (index, line.trim().to_owned())).nth(3) else {
        return Ok(None);
    };
    let after = format!("-{}", before.trim_start_matches('+'));
    let lines: Vec<&str> = text
        .lines()
        .enumerate()
        .map(|(index, line)| if index == fourth { after.as_str() } else { line })
        .collect();
    let change = format!("line {}: {before} -> {after}, so that rows run downwards", fourth + 1);
    Ok(Some((lines.join("\n") + "\n", vec![change])))
}

/// A detection list written anew in the form of the rules; the changes are the findings that went away.
fn tidy_detections(path: &Path) -> Result<Repaired, JobError> {
    let options = ReadOptions::default();
    let before = read_document(path, &options)?;
    let Content::Detections(table) = &before.content else { return Ok(None) };
    // To raise the version is the team's decision.
    let Ok(text) = formats::write_detections_in_version(table) else { return Ok(None) };
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let after = read_document_bytes(NamedBytes { name: &name, bytes: text.as_bytes() }, &[], &options)?;
    let still = |finding: &Finding| after.findings.iter().any(|other| other.code == finding.code);
    let gone = before.findings.iter().filter(|finding| !still(finding));
    let changes: Vec<String> = gone.map(|finding| format!("{}: {}", finding.code, finding.message)).collect();
    Ok((!changes.is_empty()).then_some((text, changes)))
}

/// The text with another value of a key, and what stood there. All else stays as it is.
fn with_value(text: &str, key: &str, value: &str) -> Option<(String, String)> {
    let line = text.lines().find(|line| line.trim_start().starts_with(&format!("{key}:")))?;
    let (name, stated) = line.split_once(':')?;
    let before = stated.split(" #").next()?.trim().to_owned();
    Some((text.replacen(line.trim_end_matches('\r'), &format!("{name}: {value}"), 1), before))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_threshold_changes() {
        let text = "image: m.pgm\r\nfree_thresh: 0.25 # ros 2\r\nnegate: 0";
        let (fixed, before) = with_value(text, "free_thresh", CURED_FREE_THRESH).unwrap();
        assert_eq!(before, "0.25");
        assert_eq!(fixed, "image: m.pgm\r\nfree_thresh: 0.196\r\nnegate: 0");
        assert_eq!(with_value("image: m.pgm", "free_thresh", "0"), None);
    }

    #[test]
    fn the_path_of_an_image_beside_its_yaml_is_shortened() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("m.yaml");
        std::fs::write(folder.path().join("m.pgm"), b"P5 1 1 255\n\x00").unwrap();
        let text = "image: /home/somebody/m.pgm\nresolution: 0.05\norigin: [0, 0, 0]\nnegate: 0\n\
                    occupied_thresh: 0.65\nfree_thresh: 0.196\n";
        std::fs::write(&path, text).unwrap();
        let findings = read_document(&path, &ReadOptions::default()).unwrap().findings;
        let fixed = fix(&path, &findings, Overwrite::Refused).unwrap().unwrap();
        assert_eq!(fixed.changes, ["image: /home/somebody/m.pgm -> m.pgm, which lies beside the file"]);
        let again = read_document(&fixed.path, &ReadOptions::default()).unwrap().findings;
        assert!(!again.iter().any(|finding| finding.code == "IMAGE_FOUND_ELSEWHERE"), "{again:?}");
    }

    #[test]
    fn the_sign_of_a_world_file_is_turned() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("map.tfw");
        std::fs::write(&path, "0.02\n0\n0\n0.02\n1\n2\n").unwrap();
        let findings = super::super::world_file::check(&path).unwrap();
        let fixed = fix(&path, &findings, Overwrite::Refused).unwrap().unwrap();
        assert_eq!(std::fs::read_to_string(&fixed.path).unwrap(), "0.02\n0\n0\n-0.02\n1\n2\n");
        std::fs::write(folder.path().join("map.tif"), "image").unwrap();
        assert_eq!(super::super::world_file::check(&fixed.path), Some(Vec::new()));
    }

    #[test]
    fn an_older_list_keeps_its_version() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("team_victims.csv");
        let text = "\"victims\"\n\"1.0\"\n\"Hector\"\n\"Germany\"\n\"2012-06-20\"\n\"10:00:00\"\n\"Final\"\n\n\
                    id,time,name,x-coord,y,z\n1,10:01:00,\"v_0\",1,2,0.5,,\n";
        std::fs::write(&path, text).unwrap();
        let before = read_document(&path, &ReadOptions::default()).unwrap();
        let fixed = fix(&path, &before.findings, Overwrite::Refused).unwrap().unwrap();
        let expected = text.replace("x-coord", "x").replace(",,\n", "\n");
        assert_eq!(std::fs::read_to_string(&fixed.path).unwrap(), expected);
        let after = read_document(&fixed.path, &ReadOptions::default()).unwrap();
        assert_eq!((after.content, after.findings), (before.content, Vec::new()));
    }

    #[test]
    fn a_list_of_a_german_spreadsheet_is_written_anew() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pois.csv");
        let text = "\"pois\"\n\"1.2\"\n\"Größe\"\n\"DE\"\n\"2025-07-19\"\n\"12:00:00\"\n\"finals\"\n\n\
                    id;time;text;x;y;z;robot;mode;type\n1;12:01:00;\"Tür\";1,25;-0,5;0;\"r1\";A;QR-Code\n";
        std::fs::write(&path, text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>()).unwrap();
        let before = read_document(&path, &ReadOptions::default()).unwrap();
        let fixed = fix(&path, &before.findings, Overwrite::Refused).unwrap().unwrap();
        let written = std::fs::read_to_string(&fixed.path).unwrap();
        assert!(written.contains("1,12:01:00,\"Tür\",1.25,-0.5,0,\"r1\",A,qrcode"), "{written}");
        for code in ["NOT_UTF8", "CSV_DELIMITER", "CSV_DECIMAL_COMMA", "CSV_TYPE_SPELLING"] {
            assert!(
                fixed.changes.iter().any(|change| change.starts_with(code)),
                "{code}: {:?}",
                fixed.changes
            );
        }
    }

    #[test]
    fn millimetres_are_only_suspected_and_stay() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pois.csv");
        let text = "\"pois\"\n\"1.2\"\n\"T\"\n\"DE\"\n\"2025-07-19\"\n\"12:00:00\"\n\"finals\"\n\n\
                    id,time,text,x,y,z,robot,mode,type\n1,12:01:00,\"a\",1250,-500,0,\"r1\",A,qr\n\
                    2,12:01:00,\"b\",4250,2500,0,\"r1\",A,qr\n";
        std::fs::write(&path, text).unwrap();
        let before = read_document(&path, &ReadOptions::default()).unwrap();
        assert!(before.findings.iter().any(|finding| finding.code == "CSV_MAY_BE_MILLIMETRES"));
        assert_eq!(fix(&path, &before.findings, Overwrite::Refused).unwrap(), None);
    }

    #[test]
    fn a_padded_detection_list_is_written_anew() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("team_pois.csv");
        let text = "pois\n1.2\nTeam\nDE\n2024-07-19\n12:00:00\nfinals\n\n\
                    id,time,text,x-coord,y,z,robot,mode,type\n1,12:01:00,exit,1,2,0,robbie,A,qr,,\n";
        std::fs::write(&path, text).unwrap();
        let findings = read_document(&path, &ReadOptions::default()).unwrap().findings;
        let fixed = fix(&path, &findings, Overwrite::Refused).unwrap().unwrap();
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

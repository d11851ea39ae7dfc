//! What was measured before: a submission whose files, rules and program are the same is not measured again.
//!
//! An entry is a folder named after a hash of the program's version, the rules in effect, the truth and the files of
//! the submission. Files that a reader found by itself (the picture of a YAML, a world file) are listed in the entry with
//! their hashes and compared before it is used; names beside the submitted files are part of the hash, so that a new
//! companion is noticed.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::file::Contest;
use super::measure::Drawn;
use super::measured::Measured;
use super::mission_truth::{MissionTruth, hashed, shown};
use super::submission::Submission;
use crate::{JobError, Pictures};

/// Entries of earlier runs in a folder.
#[derive(Clone, Debug)]
pub struct Cache {
    folder: PathBuf,
}

/// What an entry holds.
#[derive(Serialize, Deserialize)]
struct Stored {
    measured: Measured,
}

const FILE: &str = "measured.json";
/// Names beside a file that are looked at.
const MOST_NAMES: usize = 10_000;

impl Cache {
    /// A cache in a folder, which need not be there.
    #[must_use]
    pub fn new(folder: PathBuf) -> Self {
        Self { folder }
    }

    /// Where the pictures of an entry lie.
    #[must_use]
    pub fn entry(&self, key: &str) -> PathBuf {
        self.folder.join(key)
    }

    /// The stored measurement, if nothing changed since.
    #[must_use]
    pub fn get(&self, key: &str, contest: &Contest) -> Option<Measured> {
        let text = std::fs::read_to_string(self.entry(key).join(FILE)).ok()?;
        let stored: Stored = serde_json::from_str(&text).ok()?;
        let is_same = |input: &report::Input| {
            let path = contest.folder.join(&input.path);
            hashed(&path, "", &contest.folder).is_ok_and(|now| now.blake3 == input.blake3)
        };
        let has_picture =
            |picture: &super::measured::PictureRecord| self.entry(key).join(&picture.file).is_file();
        let is_whole = stored.measured.pictures.iter().all(has_picture);
        (is_whole && stored.measured.inputs.iter().all(is_same)).then_some(stored.measured)
    }

    /// Stores a measurement with its pictures.
    ///
    /// # Errors
    /// The folder cannot be written to.
    pub fn put(&self, key: &str, drawn: Drawn) -> Result<Measured, JobError> {
        let entry = self.entry(key);
        std::fs::create_dir_all(&entry).map_err(|source| JobError::file(&entry, source))?;
        for (record, bytes) in drawn.measured.pictures.iter().zip(&drawn.pictures) {
            write(&entry.join(&record.file), bytes)?;
        }
        let stored = Stored { measured: drawn.measured };
        let text = serde_json::to_string(&stored).unwrap_or_default();
        write(&entry.join(FILE), text.as_bytes())?;
        Ok(stored.measured)
    }

    /// Removes entries that this run did not use.
    pub fn keep_only(&self, keys: &BTreeSet<String>) {
        let Ok(entries) = std::fs::read_dir(&self.folder) else { return };
        for entry in entries.filter_map(Result::ok) {
            let name = entry.file_name().to_string_lossy().into_owned();
            let is_ours = name.len() == 64 && name.bytes().all(|b| b.is_ascii_hexdigit());
            if is_ours && !keys.contains(&name) {
                // An entry that stays costs space, nothing else.
                let _ = std::fs::remove_dir_all(entry.path());
            }
        }
    }
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), JobError> {
    std::fs::write(path, bytes).map_err(|source| JobError::file(path, source))
}

/// The name of the entry of a submission; none if a file cannot be read.
#[must_use]
pub fn key(
    contest: &Contest,
    truth: &MissionTruth,
    submission: &Submission<'_>,
    pictures: Pictures,
) -> Option<String> {
    let profile = &contest.profile;
    let mut files = Vec::new();
    for (role, paths) in &submission.files {
        for path in paths {
            let input = hashed(path, role.name(), &contest.folder).ok()?;
            files.push(json!([input.role, input.path, input.blake3, companions(path)]));
        }
    }
    let missing: Vec<_> =
        submission.missing.iter().map(|(role, missing)| (role.name(), &missing.why)).collect();
    let truths: Vec<_> = truth.inputs.iter().map(|input| (&input.role, &input.path, &input.blake3)).collect();
    let all = json!({
        "version": env!("CARGO_PKG_VERSION"),
        "job": truth.job,
        "trajectory": truth.trajectory_metrics,
        "lint": profile.lint,
        "inputs": profile.inputs,
        "rules": [json!(profile.artifacts), json!(profile.constants)],
        "truth": truths,
        "team": submission.team.name,
        "folder": shown(&submission.folder, &contest.folder),
        "files": files,
        "missing": missing,
        "pictures": pictures == Pictures::Draw,
    });
    Some(blake3::hash(all.to_string().as_bytes()).to_hex().to_string())
}

/// Names beside a file that begin as it does.
fn companions(path: &Path) -> Vec<String> {
    let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let Some(listing) = path.parent().and_then(|folder| std::fs::read_dir(folder).ok()) else {
        return Vec::new();
    };
    let names = listing.take(MOST_NAMES).filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let mut names: Vec<String> = names.filter(|name| name.starts_with(&stem)).collect();
    names.sort();
    names
}

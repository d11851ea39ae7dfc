//! A manifest: pairs of maps, one JSON object per line. It is read several times, and never kept as a whole.

use std::path::{Path, PathBuf};

use super::line::{LineJobs, ManifestLine};
use super::lines::{LineAt, Lines};
use crate::JobError;
use crate::rows::{Shard, row_hash};

/// Faults that a message lists.
const MAX_TOLD: usize = 10;

/// A manifest whose lines were checked.
#[derive(Clone, Debug, PartialEq)]
pub struct Manifest {
    path: PathBuf,
    lines: u64,
}

impl Manifest {
    /// Checks every line, before any work: that it can be understood, and that no line stands there twice.
    pub(super) fn check(path: &Path, jobs: &LineJobs) -> Result<Self, JobError> {
        let mut faults = Faults::default();
        let mut hashes = Vec::new();
        let mut lines = ManifestLines::open(path, Shard::WHOLE)?;
        while let Some((at, text)) = lines.next_text()? {
            let line = match text {
                Ok(text) => ManifestLine::parse(at.number, text),
                Err(why) => Err(why),
            };
            match line.and_then(|line| jobs.job_of(&line).map(|_| line.row)) {
                Ok(row) => hashes.push(first_bytes(&row)),
                Err(why) => faults.add(at.number, why),
            }
        }
        let count = lines.read;
        let repeated = repeated_of(hashes);
        if !repeated.is_empty() {
            add_repeated(path, &repeated, &mut faults)?;
        }
        faults.none_or_error(path, count)?;
        Ok(Self { path: path.to_owned(), lines: count })
    }

    /// A manifest that was checked elsewhere.
    pub(super) fn unchecked(path: &Path) -> Self {
        Self { path: path.to_owned(), lines: 0 }
    }

    /// The file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// How many lines it has.
    #[must_use]
    pub fn lines(&self) -> u64 {
        self.lines
    }

    /// The lines of a shard, in their order.
    pub(super) fn of_shard(&self, shard: Shard) -> Result<ManifestLines, JobError> {
        ManifestLines::open(&self.path, shard)
    }
}

/// The folder that paths of a manifest are relative to.
pub(super) fn folder_of(manifest: &Path) -> PathBuf {
    manifest.parent().map_or_else(PathBuf::new, Path::to_owned)
}

/// Reads the lines of one shard.
pub(super) struct ManifestLines {
    lines: Lines,
    shard: Shard,
    text: Vec<u8>,
    /// Lines read so far, of all shards.
    pub(super) read: u64,
}

/// A line and its text, or why it has none.
type LineText<'a> = (LineAt, Result<&'a str, String>);

impl ManifestLines {
    fn open(path: &Path, shard: Shard) -> Result<Self, JobError> {
        Ok(Self { lines: Lines::open(path)?, shard, text: Vec::new(), read: 0 })
    }

    /// The next line of the shard, as text.
    pub(super) fn next_text(&mut self) -> Result<Option<LineText<'_>>, JobError> {
        loop {
            let Some(at) = self.lines.next_into(&mut self.text)? else { return Ok(None) };
            self.read = at.number;
            if self.shard.has(at.number) {
                let text = std::str::from_utf8(&self.text).map_err(|error| format!("no UTF-8: {error}"));
                return Ok(Some((at, text)));
            }
        }
    }

    /// The next line of the shard. A line that was changed since the check is an error.
    pub(super) fn next_line(&mut self) -> Result<Option<ManifestLine>, JobError> {
        let Some((at, text)) = self.next_text()? else { return Ok(None) };
        let line = text.and_then(|text| ManifestLine::parse(at.number, text));
        line.map(Some).map_err(|why| {
            let message = format!("line {}: {why}", at.number);
            JobError::rows("the manifest", "MANIFEST_CHANGED", message, "it was changed while it was read")
        })
    }
}

#[derive(Default)]
struct Faults {
    told: Vec<(u64, String)>,
    number: u64,
}

impl Faults {
    fn add(&mut self, line: u64, why: String) {
        self.number += 1;
        if self.told.len() < MAX_TOLD {
            self.told.push((line, why));
        }
    }

    fn none_or_error(mut self, path: &Path, lines: u64) -> Result<(), JobError> {
        let path = path.display().to_string();
        let form =
            "a line is a JSON object such as {\"map\": \"a.yaml\", \"truth\": \"t.yaml\", \"id\": \"run 7\"}";
        if lines == 0 {
            return Err(JobError::rows(path, "MANIFEST_EMPTY", "the manifest has no line", form));
        }
        if self.number == 0 {
            return Ok(());
        }
        self.told.sort_by_key(|(line, _)| *line);
        let mut message = format!("{} of {lines} lines cannot be used", self.number);
        for (line, why) in &self.told {
            message.push_str(&format!("\n  line {line}: {why}"));
        }
        if self.number > self.told.len() as u64 {
            message.push_str(&format!("\n  and {} more", self.number - self.told.len() as u64));
        }
        Err(JobError::rows(path, "MANIFEST_INVALID", message, form))
    }
}

/// The first eight bytes of a hash in hexadecimal.
pub(super) fn first_bytes(hex: &str) -> u64 {
    hex.get(..16).and_then(|digits| u64::from_str_radix(digits, 16).ok()).unwrap_or_default()
}

/// Beginnings of hashes that stand there several times.
fn repeated_of(mut hashes: Vec<u64>) -> Vec<u64> {
    hashes.sort_unstable();
    let mut repeated: Vec<u64> =
        hashes.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| pair[0]).collect();
    repeated.dedup();
    repeated
}

/// Looks again at lines whose hashes begin alike, and tells those that are the same.
fn add_repeated(path: &Path, suspects: &[u64], faults: &mut Faults) -> Result<(), JobError> {
    let mut seen = std::collections::HashMap::new();
    let mut lines = ManifestLines::open(path, Shard::WHOLE)?;
    while let Some((at, text)) = lines.next_text()? {
        let Ok(text) = text else { continue };
        let row = row_hash(text);
        if suspects.binary_search(&first_bytes(&row)).is_err() {
            continue;
        }
        if let Some(first) = seen.get(&row) {
            faults.add(at.number, format!("stands in line {first} already"));
        } else {
            seen.insert(row, at.number);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::Job;

    fn checked(text: &[u8]) -> Result<u64, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pairs.jsonl");
        std::fs::write(&path, text).unwrap();
        let jobs = LineJobs::new(Job::default(), folder.path().to_owned());
        Manifest::check(&path, &jobs).map(|manifest| manifest.lines()).map_err(|error| error.to_string())
    }

    #[test]
    fn lines_are_counted_with_and_without_a_last_end() {
        let (one, other) = (r#"{"map":"a","truth":"t"}"#, r#"{"map":"b","truth":"t"}"#);
        assert_eq!(checked(format!("{one}\n{other}\n").as_bytes()), Ok(2));
        assert_eq!(checked(format!("{one}\r\n{other}").as_bytes()), Ok(2));
    }

    #[test]
    fn faults_are_told_with_their_lines_before_any_work() {
        let error = checked(b"").unwrap_err();
        assert!(error.contains("no line"), "{error}");
        let good = r#"{"map":"a","truth":"t"}"#;
        let error = checked(format!("{good}\n\nx\n{good}\n\u{feff}{good}\n").as_bytes()).unwrap_err();
        assert!(error.contains("4 of 5 lines"), "{error}");
        for words in ["\n  line 2: no JSON", "\n  line 3: no JSON", "\n  line 4: stands in line 1 already"] {
            assert!(error.contains(words), "{error}");
        }
        let error = checked(b"\xff\xfe\n").unwrap_err();
        assert!(error.contains("line 1: no UTF-8"), "{error}");
    }

    #[test]
    fn the_first_ten_faults_are_told() {
        let error = checked("x\n".repeat(12).as_bytes()).unwrap_err();
        assert!(error.contains("line 10: ") && !error.contains("line 11: ") && error.contains("and 2 more"));
    }

    #[test]
    fn a_folder_is_no_manifest() {
        let folder = tempfile::tempdir().unwrap();
        let jobs = LineJobs::new(Job::default(), PathBuf::new());
        assert!(Manifest::check(folder.path(), &jobs).is_err());
        assert!(Manifest::check(&folder.path().join("none"), &jobs).is_err());
    }
}

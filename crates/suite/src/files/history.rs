//! A history of reports as a folder: one file per entry, so that nothing has to be started, locked or repaired.
//!
//! ```text
//! DIR/entries/2026-11-16T02-00-00Z_0123456789abcdef.json   the values of a report (mapjudge.history/1)
//! DIR/reports/<blake3 of its bytes>.json                    the report itself; may be deleted to save room
//! ```
//!
//! A file is written under another name, brought to the disk and renamed: a reader sees all of it or nothing, whenever
//! a job is killed. Names follow from the content, so that jobs that add at the same time do not meet, and a report
//! that is added twice is one entry.

use std::fs;
use std::path::{Path, PathBuf};

use report::{EntryName, HISTORY_SCHEMA, History, HistoryEntry, read_baseline};

use super::loader::Loader;
use super::whole_file::write_whole;
use crate::{JobError, Timestamp};

/// A larger file is no report that anyone keeps every night.
const MAX_REPORT_BYTES: u64 = 1 << 30;

/// A folder with a history; made when the first report is added.
#[derive(Clone, Debug)]
pub struct HistoryFolder {
    path: PathBuf,
}

/// What became of a report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Added {
    /// The file of the entry, below the folder.
    pub entry: String,
    /// False if the history had this entry already.
    pub is_new: bool,
}

/// Entries of a history, and files that are none.
#[derive(Clone, Debug, Default)]
pub struct LoadedHistory {
    /// The entries that could be read, the oldest first.
    pub history: History,
    /// File and reason, for each file that could not be read as an entry.
    pub skipped: Vec<String>,
}

impl HistoryFolder {
    /// The folder of this path, which need not exist.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into() }
    }

    /// Adds a JSON report under a time and a label.
    ///
    /// # Errors
    /// The file is no report, or the folder cannot be written.
    pub fn add(&self, report: &Path, time: Timestamp, label: Option<&str>) -> Result<Added, JobError> {
        let text = Loader::default().text(report, MAX_REPORT_BYTES)?.value;
        let parsed = read_baseline(&text).map_err(|source| JobError::Baseline {
            path: report.display().to_string(),
            source: Box::new(source),
        })?;
        let hash = blake3::hash(text.as_bytes()).to_hex().to_string();
        let name = EntryName { time: time.text(), label: label.map(str::to_owned) };
        let file_time = name.time.replace(':', "-");
        let entry = HistoryEntry::of(&parsed, name, hash.clone());
        let entry = serde_json::to_string(&entry).map_err(report::RenderError::from)?;
        let entry_hash = blake3::hash(entry.as_bytes()).to_hex();
        let entry_name = format!("entries/{file_time}_{}.json", &entry_hash[..16]);
        // The report first: an entry never names a report that is not there.
        self.write(&format!("reports/{hash}.json"), text.as_bytes())?;
        let is_new = self.write(&entry_name, entry.as_bytes())?;
        Ok(Added { entry: entry_name, is_new })
    }

    /// Reads the newest entries, all if `newest` is none.
    ///
    /// # Errors
    /// There is no such folder, or it cannot be listed.
    pub fn load(&self, newest: Option<usize>) -> Result<LoadedHistory, JobError> {
        let folder = self.path.join("entries");
        let listed = fs::read_dir(&folder).map_err(|source| JobError::file(&folder, source))?;
        let mut files = Vec::new();
        for entry in listed {
            let path = entry.map_err(|source| JobError::file(&folder, source))?.path();
            if path.extension().is_some_and(|ending| ending == "json") {
                files.push(path);
            }
        }
        // Names begin with the time.
        files.sort();
        let first = newest.map_or(0, |newest| files.len().saturating_sub(newest));
        let mut loaded = LoadedHistory::default();
        for path in &files[first..] {
            match read_entry(path) {
                Ok(entry) => loaded.history.entries.push(entry),
                Err(why) => loaded.skipped.push(format!("{}: {why}", path.display())),
            }
        }
        loaded.history.entries.sort_by(|a, b| a.name.time.cmp(&b.name.time));
        Ok(loaded)
    }

    /// Writes a file whose name follows from its content; false if it was there.
    fn write(&self, name: &str, bytes: &[u8]) -> Result<bool, JobError> {
        let path = self.path.join(name);
        if path.exists() {
            return Ok(false);
        }
        let folder = path.parent().unwrap_or(&self.path);
        fs::create_dir_all(folder).map_err(|source| JobError::output(folder, source))?;
        write_whole(&path, bytes)?;
        Ok(true)
    }
}

fn read_entry(path: &Path) -> Result<HistoryEntry, String> {
    let text = Loader::default().text(path, MAX_REPORT_BYTES).map_err(|error| error.to_string())?.value;
    let entry: HistoryEntry = serde_json::from_str(&text).map_err(|error| error.to_string())?;
    if entry.schema != HISTORY_SCHEMA {
        return Err(format!("schema '{}': expected '{HISTORY_SCHEMA}'", entry.schema));
    }
    Ok(entry)
}

#[cfg(test)]
mod tests {
    use super::*;

    const REPORT: &str = "{\"schema\": \"mapjudge.report/1\", \"tool\": {\"name\": \"mapjudge\", \"version\": \"0\"}, \
                          \"cases\": [], \"limits\": []}";

    fn time(day: usize) -> Timestamp {
        Timestamp::parse(&format!("2026-11-{day:02}")).unwrap()
    }

    fn place() -> (tempfile::TempDir, HistoryFolder, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let report = folder.path().join("report.json");
        fs::write(&report, REPORT).unwrap();
        let history = HistoryFolder::new(folder.path().join("history"));
        (folder, history, report)
    }

    #[test]
    fn entries_come_back_in_the_order_of_time_and_once_each() {
        let (_folder, history, report) = place();
        assert!(history.add(&report, time(3), Some("c")).unwrap().is_new);
        assert!(history.add(&report, time(1), Some("a")).unwrap().is_new);
        assert!(history.add(&report, time(2), None).unwrap().is_new);
        assert!(!history.add(&report, time(2), None).unwrap().is_new, "the same again");
        assert!(history.add(&report, time(2), Some("b")).unwrap().is_new, "another label at the same time");
        let times = |newest| {
            let loaded = history.load(newest).unwrap();
            loaded.history.entries.into_iter().map(|entry| entry.name.time).collect::<Vec<_>>()
        };
        let day = |day: usize| time(day).text();
        assert_eq!(times(None), [day(1), day(2), day(2), day(3)]);
        assert_eq!(times(Some(1)), [day(3)]);
    }

    #[test]
    fn jobs_that_add_at_the_same_time_all_get_in() {
        let (_folder, history, report) = place();
        std::thread::scope(|scope| {
            for day in 1..=16 {
                let (history, report) = (&history, &report);
                scope.spawn(move || history.add(report, time(day % 8 + 1), None).unwrap());
            }
        });
        let loaded = history.load(None).unwrap();
        assert_eq!((loaded.history.entries.len(), loaded.skipped.len()), (8, 0));
    }

    #[test]
    fn what_a_killed_job_left_is_not_read_and_a_broken_entry_is_said() {
        let (_folder, history, report) = place();
        history.add(&report, time(1), None).unwrap();
        let entries = history.path.join("entries");
        fs::write(entries.join("2026-11-02.99-0.part"), "{\"schema").unwrap();
        fs::write(entries.join("2026-11-03.json"), "{\"schema").unwrap();
        let loaded = history.load(None).unwrap();
        assert_eq!((loaded.history.entries.len(), loaded.skipped.len()), (1, 1));
        assert!(loaded.skipped[0].contains("2026-11-03.json"), "{:?}", loaded.skipped);
    }

    #[test]
    fn what_is_no_report_is_refused_and_leaves_nothing() {
        let (folder, history, _) = place();
        let wrong = folder.path().join("wrong.json");
        fs::write(&wrong, "{}").unwrap();
        assert_eq!(history.add(&wrong, time(1), None).unwrap_err().code(), "BASELINE_INVALID");
        assert!(!history.path.exists());
        assert!(history.load(None).is_err(), "no history is not an empty one");
    }
}

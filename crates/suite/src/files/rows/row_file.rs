//! A row file: a header, then one line per finished pair, appended and never changed.
//!
//! A process that is killed leaves at most one line without an end, which the next one cuts off. A lock keeps a second
//! process out. What is not a row file of the same job is never touched.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Seek, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::done_rows::{DoneRows, Retry};
use super::lines::{LineEnd, Lines};
use crate::JobError;
use crate::rows::RowHeader;

/// Rows are brought to the disk so often.
const SYNC_EVERY: Duration = Duration::from_secs(1);

/// A row file that this process alone writes to.
pub(super) struct RowFile {
    path: PathBuf,
    file: File,
    bytes: u64,
    synced: Instant,
}

impl RowFile {
    /// Opens a row file, or begins one; with the rows that it has.
    ///
    /// # Errors
    /// It cannot be written, another process writes to it, or it is of another job.
    pub(super) fn open(path: &Path, header: &RowHeader, retry: Retry) -> Result<(Self, DoneRows), JobError> {
        let failed = |source| JobError::output(path, source);
        let mut file = OpenOptions::new().read(true).append(true).create(true).open(path).map_err(failed)?;
        match file.try_lock() {
            // A file system without locks does not stop the work.
            Ok(()) | Err(TryLockError::Error(_)) => {}
            Err(TryLockError::WouldBlock) => {
                let message = "another process writes to this row file";
                let hint = "wait for its end, or give each process a shard or a folder of its own";
                return Err(JobError::rows(path.display().to_string(), "ROWS_LOCKED", message, hint));
            }
        }
        let (bytes, done) = read_rows(&file, path, header, retry)?;
        if file.metadata().map_err(failed)?.len() != bytes {
            file.set_len(bytes).map_err(failed)?;
        }
        file.seek(std::io::SeekFrom::End(0)).map_err(failed)?;
        let mut rows = Self { path: path.to_owned(), file, bytes, synced: Instant::now() };
        if bytes == 0 {
            rows.append(&header.to_line())?;
            rows.sync()?;
        }
        Ok((rows, done))
    }

    /// Appends a line by one write, and brings lines to the disk each second.
    ///
    /// # Errors
    /// It cannot be written, as on a full disk; the rows before stay.
    pub(super) fn append(&mut self, line: &str) -> Result<(), JobError> {
        if let Err(source) = self.file.write_all(line.as_bytes()) {
            // What a full disk took of the line goes; if even that fails, the next run cuts it off.
            let _ = self.file.set_len(self.bytes);
            return Err(JobError::output(&self.path, source));
        }
        self.bytes += line.len() as u64;
        if self.synced.elapsed() >= SYNC_EVERY {
            self.sync()?;
        }
        Ok(())
    }

    /// Brings all lines to the disk.
    ///
    /// # Errors
    /// They cannot be brought there, or the file is no longer at its place.
    pub(super) fn sync(&mut self) -> Result<(), JobError> {
        let failed = |source| JobError::output(&self.path, source);
        self.file.sync_data().map_err(failed)?;
        self.synced = Instant::now();
        if is_at(&self.file, &self.path) {
            return Ok(());
        }
        Err(failed(std::io::Error::other("the file was removed or replaced while rows were written to it")))
    }
}

/// Whether an open file is still the one at a path: writes to a removed file succeed and are lost.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let identity = |metadata: std::fs::Metadata| (metadata.dev(), metadata.ino());
    let there = std::fs::metadata(path).map(identity);
    there.is_ok_and(|there| file.metadata().is_ok_and(|own| identity(own) == there))
}

/// Systems that let nobody remove an open file.
#[cfg(not(unix))]
fn is_at(_: &File, path: &Path) -> bool {
    path.exists()
}

/// The length of the whole lines of a file, and its rows; 0 for a file that has no header yet.
fn read_rows(
    file: &File,
    path: &Path,
    header: &RowHeader,
    retry: Retry,
) -> Result<(u64, DoneRows), JobError> {
    let name = || path.display().to_string();
    let mut lines = Lines::of(file.try_clone().map_err(|source| JobError::file(path, source))?, path);
    let mut done = DoneRows::default();
    let mut text = Vec::new();
    let Some(first) = lines.next_into(&mut text)? else { return Ok((0, done)) };
    if first.end == LineEnd::Cut && header.to_line().as_bytes().starts_with(&text) {
        return Ok((0, done));
    }
    check_header(&text, header, &name())?;
    if first.end == LineEnd::Cut {
        return Ok((0, done));
    }
    let mut bytes = first.bytes;
    while let Some(at) = lines.next_into(&mut text)? {
        if at.end == LineEnd::Cut {
            break;
        }
        done.add(&text, retry).map_err(|why| damaged(&name(), at.number, &why))?;
        bytes = at.offset + at.bytes;
    }
    done.sort();
    Ok((bytes, done))
}

/// A whole line that is no row.
pub(super) fn damaged(path: &str, line: u64, why: &str) -> JobError {
    let hint =
        "nothing was changed; remove that line if you know how it came there, and its row is scored again";
    JobError::rows(path, "ROWS_DAMAGED", format!("line {line}: {why}"), hint)
}

fn check_header(line: &[u8], header: &RowHeader, path: &str) -> Result<(), JobError> {
    let other = |message: String| {
        let hint = "nothing was changed; choose another output folder for these rows";
        Err(JobError::rows(path, "ROWS_OF_OTHER_JOB", message, hint))
    };
    match RowHeader::parse(&String::from_utf8_lossy(line)) {
        Ok(found) => header.difference(&found).map_or(Ok(()), other),
        Err(why) => other(format!("no row file: {why}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows::{Row, RowNames, RowRules, row_hash};
    use serde_json::Value;

    fn header() -> RowHeader {
        RowHeader::new(RowRules::default(), Value::Null)
    }

    fn line(name: &str) -> String {
        let names = RowNames {
            row: row_hash(name),
            key: row_hash("k"),
            id: name.to_owned(),
            tags: Default::default(),
        };
        Row::of_error(names, "MALFORMED", String::new(), None).to_line()
    }

    fn open(path: &Path) -> Result<(RowFile, DoneRows), JobError> {
        RowFile::open(path, &header(), Retry::FileSystem)
    }

    #[test]
    fn a_line_without_end_is_cut_off() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rows.jsonl");
        let (mut rows, _) = open(&path).unwrap();
        rows.append(&line("a")).unwrap();
        rows.append(&line("b")).unwrap();
        drop(rows);
        let whole = std::fs::read(&path).unwrap();
        let first = header().to_line().len();
        for cut in 0..whole.len() {
            std::fs::write(&path, &whole[..cut]).unwrap();
            let (mut rows, done) = open(&path).unwrap();
            let expected = [first + line("a").len() <= cut, whole.len() <= cut];
            let found = ["a", "b"].map(|name| done.find_any(&row_hash(name)).is_some());
            assert_eq!(found, expected, "cut at {cut}");
            for (name, _) in ["a", "b"].iter().zip(found).filter(|(_, is_there)| !is_there) {
                rows.append(&line(name)).unwrap();
            }
            drop(rows);
            assert_eq!(std::fs::read(&path).unwrap(), whole, "cut at {cut}");
        }
    }

    #[test]
    fn files_of_others_are_never_touched() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rows.jsonl");
        let full = RowRules { detail: crate::rows::RowDetail::Full, ..RowRules::default() };
        let of_other_job = RowHeader::new(full, Value::Null).to_line();
        let changed = header().to_line() + "{}\n";
        for (content, code) in [
            (of_other_job, "ROWS_OF_OTHER_JOB"),
            ("my notes".to_owned(), "ROWS_OF_OTHER_JOB"),
            ("\n".to_owned(), "ROWS_OF_OTHER_JOB"),
            (changed, "ROWS_DAMAGED"),
        ] {
            std::fs::write(&path, &content).unwrap();
            let error = open(&path).err().unwrap();
            assert_eq!(error.code(), code, "{error}");
            assert_eq!(std::fs::read_to_string(&path).unwrap(), content);
        }
    }

    #[test]
    fn a_second_process_is_kept_out() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rows.jsonl");
        let first = open(&path).unwrap();
        assert_eq!(open(&path).err().unwrap().code(), "ROWS_LOCKED");
        drop(first);
        assert!(open(&path).is_ok());
    }

    #[cfg(unix)]
    #[test]
    fn a_file_that_was_removed_is_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rows.jsonl");
        let (mut rows, _) = open(&path).unwrap();
        std::fs::remove_file(&path).unwrap();
        let error = rows.append(&line("a")).and_then(|()| rows.sync()).unwrap_err();
        assert!(error.to_string().contains("removed"), "{error}");
    }
}

//! The rows that a file has, in 25 bytes each: a row file may have ten million.

use std::borrow::Cow;

use serde::Deserialize;
use serde::de::IgnoredAny;

use crate::rows::{RowStatus, is_of_file_system};

/// What a finished row says about the exit code.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct RowFlags {
    /// It is an error.
    pub(super) is_error: bool,
    /// It missed a limit.
    pub(super) missed_limit: bool,
}

/// Rows that need not be scored again.
#[derive(Default)]
pub(super) struct DoneRows {
    entries: Vec<Entry>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Entry {
    row: [u8; 16],
    key: [u8; 8],
    flags: u8,
}

const ERROR: u8 = 1;
const MISSED: u8 = 2;
const UNFINISHED: u8 = 4;
const RETRIED: u8 = 8;

/// Errors of rows whose process ended; their key covers only the files that the line names.
pub(super) const UNFINISHED_CODES: [&str; 3] = ["WORKER_DIED", "ROW_TIMEOUT", "ROW_MEMORY"];

/// Which errors are tried again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Retry {
    /// Those of the file system, which the inputs say nothing about.
    #[default]
    FileSystem,
    /// All.
    AllErrors,
}

/// The keys of a row that decide whether it is scored again.
#[derive(Deserialize)]
struct Skimmed<'a> {
    #[serde(borrow)]
    row: Cow<'a, str>,
    #[serde(borrow)]
    key: Cow<'a, str>,
    status: RowStatus,
    #[serde(borrow, default)]
    code: Option<Cow<'a, str>>,
    #[serde(default)]
    missed: Vec<IgnoredAny>,
}

impl DoneRows {
    /// Adds a line of a row file. Call [`DoneRows::sort`] after the last one.
    pub(super) fn add(&mut self, line: &[u8], retry: Retry) -> Result<(), String> {
        let row: Skimmed =
            serde_json::from_slice(line).map_err(|error| format!("expected a row: {error}"))?;
        let hashes = bytes_of::<16>(&row.row).zip(bytes_of::<8>(&row.key));
        let (hash, key) = hashes.ok_or("expected hashes of 64 hexadecimal digits in `row` and `key`")?;
        let is_error = row.status == RowStatus::Error;
        let code = row.code.as_deref().unwrap_or_default();
        let is_retried = is_error && (retry == Retry::AllErrors || is_of_file_system(code));
        let flag = |holds: bool, flag: u8| if holds { flag } else { 0 };
        let flags = flag(is_error, ERROR)
            | flag(!row.missed.is_empty(), MISSED)
            | flag(UNFINISHED_CODES.contains(&code), UNFINISHED)
            | flag(is_retried, RETRIED);
        self.entries.push(Entry { row: hash, key, flags });
        Ok(())
    }

    pub(super) fn sort(&mut self) {
        self.entries.sort_unstable();
    }

    /// What is known about a row with this key; none if it is to be tried again.
    pub(super) fn find(&self, row: &str, key: &str) -> Option<RowFlags> {
        let key = bytes_of::<8>(key)?;
        self.settled(row).find(|entry| entry.key == key).map(Entry::flags)
    }

    /// What is known about a row, whatever its key; none if it is to be tried again.
    pub(super) fn find_any(&self, row: &str) -> Option<RowFlags> {
        self.settled(row).last().map(Entry::flags)
    }

    /// Whether a row with this key failed before and was to be tried again: failing once more is nothing new.
    pub(super) fn has_failed(&self, row: &str, key: &str) -> bool {
        let key = bytes_of::<8>(key);
        self.of(row).iter().any(|entry| entry.flags & RETRIED != 0 && Some(entry.key) == key)
    }

    /// Whether the process of this row has ended before.
    pub(super) fn is_unfinished(&self, row: &str) -> bool {
        self.of(row).iter().any(|entry| entry.flags & UNFINISHED != 0)
    }

    /// The beginnings of the known keys of a row, in hexadecimal.
    pub(super) fn keys_of(&self, row: &str) -> Vec<String> {
        let hex = |entry: &Entry| entry.key.iter().map(|byte| format!("{byte:02x}")).collect();
        self.settled(row).map(hex).collect()
    }

    fn settled(&self, row: &str) -> impl Iterator<Item = &Entry> {
        self.of(row).iter().filter(|entry| entry.flags & RETRIED == 0)
    }

    fn of(&self, row: &str) -> &[Entry] {
        let Some(row) = bytes_of::<16>(row) else { return &[] };
        let first = self.entries.partition_point(|entry| entry.row < row);
        let rest = self.entries.get(first..).unwrap_or_default();
        let count = rest.iter().take_while(|entry| entry.row == row).count();
        rest.get(..count).unwrap_or_default()
    }
}

impl Entry {
    fn flags(&self) -> RowFlags {
        RowFlags { is_error: self.flags & ERROR != 0, missed_limit: self.flags & MISSED != 0 }
    }
}

/// The first bytes of a hash of 64 hexadecimal digits.
pub(super) fn bytes_of<const N: usize>(hex: &str) -> Option<[u8; N]> {
    let digits = hex.as_bytes();
    if digits.len() != 64 || !digits.iter().all(u8::is_ascii_hexdigit) {
        return None;
    }
    let mut bytes = [0; N];
    for (byte, pair) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
        let value = |digit: u8| (digit as char).to_digit(16).unwrap_or(0) as u8;
        *byte = value(pair[0]) << 4 | value(pair[1]);
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows::{Row, RowNames, row_hash};

    fn line(row: &str, key: &str, code: &str) -> String {
        let names =
            RowNames { row: row_hash(row), key: row_hash(key), id: "i".to_owned(), tags: Default::default() };
        let mut row = Row::of_error(names, code, "é\"".to_owned(), None);
        if code.is_empty() {
            (row.status, row.code) = (RowStatus::Ok, None);
            row.missed = vec!["overall_error < 1".to_owned()];
        }
        row.to_line()
    }

    fn done(lines: &[String], retry: Retry) -> DoneRows {
        let mut done = DoneRows::default();
        lines.iter().for_each(|line| done.add(line.trim_end().as_bytes(), retry).unwrap());
        done.sort();
        done
    }

    #[test]
    fn rows_are_found_by_row_and_key() {
        let lines = [line("b", "2", ""), line("a", "1", "MALFORMED"), line("a", "3", "ROW_TIMEOUT")];
        let found = done(&lines, Retry::FileSystem);
        let flags = |is_error, missed_limit| Some(RowFlags { is_error, missed_limit });
        assert_eq!(found.find(&row_hash("b"), &row_hash("2")), flags(false, true));
        assert_eq!(found.find(&row_hash("a"), &row_hash("1")), flags(true, false));
        assert_eq!(found.find(&row_hash("a"), &row_hash("2")), None);
        assert_eq!(found.find_any(&row_hash("c")), None);
        assert!(found.is_unfinished(&row_hash("a")) && !found.is_unfinished(&row_hash("b")));
        assert_eq!(found.keys_of(&row_hash("b")), [row_hash("2")[..16].to_owned()]);
        assert_eq!(size_of::<Entry>(), 25);
    }

    #[test]
    fn errors_are_tried_again_as_asked() {
        let lines = [line("a", "1", "MALFORMED"), line("b", "1", "FILE_NOT_READABLE")];
        let found = done(&lines, Retry::FileSystem);
        assert!(found.find_any(&row_hash("a")).is_some() && found.find_any(&row_hash("b")).is_none());
        assert!(
            found.has_failed(&row_hash("b"), &row_hash("1"))
                && !found.has_failed(&row_hash("a"), &row_hash("1"))
        );
        assert!(
            found.keys_of(&row_hash("b")).is_empty() && !found.has_failed(&row_hash("b"), &row_hash("2"))
        );
        assert!(done(&lines, Retry::AllErrors).find_any(&row_hash("a")).is_none());
    }

    #[test]
    fn other_lines_are_refused() {
        for text in ["", "{}", "7", "{\"row\":\"x\",\"key\":\"y\",\"status\":\"ok\"}", "\u{0}"] {
            assert!(DoneRows::default().add(text.as_bytes(), Retry::FileSystem).is_err(), "{text}");
        }
        assert!(DoneRows::default().add(b"\xff{", Retry::FileSystem).is_err());
    }
}

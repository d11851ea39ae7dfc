//! Rows of many files to one file with one result per manifest line, in its order.
//!
//! The output has the same bytes however the rows were computed: in any shards, by any number of threads, after any number
//! of kills.

use std::path::{Path, PathBuf};

use serde::Serialize;

use super::line::ManifestLine;
use super::manifest::Manifest;
use super::merge_index::{LineIndex, RowIndex, RowReader};
use super::merged_file::{MergedKind, begin, parsed};
use super::scorer::RowScorer;
use crate::JobError;
use crate::files::{Overwrite, check_overwrite};
use crate::rows::{Candidate, RowChoice, RowHeader, Shard, choose_row};

/// Bytes of a row that a message shows.
const MAX_SHOWN_BYTES: usize = 2000;
/// Rows between two calls of `progress`.
const ROWS_PER_CALL: u64 = 4096;

/// What is merged, and where to.
#[derive(Clone, Debug, PartialEq)]
pub struct Merge {
    /// Row files, or folders of them.
    pub inputs: Vec<PathBuf>,
    /// The manifest.
    pub manifest: PathBuf,
    /// The file to write: `.jsonl`, `.csv` or `.parquet`.
    pub out: PathBuf,
    /// Whether it may be replaced.
    pub overwrite: Overwrite,
}

/// What a merge did.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Merged {
    /// Lines of the manifest.
    pub lines: u64,
    /// Row files.
    pub files: u64,
    /// Rows written.
    pub rows: u64,
    /// Lines without a result, from and to, counted from 1.
    pub missing: Vec<(u64, u64)>,
    /// Lines whose results all rest on other inputs than those of now; they are among the missing.
    pub outdated: Vec<u64>,
    /// Rows that stood there several times with the same bytes.
    pub repeated: u64,
    /// Rows of no line of the manifest.
    pub strange: u64,
    /// Files whose last line has no end: a process was killed, or is at work.
    pub cut: Vec<String>,
}

impl Merged {
    /// How many lines have no result.
    #[must_use]
    pub fn missing_lines(&self) -> u64 {
        self.missing.iter().map(|(first, last)| last - first + 1).sum()
    }
}

/// Merges rows. `progress` is called with the number of rows written, now and then.
///
/// # Errors
/// Files of different jobs, rows that cannot be read, results that are not repeatable, or an output that cannot be written.
pub fn merge_rows(merge: &Merge, progress: &dyn Fn(u64)) -> Result<Merged, JobError> {
    let kind = MergedKind::of(&merge.out)?;
    check_overwrite(&merge.out, merge.overwrite)?;
    let files = row_files(&merge.inputs, &merge.out)?;
    let lines = LineIndex::read(&merge.manifest)?;
    let (mut index, header) = RowIndex::read(&files, &lines)?;
    // Its hashes are needed no longer.
    drop(lines);
    let mut reader = RowReader::open(&files)?;
    let outdated = settle(&mut index, &mut reader, &header, &merge.manifest)?;
    let mut merged = Merged {
        lines: index.lines() as u64,
        files: files.len() as u64,
        missing: index.missing(),
        outdated,
        repeated: index.repeated,
        strange: index.strange,
        cut: std::mem::take(&mut index.cut),
        ..Merged::default()
    };
    let mut sink = begin(&merge.out, kind, &header, index.columns.columns())?;
    for line in 0..index.lines() {
        let Some(place) = index.first(line) else { continue };
        sink.add(line as u64 + 1, reader.row(place)?)?;
        merged.rows += 1;
        if merged.rows.is_multiple_of(ROWS_PER_CALL) {
            progress(merged.rows);
        }
    }
    sink.finish()?;
    Ok(merged)
}

/// The row files of folders and paths, in the order of their names.
fn row_files(inputs: &[PathBuf], out: &Path) -> Result<Vec<PathBuf>, JobError> {
    let mut files = Vec::new();
    for input in inputs {
        if !input.is_dir() {
            files.push(input.clone());
            continue;
        }
        let entries = std::fs::read_dir(input).map_err(|source| JobError::file(input, source))?;
        let is_rows = |path: &PathBuf| {
            let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            name.starts_with("rows-") && name.ends_with(".jsonl")
        };
        let mut found: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).filter(is_rows).collect();
        found.sort();
        files.extend(found);
    }
    let Some(first) = files.first() else {
        let place = inputs.first().map(|input| input.display().to_string()).unwrap_or_default();
        let hint =
            "name the folder that rows were written to; their files are called rows-00001-of-00001.jsonl";
        return Err(JobError::rows(place, "NO_ROWS", "no row file is there", hint));
    };
    let is_output = |file: &PathBuf| file == out || same_file(file, out);
    if files.iter().any(is_output) {
        return Err(JobError::OverInput { path: out.display().to_string() });
    }
    if files.len() > 1 << 16 {
        let message = format!("{} row files: expected at most 65536", files.len());
        return Err(JobError::rows(
            first.display().to_string(),
            "TOO_MANY_FILES",
            message,
            "merge them in parts",
        ));
    }
    Ok(files)
}

fn same_file(one: &Path, other: &Path) -> bool {
    one.canonicalize().ok().is_some_and(|one| other.canonicalize().is_ok_and(|other| one == other))
}

/// Chooses one result for each line that has several; the lines for which none fits the files as they are now.
fn settle(
    index: &mut RowIndex,
    reader: &mut RowReader,
    header: &RowHeader,
    manifest: &Path,
) -> Result<Vec<u64>, JobError> {
    let others = std::mem::take(&mut index.others);
    if others.is_empty() {
        return Ok(Vec::new());
    }
    let scorer = RowScorer::of_header(header, manifest)?;
    let mut lines = Manifest::unchecked(manifest).of_shard(Shard::WHOLE)?;
    let mut outdated = Vec::new();
    while let Some((at, text)) = lines.next_text()? {
        let Some(more) = u32::try_from(at.number - 1).ok().and_then(|line| others.get(&line)) else {
            continue;
        };
        let line = at.number as usize - 1;
        let places: Vec<_> = index.first(line).into_iter().chain(more.iter().copied()).collect();
        let mut candidates = Vec::new();
        for place in &places {
            let bytes = reader.row(*place)?;
            let row = parsed(at.number, bytes)?;
            candidates.push(Candidate { row, line: String::from_utf8_lossy(bytes).into_owned() });
        }
        let parsed_line = text.and_then(|text| ManifestLine::parse(at.number, text));
        let mut now: Option<Vec<String>> = None;
        let mut fits = |key: &str| {
            let keys = || parsed_line.as_ref().map(|line| scorer.keys_now(line).to_vec()).unwrap_or_default();
            now.get_or_insert_with(keys).iter().any(|now| now == key)
        };
        match choose_row(&candidates, &mut fits) {
            RowChoice::Taken(chosen) => index.replace(line, places.get(chosen).copied()),
            RowChoice::Outdated => {
                outdated.push(at.number);
                index.replace(line, None);
            }
            RowChoice::Conflict(one, other) => {
                return Err(conflict(manifest, at.number, &candidates[one].line, &candidates[other].line));
            }
        }
    }
    Ok(outdated)
}

fn conflict(manifest: &Path, line: u64, one: &str, other: &str) -> JobError {
    let shown = |row: &str| row.trim_end().chars().take(MAX_SHOWN_BYTES).collect::<String>();
    let message = format!(
        "line {line}: two results rest on the same inputs and differ\n  {}\n  {}",
        shown(one),
        shown(other)
    );
    let hint = "a score that is not repeatable cannot be used; please report it with the files of this line";
    JobError::rows(manifest.display().to_string(), "ROWS_CONFLICT", message, hint)
}

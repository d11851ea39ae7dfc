//! Where the result of each manifest line stands: 40 bytes per line, so that ten million fit into half a gigabyte.
//!
//! Rows are read once to find their places, and once more in the order of the manifest.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::{Map, Value};

use super::done_rows::bytes_of;
use super::lines::{LineEnd, Lines};
use super::row_columns::ColumnNames;
use super::row_file::damaged;
use crate::JobError;
use crate::rows::{RowHeader, row_hash};

/// Bytes of a place: 48 bits of offset below 16 bits of file.
const OFFSET_BITS: u32 = 48;
/// More row files than this are a mistake.
const MAX_FILES: usize = 1 << 16;
/// A file is read in windows of this size; neighbouring rows stand beside each other.
const WINDOW_BYTES: usize = 1 << 18;

/// Lines of a manifest by their hash.
pub(super) struct LineIndex {
    entries: Vec<([u8; 16], u32)>,
}

impl LineIndex {
    /// Reads a manifest; only hashes and numbers are kept.
    pub(super) fn read(manifest: &Path) -> Result<Self, JobError> {
        let name = manifest.display().to_string();
        let mut lines = Lines::open(manifest)?;
        let (mut entries, mut text) = (Vec::new(), Vec::new());
        while let Some(at) = lines.next_into(&mut text)? {
            let hash = row_hash(&String::from_utf8_lossy(&text));
            let number = u32::try_from(at.number).map_err(|_| {
                JobError::rows(&name, "MANIFEST_INVALID", "more than 2^32 lines", "divide the manifest")
            })?;
            entries.extend(bytes_of::<16>(&hash).map(|hash| (hash, number)));
        }
        entries.sort_unstable();
        if entries.is_empty() {
            let hint = "a line is a JSON object with `map` and `truth`";
            return Err(JobError::rows(&name, "MANIFEST_EMPTY", "the manifest has no line", hint));
        }
        if let Some([first, second]) =
            entries.array_windows::<2>().find(|[first, second]| first.0 == second.0)
        {
            let message = format!("line {} stands in line {} already", second.1, first.1);
            return Err(JobError::rows(&name, "MANIFEST_INVALID", message, "remove one of the two lines"));
        }
        Ok(Self { entries })
    }

    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    /// The place of a row in the manifest, counted from 0.
    fn find(&self, row: &[u8; 16]) -> Option<usize> {
        let found = self.entries.binary_search_by(|(hash, _)| hash.cmp(row)).ok()?;
        self.entries.get(found).map(|(_, number)| *number as usize - 1)
    }
}

/// Where a row stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    packed: u64,
    bytes: u32,
}

impl Place {
    const NOWHERE: Self = Self { packed: 0, bytes: 0 };

    fn new(file: usize, offset: u64, bytes: u64) -> Option<Self> {
        let is_there = offset < 1 << OFFSET_BITS && file < MAX_FILES;
        let bytes = u32::try_from(bytes).ok().filter(|_| is_there)?;
        Some(Self { packed: (file as u64) << OFFSET_BITS | offset, bytes })
    }

    pub(super) fn file(self) -> usize {
        (self.packed >> OFFSET_BITS) as usize
    }

    fn offset(self) -> u64 {
        self.packed & ((1 << OFFSET_BITS) - 1)
    }
}

/// The places of all results, and what was noticed while they were found.
pub(super) struct RowIndex {
    places: Vec<Place>,
    keys: Vec<u64>,
    /// Further results of lines that have several, which are not the same bytes.
    pub(super) others: BTreeMap<u32, Vec<Place>>,
    pub(super) columns: ColumnNames,
    /// Rows that stand there several times with the same bytes.
    pub(super) repeated: u64,
    /// Rows of no line of the manifest.
    pub(super) strange: u64,
    /// Files whose last line has no end.
    pub(super) cut: Vec<String>,
}

/// The parts of a row that decide where it belongs.
#[derive(Deserialize)]
struct Skimmed<'a> {
    #[serde(borrow)]
    row: Cow<'a, str>,
    #[serde(borrow)]
    key: Cow<'a, str>,
    #[serde(borrow, default)]
    values: Keys<'a>,
    #[serde(default)]
    tags: Map<String, Value>,
}

/// The keys of an object.
#[derive(Default)]
struct Keys<'a>(Vec<Cow<'a, str>>);

impl<'de: 'a, 'a> Deserialize<'de> for Keys<'a> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;

        #[derive(Deserialize)]
        struct Key<'a>(#[serde(borrow)] Cow<'a, str>);

        impl<'de> serde::de::Visitor<'de> for Visitor {
            type Value = Keys<'de>;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an object of numbers")
            }

            fn visit_map<A: serde::de::MapAccess<'de>>(self, mut map: A) -> Result<Keys<'de>, A::Error> {
                let mut keys = Vec::new();
                while let Some((Key(key), _)) = map.next_entry::<Key, Option<f64>>()? {
                    keys.push(key);
                }
                Ok(Keys(keys))
            }
        }
        deserializer.deserialize_map(Visitor)
    }
}

impl RowIndex {
    /// Finds the places of all rows; with the header that all files share.
    pub(super) fn read(files: &[PathBuf], lines: &LineIndex) -> Result<(Self, RowHeader), JobError> {
        let mut index = Self {
            places: vec![Place::NOWHERE; lines.len()],
            keys: vec![0; lines.len()],
            others: BTreeMap::new(),
            columns: ColumnNames::default(),
            repeated: 0,
            strange: 0,
            cut: Vec::new(),
        };
        let mut reader = RowReader::open(files)?;
        let mut header: Option<RowHeader> = None;
        for (number, path) in files.iter().enumerate() {
            index.add_file(number, path, lines, &mut header, &mut reader)?;
        }
        let missing =
            || JobError::rows("merge", "NO_ROWS", "no row file has a header", "score some rows first");
        Ok((index, header.ok_or_else(missing)?))
    }

    fn add_file(
        &mut self,
        number: usize,
        path: &Path,
        lines: &LineIndex,
        header: &mut Option<RowHeader>,
        reader: &mut RowReader,
    ) -> Result<(), JobError> {
        let name = path.display().to_string();
        let mut rows = Lines::open(path)?;
        let mut text = Vec::new();
        while let Some(at) = rows.next_into(&mut text)? {
            if at.end == LineEnd::Cut {
                self.cut.push(name.clone());
                break;
            }
            if at.number == 1 {
                take_header(&text, &name, header)?;
                continue;
            }
            let wrong = |why: String| damaged(&name, at.number, &why);
            let row: Skimmed =
                serde_json::from_slice(&text).map_err(|error| wrong(format!("expected a row: {error}")))?;
            let hashes = bytes_of::<16>(&row.row).zip(bytes_of::<8>(&row.key));
            let (hash, key) =
                hashes.ok_or_else(|| wrong("expected hashes of 64 hexadecimal digits".to_owned()))?;
            let Some(line) = lines.find(&hash) else {
                self.strange += 1;
                continue;
            };
            self.columns.add(row.values.0.iter().map(|key| &**key), &row.tags).map_err(&wrong)?;
            let place = Place::new(number, at.offset, at.bytes).ok_or_else(|| wrong("too far".to_owned()))?;
            self.add(line, place, u64::from_be_bytes(key), &text, reader)?;
        }
        Ok(())
    }

    fn add(
        &mut self,
        line: usize,
        place: Place,
        key: u64,
        text: &[u8],
        reader: &mut RowReader,
    ) -> Result<(), JobError> {
        let (Some(first), Some(first_key)) = (self.places.get_mut(line), self.keys.get_mut(line)) else {
            return Ok(());
        };
        if *first == Place::NOWHERE {
            (*first, *first_key) = (place, key);
            return Ok(());
        }
        if *first_key == key && first.bytes == place.bytes && reader.row(*first)?.trim_ascii_end() == text {
            self.repeated += 1;
            return Ok(());
        }
        self.others.entry(line as u32).or_default().push(place);
        Ok(())
    }

    /// The first result of a line, counted from 0.
    pub(super) fn first(&self, line: usize) -> Option<Place> {
        self.places.get(line).copied().filter(|place| *place != Place::NOWHERE)
    }

    /// Puts another result of a line first, or none.
    pub(super) fn replace(&mut self, line: usize, place: Option<Place>) {
        if let Some(first) = self.places.get_mut(line) {
            *first = place.unwrap_or(Place::NOWHERE);
        }
    }

    /// Lines without a result, counted from 1, as ranges.
    pub(super) fn missing(&self) -> Vec<(u64, u64)> {
        let mut ranges: Vec<(u64, u64)> = Vec::new();
        for (index, _) in self.places.iter().enumerate().filter(|(_, place)| **place == Place::NOWHERE) {
            let line = index as u64 + 1;
            match ranges.last_mut() {
                Some((_, last)) if *last + 1 == line => *last = line,
                _ => ranges.push((line, line)),
            }
        }
        ranges
    }

    pub(super) fn lines(&self) -> usize {
        self.places.len()
    }
}

fn take_header(line: &[u8], path: &str, header: &mut Option<RowHeader>) -> Result<(), JobError> {
    let hint = "merge rows of one job only";
    let other = |message: String| JobError::rows(path, "ROWS_OF_OTHER_JOB", message, hint);
    let found = RowHeader::parse(&String::from_utf8_lossy(line))
        .map_err(|why| other(format!("no row file: {why}")))?;
    match header {
        None => *header = Some(found),
        Some(first) => {
            if let Some(difference) = first.difference(&found) {
                return Err(other(format!("{difference} than those of the files before it")));
            }
        }
    }
    Ok(())
}

/// Reads rows at their places, with a window per file.
pub(super) struct RowReader {
    files: Vec<Window>,
}

struct Window {
    name: String,
    file: File,
    begin: u64,
    bytes: Vec<u8>,
}

impl RowReader {
    pub(super) fn open(files: &[PathBuf]) -> Result<Self, JobError> {
        let open = |path: &PathBuf| {
            let file = File::open(path).map_err(|source| JobError::file(path, source))?;
            Ok(Window { name: path.display().to_string(), file, begin: 0, bytes: Vec::new() })
        };
        Ok(Self { files: files.iter().map(open).collect::<Result<_, JobError>>()? })
    }

    /// The bytes of a row, with the end of its line.
    pub(super) fn row(&mut self, place: Place) -> Result<&[u8], JobError> {
        let missing =
            || JobError::rows("merge", "ROWS_DAMAGED", "a row file is gone", "it was removed meanwhile");
        let window = self.files.get_mut(place.file()).ok_or_else(missing)?;
        let (offset, bytes) = (place.offset(), place.bytes as usize);
        if offset < window.begin || offset + bytes as u64 > window.begin + window.bytes.len() as u64 {
            window.fill(offset, bytes.max(WINDOW_BYTES))?;
        }
        let first = (offset - window.begin) as usize;
        window.bytes.get(first..first + bytes).ok_or_else(missing)
    }
}

impl Window {
    fn fill(&mut self, offset: u64, bytes: usize) -> Result<(), JobError> {
        self.bytes.clear();
        self.begin = offset;
        let sought = self.file.seek(SeekFrom::Start(offset));
        let read = sought.and_then(|_| self.file.by_ref().take(bytes as u64).read_to_end(&mut self.bytes));
        read.map(drop).map_err(|source| JobError::file(&self.name, source))
    }
}

//! The tables of an SQLite file, read-only. Specification: <https://www.sqlite.org/fileformat2.html>.
//!
//! Only what db3 bags need: rowid tables in UTF-8, from the file itself. There is no SQL, so that no view,
//! trigger or endless query of a hostile file can run, and no C code. Each page is used once per table at most,
//! as in every sound file: that ends loops.

use std::io::{Read, Seek, SeekFrom};

use crate::{Place, ReadError};

/// First bytes of every SQLite file.
pub(crate) const MAGIC: &[u8; 16] = b"SQLite format 3\0";
const HEADER_BYTES: usize = 100;
/// The longest row that is read.
const MAX_ROW_BYTES: u64 = super::byte_stream::MAX_RECORD_BYTES;
/// Trees of 2^31 pages are not deeper than that.
const MAX_DEPTH: usize = 40;

/// A reader that can jump.
pub(crate) trait ReadSeek: Read + Seek {}
impl<T: Read + Seek> ReadSeek for T {}

pub(crate) struct Database<'a> {
    file: &'a str,
    reader: Box<dyn ReadSeek + 'a>,
    page_bytes: usize,
    /// Bytes of a page without the reserved ones at its end.
    usable: usize,
    pages: u32,
    /// Pages that the header promises; 0 where it does not.
    promised_pages: u32,
    /// Whether a log beside the file may hold newer pages.
    pub has_log: bool,
}

impl<'a> Database<'a> {
    pub fn open(file: &'a str, mut reader: Box<dyn ReadSeek + 'a>) -> Result<Self, ReadError> {
        let malformed =
            |place, expected: &str, found: String| ReadError::malformed(file, place, expected, found);
        let unreadable = |error: std::io::Error| crate::source::unreadable(file, &error);
        let file_bytes = reader.seek(SeekFrom::End(0)).map_err(unreadable)?;
        let mut header = [0; HEADER_BYTES];
        if file_bytes < HEADER_BYTES as u64 {
            let (place, expected_bytes) = (Place::Byte(0), HEADER_BYTES as u64);
            return Err(ReadError::Truncated {
                file: file.to_owned(),
                place,
                expected_bytes,
                found_bytes: file_bytes,
            });
        }
        reader.seek(SeekFrom::Start(0)).map_err(unreadable)?;
        reader.read_exact(&mut header).map_err(unreadable)?;
        if !header.starts_with(MAGIC) {
            return Err(malformed(Place::Byte(0), "the signature of SQLite", crate::error::excerpt(&header)));
        }
        let page_bytes = match u16::from_be_bytes([header[16], header[17]]) {
            1 => 65_536,
            power if power >= 512 && power.is_power_of_two() => usize::from(power),
            other => {
                return Err(malformed(Place::Byte(16), "a page size from 512 to 65536", other.to_string()));
            }
        };
        let usable = page_bytes - usize::from(header[20]);
        if usable < 480 {
            return Err(malformed(Place::Byte(20), "at least 480 usable bytes per page", usable.to_string()));
        }
        if ![0, 1].contains(&header[59]) {
            return Err(malformed(Place::Byte(56), "text in UTF-8 (1)", header[59].to_string()));
        }
        let pages = u32::try_from(file_bytes.div_ceil(page_bytes as u64)).unwrap_or(u32::MAX);
        let has_log = header[18] == 2 || header[19] == 2;
        let promised_pages = be32(&header, 28);
        Ok(Self { file, reader, page_bytes, usable, pages, promised_pages, has_log })
    }

    fn place_of(&self, page: u32) -> Place {
        let at = (u64::from(page).saturating_sub(1)) * self.page_bytes as u64;
        Place::Byte(usize::try_from(at).unwrap_or(usize::MAX))
    }

    fn malformed(&self, page: u32, expected: impl Into<String>, found: impl Into<String>) -> ReadError {
        ReadError::malformed(self.file, self.place_of(page), expected, found)
    }

    fn truncated(&self, page: u32, found_bytes: usize) -> ReadError {
        let (file, place) = (self.file.to_owned(), self.place_of(page));
        let (expected_bytes, found_bytes) = (self.page_bytes as u64, found_bytes as u64);
        ReadError::Truncated { file, place, expected_bytes, found_bytes }
    }

    fn page(&mut self, number: u32) -> Result<Vec<u8>, ReadError> {
        if number > self.pages && number <= self.promised_pages {
            return Err(self.truncated(number, 0));
        }
        if number == 0 || number > self.pages {
            let expected = format!("a page from 1 to {}", self.pages);
            return Err(self.malformed(0, expected, format!("page {number}")));
        }
        let start = u64::from(number - 1) * self.page_bytes as u64;
        let mut page = Vec::with_capacity(self.page_bytes);
        let read = self
            .reader
            .seek(SeekFrom::Start(start))
            .and_then(|_| self.reader.by_ref().take(self.page_bytes as u64).read_to_end(&mut page));
        read.map_err(|error| crate::source::unreadable(self.file, &error))?;
        if page.len() < self.page_bytes {
            return Err(self.truncated(number, page.len()));
        }
        page.truncate(self.usable);
        Ok(page)
    }

    /// Reads what a row has beyond its leaf page.
    pub fn load(&mut self, row: &mut Row, table: &mut Table) -> Result<(), ReadError> {
        let Some(mut next) = row.overflow.take() else { return Ok(()) };
        if row.payload_bytes > MAX_ROW_BYTES {
            let expected = format!("a row of at most {MAX_ROW_BYTES} bytes");
            return Err(self.malformed(next, expected, row.payload_bytes.to_string()));
        }
        while (row.payload.len() as u64) < row.payload_bytes {
            table.use_page(self, next)?;
            let page = self.page(next)?;
            let missing = row.payload_bytes - row.payload.len() as u64;
            let (head, content) = page.split_at(4);
            let taken = content.len().min(usize::try_from(missing).unwrap_or(usize::MAX));
            row.payload.extend_from_slice(&content[..taken]);
            next = be32(head, 0);
        }
        Ok(())
    }
}

/// A big-endian number, 0 beyond the end.
fn be32(bytes: &[u8], at: usize) -> u32 {
    bytes.get(at..).and_then(|rest| rest.first_chunk()).map_or(0, |four| u32::from_be_bytes(*four))
}

fn be16(bytes: &[u8], at: usize) -> usize {
    bytes.get(at..).and_then(|rest| rest.first_chunk()).map_or(0, |two| usize::from(u16::from_be_bytes(*two)))
}

/// A variable-length number of one to nine bytes, and its length.
pub(crate) fn varint(bytes: &[u8]) -> Option<(u64, usize)> {
    let mut value = 0;
    for (index, &byte) in bytes.iter().take(9).enumerate() {
        if index == 8 {
            return Some((value << 8 | u64::from(byte), 9));
        }
        value = value << 7 | u64::from(byte & 0x7F);
        if byte < 0x80 {
            return Some((value, index + 1));
        }
    }
    None
}

/// A row of a table as it stands on its leaf page.
pub(crate) struct Row {
    pub id: i64,
    /// The record, or its beginning.
    pub payload: Vec<u8>,
    payload_bytes: u64,
    overflow: Option<u32>,
}

impl Row {
    /// True if the rest of the record lies on other pages.
    pub const fn is_partial(&self) -> bool {
        self.overflow.is_some()
    }
}

/// A walk over the rows of a table in the order of their ids.
pub(crate) struct Table {
    /// Pages from the root to the present one, each with the number of the next cell.
    path: Vec<Node>,
    root: Option<u32>,
    used_pages: u32,
}

struct Node {
    number: u32,
    page: Vec<u8>,
    next_cell: usize,
}

impl Table {
    /// The table whose tree begins at a page.
    pub const fn new(root: u32) -> Self {
        Self { path: Vec::new(), root: Some(root), used_pages: 0 }
    }

    fn use_page(&mut self, database: &Database<'_>, number: u32) -> Result<(), ReadError> {
        self.used_pages = self.used_pages.saturating_add(1);
        if self.used_pages > database.pages {
            let expected = format!("a table of at most {} pages", database.pages);
            return Err(database.malformed(number, expected, "pages that are used twice"));
        }
        Ok(())
    }

    fn enter(&mut self, database: &mut Database<'_>, number: u32) -> Result<(), ReadError> {
        self.use_page(database, number)?;
        if self.path.len() >= MAX_DEPTH {
            let expected = format!("a tree of at most {MAX_DEPTH} levels");
            return Err(database.malformed(number, expected, "a deeper one"));
        }
        let page = database.page(number)?;
        self.path.push(Node { number, page, next_cell: 0 });
        Ok(())
    }

    /// The next row, or none behind the last.
    pub fn next_row(&mut self, database: &mut Database<'_>) -> Result<Option<Row>, ReadError> {
        if let Some(root) = self.root.take() {
            self.enter(database, root)?;
        }
        while let Some(node) = self.path.last_mut() {
            // Page 1 begins with the header of the file.
            let start = if node.number == 1 { HEADER_BYTES } else { 0 };
            let (kind, cells) = (node.page.get(start).copied(), be16(&node.page, start + 3));
            let index = node.next_cell;
            node.next_cell += 1;
            if start + 8 + 2 * cells > node.page.len() {
                let number = node.number;
                return Err(database.malformed(
                    number,
                    "cells that fit their page",
                    format!("{cells} cells"),
                ));
            }
            match kind {
                Some(0x0D) if index < cells => {
                    let offset = be16(&node.page, start + 8 + 2 * index);
                    let row = leaf_row(&node.page, offset, database.usable);
                    let number = node.number;
                    return row.map(Some).ok_or_else(|| {
                        database.malformed(number, "a row within its page", format!("row {index} beyond it"))
                    });
                }
                Some(0x05) if index < cells => {
                    let offset = be16(&node.page, start + 12 + 2 * index);
                    let child = be32(&node.page, offset);
                    self.enter(database, child)?;
                }
                Some(0x05) if index == cells => {
                    let child = be32(&node.page, start + 8);
                    self.enter(database, child)?;
                }
                Some(0x05 | 0x0D) => drop(self.path.pop()),
                other => {
                    let found = format!("kind {}", other.unwrap_or_default());
                    return Err(database.malformed(node.number, "a page of a table (5 or 13)", found));
                }
            }
        }
        Ok(None)
    }
}

/// The row at an offset of a leaf page: length, id, the record or its beginning, first overflow page.
fn leaf_row(page: &[u8], offset: usize, usable: usize) -> Option<Row> {
    let cell = page.get(offset..)?;
    let (payload_bytes, length) = varint(cell)?;
    let cell = &cell[length..];
    let (id, length) = varint(cell)?;
    let cell = &cell[length..];
    // Section 1.6 of the specification: U usable bytes, P of the record, X at most on the page, K else.
    let most = usable as u64 - 35;
    let local = if payload_bytes <= most {
        payload_bytes
    } else {
        let least = ((usable as u64 - 12) * 32 / 255) - 23;
        let kept = least + (payload_bytes - least) % (usable as u64 - 4);
        if kept <= most { kept } else { least }
    };
    let local = usize::try_from(local).ok()?;
    let payload = cell.get(..local)?.to_vec();
    let overflow = if payload_bytes > local as u64 {
        Some(u32::from_be_bytes(*cell[local..].first_chunk()?))
    } else {
        None
    };
    Some(Row { id: id as i64, payload, payload_bytes, overflow })
}

/// A value of a record.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Value<'a> {
    Null,
    Integer(i64),
    Real(f64),
    Bytes(&'a [u8]),
}

/// The first `count` columns of a record; none if it is shorter than it states. Columns that the record leaves
/// out are null, as after `ALTER TABLE`.
pub(crate) fn columns(record: &[u8], count: usize) -> Option<Vec<Value<'_>>> {
    let (header_bytes, mut at) = varint(record)?;
    let header = record.get(..usize::try_from(header_bytes).ok()?)?;
    let mut body = &record[header.len()..];
    let mut values = Vec::new();
    while values.len() < count && at < header.len() {
        let (kind, length) = varint(header.get(at..)?)?;
        at += length;
        let bytes = match kind {
            0 | 8 | 9 => 0,
            1..=4 => kind,
            5 => 6,
            6 | 7 => 8,
            10 | 11 => return None,
            _ => (kind - 12) / 2,
        };
        let (content, rest) = body.split_at_checked(usize::try_from(bytes).ok()?)?;
        body = rest;
        values.push(match kind {
            0 => Value::Null,
            1..=6 => Value::Integer(integer(content)),
            7 => Value::Real(f64::from_be_bytes(content.try_into().ok()?)),
            8 => Value::Integer(0),
            9 => Value::Integer(1),
            _ => Value::Bytes(content),
        });
    }
    values.resize(count, Value::Null);
    Some(values)
}

/// A big-endian number with sign.
fn integer(bytes: &[u8]) -> i64 {
    let sign = if bytes.first().is_some_and(|&byte| byte >= 0x80) { -1 } else { 0 };
    bytes.iter().fold(sign, |value, &byte| value << 8 | i64::from(byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_take_one_to_nine_bytes() {
        assert_eq!(varint(&[0x7F, 1]), Some((127, 1)));
        assert_eq!(varint(&[0x81, 0x00]), Some((128, 2)));
        assert_eq!(varint(&[0xFF; 9]), Some((u64::MAX, 9)));
        assert_eq!((varint(&[]), varint(&[0x80])), (None, None));
    }

    #[test]
    fn columns_have_the_kind_that_the_header_says() {
        // Header of 8 bytes: null, one byte, two bytes, 0, 1, a text of 1, a blob of 2.
        let record = [8, 0, 1, 2, 8, 9, 15, 16, 0xFF, 0x01, 0x00, b'a', 7, 8];
        let expected = [
            Value::Null,
            Value::Integer(-1),
            Value::Integer(256),
            Value::Integer(0),
            Value::Integer(1),
            Value::Bytes(b"a"),
            Value::Bytes(&[7, 8]),
            Value::Null,
        ];
        assert_eq!(columns(&record, 8).unwrap(), expected);
        assert_eq!(columns(&record[..9], 2).unwrap(), expected[..2], "only what is asked for is needed");
        assert_eq!(columns(&record[..9], 3), None);
        assert_eq!(columns(&[2, 10], 1), None, "kind 10 is reserved");
        assert_eq!(columns(&[200], 1), None);
    }

    #[test]
    fn a_page_that_is_its_own_child_is_refused() {
        let mut bytes = vec![0; 1024];
        bytes[..16].copy_from_slice(MAGIC);
        bytes[16] = 2;
        bytes[100] = 5;
        bytes[111] = 1;
        let reader = Box::new(std::io::Cursor::new(bytes));
        let mut database = Database::open("f", reader).unwrap();
        let error = Table::new(1).next_row(&mut database).map(|_| ()).unwrap_err();
        assert!(error.to_string().contains("pages that are used twice"), "{error}");
    }
}

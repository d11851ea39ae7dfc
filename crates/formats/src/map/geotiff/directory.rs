//! The structure of a TIFF: byte order, chain of directories, and the values of their tags.
//!
//! Specification: TIFF 6.0, section 2; BigTIFF has the same structure with wider numbers. A value is looked
//! up where it lies in the file, so a directory takes no more memory than its entries.

use std::collections::{BTreeMap, BTreeSet};

use model::Finding;

use crate::error::excerpt;
use crate::{Place, ReadError};

/// Most directories that are followed. Ours: a map has a handful of layers, an attacker thousands.
const MAX_DIRECTORIES: usize = 1024;

/// How numbers are stored in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ByteOrder {
    Little,
    Big,
}

/// A TIFF held in memory.
#[derive(Clone, Copy)]
pub(super) struct Tiff<'a> {
    pub file: &'a str,
    pub bytes: &'a [u8],
    pub order: ByteOrder,
    /// BigTIFF: counts and offsets take eight bytes.
    is_big: bool,
}

/// One page: its tags.
pub(super) struct Directory<'a> {
    pub tiff: Tiff<'a>,
    entries: BTreeMap<u16, Entry<'a>>,
}

/// The value of a tag.
struct Entry<'a> {
    field_type: u16,
    /// None if the value lies beyond the end of the file.
    data: Option<&'a [u8]>,
}

impl<'a> Tiff<'a> {
    pub fn open(file: &'a str, bytes: &'a [u8]) -> Result<Self, ReadError> {
        let order = match bytes {
            [b'I', b'I', ..] => ByteOrder::Little,
            [b'M', b'M', ..] => ByteOrder::Big,
            _ => return Err(no_tiff(file, bytes)),
        };
        let tiff = Self { file, bytes, order, is_big: false };
        match tiff.number(2, 2) {
            Some(42) => Ok(tiff),
            Some(43) if tiff.number(4, 2) == Some(8) => Ok(Self { is_big: true, ..tiff }),
            _ => Err(no_tiff(file, bytes)),
        }
    }

    /// All directories of the chain. A chain that breaks after the first page gives what there is.
    pub fn directories(&self, findings: &mut Vec<Finding>) -> Result<Vec<Directory<'a>>, ReadError> {
        let (mut directories, mut seen) = (Vec::new(), BTreeSet::new());
        let mut next = if self.is_big { self.number(8, 8) } else { self.number(4, 4) };
        while next != Some(0) {
            let offset = next.and_then(|offset| usize::try_from(offset).ok());
            let read = offset.filter(|&offset| seen.insert(offset) && seen.len() <= MAX_DIRECTORIES);
            let Some((directory, following)) = read.and_then(|offset| self.directory(offset)) else {
                if directories.is_empty() {
                    let place = Place::Byte(offset.unwrap_or(4));
                    let found = "none there";
                    return Err(ReadError::malformed(self.file, place, "a TIFF directory", found)
                        .with_hint("the file was cut off or damaged; fetch it again"));
                }
                findings.push(broken_chain(directories.len()));
                break;
            };
            directories.push(directory);
            next = following;
        }
        if directories.is_empty() {
            return Err(ReadError::malformed(self.file, Place::Byte(4), "a page", "no directory"));
        }
        Ok(directories)
    }

    /// The directory at an offset, and the offset of the next one.
    fn directory(&self, offset: usize) -> Option<(Directory<'a>, Option<u64>)> {
        let (count_bytes, entry_bytes, value_bytes) = if self.is_big { (8, 20, 8) } else { (2, 12, 4) };
        let count = usize::try_from(self.number(offset, count_bytes)?).ok()?;
        let first = offset.checked_add(count_bytes)?;
        let end = first.checked_add(count.checked_mul(entry_bytes)?)?;
        // The file must hold all entries before any is looked at.
        self.bytes.get(first..end)?;
        let mut entries = BTreeMap::new();
        for at in (first..end).step_by(entry_bytes) {
            let tag = u16::try_from(self.number(at, 2)?).ok()?;
            let field_type = u16::try_from(self.number(at + 2, 2)?).ok()?;
            let values = self.number(at + 4, value_bytes)?;
            let data = self.value(at + 4 + value_bytes, field_type, values, value_bytes);
            // The first entry of a tag counts, as in libtiff.
            entries.entry(tag).or_insert(Entry { field_type, data });
        }
        Some((Directory { tiff: *self, entries }, self.number(end, value_bytes)))
    }

    /// The bytes of a value: in the entry itself if they fit, else where it points.
    fn value(&self, at: usize, field_type: u16, count: u64, inline_bytes: usize) -> Option<&'a [u8]> {
        let len = usize::try_from(count).ok()?.checked_mul(size_of_type(field_type)?)?;
        let start =
            if len <= inline_bytes { at } else { usize::try_from(self.number(at, inline_bytes)?).ok()? };
        self.bytes.get(start..start.checked_add(len)?)
    }

    /// The unsigned number of `len` bytes at an offset.
    fn number(&self, at: usize, len: usize) -> Option<u64> {
        Some(unsigned(self.bytes.get(at..at.checked_add(len)?)?, self.order))
    }
}

impl Directory<'_> {
    /// True if the directory has this tag, readable or not.
    pub fn has(&self, tag: u16) -> bool {
        self.entries.contains_key(&tag)
    }

    /// True if the directory has this tag and its value lies beyond the end of the file.
    pub fn is_cut_off(&self, tag: u16) -> bool {
        self.entries.get(&tag).is_some_and(|entry| entry.data.is_none())
    }

    /// The bytes of a tag.
    pub fn data(&self, tag: u16) -> Option<&[u8]> {
        self.entries.get(&tag)?.data
    }

    /// The unsigned numbers of a tag; none if it is absent or holds something else.
    pub fn unsigned_numbers(&self, tag: u16) -> Option<Vec<u64>> {
        let (data, size) = self.unsigned_data(tag)?;
        // A large map has thousands of strips: numbers of one width and order are read without a choice for each.
        Some(match (size, self.tiff.order) {
            (2, ByteOrder::Little) => all(data, |bytes| u16::from_le_bytes(*bytes).into()),
            (2, ByteOrder::Big) => all(data, |bytes| u16::from_be_bytes(*bytes).into()),
            (4, ByteOrder::Little) => all(data, |bytes| u32::from_le_bytes(*bytes).into()),
            (4, ByteOrder::Big) => all(data, |bytes| u32::from_be_bytes(*bytes).into()),
            (8, ByteOrder::Little) => all(data, |bytes| u64::from_le_bytes(*bytes)),
            (8, ByteOrder::Big) => all(data, |bytes| u64::from_be_bytes(*bytes)),
            _ => all(data, |&[byte]| byte.into()),
        })
    }

    /// The first unsigned number of a tag.
    pub fn unsigned(&self, tag: u16) -> Option<u64> {
        let (data, size) = self.unsigned_data(tag)?;
        Some(unsigned(data.get(..size)?, self.tiff.order))
    }

    /// The bytes of a tag that holds unsigned numbers, and how many bytes each takes.
    fn unsigned_data(&self, tag: u16) -> Option<(&[u8], usize)> {
        let entry = self.entries.get(&tag)?;
        match entry.field_type {
            1 | 3 | 4 | 13 | 16 | 18 => Some((entry.data?, size_of_type(entry.field_type)?)),
            _ => None,
        }
    }

    /// The real numbers of a tag.
    #[allow(clippy::cast_possible_truncation, reason = "the bits of four bytes")]
    pub fn reals(&self, tag: u16) -> Option<Vec<f64>> {
        let entry = self.entries.get(&tag)?;
        let of_bits = |bytes: &[u8]| unsigned(bytes, self.tiff.order);
        match entry.field_type {
            11 => Some(
                entry.data?.chunks_exact(4).map(|b| f64::from(f32::from_bits(of_bits(b) as u32))).collect(),
            ),
            12 => Some(entry.data?.chunks_exact(8).map(|b| f64::from_bits(of_bits(b))).collect()),
            _ => None,
        }
    }

    /// The text of a tag up to its end mark, without blanks around it; none if there is no text.
    pub fn text(&self, tag: u16) -> Option<String> {
        let entry = self.entries.get(&tag).filter(|entry| matches!(entry.field_type, 1 | 2 | 7))?;
        let bytes = entry.data?.split(|&byte| byte == 0).next()?;
        let text = String::from_utf8_lossy(bytes).trim().to_owned();
        (!text.is_empty()).then_some(text)
    }
}

/// All numbers of one width.
fn all<const N: usize>(data: &[u8], number: impl Fn(&[u8; N]) -> u64) -> Vec<u64> {
    data.as_chunks().0.iter().map(number).collect()
}

/// The unsigned number in some bytes, at most eight.
fn unsigned(bytes: &[u8], order: ByteOrder) -> u64 {
    let append = |number: u64, &byte: &u8| number << 8 | u64::from(byte);
    match order {
        ByteOrder::Little => bytes.iter().rev().fold(0, append),
        ByteOrder::Big => bytes.iter().fold(0, append),
    }
}

/// Bytes per value of a field type (TIFF 6.0, section 2; 13 is an offset, 16 to 18 are of BigTIFF).
const fn size_of_type(field_type: u16) -> Option<usize> {
    match field_type {
        1 | 2 | 6 | 7 => Some(1),
        3 | 8 => Some(2),
        4 | 9 | 11 | 13 => Some(4),
        5 | 10 | 12 | 16..=18 => Some(8),
        _ => None,
    }
}

fn no_tiff(file: &str, bytes: &[u8]) -> ReadError {
    ReadError::malformed(file, Place::Byte(0), "the header of a TIFF", excerpt(bytes))
        .with_hint("the name says TIFF, the content does not; was the file converted or damaged?")
}

fn broken_chain(pages: usize) -> Finding {
    let message = format!("the chain of pages breaks after page {pages}; what follows was not read");
    Finding::warning("TIFF_CHAIN_BROKEN", message).hint("write the file again")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A little-endian TIFF of one directory at byte 8 with these entries (tag, type, count, value).
    fn tiff_of(entries: &[(u16, u16, u32, [u8; 4])], next: u32) -> Vec<u8> {
        let mut bytes = b"II\x2a\0\x08\0\0\0".to_vec();
        bytes.extend((entries.len() as u16).to_le_bytes());
        for (tag, field_type, count, value) in entries {
            bytes.extend(tag.to_le_bytes());
            bytes.extend(field_type.to_le_bytes());
            bytes.extend(count.to_le_bytes());
            bytes.extend(value);
        }
        bytes.extend(next.to_le_bytes());
        bytes
    }

    #[test]
    fn short_values_stand_in_the_entry_and_long_ones_elsewhere() {
        let bytes = tiff_of(&[(256, 3, 1, [7, 0, 0, 0]), (285, 2, 8, [0, 0, 0, 0])], 0);
        let tiff = Tiff::open("f", &bytes).unwrap();
        let pages = tiff.directories(&mut Vec::new()).unwrap();
        assert_eq!(pages[0].unsigned(256), Some(7));
        assert_eq!(pages[0].text(285), Some("II*".to_owned()), "the text is taken from byte 0");
        assert_eq!(pages[0].reals(256), None, "not a real number");
    }

    #[test]
    fn a_value_beyond_the_end_is_absent_but_noticed() {
        let bytes = tiff_of(&[(270, 2, 9, [0xff, 0xff, 0, 0]), (271, 2, u32::MAX, [0; 4])], 0);
        let tiff = Tiff::open("f", &bytes).unwrap();
        let page = &tiff.directories(&mut Vec::new()).unwrap()[0];
        assert_eq!((page.text(270), page.is_cut_off(270), page.is_cut_off(271)), (None, true, true));
    }

    #[test]
    fn a_chain_that_turns_back_ends_with_a_finding() {
        let bytes = tiff_of(&[(256, 3, 1, [7, 0, 0, 0])], 8);
        let mut findings = Vec::new();
        let pages = Tiff::open("f", &bytes).unwrap().directories(&mut findings).unwrap();
        assert_eq!((pages.len(), findings[0].code.as_ref()), (1, "TIFF_CHAIN_BROKEN"));
    }

    #[test]
    fn headers_of_other_things_are_refused() {
        for bytes in [
            &b""[..],
            b"II",
            b"II\x2a",
            b"MM\0\x2b\0\x04\0\0",
            b"II\x2a\0\0\0\0\0",
            b"II\x2a\0\xff\xff\xff\xff",
        ] {
            let read = Tiff::open("f", bytes).and_then(|tiff| tiff.directories(&mut Vec::new()).map(|_| ()));
            assert!(read.is_err(), "{bytes:?}");
        }
    }
}

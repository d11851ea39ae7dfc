//! mcap, the container of ROS 2 bags. Specification: <https://mcap.dev/spec>.
//!
//! ```text
//! magic, then records: op, length (8 bytes), content; at the end a footer and the magic once more
//! op 3 schema · 4 channel · 5 message · 6 chunk of such records (none, lz4, zstd) · 11 statistics · 2 footer
//! ```
//!
//! Read from front to back, without the index, by a reader of our own: it shares chunks, limits and messages
//! with ROS 1 bags and holds one message in memory, not one chunk.

use std::collections::BTreeMap;

use model::Finding;

use super::byte_stream::{ByteStream, MAX_RECORD_BYTES, Origin};
use super::chunk::{Budget, Checksum, Chunk, Level, read_chunk};
use super::visit::{checked_end, not_closed, read_bag, unknown_records, wrong_index};
use super::visitor::{BagChannel, BagMessage, Encoding, Visitor};
use crate::error::excerpt;
use crate::format::{Format, Input, Reader, Sniff, by_name};
use crate::{Place, ReadError};

pub(crate) const FORMAT: Format = Format {
    name: "mcap",
    title: "mcap bag",
    sniff,
    reader: Reader::Content(|input, options| read_bag(input, options, FORMAT.name, scan)),
};

const MAGIC: &[u8; 8] = b"\x89MCAP0\r\n";
/// Channel, sequence and two times in front of the bytes of a message.
const MESSAGE_HEAD_BYTES: u64 = 22;
/// Times, size, checksum and the length of the compression's name in front of the data of a chunk.
const CHUNK_HEAD_BYTES: u64 = 32;
/// The longest name of a compression.
const MAX_COMPRESSION_BYTES: u64 = 64;

fn sniff(bytes: &[u8], name: &str) -> Sniff {
    if bytes.starts_with(b"\x89MCAP") { Sniff::ByBytes } else { by_name(name, &[".mcap"]) }
}

/// Shows channels and messages to the visitor; returns what is odd.
pub(crate) fn scan(input: &mut Input<'_>, visitor: &mut dyn Visitor) -> Result<Vec<Finding>, ReadError> {
    let file = input.source.name().to_owned();
    let head = input.source.head();
    if !head.starts_with(MAGIC) {
        return Err(ReadError::malformed(&file, Place::Byte(0), "the signature of mcap", excerpt(head)));
    }
    let mut reader = input.source.reader();
    let mut stream = ByteStream::new(&file, &mut reader, Origin::File);
    stream.skip(MAGIC.len() as u64)?;
    let mut bag = Mcap::new(visitor);
    let end = bag.records(&mut stream, Level::File);
    let mut findings = Vec::new();
    let is_whole = checked_end(end, bag.messages, &mut findings)?;
    findings.extend(bag.findings(is_whole));
    Ok(findings)
}

/// What is known while a file is read.
struct Mcap<'v> {
    visitor: &'v mut dyn Visitor,
    /// Names of the types.
    schemas: BTreeMap<u16, String>,
    channels: BTreeMap<u16, BagChannel>,
    budget: Budget,
    messages: u64,
    /// Messages according to the statistics record.
    stated_messages: Option<u64>,
    wrong_checksums: u64,
    unknown: u64,
    has_footer: bool,
    data: Vec<u8>,
}

impl<'v> Mcap<'v> {
    fn new(visitor: &'v mut dyn Visitor) -> Self {
        Self {
            visitor,
            schemas: BTreeMap::new(),
            channels: BTreeMap::new(),
            budget: Budget::default(),
            messages: 0,
            stated_messages: None,
            wrong_checksums: 0,
            unknown: 0,
            has_footer: false,
            data: Vec::new(),
        }
    }

    fn records(&mut self, stream: &mut ByteStream<'_>, level: Level) -> Result<(), ReadError> {
        loop {
            let at = stream.at();
            let Some([op]) = stream.next_array()? else { return Ok(()) };
            let bytes = u64::from_le_bytes(stream.array()?);
            match (op, level) {
                (0, _) => return Err(stream.malformed("the kind of a record", "0")),
                (3, _) => self.schema(stream, bytes)?,
                (4, _) => self.channel(stream, bytes)?,
                (5, _) => self.message(stream, bytes)?,
                (6, Level::File) => self.chunk(stream, (at, bytes))?,
                (11, Level::File) => {
                    stream.fill(&mut self.data, bytes, MAX_RECORD_BYTES)?;
                    self.stated_messages =
                        Some(u64::from_le_bytes(Content::new(&self.data, stream).array()?));
                }
                (2, Level::File) => {
                    stream.skip(bytes)?;
                    let ends_well = stream.next_array()? == Some(*MAGIC);
                    self.has_footer = ends_well && stream.next_array::<1>()?.is_none();
                    return Ok(());
                }
                (1 | 7..=15, _) => stream.skip(bytes)?,
                _ => {
                    self.unknown += 1;
                    stream.skip(bytes)?;
                }
            }
        }
    }

    fn schema(&mut self, stream: &mut ByteStream<'_>, bytes: u64) -> Result<(), ReadError> {
        stream.fill(&mut self.data, bytes, MAX_RECORD_BYTES)?;
        let mut content = Content::new(&self.data, stream);
        let id = u16::from_le_bytes(content.array()?);
        let name = content.text()?.to_owned();
        self.schemas.insert(id, name);
        Ok(())
    }

    fn channel(&mut self, stream: &mut ByteStream<'_>, bytes: u64) -> Result<(), ReadError> {
        stream.fill(&mut self.data, bytes, MAX_RECORD_BYTES)?;
        let mut content = Content::new(&self.data, stream);
        let id = u16::from_le_bytes(content.array()?);
        let schema = u16::from_le_bytes(content.array()?);
        let topic = content.text()?.to_owned();
        let encoding = Encoding::of_name(content.text()?);
        // Schema 0 means: none, as with JSON.
        let type_name = match self.schemas.get(&schema) {
            Some(name) => name.clone(),
            None if schema == 0 => String::new(),
            None => return Err(stream.malformed("a schema that came before", format!("schema {schema}"))),
        };
        let channel = BagChannel { topic, type_name, encoding };
        if self.channels.get(&id).is_some_and(|known| *known != channel) {
            return Err(stream.malformed("a channel that stays the same", format!("channel {id} twice")));
        }
        self.visitor.channel(&channel);
        self.channels.insert(id, channel);
        Ok(())
    }

    fn message(&mut self, stream: &mut ByteStream<'_>, bytes: u64) -> Result<(), ReadError> {
        let Some(data_bytes) = bytes.checked_sub(MESSAGE_HEAD_BYTES) else {
            let expected = format!("a message of at least {MESSAGE_HEAD_BYTES} bytes");
            return Err(stream.malformed(expected, bytes.to_string()));
        };
        let id = u16::from_le_bytes(stream.array()?);
        let _sequence: [u8; 4] = stream.array()?;
        let logged_ns = u64::from_le_bytes(stream.array()?);
        let _published_ns: [u8; 8] = stream.array()?;
        let Ok(time_ns) = i64::try_from(logged_ns) else {
            return Err(stream.malformed("a time before the year 2262", format!("{logged_ns} ns")));
        };
        let Some(channel) = self.channels.get(&id) else {
            return Err(stream.malformed("a message of a channel that came before", format!("channel {id}")));
        };
        self.data.clear();
        if self.visitor.wants(channel) {
            stream.fill(&mut self.data, data_bytes, MAX_RECORD_BYTES)?;
        } else {
            stream.skip(data_bytes)?;
        }
        self.messages += 1;
        self.visitor.message(&BagMessage { channel, time_ns, data: &self.data });
        Ok(())
    }

    fn chunk(
        &mut self,
        stream: &mut ByteStream<'_>,
        (at, record_bytes): (u64, u64),
    ) -> Result<(), ReadError> {
        let _times: [u8; 16] = stream.array()?;
        let bytes = u64::from_le_bytes(stream.array()?);
        let crc32 = u32::from_le_bytes(stream.array()?);
        let name_bytes = u64::from(u32::from_le_bytes(stream.array()?));
        let mut name = Vec::new();
        stream.fill(&mut name, name_bytes, MAX_COMPRESSION_BYTES)?;
        let stored_bytes = u64::from_le_bytes(stream.array()?);
        if stored_bytes.checked_add(CHUNK_HEAD_BYTES + name_bytes + 8) != Some(record_bytes) {
            let found = format!("{stored_bytes} bytes of data in a record of {record_bytes}");
            return Err(stream.malformed("a chunk that fills its record", found));
        }
        // A checksum of 0 means: none.
        let crc32 = (crc32 != 0).then_some(crc32);
        let chunk = Chunk { compression: &String::from_utf8_lossy(&name), at, stored_bytes, bytes, crc32 };
        let mut budget = std::mem::take(&mut self.budget);
        let read = read_chunk(stream, &chunk, &mut budget, &mut |inner| self.records(inner, Level::Chunk));
        self.budget = budget;
        self.wrong_checksums += u64::from(read? == Checksum::Wrong);
        Ok(())
    }

    fn findings(&self, is_whole: bool) -> Vec<Finding> {
        let mut findings = Vec::new();
        if is_whole && !self.has_footer {
            let hint = "run 'mcap recover' on it";
            findings.push(not_closed("it has no footer, or something follows it").hint(hint));
        }
        if let Some(stated) = self.stated_messages.filter(|stated| *stated != self.messages) {
            let message = format!("the statistics count {stated} messages, the file holds {}", self.messages);
            findings.push(wrong_index(&message));
        }
        if self.wrong_checksums > 0 {
            let message = format!("the checksum of {} chunks is wrong; they were read", self.wrong_checksums);
            let hint = "the file was damaged after it was recorded; fetch it again";
            findings.push(Finding::warning("BAG_CHECKSUM_WRONG", message).hint(hint));
        }
        if self.unknown > 0 {
            findings.push(unknown_records(self.unknown));
        }
        findings
    }
}

/// The content of a record taken apart.
struct Content<'a, 's> {
    rest: &'a [u8],
    stream: &'a ByteStream<'s>,
}

impl<'a, 's> Content<'a, 's> {
    fn new(rest: &'a [u8], stream: &'a ByteStream<'s>) -> Self {
        Self { rest, stream }
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], ReadError> {
        let Some((array, rest)) = self.rest.split_first_chunk() else {
            return Err(self
                .stream
                .malformed(format!("{N} more bytes in the record"), self.rest.len().to_string()));
        };
        self.rest = rest;
        Ok(*array)
    }

    fn text(&mut self) -> Result<&'a str, ReadError> {
        let length = u32::from_le_bytes(self.array()?) as usize;
        let Some((text, rest)) = self.rest.split_at_checked(length) else {
            let found = self.rest.len().to_string();
            return Err(self.stream.malformed(format!("a text of {length} bytes in the record"), found));
        };
        self.rest = rest;
        std::str::from_utf8(text).map_err(|_| self.stream.malformed("a text in UTF-8", excerpt(text)))
    }
}

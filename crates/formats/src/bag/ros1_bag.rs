//! ROS 1 bags, version 2.0. Specification: <http://wiki.ros.org/Bags/Format/2.0>.
//!
//! ```text
//! #ROSBAG V2.0\n, then records: header length, header (fields `name=value`), data length, data
//! op 3 bag header · 5 chunk (none, bz2, lz4), which holds 7 connection and 2 message data · 4 index of a chunk
//! at the end 7 connections again · 6 chunk infos
//! ```
//!
//! The file is read from front to back and every chunk is decompressed, so that counts are those of the
//! messages and not of the index; where the index differs, there is a finding. Messages outside of chunks,
//! which the format allows, are read too.

use std::collections::BTreeMap;

use model::Finding;

use super::byte_stream::{ByteStream, MAX_RECORD_BYTES, Origin};
use super::chunk::{Budget, Chunk, Level, read_chunk};
use super::visit::{MAX_CHANNELS, checked_end, not_closed, read_bag, unknown_records, wrong_index};
use super::visitor::{BagChannel, BagMessage, Encoding, Visitor};
use crate::error::excerpt;
use crate::format::{Format, Input, Reader, Sniff, by_name};
use crate::{Place, ReadError};

pub(crate) const FORMAT: Format = Format {
    name: "ros1_bag",
    title: "ROS 1 bag",
    sniff,
    reader: Reader::Content(|input, options| read_bag(input, options, FORMAT.name, scan)),
};

const MAGIC: &[u8; 13] = b"#ROSBAG V2.0\n";
/// The longest header of a record. Real ones have a few hundred bytes.
const MAX_HEADER_BYTES: u64 = 1 << 20;

fn sniff(bytes: &[u8], name: &str) -> Sniff {
    if bytes.starts_with(b"#ROSBAG V") { Sniff::ByBytes } else { by_name(name, &[".bag"]) }
}

/// Shows channels and messages to the visitor; returns what is odd.
pub(crate) fn scan(input: &mut Input<'_>, visitor: &mut dyn Visitor) -> Result<Vec<Finding>, ReadError> {
    let file = input.source.name().to_owned();
    let head = input.source.head();
    if !head.starts_with(MAGIC) {
        let error = ReadError::malformed(&file, Place::Byte(0), "'#ROSBAG V2.0'", excerpt(head));
        return Err(error.with_hint("bags of older versions are converted by 'rosbag fix'"));
    }
    let mut reader = input.source.reader();
    let mut stream = ByteStream::new(&file, &mut reader, Origin::File);
    stream.skip(MAGIC.len() as u64)?;
    let mut bag = Ros1Bag::new(visitor);
    let end = bag.records(&mut stream, Level::File);
    let mut findings = Vec::new();
    let is_whole = checked_end(end, bag.messages, &mut findings)?;
    if is_whole {
        bag.index.check(&mut findings);
    }
    if bag.unknown > 0 {
        findings.push(unknown_records(bag.unknown));
    }
    Ok(findings)
}

/// What is known while a bag is read.
struct Ros1Bag<'v> {
    visitor: &'v mut dyn Visitor,
    connections: BTreeMap<u32, BagChannel>,
    budget: Budget,
    index: Index,
    messages: u64,
    unknown: u64,
    data: Vec<u8>,
}

impl<'v> Ros1Bag<'v> {
    fn new(visitor: &'v mut dyn Visitor) -> Self {
        Self {
            visitor,
            connections: BTreeMap::new(),
            budget: Budget::default(),
            index: Index::default(),
            messages: 0,
            unknown: 0,
            data: Vec::new(),
        }
    }

    fn records(&mut self, stream: &mut ByteStream<'_>, level: Level) -> Result<(), ReadError> {
        let mut header = Vec::new();
        loop {
            let at = stream.at();
            let Some(length) = stream.next_array()? else { return Ok(()) };
            stream.fill(&mut header, u64::from(u32::from_le_bytes(length)), MAX_HEADER_BYTES)?;
            let data_bytes = u64::from(u32::from_le_bytes(stream.array()?));
            let fields = Fields { header: &header, stream };
            let [op] = fields.array("op")?;
            match (op, level) {
                (2, _) => self.message(&header, stream, data_bytes)?,
                (7, _) => {
                    if level == Level::File {
                        self.index.first_connection_at.get_or_insert(at);
                    }
                    self.connection(&header, stream, data_bytes)?;
                }
                (5, Level::File) => self.chunk(&header, stream, (at, data_bytes))?,
                (3, Level::File) => {
                    self.index.stated = Some(Stated {
                        at: u64::from_le_bytes(fields.array("index_pos")?),
                        connections: u32::from_le_bytes(fields.array("conn_count")?),
                        chunks: u32::from_le_bytes(fields.array("chunk_count")?),
                    });
                    stream.skip(data_bytes)?;
                }
                (4, Level::File) => {
                    self.index.messages += u64::from(u32::from_le_bytes(fields.array("count")?));
                    stream.skip(data_bytes)?;
                }
                (6, Level::File) => stream.skip(data_bytes)?,
                _ => {
                    self.unknown += 1;
                    stream.skip(data_bytes)?;
                }
            }
        }
    }

    fn chunk(
        &mut self,
        header: &[u8],
        stream: &mut ByteStream<'_>,
        (at, stored_bytes): (u64, u64),
    ) -> Result<(), ReadError> {
        let fields = Fields { header, stream };
        let compression = String::from_utf8_lossy(fields.bytes("compression")?);
        let bytes = u64::from(u32::from_le_bytes(fields.array("size")?));
        let chunk = Chunk { compression: &compression, at, stored_bytes, bytes, crc32: None };
        let mut budget = std::mem::take(&mut self.budget);
        let before = self.messages;
        let read = read_chunk(stream, &chunk, &mut budget, &mut |inner| self.records(inner, Level::Chunk));
        self.budget = budget;
        self.index.chunks += 1;
        self.index.messages_in_chunks += self.messages - before;
        read.map(|_| ())
    }

    fn connection(
        &mut self,
        header: &[u8],
        stream: &mut ByteStream<'_>,
        data_bytes: u64,
    ) -> Result<(), ReadError> {
        let fields = Fields { header, stream };
        let id = u32::from_le_bytes(fields.array("conn")?);
        let topic = String::from_utf8_lossy(fields.bytes("topic")?).into_owned();
        stream.fill(&mut self.data, data_bytes, MAX_RECORD_BYTES)?;
        let fields = Fields { header: &self.data, stream };
        let type_name = String::from_utf8_lossy(fields.bytes("type")?).into_owned();
        let channel = BagChannel { topic, type_name, encoding: Encoding::Ros1 };
        if let Some(known) = self.connections.get(&id) {
            if *known == channel {
                return Ok(());
            }
            let expected = format!("connection {id} to be {} of type {}", known.topic, known.type_name);
            return Err(
                stream.malformed(expected, format!("{} of type {}", channel.topic, channel.type_name))
            );
        }
        if self.connections.len() >= MAX_CHANNELS {
            return Err(stream.malformed(format!("at most {MAX_CHANNELS} connections"), "more"));
        }
        self.visitor.channel(&channel);
        self.connections.insert(id, channel);
        Ok(())
    }

    fn message(
        &mut self,
        header: &[u8],
        stream: &mut ByteStream<'_>,
        data_bytes: u64,
    ) -> Result<(), ReadError> {
        let fields = Fields { header, stream };
        let id = u32::from_le_bytes(fields.array("conn")?);
        let [s0, s1, s2, s3, n0, n1, n2, n3] = fields.array("time")?;
        let (seconds, nanoseconds) =
            (u32::from_le_bytes([s0, s1, s2, s3]), u32::from_le_bytes([n0, n1, n2, n3]));
        let time_ns = i64::from(seconds) * 1_000_000_000 + i64::from(nanoseconds);
        let Some(channel) = self.connections.get(&id) else {
            let found = format!("connection {id}");
            return Err(stream.malformed("a message of a connection that came before", found));
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
}

/// The fields of a header: length, then `name=value`, over and over.
struct Fields<'h, 'r, 's> {
    header: &'h [u8],
    stream: &'r ByteStream<'s>,
}

impl<'h> Fields<'h, '_, '_> {
    fn bytes(&self, name: &str) -> Result<&'h [u8], ReadError> {
        let mut rest = self.header;
        while let Some((length, after)) = rest.split_first_chunk() {
            let length = u32::from_le_bytes(*length) as usize;
            let Some((field, after)) = after.split_at_checked(length) else {
                let found = format!("one of {length} in {} bytes", after.len());
                return Err(self.stream.malformed("a field that ends within its record", found));
            };
            rest = after;
            let value = field.strip_prefix(name.as_bytes()).and_then(|field| field.strip_prefix(b"="));
            if let Some(value) = value {
                return Ok(value);
            }
        }
        Err(self.stream.malformed(format!("a record with the field '{name}'"), "one without"))
    }

    fn array<const N: usize>(&self, name: &str) -> Result<[u8; N], ReadError> {
        let value = self.bytes(name)?;
        value.try_into().map_err(|_| {
            self.stream.malformed(format!("{N} bytes in field '{name}'"), value.len().to_string())
        })
    }
}

/// The index against what is there.
#[derive(Default)]
struct Index {
    stated: Option<Stated>,
    chunks: u64,
    first_connection_at: Option<u64>,
    /// Entries of the index records behind chunks.
    messages: u64,
    messages_in_chunks: u64,
}

/// The numbers of the bag header.
struct Stated {
    at: u64,
    connections: u32,
    chunks: u32,
}

impl Index {
    fn check(&self, findings: &mut Vec<Finding>) {
        let Some(stated) = &self.stated else {
            findings.push(wrong_index("the bag has no header record"));
            return;
        };
        if stated.at == 0 {
            findings.push(not_closed("its header names no index").hint("run 'rosbag reindex' on it"));
            return;
        }
        if self.first_connection_at.is_some_and(|at| at != stated.at) {
            let at = self.first_connection_at.unwrap_or_default();
            findings.push(wrong_index(&format!("the header puts it at byte {}, it is at {at}", stated.at)));
        }
        if u64::from(stated.chunks) != self.chunks {
            let message = format!("the header counts {} chunks, there are {}", stated.chunks, self.chunks);
            findings.push(wrong_index(&message));
        }
        if stated.connections > 0 && self.first_connection_at.is_none() {
            let message = format!("the header counts {} connections, the index has none", stated.connections);
            findings.push(wrong_index(&message));
        }
        if self.messages != self.messages_in_chunks {
            let (stated, counted) = (self.messages, self.messages_in_chunks);
            findings.push(wrong_index(&format!("it counts {stated} messages, the chunks hold {counted}")));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_found_by_their_whole_name() {
        let mut nothing = &b""[..];
        let stream = &ByteStream::new("f", &mut nothing, Origin::File);
        let fields = Fields { header: b"\x07\0\0\0ver=a=b\x04\0\0\0op=\x05", stream };
        assert_eq!(fields.bytes("ver").unwrap(), b"a=b");
        assert_eq!(fields.array("op").unwrap(), [5]);
        assert!(fields.bytes("o").is_err() && fields.array::<4>("op").is_err());
        let cut = Fields { header: b"\xff\xff\xff\xffop=", stream };
        assert!(cut.bytes("op").unwrap_err().to_string().contains("a field that ends within its record"));
    }
}

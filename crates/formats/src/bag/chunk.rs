//! Chunks: runs of records, mostly compressed. They are decompressed while they are read, never as a whole.

use std::io::{BufReader, Read};

use super::byte_stream::{ByteStream, Origin};
use crate::ReadError;

/// Where records stand: in the file itself or in a chunk of it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Level {
    File,
    Chunk,
}

/// The largest chunk, decompressed. Recorders write chunks of about 1 MB; one large message makes one larger.
const MAX_CHUNK_BYTES: u64 = 512 << 20;
/// What the chunks of any file may hold together, however small it is.
const FREE_BYTES: u64 = 128 << 20;
/// Above that, the largest sum of chunk sizes per byte of the file. Logs shrink tenfold, rarely more; what shrinks more
/// keeps a reader busy for minutes.
const MAX_RATIO: u64 = 100;
/// zstd looks back at most 2^27 bytes; what asks for more is hostile.
const MAX_ZSTD_WINDOW_LOG: u32 = 27;

/// A chunk as its header describes it.
pub(crate) struct Chunk<'a> {
    /// `none` or empty, `bz2`, `lz4`, `zstd`.
    pub compression: &'a str,
    /// Byte of the file at which its record begins.
    pub at: u64,
    /// Length of its data in the file.
    pub stored_bytes: u64,
    /// Length of its data after decompression.
    pub bytes: u64,
    /// CRC-32 of its data after decompression, where the format has one.
    pub crc32: Option<u32>,
}

/// Whether the data of a chunk are those that were written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Checksum {
    /// They are, or it is unknown.
    Right,
    Wrong,
}

/// Keeps small files from growing without bound.
#[derive(Default)]
pub(crate) struct Budget {
    bytes: u64,
}

impl Budget {
    fn spend(&mut self, chunk: &Chunk<'_>, stream: &ByteStream<'_>) -> Result<(), ReadError> {
        if chunk.bytes > MAX_CHUNK_BYTES {
            let expected = format!("a chunk of at most {MAX_CHUNK_BYTES} bytes");
            return Err(stream.malformed(expected, chunk.bytes.to_string()));
        }
        self.bytes = self.bytes.saturating_add(chunk.bytes);
        let in_file = stream.at().saturating_add(chunk.stored_bytes);
        let allowed = FREE_BYTES.saturating_add(in_file.saturating_mul(MAX_RATIO));
        if self.bytes > allowed {
            let expected = format!("chunks that hold at most {MAX_RATIO} times their length in the file");
            let found = format!("{} bytes from {in_file}", self.bytes);
            return Err(stream.malformed(expected, found));
        }
        Ok(())
    }
}

/// Reads the records of a chunk, whose data come next in `outer`, and checks that it holds what it promises.
pub(crate) fn read_chunk(
    outer: &mut ByteStream<'_>,
    chunk: &Chunk<'_>,
    budget: &mut Budget,
    records: &mut dyn FnMut(&mut ByteStream<'_>) -> Result<(), ReadError>,
) -> Result<Checksum, ReadError> {
    budget.spend(chunk, outer)?;
    let file = outer.file;
    let unknown = outer.malformed("compression none, bz2, lz4 or zstd", format!("'{}'", chunk.compression));
    outer.within(chunk.stored_bytes, |stored| {
        let Some(decoder) = decoder_of(chunk.compression, stored) else { return Err(unknown) };
        // One byte more shows a chunk that holds more than it states.
        let reader = BufReader::new(decoder).take(chunk.bytes + 1);
        let mut hashed = Hashed { reader, crc32: chunk.crc32.map(|_| crc32fast::Hasher::new()) };
        let origin = Origin::Chunk { at: chunk.at, compression: chunk.compression };
        let mut inner = ByteStream::new(file, &mut hashed, origin);
        records(&mut inner)?;
        if inner.at() != chunk.bytes {
            return Err(inner.malformed(format!("a chunk of {} bytes", chunk.bytes), inner.at().to_string()));
        }
        let is_right = hashed.crc32.map(crc32fast::Hasher::finalize) == chunk.crc32;
        Ok(if is_right { Checksum::Right } else { Checksum::Wrong })
    })
}

/// A reader that computes the checksum of what passes, where one is wanted.
struct Hashed<R> {
    reader: R,
    crc32: Option<crc32fast::Hasher>,
}

impl<R: Read> Read for Hashed<R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let read = self.reader.read(buffer)?;
        if let Some(crc32) = &mut self.crc32 {
            crc32.update(&buffer[..read]);
        }
        Ok(read)
    }
}

fn decoder_of<'a>(compression: &str, stored: &'a mut dyn Read) -> Option<Box<dyn Read + 'a>> {
    Some(match compression {
        "" | "none" => Box::new(stored),
        "bz2" => Box::new(bzip2::read::BzDecoder::new(stored)),
        "lz4" => Box::new(lz4_flex::frame::FrameDecoder::new(stored)),
        "zstd" => {
            let mut decoder = zstd::stream::read::Decoder::new(stored).ok()?;
            decoder.window_log_max(MAX_ZSTD_WINDOW_LOG).ok()?;
            Box::new(decoder)
        }
        _ => return None,
    })
}

//! Packed files (gzip, bzip2, xz, zstd), unpacked while they are read.
//!
//! A file is recognised as packed by its first bytes, not by its name: MRPT packs its `.rawlog` files with gzip. Inside
//! one packing there is no second one. What comes out is limited, so that a small file cannot fill the memory.

use std::io::{self, BufReader, ErrorKind, Read};

use model::MemoryLimit;

use crate::ReadError;
use crate::damage::Damage;
use crate::source::{Source, unreadable};

/// Unpacked bytes that any file may have, whatever its own length.
const ALWAYS_ALLOWED_BYTES: u64 = 1 << 27;
/// Unpacked bytes per packed byte beyond that. Logs of text shrink to a fifth or a tenth.
const ALLOWED_RATIO: u64 = 32;
/// Memory that a byte of a log takes at most once it is read: a record of a few short numbers takes eight times its text.
const MEMORY_PER_BYTE: u64 = 10;
/// Memory that the xz decoder may ask for; its strongest usual setting needs 65 MiB.
const XZ_MEMORY_BYTES: u64 = 1 << 27;
/// Files with these endings are seen under their name without it.
const ENDINGS: [&str; 4] = [".gz", ".bz2", ".xz", ".zst"];

/// How a file is packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Packing {
    Gzip,
    Bzip2,
    Xz,
    Zstd,
}

impl Packing {
    fn of(head: &[u8]) -> Option<Self> {
        // A bzip2 file states its block size, and then pi or, when empty, the square root of pi.
        let bzip2_block = |at: usize| head.get(at..at + 6);
        match head {
            [0x1F, 0x8B, 8, ..] => Some(Self::Gzip),
            [b'B', b'Z', b'h', b'1'..=b'9', ..]
                if matches!(bzip2_block(4), Some(b"1AY&SY" | b"\x17\x72\x45\x38\x50\x90")) =>
            {
                Some(Self::Bzip2)
            }
            [0xFD, b'7', b'z', b'X', b'Z', 0, ..] => Some(Self::Xz),
            [0x28, 0xB5, 0x2F, 0xFD, ..] => Some(Self::Zstd),
            _ => None,
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Gzip => "gzip",
            Self::Bzip2 => "bzip2",
            Self::Xz => "xz",
            Self::Zstd => "zstd",
        }
    }

    fn decoder<'a>(self, packed: Box<dyn Read + 'a>) -> io::Result<Box<dyn Read + 'a>> {
        Ok(match self {
            Self::Gzip => Box::new(flate2::read::MultiGzDecoder::new(packed)),
            Self::Bzip2 => Box::new(bzip2::read::MultiBzDecoder::new(packed)),
            Self::Xz => {
                let stream = liblzma::stream::Stream::new_stream_decoder(
                    XZ_MEMORY_BYTES,
                    liblzma::stream::CONCATENATED,
                )?;
                Box::new(liblzma::bufread::XzDecoder::new_stream(BufReader::new(packed), stream))
            }
            Self::Zstd => Box::new(zstd::stream::read::Decoder::new(packed)?),
        })
    }
}

/// True if a file with these first bytes is packed.
pub(crate) fn is_packed(head: &[u8]) -> bool {
    Packing::of(head).is_some()
}

/// The file itself, or what is packed in it.
pub(crate) fn unpacked(source: Source<'_>) -> Result<Source<'_>, ReadError> {
    opened(source, None)
}

/// As [`unpacked`]; data that are cut off end there, and the damage tells of it.
pub(crate) fn unpacked_to_damage(source: Source<'_>) -> Result<(Source<'_>, Damage), ReadError> {
    let damage = Damage::default();
    Ok((opened(source, Some(damage.clone()))?, damage))
}

fn opened(source: Source<'_>, damage: Option<Damage>) -> Result<Source<'_>, ReadError> {
    let Some(packing) = Packing::of(source.head()) else { return Ok(source) };
    let (name, packed_bytes, packed) = source.into_reader();
    let decoder = packing.decoder(packed).map_err(|error| unreadable(&name, &damaged(packing, &error)))?;
    let by_memory = MemoryLimit::current().bytes() / MEMORY_PER_BYTE;
    let limit_bytes = packed_bytes.saturating_mul(ALLOWED_RATIO).max(ALWAYS_ALLOWED_BYTES).min(by_memory);
    let limited = Limited { packing, decoder, left_bytes: limit_bytes, limit_bytes, damage: damage.clone() };
    // The unpacked length is not known before the end.
    match damage {
        None => Source::of_reader(name, 0, Box::new(limited)),
        Some(damage) => Source::of_damageable(name, Box::new(limited), damage),
    }
}

/// The name by which the format of a file is guessed: that of what is packed in it.
pub(crate) fn unpacked_name(name: &str) -> &str {
    let ending = ENDINGS.iter().find(|ending| name.to_ascii_lowercase().ends_with(*ending));
    ending.and_then(|ending| name.get(..name.len() - ending.len())).unwrap_or(name)
}

/// A decoder that stops with an error at a limit.
struct Limited<'a> {
    packing: Packing,
    decoder: Box<dyn Read + 'a>,
    left_bytes: u64,
    limit_bytes: u64,
    /// Where damage is noted; none: it is an error.
    damage: Option<Damage>,
}

impl Read for Limited<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.damage.as_ref().is_some_and(|damage| damage.found().is_some()) {
            return Ok(0);
        }
        let read = match (self.decoder.read(buffer), &self.damage) {
            (Ok(read), _) => read,
            (Err(error), _) if error.kind() == ErrorKind::Interrupted => return Err(error),
            // Of data that are not cut but damaged nobody knows from where on they are wrong.
            (Err(error), Some(damage)) if error.kind() == ErrorKind::UnexpectedEof => {
                let after_bytes = self.limit_bytes - self.left_bytes;
                let error = damaged(self.packing, &error);
                damage.note(format!("{error}, after {after_bytes} unpacked bytes"));
                return Ok(0);
            }
            (Err(error), _) => return Err(damaged(self.packing, &error)),
        };
        self.left_bytes = self.left_bytes.checked_sub(read as u64).ok_or_else(|| {
            let found = format!("at most {} unpacked bytes of {}", self.limit_bytes, self.packing.name());
            io::Error::new(ErrorKind::FileTooLarge, found)
        })?;
        Ok(read)
    }
}

/// An error of the decoder; what the operating system says about the file stays as it is.
fn damaged(packing: Packing, error: &io::Error) -> io::Error {
    match error.raw_os_error() {
        Some(code) => io::Error::from_raw_os_error(code),
        None => io::Error::new(ErrorKind::InvalidData, format!("{} data: {error}", packing.name())),
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn packed(packing: Packing, content: &[u8]) -> Vec<u8> {
        match packing {
            Packing::Gzip => {
                let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
                encoder.write_all(content).unwrap();
                encoder.finish().unwrap()
            }
            Packing::Bzip2 => {
                let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
                encoder.write_all(content).unwrap();
                encoder.finish().unwrap()
            }
            Packing::Xz => {
                let mut encoder = liblzma::write::XzEncoder::new(Vec::new(), 1);
                encoder.write_all(content).unwrap();
                encoder.finish().unwrap()
            }
            Packing::Zstd => zstd::encode_all(content, 1).unwrap(),
        }
    }

    const ALL: [Packing; 4] = [Packing::Gzip, Packing::Bzip2, Packing::Xz, Packing::Zstd];

    #[test]
    fn every_packing_comes_back_in_one_part_or_two() {
        let content: Vec<u8> = (0..200_000u32).map(|i| (i % 251) as u8).collect();
        for packing in ALL {
            let (first, second) = content.split_at(70_000);
            for bytes in
                [packed(packing, &content), [packed(packing, first), packed(packing, second)].concat()]
            {
                let mut source = unpacked(Source::of_bytes("f", &bytes)).unwrap();
                assert!(source.whole().unwrap().1 == content, "{packing:?}");
            }
            let empty = packed(packing, b"");
            assert!(unpacked(Source::of_bytes("f", &empty)).unwrap().is_whole(), "{packing:?}");
        }
    }

    #[test]
    fn a_damaged_or_cut_file_is_refused_by_name() {
        let content: Vec<u8> = (0..100_000u64).map(|i| (i * i % 251) as u8).collect();
        for packing in ALL {
            let mut bytes = packed(packing, &content);
            bytes.truncate(bytes.len() - 9);
            let result =
                unpacked(Source::of_bytes("f.log", &bytes)).and_then(|mut s| s.whole().map(|w| w.1.len()));
            let error = result.unwrap_err().to_string();
            assert!(error.starts_with("f.log: file: expected ") && error.contains(packing.name()), "{error}");
        }
    }

    #[test]
    fn a_cut_file_ends_with_its_last_whole_line() {
        let lines = |count: usize| (0..count).map(|i| format!("line {i} of many\n")).collect::<String>();
        for packing in ALL {
            let mut bytes = packed(packing, lines(40_000).as_bytes());
            bytes.truncate(bytes.len() * 2 / 3);
            let (mut source, damage) = unpacked_to_damage(Source::of_bytes("f.log", &bytes)).unwrap();
            let mut text = Vec::new();
            source.stream(0, &mut |piece| text.extend_from_slice(piece)).unwrap();
            let text = String::from_utf8(text).unwrap();
            assert!(damage.found().unwrap().starts_with(packing.name()), "{damage:?}");
            let whole = text.lines().count();
            assert!(text == lines(whole) && whole < 40_000, "{packing:?}: {whole}");
            assert!(
                whole > 1000 || packing == Packing::Bzip2 || packing == Packing::Xz,
                "{packing:?}: {whole}"
            );
        }
    }

    #[test]
    fn a_bomb_stops_at_the_limit() {
        let bytes = packed(Packing::Zstd, &vec![0; ALWAYS_ALLOWED_BYTES as usize + 1]);
        assert!(bytes.len() < 100_000);
        let mut source = unpacked(Source::of_bytes("bomb", &bytes)).unwrap();
        let mut shown_bytes = 0;
        let error = source.stream(0, &mut |piece| shown_bytes += piece.len()).unwrap_err();
        assert!(matches!(error, ReadError::TooLarge { .. }), "{error}");
        assert!(shown_bytes <= ALWAYS_ALLOWED_BYTES as usize);
    }

    #[test]
    fn the_ending_of_the_packing_does_not_count() {
        assert_eq!(unpacked_name("a/b.log.GZ"), "a/b.log");
        assert_eq!(unpacked_name("b.tum.zst"), "b.tum");
        assert_eq!(unpacked_name("b.log"), "b.log");
    }
}

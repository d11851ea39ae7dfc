//! How the samples of a page are stored: size, bits, channels, compression, and where its strips or tiles lie.
//!
//! Everything that is decoded later is checked here first, against the limits and against the length of
//! the file, before memory is taken for it.

use std::fmt::Display;
use std::ops::Range;

use super::directory::Directory;
use crate::map::pixel_sink::{MAX_DECODED_BYTES, PixelBytes, check_size};
use crate::{Place, ReadError};

/// Bytes that a page may decode to whatever the length of its file: a small file may hold a large image
/// of one colour, or leave out empty tiles.
const FREE_BYTES: u64 = 1 << 25;

/// What the bits of a sample mean (tag 339).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SampleFormat {
    Unsigned,
    Signed,
    Float,
}

/// What the samples of a pixel mean (tag 262).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Photometric {
    WhiteIsZero,
    BlackIsZero,
    Rgb,
    Palette,
    YCbCr,
}

/// How strips and tiles are compressed (tag 259).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Compression {
    None,
    PackBits,
    Lzw,
    Deflate,
    Zstd,
    Jpeg,
    Fax4,
}

impl Compression {
    /// The number in tag 259.
    pub const fn tag_value(self) -> u16 {
        match self {
            Self::None => 1,
            Self::PackBits => 32773,
            Self::Lzw => 5,
            Self::Deflate => 8,
            Self::Zstd => 50000,
            Self::Jpeg => 7,
            Self::Fax4 => 4,
        }
    }

    /// Most bytes that one byte may become; a file that claims more lies, or is made to fill memory.
    const fn max_ratio(self) -> u64 {
        match self {
            Self::None => 1,
            // Two bytes give 128.
            Self::PackBits => 64,
            // A 258-byte match takes two bits.
            Self::Deflate => 1032,
            // A code of 12 bits gives at most 4096 bytes; the others have no such bound, and get the same.
            Self::Lzw | Self::Zstd | Self::Fax4 | Self::Jpeg => 4096,
        }
    }
}

/// What was done to the samples before they were compressed (tag 317).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Predictor {
    None,
    Horizontal,
    FloatingPoint,
}

/// Whether the channels of a pixel lie together (tag 284).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Planes {
    Together,
    /// RR..., GG..., BB...
    Apart,
}

/// How the samples of a page are stored.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    pub width: usize,
    pub height: usize,
    pub bits: usize,
    /// Samples per pixel, extra ones included.
    pub samples: usize,
    pub format: SampleFormat,
    pub photometric: Photometric,
    pub compression: Compression,
    pub predictor: Predictor,
    pub planes: Planes,
    /// Bytes are stored lowest bit first (tag 266).
    pub is_bit_reversed: bool,
    /// Size of a strip or tile in pixels; the last strip may be shorter.
    pub chunk_width: usize,
    pub chunk_height: usize,
    pub is_tiled: bool,
    /// Offset and length in the file of each strip or tile; (0, 0) where it was left out.
    pub chunks: Vec<(u64, u64)>,
}

impl Layout {
    /// Reads and checks the tags of a page.
    pub fn of(directory: &Directory<'_>) -> Result<Self, ReadError> {
        let (width, height) = size_of(directory)?;
        let (bits, samples, format) = samples_of(directory)?;
        let planes = match directory.unsigned(284).unwrap_or(1) {
            1 => Planes::Together,
            2 if samples == 1 => Planes::Together,
            2 => Planes::Apart,
            other => return Err(unsupported(directory, "PlanarConfiguration", "1 or 2", &other)),
        };
        let is_tiled = directory.has(322) || directory.has(324);
        let (chunk_width, chunk_height) = chunk_size_of(directory, (width, height), is_tiled)?;
        let layout = Self {
            width,
            height,
            bits,
            samples,
            format,
            photometric: photometric_of(directory, samples)?,
            compression: compression_of(directory)?,
            predictor: predictor_of(directory, format, bits)?,
            planes,
            is_bit_reversed: directory.unsigned(266) == Some(2),
            chunk_width,
            chunk_height,
            is_tiled,
            chunks: Vec::new(),
        };
        layout.check_memory(directory)?;
        let chunks = chunks_of(directory, &layout)?;
        Ok(Self { chunks, ..layout })
    }

    /// Samples that lie together in a strip or tile.
    pub const fn chunk_samples(&self) -> usize {
        match self.planes {
            Planes::Together => self.samples,
            Planes::Apart => 1,
        }
    }

    /// Strips or tiles side by side.
    pub const fn chunks_across(&self) -> usize {
        self.width.div_ceil(self.chunk_width)
    }

    /// Strips or tiles of one plane.
    pub const fn chunks_per_plane(&self) -> usize {
        self.chunks_across() * self.height.div_ceil(self.chunk_height)
    }

    /// Bytes of a row of a strip or tile.
    pub const fn chunk_row_bytes(&self) -> usize {
        (self.chunk_width * self.chunk_samples() * self.bits).div_ceil(8)
    }

    /// Bytes per sample once decoded: fewer than 8 bits are widened.
    pub const fn sample_bytes(&self) -> usize {
        self.bits.div_ceil(8)
    }

    /// Rows of a strip or tile that lie in the image. Tiles are stored in full, but some writers leave out
    /// what lies below the image, so no more is asked for.
    pub const fn rows_in_chunk(&self, chunk_in_plane: usize) -> usize {
        let first_row = chunk_in_plane / self.chunks_across() * self.chunk_height;
        let left = self.height - first_row;
        if left > self.chunk_height { self.chunk_height } else { left }
    }

    /// Where the samples lie, if they are plain bytes in one piece, strip after strip.
    pub fn in_one_piece(&self) -> Option<Range<usize>> {
        let is_plain = self.compression == Compression::None
            && self.predictor == Predictor::None
            && self.planes == Planes::Together
            && self.bits == 8
            && !self.is_tiled
            && !self.is_bit_reversed;
        let first = self.chunks.first().filter(|_| is_plain)?.0;
        // All strips but the last have as many rows.
        let row_bytes = self.chunk_row_bytes();
        let whole_bytes = (self.chunk_height * row_bytes) as u64;
        let last = self.chunks.len() - 1;
        let last_bytes = (self.rows_in_chunk(last) * row_bytes) as u64;
        let mut end = first;
        for (chunk, &(offset, length)) in self.chunks.iter().enumerate() {
            let bytes = if chunk == last { last_bytes } else { whole_bytes };
            if offset != end || length != bytes || offset == 0 {
                return None;
            }
            end = end.checked_add(length)?;
        }
        Some(usize::try_from(first).ok()?..usize::try_from(end).ok()?)
    }

    /// Bytes that decoding takes: the image, and the largest strip or tile.
    pub fn decoded_bytes(&self) -> u64 {
        let image = self.width as u64 * self.height as u64 * (self.samples * self.sample_bytes()) as u64;
        image.saturating_add(self.chunk_row_bytes() as u64 * self.chunk_height as u64)
    }

    fn check_memory(&self, directory: &Directory<'_>) -> Result<(), ReadError> {
        let (file, place) = (directory.tiff.file, Place::field("ImageWidth"));
        // Grey of 64 bits, or colours: no sample takes more than eight bytes.
        let decoded = self.samples * self.sample_bytes();
        // Samples that may be probabilities become classes and numbers of eight bytes. A byte tells what holds no data.
        let held = decoded + 1 + if self.sample_bytes() > 2 { 1 + 8 } else { 1 };
        check_size(file, place.clone(), (self.width, self.height), PixelBytes { decoded, held })?;
        let file_bytes = directory.tiff.bytes.len() as u64;
        let limit =
            (FREE_BYTES + file_bytes.saturating_mul(self.compression.max_ratio())).min(2 * MAX_DECODED_BYTES);
        if self.decoded_bytes() <= limit {
            return Ok(());
        }
        let found = format!(
            "{} x {} pixels in pieces of {} x {}, {} bytes, in a file of {file_bytes} bytes",
            self.width,
            self.height,
            self.chunk_width,
            self.chunk_height,
            self.decoded_bytes()
        );
        let expected = format!("at most {limit} decoded bytes in a file of this length");
        Err(ReadError::too_large(file, place, expected, found))
    }
}

fn size_of(directory: &Directory<'_>) -> Result<(usize, usize), ReadError> {
    let side = |tag, name: &str| {
        let found = directory.unsigned(tag).and_then(|side| usize::try_from(side).ok());
        found.ok_or_else(|| {
            let place = Place::field(name);
            ReadError::malformed(directory.tiff.file, place, "a number of pixels", "none")
        })
    };
    let size = (side(256, "ImageWidth")?, side(257, "ImageLength")?);
    check_size(directory.tiff.file, Place::field("ImageWidth"), size, PixelBytes { decoded: 1, held: 1 })?;
    Ok(size)
}

/// Bits per sample, samples per pixel, and what the bits mean.
#[allow(clippy::cast_possible_truncation, reason = "64 bits and 4 samples at most")]
fn samples_of(directory: &Directory<'_>) -> Result<(usize, usize, SampleFormat), ReadError> {
    let samples = directory.unsigned(277).unwrap_or(1);
    if !(1..=4).contains(&samples) {
        return Err(unsupported(directory, "SamplesPerPixel", "1 to 4", &samples));
    }
    let bits = directory.unsigned_numbers(258).unwrap_or_else(|| vec![1]);
    let first_bits = bits.first().copied().unwrap_or(1);
    let format = match directory.unsigned(339).unwrap_or(1) {
        1 | 4 => SampleFormat::Unsigned,
        2 => SampleFormat::Signed,
        3 => SampleFormat::Float,
        other => return Err(unsupported(directory, "SampleFormat", "1, 2 or 3", &other)),
    };
    let is_known = match format {
        SampleFormat::Unsigned => matches!(first_bits, 1 | 2 | 4 | 8 | 16),
        SampleFormat::Signed => first_bits == 16,
        SampleFormat::Float => matches!(first_bits, 32 | 64),
    };
    let is_packed = first_bits < 8 && samples > 1;
    if !is_known || is_packed || bits.iter().any(|&other| other != first_bits) {
        let expected = "1, 2, 4, 8 or 16 bits of grey, 16 with sign, 8 per colour, or reals of 32 or 64";
        let found = format!("{samples} x {bits:?} bits, {format:?}");
        return Err(unsupported(directory, "BitsPerSample", expected, &found));
    }
    Ok((first_bits as usize, samples as usize, format))
}

fn photometric_of(directory: &Directory<'_>, samples: usize) -> Result<Photometric, ReadError> {
    match directory.unsigned(262) {
        Some(0) => Ok(Photometric::WhiteIsZero),
        Some(1) => Ok(Photometric::BlackIsZero),
        Some(2) => Ok(Photometric::Rgb),
        Some(3) => Ok(Photometric::Palette),
        Some(6) => Ok(Photometric::YCbCr),
        None if samples == 1 => Ok(Photometric::BlackIsZero),
        other => {
            let found = other.map_or("none".to_owned(), |value| value.to_string());
            let expected = "0, 1 (grey), 2 (RGB), 3 (palette) or 6 (YCbCr)";
            Err(unsupported(directory, "PhotometricInterpretation", expected, &found))
        }
    }
}

fn compression_of(directory: &Directory<'_>) -> Result<Compression, ReadError> {
    match directory.unsigned(259).unwrap_or(1) {
        1 => Ok(Compression::None),
        4 => Ok(Compression::Fax4),
        5 => Ok(Compression::Lzw),
        7 => Ok(Compression::Jpeg),
        8 | 32946 => Ok(Compression::Deflate),
        32773 => Ok(Compression::PackBits),
        50000 => Ok(Compression::Zstd),
        other => {
            let expected = "none, PackBits, LZW, Deflate, Zstandard, JPEG or CCITT group 4";
            Err(unsupported(directory, "Compression", expected, &other))
        }
    }
}

fn predictor_of(
    directory: &Directory<'_>,
    format: SampleFormat,
    bits: usize,
) -> Result<Predictor, ReadError> {
    match directory.unsigned(317).unwrap_or(1) {
        1 => Ok(Predictor::None),
        2 if bits >= 8 => Ok(Predictor::Horizontal),
        3 if format == SampleFormat::Float => Ok(Predictor::FloatingPoint),
        other => Err(unsupported(directory, "Predictor", "1, 2, or 3 with reals", &other)),
    }
}

#[allow(clippy::cast_possible_truncation, reason = "at most 2^31, which was matched")]
fn chunk_size_of(
    directory: &Directory<'_>,
    (width, height): (usize, usize),
    is_tiled: bool,
) -> Result<(usize, usize), ReadError> {
    if !is_tiled {
        let rows =
            directory.unsigned(278).and_then(|rows| usize::try_from(rows).ok()).unwrap_or(height).min(height);
        if rows == 0 {
            return Err(unsupported(directory, "RowsPerStrip", "at least 1", &0));
        }
        return Ok((width, rows));
    }
    let side = |tag, name| match directory.unsigned(tag) {
        Some(side @ 1..=0x7fff_ffff) => Ok(side as usize),
        other => Err(unsupported(directory, name, "a number of pixels above 0", &format!("{other:?}"))),
    };
    Ok((side(322, "TileWidth")?, side(323, "TileLength")?))
}

/// Where the strips or tiles lie, as many as the size asks for.
fn chunks_of(directory: &Directory<'_>, layout: &Layout) -> Result<Vec<(u64, u64)>, ReadError> {
    let (offset_tag, count_tag, name) =
        if layout.is_tiled { (324, 325, "TileOffsets") } else { (273, 279, "StripOffsets") };
    let planes = layout.samples / layout.chunk_samples();
    let expected = layout.chunks_per_plane() * planes;
    let missing = |found: usize| {
        let expected = format!("{expected} places of strips or tiles");
        unsupported(directory, name, &expected, &found)
    };
    let offsets = directory.unsigned_numbers(offset_tag).ok_or_else(|| missing(0))?;
    let counts = match directory.unsigned_numbers(count_tag) {
        Some(counts) => counts,
        // Old writers left the lengths out where they follow from the size.
        None if layout.compression == Compression::None => (0..offsets.len())
            .map(|chunk| {
                let rows = layout.rows_in_chunk(chunk % layout.chunks_per_plane().max(1));
                layout.chunk_row_bytes() as u64 * rows as u64
            })
            .collect(),
        None => return Err(missing(0)),
    };
    if offsets.len() < expected || counts.len() < expected {
        return Err(missing(offsets.len().min(counts.len())));
    }
    Ok(offsets.into_iter().zip(counts).take(expected).collect())
}

/// The error of a tag with a value that is not taken.
pub(super) fn unsupported(
    directory: &Directory<'_>,
    tag: &str,
    expected: &str,
    found: &dyn Display,
) -> ReadError {
    ReadError::malformed(directory.tiff.file, Place::field(tag), expected, found.to_string())
        .with_hint("save the map as 8-bit grey, palette or RGB, for instance with gdal_translate")
}

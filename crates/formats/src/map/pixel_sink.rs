//! Pixels that a decoder passes on to become the cells of a map: top row first, left to right.

use model::{GridGeometry, MemoryLimit, MemoryNeed, Pose2};

use crate::{Place, ReadError};

/// Most bytes of decoded samples: a 16-bit grey image of the largest grid.
pub(crate) const MAX_DECODED_BYTES: u64 = 1 << 31;

/// The channels of a pixel, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Channels {
    Grey,
    GreyAlpha,
    Rgb,
    Rgba,
}

impl Channels {
    pub const fn count(self) -> usize {
        match self {
            Self::Grey => 1,
            Self::GreyAlpha => 2,
            Self::Rgb => 3,
            Self::Rgba => 4,
        }
    }

    /// True if the last sample is alpha.
    pub const fn has_alpha(self) -> bool {
        matches!(self, Self::GreyAlpha | Self::Rgba)
    }
}

/// What an image is, known before its pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ImageHeader {
    pub width: usize,
    pub height: usize,
    pub channels: Channels,
    /// The sample that means full brightness.
    pub max_value: u16,
}

/// Takes the pixels of an image: `begin` once, then samples in pieces of whole pixels, none above
/// `max_value`.
pub(crate) trait PixelSink {
    /// The image begins; may take memory for it, so its size has been checked.
    fn begin(&mut self, header: ImageHeader);
    /// Samples of an image whose `max_value` is at most 255.
    fn eight(&mut self, samples: &[u8]);
    /// Samples of any other image.
    fn sixteen(&mut self, samples: &[u16]);
    /// Bytes that the sink keeps per pixel.
    fn bytes_per_pixel(&self) -> usize;
}

/// Widens big-endian pairs of bytes into 16-bit samples.
pub(crate) fn wide_samples(bytes: &[u8]) -> Vec<u16> {
    bytes.chunks_exact(2).map(|pair| u16::from_be_bytes([pair[0], pair[1]])).collect()
}

/// What a pixel takes while an image is read.
#[derive(Clone, Copy)]
pub(crate) struct PixelBytes {
    /// Of its decoded samples.
    pub decoded: usize,
    /// Held at the same time: samples of the whole image, where they do not pass row by row, and cells.
    pub held: usize,
}

/// Refuses sizes of zero and sizes beyond the limits, before memory is taken.
pub(crate) fn check_size(
    file: &str,
    place: Place,
    (width, height): (usize, usize),
    bytes: PixelBytes,
) -> Result<(), ReadError> {
    let found = || format!("{width} x {height} pixels");
    if width == 0 || height == 0 {
        return Err(ReadError::malformed(file, place, "at least 1 x 1 pixels", found()));
    }
    let too_large = |expected: String| ReadError::too_large(file, place.clone(), expected, found());
    if GridGeometry::new(width, height, 1.0, Pose2::IDENTITY).is_err() {
        return Err(too_large(format!("at most {0} x {0} pixels", model::MAX_SIDE_CELLS)));
    }
    check_memory(file, place.clone(), (width, height), bytes.held)?;
    let decoded_bytes = (width * height) as u64 * bytes.decoded as u64;
    if decoded_bytes > MAX_DECODED_BYTES {
        return Err(too_large(format!("at most {MAX_DECODED_BYTES} decoded bytes")));
    }
    Ok(())
}

/// Refuses a map that would take more memory than one map may.
pub(crate) fn check_memory(
    file: &str,
    place: Place,
    (width, height): (usize, usize),
    bytes_per_cell: usize,
) -> Result<(), ReadError> {
    let need = MemoryNeed::new(width.saturating_mul(height), bytes_per_cell as u64);
    MemoryLimit::current().of_one_map().check(need).map_err(|over| {
        let expected = format!("at most {} bytes of memory for one map", over.limit_bytes);
        ReadError::too_large(
            file,
            place,
            expected,
            format!("{width} x {height} cells, which take {} bytes", over.needed_bytes),
        )
    })
}

/// A sink that keeps what it gets, for the tests of decoders.
#[cfg(test)]
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Kept {
    pub header: Option<ImageHeader>,
    pub samples: Vec<u16>,
}

#[cfg(test)]
impl PixelSink for Kept {
    fn begin(&mut self, header: ImageHeader) {
        self.header = Some(header);
    }

    fn eight(&mut self, samples: &[u8]) {
        self.samples.extend(samples.iter().map(|&sample| u16::from(sample)));
    }

    fn sixteen(&mut self, samples: &[u16]) {
        self.samples.extend_from_slice(samples);
    }

    fn bytes_per_pixel(&self) -> usize {
        1
    }
}

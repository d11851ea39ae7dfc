//! Decoded pixels, top row first, left to right, with 8 or 16 bits per sample.

use std::borrow::Cow;

use model::{GridGeometry, Pose2};

use crate::{Place, ReadError};

/// Most bytes of decoded samples: a 16-bit grey picture of the largest grid.
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
    /// Samples per pixel.
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

/// The samples of a picture, pixel by pixel.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Samples<'a> {
    /// One byte each; borrowed where the file holds them just so.
    Eight(Cow<'a, [u8]>),
    /// Two bytes each.
    Sixteen(Vec<u16>),
}

/// A decoded picture; the number of samples is width x height x channels.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Picture<'a> {
    pub width: usize,
    pub height: usize,
    pub channels: Channels,
    /// The sample that means full brightness.
    pub max_value: u16,
    pub samples: Samples<'a>,
}

/// Refuses sizes of zero and sizes beyond the limits, before memory is taken.
pub(crate) fn check_size(
    file: &str,
    place: Place,
    (width, height): (usize, usize),
    bytes_per_pixel: usize,
) -> Result<(), ReadError> {
    let found = format!("{width} x {height} pixels");
    if width == 0 || height == 0 {
        return Err(ReadError::malformed(file, place, "at least 1 x 1 pixels", found));
    }
    let too_large =
        |expected: String, found| ReadError::TooLarge { file: file.to_owned(), place, expected, found };
    if GridGeometry::new(width, height, 1.0, Pose2::IDENTITY).is_err() {
        return Err(too_large(format!("at most {} pixels", model::MAX_CELLS), found));
    }
    let decoded_bytes = (width * height) as u64 * bytes_per_pixel as u64;
    if decoded_bytes > MAX_DECODED_BYTES {
        return Err(too_large(format!("at most {MAX_DECODED_BYTES} decoded bytes"), found));
    }
    Ok(())
}

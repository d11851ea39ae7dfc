//! The pixels of a page, by what they mean: grey, colour, or a number.
//!
//! A palette counts by its colours, an image whose zero is white is turned around, fewer than 8 bits are
//! widened so that the brightest value is 255. Planes stored apart come back as whole pixels.

use super::directory::Directory;
use super::layout::{Layout, Photometric, SampleFormat, unsupported};
use super::{no_data, samples};
use crate::ReadError;

/// The pixels of a page, top row first, left to right.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Pixels {
    /// Grey, 0 black to 255 white.
    Grey8(Vec<u8>),
    GreyAlpha8(Vec<u8>),
    /// Grey, 0 black to 65535 white.
    Grey16(Vec<u16>),
    /// Whole numbers with sign.
    Signed16(Vec<i16>),
    /// Red, green, blue.
    Rgb8(Vec<u8>),
    /// Red, green, blue, alpha.
    Rgba8(Vec<u8>),
    /// Real numbers; in a map the probability that a cell is occupied.
    Float(Vec<f64>),
}

impl Pixels {
    /// What the pixels are, for people.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Grey8(_) | Self::GreyAlpha8(_) | Self::Grey16(_) => "grey",
            Self::Signed16(_) => "number",
            Self::Rgb8(_) | Self::Rgba8(_) => "colour",
            Self::Float(_) => "probability",
        }
    }
}

/// Decodes the pixels of a page, and tells which hold no data; strips that are not stored hold `nodata`, else 0.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to 255")]
pub(super) fn decode(
    directory: &Directory<'_>,
    layout: &Layout,
    nodata: Option<f64>,
) -> Result<(Pixels, Option<Vec<bool>>), ReadError> {
    // Only bytes are ever left out in maps; wider samples are filled with zeros.
    let is_byte = layout.bits == 8 && nodata.is_some_and(|value| (0.0..=255.0).contains(&value));
    let left_out = nodata.filter(|_| is_byte).unwrap_or(0.0) as u8;
    let expected = "grey, palette of at most 8 bits, or RGB with 8 bits per colour";
    if !is_supported(directory, layout) {
        let Layout { photometric, samples, bits, .. } = layout;
        let found = format!("{photometric:?} of {samples} samples of {bits} bits");
        return Err(unsupported(directory, "PhotometricInterpretation", expected, &found));
    }
    let palette = match layout.photometric {
        Photometric::Palette => Some(palette_of(directory, layout.bits)?),
        _ => None,
    };
    let stored = samples::decode(directory, layout, left_out)?;
    let is_nodata = nodata.and_then(|nodata| no_data::pixels(layout, &stored, nodata));
    let pixels = match (layout.photometric, layout.samples) {
        (Photometric::Palette, _) => {
            let colours = palette.unwrap_or_default();
            let colour = |&index: &u8| colours.get(usize::from(index)).copied().unwrap_or_default();
            Pixels::Rgb8(stored.iter().flat_map(colour).collect())
        }
        (Photometric::BlackIsZero, 2) => Pixels::GreyAlpha8(stored),
        (Photometric::WhiteIsZero | Photometric::BlackIsZero, _) => grey(layout, stored),
        (Photometric::Rgb, 4) => Pixels::Rgba8(stored),
        (Photometric::Rgb, _) => Pixels::Rgb8(stored),
        (Photometric::YCbCr, _) => Pixels::Rgb8(rgb_of_ycbcr(stored)),
    };
    Ok((pixels, is_nodata))
}

fn is_supported(directory: &Directory<'_>, layout: &Layout) -> bool {
    match (layout.photometric, layout.samples) {
        (Photometric::WhiteIsZero | Photometric::BlackIsZero, 1) => true,
        (Photometric::BlackIsZero, 2) => layout.bits == 8 && has_alpha(directory),
        (Photometric::Palette, 1) => layout.bits <= 8,
        (Photometric::Rgb, 3 | 4) => layout.bits == 8,
        (Photometric::YCbCr, 3) => layout.bits == 8 && is_full_chroma(directory, layout),
        _ => false,
    }
}

fn has_alpha(directory: &Directory<'_>) -> bool {
    matches!(directory.unsigned(338), Some(1 | 2))
}

#[allow(clippy::cast_possible_truncation, reason = "8 bits at most")]
fn grey(layout: &Layout, mut samples: Vec<u8>) -> Pixels {
    let is_inverted = layout.photometric == Photometric::WhiteIsZero;
    match (layout.format, layout.bits) {
        (SampleFormat::Float, 32) => {
            let real = |bytes: &[u8; 4]| f64::from(f32::from_ne_bytes(*bytes));
            Pixels::Float(samples.as_chunks().0.iter().map(real).collect())
        }
        (SampleFormat::Float, _) => {
            Pixels::Float(samples.as_chunks().0.iter().map(|bytes| f64::from_ne_bytes(*bytes)).collect())
        }
        (SampleFormat::Signed, _) => {
            Pixels::Signed16(samples.as_chunks().0.iter().map(|bytes| i16::from_ne_bytes(*bytes)).collect())
        }
        (SampleFormat::Unsigned, 16) => {
            let turned = if is_inverted { u16::MAX } else { 0 };
            let word = |bytes: &[u8; 2]| u16::from_ne_bytes(*bytes) ^ turned;
            Pixels::Grey16(samples.as_chunks().0.iter().map(word).collect())
        }
        (SampleFormat::Unsigned, bits) => {
            // 255, 85, 17 or 1: the brightest sample becomes 255.
            let step = 255 / ((1_u16 << bits) - 1) as u8;
            if step != 1 || is_inverted {
                let turned = if is_inverted { u8::MAX } else { 0 };
                samples.iter_mut().for_each(|sample| *sample = sample.wrapping_mul(step) ^ turned);
            }
            Pixels::Grey8(samples)
        }
    }
}

/// The colours of a palette (tag 320): all reds, all greens, all blues, 16 bits each.
#[allow(
    clippy::cast_possible_truncation,
    reason = "the upper byte of 16 bits counts; what a damaged file has beyond them is cut off"
)]
fn palette_of(directory: &Directory<'_>, bits: usize) -> Result<Vec<[u8; 3]>, ReadError> {
    let (entries, words) = (1 << bits, directory.unsigned_numbers(320).unwrap_or_default());
    if words.len() < 3 * entries {
        let expected = format!("{} numbers", 3 * entries);
        return Err(unsupported(directory, "ColorMap", &expected, &words.len()));
    }
    // Some writers store 8-bit colours without widening them; libtiff and GDAL detect it the same way.
    let shift = if words.iter().all(|&word| word < 256) { 0 } else { 8 };
    let colour = |index| [0, 1, 2].map(|channel| (words[channel * entries + index] >> shift) as u8);
    Ok((0..entries).map(colour).collect())
}

/// True if each pixel has its own chroma: either the tag says so, or the JPEG decoder has spread it.
fn is_full_chroma(directory: &Directory<'_>, layout: &Layout) -> bool {
    layout.compression == super::layout::Compression::Jpeg
        || directory.unsigned_numbers(530).is_some_and(|factors| factors == [1, 1])
}

/// ITU-R BT.601 with full range, as JPEG has it (JFIF 1.02, section "Conversion to and from RGB").
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to a byte")]
fn rgb_of_ycbcr(mut samples: Vec<u8>) -> Vec<u8> {
    for pixel in samples.as_chunks_mut::<3>().0 {
        let [y, cb, cr] = pixel.map(f64::from);
        let (cb, cr) = (cb - 128.0, cr - 128.0);
        let colours = [y + 1.402 * cr, y - 0.344_136 * cb - 0.714_136 * cr, y + 1.772 * cb];
        *pixel = colours.map(|colour| colour.round().clamp(0.0, 255.0) as u8);
    }
    samples
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grey_without_chroma_keeps_its_brightness() {
        assert_eq!(
            rgb_of_ycbcr(vec![0, 128, 128, 77, 128, 128, 255, 128, 128]),
            [0, 0, 0, 77, 77, 77, 255, 255, 255]
        );
        // Pure red of JFIF: Y 76, Cb 85, Cr 255.
        assert_eq!(rgb_of_ycbcr(vec![76, 85, 255]), [254, 0, 0]);
    }
}

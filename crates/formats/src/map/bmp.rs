//! BMP images, as some map savers write them: palette, RGB and RGBA, plain or run-length coded.
//!
//! Format: `BITMAPINFOHEADER` and its successors. Decoded by the `image` crate; the size is checked against
//! the file first. The decoder turns rows, which BMP stores from the bottom, into top row first. An image has
//! no place in the world and no unknown: both come from a ROS YAML or from options.

use std::io::Cursor;

use image::codecs::bmp::BmpDecoder;
use image::{ColorType, ImageDecoder, ImageError};
use model::Finding;

use crate::error::excerpt;
use crate::format::{Format, Reader, Sniff, by_name};
use crate::map::pixel_sink::{Channels, ImageHeader, PixelBytes, PixelSink, check_size};
use crate::source::Source;
use crate::{Place, ReadError};

pub(crate) const FORMAT: Format =
    Format { name: "bmp", title: "BMP image", sniff, reader: Reader::Image(decode) };

/// Pixels per byte of run-length code: a run takes two bytes for 255 pixels. The escapes that skip pixels
/// could leave out far more, but map savers do not, and a few bytes must not claim gigabytes.
const MAX_RUN_LENGTH_RATIO: u64 = 128;

fn sniff(bytes: &[u8], name: &str) -> Sniff {
    // The reserved bytes 6..10 tell a BMP from a text that begins with "BM".
    match bytes {
        [b'B', b'M', _, _, _, _, 0, 0, 0, 0, ..] => Sniff::ByBytes,
        _ => by_name(name, &[".bmp"]),
    }
}

/// Decodes a BMP into 8-bit samples.
pub(crate) fn decode(source: &mut Source<'_>, sink: &mut dyn PixelSink) -> Result<Vec<Finding>, ReadError> {
    let (file, bytes) = source.whole()?;
    if !bytes.starts_with(b"BM") {
        return Err(ReadError::malformed(file, Place::Byte(0), "'BM', as a BMP begins", excerpt(bytes)));
    }
    let failed = |error: ImageError| {
        ReadError::malformed(file, Place::File, "a complete BMP", error.to_string())
            .with_hint("save the image again, best as PNG or PGM")
    };
    let decoder = BmpDecoder::new(Cursor::new(bytes)).map_err(failed)?;
    let (width, height) = (decoder.dimensions().0 as usize, decoder.dimensions().1 as usize);
    let channels = match decoder.color_type() {
        ColorType::L8 => Channels::Grey,
        ColorType::Rgb8 => Channels::Rgb,
        ColorType::Rgba8 => Channels::Rgba,
        other => {
            return Err(ReadError::malformed(file, Place::File, "8-bit samples", format!("{other:?}")));
        }
    };
    let (decoded, held) = (channels.count(), channels.count() + sink.bytes_per_pixel());
    check_size(file, Place::Byte(18), (width, height), PixelBytes { decoded, held })?;
    check_length(file, bytes, (width as u64, height as u64))?;
    let mut samples = vec![0; width * height * channels.count()];
    decoder.read_image(&mut samples).map_err(failed)?;
    sink.begin(ImageHeader { width, height, channels, max_value: 255 });
    sink.eight(&samples);
    Ok(Vec::new())
}

/// Refuses a header that claims more pixels than the file can hold, before memory is taken for them.
fn check_length(file: &str, bytes: &[u8], (width, height): (u64, u64)) -> Result<(), ReadError> {
    let field = |at: usize, len: usize| -> u64 {
        let little_endian = bytes.get(at..at + len).unwrap_or_default();
        little_endian.iter().rev().fold(0, |value, &byte| value << 8 | u64::from(byte))
    };
    // The oldest header (12 bytes) has no compression; its bits per pixel stand at 24.
    let (bits, compression) =
        if field(14, 4) == 12 { (field(24, 2), 0) } else { (field(28, 2), field(30, 4)) };
    let is_run_length = matches!(compression, 1 | 2);
    let expected_bytes = if is_run_length {
        width * height / MAX_RUN_LENGTH_RATIO
    } else {
        // Rows are padded to four bytes; the pixels begin at the offset that stands at 10.
        field(10, 4) + (width * bits).div_ceil(32) * 4 * height
    };
    let found_bytes = bytes.len() as u64;
    if expected_bytes <= found_bytes {
        return Ok(());
    }
    Err(ReadError::Truncated { file: file.to_owned(), place: Place::Byte(18), expected_bytes, found_bytes })
}

#[cfg(test)]
mod tests {
    use image::ExtendedColorType;
    use image::codecs::bmp::BmpEncoder;

    use super::*;
    use crate::map::pixel_sink::Kept;

    fn encoded(width: u32, height: u32, color: ExtendedColorType, data: &[u8]) -> Vec<u8> {
        let mut bytes = Vec::new();
        BmpEncoder::new(&mut bytes).encode(data, width, height, color).unwrap();
        bytes
    }

    fn read(bytes: &[u8]) -> Result<Kept, ReadError> {
        let mut kept = Kept::default();
        decode(&mut Source::of_bytes("map.bmp", bytes), &mut kept).map(|_| kept)
    }

    fn samples(bytes: &[u8]) -> (Channels, Vec<u16>) {
        let kept = read(bytes).unwrap();
        (kept.header.unwrap().channels, kept.samples)
    }

    #[test]
    fn rows_come_out_top_first() {
        let bytes = encoded(1, 2, ExtendedColorType::Rgb8, &[1, 2, 3, 4, 5, 6]);
        assert_eq!(samples(&bytes), (Channels::Rgb, vec![1, 2, 3, 4, 5, 6]));
    }

    #[test]
    fn a_grey_palette_counts_by_its_colours() {
        let bytes = encoded(2, 1, ExtendedColorType::L8, &[205, 254]);
        assert_eq!(samples(&bytes), (Channels::Rgb, vec![205, 205, 205, 254, 254, 254]));
    }

    #[test]
    fn cut_files_and_false_claims_are_refused() {
        let mut bytes = encoded(4, 4, ExtendedColorType::Rgb8, &[7; 48]);
        let error = read(&bytes[..60]).unwrap_err();
        assert_eq!(error.to_string(), "map.bmp: byte 18: expected 102 bytes, found 60");
        bytes[18..26].copy_from_slice(&[0x10, 0x27, 0, 0, 0x10, 0x27, 0, 0]);
        assert!(matches!(read(&bytes), Err(ReadError::Truncated { .. })));
        bytes[28..31].copy_from_slice(&[8, 0, 1]);
        bytes[46] = 2;
        assert!(matches!(read(&bytes), Err(ReadError::Truncated { .. })), "run-length coded");
        assert!(read(b"BM").is_err());
        assert!(read(b"text").is_err());
    }
}

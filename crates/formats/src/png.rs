//! PNG pictures: grey of 1 to 16 bits, grey with alpha, RGB, RGBA, palette, interlaced or not.
//!
//! Specification: <https://www.w3.org/TR/png-3/>. A palette picture counts by its colours; fewer than 8 bits
//! are widened to 8, so that the brightest value is 255; a transparency chunk becomes alpha. Gamma and colour
//! profiles are ignored, as the ROS map servers ignore them. Row 0 is the top; a picture has no place in the
//! world and no unknown: both come from a ROS YAML or from options.

use std::borrow::Cow;
use std::io::Cursor;

use model::Grid;
use png::{BitDepth, ColorType, Decoder, DecodingError, Limits, Transformations};

use crate::error::excerpt;
use crate::format::{Decoded, Format, Reader, Sniff, by_name};
use crate::picture::{Channels, MAX_DECODED_BYTES, Picture, Samples, check_size};
use crate::{Place, ReadError};

pub(crate) const FORMAT: Format =
    Format { name: "png", title: "PNG picture", sniff, reader: Reader::Picture(decode) };

const SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";

/// Deflate makes at most 1032 bytes of one (a 258-byte match takes two bits), so a file claiming more lies.
const MAX_DEFLATE_RATIO: u64 = 1032;

fn sniff(bytes: &[u8], name: &str) -> Sniff {
    if bytes.starts_with(SIGNATURE) { Sniff::ByBytes } else { by_name(name, &[".png"]) }
}

/// Decodes a PNG into 8- or 16-bit samples.
pub(crate) fn decode<'a>(file: &str, bytes: &'a [u8]) -> Result<Decoded<'a>, ReadError> {
    if !bytes.starts_with(SIGNATURE) {
        let found = excerpt(bytes);
        return Err(ReadError::malformed(file, Place::Byte(0), "the signature of a PNG", found)
            .with_hint("the name says PNG, the content does not; was the file converted or damaged?"));
    }
    let failed = |error: DecodingError| decoding_error(file, bytes.len(), &error);
    let limits = Limits { bytes: usize::try_from(MAX_DECODED_BYTES).unwrap_or(usize::MAX) };
    let mut decoder = Decoder::new_with_limits(Cursor::new(bytes), limits);
    decoder.set_transformations(Transformations::EXPAND);
    decoder.set_ignore_text_chunk(true);
    decoder.set_ignore_iccp_chunk(true);
    let mut reader = decoder.read_info().map_err(failed)?;
    let (width, height) = (reader.info().width as usize, reader.info().height as usize);
    let (color_type, depth) = reader.output_color_type();
    let channels = channels_of(color_type);
    let bytes_per_pixel = channels.count() * if depth == BitDepth::Sixteen { 2 } else { 1 };
    check_size(file, Place::Field("IHDR".to_owned()), (width, height), bytes_per_pixel)?;
    check_ratio(file, reader.info().raw_bytes() as u64, bytes.len() as u64)?;
    let mut samples = vec![0; width * height * bytes_per_pixel];
    reader.next_frame(&mut samples).map_err(failed)?;
    let (max_value, samples) = if depth == BitDepth::Sixteen {
        let wide = samples.chunks_exact(2).map(|pair| u16::from_be_bytes([pair[0], pair[1]]));
        (65535, Samples::Sixteen(wide.collect()))
    } else {
        (255, Samples::Eight(Cow::Owned(samples)))
    };
    Ok(Decoded { picture: Picture { width, height, channels, max_value, samples }, findings: Vec::new() })
}

const fn channels_of(color_type: ColorType) -> Channels {
    match color_type {
        ColorType::Grayscale => Channels::Grey,
        ColorType::GrayscaleAlpha => Channels::GreyAlpha,
        // Palettes are expanded; their kind cannot come out of the decoder.
        ColorType::Rgb | ColorType::Indexed => Channels::Rgb,
        ColorType::Rgba => Channels::Rgba,
    }
}

/// Refuses a picture whose pixels cannot come out of so few bytes, before memory is taken for them.
fn check_ratio(file: &str, raw_bytes: u64, file_bytes: u64) -> Result<(), ReadError> {
    if raw_bytes <= file_bytes.saturating_mul(MAX_DEFLATE_RATIO) {
        return Ok(());
    }
    Err(ReadError::Truncated {
        file: file.to_owned(),
        place: Place::Field("IHDR".to_owned()),
        expected_bytes: raw_bytes / MAX_DEFLATE_RATIO,
        found_bytes: file_bytes,
    })
}

fn decoding_error(file: &str, file_bytes: usize, error: &DecodingError) -> ReadError {
    let (place, found) = match error {
        DecodingError::IoError(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => {
            (Place::Byte(file_bytes), "the end of the file".to_owned())
        }
        other => (Place::File, other.to_string()),
    };
    ReadError::malformed(file, place, "a complete PNG", found).with_hint("save or fetch the picture again")
}

/// A greyscale PNG of the classes of a grid: 0 occupied, 254 free, 205 unknown.
///
/// # Errors
/// The encoder's; writing into memory gives none for grids that exist.
pub fn write(grid: &Grid) -> Result<Vec<u8>, std::io::Error> {
    let too_wide = |_| std::io::Error::other("the grid is too wide for a PNG");
    let width = u32::try_from(grid.geometry().width()).map_err(too_wide)?;
    let height = u32::try_from(grid.geometry().height()).map_err(too_wide)?;
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(ColorType::Grayscale);
    encoder.set_depth(BitDepth::Eight);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&crate::occupancy::greys_of(grid))?;
    writer.finish()?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn encoded(width: u32, color: ColorType, depth: BitDepth, data: &[u8]) -> Vec<u8> {
        encoded_with(width, color, depth, data, |_| {})
    }

    fn encoded_with(
        width: u32,
        color: ColorType,
        depth: BitDepth,
        data: &[u8],
        change: impl FnOnce(&mut png::Encoder<'_, &mut Vec<u8>>),
    ) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, width, 1);
        encoder.set_color(color);
        encoder.set_depth(depth);
        change(&mut encoder);
        let mut writer = encoder.write_header().unwrap();
        writer.write_image_data(data).unwrap();
        writer.finish().unwrap();
        bytes
    }

    fn eight(bytes: &[u8]) -> (Channels, Vec<u8>) {
        let picture = decode("map.png", bytes).unwrap().picture;
        let Samples::Eight(samples) = picture.samples else { panic!("16 bits") };
        (picture.channels, samples.into_owned())
    }

    #[test]
    fn grey_of_few_bits_is_widened_to_eight() {
        use BitDepth::{Eight, Four, One, Two};
        let grey = |width, depth, data: &[u8]| eight(&encoded(width, ColorType::Grayscale, depth, data)).1;
        assert_eq!(grey(2, One, &[0b0100_0000]), [0, 255]);
        assert_eq!(grey(4, Two, &[0b0001_1011]), [0, 85, 170, 255]);
        assert_eq!(grey(2, Four, &[0x0F]), [0, 255]);
        assert_eq!(grey(3, Eight, &[0, 205, 254]), [0, 205, 254]);
    }

    #[test]
    fn colours_and_alpha_keep_their_channels() {
        let depth = BitDepth::Eight;
        assert_eq!(
            eight(&encoded(1, ColorType::GrayscaleAlpha, depth, &[205, 7])),
            (Channels::GreyAlpha, vec![205, 7])
        );
        assert_eq!(eight(&encoded(1, ColorType::Rgb, depth, &[1, 2, 3])), (Channels::Rgb, vec![1, 2, 3]));
        assert_eq!(
            eight(&encoded(1, ColorType::Rgba, depth, &[1, 2, 3, 4])),
            (Channels::Rgba, vec![1, 2, 3, 4])
        );
    }

    #[test]
    fn sixteen_bits_are_kept() {
        let bytes = encoded(2, ColorType::Grayscale, BitDepth::Sixteen, &[1, 2, 255, 255]);
        let picture = decode("map.png", &bytes).unwrap().picture;
        assert_eq!((picture.max_value, picture.samples), (65535, Samples::Sixteen(vec![258, 65535])));
    }

    #[test]
    fn a_palette_counts_by_its_colours_and_may_have_alpha() {
        let palette = |encoder: &mut png::Encoder<'_, &mut Vec<u8>>| {
            encoder.set_palette(vec![9, 9, 9, 205, 205, 205]);
        };
        let indices = [0b0100_0000];
        let plain = encoded_with(2, ColorType::Indexed, BitDepth::One, &indices, palette);
        assert_eq!(eight(&plain), (Channels::Rgb, vec![9, 9, 9, 205, 205, 205]));
        let transparent = encoded_with(2, ColorType::Indexed, BitDepth::One, &indices, |encoder| {
            palette(encoder);
            encoder.set_trns(vec![0]);
        });
        assert_eq!(eight(&transparent), (Channels::Rgba, vec![9, 9, 9, 0, 205, 205, 205, 255]));
    }

    #[test]
    fn cut_damaged_and_foreign_files_are_refused() {
        let whole = encoded(3, ColorType::Grayscale, BitDepth::Eight, &[0, 205, 254]);
        for length in 0..whole.len() - 12 {
            assert!(decode("map.png", &whole[..length]).is_err(), "{length} bytes");
        }
        let cut = decode("map.png", &whole[..40]).err().unwrap();
        assert!(cut.to_string().contains("found the end of the file"), "{cut}");
        let text = decode("map.png", b"<html>").err().unwrap();
        assert_eq!(text.to_string(), "map.png: byte 0: expected the signature of a PNG, found \"<html>\"");
    }

    #[test]
    fn a_header_that_claims_more_than_the_file_holds_is_refused() {
        let header = |width: u32, height: u32| {
            let mut bytes = Vec::new();
            let mut encoder = png::Encoder::new(&mut bytes, width, height);
            encoder.set_color(ColorType::Grayscale);
            drop(encoder.write_header().unwrap());
            bytes.truncate(bytes.len() - 12); // The end chunk, which the encoder writes last.
            bytes.extend_from_slice(b"\0\0\0\0IDAT\x35\xaf\x06\x1e");
            decode("map.png", &bytes).err().unwrap().to_string()
        };
        assert!(header(30_000, 30_000).contains("expected 872"), "{}", header(30_000, 30_000));
        assert!(header(1_000_000, 1_000_000).contains("expected at most 1073741824 pixels"));
    }

    #[test]
    fn a_written_grid_is_read_back() {
        let grid = testkit::grid(["#.?", "..#"]);
        assert_eq!(eight(&write(&grid).unwrap()), (Channels::Grey, vec![0, 254, 205, 254, 254, 0]));
    }
}

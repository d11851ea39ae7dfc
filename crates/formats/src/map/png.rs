//! PNG images: grey of 1 to 16 bits, grey with alpha, RGB, RGBA, palette, interlaced or not.
//!
//! Specification: <https://www.w3.org/TR/png-3/>. A palette image counts by its colours; fewer than 8 bits
//! are widened to 8, so that the brightest value is 255; a transparency chunk becomes alpha. Gamma and colour
//! profiles are ignored, as the ROS map servers ignore them. Row 0 is the top; an image has no place in the
//! world and no unknown: both come from a ROS YAML or from options.

use std::io::Cursor;

use model::{Finding, Grid};
use png::{BitDepth, ColorType, Decoder, DecodingError, Limits, Transformations};

use crate::error::excerpt;
use crate::format::{Format, Reader, Sniff, by_name};
use crate::map::pixel_sink::{
    Channels, ImageHeader, MAX_DECODED_BYTES, PixelBytes, PixelSink, check_size, wide_samples,
};
use crate::source::Source;
use crate::{Place, ReadError};

pub(crate) const FORMAT: Format =
    Format { name: "png", title: "PNG image", sniff, reader: Reader::Image(decode) };

const SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";

/// Deflate makes at most 1032 bytes of one (a 258-byte match takes two bits), so a file claiming more lies.
const MAX_DEFLATE_RATIO: u64 = 1032;

fn sniff(bytes: &[u8], name: &str) -> Sniff {
    if bytes.starts_with(SIGNATURE) { Sniff::ByBytes } else { by_name(name, &[".png"]) }
}

/// Decodes a PNG into 8- or 16-bit samples, row by row where it is not interlaced.
pub(crate) fn decode(source: &mut Source<'_>, sink: &mut dyn PixelSink) -> Result<Vec<Finding>, ReadError> {
    let (file, bytes) = source.whole()?;
    if !bytes.starts_with(SIGNATURE) {
        let found = excerpt(bytes);
        return Err(ReadError::malformed(file, Place::Byte(0), "the signature of a PNG", found)
            .with_hint("the name says PNG, the content does not; was the file converted or damaged?"));
    }
    let failed = |error: DecodingError| decoding_error(file, bytes.len(), &error);
    let mut reader = open(bytes).map_err(failed)?;
    let (width, height) = (reader.info().width as usize, reader.info().height as usize);
    let (color_type, depth) = reader.output_color_type();
    let (channels, is_wide) = (channels_of(color_type), depth == BitDepth::Sixteen);
    let bytes_per_row_pixel = channels.count() * if is_wide { 2 } else { 1 };
    let held = sink.bytes_per_pixel() + if reader.info().interlaced { bytes_per_row_pixel } else { 0 };
    let bytes_per_pixel = PixelBytes { decoded: bytes_per_row_pixel, held };
    check_size(file, Place::field("IHDR"), (width, height), bytes_per_pixel)?;
    check_ratio(file, reader.info().raw_bytes() as u64, bytes.len() as u64)?;
    let max_value = if is_wide { 65535 } else { 255 };
    sink.begin(ImageHeader { width, height, channels, max_value });
    let mut pass_on = |samples: &[u8]| {
        if is_wide { sink.sixteen(&wide_samples(samples)) } else { sink.eight(samples) }
    };
    if reader.info().interlaced {
        let mut samples = vec![0; width * height * bytes_per_row_pixel];
        reader.next_frame(&mut samples).map_err(failed)?;
        pass_on(&samples);
    } else {
        let mut row = vec![0; width * bytes_per_row_pixel];
        for _ in 0..height {
            reader.read_row(&mut row).map_err(failed)?.ok_or_else(|| cut_off(file, bytes.len()))?;
            pass_on(&row);
        }
    }
    // Checks the sums at the end of the pixels, and that the file is complete.
    reader.finish().map_err(failed)?;
    Ok(Vec::new())
}

fn open(bytes: &[u8]) -> Result<png::Reader<Cursor<&[u8]>>, DecodingError> {
    let limits = Limits { bytes: usize::try_from(MAX_DECODED_BYTES).unwrap_or(usize::MAX) };
    let mut decoder = Decoder::new_with_limits(Cursor::new(bytes), limits);
    decoder.set_transformations(Transformations::EXPAND);
    decoder.set_ignore_text_chunk(true);
    decoder.set_ignore_iccp_chunk(true);
    decoder.read_info()
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

/// Refuses an image whose pixels cannot come out of so few bytes, before memory is taken for them.
fn check_ratio(file: &str, raw_bytes: u64, file_bytes: u64) -> Result<(), ReadError> {
    if raw_bytes <= file_bytes.saturating_mul(MAX_DEFLATE_RATIO) {
        return Ok(());
    }
    Err(ReadError::Truncated {
        file: file.to_owned(),
        place: Place::field("IHDR"),
        expected_bytes: raw_bytes / MAX_DEFLATE_RATIO,
        found_bytes: file_bytes,
    })
}

fn decoding_error(file: &str, file_bytes: usize, error: &DecodingError) -> ReadError {
    match error {
        DecodingError::IoError(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => {
            cut_off(file, file_bytes)
        }
        other => ReadError::malformed(file, Place::File, "a complete PNG", other.to_string())
            .with_hint("save or fetch the image again"),
    }
}

fn cut_off(file: &str, file_bytes: usize) -> ReadError {
    ReadError::malformed(file, Place::Byte(file_bytes), "a complete PNG", "the end of the file")
        .with_hint("the file was cut off, perhaps while it was copied; fetch it again")
}

/// A greyscale PNG of the classes of a grid: 0 occupied, 254 free, 205 unknown.
///
/// # Errors
/// The encoder's; writing into memory gives none for grids that exist.
pub fn write(grid: &Grid) -> Result<Vec<u8>, std::io::Error> {
    encode(grid, ColorType::Grayscale, &crate::map::occupancy::greys_of(grid))
}

/// A PNG of eight bits per channel with a pixel per cell of the grid.
pub(crate) fn encode(grid: &Grid, color: ColorType, samples: &[u8]) -> Result<Vec<u8>, std::io::Error> {
    let too_wide = |_| std::io::Error::other("the grid is too wide for a PNG");
    let width = u32::try_from(grid.geometry().width()).map_err(too_wide)?;
    let height = u32::try_from(grid.geometry().height()).map_err(too_wide)?;
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(color);
    encoder.set_depth(BitDepth::Eight);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(samples)?;
    writer.finish()?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::map::pixel_sink::Kept;

    fn read(bytes: &[u8]) -> Result<Kept, ReadError> {
        let mut kept = Kept::default();
        decode(&mut Source::of_bytes("map.png", bytes), &mut kept).map(|_| kept)
    }

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

    fn eight(bytes: &[u8]) -> (Channels, Vec<u16>) {
        let kept = read(bytes).unwrap();
        assert_eq!(kept.header.unwrap().max_value, 255);
        (kept.header.unwrap().channels, kept.samples)
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
        let kept = read(&bytes).unwrap();
        assert_eq!((kept.header.unwrap().max_value, kept.samples), (65535, vec![258, 65535]));
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
        for length in 0..whole.len() {
            assert!(read(&whole[..length]).is_err(), "{length} bytes");
        }
        let cut = read(&whole[..40]).unwrap_err();
        assert!(cut.to_string().contains("found the end of the file"), "{cut}");
        let text = read(b"<html>").unwrap_err();
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
            read(&bytes).unwrap_err().to_string()
        };
        assert!(header(20_000, 20_000).contains("expected 387"), "{}", header(20_000, 20_000));
        assert!(header(1_000_000, 1_000_000).contains("expected at most 32768 x 32768 pixels"));
    }

    #[test]
    fn a_written_grid_is_read_back() {
        let grid = testkit::grid(["#.?", "..#"]);
        assert_eq!(eight(&write(&grid).unwrap()), (Channels::Grey, vec![0, 254, 205, 254, 254, 0]));
    }

    #[test]
    fn an_interlaced_image_has_its_rows_in_order() {
        // 2 x 2 grey, greys 0 205 / 254 7, made by hand: pass 1 pixel (0,0), pass 6 (1,0), pass 7 row 1.
        let raw = [0, 0, 0, 205, 0, 254, 7];
        let mut idat = vec![0x78, 0x01, 0x01, raw.len() as u8, 0, !(raw.len() as u8), 0xff];
        idat.extend_from_slice(&raw);
        idat.extend_from_slice(&adler32(&raw).to_be_bytes());
        let mut bytes = SIGNATURE.to_vec();
        chunk(&mut bytes, b"IHDR", &[0, 0, 0, 2, 0, 0, 0, 2, 8, 0, 0, 0, 1]);
        chunk(&mut bytes, b"IDAT", &idat);
        chunk(&mut bytes, b"IEND", &[]);
        assert_eq!(eight(&bytes), (Channels::Grey, vec![0, 205, 254, 7]));
    }

    fn chunk(bytes: &mut Vec<u8>, kind: &[u8; 4], data: &[u8]) {
        bytes.extend_from_slice(&(data.len() as u32).to_be_bytes());
        let start = bytes.len();
        bytes.extend_from_slice(kind);
        bytes.extend_from_slice(data);
        let crc = bytes[start..].iter().fold(!0u32, |crc, &byte| {
            (0..8).fold(crc ^ u32::from(byte), |c, _| if c & 1 == 1 { c >> 1 ^ 0xEDB8_8320 } else { c >> 1 })
        });
        bytes.extend_from_slice(&(!crc).to_be_bytes());
    }

    fn adler32(data: &[u8]) -> u32 {
        let (mut a, mut b) = (1u32, 0u32);
        for &byte in data {
            a = (a + u32::from(byte)) % 65521;
            b = (b + a) % 65521;
        }
        b << 16 | a
    }
}

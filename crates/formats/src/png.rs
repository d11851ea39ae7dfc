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

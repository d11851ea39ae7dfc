//! JPEG images, as screenshots and photographs of maps come: grey and colours.
//!
//! JPEG changes greys near edges, so that cells beside walls may read as unknown; a finding says so. Decoded by
//! `zune-jpeg`, which the reader of GeoTIFF brings anyway; the size is checked first. An image has no place in the world
//! and no unknown: both come from a ROS YAML, a world file or options.

use model::Finding;
use zune_jpeg::JpegDecoder;
use zune_jpeg::zune_core::bytestream::ZCursor;
use zune_jpeg::zune_core::colorspace::ColorSpace;
use zune_jpeg::zune_core::options::DecoderOptions;

use crate::error::excerpt;
use crate::format::{Format, Reader, Sniff, by_name};
use crate::map::pixel_sink::{Channels, ImageHeader, PixelBytes, PixelSink, check_size};
use crate::source::Source;
use crate::{Place, ReadError};

pub(crate) const FORMAT: Format =
    Format { name: "jpeg", title: "JPEG image", sniff, reader: Reader::Image(decode) };

/// Samples of the decoder at the same time as those of the image: coefficients of 16 bits, of progressive images all.
const DECODER_BYTES_PER_SAMPLE: usize = 3;

fn sniff(bytes: &[u8], name: &str) -> Sniff {
    match bytes {
        [0xff, 0xd8, 0xff, ..] => Sniff::ByBytes,
        _ => by_name(name, &[".jpg", ".jpeg"]),
    }
}

/// Decodes a JPEG into 8-bit samples.
pub(crate) fn decode(source: &mut Source<'_>, sink: &mut dyn PixelSink) -> Result<Vec<Finding>, ReadError> {
    let (file, bytes) = source.whole()?;
    if !bytes.starts_with(&[0xff, 0xd8]) {
        return Err(ReadError::malformed(file, Place::Byte(0), "ff d8, as a JPEG begins", excerpt(bytes)));
    }
    let failed = |error: &dyn std::fmt::Display| {
        ReadError::malformed(file, Place::File, "a complete JPEG", error.to_string())
            .with_hint("save the image again, best as PNG or PGM")
    };
    let decoder_for = |space| {
        let options = DecoderOptions::default().set_strict_mode(true).jpeg_set_out_colorspace(space);
        JpegDecoder::new_with_options(ZCursor::new(bytes), options)
    };
    let mut head = decoder_for(ColorSpace::RGB);
    head.decode_headers().map_err(|error| failed(&error))?;
    let (width, height) =
        head.info().map_or((0, 0), |info| (usize::from(info.width), usize::from(info.height)));
    let (channels, space) = match head.input_colorspace() {
        Some(ColorSpace::Luma) => (Channels::Grey, ColorSpace::Luma),
        _ => (Channels::Rgb, ColorSpace::RGB),
    };
    let held = channels.count() * DECODER_BYTES_PER_SAMPLE + sink.bytes_per_pixel();
    check_size(file, Place::File, (width, height), PixelBytes { decoded: channels.count(), held })?;
    let mut samples = vec![0; width * height * channels.count()];
    let mut decoder = decoder_for(space);
    decoder.decode_into(&mut samples).map_err(|error| failed(&error))?;
    sink.begin(ImageHeader { width, height, channels, max_value: 255 });
    sink.eight(&samples);
    let message = "JPEG changes the greys beside edges; cells at walls may read as another class";
    let finding = Finding::warning("IMAGE_IS_LOSSY", message).hint("save maps as PNG or PGM");
    Ok(vec![finding])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::map::pixel_sink::Kept;

    /// 16 x 8 pixels, the left half black, the right half of grey 254; written by GDAL.
    pub(crate) const HALVES: &str = "ffd8ffe000104a46494600010100000100010000ffdb0043000302020302020303030304030304\
        050805050404050a070706080c0a0c0c0b0a0b0b0d0e12100d0e110e0b0b1016101113141515150c0f171816141812141514ffc0000b08\
        0008001001011100ffc400150001010000000000000000000000000000090affc40014100100000000000000000000000000000000ffda\
        0008010100003f002a954affd9";

    fn bytes() -> Vec<u8> {
        let digits: Vec<u8> = HALVES.bytes().filter(u8::is_ascii_hexdigit).collect();
        let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap();
        digits.chunks_exact(2).map(byte).collect()
    }

    #[test]
    fn greys_come_back_to_a_level_or_two() {
        let (bytes, mut kept) = (bytes(), Kept::default());
        let findings = decode(&mut Source::of_bytes("map.jpg", &bytes), &mut kept).unwrap();
        assert_eq!(findings[0].code, "IMAGE_IS_LOSSY");
        let header = kept.header.unwrap();
        assert_eq!((header.width, header.height, header.channels), (16, 8, Channels::Grey));
        for (index, sample) in kept.samples.iter().enumerate() {
            let expected = if index % 16 < 8 { 0 } else { 254 };
            assert!(sample.abs_diff(expected) <= 2, "{index}: {sample}");
        }
    }

    #[test]
    fn a_cut_or_damaged_image_is_refused() {
        let whole = bytes();
        let mut none = Kept::default();
        for cut in [2, 20, 120] {
            let error = decode(&mut Source::of_bytes("map.jpg", &whole[..cut]), &mut none).unwrap_err();
            assert!(error.to_string().contains("a complete JPEG"), "{error}");
        }
        assert!(decode(&mut Source::of_bytes("map.jpg", b"GIF89a"), &mut none).is_err());
    }
}

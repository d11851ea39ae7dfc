//! PGM pictures (netpbm): `P5` binary and `P2` text, 8 and 16 bits, grey only.
//!
//! Specification: <https://netpbm.sourceforge.net/doc/pgm.html>. Header: magic, width, height and maxval,
//! separated by white space, with `#` comments anywhere before the end of maxval; in `P5` exactly one white
//! byte follows maxval, then the raster, top row first, 16-bit samples with the high byte first. A picture
//! has no place in the world and no unknown: both come from a ROS YAML or from options.

use std::borrow::Cow;

use model::{Finding, Grid};

use crate::error::excerpt;
use crate::format::{Decoded, Format, Reader, Sniff, by_name};
use crate::occupancy::greys_of;
use crate::picture::{Channels, Picture, Samples, check_size};
use crate::{Place, ReadError};

pub(crate) const FORMAT: Format =
    Format { name: "pgm", title: "PGM picture", sniff, reader: Reader::Picture(decode) };

fn sniff(bytes: &[u8], name: &str) -> Sniff {
    match bytes {
        // The other netpbm kinds are claimed too, so that the error can name them.
        [b'P', b'1'..=b'6', next, ..] if next.is_ascii_whitespace() || *next == b'#' => Sniff::ByBytes,
        _ => by_name(name, &[".pgm", ".pnm"]),
    }
}

/// Decodes a PGM; the samples of an 8-bit `P5` are borrowed from the file.
pub(crate) fn decode<'a>(file: &str, bytes: &'a [u8]) -> Result<Decoded<'a>, ReadError> {
    let header = Header::parse(file, bytes)?;
    check_size(file, Place::Byte(2), (header.width, header.height), header.bytes_per_sample())?;
    let (samples, used) =
        if header.is_text { text_raster(file, bytes, &header)? } else { raw_raster(file, bytes, &header)? };
    if header.max_value != 255 && header.max_value != 65535 {
        check_range(file, &samples, &header)?;
    }
    let (width, height, max_value) = (header.width, header.height, header.max_value);
    let picture = Picture { width, height, channels: Channels::Grey, max_value, samples };
    Ok(Decoded { picture, findings: trailing(bytes, used) })
}

struct Header {
    is_text: bool,
    width: usize,
    height: usize,
    max_value: u16,
    /// Where the raster begins.
    raster_at: usize,
}

impl Header {
    fn parse(file: &str, bytes: &[u8]) -> Result<Self, ReadError> {
        let is_text = match bytes {
            [b'P', b'2', ..] => true,
            [b'P', b'5', ..] => false,
            _ => {
                let found = excerpt(bytes);
                return Err(ReadError::malformed(file, Place::Byte(0), "'P5' or 'P2' (a grey PGM)", found)
                    .with_hint("convert the picture to PGM or PNG; a damaged file cannot be read"));
            }
        };
        let mut cursor = Cursor { file, bytes, at: 2 };
        let width = cursor.number("width", usize::MAX)?;
        let height = cursor.number("height", usize::MAX)?;
        let max_value = cursor.number("maxval", 65535)?;
        if max_value == 0 {
            return Err(ReadError::malformed(file, Place::Byte(cursor.at), "maxval from 1 to 65535", "0"));
        }
        if !is_text {
            match bytes.get(cursor.at) {
                Some(byte) if byte.is_ascii_whitespace() => cursor.at += 1,
                other => {
                    let found = other.map_or_else(|| "the end".to_owned(), |b| format!("byte {b}"));
                    let place = Place::Byte(cursor.at);
                    return Err(ReadError::malformed(file, place, "one white byte after maxval", found));
                }
            }
        }
        Ok(Self { is_text, width, height, max_value: max_value as u16, raster_at: cursor.at })
    }

    const fn bytes_per_sample(&self) -> usize {
        if self.max_value > 255 { 2 } else { 1 }
    }
}

/// Reads decimal numbers between white space and comments.
struct Cursor<'a> {
    file: &'a str,
    bytes: &'a [u8],
    at: usize,
}

impl Cursor<'_> {
    fn number(&mut self, what: &str, limit: usize) -> Result<usize, ReadError> {
        self.skip_blanks();
        let start = self.at;
        let mut value: usize = 0;
        while let Some(digit) = self.bytes.get(self.at).filter(|byte| byte.is_ascii_digit()) {
            // A number beyond all limits stays there, to be refused by its user.
            value = value.saturating_mul(10).saturating_add(usize::from(digit - b'0'));
            self.at += 1;
        }
        let place = Place::Byte(start);
        if start == self.at {
            let found = excerpt(&self.bytes[start..]);
            return Err(ReadError::malformed(self.file, place, format!("a number ({what})"), found));
        }
        if value > limit {
            let expected = format!("{what} of at most {limit}");
            return Err(ReadError::malformed(self.file, place, expected, value.to_string()));
        }
        Ok(value)
    }

    fn skip_blanks(&mut self) {
        while let Some(&byte) = self.bytes.get(self.at) {
            if byte == b'#' {
                let rest = &self.bytes[self.at..];
                self.at += rest.iter().position(|b| matches!(b, b'\n' | b'\r')).unwrap_or(rest.len());
            } else if byte.is_ascii_whitespace() {
                self.at += 1;
            } else {
                return;
            }
        }
    }
}

fn raw_raster<'a>(file: &str, bytes: &'a [u8], header: &Header) -> Result<(Samples<'a>, usize), ReadError> {
    let expected = header.width * header.height * header.bytes_per_sample();
    let raster = &bytes[header.raster_at..];
    let Some(raster) = raster.get(..expected) else {
        return Err(ReadError::Truncated {
            file: file.to_owned(),
            place: Place::Byte(header.raster_at),
            expected_bytes: expected as u64,
            found_bytes: raster.len() as u64,
        });
    };
    let used = header.raster_at + expected;
    if header.bytes_per_sample() == 1 {
        return Ok((Samples::Eight(Cow::Borrowed(raster)), used));
    }
    let wide = raster.chunks_exact(2).map(|pair| u16::from_be_bytes([pair[0], pair[1]])).collect();
    Ok((Samples::Sixteen(wide), used))
}

fn text_raster<'a>(file: &str, bytes: &'a [u8], header: &Header) -> Result<(Samples<'a>, usize), ReadError> {
    let pixels = header.width * header.height;
    let found = bytes.len() - header.raster_at;
    // Each sample but the last takes a digit and a blank at least, and a blank stands before the first.
    let least = 2 * pixels;
    if found < least {
        let (expected_bytes, found_bytes) = (least as u64, found as u64);
        let place = Place::Byte(header.raster_at);
        return Err(ReadError::Truncated { file: file.to_owned(), place, expected_bytes, found_bytes });
    }
    let mut cursor = Cursor { file, bytes, at: header.raster_at };
    let mut wide: Vec<u16> = Vec::with_capacity(pixels);
    for _ in 0..pixels {
        wide.push(cursor.number("sample", usize::from(header.max_value))? as u16);
    }
    let samples = if header.max_value > 255 {
        Samples::Sixteen(wide)
    } else {
        Samples::Eight(wide.into_iter().map(|value| value as u8).collect())
    };
    Ok((samples, cursor.at))
}

fn check_range(file: &str, samples: &Samples<'_>, header: &Header) -> Result<(), ReadError> {
    let limit = header.max_value;
    let above = match samples {
        Samples::Eight(samples) => {
            samples.iter().position(|&s| u16::from(s) > limit).map(|at| (at, u16::from(samples[at])))
        }
        Samples::Sixteen(samples) => samples.iter().position(|&s| s > limit).map(|at| (at, samples[at])),
    };
    let Some((at, value)) = above else { return Ok(()) };
    let place = Place::Byte(header.raster_at + at * header.bytes_per_sample());
    Err(ReadError::malformed(file, place, format!("a sample of at most {limit} (maxval)"), value.to_string()))
}

fn trailing(bytes: &[u8], used: usize) -> Vec<Finding> {
    let rest = &bytes[used..];
    if rest.iter().all(u8::is_ascii_whitespace) {
        return Vec::new();
    }
    let message = format!("{} bytes follow the picture and were not read", rest.len());
    vec![Finding::warning("TRAILING_BYTES", message)]
}

/// A binary PGM of the classes of a grid: 0 occupied, 254 free, 205 unknown.
#[must_use]
pub fn write(grid: &Grid) -> Vec<u8> {
    let (width, height) = (grid.geometry().width(), grid.geometry().height());
    let mut bytes = format!("P5\n{width} {height}\n255\n").into_bytes();
    bytes.extend_from_slice(&greys_of(grid));
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(bytes: &[u8]) -> Decoded<'_> {
        decode("map.pgm", bytes).unwrap()
    }

    fn refusal(bytes: &[u8]) -> String {
        decode("map.pgm", bytes).err().unwrap().to_string()
    }

    #[test]
    fn a_binary_picture_is_borrowed_from_the_file() {
        let read = decoded(b"P5\n# CREATOR: map_saver 0.050 m/pix\n2 3\n255\n\x00\xcd\xfe\x01\x02\x03");
        assert_eq!((read.picture.width, read.picture.height, read.picture.max_value), (2, 3, 255));
        let Samples::Eight(Cow::Borrowed(samples)) = read.picture.samples else { panic!("a copy") };
        assert_eq!(samples, [0, 205, 254, 1, 2, 3]);
        assert!(read.findings.is_empty());
    }

    #[test]
    fn comments_stand_anywhere_before_the_end_of_maxval() {
        let read = decoded(b"P5#a\n#b\n 1#c\r\n#d\n2 #e\n255\n#\n");
        let Samples::Eight(samples) = read.picture.samples else { panic!("16 bits") };
        // The two bytes after the one white byte are pixels, though they look like a comment.
        assert_eq!(samples.as_ref(), b"#\n");
    }

    #[test]
    fn one_white_byte_follows_maxval_and_the_next_is_a_pixel() {
        let read = decoded(b"P5 2 1 255 \n ");
        let Samples::Eight(samples) = read.picture.samples else { panic!("16 bits") };
        assert_eq!(samples.as_ref(), b"\n ");
        assert!(refusal(b"P5 1 1 255").contains("expected one white byte after maxval, found the end"));
        assert!(refusal(b"P5 1 1 255#\n0").contains("expected one white byte after maxval, found byte 35"));
    }

    #[test]
    fn sixteen_bit_samples_have_the_high_byte_first() {
        let read = decoded(b"P5 2 1 65535\n\x01\x02\xff\xff");
        assert_eq!(read.picture.samples, Samples::Sixteen(vec![258, 65535]));
        let read = decoded(b"P2 2 1 1000 999 1000");
        assert_eq!(read.picture.samples, Samples::Sixteen(vec![999, 1000]));
    }

    #[test]
    fn text_pictures_are_read_with_comments_between_samples() {
        let read = decoded(b"P2\n2 2\n15\n0 1 # one\n2\n15\n");
        assert_eq!(read.picture.max_value, 15);
        assert_eq!(read.picture.samples, Samples::Eight(Cow::Owned(vec![0, 1, 2, 15])));
    }

    #[test]
    fn samples_above_maxval_are_refused_where_they_stand() {
        assert!(
            refusal(b"P5 2 1 15\n\x0f\x10")
                .ends_with("byte 11: expected a sample of at most 15 (maxval), found 16")
        );
        assert!(refusal(b"P2 2 1 15\n15 16").contains("byte 13: expected sample of at most 15, found 16"));
    }

    #[test]
    fn a_short_raster_gives_both_sizes() {
        let error = decode("map.pgm", b"P5\n2 2\n255\n\x00\x00\x00").err().unwrap();
        assert_eq!(error.to_string(), "map.pgm: byte 11: expected 4 bytes, found 3");
        assert!(error.hint().unwrap().contains("cut off"));
        assert!(refusal(b"P2 2 2 255 1 2 3").contains("expected 8 bytes, found 6"));
        assert!(refusal(b"P2 2 2 255 100 2 3  ").contains("expected a number (sample), found nothing"));
    }

    #[test]
    fn bytes_after_the_picture_are_a_finding_and_blanks_are_not() {
        assert_eq!(decoded(b"P5 1 1 255\n\x00abc").findings[0].code, "TRAILING_BYTES");
        assert!(decoded(b"P5 1 1 255\n\x00\n").findings.is_empty());
    }

    #[test]
    fn claims_without_bytes_take_no_memory() {
        assert!(refusal(b"P5 1000000 1000000 255\n").contains("expected at most 1073741824 pixels"));
        assert!(
            refusal(b"P5 99999999999999999999999 1 255\n").contains("expected at most 1073741824 pixels")
        );
        assert!(refusal(b"P5 32768 32768 255\n").contains("expected 1073741824 bytes, found 0"));
        assert!(refusal(b"P2 32768 32768 255\n").contains("found 1"));
    }

    #[test]
    fn senseless_headers_are_refused() {
        for (bytes, expected) in [
            (&b"P5 0 3 255\n"[..], "expected at least 1 x 1 pixels, found 0 x 3 pixels"),
            (b"P5 1 1 0\n0", "expected maxval from 1 to 65535, found 0"),
            (b"P5 1 1 65536\n0", "expected maxval of at most 65535, found 65536"),
            (b"P5 1 -1 255\n0", "expected a number (height), found \"-1 255"),
            (b"P5", "expected a number (width), found nothing"),
            (b"P6 1 1 255\n000", "expected 'P5' or 'P2' (a grey PGM), found \"P6 1 1 255"),
            (b"<html>", "found \"<html>\""),
            (b"", "found nothing"),
        ] {
            let found = refusal(bytes);
            assert!(found.contains(expected), "{found}");
        }
    }
}

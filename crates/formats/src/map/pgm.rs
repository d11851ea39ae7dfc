//! PGM images (netpbm): `P5` binary and `P2` text, 8 and 16 bits, grey only.
//!
//! Specification: <https://netpbm.sourceforge.net/doc/pgm.html>. Header: magic, width, height and maxval,
//! separated by white space, with `#` comments anywhere before the end of maxval; in `P5` exactly one white
//! byte follows maxval, then the raster, top row first, 16-bit samples with the high byte first. An image
//! has no place in the world and no unknown: both come from a ROS YAML or from options.

use model::{Finding, Grid};

use crate::error::excerpt;
use crate::format::{Format, Reader, Sniff, by_name};
use crate::map::occupancy::greys_of;
use crate::map::pixel_sink::{Channels, ImageHeader, PixelBytes, PixelSink, check_size, wide_samples};
use crate::source::Source;
use crate::{Place, ReadError};

pub(crate) const FORMAT: Format =
    Format { name: "pgm", title: "PGM image", sniff, reader: Reader::Image(decode) };

fn sniff(bytes: &[u8], name: &str) -> Sniff {
    match bytes {
        // The other netpbm kinds are claimed too, so that the error can name them.
        [b'P', b'1'..=b'6', next, ..] if next.is_ascii_whitespace() || *next == b'#' => Sniff::ByBytes,
        _ => by_name(name, &[".pgm", ".pnm"]),
    }
}

/// Decodes a PGM; an 8-bit `P5` is passed on while it is read.
pub(crate) fn decode(source: &mut Source<'_>, sink: &mut dyn PixelSink) -> Result<Vec<Finding>, ReadError> {
    let mut header = Header::parse(source.name(), source.head());
    if !source.is_whole() && !header.as_ref().is_ok_and(Header::can_be_streamed) {
        // A header of many comments may be longer than the head.
        source.whole()?;
        header = Header::parse(source.name(), source.head());
    }
    let header = header?;
    let bytes_per_pixel = PixelBytes { decoded: header.bytes_per_sample(), held: sink.bytes_per_pixel() };
    check_size(source.name(), Place::Byte(2), (header.width, header.height), bytes_per_pixel)?;
    header.check_length(source)?;
    if header.is_text {
        return text_raster(source, &header, sink);
    }
    if header.bytes_per_sample() == 2 {
        return wide_raster(source, &header, sink);
    }
    byte_raster(source, &header, sink)
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
                    .with_hint("convert the image to PGM or PNG; a damaged file cannot be read"));
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
        let max_value = u16::try_from(max_value).unwrap_or(u16::MAX);
        Ok(Self { is_text, width, height, max_value, raster_at: cursor.at })
    }

    fn can_be_streamed(&self) -> bool {
        !self.is_text && self.bytes_per_sample() == 1
    }

    fn pixels(&self) -> usize {
        self.width * self.height
    }

    fn image(&self) -> ImageHeader {
        let (width, height, max_value) = (self.width, self.height, self.max_value);
        ImageHeader { width, height, channels: Channels::Grey, max_value }
    }

    /// Compares what the header claims with the length of the file, before memory is taken.
    fn check_length(&self, source: &Source<'_>) -> Result<(), ReadError> {
        // In text each sample takes a digit and the blank before it at least.
        let bytes_per_pixel = if self.is_text { 2 } else { self.bytes_per_sample() };
        let expected_bytes = (self.pixels() * bytes_per_pixel) as u64;
        self.check_raster(source.name(), expected_bytes, source.bytes() - self.raster_at as u64)
    }

    fn check_raster(&self, file: &str, expected_bytes: u64, found_bytes: u64) -> Result<(), ReadError> {
        if found_bytes >= expected_bytes {
            return Ok(());
        }
        let place = Place::Byte(self.raster_at);
        Err(ReadError::Truncated { file: file.to_owned(), place, expected_bytes, found_bytes })
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

fn byte_raster(
    source: &mut Source<'_>,
    header: &Header,
    sink: &mut dyn PixelSink,
) -> Result<Vec<Finding>, ReadError> {
    sink.begin(header.image());
    let pixels = header.pixels();
    let (mut seen, mut trailing, mut above) = (0, Trailing::default(), None);
    source.stream(header.raster_at, &mut |piece| {
        let (samples, rest) = piece.split_at(piece.len().min(pixels - seen));
        above = above.or_else(|| first_above(samples, header.max_value).map(|at| (seen + at, samples[at])));
        // A sample above maxval has no place in the sink's tables.
        if above.is_none() {
            sink.eight(samples);
        }
        seen += samples.len();
        trailing.add(rest);
    })?;
    header.check_raster(source.name(), pixels as u64, seen as u64)?;
    if let Some((at, sample)) = above {
        return Err(above_maxval(source.name(), header, at, u16::from(sample)));
    }
    Ok(trailing.findings())
}

/// Where the first sample above maxval stands. With a maxval of 255 there is none to look for.
fn first_above(samples: &[u8], max_value: u16) -> Option<usize> {
    if max_value == 255 { None } else { samples.iter().position(|&sample| u16::from(sample) > max_value) }
}

fn above_maxval(file: &str, header: &Header, at: usize, found: u16) -> ReadError {
    let place = Place::Byte(header.raster_at + at * header.bytes_per_sample());
    let expected = format!("a sample of at most {} (maxval)", header.max_value);
    ReadError::malformed(file, place, expected, found.to_string())
}

fn wide_raster(
    source: &mut Source<'_>,
    header: &Header,
    sink: &mut dyn PixelSink,
) -> Result<Vec<Finding>, ReadError> {
    let (file, bytes) = source.whole()?;
    let (raster, rest) = bytes[header.raster_at..].split_at(2 * header.pixels());
    sink.begin(header.image());
    for (row, bytes) in raster.chunks(2 * header.width).enumerate() {
        let samples = wide_samples(bytes);
        if let Some(at) = samples.iter().position(|&sample| sample > header.max_value) {
            return Err(above_maxval(file, header, row * header.width + at, samples[at]));
        }
        sink.sixteen(&samples);
    }
    let mut trailing = Trailing::default();
    trailing.add(rest);
    Ok(trailing.findings())
}

fn text_raster(
    source: &mut Source<'_>,
    header: &Header,
    sink: &mut dyn PixelSink,
) -> Result<Vec<Finding>, ReadError> {
    let (file, bytes) = source.whole()?;
    sink.begin(header.image());
    let mut cursor = Cursor { file, bytes, at: header.raster_at };
    for _ in 0..header.height {
        let mut row = Vec::with_capacity(header.width);
        for _ in 0..header.width {
            let sample = cursor.number("sample", usize::from(header.max_value))?;
            row.push(u16::try_from(sample).unwrap_or(header.max_value));
        }
        if header.max_value > 255 {
            sink.sixteen(&row);
        } else {
            sink.eight(
                &row.into_iter().map(|sample| u8::try_from(sample).unwrap_or(u8::MAX)).collect::<Vec<_>>(),
            );
        }
    }
    let mut trailing = Trailing::default();
    trailing.add(&bytes[cursor.at..]);
    Ok(trailing.findings())
}

/// Bytes after the image; white space alone is not worth a finding.
#[derive(Default)]
struct Trailing {
    bytes: usize,
    inked: usize,
}

impl Trailing {
    fn add(&mut self, rest: &[u8]) {
        self.bytes += rest.len();
        self.inked += rest.iter().filter(|byte| !byte.is_ascii_whitespace()).count();
    }

    fn findings(&self) -> Vec<Finding> {
        if self.inked == 0 {
            return Vec::new();
        }
        let message = format!("{} bytes follow the image and were not read", self.bytes);
        vec![Finding::warning("TRAILING_BYTES", message)]
    }
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
    use crate::map::pixel_sink::Kept;

    fn read(bytes: &[u8]) -> Result<(Kept, Vec<Finding>), ReadError> {
        let mut kept = Kept::default();
        let findings = decode(&mut Source::of_bytes("map.pgm", bytes), &mut kept)?;
        Ok((kept, findings))
    }

    fn samples(bytes: &[u8]) -> Vec<u16> {
        read(bytes).unwrap().0.samples
    }

    fn refusal(bytes: &[u8]) -> String {
        read(bytes).unwrap_err().to_string()
    }

    #[test]
    fn a_binary_image_is_read_top_row_first() {
        let (kept, findings) =
            read(b"P5\n# CREATOR: map_saver 0.050 m/pix\n2 3\n255\n\x00\xcd\xfe\x01\x02\x03").unwrap();
        let header = ImageHeader { width: 2, height: 3, channels: Channels::Grey, max_value: 255 };
        assert_eq!(kept, Kept { header: Some(header), samples: vec![0, 205, 254, 1, 2, 3] });
        assert!(findings.is_empty());
    }

    #[test]
    fn comments_stand_anywhere_before_the_end_of_maxval() {
        // The two bytes after the one white byte are pixels, though they look like a comment.
        assert_eq!(samples(b"P5#a\n#b\n 1#c\r\n#d\n2 #e\n255\n#\n"), [35, 10]);
    }

    #[test]
    fn one_white_byte_follows_maxval_and_the_next_is_a_pixel() {
        assert_eq!(samples(b"P5 2 1 255 \n "), [10, 32]);
        assert!(refusal(b"P5 1 1 255").contains("expected one white byte after maxval, found the end"));
        assert!(refusal(b"P5 1 1 255#\n0").contains("expected one white byte after maxval, found byte 35"));
    }

    #[test]
    fn sixteen_bit_samples_have_the_high_byte_first() {
        assert_eq!(samples(b"P5 2 1 65535\n\x01\x02\xff\xff"), [258, 65535]);
        assert_eq!(samples(b"P2 2 1 1000 999 1000"), [999, 1000]);
    }

    #[test]
    fn text_images_are_read_with_comments_between_samples() {
        let (kept, _) = read(b"P2\n2 2\n15\n0 1 # one\n2\n15\n").unwrap();
        assert_eq!((kept.header.unwrap().max_value, kept.samples), (15, vec![0, 1, 2, 15]));
    }

    #[test]
    fn a_file_in_pieces_reads_as_one_in_memory() {
        let comment = "#".repeat(crate::source::HEAD_BYTES);
        let raster: Vec<u8> = (0..300 * 2000).map(|i| (i % 253) as u8).collect();
        for header in ["P5\n2000 300\n255\n".to_owned(), format!("P5\n{comment}\n2000 300\n253\n")] {
            let mut bytes = header.into_bytes();
            bytes.extend_from_slice(&raster);
            bytes.extend_from_slice(b"more");
            let mut kept = Kept::default();
            let mut pieces =
                Source::of_reader("map.pgm".to_owned(), bytes.len() as u64, Box::new(bytes.as_slice()))
                    .unwrap();
            let findings = decode(&mut pieces, &mut kept).unwrap();
            assert_eq!(findings[0].message, "4 bytes follow the image and were not read");
            assert_eq!((kept, findings), read(&bytes).unwrap());
        }
    }

    #[test]
    fn a_file_that_shrinks_while_it_is_read_is_cut_off() {
        let cut = |bytes: &[u8], told: u64| {
            let mut source = Source::of_reader("map.pgm".to_owned(), told, Box::new(bytes)).unwrap();
            decode(&mut source, &mut Kept::default()).unwrap_err().to_string()
        };
        let small = b"P5 2 2 255\n\x00\x00\x00";
        assert_eq!(cut(small, 15), "map.pgm: byte 11: expected 4 bytes, found 3");
        let wide = b"P5 2 2 65535\n\x00\x00\x00";
        assert_eq!(cut(wide, 21), "map.pgm: byte 13: expected 8 bytes, found 3");
        let large = [b"P5 1000 1000 255\n", [0; 999_999].as_slice()].concat();
        assert_eq!(cut(&large, 1_000_017), "map.pgm: byte 17: expected 1000000 bytes, found 999999");
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
        let error = read(b"P5\n2 2\n255\n\x00\x00\x00").unwrap_err();
        assert_eq!(error.to_string(), "map.pgm: byte 11: expected 4 bytes, found 3");
        assert!(error.hint().unwrap().contains("cut off"));
        assert!(refusal(b"P2 2 2 255 1 2 3").contains("expected 8 bytes, found 6"));
        assert!(refusal(b"P2 2 2 255 100 2 3  ").contains("expected a number (sample), found nothing"));
    }

    #[test]
    fn bytes_after_the_image_are_a_finding_and_blanks_are_not() {
        assert_eq!(read(b"P5 1 1 255\n\x00abc").unwrap().1[0].code, "TRAILING_BYTES");
        assert!(read(b"P5 1 1 255\n\x00\n").unwrap().1.is_empty());
    }

    #[test]
    fn claims_without_bytes_take_no_memory() {
        assert!(refusal(b"P5 1000000 1000000 255\n").contains("expected at most 32768 x 32768 pixels"));
        assert!(
            refusal(b"P5 99999999999999999999999 1 255\n").contains("expected at most 32768 x 32768 pixels")
        );
        assert!(refusal(b"P5 20000 20000 255\n").contains("expected 400000000 bytes, found 0"));
        assert!(refusal(b"P2 20000 20000 255\n").contains("found 1"));
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

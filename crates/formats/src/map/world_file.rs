//! World files: six lines of text beside an image, its georeference.
//!
//! The lines are A D B E C F with `X = A column + B row + C` and `Y = D column + E row + F` for the
//! **centre** of a pixel, rows growing downwards, so E is negative. Some robots write E positive although
//! the image is stored top row first; that is read as negative and reported. Specification: ESRI, "World
//! files for raster datasets".

use model::{Cell, Finding, GridGeometry};

use crate::error::excerpt;
use crate::format::{Companions, without_byte_order_mark};
use crate::map::geotiff::{GeoTransform, half_pixel_back};
use crate::{NamedBytes, Place, ReadError};

/// A world file is a few dozen bytes; more is something else.
const MAX_BYTES: u64 = 4096;

/// Endings of world files by the ending of the image, first choice first.
const ENDINGS: [(&[&str], &[&str]); 5] = [
    (&["tif", "tiff"], &["tfw", "tifw", "tiffw", "wld"]),
    (&["png"], &["pgw", "pngw", "wld"]),
    (&["bmp"], &["bpw", "bmpw", "wld"]),
    (&["jpg", "jpeg"], &["jgw", "jpgw", "jpegw", "wld"]),
    (&["pgm"], &["pgw", "pgmw", "wld"]),
];

/// The world file of an image of a grid: A D B E C F, with C F the centre of the upper-left pixel.
#[must_use]
pub fn write(geometry: &GridGeometry) -> String {
    let (sin, cos) = geometry.origin().theta_rad.sin_cos();
    let size_m = geometry.cell_size_m();
    let first = geometry.center_of(Cell { i: 0, j: geometry.height() - 1 });
    let lines = [cos * size_m, sin * size_m, sin * size_m, -cos * size_m, first.x_m, first.y_m];
    lines.map(|number| format!("{}\n", if number == 0.0 { 0.0 } else { number })).concat()
}

/// The transform of the world file beside an image; none if there is no such file.
pub(crate) fn beside(
    companions: &mut dyn Companions,
    image: &str,
    findings: &mut Vec<Finding>,
) -> Result<Option<GeoTransform>, ReadError> {
    let Some(name) = names(image).into_iter().find(|name| companions.exists(name)) else { return Ok(None) };
    let mut source = companions.open(&name)?;
    if source.bytes() > MAX_BYTES {
        let (file, found) = (source.name(), format!("{} bytes", source.bytes()));
        return Err(ReadError::malformed(file, Place::File, "a world file of six lines", found));
    }
    let (file, bytes) = source.whole()?;
    parse(file, bytes, findings).map(Some)
}

/// Names under which the world file of an image may stand in its folder.
fn names(image: &str) -> Vec<String> {
    let name = image.rsplit(['/', '\\']).next().unwrap_or(image);
    let Some((stem, ending)) = name.rsplit_once('.') else { return Vec::new() };
    let ending = ending.to_ascii_lowercase();
    let known = ENDINGS.iter().find(|(images, _)| images.contains(&ending.as_str()));
    let endings = known.map_or(&["wld"][..], |(_, worlds)| worlds);
    endings
        .iter()
        .flat_map(|e| [format!("{stem}.{e}"), format!("{stem}.{}", e.to_ascii_uppercase())])
        .collect()
}

/// What is odd about a world file.
///
/// # Errors
/// It is no world file: which line, expected and found.
pub fn check(file: NamedBytes<'_>) -> Result<Vec<Finding>, ReadError> {
    let mut findings = Vec::new();
    parse(file.name, file.bytes, &mut findings)?;
    Ok(findings)
}

/// The transform in a world file, turned from pixel centres to pixel corners.
pub(crate) fn parse(
    file: &str,
    bytes: &[u8],
    findings: &mut Vec<Finding>,
) -> Result<GeoTransform, ReadError> {
    let wrong = |line: usize, found: String| {
        ReadError::malformed(file, Place::Line(line), "a finite number", found).with_hint(
            "a world file has six lines: x size, two rotations, -y size, x and y of the first pixel",
        )
    };
    let text = std::str::from_utf8(without_byte_order_mark(bytes)).map_err(|_| wrong(1, excerpt(bytes)))?;
    let mut numbers = [0.0; 6];
    let mut lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    for (index, number) in numbers.iter_mut().enumerate() {
        let Some((line, content)) = lines.next() else { return Err(wrong(index + 1, "nothing".to_owned())) };
        let parsed = content.trim().parse().ok().filter(|number: &f64| number.is_finite());
        *number = parsed.ok_or_else(|| wrong(line + 1, excerpt(content.as_bytes())))?;
    }
    let [a, d, b, mut e, x, y] = numbers;
    if e > 0.0 && b == 0.0 && d == 0.0 {
        let message = format!("line 4 is {e}: rows would run upwards; it was read as -{e}");
        let hint = format!("write -{e} into line 4");
        findings.push(Finding::warning("WORLD_FILE_Y_POSITIVE", message).at_line(4).hint(hint));
        e = -e;
    }
    Ok(half_pixel_back([x, a, b, y, d, e]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_centre_of_the_first_pixel_becomes_its_corner() {
        let mut findings = Vec::new();
        for text in ["0.5\n0\n0\n-0.5\n10.25\n19.75\n", "\u{feff}0.5\r\n0.0\r\n0\r\n-0.5\r\n10.25\r\n19.75"] {
            let transform = parse("m.tfw", text.as_bytes(), &mut findings).unwrap();
            assert_eq!(transform, [10.0, 0.5, 0.0, 20.0, 0.0, -0.5]);
        }
        assert_eq!(findings, []);
    }

    #[test]
    fn a_positive_fourth_line_is_read_as_negative_and_reported() {
        let mut findings = Vec::new();
        let transform = parse("m.tfw", b"0.5\n0\n0\n0.5\n10.25\n19.75", &mut findings).unwrap();
        assert_eq!(transform, [10.0, 0.5, 0.0, 20.0, 0.0, -0.5]);
        assert_eq!((findings[0].code.as_ref(), findings[0].line), ("WORLD_FILE_Y_POSITIVE", Some(4)));
    }

    #[test]
    fn missing_lines_and_words_are_named() {
        for (text, place) in
            [("1\n0\n0\n-1\n5", "line 6"), ("1\n0\nzero\n-1\n5\n6", "line 3"), ("1\n\nnan", "line 3")]
        {
            let error = parse("m.tfw", text.as_bytes(), &mut Vec::new()).unwrap_err().to_string();
            assert!(error.contains(place), "{error}");
        }
    }

    #[test]
    fn names_follow_the_ending_of_the_image() {
        assert_eq!(names("maps/a.b.TIF")[..3], ["a.b.tfw", "a.b.TFW", "a.b.tifw"]);
        assert!(names("a.png").contains(&"a.wld".to_owned()));
        assert_eq!(names("map"), [""; 0]);
    }
}

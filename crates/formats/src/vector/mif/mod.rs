//! MIF and MID: vector layers with attributes, as the virtual rescue league hands them in (Balaguer et al. 2009,
//! section 3.1).
//!
//! Two text files: `.mif` holds a header and the objects, `.mid` beside it one row of attributes per object. Metres,
//! x to the right, y up; another unit of length is converted, longitude and latitude are refused. WorldGen4's
//! dialect (no `CoordSys`, open rings, commas between coordinates, blanks after the delimiter) is read and noted.
//! An empty text is a missing one. The writer uses the form that GDAL was seen to read: version 300, comma,
//! `CoordSys NonEarth Units "m"`.
//!
//! Specification: MapInfo Interchange Format (MapInfo Professional User Guide, appendix J).

mod header;
mod mid;
mod object;
mod scanner;

use std::fmt::Write;

use model::{Attribute, Column, ColumnType, Feature, Point2, Shape, VectorLayer};

use crate::format::{
    Companions, Format, Input, ReadContent, Reader, Sniff, by_name, without_byte_order_mark,
};
use crate::notices::Notices;
use crate::text::delimited::in_quotes;
use crate::text::table_limits::{check_attributes, table_bytes};
use crate::text::text_encoding::text_of;
use crate::vector::layer_kind::{check_columns, layer_name, stem_of};
use crate::vector::mif::header::MAX_TEXT_WIDTH;
use crate::vector::mif::mid::Table;
use crate::vector::mif::object::{Object, escaped};
use crate::vector::mif::scanner::Scanner;
use crate::{Content, Place, ReadError, ReadOptions, WriteError};

pub(crate) const FORMAT: Format =
    Format { name: "mif", title: "MIF layer", sniff, reader: Reader::Content(read) };

fn sniff(bytes: &[u8], name: &str) -> Sniff {
    let mut words =
        without_byte_order_mark(bytes).split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    let is_version = words.next().is_some_and(|word| word.eq_ignore_ascii_case(b"version"));
    let is_number = words.next().is_some_and(|word| word.iter().all(u8::is_ascii_digit));
    if is_version && is_number { Sniff::ByBytes } else { by_name(name, &[".mif", ".mid"]) }
}

fn read(input: &mut Input<'_>, _options: &ReadOptions) -> Result<ReadContent, ReadError> {
    let (file, bytes) = table_bytes(&mut input.source)?;
    if file.to_lowercase().ends_with(".mid") {
        return Err(ReadError::malformed(file, Place::File, "the MIF file of a layer", "its MID file")
            .with_hint("give the .mif file; the .mid file beside it is read with it"));
    }
    let mut findings = Vec::new();
    let mut notices = Notices::default();
    let text = text_of(bytes, &mut findings);
    let mut scanner = Scanner::new(file, &text);
    let header = header::read(&mut scanner, &mut notices)?;
    let objects = object::read_all(&mut scanner, header.to_metres, &mut notices)?;
    check_attributes(file, objects.len(), header.columns.len())?;
    let rows = if header.columns.is_empty() {
        vec![Vec::new(); objects.len()]
    } else {
        let mid_name = find_mid(file, input.companions)?;
        let mut source = input.companions.open(&mid_name)?;
        let (mid_file, bytes) = table_bytes(&mut source)?;
        let text = text_of(bytes, &mut findings);
        let (columns, objects) = (&header.columns, objects.len());
        let table = Table { file: mid_file, columns, delimiter: header.delimiter, objects };
        table.read(&text, &mut notices)?
    };
    let feature = |(Object { shape, style }, attributes)| Feature { shape, attributes, style };
    let features = objects.into_iter().zip(rows).map(feature).collect();
    let layer = VectorLayer { name: layer_name(file), columns: header.columns, features };
    findings.extend(notices.into_findings());
    findings.extend(check_columns(&layer));
    Ok(ReadContent { content: Content::Vector(layer), findings })
}

/// The name of the MID file, whose ending is written as users write it.
fn find_mid(file: &str, companions: &dyn Companions) -> Result<String, ReadError> {
    let stem = stem_of(file);
    let names = ["mid", "MID", "Mid"].map(|ending| format!("{stem}.{ending}"));
    names.iter().find(|name| companions.exists(name)).cloned().ok_or_else(|| ReadError::Open {
        file: companions.shown_path(&names[0]),
        found: "no such file, but the MIF file has columns".to_owned(),
        hint: Some("put the .mid file beside the .mif file, under the same name".to_owned()),
    })
}

/// The two files of a layer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MifPair {
    pub mif: String,
    pub mid: String,
}

/// Writes a layer as MIF and MID.
///
/// # Errors
/// The layer holds what the format cannot: numbers that are not finite, texts of several lines, empty or too long
/// for their column, names of columns with blanks, or attributes of another type than their column.
pub fn write(layer: &VectorLayer) -> Result<MifPair, WriteError> {
    let mut mif = String::from("Version 300\nCharset \"Neutral\"\nDelimiter \",\"\n");
    let (min, max) = bounds(layer)?;
    let _ = writeln!(
        mif,
        "CoordSys NonEarth Units \"m\" Bounds ({}, {}) ({}, {})",
        min.x_m, min.y_m, max.x_m, max.y_m
    );
    let _ = writeln!(mif, "Columns {}", layer.columns.len());
    for (index, column) in layer.columns.iter().enumerate() {
        let _ = writeln!(mif, "  {} {}", column_name(column)?, type_name(layer, index)?);
    }
    mif += "Data\n\n";
    let mut mid = String::new();
    for (index, feature) in layer.features.iter().enumerate() {
        write_shape(&mut mif, &feature.shape, index + 1)?;
        for style in &feature.style {
            check_style(style, index + 1)?;
            let _ = writeln!(mif, "    {style}");
        }
        mid += &mid::row(&layer.columns, &feature.attributes, ',', index + 1)?;
        mid.push('\n');
    }
    Ok(MifPair { mif, mid })
}

fn refused(place: impl Into<String>, expected: &str, found: impl Into<String>) -> WriteError {
    WriteError::new("mif", place, expected, found)
}

/// All points of a shape.
pub(crate) fn points_of(shape: &Shape) -> Vec<Point2> {
    match shape {
        Shape::None => Vec::new(),
        Shape::Point(place) | Shape::Text { place, .. } => vec![*place],
        Shape::MultiPoint(points) => points.clone(),
        Shape::Lines(parts) | Shape::Area(parts) => parts.concat(),
    }
}

/// The box around all points. GDAL derives the precision of coordinates from it, so it must not be empty.
fn bounds(layer: &VectorLayer) -> Result<(Point2, Point2), WriteError> {
    const MARGIN_M: f64 = 1.0;
    let (mut min, mut max) = (Point2::new(0.0, 0.0), Point2::new(0.0, 0.0));
    for (index, feature) in layer.features.iter().enumerate() {
        for point in points_of(&feature.shape) {
            if !(point.x_m.is_finite() && point.y_m.is_finite()) {
                let found = format!("({}, {})", point.x_m, point.y_m);
                return Err(refused(format!("feature {}", index + 1), "finite coordinates", found));
            }
            min = Point2::new(min.x_m.min(point.x_m), min.y_m.min(point.y_m));
            max = Point2::new(max.x_m.max(point.x_m), max.y_m.max(point.y_m));
        }
    }
    let lower = Point2::new((min.x_m - MARGIN_M).floor(), (min.y_m - MARGIN_M).floor());
    Ok((lower, Point2::new((max.x_m + MARGIN_M).ceil(), (max.y_m + MARGIN_M).ceil())))
}

fn column_name(column: &Column) -> Result<&str, WriteError> {
    let name = column.name.as_str();
    let is_plain = |letter: char| letter.is_alphanumeric() || letter == '_';
    let is_letter_first = name.starts_with(|letter: char| letter.is_alphabetic() || letter == '_');
    if is_letter_first && name.chars().all(is_plain) {
        return Ok(name);
    }
    Err(refused(format!("column {name:?}"), "a name of letters, digits and '_'", format!("{name:?}")))
}

fn type_name(layer: &VectorLayer, column: usize) -> Result<String, WriteError> {
    let Column { name, kind } = &layer.columns[column];
    Ok(match *kind {
        ColumnType::Text { width } if (1..=MAX_TEXT_WIDTH).contains(&width) => format!("Char({width})"),
        ColumnType::Text { width } => {
            let expected = format!("a width from 1 to {MAX_TEXT_WIDTH}");
            return Err(refused(format!("column {name}"), &expected, width.to_string()));
        }
        // An Integer of MapInfo has 32 bits; a Decimal without decimals holds the rest.
        ColumnType::Integer if layer.features.iter().any(|feature| is_wide(&feature.attributes, column)) => {
            "Decimal(20,0)".to_owned()
        }
        ColumnType::Integer => "Integer".to_owned(),
        ColumnType::Real => "Float".to_owned(),
        ColumnType::Logical => "Logical".to_owned(),
    })
}

fn is_wide(attributes: &[Attribute], column: usize) -> bool {
    matches!(attributes.get(column), Some(Attribute::Integer(number)) if i32::try_from(*number).is_err())
}

fn check_style(style: &str, feature: usize) -> Result<(), WriteError> {
    if object::is_style(style) {
        return Ok(());
    }
    Err(refused(
        format!("feature {feature}"),
        "a style of one line, such as Pen (1,2,0)",
        format!("{style:?}"),
    ))
}

fn write_shape(mif: &mut String, shape: &Shape, feature: usize) -> Result<(), WriteError> {
    let write_points = |mif: &mut String, points: &[Point2]| {
        for point in points {
            let _ = writeln!(mif, "{} {}", point.x_m, point.y_m);
        }
    };
    match shape {
        Shape::None => *mif += "None\n",
        Shape::Point(point) => drop(writeln!(mif, "Point {} {}", point.x_m, point.y_m)),
        Shape::MultiPoint(points) => {
            let _ = writeln!(mif, "Multipoint {}", points.len());
            write_points(mif, points);
        }
        Shape::Lines(lines) => {
            let head = if lines.len() == 1 {
                "Pline ".to_owned()
            } else {
                format!("Pline Multiple {}\n  ", lines.len())
            };
            *mif += &head;
            for (index, line) in lines.iter().enumerate() {
                let _ = writeln!(mif, "{}{}", if index > 0 { "  " } else { "" }, line.len());
                write_points(mif, line);
            }
            if lines.is_empty() {
                mif.push('\n');
            }
        }
        Shape::Area(rings) => {
            let _ = writeln!(mif, "Region {}", rings.len());
            for ring in rings {
                if ring.len() < 4 || ring.first() != ring.last() {
                    return Err(refused(
                        format!("feature {feature}"),
                        "rings that are closed",
                        "an open or empty ring",
                    ));
                }
                let _ = writeln!(mif, "  {}", ring.len());
                write_points(mif, ring);
            }
        }
        Shape::Text { place, text } => {
            if text.contains('\r') {
                return Err(refused(
                    format!("feature {feature}"),
                    "a text without carriage return",
                    format!("{text:?}"),
                ));
            }
            let _ = writeln!(mif, "Text\n    {}", in_quotes(&escaped(text)));
            // The far corner only says how large the letters are drawn: half a metre high.
            let (x_m, y_m) = (place.x_m, place.y_m);
            let width_m = 0.25 * text.chars().count().max(1) as f64;
            let _ = writeln!(mif, "    {x_m} {y_m} {} {}", x_m + width_m, y_m + 0.5);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use model::Finding;
    use proptest::prelude::*;

    use super::*;
    use crate::vector::layer_samples::layers;
    use crate::{Document, NamedBytes, read_document_bytes};

    fn document(name: &str, mif: &str, mid: &str) -> Result<Document, ReadError> {
        let beside = [NamedBytes { name: &format!("{}.mid", stem_of(name)), bytes: mid.as_bytes() }];
        read_document_bytes(NamedBytes { name, bytes: mif.as_bytes() }, &beside, &ReadOptions::default())
    }

    fn read_layer(name: &str, mif: &str, mid: &str) -> (VectorLayer, Vec<Finding>) {
        let document = document(name, mif, mid).unwrap_or_else(|error| panic!("{error}"));
        let Content::Vector(layer) = document.content else { panic!("no layer") };
        (layer, document.findings)
    }

    fn codes(findings: &[Finding]) -> Vec<&str> {
        findings.iter().map(|finding| finding.code.as_ref()).collect()
    }

    const EXAMPLE: &str = "Version 300\nDelimiter \",\"\nColumns 2\nID Char(16)\nSTATUS Char(16)\nData\n\
        Point 12.5 -3.25\nSymbol (35,16711680,12)\nPoint 4 9\n";

    #[test]
    fn the_worked_example_of_the_specification_gives_two_victims() {
        let (layer, findings) = read_layer("victims.mif", EXAMPLE, "\"v1\",\"alive\"\n\"v2\",\"\"\n");
        assert_eq!(layer.name, "victims");
        let places: Vec<_> = layer.features.iter().map(|feature| feature.shape.clone()).collect();
        assert_eq!(places, [Shape::Point(Point2::new(12.5, -3.25)), Shape::Point(Point2::new(4.0, 9.0))]);
        let text = |text: &str| Attribute::Text(text.to_owned());
        assert_eq!(layer.attribute(&layer.features[0], "status"), Some(&text("alive")));
        assert_eq!(layer.attribute(&layer.features[1], "ID"), Some(&text("v2")));
        assert_eq!(layer.attribute(&layer.features[1], "STATUS"), Some(&Attribute::Missing));
        assert_eq!(layer.features[0].style, ["Symbol (35,16711680,12)"]);
        assert_eq!(codes(&findings), ["COORDSYS_MISSING", "LAYER_COLUMN_MISSING"]);
    }

    #[test]
    fn byte_order_mark_crlf_and_a_missing_last_newline_do_not_matter() {
        let mif = format!("\u{feff}{}", EXAMPLE.trim_end().replace('\n', "\r\n"));
        let (odd, _) = read_layer("victims.mif", &mif, "\u{feff}\"v1\",\"alive\"\r\n\"v2\",\"\"");
        assert_eq!(odd, read_layer("victims.mif", EXAMPLE, "\"v1\",\"alive\"\n\"v2\",\"\"\n").0);
    }

    #[test]
    fn the_dialect_of_worldgen4_is_read_and_noted() {
        let mif = "Version 450\nCharset \"Neutral\"\nDelimiter \",\"\nIndex 1\nColumns 5\nDescription char(254)\n\
            Name char(254)\nRoll float\nPitch float\nYaw float\nData\n\nRegion 1\n4\n0.000, 0.000\n4.000, 0.000\n\
            4.000, 2.500\n0.000, 2.500\nBrush (2, 65280)\n\nPoint 1.250, -0.500\nSymbol(34, 1, 4)\n\n";
        let (layer, findings) =
            read_layer("world.mif", mif, "\"Room\", \"CSG\", 0, 0, 0\n\"PathNode\", \"P1\", 0, 0, 1.5\n");
        let Shape::Area(rings) = &layer.features[0].shape else { panic!("no area") };
        assert_eq!((rings[0].len(), rings[0][0]), (5, rings[0][4]));
        assert_eq!(layer.features[1].shape, Shape::Point(Point2::new(1.25, -0.5)));
        assert_eq!(layer.features[1].attributes[4], Attribute::Real(1.5));
        let expected = ["COORDSYS_MISSING", "RING_CLOSED", "BLANK_AFTER_DELIMITER", "LAYER_KIND_UNKNOWN"];
        assert_eq!(codes(&findings), expected);
    }

    #[test]
    fn the_mid_file_is_found_in_any_spelling_and_missed_by_name() {
        let read = |mid: &[NamedBytes<'_>]| {
            let file = NamedBytes { name: "TeamA_victims.MIF", bytes: EXAMPLE.as_bytes() };
            read_document_bytes(file, mid, &ReadOptions::default())
        };
        let document =
            read(&[NamedBytes { name: "TeamA_victims.MID", bytes: b"\"v1\",\"a\"\n\"v2\",\"b\"\n" }])
                .unwrap();
        assert_eq!(document.format, "mif");
        assert_eq!(document.sources[1].path, "TeamA_victims.MID");
        let error = read(&[]).unwrap_err();
        assert_eq!(error.file(), Some("TeamA_victims.mid"));
        assert!(error.hint().unwrap().contains(".mid"));
    }

    #[test]
    fn a_different_number_of_rows_is_refused_with_both_numbers() {
        let error = document("victims.mif", EXAMPLE, "\"v1\",\"alive\"\n").unwrap_err().to_string();
        assert!(error.contains("expected 2 rows") && error.contains("found 1 rows"), "{error}");
    }

    #[test]
    fn a_layer_without_columns_needs_no_mid_file() {
        let mif = "Version 300\nColumns 0\nData\nPoint 1 2\n";
        let file = NamedBytes { name: "a.mif", bytes: mif.as_bytes() };
        let document = read_document_bytes(file, &[], &ReadOptions::default()).unwrap();
        let Content::Vector(layer) = document.content else { panic!("no layer") };
        assert_eq!((layer.features.len(), layer.columns.len()), (1, 0));
    }

    #[test]
    fn bytes_tell_a_mif_under_any_name() {
        assert_eq!(sniff(b"version 300\n", "a.txt"), Sniff::ByBytes);
        assert_eq!(sniff(b"Version three\n", "a.mif"), Sniff::ByName);
        assert_eq!(sniff(b"Version: 300\n", "a.yaml"), Sniff::No);
    }

    #[test]
    fn what_the_format_cannot_hold_is_refused() {
        let text = |width| vec![Column { name: "A".to_owned(), kind: ColumnType::Text { width } }];
        let feature = |shape, attribute| Feature { shape, attributes: vec![attribute], style: Vec::new() };
        let word = |word: &str| Attribute::Text(word.to_owned());
        let nowhere = Shape::Point(Point2::new(f64::NAN, 0.0));
        for (columns, feature, expected) in [
            (text(9), feature(Shape::None, word("a\nb")), "a text of one line"),
            (text(2), feature(Shape::None, word("abc")), "at most 2 characters"),
            (text(2), feature(Shape::None, word("")), "a text of one line"),
            (text(2), feature(Shape::None, Attribute::Real(1.0)), "column A"),
            (text(300), feature(Shape::None, Attribute::Missing), "a width from 1 to 254, found 300"),
            (text(2), feature(nowhere, Attribute::Missing), "finite coordinates, found (NaN, 0)"),
            (
                text(2),
                feature(Shape::Area(vec![vec![Point2::default()]]), Attribute::Missing),
                "rings that are closed",
            ),
            (vec![], feature(Shape::None, Attribute::Missing), "expected 0 attributes, found 1"),
        ] {
            let layer = VectorLayer { name: "x".to_owned(), columns, features: vec![feature] };
            let error = write(&layer).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
        let column = Column { name: "A B".to_owned(), kind: ColumnType::Real };
        let layer = VectorLayer { columns: vec![column], ..VectorLayer::default() };
        assert!(write(&layer).unwrap_err().to_string().contains("a name of letters, digits and '_'"));
    }

    proptest! {
        #[test]
        fn writing_and_reading_gives_the_same_layer(layer in layers()) {
            let pair = write(&layer).unwrap();
            let name = format!("{}.mif", layer.name);
            let (read, findings) = read_layer(&name, &pair.mif, &pair.mid);
            prop_assert_eq!(read, layer);
            prop_assert!(findings.iter().all(|finding| finding.code.starts_with("LAYER_")), "{:?}", findings);
        }
    }
}

//! Fiducial layouts: where the barrels of an arena stand (Schwertfeger et al. 2010), and corners and poles that serve as
//! fiducials. Our own format, in TOML and in CSV.
//!
//! ```toml
//! [[part]]
//! fiducial = "F1"        # parts of one fiducial share it
//! part = "F1A"           # unique in the layout
//! x_m = 1.2              # centre of the circle
//! y_m = 1.0
//! radius_m = 0.3
//! opening_deg = 180.0    # visible arc: 180 half, 90 quarter, 270 three quarters, 360 whole barrel
//! direction_deg = 0.0    # of the middle of the arc, counter-clockwise from x; or start_deg, where the arc begins
//! height_m = 1.0         # of the slice in which it is seen; 0 if absent
//! range = "short"        # of the pair: short, long or none; none if absent
//!
//! [[pair]]
//! fiducial = "F1"
//! distance_m = 0.05      # true distance of the two centres, such as the thickness of the wall
//! ```
//!
//! A part may have a `kind`: `barrel` (if absent), `corner` or `pole`. A corner is the place where the faces of two walls
//! meet; `opening_deg` (the angle of its free side) and `direction_deg` are given both or not at all, and it has no radius. A
//! pole is a small column that stands alone; `radius_m` may be absent, and it has neither opening nor direction.
//!
//! ```toml
//! [[part]]
//! kind = "corner"
//! fiducial = "room 3 south west"
//! part = "C1"
//! x_m = 4.0
//! y_m = 2.0
//! opening_deg = 90.0
//! direction_deg = 45.0
//! ```
//!
//! Where only the thickness of the walls is known, `x_m` and `y_m` are absent from every part; each fiducial then has two
//! parts, a distance, and one range for all.
//!
//! In CSV the same keys are columns, and the distance stands as `pair_distance_m` on one or all rows of a fiducial. The
//! names of older lists (`id`, `x`, `y`, `radius`, `phi0`, `opening`, `pair_distance`; degrees) are taken too.
//! Angles may be given in radians under keys ending `_rad`; the writer does so where degrees would not give the very
//! same number back. Metres, x to the right, y up.

mod csv;
mod part;
mod write;

use self::part::part;
pub use self::write::{write_csv as write_layout_csv, write_toml as write_layout_toml};

use std::collections::BTreeSet;

use model::{FiducialLayout, Finding, PartKind, Point2, Positions};
use serde::Deserialize;

use crate::error::excerpt;
use crate::format::{Format, Input, ReadContent, Reader, Sniff, by_name, without_byte_order_mark};
use crate::notices::Notices;
use crate::text::table_limits::{check_rows, table_bytes, too_long};
use crate::text::text_encoding::text_of;
use crate::{Content, Place, ReadError, ReadOptions};

pub(crate) const FORMAT: Format =
    Format { name: "fiducial_layout", title: "fiducial layout", sniff, reader: Reader::Content(read) };

/// Bytes in which a first table or the row of columns is looked for.
const SNIFFED_BYTES: usize = 1 << 14;

/// A pair distance that differs by more from the distance of the two positions contradicts them. One cell of a usual
/// map; ours.
const MAX_CONTRADICTION_M: f64 = 0.05;

/// The largest TOML that is parsed: some thousand parts.
const MAX_TOML_BYTES: usize = 1 << 20;

fn sniff(bytes: &[u8], name: &str) -> Sniff {
    let text = without_byte_order_mark(bytes);
    let text = String::from_utf8_lossy(&text[..text.len().min(SNIFFED_BYTES)]);
    let is_toml = text.lines().any(is_part_table);
    if is_toml || csv::has_columns(&text) {
        return Sniff::ByBytes;
    }
    by_name(name, &["fiducials.toml", "fiducials.csv", "layout.toml", "layout.csv"])
}

fn is_part_table(line: &str) -> bool {
    line.trim_start().starts_with("[[part]]")
}

fn read(input: &mut Input<'_>, _options: &ReadOptions) -> Result<ReadContent, ReadError> {
    let (file, bytes) = table_bytes(&mut input.source)?;
    let mut findings = Vec::new();
    let mut notices = Notices::default();
    let text = text_of(bytes, &mut findings);
    let rows = if csv::has_columns(&text) {
        csv::rows(file, &text, &mut notices)?
    } else {
        toml_rows(file, &text, &mut notices)?
    };
    let layout = layout(file, rows, &mut notices)?;
    findings.extend(notices.into_findings());
    Ok(ReadContent { content: Content::Layout(layout), findings })
}

/// A part as the file gives it, and the true distance of its pair.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Row {
    pub kind: Option<String>,
    pub fiducial: String,
    pub part: String,
    pub x_m: Option<f64>,
    pub y_m: Option<f64>,
    pub radius_m: Option<f64>,
    pub opening_deg: Option<f64>,
    pub opening_rad: Option<f64>,
    pub direction_deg: Option<f64>,
    pub direction_rad: Option<f64>,
    pub start_deg: Option<f64>,
    pub height_m: Option<f64>,
    pub range: Option<String>,
    pub pair_distance_m: Option<f64>,
    /// Place in the file: the line, or 0 where it is not known.
    #[serde(skip)]
    pub line: usize,
    /// Keys that mean nothing to us.
    #[serde(flatten)]
    pub other: std::collections::BTreeMap<String, toml::Value>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct TomlFile {
    part: Vec<Row>,
    pair: Vec<Pair>,
    #[serde(flatten)]
    other: std::collections::BTreeMap<String, toml::Value>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Pair {
    fiducial: String,
    distance_m: f64,
}

/// What a file holds, before it is checked.
pub(crate) struct Rows {
    pub parts: Vec<Row>,
    pub pairs: Vec<(String, f64)>,
}

fn toml_rows(file: &str, text: &str, notices: &mut Notices) -> Result<Rows, ReadError> {
    if text.len() > MAX_TOML_BYTES {
        return Err(too_long(file, MAX_TOML_BYTES as u64, text.len() as u64));
    }
    let parsed: TomlFile = toml::from_str(text).map_err(|error| {
        let at = error.span().map_or(0, |span| span.start.min(text.len()));
        let line = 1 + text.as_bytes()[..at].iter().filter(|&&byte| byte == b'\n').count();
        ReadError::malformed(file, Place::Line(line), "the TOML of a fiducial layout", error.message())
    })?;
    let mut lines = text.lines().enumerate().filter(|(_, line)| is_part_table(line));
    let mut parts = parsed.part;
    for part in &mut parts {
        part.line = lines.next().map_or(0, |(index, _)| index + 1);
    }
    for key in parsed.other.keys() {
        note_unknown_key(notices, key, 0);
    }
    let pairs = parsed.pair.into_iter().map(|pair| (pair.fiducial, pair.distance_m)).collect();
    Ok(Rows { parts, pairs })
}

/// Notes a key or column that was not read.
pub(crate) fn note_unknown_key(notices: &mut Notices, key: &str, line: usize) {
    notices.note("LAYOUT_KEY_UNKNOWN", line.max(1), || {
        let message = format!("the key {} is unknown and was not read", excerpt(key.as_bytes()));
        Finding::warning("LAYOUT_KEY_UNKNOWN", message).hint("check its spelling; units are part of the keys")
    });
}

fn layout(file: &str, rows: Rows, notices: &mut Notices) -> Result<FiducialLayout, ReadError> {
    let is_placed = |row: &Row| row.x_m.is_some() || row.y_m.is_some();
    let positions = if rows.parts.iter().any(is_placed) { Positions::Given } else { Positions::Unknown };
    let mut layout = FiducialLayout { parts: Vec::new(), pair_distances_m: rows.pairs, positions };
    let mut names = BTreeSet::new();
    check_rows(file, rows.parts.len())?;
    for row in rows.parts {
        let wrong = |expected: &str, found: &str| {
            ReadError::malformed(file, place(row.line), expected, found)
                .with_hint("give each part a name of its own, such as F1A and F1B")
        };
        if row.part.is_empty() || !names.insert(row.part.clone()) {
            return Err(wrong("a name under 'part' that no other part has", &format!("'{}'", row.part)));
        }
        if let Some(distance_m) = row.pair_distance_m {
            add_pair(file, &row, distance_m, &mut layout.pair_distances_m)?;
        }
        layout.parts.push(part(file, row, positions, notices)?);
    }
    if layout.parts.is_empty() {
        return Err(ReadError::malformed(file, Place::File, "at least one part", "none"));
    }
    check_pairs(file, &layout)?;
    if layout.positions == Positions::Unknown {
        check_without_positions(file, &layout)?;
    }
    Ok(layout)
}

/// Rows of one fiducial may repeat its distance, but not contradict it.
fn add_pair(file: &str, row: &Row, distance_m: f64, pairs: &mut Vec<(String, f64)>) -> Result<(), ReadError> {
    match pairs.iter().find(|(fiducial, _)| *fiducial == row.fiducial) {
        Some((_, known_m)) if *known_m != distance_m => {
            let expected = format!("the pair distance {known_m} m of an earlier row of '{}'", row.fiducial);
            Err(ReadError::malformed(file, place(row.line), expected, format!("{distance_m} m")))
        }
        Some(_) => Ok(()),
        None => {
            pairs.push((row.fiducial.clone(), distance_m));
            Ok(())
        }
    }
}

fn check_pairs(file: &str, layout: &FiducialLayout) -> Result<(), ReadError> {
    let mut known = BTreeSet::new();
    for (fiducial, distance_m) in &layout.pair_distances_m {
        let wrong = |expected: &str, found: String| {
            let place = Place::Field(format!("pair distance of '{fiducial}'"));
            Err(ReadError::malformed(file, place, expected, found))
        };
        if !known.insert(fiducial) {
            return wrong("one distance per fiducial", "several".to_owned());
        }
        if !(distance_m.is_finite() && *distance_m >= 0.0) {
            return wrong("a number of metres from 0", distance_m.to_string());
        }
        let own: Vec<Point2> =
            layout.parts.iter().filter(|part| part.fiducial == *fiducial).map(|part| part.center).collect();
        match own[..] {
            [] => return wrong("parts of that fiducial", "none".to_owned()),
            [a, b] if layout.positions == Positions::Given => {
                let between_m = (a.x_m - b.x_m).hypot(a.y_m - b.y_m);
                // Two parts at one place stand for the fiducial: they say nothing about their distance.
                if between_m > 0.0 && (between_m - distance_m).abs() > MAX_CONTRADICTION_M {
                    let expected = format!("{between_m:.3} m as its two positions are apart");
                    return wrong(&expected, format!("{distance_m} m"));
                }
            }
            _ => {}
        }
    }
    Ok(())
}

/// What a layout needs if nobody knows where its parts are: pairs, their distances, and one range, since short and long
/// pairs look alike.
fn check_without_positions(file: &str, layout: &FiducialLayout) -> Result<(), ReadError> {
    let hint = "give x_m and y_m, or for consistency alone two parts and a pair_distance_m per fiducial, all of one range";
    let wrong = |fiducial: &str, expected: &str, found: String| {
        let place = Place::Field(format!("fiducial '{fiducial}'"));
        Err(ReadError::malformed(file, place, expected, found).with_hint(hint))
    };
    let range = layout.parts.first().map_or("", |part| part.range.as_str());
    for part in &layout.parts {
        if part.kind != PartKind::Barrel {
            return wrong(
                &part.fiducial,
                &format!("a position of a {}", part.kind.name()),
                "none".to_owned(),
            );
        }
        let own = layout.parts.iter().filter(|other| other.fiducial == part.fiducial).count();
        if own != 2 {
            return wrong(&part.fiducial, "positions, or two parts", format!("{own} without positions"));
        }
        if !layout.pair_distances_m.iter().any(|(fiducial, _)| *fiducial == part.fiducial) {
            return wrong(&part.fiducial, "positions, or a pair distance", "neither".to_owned());
        }
        if part.range != range {
            let found = format!("'{range}' and '{}' without positions", part.range);
            return wrong(&part.fiducial, "one range for all parts", found);
        }
    }
    Ok(())
}

const fn place(line: usize) -> Place {
    if line == 0 { Place::File } else { Place::Line(line) }
}

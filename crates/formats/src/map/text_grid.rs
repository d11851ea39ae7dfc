//! Text grids: maps drawn with letters, for examples, small truths and tests. Our own format.
//!
//! ```text
//! // a comment; '#' is a cell
//! resolution: 0.05
//! origin: -1.0 -2.0 0.0
//! ##.
//! #.?
//! ```
//!
//! Optional header lines first: `resolution` in metres, `origin` x y yaw of the lower-left corner in metres
//! and radians. Then rows, top row first, all of one kind: classes `#` occupied, `.` free, `?` unknown;
//! probabilities from 0 to 1 separated by blanks, `?` for an unknown one (0.5); or navigation classes `g`
//! cleared, `w` uncleared, `b` unknown, `r` victim, `k` untraversable.

use std::fmt::Write;

use model::{CellClass, Finding, Grid, GridGeometry, NavigationClass, Pose2};

use crate::error::excerpt;
use crate::format::{Format, Input, ReadMap, Reader, Sniff, by_name, without_byte_order_mark};
use crate::map::pixel_sink::check_memory;
use crate::map::plain_image::{DEFAULT_RESOLUTION_M, geometry_of, no_resolution};
use crate::options::{chosen, chosen_resolution};
use crate::text::text_encoding::utf8;
use crate::{Georeference, Place, ReadError, ReadOptions};

pub(crate) const FORMAT: Format =
    Format { name: "text_grid", title: "text grid", sniff, reader: Reader::Map(read) };

fn sniff(bytes: &[u8], name: &str) -> Sniff {
    let mut lines = without_byte_order_mark(bytes).split(|&byte| byte == b'\n');
    let first_row = lines.find_map(|line| match Line::of(std::str::from_utf8(line).ok()?.trim()) {
        Line::Row(row) => Some(row),
        Line::Blank | Line::Comment | Line::Header(..) => None,
    });
    if first_row.and_then(Kind::of).is_some() { Sniff::ByBytes } else { by_name(name, &[".txt", ".grid"]) }
}

fn read(input: &mut Input<'_>, options: &ReadOptions) -> Result<ReadMap, ReadError> {
    let (file, bytes) = input.source.whole()?;
    let drawing = Drawing::parse(file, utf8(file, bytes)?)?;
    let mut findings = Vec::new();
    let geometry = drawing.geometry(file, options, &mut findings)?;
    let georeference = match (options.origin, drawing.origin) {
        (Some(_), _) => Georeference::FromOptions,
        (None, Some(_)) => Georeference::FromFile,
        (None, None) => Georeference::Assumed,
    };
    Ok(ReadMap { grid: drawing.grid(file, geometry)?, marks: Vec::new(), findings, georeference })
}

/// What a line can be.
enum Line<'a> {
    Blank,
    Comment,
    Header(&'a str, &'a str),
    Row(&'a str),
}

impl<'a> Line<'a> {
    fn of(line: &'a str) -> Self {
        if line.is_empty() {
            Self::Blank
        } else if line.starts_with("//") {
            Self::Comment
        } else if let Some((key, value)) = line.split_once(':') {
            Self::Header(key.trim(), value.trim())
        } else {
            Self::Row(line)
        }
    }
}

/// What the cells of a file are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Classes,
    Probabilities,
    Navigation,
}

impl Kind {
    /// The kind of a row, or none if it has none.
    fn of(row: &str) -> Option<Self> {
        if row.chars().all(|letter| class_of(letter).is_some()) {
            Some(Self::Classes)
        } else if row.chars().all(|letter| navigation_of(letter).is_some()) {
            Some(Self::Navigation)
        } else if row.split_ascii_whitespace().all(|token| probability_of(token).is_some()) {
            Some(Self::Probabilities)
        } else {
            None
        }
    }

    const fn wants(self) -> &'static str {
        match self {
            Self::Classes => "'#', '.' and '?'",
            Self::Probabilities => "numbers from 0 to 1, or '?'",
            Self::Navigation => "'g', 'w', 'b', 'r' and 'k'",
        }
    }
}

/// How many numbers a row consists of; none if it has anything else, or a single one.
fn numbers_in(row: &str) -> Option<usize> {
    let fields = || row.split([' ', '\t', ',', ';']).filter(|field| !field.is_empty());
    let is_number = |field: &str| field.parse::<f64>().is_ok();
    (fields().all(is_number) && fields().count() > 1).then(|| fields().count())
}

/// The error of a file of numbers that no format takes, whose ending alone speaks of a text grid.
fn no_format_of(file: &str, row: usize, columns: usize) -> ReadError {
    let expected = "8 numbers in a row (TUM: t x y z qx qy qz qw), 4 (t x y theta), 12 (KITTI), or a text grid of numbers \
                    from 0 to 1";
    ReadError::malformed(file, Place::Row(row), expected, format!("{columns} numbers"))
        .with_hint("is a column missing? a rotation in space has four numbers, qx qy qz qw")
}

/// A text grid taken apart.
struct Drawing<'a> {
    resolution_m: Option<f64>,
    origin: Option<Pose2>,
    rows: Vec<&'a str>,
    kind: Kind,
}

impl<'a> Drawing<'a> {
    fn parse(file: &str, text: &'a str) -> Result<Self, ReadError> {
        let mut drawing = Self { resolution_m: None, origin: None, rows: Vec::new(), kind: Kind::Classes };
        for (index, line) in text.lines().enumerate() {
            match Line::of(line.trim()) {
                Line::Blank | Line::Comment => {}
                Line::Row(row) => drawing.rows.push(row),
                Line::Header(key, value) => drawing.header(file, index + 1, (key, value))?,
            }
        }
        if drawing.rows.is_empty() {
            let found = if text.trim().is_empty() { "an empty file" } else { "no row" };
            let expected = "rows: a text grid, or the poses of a trajectory";
            return Err(ReadError::malformed(file, Place::File, expected, found));
        }
        // A single '?' fits classes and probabilities alike, so another row decides.
        if let Some(telling) = drawing.rows.iter().position(|row| *row != "?") {
            let row = drawing.rows[telling];
            drawing.kind = Kind::of(row).ok_or_else(|| {
                if let Some(columns) = numbers_in(row) {
                    return no_format_of(file, telling + 1, columns);
                }
                let expected = "only '#.?', only 'gwbrk', or numbers from 0 to 1";
                ReadError::malformed(file, Place::Row(telling + 1), expected, excerpt(row.as_bytes()))
            })?;
        }
        Ok(drawing)
    }

    fn header(&mut self, file: &str, line: usize, (key, value): (&str, &str)) -> Result<(), ReadError> {
        let wrong = |expected: &str, found: &str| {
            ReadError::malformed(file, Place::Line(line), expected, format!("'{found}'"))
        };
        if !self.rows.is_empty() {
            return Err(wrong("a row of cells (header lines come first)", key));
        }
        let numbers: Result<Vec<f64>, _> = value.split_ascii_whitespace().map(str::parse).collect();
        let is_second = match key {
            "resolution" => self.resolution_m.is_some(),
            "origin" => self.origin.is_some(),
            _ => return Err(wrong("'resolution:' or 'origin:'", key)),
        };
        if is_second {
            return Err(wrong("each header line once", key));
        }
        match (key, numbers.as_deref()) {
            ("resolution", Ok([resolution_m])) => self.resolution_m = Some(*resolution_m),
            ("resolution", _) => return Err(wrong("one number of metres", value)),
            (_, Ok([x_m, y_m, theta_rad])) => self.origin = Some(Pose2::new(*x_m, *y_m, *theta_rad)),
            _ => return Err(wrong("three numbers x y yaw", value)),
        }
        Ok(())
    }

    fn width_of(&self, row: &str) -> usize {
        if self.kind == Kind::Probabilities {
            row.split_ascii_whitespace().count()
        } else {
            row.chars().count()
        }
    }

    fn geometry(
        &self,
        file: &str,
        options: &ReadOptions,
        findings: &mut Vec<Finding>,
    ) -> Result<GridGeometry, ReadError> {
        let width = self.width_of(self.rows[0]);
        for (index, row) in self.rows.iter().enumerate() {
            let found = self.width_of(row);
            if found != width {
                let expected = format!("{width} cells, as in row 1");
                return Err(ReadError::malformed(file, Place::Row(index + 1), expected, found.to_string()));
            }
        }
        let stated_m = self.resolution_m.map(|metres| (metres, metres));
        let resolution_m = chosen_resolution(file, stated_m, options, findings)?.map(|(width_m, _)| width_m);
        if resolution_m.is_none() {
            findings.push(no_resolution());
        }
        let origin = chosen("origin", self.origin, options.origin_pose(), findings).unwrap_or_default();
        let bytes_per_cell = match self.kind {
            Kind::Classes => 1,
            Kind::Navigation => 2,
            Kind::Probabilities => 1 + size_of::<f64>(),
        };
        check_memory(file, Place::File, (width, self.rows.len()), bytes_per_cell)?;
        geometry_of(file, (width, self.rows.len()), resolution_m.unwrap_or(DEFAULT_RESOLUTION_M), origin)
    }

    fn grid(&self, file: &str, geometry: GridGeometry) -> Result<Grid, ReadError> {
        let grid = match self.kind {
            Kind::Classes => Grid::new(geometry, self.letters(file, class_of)?),
            Kind::Navigation => Grid::of_navigation(geometry, self.letters(file, navigation_of)?),
            Kind::Probabilities => {
                let p = self.cells(file, str::split_ascii_whitespace, probability_of)?;
                let classes = p.iter().map(|&p| CellClass::of_probability(p)).collect();
                Grid::new(geometry, classes).and_then(|grid| grid.with_probabilities(p))
            }
        };
        grid.map_err(|error| ReadError::malformed(file, Place::File, "rows of one length", error.to_string()))
    }

    fn letters<T>(&self, file: &str, meaning: fn(char) -> Option<T>) -> Result<Vec<T>, ReadError> {
        self.cells(file, str::chars, meaning)
    }

    fn cells<C, I: Iterator<Item = C>, T>(
        &self,
        file: &str,
        split: fn(&'a str) -> I,
        meaning: fn(C) -> Option<T>,
    ) -> Result<Vec<T>, ReadError> {
        let mut cells = Vec::new();
        for (index, &row) in self.rows.iter().enumerate() {
            for cell in split(row) {
                let found = || excerpt(row.as_bytes());
                cells.push(meaning(cell).ok_or_else(|| {
                    ReadError::malformed(file, Place::Row(index + 1), self.kind.wants(), found())
                })?);
            }
        }
        Ok(cells)
    }
}

const fn class_of(letter: char) -> Option<CellClass> {
    match letter {
        '#' => Some(CellClass::Occupied),
        '.' => Some(CellClass::Free),
        '?' => Some(CellClass::Unknown),
        _ => None,
    }
}

const fn navigation_of(letter: char) -> Option<NavigationClass> {
    match letter {
        'g' => Some(NavigationClass::Cleared),
        'w' => Some(NavigationClass::Uncleared),
        'b' => Some(NavigationClass::Unknown),
        'r' => Some(NavigationClass::Victim),
        'k' => Some(NavigationClass::Untraversable),
        _ => None,
    }
}

fn probability_of(token: &str) -> Option<f64> {
    if token == "?" {
        return Some(0.5);
    }
    token.parse().ok().filter(|p| (0.0..=1.0).contains(p))
}

/// A grid as text: navigation classes where it has them, else probabilities, else classes.
///
/// Reading gives the same grid, provided that its classes follow from its probabilities.
#[must_use]
pub fn write(grid: &Grid) -> String {
    let (geometry, origin) = (grid.geometry(), grid.geometry().origin());
    let mut text = format!(
        "resolution: {:?}\norigin: {:?} {:?} {:?}\n",
        geometry.cell_size_m(),
        origin.x_m,
        origin.y_m,
        origin.theta_rad
    );
    for start in (0..geometry.cells()).step_by(geometry.width()) {
        let row = start..start + geometry.width();
        if let Some(navigation) = grid.navigation() {
            text.extend(navigation[row].iter().map(|&class| navigation_letter(class)));
        } else if let Some(probabilities) = grid.probabilities() {
            for (column, p) in probabilities[row].iter().enumerate() {
                let blank = if column == 0 { "" } else { " " };
                // Writing into a string cannot fail.
                let _ = write!(text, "{blank}{p:?}");
            }
        } else {
            text.extend(grid.classes()[row].iter().map(|&class| class_letter(class)));
        }
        text.push('\n');
    }
    text
}

const fn class_letter(class: CellClass) -> char {
    match class {
        CellClass::Occupied => '#',
        CellClass::Free => '.',
        CellClass::Unknown => '?',
    }
}

const fn navigation_letter(class: NavigationClass) -> char {
    match class {
        NavigationClass::Cleared => 'g',
        NavigationClass::Uncleared => 'w',
        NavigationClass::Unknown => 'b',
        NavigationClass::Victim => 'r',
        NavigationClass::Untraversable => 'k',
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{MapFile, NamedBytes, read_map_bytes};

    fn read(text: &str) -> Result<MapFile, ReadError> {
        let file = NamedBytes { name: "map.txt", bytes: text.as_bytes() };
        read_map_bytes(file, &[], &ReadOptions::default())
    }

    fn refusal(text: &str) -> String {
        read(text).unwrap_err().to_string()
    }

    #[test]
    fn classes_are_drawn_top_row_first() {
        let map = read("// hall\nresolution: 0.05\norigin: -1 -2 0\n##.\r\n#.?").unwrap();
        assert_eq!(map.grid, testkit::grid_at(["##.", "#.?"], 0.05, Pose2::new(-1.0, -2.0, 0.0)));
        assert_eq!((map.format, map.georeference), ("text_grid", Georeference::FromFile));
        assert!(map.findings.is_empty());
    }

    #[test]
    fn a_bare_drawing_has_an_assumed_place_and_says_so() {
        let map = read("\u{feff}#.").unwrap();
        assert_eq!(map.grid, testkit::grid(["#."]));
        assert_eq!(map.georeference, Georeference::Assumed);
        assert!(map.finding("NO_RESOLUTION").is_some());
    }

    #[test]
    fn numbers_are_probabilities_and_one_half_is_unknown() {
        let map = read("?\n").unwrap();
        assert!(map.grid.probabilities().is_none());
        let map = read("? 0.25\n1 .5\n").unwrap();
        assert_eq!(map.grid.probabilities(), Some(&[0.5, 0.25, 1.0, 0.5][..]));
        assert_eq!(testkit::rows(&map.grid), ["?.", "#?"]);
        assert_eq!(testkit::rows(&read("?\n0.75\n").unwrap().grid), ["?", "#"]);
    }

    #[test]
    fn f_area_layer_of_navigation_letters() {
        let map = read("gggb\ngwwb\ngrkb\n").unwrap();
        assert_eq!(testkit::rows(&map.grid), ["...?", "...?", ".##?"]);
        let cleared = map.grid.navigation().unwrap().iter().filter(|n| **n == NavigationClass::Cleared);
        assert_eq!(cleared.count(), 5);
    }

    #[test]
    fn errors_name_the_row_or_line() {
        for (text, expected) in [
            ("##\n#\n", "map.txt: row 2: expected 2 cells, as in row 1, found 1"),
            ("##\ngg\n", "map.txt: row 2: expected '#', '.' and '?', found \"gg\""),
            (
                "#x\n",
                "map.txt: row 1: expected only '#.?', only 'gwbrk', or numbers from 0 to 1, found \"#x\"",
            ),
            ("0.5 0.5\n0.5 1.5\n", "map.txt: row 2: expected numbers from 0 to 1, or '?', found \"0.5 1.5\""),
            ("0.5\nnan\n", "map.txt: row 2: expected numbers from 0 to 1, or '?', found \"nan\""),
            ("origin: 1 2\n#\n", "map.txt: line 1: expected three numbers x y yaw, found '1 2'"),
            (
                "#\nresolution: 1\n",
                "map.txt: line 2: expected a row of cells (header lines come first), found 'resolution'",
            ),
            ("size: 1\n#\n", "map.txt: line 1: expected 'resolution:' or 'origin:', found 'size'"),
            (
                "resolution: 0\n#\n",
                "map.txt: field 'resolution': expected a number of metres above 0, found 0",
            ),
            (
                "origin: nan 0 0\nresolution: 1\n#\n",
                "map.txt: field 'origin': expected three finite numbers and a sensible size, found origin (NaN, 0, 0): expected three finite numbers, the first two within 1000000000 m of 0",
            ),
            (
                "resolution: 1\nresolution: 1\n#\n",
                "map.txt: line 2: expected each header line once, found 'resolution'",
            ),
            (
                "// nothing\n",
                "map.txt: file: expected rows: a text grid, or the poses of a trajectory, found no row",
            ),
        ] {
            assert_eq!(refusal(text), expected);
        }
    }

    #[test]
    fn options_override_the_header_and_a_finding_says_so() {
        let file = NamedBytes { name: "a", bytes: b"resolution: 0.1\n#" };
        let refused = ReadOptions { resolution_m: Some(0.2), ..ReadOptions::default() };
        assert_eq!(read_map_bytes(file, &[], &refused).unwrap_err().code(), "option_contradicts_file");
        let options = ReadOptions {
            origin: Some([1.0, 2.0, 0.0]),
            stated_resolution: crate::StatedResolution::Override,
            ..refused
        };
        let map = read_map_bytes(file, &[], &options).unwrap();
        assert_eq!(map.grid.geometry().cell_size_m(), 0.2);
        assert_eq!(map.georeference, Georeference::FromOptions);
        let codes: Vec<_> = map.findings.iter().map(|finding| finding.code.as_ref()).collect();
        assert_eq!(codes, ["OPTION_OVERRIDES_FILE"]);
    }

    proptest! {
        #[test]
        fn writing_and_reading_gives_the_same_grid(
            width in 1usize..6,
            seeds in prop::collection::vec(0.0..=1.0f64, 1..30),
            kind in 0..3,
            resolution_m in 1e-3..10.0f64,
        ) {
            let cells = seeds.len() / width * width;
            prop_assume!(cells > 0);
            let origin = Pose2::new(-seeds[0], 1e9 * seeds[0], seeds[0]);
            let geometry = GridGeometry::new(width, cells / width, resolution_m, origin).unwrap();
            let p = seeds[..cells].to_vec();
            let classes: Vec<_> = p.iter().map(|&p| CellClass::of_probability(p)).collect();
            let navigation = p.iter().map(|&p| NavigationClass::ALL[(p * 4.99) as usize]).collect();
            let grid = match kind {
                0 => Grid::new(geometry, classes).unwrap(),
                1 => Grid::new(geometry, classes).unwrap().with_probabilities(p).unwrap(),
                _ => Grid::of_navigation(geometry, navigation).unwrap(),
            };
            prop_assert_eq!(read(&write(&grid)).unwrap().grid, grid);
        }
    }
}

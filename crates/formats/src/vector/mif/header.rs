//! The header of a MIF file: everything up to the line `Data`.
//!
//! `Version`, `Charset`, `Delimiter`, `Unique`, `Index`, `CoordSys`, `Transform`, then `Columns n` with n lines
//! `name type`. Keywords are written in any case. Without `CoordSys` (as USARSim's WorldGen4 writes it)
//! coordinates are metres of a local frame.

use model::{Column, ColumnType, Finding, Level, Point2};

use crate::error::excerpt;
use crate::notices::Notices;
use crate::text::table_limits::check_columns;
use crate::vector::mif::scanner::Scanner;
use crate::{Place, ReadError};

/// The contents of a header.
#[derive(Debug, PartialEq)]
pub(crate) struct Header {
    /// Between the fields of the MID; TAB unless the file states another.
    pub delimiter: char,
    /// From the numbers of the file to metres.
    pub to_metres: ToMetres,
    /// Columns of the MID.
    pub columns: Vec<Column>,
}

/// The `Transform` of the file and the unit of its `CoordSys` together: metres = unit · (factor · number + offset).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ToMetres {
    unit_m: f64,
    factor: [f64; 2],
    offset: [f64; 2],
}

impl ToMetres {
    const IDENTITY: Self = Self { unit_m: 1.0, factor: [1.0; 2], offset: [0.0; 2] };

    /// The point in metres of two numbers of the file.
    pub fn point(&self, x: f64, y: f64) -> Point2 {
        let [fx, fy] = self.factor;
        let [ox, oy] = self.offset;
        Point2::new(self.unit_m * (fx * x + ox), self.unit_m * (fy * y + oy))
    }
}

/// Units of MapInfo and their length in metres (MapInfo Professional User Guide, appendix on units).
const UNITS_M: [(&str, f64); 12] = [
    ("m", 1.0),
    ("mm", 0.001),
    ("cm", 0.01),
    ("km", 1000.0),
    ("in", 0.0254),
    ("ft", 0.3048),
    ("survey ft", 1200.0 / 3937.0),
    ("yd", 0.9144),
    ("mi", 1609.344),
    ("nmi", 1852.0),
    ("ch", 20.1168),
    ("rd", 5.0292),
];

/// Reads the header and the line `Data`.
pub(crate) fn read(scanner: &mut Scanner<'_>, notices: &mut Notices) -> Result<Header, ReadError> {
    let mut header = Header { delimiter: '\t', to_metres: ToMetres::IDENTITY, columns: Vec::new() };
    let mut has_coordinate_system = false;
    while let Some((word, rest)) = scanner.next_line() {
        match word.to_ascii_lowercase().as_str() {
            "version" | "charset" | "unique" | "index" | "bounds" => {}
            "delimiter" => header.delimiter = delimiter(scanner, rest)?,
            "coordsys" => {
                has_coordinate_system = true;
                header.to_metres.unit_m = unit_m(scanner, rest, notices)?;
            }
            "transform" => transform(scanner, rest, &mut header.to_metres)?,
            "columns" => header.columns = columns(scanner, rest, notices)?,
            "data" => {
                if !has_coordinate_system {
                    notices.push(no_coordinate_system());
                }
                return Ok(header);
            }
            _ => scanner.note_unknown(word, notices),
        }
    }
    Err(ReadError::malformed(scanner.file(), Place::File, "a line 'Data'", "the end of the file"))
}

fn no_coordinate_system() -> Finding {
    let message = "the file has no CoordSys; its coordinates were read as metres of a local frame";
    Finding::new(Level::Info, "COORDSYS_MISSING", message)
        .hint("write: CoordSys NonEarth Units \"m\" Bounds (xmin, ymin) (xmax, ymax)")
}

fn delimiter(scanner: &Scanner<'_>, rest: &str) -> Result<char, ReadError> {
    let letter = rest.strip_prefix('"').and_then(|rest| rest.chars().next());
    letter
        .filter(|&letter| letter != '"')
        .ok_or_else(|| scanner.wrong("one character in quotes, such as \",\"", excerpt(rest.as_bytes())))
}

/// Length of the unit of a coordinate system. Degrees are refused: scores need metres.
fn unit_m(scanner: &Scanner<'_>, rest: &str, notices: &mut Notices) -> Result<f64, ReadError> {
    let refused = |found: String| {
        scanner.wrong("a CoordSys in metres or another length", found).with_hint(
            "project the layer to metres first, for instance to NonEarth Units \"m\" or to UTM; \
             angles cannot be compared with a map",
        )
    };
    let words: Vec<_> = rest.split([' ', '\t', ',']).filter(|word| !word.is_empty()).collect();
    let is =
        |index: usize, word: &str| words.get(index).is_some_and(|found| found.eq_ignore_ascii_case(word));
    // Projection 1 is longitude and latitude; `CoordSys Earth` alone means the same.
    if is(0, "earth") && (!is(1, "projection") || is(2, "1")) {
        return Err(refused(format!("longitude and latitude ({})", excerpt(rest.as_bytes()))));
    }
    let Some(unit) = rest.split('"').nth(1) else {
        let message = "the CoordSys names no unit; metres were assumed";
        notices.push(Finding::warning("COORDSYS_WITHOUT_UNIT", message).at_line(scanner.line()));
        return Ok(1.0);
    };
    let known = UNITS_M.iter().find(|(name, _)| name.eq_ignore_ascii_case(unit.trim()));
    let &(_, unit_m) = known.ok_or_else(|| refused(format!("the unit '{unit}'")))?;
    if unit_m != 1.0 {
        let message = format!("coordinates are in '{unit}'; they were multiplied by {unit_m} to give metres");
        notices.push(Finding::new(Level::Info, "UNITS_CONVERTED", message).at_line(scanner.line()));
    }
    Ok(unit_m)
}

fn transform(scanner: &Scanner<'_>, rest: &str, to_metres: &mut ToMetres) -> Result<(), ReadError> {
    let numbers = rest.split([' ', '\t', ',']).filter(|word| !word.is_empty()).map(str::parse);
    let numbers: Vec<f64> = numbers.collect::<Result<_, _>>().unwrap_or_default();
    let [fx, fy, ox, oy] = numbers[..] else {
        return Err(scanner.wrong("four numbers after 'Transform'", excerpt(rest.as_bytes())));
    };
    if ![fx, fy, ox, oy].iter().all(|number| number.is_finite()) {
        return Err(scanner.wrong("finite numbers after 'Transform'", excerpt(rest.as_bytes())));
    }
    // A multiplier of 0 means that there is none (MapInfo Interchange Format, Transform clause).
    let factor = |number: f64| if number == 0.0 { 1.0 } else { number };
    to_metres.factor = [factor(fx), factor(fy)];
    to_metres.offset = [ox, oy];
    Ok(())
}

fn columns(scanner: &mut Scanner<'_>, rest: &str, notices: &mut Notices) -> Result<Vec<Column>, ReadError> {
    let count: usize =
        rest.trim().parse().map_err(|_| scanner.wrong("the number of columns", excerpt(rest.as_bytes())))?;
    let mut columns = Vec::new();
    check_columns(scanner.file(), count)?;
    for index in 0..count {
        let Some((name, rest)) = scanner.next_line() else {
            let found = format!("{index} columns");
            return Err(ReadError::malformed(scanner.file(), Place::File, format!("{count} columns"), found));
        };
        if name.eq_ignore_ascii_case("data") && rest.is_empty() {
            return Err(scanner.wrong(format!("{count} columns"), format!("'Data' after {index} columns")));
        }
        columns.push(Column { name: name.to_owned(), kind: column_type(scanner, rest, notices) });
    }
    Ok(columns)
}

fn column_type(scanner: &Scanner<'_>, written: &str, notices: &mut Notices) -> ColumnType {
    let (word, arguments) = written.split_once('(').unwrap_or((written, ""));
    let mut arguments = arguments.trim_end_matches([')', ' ', '\t']).split(',').map(str::trim);
    let width: Option<usize> = arguments.next().and_then(|argument| argument.parse().ok());
    let decimals: Option<usize> = arguments.next().and_then(|argument| argument.parse().ok());
    match word.trim().to_ascii_lowercase().as_str() {
        "char" => ColumnType::Text { width: width.unwrap_or(MAX_TEXT_WIDTH) },
        "integer" | "smallint" | "largeint" => ColumnType::Integer,
        "decimal" if decimals == Some(0) => ColumnType::Integer,
        "decimal" | "float" => ColumnType::Real,
        "logical" => ColumnType::Logical,
        "date" => ColumnType::Text { width: 8 },
        "time" => ColumnType::Text { width: 9 },
        "datetime" => ColumnType::Text { width: 17 },
        _ => {
            notices.note("COLUMN_TYPE_UNKNOWN", scanner.line(), || {
                let message =
                    format!("the column type {} is unknown; text was assumed", excerpt(written.as_bytes()));
                Finding::warning("COLUMN_TYPE_UNKNOWN", message)
                    .hint("use char(w), integer, smallint, decimal(w,d), float, date or logical")
            });
            ColumnType::Text { width: MAX_TEXT_WIDTH }
        }
    }
}

/// The widest text column that MapInfo takes.
pub(crate) const MAX_TEXT_WIDTH: usize = 254;

#[cfg(test)]
mod tests {
    use super::*;

    fn header(text: &str) -> Result<(Header, Vec<Finding>), ReadError> {
        let mut notices = Notices::default();
        let header = read(&mut Scanner::new("f.mif", text), &mut notices)?;
        Ok((header, notices.into_findings()))
    }

    #[test]
    fn every_header_line_is_read_in_any_case() {
        let text = "VERSION 300\nCharset \"Neutral\"\nDELIMITER \";\"\nUnique 1\nINDEX 1,2\n\
            CoordSys NonEarth Units \"cm\"\n  Bounds (0, 0) (1, 1)\nTransform 2,0,10,20\ncolumns 8\n\
            A char(16)\nB Integer\nC SmallInt\nD Decimal(10, 2)\nE decimal (9,0)\nF Float\nG Date\nH logical\ndata\n";
        let (header, findings) = header(text).unwrap();
        assert_eq!(header.delimiter, ';');
        assert_eq!(header.to_metres.point(1.0, 2.0), Point2::new(0.12, 0.22));
        let kinds: Vec<_> = header.columns.iter().map(|column| column.kind).collect();
        let (integer, real) = (ColumnType::Integer, ColumnType::Real);
        let text = |width| ColumnType::Text { width };
        assert_eq!(kinds, [text(16), integer, integer, real, integer, real, text(8), ColumnType::Logical]);
        assert_eq!(
            findings.iter().map(|finding| finding.code.as_ref()).collect::<Vec<_>>(),
            ["UNITS_CONVERTED"]
        );
    }

    #[test]
    fn longitude_and_latitude_are_refused_with_a_hint() {
        for system in
            ["Earth Projection 1, 0", "Earth", "earth projection 1, 104", "NonEarth Units \"degree\""]
        {
            let error = header(&format!("Version 300\nCoordSys {system}\nColumns 0\nData\n")).unwrap_err();
            assert!(error.to_string().starts_with("f.mif: line 2: expected a CoordSys in metres"), "{error}");
            assert!(error.hint().unwrap().contains("project the layer to metres"));
        }
        assert!(header("CoordSys Earth Projection 8, 104, \"m\", 9, 0, 0.9996, 500000, 0\nData\n").is_ok());
    }

    #[test]
    fn oddities_of_the_header_are_findings() {
        for (text, code, line) in [
            ("Version 450\nData\n", "COORDSYS_MISSING", None),
            ("CoordSys NonEarth\nData\n", "COORDSYS_WITHOUT_UNIT", Some(1)),
            ("CoordSys NonEarth Units \"m\"\nHello you\nData\n", "UNKNOWN_RECORD", Some(2)),
            ("CoordSys NonEarth Units \"m\"\nColumns 1\nA blob\nData\n", "COLUMN_TYPE_UNKNOWN", Some(3)),
        ] {
            let (_, findings) = header(text).unwrap();
            let found: Vec<_> =
                findings.iter().map(|finding| (finding.code.as_ref(), finding.line)).collect();
            assert_eq!(found, [(code, line)], "{text}");
        }
    }

    #[test]
    fn a_broken_header_is_refused_with_its_line() {
        for (text, expected) in [
            ("", "file: expected a line 'Data', found the end of the file"),
            ("Columns x\n", "line 1: expected the number of columns"),
            ("Columns 3\nA float\n", "file: expected 3 columns, found 1 columns"),
            ("Columns 9\nA float\nData\n", "line 3: expected 9 columns, found 'Data' after 1 columns"),
            ("Columns 99999999999999\n", "file: expected at most 1024 columns, found 99999999999999"),
            ("Delimiter ,\nData\n", "line 1: expected one character in quotes"),
            ("Delimiter \"\"\nData\n", "line 1: expected one character in quotes"),
            ("Transform 1,2\nData\n", "line 1: expected four numbers"),
            ("Transform nan,1,1,1\nData\n", "line 1: expected finite numbers"),
        ] {
            let error = header(text).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
    }
}

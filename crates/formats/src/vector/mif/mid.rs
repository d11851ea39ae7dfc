//! The attributes of a MIF layer: the MID file beside it, one row of delimited fields per object.
//!
//! Texts stand in double quotes, doubled inside; an empty field is missing. Numbers are finite. Blanks after the
//! delimiter, as USARSim's WorldGen4 writes them, are taken and noted.

use model::{Attribute, Column, ColumnType, Finding, Level};

use crate::error::excerpt;
use crate::notices::Notices;
use crate::text::delimited::{Field, fields, in_quotes};
use crate::{Place, ReadError, WriteError};

/// What the rows of a MID file must be.
pub(crate) struct Table<'a> {
    pub file: &'a str,
    pub columns: &'a [Column],
    pub delimiter: char,
    /// Number of objects in the MIF file.
    pub objects: usize,
}

impl Table<'_> {
    /// Reads one row of attributes per object.
    pub fn read(&self, text: &str, notices: &mut Notices) -> Result<Vec<Vec<Attribute>>, ReadError> {
        let mut lines: Vec<&str> = text.lines().collect();
        // In a table of one column a blank line is a row; at the end of a file it is mostly none.
        while lines.len() > self.objects && lines.last().is_some_and(|line| line.trim().is_empty()) {
            lines.pop();
        }
        if lines.len() != self.objects {
            let expected = format!("{} rows, one per object of the MIF file", self.objects);
            return Err(ReadError::malformed(
                self.file,
                Place::File,
                expected,
                format!("{} rows", lines.len()),
            )
            .with_hint("write one row per object; an object without geometry is 'None'"));
        }
        lines.iter().enumerate().map(|(index, line)| self.row(index + 1, line, notices)).collect()
    }

    fn row(&self, line: usize, text: &str, notices: &mut Notices) -> Result<Vec<Attribute>, ReadError> {
        if self.columns.is_empty() {
            return Ok(Vec::new());
        }
        let wrong = |expected: String, found: String| {
            ReadError::malformed(self.file, Place::Line(line), expected, found)
        };
        let fields = fields(text, self.delimiter)
            .map_err(|fault| wrong(fault.expected().to_owned(), excerpt(text.as_bytes())))?;
        if fields.len() != self.columns.len() {
            let expected =
                format!("{} fields between '{}'", self.columns.len(), self.delimiter.escape_default());
            return Err(wrong(expected, fields.len().to_string()));
        }
        if fields.iter().skip(1).any(|field| field.is_indented) {
            notices.note("BLANK_AFTER_DELIMITER", line, || {
                let message = "blanks stand after the delimiters of the MID file; they were left out";
                Finding::new(Level::Info, "BLANK_AFTER_DELIMITER", message)
            });
        }
        let attribute = |(column, field): (&Column, &Field<'_>)| {
            attribute(column.kind, field).ok_or_else(|| {
                let expected = format!("{} in column {}", expected_value(column.kind), column.name);
                wrong(expected, excerpt(field.text.as_bytes()))
            })
        };
        self.columns.iter().zip(&fields).map(attribute).collect()
    }
}

const fn expected_value(kind: ColumnType) -> &'static str {
    match kind {
        ColumnType::Text { .. } => "a text",
        ColumnType::Integer => "a whole number",
        ColumnType::Real => "a finite number",
        ColumnType::Logical => "T or F",
    }
}

fn attribute(kind: ColumnType, field: &Field<'_>) -> Option<Attribute> {
    if field.text.is_empty() {
        return Some(Attribute::Missing);
    }
    let text = field.text.trim();
    match kind {
        ColumnType::Text { .. } => Some(Attribute::Text(field.text.clone().into_owned())),
        ColumnType::Integer => whole_number(text).map(Attribute::Integer),
        ColumnType::Real => text.parse().ok().filter(|number: &f64| number.is_finite()).map(Attribute::Real),
        ColumnType::Logical => match text.to_ascii_lowercase().as_str() {
            "t" | "true" | "y" | "yes" | "1" => Some(Attribute::Logical(true)),
            "f" | "false" | "n" | "no" | "0" => Some(Attribute::Logical(false)),
            _ => None,
        },
    }
}

/// A whole number; some programs write it as `3.0`.
fn whole_number(text: &str) -> Option<i64> {
    let digits = match text.split_once('.') {
        Some((whole, zeros)) if zeros.bytes().all(|digit| digit == b'0') => whole,
        _ => text,
    };
    digits.parse().ok()
}

/// One row of a MID file, without its line end.
pub(crate) fn row(
    columns: &[Column],
    attributes: &[Attribute],
    delimiter: char,
    feature: usize,
) -> Result<String, WriteError> {
    let refused =
        |place: String, expected: String, found: String| WriteError::new("mif", place, expected, found);
    if attributes.len() != columns.len() {
        let (expected, found) = (format!("{} attributes", columns.len()), attributes.len().to_string());
        return Err(refused(format!("feature {feature}"), expected, found));
    }
    let mut row = String::new();
    for (index, (column, attribute)) in columns.iter().zip(attributes).enumerate() {
        if index > 0 {
            row.push(delimiter);
        }
        let field = field_of(column.kind, attribute);
        row += &field.ok_or_else(|| {
            let place = format!("feature {feature}, column {}", column.name);
            let expected = match column.kind {
                ColumnType::Text { width } => format!("a text of one line and at most {width} characters"),
                kind => expected_value(kind).to_owned(),
            };
            refused(place, expected, format!("{attribute:?}"))
        })?;
    }
    Ok(row)
}

fn field_of(kind: ColumnType, attribute: &Attribute) -> Option<String> {
    match (kind, attribute) {
        (ColumnType::Text { .. }, Attribute::Missing) => Some("\"\"".to_owned()),
        (_, Attribute::Missing) => Some(String::new()),
        (ColumnType::Text { width }, Attribute::Text(text)) => {
            let fits = !text.is_empty() && !text.contains(['\n', '\r']) && text.chars().count() <= width;
            fits.then(|| in_quotes(text))
        }
        (ColumnType::Integer, Attribute::Integer(number)) => Some(number.to_string()),
        (ColumnType::Real, Attribute::Real(number)) => number.is_finite().then(|| number.to_string()),
        (ColumnType::Logical, Attribute::Logical(yes)) => Some(if *yes { "T" } else { "F" }.to_owned()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(name: &str, kind: ColumnType) -> Column {
        Column { name: name.to_owned(), kind }
    }

    fn read(
        columns: &[Column],
        objects: usize,
        text: &str,
    ) -> Result<(Vec<Vec<Attribute>>, Vec<Finding>), ReadError> {
        let mut notices = Notices::default();
        let table = Table { file: "f.mid", columns, delimiter: ',', objects };
        Ok((table.read(text, &mut notices)?, notices.into_findings()))
    }

    #[test]
    fn each_type_has_its_forms() {
        let kinds =
            [ColumnType::Text { width: 9 }, ColumnType::Integer, ColumnType::Real, ColumnType::Logical];
        let columns: Vec<_> = kinds.into_iter().map(|kind| column("C", kind)).collect();
        let (rows, findings) =
            read(&columns, 3, "\"a,\"\"b\"\"\", 7, -1.5e3, T\r\nplain,3.0,2,false\n\"\",,,\n\n").unwrap();
        let text = |text: &str| Attribute::Text(text.to_owned());
        let expected = [
            vec![text("a,\"b\""), Attribute::Integer(7), Attribute::Real(-1500.0), Attribute::Logical(true)],
            vec![text("plain"), Attribute::Integer(3), Attribute::Real(2.0), Attribute::Logical(false)],
            vec![Attribute::Missing; 4],
        ];
        assert_eq!(rows, expected);
        assert_eq!((findings[0].code.as_ref(), findings[0].line), ("BLANK_AFTER_DELIMITER", Some(1)));
    }

    #[test]
    fn rows_and_objects_must_be_equally_many() {
        let columns = [column("N", ColumnType::Integer)];
        let error = read(&columns, 3, "1\n2\n").unwrap_err();
        assert_eq!(
            error.to_string(),
            "f.mid: file: expected 3 rows, one per object of the MIF file, found 2 rows"
        );
        assert!(read(&columns, 1, "1\n2\n").unwrap_err().to_string().contains("expected 1 rows"));
        assert_eq!(read(&columns, 2, "1\n\n").unwrap().0[1], [Attribute::Missing]);
        assert_eq!(read(&columns, 1, "1\n\n\n").unwrap().0.len(), 1);
    }

    #[test]
    fn fields_of_the_wrong_type_or_number_are_refused_with_their_line() {
        let columns = [column("N", ColumnType::Integer), column("R", ColumnType::Real)];
        for (row, expected) in [
            ("1,2\n1", "line 2: expected 2 fields between ',', found 1"),
            ("1,2\n1,2,3", "line 2: expected 2 fields between ',', found 3"),
            ("1,2\nx,2", "line 2: expected a whole number in column N, found \"x\""),
            ("1,2\n1.5,2", "line 2: expected a whole number in column N, found \"1.5\""),
            ("1,2\n1,nan", "line 2: expected a finite number in column R, found \"nan\""),
            ("1,2\n1,\"2", "line 2: expected a closing quote"),
        ] {
            let error = read(&columns, 2, row).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
    }
}

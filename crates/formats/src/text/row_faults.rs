//! Rows that break their format. They are left out, each one is counted, and the first of a kind are shown.

use model::{Finding, Level};

use crate::error::excerpt;
use crate::text::decimal;
use crate::text::number_rows::Row;
use crate::{BadRows, Place, ReadError};

/// What is found where there is no row at all.
const NO_ROW: &str = "none: the file is empty, or has comments only";
/// Rows of a kind that get a finding of their own.
const SHOWN: usize = 10;

/// The faulty rows of a file.
#[derive(Default)]
pub(crate) struct RowFaults {
    allowed: BadRows,
    kinds: Vec<Kind>,
    first: Option<(usize, String, String)>,
}

struct Kind {
    code: &'static str,
    rows: usize,
    shown: Vec<Finding>,
}

impl RowFaults {
    /// No faulty row so far; more than allowed will make the file unreadable.
    pub fn allowing(allowed: BadRows) -> Self {
        Self { allowed, ..Self::default() }
    }

    /// Notes a row that is left out.
    pub fn add(&mut self, code: &'static str, line: usize, expected: &str, found: &[u8]) {
        let at = self.kinds.iter().position(|kind| kind.code == code).unwrap_or_else(|| {
            self.kinds.push(Kind { code, rows: 0, shown: Vec::new() });
            self.kinds.len() - 1
        });
        let kind = &mut self.kinds[at];
        kind.rows += 1;
        if kind.rows > SHOWN {
            return;
        }
        let found = excerpt(found);
        let message = format!("expected {expected}, found {found}; the row was left out");
        kind.shown.push(Finding::new(Level::Error, code, message).at_line(line));
        self.first.get_or_insert_with(|| (line, expected.to_owned(), found));
    }

    /// Notes a row of the wrong number of fields, else the field that is no number. `expected` is what a row is: how
    /// many numbers, then the name of each.
    pub fn add_row(&mut self, line: usize, row: Row, (fields, expected): (usize, &str), found: &[u8]) {
        if row.fields != fields {
            let expected = format!("{expected} ({} fields found)", row.fields);
            return self.add("ROW_FIELDS", line, &expected, found);
        }
        match first_field(found, |number| number.is_none()) {
            Some((index, field)) => {
                let expected = format!("a number for {} in {expected}", column(expected, index));
                self.add("ROW_NOT_NUMBERS", line, &expected, field);
            }
            None => self.add("ROW_NOT_NUMBERS", line, expected, found),
        }
    }

    /// Notes a row with a number that is not finite.
    pub fn add_not_finite(&mut self, line: usize, expected: &str, found: &[u8]) {
        match first_field(found, |number| number.is_some_and(|n| !n.is_finite())) {
            Some((index, field)) => {
                let expected = format!("a finite {} in {expected}", column(expected, index));
                self.add("ROW_NOT_FINITE", line, &expected, field);
            }
            None => self.add("ROW_NOT_FINITE", line, "finite numbers", found),
        }
    }

    /// True if no row is faulty.
    pub const fn is_empty(&self) -> bool {
        self.kinds.is_empty()
    }

    /// The findings, or an error if there is no good row, or more faulty ones than allowed.
    pub fn findings(self, file: &str, good_rows: usize, wanted: &str) -> Result<Vec<Finding>, ReadError> {
        let faulty: usize = self.kinds.iter().map(|kind| kind.rows).sum();
        if let (BadRows::AtMost(allowed), Some((line, expected, found))) = (self.allowed, &self.first)
            && faulty > allowed
        {
            let error = ReadError::malformed(file, Place::Line(*line), expected.clone(), found.clone());
            let hint =
                format!("{faulty} rows are faulty; repair them, or leave them out with skip_bad = {faulty}");
            return Err(error.with_hint(hint));
        }
        if good_rows == 0 {
            let (place, expected, found) = match self.first {
                Some((line, expected, found)) => (Place::Line(line), expected, found),
                None => (Place::File, format!("at least one {wanted}"), NO_ROW.to_owned()),
            };
            return Err(ReadError::malformed(file, place, expected, found));
        }
        Ok(self.kinds.into_iter().flat_map(Kind::findings).collect())
    }
}

/// The first field of a row of which `is_wanted` is true, with its number in the row.
fn first_field(text: &[u8], is_wanted: impl Fn(Option<f64>) -> bool) -> Option<(usize, &[u8])> {
    let is_separator = |byte: &u8| matches!(byte, b' ' | b'\t' | b',' | b';' | b'\r');
    let fields = text.split(is_separator).filter(|field| !field.is_empty());
    fields.enumerate().find(|(_, field)| is_wanted(decimal::number(field)))
}

/// The name of a column in what a row is.
fn column(expected: &str, index: usize) -> &str {
    expected.split_whitespace().skip(2).nth(index).unwrap_or("a field")
}

impl Kind {
    fn findings(mut self) -> Vec<Finding> {
        if self.rows > SHOWN {
            let message = format!("{} more rows like this were left out", self.rows - SHOWN);
            self.shown.push(Finding::new(Level::Error, self.code, message));
        }
        self.shown
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_rows_are_shown_and_the_others_counted() {
        let mut faults = RowFaults::default();
        for line in 1..=25 {
            faults.add("A_CODE", line, "4 numbers", b"1 2");
        }
        let findings = faults.findings("f", 1, "pose").unwrap();
        assert_eq!(findings.len(), 11);
        assert_eq!((findings[9].line, findings[9].level), (Some(10), Level::Error));
        assert_eq!(findings[10].message, "15 more rows like this were left out");
    }

    #[test]
    fn without_a_good_row_the_first_fault_is_the_error() {
        let mut faults = RowFaults::default();
        faults.add("A_CODE", 3, "4 numbers", b"lorem");
        let error = faults.findings("f", 0, "pose").unwrap_err();
        assert_eq!(error.to_string(), "f: line 3: expected 4 numbers, found \"lorem\"");
        let error = RowFaults::default().findings("f", 0, "pose").unwrap_err();
        assert_eq!(
            error.to_string(),
            "f: file: expected at least one pose, found none: the file is empty, or has comments only"
        );
    }
    #[test]
    fn the_field_is_named() {
        let row = "4 numbers x y theta t";
        let mut faults = RowFaults::default();
        faults.add_not_finite(7, row, b"1 nan 3 4");
        let words = Row { fields: 4, is_unreadable: true, ..Row::default() };
        faults.add_row(8, words, (4, row), b"1 2 abc 4");
        let messages: Vec<String> =
            faults.findings("f", 1, "pose").unwrap().into_iter().map(|finding| finding.message).collect();
        assert!(messages[0].starts_with("expected a finite y in 4 numbers x y theta t, found \"nan\""));
        assert!(
            messages[1].starts_with("expected a number for theta in 4 numbers x y theta t, found \"abc\"")
        );
    }

    #[test]
    fn more_faulty_rows_than_allowed_are_an_error() {
        let faults = |allowed| {
            let mut faults = RowFaults::allowing(allowed);
            faults.add("A_CODE", 3, "4 numbers", b"lorem");
            faults.add("B_CODE", 9, "4 numbers", b"ipsum");
            faults.findings("f", 10, "pose")
        };
        assert_eq!(faults(BadRows::AtMost(2)).unwrap().len(), 2);
        let error = faults(BadRows::AtMost(1)).unwrap_err();
        assert_eq!(error.to_string(), "f: line 3: expected 4 numbers, found \"lorem\"");
        assert!(error.hint().unwrap().contains("skip_bad = 2"));
    }
}

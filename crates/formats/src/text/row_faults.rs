//! Rows that break their format. They are left out, each one is counted, and the first of a kind are shown.

use model::{Finding, Level};

use crate::error::excerpt;
use crate::text::number_rows::Row;
use crate::{Place, ReadError};

/// Rows of a kind that get a finding of their own.
const SHOWN: usize = 10;

/// The faulty rows of a file.
#[derive(Default)]
pub(crate) struct RowFaults {
    kinds: Vec<Kind>,
    first: Option<(usize, String, String)>,
}

struct Kind {
    code: &'static str,
    rows: usize,
    shown: Vec<Finding>,
}

impl RowFaults {
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

    /// Notes a row of the wrong number of fields, else one with a field that is no number.
    pub fn add_row(&mut self, line: usize, row: Row, (fields, expected): (usize, &str), found: &[u8]) {
        if row.fields == fields {
            self.add("ROW_NOT_NUMBERS", line, expected, found);
        } else {
            let expected = format!("{expected} ({} fields found)", row.fields);
            self.add("ROW_FIELDS", line, &expected, found);
        }
    }

    /// True if no row is faulty.
    pub const fn is_empty(&self) -> bool {
        self.kinds.is_empty()
    }

    /// The findings, or an error if there is no good row.
    pub fn findings(self, file: &str, good_rows: usize, wanted: &str) -> Result<Vec<Finding>, ReadError> {
        if good_rows == 0 {
            let (place, expected, found) = match self.first {
                Some((line, expected, found)) => (Place::Line(line), expected, found),
                None => (Place::File, format!("at least one {wanted}"), "none".to_owned()),
            };
            return Err(ReadError::malformed(file, place, expected, found));
        }
        Ok(self.kinds.into_iter().flat_map(Kind::findings).collect())
    }
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
        assert_eq!(error.to_string(), "f: file: expected at least one pose, found none");
    }
}

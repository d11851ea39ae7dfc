//! Rows of numbers: fields parted by blanks, or by commas or semicolons; `#` begins a comment.

use crate::ReadError;
use crate::format::without_byte_order_mark;
use crate::source::Source;
use crate::text::decimal;
use crate::text::lines::each_line;
use crate::text::row_faults::RowFaults;

/// What a line holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Row {
    /// Fields of the line, also those beyond the numbers asked for; 0 for a comment or an empty line.
    pub fields: usize,
    /// Whether a comma or semicolon parts fields.
    pub has_commas: bool,
    /// Whether a field is no number.
    pub is_unreadable: bool,
}

/// Reads the numbers of a line into `numbers`; those that are not there keep their old value.
#[inline]
pub(crate) fn read_row(line: &[u8], numbers: &mut [f64]) -> Row {
    let mut row = Row::default();
    let mut at = 0;
    loop {
        // One blank before a number is what nearly all rows have.
        if row.fields > 0 && matches!(line.get(at..at + 2), Some([b' ', b'0'..=b'9' | b'-'])) {
            at = row.take(line, at + 1, numbers);
            continue;
        }
        let mut commas = 0;
        while let Some(byte) = line.get(at).filter(|byte| is_separator(**byte)) {
            commas += usize::from(matches!(byte, b',' | b';'));
            at += 1;
        }
        row.has_commas |= commas > 0;
        let is_at_end = at == line.len() || line[at] == b'#';
        // Nothing stands before the first comma, between two, or after the last.
        let empty_fields = if row.fields == 0 || is_at_end { commas } else { commas.saturating_sub(1) };
        row.fields += empty_fields;
        row.is_unreadable |= empty_fields > 0;
        if is_at_end {
            return row;
        }
        at = row.take(line, at, numbers);
    }
}

impl Row {
    /// Takes the field at `at`; the end of it.
    #[inline]
    fn take(&mut self, line: &[u8], at: usize, numbers: &mut [f64]) -> usize {
        let (number, length) = field(&line[at..]);
        if let Some(place) = numbers.get_mut(self.fields) {
            match number {
                Some(number) => *place = number,
                None => self.is_unreadable = true,
            }
        }
        self.fields += 1;
        at + length
    }
}

#[inline]
const fn is_separator(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b',' | b';' | b'\r')
}

/// The number of the field at the start of `text`, and the length of the field.
#[inline]
fn field(text: &[u8]) -> (Option<f64>, usize) {
    if let Some((number, length)) = decimal::leading_number(text)
        && text.get(length).is_none_or(|byte| is_separator(*byte) || *byte == b'#')
    {
        return (Some(number), length);
    }
    unusual_field(text)
}

/// As [`field`], for words and for numbers with something behind them.
#[cold]
#[inline(never)]
fn unusual_field(text: &[u8]) -> (Option<f64>, usize) {
    let end = text.iter().position(|byte| is_separator(*byte) || *byte == b'#').unwrap_or(text.len());
    (decimal::number(&text[..end]), end)
}

/// A row of a table of numbers.
#[derive(Clone, Copy)]
pub(crate) struct NumberRow<'a> {
    pub line: usize,
    pub text: &'a [u8],
    pub fields: usize,
}

/// Shows each row of finite numbers, up to `N` of them; rows of another number of fields, with words or with numbers that
/// are not finite become faults. `columns` are the numbers of fields that a row may have, the usual one first, and
/// `expected` is what a row is. Returns the first line with a comma.
#[inline]
pub(crate) fn each_number_row<const N: usize>(
    source: &mut Source<'_>,
    faults: &mut RowFaults,
    (columns, expected): (&[usize], &str),
    mut each: impl FnMut(NumberRow<'_>, &[f64; N], &mut RowFaults),
) -> Result<Option<usize>, ReadError> {
    let mut first_comma = None;
    each_line(source, |line, text| {
        let mut numbers = [0.0; N];
        let row = read_row(text, &mut numbers);
        if row.has_commas {
            first_comma.get_or_insert(line);
        }
        if row.fields == 0 {
            return Ok(());
        }
        if !columns.contains(&row.fields) || row.is_unreadable {
            faults.add_row(line, row, (columns[0], expected), text);
        } else if numbers.iter().all(|number| number.is_finite()) {
            each(NumberRow { line, text, fields: row.fields }, &numbers, faults);
        } else {
            faults.add_not_finite(line, expected, text);
        }
        Ok(())
    })?;
    Ok(first_comma)
}

/// The first rows of a file, by which its format is recognised.
pub(crate) struct Sample<const N: usize> {
    /// Rows of exactly `N` numbers.
    pub rows: Vec<[f64; N]>,
    /// Rows that were looked at.
    pub looked_at: usize,
    /// Whether a number lies outside 0 to 1. If none does, the rows may as well be a map of probabilities.
    pub is_beyond_probabilities: bool,
}

impl<const N: usize> Sample<N> {
    /// Looks at up to 20 rows of the head of a file; at more while all their numbers may be probabilities, as in
    /// the log of a robot that waits at its origin.
    pub fn of(head: &[u8]) -> Self {
        const ROWS: usize = 20;
        let mut sample = Self { rows: Vec::new(), looked_at: 0, is_beyond_probabilities: false };
        let head = without_byte_order_mark(head);
        // The head may end inside its last line.
        let whole = memchr::memrchr(b'\n', head).map_or(head, |end| &head[..end]);
        for line in whole.split(|byte| *byte == b'\n') {
            let mut numbers = [f64::NAN; N];
            let row = read_row(line, &mut numbers);
            if row.fields == 0 {
                continue;
            }
            sample.looked_at += 1;
            if row.fields == N && !row.is_unreadable {
                sample.is_beyond_probabilities |= numbers.iter().any(|number| !(0.0..=1.0).contains(number));
                sample.rows.push(numbers);
            }
            if sample.looked_at >= ROWS && (sample.is_beyond_probabilities || sample.rows.is_empty()) {
                break;
            }
        }
        sample
    }

    /// True if at least half of the rows have `N` numbers of which `fits` is true.
    pub fn mostly(&self, fits: impl Fn(&[f64; N]) -> bool) -> bool {
        let fitting = self.rows.iter().filter(|row| fits(row)).count();
        fitting > 0 && 2 * fitting >= self.looked_at
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(line: &str) -> (Row, [f64; 4]) {
        let mut numbers = [f64::NAN; 4];
        (read_row(line.as_bytes(), &mut numbers), numbers)
    }

    #[test]
    fn blanks_and_commas_part_fields() {
        for line in ["1 2 3 4", " 1\t2  3 4 ", "1,2,3,4", "1, 2 ,3;4", "1 2 3 4 # 5"] {
            let (found, numbers) = row(line);
            assert_eq!(
                (found.fields, found.is_unreadable, numbers),
                (4, false, [1.0, 2.0, 3.0, 4.0]),
                "{line}"
            );
            assert_eq!(found.has_commas, line.contains(','), "{line}");
        }
    }

    #[test]
    fn comments_and_empty_lines_have_no_field() {
        for line in ["", "  ", "# 1 2", "\t# x", "\r"] {
            assert_eq!(row(line).0, Row::default(), "{line:?}");
        }
    }

    #[test]
    fn empty_fields_and_words_are_unreadable_and_counted() {
        for (line, fields) in [("1,,2", 3), (",1", 2), ("1,", 2), ("a 1", 2), ("1 2 3 4,", 5), ("1-2", 1)] {
            let (found, _) = row(line);
            assert_eq!((found.fields, found.is_unreadable), (fields, true), "{line}");
        }
        assert_eq!(row("1 2 3 4 5 x").0.fields, 6);
        assert!(row("nan 0 0 1").1[0].is_nan());
    }
}

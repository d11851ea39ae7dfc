//! Lines of a text file, one after the other: large logs never stand in memory as a whole.

use crate::format::without_byte_order_mark;
use crate::source::Source;
use crate::{Place, ReadError};

/// The longest line that is read. A scan of 4000 beams has about 40 kB.
pub(crate) const MAX_LINE_BYTES: usize = 1 << 20;

/// Shows each line with its number, counted from 1, without LF or CR LF and without the byte-order mark.
/// The first error ends the reading.
pub(crate) fn each_line(
    source: &mut Source<'_>,
    mut each: impl FnMut(usize, &[u8]) -> Result<(), ReadError>,
) -> Result<(), ReadError> {
    each_line_with_end(source, |number, line, _| each(number, line))
}

/// As [`each_line`], with the end of the line: LF, CR LF, or nothing at the end of the file.
pub(crate) fn each_line_with_end(
    source: &mut Source<'_>,
    mut each: impl FnMut(usize, &[u8], &[u8]) -> Result<(), ReadError>,
) -> Result<(), ReadError> {
    let file = source.name().to_owned();
    let start = source.head().len() - without_byte_order_mark(source.head()).len();
    let mut lines = Lines { number: 0, begun: Vec::new(), each: &mut each };
    let mut result = Ok(());
    source.stream(start, &mut |piece| {
        if result.is_ok() {
            result = lines.take(&file, piece);
        }
    })?;
    result?;
    lines.finish()
}

/// Cuts pieces into lines.
struct Lines<'e, E> {
    number: usize,
    /// The part of a line at the end of the last piece.
    begun: Vec<u8>,
    each: &'e mut E,
}

impl<E: FnMut(usize, &[u8], &[u8]) -> Result<(), ReadError>> Lines<'_, E> {
    fn take(&mut self, file: &str, piece: &[u8]) -> Result<(), ReadError> {
        let mut start = 0;
        for end in memchr::memchr_iter(b'\n', piece) {
            let line = &piece[start..end];
            start = end + 1;
            self.number += 1;
            if self.begun.is_empty() {
                let (line, end) = split_end(line);
                (self.each)(self.number, line, end)?;
            } else {
                self.begun.extend_from_slice(line);
                let line = std::mem::take(&mut self.begun);
                let (line, end) = split_end(&line);
                (self.each)(self.number, line, end)?;
            }
        }
        self.begun.extend_from_slice(&piece[start..]);
        if self.begun.len() > MAX_LINE_BYTES {
            let expected = format!("a line of at most {MAX_LINE_BYTES} bytes");
            return Err(ReadError::too_large(file, Place::Line(self.number + 1), expected, "a longer one"));
        }
        Ok(())
    }

    fn finish(self) -> Result<(), ReadError> {
        if self.begun.is_empty() {
            return Ok(());
        }
        (self.each)(self.number + 1, split_end(&self.begun).0, b"")
    }
}

/// A line before its LF, without the CR that belongs to its end, and that end.
fn split_end(line: &[u8]) -> (&[u8], &'static [u8]) {
    line.strip_suffix(b"\r").map_or((line, b"\n"), |line| (line, b"\r\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(content: &[u8]) -> Result<Vec<(usize, String)>, ReadError> {
        let mut source = Source::of_reader("f".to_owned(), 0, Box::new(content))?;
        let mut found = Vec::new();
        each_line(&mut source, |number, line| {
            found.push((number, String::from_utf8_lossy(line).into_owned()));
            Ok(())
        })?;
        Ok(found)
    }

    #[test]
    fn all_line_ends_give_the_same_lines() {
        let expected = [(1, "a b".to_owned()), (2, String::new()), (3, "c".to_owned())];
        for text in ["a b\n\nc\n", "a b\r\n\r\nc\r\n", "a b\n\nc", "\u{feff}a b\n\nc"] {
            assert_eq!(lines(text.as_bytes()).unwrap(), expected);
        }
        assert_eq!(lines(b"").unwrap(), []);
    }

    #[test]
    fn lines_across_pieces_are_whole() {
        let content: Vec<String> = (0..60_000).map(|i| format!("line {i} {}", "x".repeat(i % 37))).collect();
        let found = lines(content.join("\n").as_bytes()).unwrap();
        assert!(found.iter().map(|(_, line)| line).eq(&content));
        assert_eq!(found.last().unwrap().0, content.len());
    }

    #[test]
    fn an_endless_line_is_refused() {
        let error = lines(&vec![b'x'; 4 * MAX_LINE_BYTES]).unwrap_err();
        assert!(error.to_string().starts_with("f: line 1: expected a line of at most"), "{error}");
    }
}

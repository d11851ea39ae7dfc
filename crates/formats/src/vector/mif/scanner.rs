//! The words and numbers of a MIF file, with the line on which they stand.
//!
//! Coordinates may be separated by blanks, commas or line ends; real files differ.

use std::borrow::Cow;

use model::Finding;

use crate::error::excerpt;
use crate::notices::Notices;
use crate::text::delimited::quoted;
use crate::{Place, ReadError};

/// Walks through the text of a file.
pub(crate) struct Scanner<'a> {
    file: &'a str,
    lines: std::str::Lines<'a>,
    /// What is left of the current line.
    rest: &'a str,
    /// The current line from its last keyword on.
    from_keyword: &'a str,
    /// Number of the current line, counted from 1; 0 before the first.
    line: usize,
}

const SEPARATORS: [char; 3] = [' ', '\t', ','];

impl<'a> Scanner<'a> {
    pub fn new(file: &'a str, text: &'a str) -> Self {
        Self { file, lines: text.lines(), rest: "", from_keyword: "", line: 0 }
    }

    pub const fn file(&self) -> &'a str {
        self.file
    }

    /// The current line, counted from 1.
    pub const fn line(&self) -> usize {
        self.line
    }

    /// The error of something wrong on the current line.
    pub fn wrong(&self, expected: impl Into<String>, found: impl Into<String>) -> ReadError {
        ReadError::malformed(self.file, Place::Line(self.line), expected, found)
    }

    /// Notes a line that is none of ours and was skipped.
    pub fn note_unknown(&self, word: &str, notices: &mut Notices) {
        notices.note("UNKNOWN_RECORD", self.line, || {
            let message = format!("{} is no known keyword; the line was skipped", excerpt(word.as_bytes()));
            Finding::warning("UNKNOWN_RECORD", message).hint("check the spelling, or tell us what writes it")
        });
    }

    /// The first word and the rest of the next line that is not blank, the whole of which is consumed.
    pub fn next_line(&mut self) -> Option<(&'a str, &'a str)> {
        let line = self.skip_to_content()?;
        self.rest = "";
        Some(split_word(line))
    }

    /// The next word, if it begins with a letter; what follows it stays to be read.
    pub fn keyword(&mut self) -> Result<Option<&'a str>, ReadError> {
        let Some(line) = self.skip_to_content() else { return Ok(None) };
        let (word, rest) = split_word(line);
        if !word.starts_with(|letter: char| letter.is_ascii_alphabetic()) {
            return Err(self.wrong("an object or a style", excerpt(line.as_bytes())));
        }
        self.rest = rest;
        self.from_keyword = line;
        Ok(Some(word))
    }

    /// The word that comes next, without consuming it.
    pub fn peek_word(&mut self) -> Option<&'a str> {
        Some(split_word(self.skip_to_content()?).0)
    }

    /// Consumes the word that comes next.
    pub fn skip_word(&mut self) {
        if let Some(line) = self.skip_to_content() {
            self.rest = split_word(line).1;
        }
    }

    /// The current line from its last keyword on; the rest of it is consumed.
    pub fn line_from_keyword(&mut self) -> &'a str {
        self.rest = "";
        self.from_keyword
    }

    /// The next number, on this line or a later one. NaN and infinity are refused.
    pub fn number(&mut self, what: &str) -> Result<f64, ReadError> {
        let token = self.token(what)?;
        let number: Option<f64> = token.parse().ok().filter(|number: &f64| number.is_finite());
        number.ok_or_else(|| self.wrong(what, excerpt(token.as_bytes())))
    }

    /// The next whole number, on this line or a later one.
    pub fn count(&mut self, what: &str) -> Result<usize, ReadError> {
        let token = self.token(what)?;
        token.parse().map_err(|_| self.wrong(what, excerpt(token.as_bytes())))
    }

    /// The next text in quotes, on this line or a later one.
    pub fn quoted_text(&mut self) -> Result<Cow<'a, str>, ReadError> {
        const EXPECTED: &str = "a text in quotes";
        let Some(line) = self.skip_to_content() else { return Err(self.at_end(EXPECTED)) };
        let inside = line.strip_prefix('"').ok_or_else(|| self.wrong(EXPECTED, excerpt(line.as_bytes())))?;
        let (text, rest) =
            quoted(inside).ok_or_else(|| self.wrong("a closing quote", "the end of the line"))?;
        self.rest = rest;
        Ok(text)
    }

    fn token(&mut self, what: &str) -> Result<&'a str, ReadError> {
        let Some(line) = self.skip_to_content() else { return Err(self.at_end(what)) };
        let end = line.find(SEPARATORS).unwrap_or(line.len());
        self.rest = &line[end..];
        Ok(&line[..end])
    }

    fn at_end(&self, expected: &str) -> ReadError {
        self.wrong(expected, "the end of the file")
    }

    /// What is left of the current line, or the next line that is not blank; without separators in front.
    fn skip_to_content(&mut self) -> Option<&'a str> {
        loop {
            self.rest = self.rest.trim_start_matches(SEPARATORS).trim_end();
            if !self.rest.is_empty() {
                return Some(self.rest);
            }
            self.rest = self.lines.next()?;
            self.line += 1;
        }
    }
}

/// The first word of a line and the rest; a word ends at a blank, a comma, a bracket or a quote.
fn split_word(line: &str) -> (&str, &str) {
    let end = line.find([' ', '\t', ',', '(', '"']).unwrap_or(line.len());
    // A line that begins with a bracket still gives a word, so that every line has one.
    let end = if end == 0 { line.len() } else { end };
    (&line[..end], line[end..].trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_separated_by_blanks_commas_or_lines() {
        let mut scanner = Scanner::new("f", "Line 1 2\n\n 3,4 , 5\r\n-6.5e1");
        assert_eq!(scanner.keyword().unwrap(), Some("Line"));
        let numbers: Vec<_> = (0..6).map(|_| scanner.number("a number").unwrap()).collect();
        assert_eq!(numbers, [1.0, 2.0, 3.0, 4.0, 5.0, -65.0]);
        assert_eq!(scanner.line(), 4);
        assert!(scanner.number("a number").unwrap_err().to_string().contains("found the end of the file"));
    }

    #[test]
    fn words_end_at_brackets_and_quotes() {
        let mut scanner = Scanner::new("f", "Symbol(34, 1, 4)\nText\"a \"\"b\"\"\"7\n");
        assert_eq!(scanner.next_line(), Some(("Symbol", "(34, 1, 4)")));
        assert_eq!(scanner.keyword().unwrap(), Some("Text"));
        assert_eq!(scanner.quoted_text().unwrap(), "a \"b\"");
        assert_eq!(scanner.number("x").unwrap(), 7.0);
    }

    #[test]
    fn nan_and_infinity_are_no_coordinates() {
        for token in ["NaN", "inf", "-infinity", "1e999", "0x10", "12abc"] {
            let error = Scanner::new("f", token).number("a coordinate").unwrap_err().to_string();
            assert_eq!(error, format!("f: line 1: expected a coordinate, found \"{token}\""));
        }
    }
}

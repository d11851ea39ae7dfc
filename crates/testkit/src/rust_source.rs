//! Reads Rust sources for the guards of `tests/architecture.rs`: shipped code without comments, texts of literals,
//! lengths of functions. A scanner of characters, not a parser: it knows comments, literals and brackets.

use std::ops::Range;

/// The shipped part of a source file: items under `#[cfg(test)]` and `#[test]` are left out.
#[derive(Clone, Debug)]
pub struct RustSource {
    /// The code. Comments, contents of literals and test items are blanks, so that offsets and lines stay.
    code: Vec<u8>,
    literals: Vec<(usize, String)>,
}

/// A function with a body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionSpan {
    pub name: String,
    /// Line of `fn`, from 1 on.
    pub line: usize,
    /// Lines from `fn` to the closing brace, both included.
    pub lines: usize,
}

impl RustSource {
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let mut code = text.as_bytes().to_vec();
        let mut literals = Vec::new();
        let mut at = 0;
        while at < code.len() {
            let part = part_at(text.as_bytes(), at);
            if let Part::Literal(inside) = &part.0 {
                literals.push((
                    inside.start,
                    String::from_utf8_lossy(&text.as_bytes()[inside.clone()]).into_owned(),
                ));
            }
            if !matches!(part.0, Part::Code) {
                blank(&mut code, part.0.hidden());
            }
            at = part.1;
        }
        for item in test_items(&code) {
            literals.retain(|(start, _)| !item.contains(start));
            blank(&mut code, item);
        }
        Self { code, literals }
    }

    /// Lines, from 1 on, of each place where the words stand in the code.
    #[must_use]
    pub fn lines_with(&self, words: &str) -> Vec<usize> {
        let found = self.code.windows(words.len()).enumerate().filter(|(_, part)| *part == words.as_bytes());
        found.map(|(at, _)| self.line(at)).collect()
    }

    /// Lines, from 1 on, at which a value of a struct is made: `Name {`, but no definition, `impl` or result type.
    #[must_use]
    pub fn lines_that_construct(&self, name: &str) -> Vec<usize> {
        let words = format!("{name} {{");
        let found = self.code.windows(words.len()).enumerate().filter(|(_, part)| *part == words.as_bytes());
        let is_made = |at: &usize| {
            let before = String::from_utf8_lossy(&self.code[..*at]).into_owned();
            let is_longer_name = before.ends_with(|last: char| last.is_alphanumeric() || last == '_');
            let last = before.split_whitespace().last().unwrap_or_default();
            !is_longer_name && !["struct", "impl", "for", "->"].contains(&last)
        };
        found.map(|(at, _)| at).filter(is_made).map(|at| self.line(at)).collect()
    }

    /// Contents of string literals with the line at which each begins, from 1 on.
    #[must_use]
    pub fn literals(&self) -> Vec<(usize, &str)> {
        self.literals.iter().map(|(at, text)| (self.line(*at), text.as_str())).collect()
    }

    /// Functions that have a body, in the order of the file.
    #[must_use]
    pub fn functions(&self) -> Vec<FunctionSpan> {
        let words = self.code.windows(3).enumerate().filter(|(_, part)| *part == b"fn ");
        let starts = words.map(|(at, _)| at).filter(|&at| at == 0 || !is_name(self.code[at - 1]));
        starts.filter_map(|at| self.function(at)).collect()
    }

    fn function(&self, at: usize) -> Option<FunctionSpan> {
        let name: Vec<u8> = self.code[at + 3..].iter().copied().take_while(|&byte| is_name(byte)).collect();
        let end = item_end(&self.code, at);
        (!name.is_empty() && self.code[end - 1] == b'}').then(|| FunctionSpan {
            name: String::from_utf8_lossy(&name).into_owned(),
            line: self.line(at),
            lines: self.line(end - 1) - self.line(at) + 1,
        })
    }

    fn line(&self, at: usize) -> usize {
        1 + self.code[..at].iter().filter(|&&byte| byte == b'\n').count()
    }
}

/// What begins at an offset.
enum Part {
    Code,
    Comment(Range<usize>),
    /// A string: the offsets of its contents.
    Literal(Range<usize>),
    /// A character: the offsets of its contents.
    Character(Range<usize>),
}

impl Part {
    fn hidden(self) -> Range<usize> {
        match self {
            Self::Code => 0..0,
            Self::Comment(range) | Self::Literal(range) | Self::Character(range) => range,
        }
    }
}

fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// The part that begins at an offset, and the offset after it.
fn part_at(text: &[u8], at: usize) -> (Part, usize) {
    let rest = &text[at..];
    if rest.starts_with(b"//") {
        let end = at + rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
        return (Part::Comment(at..end), end);
    }
    if rest.starts_with(b"/*") {
        let end = block_comment_end(text, at);
        return (Part::Comment(at..end), end);
    }
    let begins_word = at == 0 || !is_name(text[at - 1]);
    if let Some(hashes) = begins_word.then(|| raw_string(rest)).flatten() {
        let open = at + rest.iter().position(|&byte| byte == b'"').unwrap_or(0) + 1;
        let close = [&b"\""[..], &b"#".repeat(hashes)].concat();
        let end = position(&text[open..], &close).map_or(text.len(), |found| open + found);
        return (Part::Literal(open..end), (end + close.len()).min(text.len()));
    }
    match rest[0] {
        b'"' => {
            let end = escaped_end(text, at + 1, b'"');
            (Part::Literal(at + 1..end), (end + 1).min(text.len()))
        }
        b'\'' if is_character(rest) => {
            let end = escaped_end(text, at + 1, b'\'');
            (Part::Character(at + 1..end), (end + 1).min(text.len()))
        }
        _ => (Part::Code, at + 1),
    }
}

/// Comments of this form may contain each other.
fn block_comment_end(text: &[u8], start: usize) -> usize {
    let (mut depth, mut at) = (0_usize, start);
    while at < text.len() {
        match &text[at..] {
            [b'/', b'*', ..] => (depth, at) = (depth + 1, at + 2),
            [b'*', b'/', ..] => (depth, at) = (depth - 1, at + 2),
            _ => at += 1,
        }
        if depth == 0 {
            break;
        }
    }
    at
}

/// Number of `#` of a raw string that begins here: `r"`, `r#"`, `br"`.
fn raw_string(rest: &[u8]) -> Option<usize> {
    let after = rest.strip_prefix(b"r").or_else(|| rest.strip_prefix(b"br"))?;
    let hashes = after.iter().take_while(|&&byte| byte == b'#').count();
    (after.get(hashes) == Some(&b'"')).then_some(hashes)
}

/// Whether a quote begins a character and not the name of a lifetime.
fn is_character(rest: &[u8]) -> bool {
    let after = String::from_utf8_lossy(&rest[1..rest.len().min(6)]).into_owned();
    let mut characters = after.chars();
    match characters.next() {
        Some('\\') => true,
        Some(_) => characters.next() == Some('\''),
        None => false,
    }
}

/// Offset of the closing quote; a backslash takes the next byte with it.
fn escaped_end(text: &[u8], start: usize, quote: u8) -> usize {
    let mut at = start;
    while at < text.len() && text[at] != quote {
        at += if text[at] == b'\\' { 2 } else { 1 };
    }
    at.min(text.len())
}

fn position(text: &[u8], words: &[u8]) -> Option<usize> {
    text.windows(words.len()).position(|part| part == words)
}

fn blank(code: &mut [u8], range: Range<usize>) {
    code[range].iter_mut().filter(|byte| **byte != b'\n').for_each(|byte| *byte = b' ');
}

/// The items under a test attribute, from the attribute to their end.
fn test_items(code: &[u8]) -> Vec<Range<usize>> {
    let mut items = Vec::new();
    for attribute in [&b"#[cfg(test)]"[..], b"#[test]"] {
        let found = code.windows(attribute.len()).enumerate().filter(|(_, part)| *part == attribute);
        items.extend(found.map(|(at, part)| at..item_end(code, at + part.len())));
    }
    items
}

/// The offset after the item that begins here: after its body, or after the semicolon of one without a body.
fn item_end(code: &[u8], start: usize) -> usize {
    let (mut round, mut braces) = (0_i64, 0_i64);
    for (at, byte) in code.iter().enumerate().skip(start) {
        match byte {
            b'(' | b'[' => round += 1,
            b')' | b']' => round -= 1,
            b'{' => braces += 1,
            b'}' => braces -= 1,
            _ => {}
        }
        if (*byte == b'}' && braces <= 0) || (*byte == b';' && round == 0 && braces == 0) {
            return at + 1;
        }
    }
    code.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = r##"//! --not here: "PathBuf"
/* std::path /* nested */ --nor-here */
pub struct Case { a: u8 }
impl Case { fn new() -> Case { Case { a: b'{' } } }
fn one<'a>(text: &'a str, four: [u8; 4]) -> bool {
    // Case { a: 1 }
    text == "say --flag" || text == r#"a "raw" --one"# || text.contains('"')
}
trait Short { fn none(&self); }
#[cfg(test)]
use std::path::PathBuf;
fn two() { let _ = SubCase { a: 2 }; }
#[cfg(test)]
mod tests {
    #[test]
    fn three() { assert_eq!("--test", Case { a: 1 }); }
}
"##;

    #[test]
    fn comments_and_tests_are_not_code() {
        let source = RustSource::parse(FILE);
        assert!(source.lines_with("PathBuf").is_empty() && source.lines_with("std::path").is_empty());
        assert_eq!(RustSource::parse("use std::path::Path;\n").lines_with("std::path"), [1]);
    }

    #[test]
    fn literals_are_found_with_their_lines() {
        let source = RustSource::parse(FILE);
        assert_eq!(source.literals(), [(7, "say --flag"), (7, "a \"raw\" --one")]);
    }

    #[test]
    fn only_making_a_value_counts() {
        assert_eq!(RustSource::parse(FILE).lines_that_construct("Case"), [4]);
        assert_eq!(RustSource::parse("let a = x::Case {\n};").lines_that_construct("Case"), [1]);
    }

    #[test]
    fn functions_are_measured_from_their_name_to_their_brace() {
        let functions = RustSource::parse(FILE).functions();
        let lines: Vec<_> = functions.iter().map(|f| (f.name.as_str(), f.line, f.lines)).collect();
        assert_eq!(lines, [("new", 4, 1), ("one", 5, 4), ("two", 12, 1)]);
        let long = format!("fn long() {{\n{}}}\n", "    f();\n".repeat(59));
        assert_eq!(RustSource::parse(&long).functions()[0].lines, 61);
    }
}

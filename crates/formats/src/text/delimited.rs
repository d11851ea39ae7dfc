//! Lines of fields with a delimiter between them, as in CSV and MID files.
//!
//! A field in double quotes may hold the delimiter; a quote inside is doubled. Blanks around a field do not
//! belong to it, blanks inside quotes do. A field ends with its line.

use std::borrow::Cow;

/// A field as it stands in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Field<'a> {
    pub text: Cow<'a, str>,
    /// True if it stands in double quotes.
    pub is_quoted: bool,
    /// True if blanks stand before it.
    pub is_indented: bool,
}

/// What is wrong with a line of fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// A quote is not closed.
    OpenQuote,
    /// Something follows a closing quote.
    TextAfterQuote,
    /// More fields than any table has.
    TooMany,
}

impl Fault {
    /// What was expected instead, for messages.
    pub const fn expected(self) -> &'static str {
        match self {
            Self::OpenQuote => "a closing quote on the same line",
            Self::TooMany => "at most 4096 fields",
            Self::TextAfterQuote => "a delimiter or the end of the line after a closing quote",
        }
    }
}

/// The most fields of a line: a line of nothing but delimiters must not fill the memory.
const MAX_FIELDS: usize = 4096;

/// The fields of a line, which has no line break at its end. An empty line has one empty field.
pub(crate) fn fields(line: &str, delimiter: char) -> Result<Vec<Field<'_>>, Fault> {
    let is_blank = |letter: char| (letter == ' ' || letter == '\t') && letter != delimiter;
    let mut fields = Vec::new();
    let mut rest = line;
    loop {
        let start = rest.trim_start_matches(is_blank);
        let is_indented = start.len() < rest.len();
        let (text, is_quoted, after) = match start.strip_prefix('"') {
            Some(inside) => {
                let (text, after) = quoted(inside).ok_or(Fault::OpenQuote)?;
                (text, true, after.trim_start_matches(is_blank))
            }
            None => {
                let end = start.find(delimiter).unwrap_or(start.len());
                (Cow::Borrowed(start[..end].trim_end_matches(is_blank)), false, &start[end..])
            }
        };
        if fields.len() == MAX_FIELDS {
            return Err(Fault::TooMany);
        }
        fields.push(Field { text, is_quoted, is_indented });
        match after.strip_prefix(delimiter) {
            Some(next) => rest = next,
            None if after.is_empty() => return Ok(fields),
            None => return Err(Fault::TextAfterQuote),
        }
    }
}

/// Content up to the closing quote, and what follows it; `inside` begins after the opening quote.
pub(crate) fn quoted(inside: &str) -> Option<(Cow<'_, str>, &str)> {
    let mut has_doubled = false;
    let mut at = 0;
    loop {
        at += inside[at..].find('"')?;
        if inside[at + 1..].starts_with('"') {
            has_doubled = true;
            at += 2;
            continue;
        }
        let content = &inside[..at];
        let text =
            if has_doubled { Cow::Owned(content.replace("\"\"", "\"")) } else { Cow::Borrowed(content) };
        return Some((text, &inside[at + 1..]));
    }
}

/// A text in double quotes, quotes inside doubled.
pub(crate) fn in_quotes(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\"\""))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn texts(line: &str, delimiter: char) -> Vec<String> {
        fields(line, delimiter).unwrap().into_iter().map(|field| field.text.into_owned()).collect()
    }

    #[test]
    fn delimiters_and_doubled_quotes_may_stand_in_quotes() {
        assert_eq!(texts(r#""a,b","say ""hi""",3"#, ','), ["a,b", "say \"hi\"", "3"]);
        assert_eq!(texts("", ','), [""]);
        assert_eq!(texts("a,,", ','), ["a", "", ""]);
        assert_eq!(texts("a b\t\"c\"", '\t'), ["a b", "c"]);
    }

    #[test]
    fn blanks_around_fields_are_not_theirs() {
        let found = fields(r#""Room", "CSG " , 0"#, ',').unwrap();
        assert_eq!(found.iter().map(|field| field.text.as_ref()).collect::<Vec<_>>(), ["Room", "CSG ", "0"]);
        assert_eq!(found.iter().map(|field| field.is_indented).collect::<Vec<_>>(), [false, true, true]);
        assert_eq!(found.iter().map(|field| field.is_quoted).collect::<Vec<_>>(), [true, true, false]);
        assert_eq!(texts("a  b", ' '), ["a", "", "b"]);
    }

    #[test]
    fn unclosed_quotes_and_text_after_quotes_are_faults() {
        assert_eq!(fields(r#"1,"abc"#, ','), Err(Fault::OpenQuote));
        assert_eq!(fields(r#""abc"d,1"#, ','), Err(Fault::TextAfterQuote));
        assert_eq!(fields(r#""abc"""#, ','), Err(Fault::OpenQuote));
        assert_eq!(fields(&",".repeat(MAX_FIELDS), ','), Err(Fault::TooMany));
        assert_eq!(fields(&",".repeat(MAX_FIELDS - 1), ',').unwrap().len(), MAX_FIELDS);
    }

    proptest! {
        #[test]
        fn quoted_texts_come_back(written in prop::collection::vec("[^\n\r]{0,12}", 1..5)) {
            let line = written.iter().map(|text| in_quotes(text)).collect::<Vec<_>>().join(";");
            prop_assert_eq!(texts(&line, ';'), written);
        }

        #[test]
        fn any_line_has_fields_or_a_fault(line in "[\"a, ;é\t]{0,30}", delimiter in "[,;\té\"]") {
            let delimiter = delimiter.chars().next().unwrap();
            if let Ok(found) = fields(&line, delimiter) {
                prop_assert!(!found.is_empty());
            }
        }
    }
}

//! Text of old programs and spreadsheets: UTF-8 where it is, else one byte per character.

use std::borrow::Cow;

use model::{Finding, Level};

use crate::error::excerpt;
use crate::format::without_byte_order_mark;
use crate::{Place, ReadError};

/// The text of a file that must be UTF-8, without its byte-order mark.
pub(crate) fn utf8<'a>(file: &str, bytes: &'a [u8]) -> Result<&'a str, ReadError> {
    let bytes = without_byte_order_mark(bytes);
    std::str::from_utf8(bytes).map_err(|error| {
        let at = error.valid_up_to();
        ReadError::malformed(file, Place::Byte(at), "text in UTF-8", excerpt(&bytes[at..]))
    })
}

/// The text of a file without its byte-order mark. Bytes that are no UTF-8 are read as Latin-1 (ISO 8859-1),
/// which cannot fail, with a finding.
pub(crate) fn text_of<'a>(bytes: &'a [u8], findings: &mut Vec<Finding>) -> Cow<'a, str> {
    let bytes = without_byte_order_mark(bytes);
    let error = match std::str::from_utf8(bytes) {
        Ok(text) => return Cow::Borrowed(text),
        Err(error) => error,
    };
    let line = 1 + bytes[..error.valid_up_to()].iter().filter(|&&byte| byte == b'\n').count();
    let message = "the text is not UTF-8; it was read as Latin-1, one byte per character";
    findings.push(
        Finding::new(Level::Info, "NOT_UTF8", message)
            .at_line(line)
            .hint("save the file in UTF-8 (or ASCII)"),
    );
    Cow::Owned(bytes.iter().map(|&byte| char::from(byte)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn utf8_is_borrowed_and_loses_its_byte_order_mark() {
        let mut findings = Vec::new();
        assert!(matches!(text_of(b"\xEF\xBB\xBFT\xC3\xBCr", &mut findings), Cow::Borrowed("Tür")));
        assert!(findings.is_empty());
    }

    #[test]
    fn latin_1_is_read_with_a_finding_at_its_line() {
        let mut findings = Vec::new();
        assert_eq!(text_of(b"a\nT\xFCr", &mut findings), "a\nTür");
        assert_eq!((findings[0].code.as_ref(), findings[0].line), ("NOT_UTF8", Some(2)));
    }
}

//! Text of old programs and spreadsheets: UTF-8 where it is, else UTF-16, else one byte per character.

use std::borrow::Cow;

use model::{Finding, Level};

use crate::error::excerpt;
use crate::format::without_byte_order_mark;
use crate::{Place, ReadError};

/// The first unit of UTF-16, or the first character of UTF-8, that tells how the text was written.
const BYTE_ORDER_MARK: u16 = 0xFEFF;

/// The text of a file that must be UTF-8, without its byte-order mark.
pub(crate) fn utf8<'a>(file: &str, bytes: &'a [u8]) -> Result<&'a str, ReadError> {
    let bytes = without_byte_order_mark(bytes);
    std::str::from_utf8(bytes).map_err(|error| {
        let at = error.valid_up_to();
        ReadError::malformed(file, Place::Byte(at), "text in UTF-8", excerpt(&bytes[at..]))
    })
}

/// How the first bytes of a file read as text, whatever they are.
pub(crate) fn sniffed_text(bytes: &[u8]) -> Cow<'_, str> {
    utf16(bytes).map_or_else(|| String::from_utf8_lossy(bytes), Cow::Owned)
}

/// The text of UTF-16: by its byte-order mark, or since every other byte of the first is zero, as in western text.
fn utf16(bytes: &[u8]) -> Option<String> {
    const LOOKED_AT: usize = 64;
    let head = &bytes[..bytes.len().min(LOOKED_AT)];
    let zeros = |from: usize| head.iter().skip(from).step_by(2).filter(|byte| **byte == 0).count();
    let is_half = |zeros: usize, others: usize| head.len() >= 4 && zeros * 4 >= head.len() && others == 0;
    let unit: fn([u8; 2]) -> u16 = match bytes {
        [0xFF, 0xFE, ..] => u16::from_le_bytes,
        [0xFE, 0xFF, ..] => u16::from_be_bytes,
        _ if is_half(zeros(1), zeros(0)) => u16::from_le_bytes,
        _ if is_half(zeros(0), zeros(1)) => u16::from_be_bytes,
        _ => return None,
    };
    let units =
        bytes.as_chunks::<2>().0.iter().map(|pair| unit(*pair)).skip_while(|unit| *unit == BYTE_ORDER_MARK);
    Some(char::decode_utf16(units).map(|letter| letter.unwrap_or(char::REPLACEMENT_CHARACTER)).collect())
}

/// The text of a file without its byte-order mark. Bytes that are no UTF-8 are read as UTF-16 where they look so, else as
/// Latin-1 (ISO 8859-1), which cannot fail; both with a finding.
pub(crate) fn text_of<'a>(bytes: &'a [u8], findings: &mut Vec<Finding>) -> Cow<'a, str> {
    let not_utf8 = |message: &str| {
        Finding::new(Level::Info, "NOT_UTF8", message).hint("save the file in UTF-8 (or ASCII)")
    };
    if let Some(text) = utf16(bytes) {
        findings.push(not_utf8("the text is UTF-16 instead of UTF-8").at_line(1));
        return Cow::Owned(text);
    }
    let bytes = without_byte_order_mark(bytes);
    let error = match std::str::from_utf8(bytes) {
        Ok(text) => return Cow::Borrowed(text),
        Err(error) => error,
    };
    let line = 1 + bytes[..error.valid_up_to()].iter().filter(|&&byte| byte == b'\n').count();
    let message = "the text is not UTF-8; it was read as Latin-1, one byte per character";
    findings.push(not_utf8(message).at_line(line));
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
    fn no_text_begins_with_a_byte_order_mark() {
        let big: Vec<u8> = "\u{feff}\u{feff}a".encode_utf16().flat_map(u16::to_be_bytes).collect();
        for bytes in [big.as_slice(), "\u{feff}\u{feff}a".as_bytes()] {
            assert_eq!(text_of(bytes, &mut Vec::new()), "a");
        }
    }

    #[test]
    fn latin_1_is_read_with_a_finding_at_its_line() {
        let mut findings = Vec::new();
        assert_eq!(text_of(b"a\nT\xFCr", &mut findings), "a\nTür");
        assert_eq!((findings[0].code.as_ref(), findings[0].line), ("NOT_UTF8", Some(2)));
    }
}

//! Helvetica: which byte is which letter, and how wide letters are.

/// Widths of the letters from blank to tilde in thousandths of the font size (Adobe's metrics of the font).
const WIDTHS: [u16; 95] = [
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556,
    556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278,
    500, 667, 556, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469,
    556, 333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500,
    278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
];
/// Width of the other letters: that of most of them.
const OTHER_WIDTH: u16 = 556;

/// The letters as bytes of the encoding WinAnsi; what it does not have is written with letters that it has.
pub(super) fn encoded(text: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            ' '..='~' | '\u{a1}'..='\u{ff}' => bytes.push(letter as u32 as u8),
            '\u{a0}' | '\u{2009}' | '\u{202f}' => bytes.push(b' '),
            '…' => bytes.push(0x85),
            '–' => bytes.push(0x96),
            '—' => bytes.push(0x97),
            '‘' => bytes.push(0x91),
            '’' => bytes.push(0x92),
            '“' => bytes.push(0x93),
            '”' => bytes.push(0x94),
            '≥' => bytes.extend(b">="),
            '≤' => bytes.extend(b"<="),
            '−' => bytes.push(b'-'),
            _ => bytes.push(b'?'),
        }
    }
    bytes
}

/// Width of encoded letters for a font size of 1.
pub(super) fn width(bytes: &[u8]) -> f64 {
    let one = |&byte: &u8| {
        let index = usize::from(byte).checked_sub(32);
        match byte {
            0x85 | 0x97 => 1000,
            _ => index.and_then(|index| WIDTHS.get(index)).copied().unwrap_or(OTHER_WIDTH),
        }
    };
    bytes.iter().map(|byte| f64::from(one(byte))).sum::<f64>() / 1000.0
}

/// The bytes as a string of a content stream.
pub(super) fn literal(bytes: &[u8]) -> String {
    let mut text = String::from("(");
    for &byte in bytes {
        match byte {
            b'(' | b')' | b'\\' => {
                text.push('\\');
                text.push(char::from(byte));
            }
            b' '..=b'~' => text.push(char::from(byte)),
            _ => text.push_str(&format!("\\{byte:03o}")),
        }
    }
    text.push(')');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_as_wide_as_the_metrics_say() {
        assert!((width(&encoded("Wi.")) - (944.0 + 222.0 + 278.0) / 1000.0).abs() < 1e-12);
        assert_eq!(WIDTHS[usize::from(b'm' - 32)], 833);
        assert_eq!(WIDTHS[usize::from(b'~' - 32)], 584);
        assert_eq!(encoded("1\u{2009}000 ≥"), b"1 000 >=");
    }
}

//! Decimal numbers out of bytes, with the rounding of the standard library.
//!
//! Numbers of logs are short: a whole number m up to 2^53 divided by a power of ten up to 10^22 is one exact quotient of two
//! doubles, so that its rounding is the right one (Clinger 1990, section 2). They are read here, in place; all others go to a
//! library, which takes a quarter longer for a log.

/// Powers of ten that a double holds exactly.
const POWERS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
    1e19, 1e20, 1e21, 1e22,
];
/// The largest m for which every smaller whole number is a double.
const MAX_EXACT: u64 = 1 << 53;
/// Digits that fit into 64 bits.
const MAX_DIGITS: usize = 19;

/// The number at the start of `text` and its length in bytes.
#[inline]
pub(crate) fn leading_number(text: &[u8]) -> Option<(f64, usize)> {
    short_number(text).or_else(|| any_number(text))
}

#[cold]
#[inline(never)]
fn any_number(text: &[u8]) -> Option<(f64, usize)> {
    fast_float2::parse_partial(text).ok()
}

/// A number without an exponent whose digits are a whole number up to 2^53.
#[inline]
fn short_number(text: &[u8]) -> Option<(f64, usize)> {
    let is_negative = *text.first()? == b'-';
    let start = usize::from(is_negative);
    let (whole, point) = digits(text, start, 0);
    let (mantissa, end) = match text.get(point) {
        Some(b'.') => many_digits(text, point + 1, whole),
        _ => (whole, point),
    };
    let fraction_digits = end.saturating_sub(point + 1);
    let count = point - start + fraction_digits;
    let is_short = count > 0 && count <= MAX_DIGITS && mantissa <= MAX_EXACT;
    if !is_short || matches!(text.get(end), Some(b'e' | b'E')) {
        return None;
    }
    let size = mantissa as f64 / POWERS[fraction_digits];
    Some((if is_negative { -size } else { size }, end))
}

/// Joins the digits from `at` on to `number`, and where they end. More than fit show in their count.
#[inline]
fn digits(text: &[u8], mut at: usize, mut number: u64) -> (u64, usize) {
    while let Some(digit) = text.get(at).map(|byte| byte.wrapping_sub(b'0')).filter(|digit| *digit < 10) {
        number = number.wrapping_mul(10).wrapping_add(u64::from(digit));
        at += 1;
    }
    (number, at)
}

/// As [`digits`], but takes six digits at once, which most fractions of logs have.
#[inline]
fn many_digits(text: &[u8], at: usize, number: u64) -> (u64, usize) {
    /// The top bits of six bytes.
    const TOPS: u64 = 0x8080_8080_8080;
    if let Some(chunk) = text.get(at..at + 8).and_then(|bytes| <[u8; 8]>::try_from(bytes).ok()) {
        let value = u64::from_le_bytes(chunk) ^ 0x3030_3030_3030_3030;
        // 0x76 more than 9 carries into the top bit of a byte; bytes that are not ASCII have it already.
        let beyond = ((value & 0x7F7F_7F7F_7F7F_7F7F) + 0x7676_7676_7676_7676) | value;
        if beyond & TOPS == 0 {
            // The first digit is in the lowest byte: two empty places before it, then pairs, fours, and all.
            let value = value << 16;
            let pairs = value.wrapping_mul(10).wrapping_add(value >> 8) & 0x00FF_00FF_00FF_00FF;
            let fours = pairs.wrapping_mul(100).wrapping_add(pairs >> 16) & 0x0000_FFFF_0000_FFFF;
            let six = fours.wrapping_mul(10_000).wrapping_add(fours >> 32) & 0xFFFF_FFFF;
            return digits(text, at + 6, number.wrapping_mul(1_000_000).wrapping_add(six));
        }
    }
    digits(text, at, number)
}

/// A whole token as a number; also `nan` and `inf`.
pub(crate) fn number(token: &[u8]) -> Option<f64> {
    fast_float2::parse(token).ok()
}

/// A whole token as a number of single precision, rounded once.
pub(crate) fn single(token: &[u8]) -> Option<f32> {
    fast_float2::parse(token).ok()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_number_is_read_up_to_its_end() {
        for text in
            ["1600000000.050000", "-0.0275671", "0.854111557", "5", "+1.5", "1e3", "2.326809e-11", ".5", "7."]
        {
            let (value, length) = leading_number(text.as_bytes()).unwrap_or_else(|| panic!("{text}"));
            assert_eq!(
                (value.to_bits(), length),
                (text.parse::<f64>().unwrap().to_bits(), text.len()),
                "{text}"
            );
        }
    }

    #[test]
    fn what_is_no_number_is_none() {
        for text in ["", "-", ".", "e5", "1e", "1e+", "abc", "1.2.3", "0x10", "1_000", "12,5"] {
            assert_eq!(number(text.as_bytes()), None, "{text}");
        }
        assert!(number(b"nan").unwrap().is_nan());
        assert_eq!(number(b"-inf"), Some(f64::NEG_INFINITY));
    }

    #[test]
    fn six_digits_are_told_from_all_other_bytes() {
        for byte in 0..=255_u8 {
            for place in 0..6 {
                let mut text = *b"0.109909 1";
                text[2 + place] = byte;
                let end = text[2..].iter().position(|byte| !byte.is_ascii_digit()).unwrap() + 2;
                let is_exponent = matches!(text[end], b'e' | b'E') && text[end + 1].is_ascii_digit();
                if !is_exponent {
                    let expected = std::str::from_utf8(&text[..end]).unwrap().parse().unwrap();
                    assert_eq!(leading_number(&text), Some((expected, end)), "{text:?}");
                }
            }
        }
    }

    proptest! {
        #[test]
        fn every_decimal_has_the_bits_of_the_standard_library(
            text in "[-+]?[0-9]{1,20}(\\.[0-9]{0,20})?([eE][-+]?[0-9]{1,3})?",
        ) {
            let expected: f64 = text.parse().unwrap();
            prop_assert_eq!(number(text.as_bytes()).map(f64::to_bits), Some(expected.to_bits()));
            let row = format!("{text} 1");
            let found = leading_number(row.as_bytes()).map(|(value, length)| (value.to_bits(), length));
            prop_assert_eq!(found, Some((expected.to_bits(), text.len())));
            let expected: f32 = text.parse().unwrap();
            prop_assert_eq!(single(text.as_bytes()).map(f32::to_bits), Some(expected.to_bits()));
        }

        #[test]
        fn shortest_decimals_come_back(value in any::<f64>(), narrow in any::<f32>()) {
            prop_assume!(!value.is_nan() && !narrow.is_nan());
            let text = format!("{value:?}");
            prop_assert_eq!(number(text.as_bytes()).map(f64::to_bits), Some(value.to_bits()));
            prop_assert_eq!(leading_number(text.as_bytes()), Some((value, text.len())));
            prop_assert_eq!(single(format!("{narrow:?}").as_bytes()).map(f32::to_bits), Some(narrow.to_bits()));
        }
    }
}

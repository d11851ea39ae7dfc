//! Decimal numbers out of bytes, exactly as the standard library reads them but without looking twice.
//!
//! A number m · 10^e with m ≤ 2^53 and |e| ≤ 22 is one exact product or quotient of two exact doubles, so
//! its rounding is the right one (Clinger 1990, section 2). All others go to the standard library.

/// Powers of ten that a double holds exactly.
const POWERS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
    1e19, 1e20, 1e21, 1e22,
];
/// The largest m for which every smaller whole number is a double.
const MAX_EXACT: u64 = 1 << 53;
/// Digits that fit into 64 bits.
const MAX_DIGITS: usize = 19;

/// The number at the start of `text` and its length in bytes; none if it is not of the simple kind.
#[inline]
pub(crate) fn simple_number(text: &[u8]) -> Option<(f64, usize)> {
    let is_negative = *text.first()? == b'-';
    let start = usize::from(is_negative || text[0] == b'+');
    let mut mantissa = 0;
    let point = digits(text, start, &mut mantissa);
    let (end, digit_count, fraction_digits) = if text.get(point) == Some(&b'.') {
        let end = many_digits(text, point + 1, &mut mantissa);
        (end, end - start - 1, end - point - 1)
    } else {
        (point, point - start, 0)
    };
    if digit_count == 0 || digit_count > MAX_DIGITS || mantissa > MAX_EXACT {
        return None;
    }
    let (exponent, end) = exponent(text, end)?;
    let exponent = exponent - fraction_digits as i32;
    let power = *POWERS.get(exponent.unsigned_abs() as usize)?;
    let size = if exponent < 0 { mantissa as f64 / power } else { mantissa as f64 * power };
    Some((if is_negative { -size } else { size }, end))
}

/// Reads digits from `at` on; the end of them. Overflow shows in their number.
#[inline]
fn digits(text: &[u8], mut at: usize, mantissa: &mut u64) -> usize {
    while let Some(digit) = text.get(at).map(|byte| byte.wrapping_sub(b'0')).filter(|digit| *digit < 10) {
        *mantissa = mantissa.wrapping_mul(10).wrapping_add(u64::from(digit));
        at += 1;
    }
    at
}

/// As [`digits`], for the part after the point, of which up to eight are taken at once.
///
/// Their number is branched on, not computed with: it is the same in most rows, so that the branch is foreseen
/// and the next number need not wait.
#[inline]
fn many_digits(text: &[u8], mut at: usize, mantissa: &mut u64) -> usize {
    while let Some(chunk) = text.get(at..at + 8).and_then(|bytes| <[u8; 8]>::try_from(bytes).ok()) {
        let value = u64::from_le_bytes(chunk) ^ 0x3030_3030_3030_3030;
        let (scale, joined, count) = match leading_digits(value) {
            8 => (100_000_000, joined(value), 8),
            7 => (10_000_000, joined(value << 8), 7),
            6 => (1_000_000, joined(value << 16), 6),
            4 => (10_000, joined(value << 32), 4),
            1 => (10, value & 0xF, 1),
            _ => break,
        };
        *mantissa = mantissa.wrapping_mul(scale).wrapping_add(joined);
        at += count;
        if count < 8 {
            return at;
        }
    }
    digits(text, at, mantissa)
}

/// How many of eight bytes, from the lowest on, are digits; '0' has been taken from each.
#[inline]
const fn leading_digits(value: u64) -> u32 {
    // 0x76 more than 9 carries into the top bit of a byte; bytes that are not ASCII have it already.
    let beyond = ((value & 0x7F7F_7F7F_7F7F_7F7F) + 0x7676_7676_7676_7676) | value;
    (beyond & 0x8080_8080_8080_8080).trailing_zeros() / 8
}

/// The number that eight digits make, the first in the lowest byte: pairs, then fours, then all.
#[inline]
const fn joined(value: u64) -> u64 {
    let pairs = (value.wrapping_mul(10)).wrapping_add(value >> 8) & 0x00FF_00FF_00FF_00FF;
    let fours = (pairs.wrapping_mul(100)).wrapping_add(pairs >> 16) & 0x0000_FFFF_0000_FFFF;
    (fours.wrapping_mul(10_000)).wrapping_add(fours >> 32) & 0xFFFF_FFFF
}

/// The exponent at `at`, 0 if there is none, and the end of the number.
#[inline]
fn exponent(text: &[u8], at: usize) -> Option<(i32, usize)> {
    if !matches!(text.get(at), Some(b'e' | b'E')) {
        return Some((0, at));
    }
    let is_negative = text.get(at + 1) == Some(&b'-');
    let start = at + 1 + usize::from(matches!(text.get(at + 1), Some(b'-' | b'+')));
    let mut size = 0;
    let end = digits(text, start, &mut size);
    if end == start || end - start > 3 {
        return None;
    }
    let size = size as i32;
    Some((if is_negative { -size } else { size }, end))
}

/// A whole token as a number; also what the simple way cannot read, such as `nan` or 20 digits.
pub(crate) fn number(token: &[u8]) -> Option<f64> {
    match simple_number(token) {
        Some((value, length)) if length == token.len() => Some(value),
        _ => std::str::from_utf8(token).ok()?.parse().ok(),
    }
}

/// A whole token as a number of single precision, rounded once.
pub(crate) fn single(token: &[u8]) -> Option<f32> {
    let wide = number(token)?;
    // Half way between two singles the first rounding may have decided the second.
    let beyond_single = wide.to_bits() & 0x1FFF_FFFF;
    if beyond_single.abs_diff(0x1000_0000) <= 1 {
        return std::str::from_utf8(token).ok()?.parse().ok();
    }
    Some(wide as f32)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn numbers_of_logs_are_read_the_simple_way() {
        for text in
            ["1600000000.050000", "-0.0275671", "0.854111557", "5", "+1.5", "1e3", "2.326809e-11", ".5", "7."]
        {
            let (value, length) = simple_number(text.as_bytes()).unwrap_or_else(|| panic!("{text}"));
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
    fn leading_digits_are_told_from_all_other_bytes() {
        for byte in 0..=255u8 {
            for place in 0..8 {
                let mut text = *b"10990912";
                text[place] = byte;
                let count = text.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(8);
                let value = u64::from_le_bytes(text) ^ 0x3030_3030_3030_3030;
                assert_eq!(leading_digits(value), count as u32, "{text:?}");
            }
        }
        assert_eq!(joined(u64::from_le_bytes(*b"12345678") ^ 0x3030_3030_3030_3030), 12_345_678);
    }

    proptest! {
        #[test]
        fn every_decimal_has_the_bits_of_the_standard_library(
            text in "[-+]?[0-9]{1,20}(\\.[0-9]{0,20})?([eE][-+]?[0-9]{1,3})?",
        ) {
            let expected: f64 = text.parse().unwrap();
            prop_assert_eq!(number(text.as_bytes()).map(f64::to_bits), Some(expected.to_bits()));
            let expected: f32 = text.parse().unwrap();
            prop_assert_eq!(single(text.as_bytes()).map(f32::to_bits), Some(expected.to_bits()));
        }

        #[test]
        fn shortest_decimals_come_back(value in any::<f64>(), narrow in any::<f32>()) {
            prop_assume!(!value.is_nan() && !narrow.is_nan());
            prop_assert_eq!(number(format!("{value:?}").as_bytes()).map(f64::to_bits), Some(value.to_bits()));
            prop_assert_eq!(single(format!("{narrow:?}").as_bytes()).map(f32::to_bits), Some(narrow.to_bits()));
        }
    }
}

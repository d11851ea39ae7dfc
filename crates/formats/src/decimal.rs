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

/// As [`digits`], for the part after the point, which mostly has 6 or more: eight and four are taken at once.
/// Lengths are branched on, not computed with: they are the same in most rows, so that they are foreseen.
#[inline]
fn many_digits(text: &[u8], mut at: usize, mantissa: &mut u64) -> usize {
    while let Some(chunk) = text.get(at..at + 8).and_then(|bytes| <[u8; 8]>::try_from(bytes).ok()) {
        let Some(value) = eight_digits(u64::from_le_bytes(chunk)) else { break };
        *mantissa = mantissa.wrapping_mul(100_000_000).wrapping_add(value);
        at += 8;
    }
    if let Some(chunk) = text.get(at..at + 4).and_then(|bytes| <[u8; 4]>::try_from(bytes).ok())
        && let Some(value) = four_digits(u32::from_le_bytes(chunk))
    {
        *mantissa = mantissa.wrapping_mul(10_000).wrapping_add(u64::from(value));
        at += 4;
    }
    digits(text, at, mantissa)
}

/// The value of four ASCII digits, as [`eight_digits`].
#[inline]
const fn four_digits(chunk: u32) -> Option<u32> {
    let value = chunk.wrapping_sub(0x3030_3030);
    if (value | chunk.wrapping_add(0x4646_4646)) & 0x8080_8080 != 0 {
        return None;
    }
    let pairs = (value.wrapping_mul(10)).wrapping_add(value >> 8) & 0x00FF_00FF;
    Some((pairs.wrapping_mul(100)).wrapping_add(pairs >> 16) & 0xFFFF)
}

/// The value of eight ASCII digits, the first in the lowest byte: pairs, then fours, then all.
#[inline]
const fn eight_digits(chunk: u64) -> Option<u64> {
    let value = chunk.wrapping_sub(0x3030_3030_3030_3030);
    // A byte is no digit if it lies below '0' (borrow) or above '9' (carry into its top bit).
    if (value | chunk.wrapping_add(0x4646_4646_4646_4646)) & 0x8080_8080_8080_8080 != 0 {
        return None;
    }
    let pairs = (value.wrapping_mul(10)).wrapping_add(value >> 8) & 0x00FF_00FF_00FF_00FF;
    let fours = (pairs.wrapping_mul(100)).wrapping_add(pairs >> 16) & 0x0000_FFFF_0000_FFFF;
    Some((fours.wrapping_mul(10_000)).wrapping_add(fours >> 32) & 0xFFFF_FFFF)
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
    fn eight_and_four_digits_are_told_from_all_other_bytes() {
        let value_of = |text: &[u8]| {
            let digits =
                std::str::from_utf8(text).ok().filter(|text| text.bytes().all(|b| b.is_ascii_digit()));
            digits.map(|digits| digits.parse::<u64>().unwrap())
        };
        for byte in 0..=255u8 {
            for place in 0..8 {
                let mut text = *b"10990912";
                text[place] = byte;
                assert_eq!(eight_digits(u64::from_le_bytes(text)), value_of(&text), "{text:?}");
                let four = text.first_chunk::<4>().unwrap();
                assert_eq!(four_digits(u32::from_le_bytes(*four)).map(u64::from), value_of(four), "{four:?}");
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

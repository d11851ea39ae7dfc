//! Numbers for people. The report value keeps every digit; rounding happens here and nowhere else.

use metrics::Unit;

/// Significant digits of a value that is no count. Ours: enough to rank maps, few enough to read.
const SIGNIFICANT_DIGITS: i32 = 5;

/// Below this power of ten, and from the other on, numbers are printed with an exponent.
const MIN_PLAIN_EXPONENT: i32 = -5;
const MAX_PLAIN_EXPONENT: i32 = 15;

/// What stands for a missing value.
pub(crate) const MISSING: &str = "-";

/// A value as tables print it: counts in full, others with five significant digits, trailing zeros cut.
///
/// Halves are rounded away from zero on the shortest decimal that means the value, which is what the JSON
/// rendering prints: a reader who rounds the JSON by hand gets the table.
pub(crate) fn shown(value: Option<f64>) -> String {
    match value {
        Some(value) if value.is_finite() => shown_finite(value),
        _ => MISSING.to_owned(),
    }
}

/// A number as tables print it; `-` if it is not finite.
#[must_use]
pub fn shown_number(value: f64) -> String {
    shown(Some(value))
}

/// A number with so many decimals, and no sign before a zero.
#[must_use]
pub fn fixed(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");
    match text.strip_prefix('-') {
        Some(zero) if zero.bytes().all(|byte| matches!(byte, b'0' | b'.')) => zero.to_owned(),
        _ => text,
    }
}

/// A share of one as a percentage with one decimal. A share below one never prints as `100 %`, and one above
/// zero never as `0 %`, because both words would claim more than the share does.
#[must_use]
pub fn percent(share: f64) -> String {
    let tenths = (share * 1000.0 + 0.5).floor();
    let honest = if share < 1.0 && tenths >= 1000.0 {
        999.0
    } else if share > 0.0 && tenths < 1.0 {
        1.0
    } else {
        tenths
    };
    format!("{} %", honest / 10.0)
}

/// How the numbers of one metric are printed wherever they stand in one table: with the same decimals, so that nobody
/// takes 0.5 for rounder than 0.5003, and points stand below each other where the metric is a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ColumnDigits {
    /// None where the numbers are too far apart for one form.
    decimals: Option<i32>,
}

impl ColumnDigits {
    /// As many decimals as the column's longest number has, and no more than five significant digits of the largest.
    #[must_use]
    pub fn of(values: impl IntoIterator<Item = Option<f64>>) -> Self {
        let values: Vec<f64> = values.into_iter().flatten().filter(|value| value.is_finite()).collect();
        let texts: Vec<String> = values.iter().map(|value| shown(Some(*value))).collect();
        if texts.iter().any(|text| text.contains('e')) {
            return Self { decimals: None };
        }
        let decimals = |text: &String| text.split_once('.').map_or(0, |(_, fraction)| fraction.len());
        let longest = i32::try_from(texts.iter().map(decimals).max().unwrap_or(0)).unwrap_or(0);
        let largest = values.iter().map(|value| exponent(*value)).max().unwrap_or(0);
        Self { decimals: Some(longest.min(SIGNIFICANT_DIGITS - 1 - largest).max(0)) }
    }

    /// A number of the column. One that these decimals would round to nothing keeps its own digits.
    #[must_use]
    pub fn shown(self, value: Option<f64>) -> String {
        let (Some(decimals), Some(number)) = (self.decimals, value.filter(|value| value.is_finite())) else {
            return shown(value);
        };
        let text =
            if number == 0.0 { "0".to_owned() } else { rounded(number, |exponent| exponent + 1 + decimals) };
        let has = text.split_once('.').map_or(0, |(_, fraction)| fraction.len());
        let missing = usize::try_from(decimals).unwrap_or(0).saturating_sub(has);
        let point = if has == 0 && missing > 0 { "." } else { "" };
        format!("{text}{point}{}", "0".repeat(missing))
    }

    /// A number of the column with its unit behind it; no unit behind a missing value.
    pub(crate) fn shown_with_unit(self, value: Option<f64>, unit: Unit) -> String {
        let number = self.shown(value);
        if number == MISSING || unit.symbol().is_empty() {
            return number;
        }
        format!("{number} {}", unit.symbol())
    }
}

/// The power of ten of a number's first digit.
fn exponent(value: f64) -> i32 {
    format!("{:e}", value.abs()).split_once('e').and_then(|(_, exponent)| exponent.parse().ok()).unwrap_or(0)
}

fn shown_finite(value: f64) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    // The digits of the whole part all stay, as far as a double holds them exactly.
    rounded(
        value,
        |exponent| if is_plain(exponent) { SIGNIFICANT_DIGITS.max(exponent + 1) } else { SIGNIFICANT_DIGITS },
    )
}

fn is_plain(exponent: i32) -> bool {
    (MIN_PLAIN_EXPONENT..MAX_PLAIN_EXPONENT).contains(&exponent)
}

/// A number other than zero with so many digits as `keep` says for its power of ten; at least one.
fn rounded(value: f64, keep: impl FnOnce(i32) -> i32) -> String {
    let scientific = format!("{:e}", value.abs());
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let digits: Vec<u8> = mantissa.bytes().filter(u8::is_ascii_digit).map(|d| d - b'0').collect();
    let is_plain = is_plain(exponent);
    let keep = usize::try_from(keep(exponent)).unwrap_or(0).max(1);
    let (digits, exponent) = round_half_up(&digits, keep, exponent);
    let sign = if value < 0.0 { "-" } else { "" };
    let number = if is_plain { plain(&digits, exponent) } else { with_exponent(&digits, exponent) };
    format!("{sign}{number}")
}

/// Keeps the first digits of `d.ddd × 10^exponent`, cuts trailing zeros, and carries into the exponent.
fn round_half_up(digits: &[u8], keep: usize, exponent: i32) -> (Vec<u8>, i32) {
    let mut kept: Vec<u8> = digits.iter().take(keep).copied().collect();
    let mut carry = digits.get(keep).is_some_and(|&next| next >= 5);
    for digit in kept.iter_mut().rev() {
        if !carry {
            break;
        }
        carry = *digit == 9;
        *digit = if carry { 0 } else { *digit + 1 };
    }
    if carry {
        kept.insert(0, 1);
    }
    while kept.len() > 1 && kept.last() == Some(&0) {
        kept.pop();
    }
    (kept, if carry { exponent + 1 } else { exponent })
}

fn plain(digits: &[u8], exponent: i32) -> String {
    let text: String = digits.iter().map(|&d| char::from(b'0' + d)).collect();
    if exponent < 0 {
        let zeros = "0".repeat(usize::try_from(-exponent - 1).unwrap_or(0));
        return format!("0.{zeros}{text}");
    }
    let whole = usize::try_from(exponent + 1).unwrap_or(0);
    if text.len() <= whole {
        return format!("{text}{}", "0".repeat(whole - text.len()));
    }
    let (whole, fraction) = text.split_at(whole);
    format!("{whole}.{fraction}")
}

fn with_exponent(digits: &[u8], exponent: i32) -> String {
    let text: String = digits.iter().map(|&d| char::from(b'0' + d)).collect();
    let (first, rest) = text.split_at(1);
    if rest.is_empty() { format!("{first}e{exponent}") } else { format!("{first}.{rest}e{exponent}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_zero_has_no_sign() {
        assert_eq!(
            [fixed(-0.0, 1), fixed(-0.04, 1), fixed(-0.06, 1), fixed(0.0, 0)],
            ["0.0", "0.0", "-0.1", "0"]
        );
        assert_eq!([shown(Some(-0.0)), fixed(f64::NAN, 2)], ["0", "NaN"]);
    }

    #[test]
    fn counts_keep_all_their_digits() {
        assert_eq!(shown(Some(0.0)), "0");
        assert_eq!(shown(Some(5000.0)), "5000");
        assert_eq!(shown(Some(123_456_789.0)), "123456789");
    }

    #[test]
    fn the_numbers_of_a_column_have_the_same_decimals() {
        let column = |values: &[f64]| {
            let digits = ColumnDigits::of(values.iter().map(|value| Some(*value)));
            values.iter().map(|value| digits.shown(Some(*value))).collect::<Vec<_>>()
        };
        assert_eq!(column(&[175.0, 124.852, 102.5, 35.4064]), ["175.00", "124.85", "102.50", "35.41"]);
        assert_eq!(column(&[0.95, 0.6, -0.55, 0.0]), ["0.95", "0.60", "-0.55", "0.00"]);
        assert_eq!(column(&[3.0, 12.0]), ["3", "12"]);
        assert_eq!(column(&[123_456.7, 9.99]), ["123457", "10"]);
        assert_eq!(column(&[0.0069151, 0.01234]), ["0.006915", "0.012340"]);
        // Too small for the column's decimals, but not nothing.
        assert_eq!(column(&[100.25, 0.000_123]), ["100.25", "0.0001"]);
        assert_eq!(column(&[1e20, 1.5]), ["1e20", "1.5"]);
        assert_eq!(ColumnDigits::of([None]).shown(None), MISSING);
    }

    #[test]
    fn halves_are_rounded_up_on_the_printed_decimal() {
        assert_eq!(shown(Some(0.123_445)), "0.12345");
        assert_eq!(shown(Some(0.123_444_9)), "0.12344");
        assert_eq!(shown(Some(-0.123_445)), "-0.12345");
        assert_eq!(shown(Some(123_456.5)), "123457");
    }

    #[test]
    fn a_carry_may_add_a_digit() {
        assert_eq!(shown(Some(0.999_996)), "1");
        assert_eq!(shown(Some(99_999.7)), "100000");
        assert_eq!(shown(Some(9.999_96)), "10");
    }

    #[test]
    fn very_small_and_very_large_numbers_have_an_exponent() {
        assert_eq!(shown(Some(1.234_567e-7)), "1.2346e-7");
        assert_eq!(shown(Some(2e300)), "2e300");
        assert_eq!(shown(Some(1.5e-5)), "0.000015");
    }

    #[test]
    fn what_is_no_number_is_a_dash() {
        assert_eq!(shown(None), "-");
        assert_eq!(shown(Some(f64::NAN)), "-");
        assert_eq!(shown(Some(f64::INFINITY)), "-");
        assert_eq!(ColumnDigits::of([None]).shown_with_unit(None, Unit::Metres), "-");
    }

    #[test]
    fn a_pure_number_has_no_unit() {
        let digits = ColumnDigits::of([Some(0.5)]);
        assert_eq!(digits.shown_with_unit(Some(0.5), Unit::Ratio), "0.5");
        assert_eq!(digits.shown_with_unit(Some(0.5), Unit::Metres), "0.5 m");
    }

    #[test]
    fn nearly_all_is_not_all() {
        assert_eq!(percent(1.0), "100 %");
        assert_eq!(percent(0.999_99), "99.9 %");
        assert_eq!(percent(0.000_01), "0.1 %");
        assert_eq!(percent(0.0), "0 %");
        assert_eq!(percent(0.4567), "45.7 %");
    }

    proptest! {
        #[test]
        fn the_printed_number_is_within_half_a_unit_of_its_last_digit(value in -1e12..1e12f64) {
            let printed: f64 = shown(Some(value)).parse().unwrap();
            prop_assert!((printed - value).abs() <= 0.500_01e-4 * value.abs().max(1e-300));
        }
    }
}

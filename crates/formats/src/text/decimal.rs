//! Decimal numbers out of bytes, with the rounding of the standard library.

/// The number at the start of `text` and its length in bytes.
#[inline]
pub(crate) fn leading_number(text: &[u8]) -> Option<(f64, usize)> {
    fast_float2::parse_partial(text).ok()
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

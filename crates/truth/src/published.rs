//! A free test of printed statistics: the mean square is mean^2 + std^2, or with the sample standard deviation
//! mean^2 + std^2 (n - 1) / n. Tables that break it hold a slip or mix two sets.
//!
//! Printed numbers are rounded, so each stands for an interval of half a unit of its last digit; the test fails only if
//! no numbers within the intervals fulfil it.

use std::str::FromStr;

/// A printed triple: mean, standard deviation, mean square; and the number of samples if it is known.
#[derive(Clone, Debug, PartialEq)]
pub struct Published {
    mean: Printed,
    std: Printed,
    mean_square: Printed,
    n: Option<f64>,
}

/// A printed number: its value and half a unit of its last digit.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Printed {
    value: f64,
    half_unit: f64,
}

impl Printed {
    fn low(self) -> f64 {
        (self.value - self.half_unit).max(0.0)
    }

    fn high(self) -> f64 {
        self.value + self.half_unit
    }
}

/// A text that is no triple.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "'{found}': expected MEAN,STD,MEAN_SQUARE or MEAN,STD,MEAN_SQUARE,N as printed, such as 1.08,1.81,4.44"
)]
pub struct PublishedError {
    pub found: String,
}

impl PublishedError {
    /// A name of the error that never changes.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        "PUBLISHED_STATISTICS"
    }
}

impl FromStr for Published {
    type Err = PublishedError;

    fn from_str(text: &str) -> Result<Self, PublishedError> {
        let wrong = || PublishedError { found: text.to_owned() };
        let parts: Vec<&str> = text.split(',').map(str::trim).collect();
        let (numbers, n) = match parts.as_slice() {
            [mean, std, square] => ([mean, std, square], None),
            [mean, std, square, n] => ([mean, std, square], Some(n.parse::<u64>().map_err(|_| wrong())?)),
            _ => return Err(wrong()),
        };
        let [mean, std, mean_square] = numbers.map(|part| printed(part));
        let (mean, std, mean_square) =
            (mean.ok_or_else(wrong)?, std.ok_or_else(wrong)?, mean_square.ok_or_else(wrong)?);
        if n == Some(0) {
            return Err(wrong());
        }
        Ok(Self { mean, std, mean_square, n: n.map(|n| n as f64) })
    }
}

fn printed(text: &str) -> Option<Printed> {
    let value: f64 = text.parse().ok()?;
    let is_plain = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let decimals = text.split_once('.').map_or(0, |(_, decimals)| decimals.len());
    let half_unit = 0.5 * 10_f64.powi(-i32::try_from(decimals).ok()?);
    (is_plain && value.is_finite()).then_some(Printed { value, half_unit })
}

/// What the test says.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Consistency {
    /// The mean squares that mean and standard deviation allow.
    pub allowed: (f64, f64),
    /// The mean squares that the printed one stands for.
    pub printed: (f64, f64),
    /// Whether the two overlap.
    pub holds: bool,
}

/// Tests a printed triple. The deviation may be that of the population or, where `n` is given, of the sample.
#[must_use]
pub fn consistency(published: &Published) -> Consistency {
    let Published { mean, std, mean_square, n } = published;
    let sample_factor = n.map_or(1.0, |n| (n - 1.0) / n);
    let low = mean.low().powi(2) + std.low().powi(2) * sample_factor;
    let high = mean.high().powi(2) + std.high().powi(2);
    let printed = (mean_square.low(), mean_square.high());
    Consistency { allowed: (low, high), printed, holds: low <= printed.1 && printed.0 <= high }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn test(text: &str) -> Consistency {
        consistency(&text.parse().unwrap())
    }

    /// Worked example 08-E8: Table 1 of Kleiner et al., with the rounding intervals of the specification.
    #[test]
    fn worked_example_08_e8_table_1_is_consistent() {
        for (printed, low, high) in [
            ("1.08,1.81,4.44", 4.414, 4.471),
            ("1.40,1.77,5.08", 5.061, 5.125),
            ("0.48,1.04,1.32", 1.297, 1.327),
        ] {
            let found = test(printed);
            assert!(found.holds, "{printed}");
            assert!(
                (found.allowed.0 - low).abs() < 6e-4 && (found.allowed.1 - high).abs() < 6e-4,
                "{found:?}"
            );
        }
    }

    /// Hess et al. 2016, graph mapping on Killian: 0.5 +- 0.5 degrees do not give 0.9 square degrees; nor do 1.3 +- 4.7
    /// fail to give 24.0.
    #[test]
    fn a_known_slip_in_a_published_table_is_found() {
        assert!(!test("0.5,0.5,0.9").holds);
        assert!(test("1.3,4.7,24.0").holds);
        assert!(test("0.453,1.335,1.986").holds);
    }

    /// 0, 1, 3 (08-E7): population and sample deviation both pass once the number is given.
    #[test]
    fn both_deviations_of_worked_example_08_e7_pass() {
        assert!(test("1.333333,1.247219,3.333333,3").holds);
        assert!(test("1.333333,1.527525,3.333333,3").holds);
        assert!(!test("1.333333,1.527525,3.333333").holds);
    }

    #[test]
    fn what_is_no_triple_says_what_was_expected() {
        for text in ["", "1,2", "1,2,x", "1,2,-3", "1,2,3,0", "1,2,nan", "1,2,3,4,5", "1e5,2,3"] {
            assert!(text.parse::<Published>().is_err(), "{text}");
        }
    }
}

//! When a value stands out from earlier ones: worse than their median by so many robust standard deviations.
//!
//! ```text
//! sigma = 1.4826 · median_i | x_i − median(x) |
//! ```
//!
//! 1.4826 makes the median absolute deviation the standard deviation of normal errors (Hampel 1974). One bad night
//! among ten moves neither the median nor sigma.

use crate::number::shown;

/// The rule of a metric: `3 sigma of the last 10`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trend {
    /// Standard deviations that a value may be worse than the median. Default 3.
    pub sigmas: f64,
    /// Earlier values that it is compared with at most. Default 10.
    pub last: usize,
    /// Fewer earlier values tell nothing. Default 5: of four, two outliers already move the median.
    pub min_samples: usize,
}

/// The rule of a single metric.
#[derive(Clone, Debug, PartialEq)]
pub struct TrendRule {
    /// The case it is for; none for every case.
    pub case: Option<String>,
    /// The metric's id.
    pub metric: String,
    pub trend: Trend,
}

/// Median and robust standard deviation of earlier values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Robust {
    pub(super) median: f64,
    pub(super) sigma: f64,
}

impl Default for Trend {
    fn default() -> Self {
        Self { sigmas: 3.0, last: 10, min_samples: 5 }
    }
}

impl Trend {
    /// Reads `3 sigma of the last 10`; `the` and `last` may be left out.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let words: Vec<&str> =
            text.split_whitespace().filter(|word| !["the", "last"].contains(word)).collect();
        let [sigmas, "sigma", "of", last] = words[..] else { return None };
        let (sigmas, last) = (sigmas.parse::<f64>().ok()?, last.parse::<usize>().ok()?);
        let default = Self::default();
        let trend = Self { sigmas, last, min_samples: default.min_samples.min(last) };
        trend.is_sound().then_some(trend)
    }

    /// Whether the numbers make sense.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        self.sigmas.is_finite()
            && self.sigmas >= 0.0
            && self.min_samples >= 1
            && self.last >= self.min_samples
    }

    /// The rule in words.
    #[must_use]
    pub fn words(&self) -> String {
        format!("worse than the median of the last {} by {} sigma", self.last, shown(Some(self.sigmas)))
    }
}

impl Robust {
    /// None without a value.
    pub(super) fn of(values: &[f64]) -> Option<Self> {
        let median = median(values.to_vec())?;
        let deviations = values.iter().map(|value| (value - median).abs()).collect();
        Some(Self { median, sigma: 1.4826 * self::median(deviations)? })
    }
}

/// The middle value, or the mean of the two middle ones.
pub(crate) fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    let upper = *values.get(values.len() / 2)?;
    let lower = *values.get((values.len() - 1) / 2)?;
    Some(f64::midpoint(lower, upper))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_read_as_they_are_said() {
        let expected = Trend { sigmas: 2.5, last: 20, min_samples: 5 };
        assert_eq!(Trend::parse("2.5 sigma of the last 20"), Some(expected));
        assert_eq!(Trend::parse("2.5 sigma of 20"), Some(expected));
        assert_eq!(Trend::parse("3 sigma of 4").unwrap().min_samples, 4);
        for wrong in
            ["", "3", "3 sigma", "-1 sigma of 10", "3 sigma of 0", "nan sigma of 9", "3 sigma of 10 x"]
        {
            assert_eq!(Trend::parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn one_outlier_moves_neither_median_nor_sigma() {
        // Deviations from 10: 0, 0, 1, 1, 90; their median is 1.
        let robust = Robust::of(&[10.0, 11.0, 9.0, 10.0, 100.0]).unwrap();
        assert_eq!(robust, Robust { median: 10.0, sigma: 1.4826 });
        assert_eq!(Robust::of(&[]), None);
        assert_eq!(median(vec![4.0, 1.0]), Some(2.5));
    }
}

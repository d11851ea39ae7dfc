//! How far a value may move before it counts as moved: for all metrics, and for single ones in a limits file.

/// The tolerance of values that have none of their own: above the rounding of sums in another order, below any change of
/// a map. Relative.
pub const DEFAULT_RELATIVE_TOLERANCE: f64 = 1e-9;

/// How far a value may move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Amount {
    /// A ratio of the larger of both values, from 0 on.
    Relative(f64),
    /// In the unit of the metric, from 0 on.
    Absolute(f64),
}

/// The tolerance of one metric.
#[derive(Clone, Debug, PartialEq)]
pub struct Tolerance {
    /// The case it is for; none for every case.
    pub case: Option<String>,
    /// The metric's id.
    pub metric: String,
    pub amount: Amount,
}

/// The tolerances of a comparison.
#[derive(Clone, Debug, PartialEq)]
pub struct Tolerances {
    /// For metrics without an entry.
    pub otherwise: Amount,
    /// For single metrics; those of a case go before the general ones.
    pub own: Vec<Tolerance>,
}

impl Tolerances {
    /// One relative tolerance for all metrics.
    #[must_use]
    pub const fn relative(ratio: f64) -> Self {
        Self { otherwise: Amount::Relative(ratio), own: Vec::new() }
    }

    /// What holds for a metric of a case, if it has a tolerance of its own.
    #[must_use]
    pub fn own(&self, case: &str, metric: &str) -> Option<Amount> {
        let of = |name: Option<&str>| {
            let found = self.own.iter().rev().find(|own| own.metric == metric && own.case.as_deref() == name);
            found.map(|own| own.amount)
        };
        of(Some(case)).or_else(|| of(None))
    }

    /// What holds for a metric of a case.
    #[must_use]
    pub fn of(&self, case: &str, metric: &str) -> Amount {
        self.own(case, metric).unwrap_or(self.otherwise)
    }

    /// The first amount that is negative or no number.
    pub(crate) fn faulty(&self) -> Option<f64> {
        let all = self.own.iter().map(|own| own.amount).chain([self.otherwise]);
        all.map(Amount::number).find(|number| !number.is_finite() || *number < 0.0)
    }
}

impl Default for Tolerances {
    fn default() -> Self {
        Self::relative(DEFAULT_RELATIVE_TOLERANCE)
    }
}

impl Amount {
    /// Reads `2 %` as a relative amount, and `0.02` as one in the unit of the metric.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let (number, is_relative) = match text.trim().strip_suffix('%') {
            Some(number) => (number, true),
            None => (text, false),
        };
        let number = number.trim().parse::<f64>().ok();
        let number = number.filter(|number| number.is_finite() && *number >= 0.0)?;
        Some(if is_relative { Self::Relative(number / 100.0) } else { Self::Absolute(number) })
    }

    /// The largest difference of two values that still counts as none.
    pub(crate) fn threshold(self, a: f64, b: f64) -> f64 {
        match self {
            Self::Relative(ratio) => ratio * a.abs().max(b.abs()),
            Self::Absolute(difference) => difference,
        }
    }

    /// As a limits file writes it.
    #[must_use]
    pub fn words(self) -> String {
        match self {
            Self::Relative(ratio) => format!("{} %", crate::shown_number(ratio * 100.0)),
            Self::Absolute(difference) => crate::shown_number(difference),
        }
    }

    const fn number(self) -> f64 {
        match self {
            Self::Relative(number) | Self::Absolute(number) => number,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_percentage_is_relative_and_a_number_has_the_unit_of_the_metric() {
        assert_eq!(Amount::parse(" 2 % "), Some(Amount::Relative(0.02)));
        assert_eq!(Amount::parse("0.5"), Some(Amount::Absolute(0.5)));
        assert_eq!(["", "-1", "nan", "2 m", "% 2", "inf %"].map(Amount::parse), [None; 6]);
        assert_eq!([Amount::Relative(0.02).words(), Amount::Absolute(0.5).words()], ["2 %", "0.5"]);
    }

    #[test]
    fn the_tolerance_of_a_case_goes_before_the_general_one() {
        let own = |case: Option<&str>, amount| Tolerance {
            case: case.map(str::to_owned),
            metric: "m".to_owned(),
            amount: Amount::Absolute(amount),
        };
        let tolerances =
            Tolerances { own: vec![own(Some("a"), 1.0), own(None, 2.0)], ..Tolerances::default() };
        assert_eq!(tolerances.of("a", "m"), Amount::Absolute(1.0));
        assert_eq!(tolerances.of("b", "m"), Amount::Absolute(2.0));
        assert_eq!(tolerances.of("a", "n"), Amount::Relative(DEFAULT_RELATIVE_TOLERANCE));
    }
}

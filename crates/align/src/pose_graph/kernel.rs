//! Robust kernels: how much a constraint that does not fit still counts.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::AlignError;

/// How the cost of a constraint grows with its error e = sqrt(chi2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Kernel {
    /// e².
    #[default]
    Square,
    /// e² up to the width k, then 2 k e - k² (Huber 1964).
    Huber(f64),
    /// k² ln(1 + e²/k²): far outliers hardly count.
    Cauchy(f64),
    /// e² k² / (k² + e²), never above k² (Geman, McClure 1985): a wrong loop costs a constant.
    GemanMcClure(f64),
    /// e² up to the width k, then k²: a measurement counts fully or not at all.
    TruncatedSquare(f64),
}

/// A kernel without its width.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum KernelShape {
    /// The squared error, without a width.
    #[default]
    Square,
    /// Grows linearly from the width on (Huber 1964).
    Huber,
    /// Grows logarithmically: far outliers hardly count.
    Cauchy,
    /// Never above the squared width (Geman, McClure 1985).
    GemanMcclure,
    /// Loop closures within the width count fully, others not at all, found by graduated non-convexity (Yang et al. 2020);
    /// measurements between neighbours are trusted.
    Gnc,
}

/// sqrt of the 99 % quantile of chi2 with three degrees of freedom, 11.345.
const GNC_WIDTH: f64 = 3.3682;

impl KernelShape {
    /// The width in standard deviations where none is given: 1, ours; of `gnc` 3.3682, beyond which lies one right
    /// measurement of a hundred if its information is true.
    pub const fn default_width(self) -> f64 {
        match self {
            Self::Gnc => GNC_WIDTH,
            _ => 1.0,
        }
    }

    /// The kernel with a width in standard deviations.
    ///
    /// # Errors
    /// A width that is not finite and above 0, also of `square`, which ignores it.
    pub fn with_width(self, width: f64) -> Result<Kernel, AlignError> {
        if !(width.is_finite() && width > 0.0) {
            return Err(AlignError::parameter("kernel_width", width, "a finite number above 0"));
        }
        Ok(match self {
            Self::Square => Kernel::Square,
            Self::Huber => Kernel::Huber(width),
            Self::Cauchy => Kernel::Cauchy(width),
            Self::GemanMcclure => Kernel::GemanMcClure(width),
            Self::Gnc => Kernel::TruncatedSquare(width),
        })
    }
}

impl Kernel {
    /// The cost of a constraint.
    pub fn cost(self, chi2: f64) -> f64 {
        match self {
            Self::Square => chi2,
            Self::Huber(k) if chi2 <= k * k => chi2,
            Self::Huber(k) => 2.0 * k * chi2.sqrt() - k * k,
            Self::Cauchy(k) => k * k * (chi2 / (k * k)).ln_1p(),
            Self::GemanMcClure(k) => chi2 * k * k / (k * k + chi2),
            Self::TruncatedSquare(k) => chi2.min(k * k),
        }
    }

    /// The weight in iteratively reweighted least squares: the derivative of the cost by chi2.
    pub fn weight(self, chi2: f64) -> f64 {
        match self {
            Self::Square => 1.0,
            Self::Huber(k) if chi2 <= k * k => 1.0,
            Self::Huber(k) => k / chi2.sqrt(),
            Self::Cauchy(k) => 1.0 / (1.0 + chi2 / (k * k)),
            Self::GemanMcClure(k) => (k * k / (k * k + chi2)).powi(2),
            Self::TruncatedSquare(k) if chi2 <= k * k => 1.0,
            Self::TruncatedSquare(_) => 0.0,
        }
    }

    /// The error from which on it bends the cost; none if it never does.
    pub(super) const fn width(self) -> Option<f64> {
        match self {
            Self::Square => None,
            Self::Huber(k) | Self::Cauchy(k) | Self::GemanMcClure(k) | Self::TruncatedSquare(k) => Some(k),
        }
    }

    /// The same kernel, so many times as wide.
    pub(super) const fn widened(self, factor: f64) -> Self {
        match self {
            Self::Square => Self::Square,
            Self::Huber(k) => Self::Huber(k * factor),
            Self::Cauchy(k) => Self::Cauchy(k * factor),
            Self::GemanMcClure(k) => Self::GemanMcClure(k * factor),
            Self::TruncatedSquare(k) => Self::TruncatedSquare(k * factor),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_derivatives_of_costs() {
        let wide = [
            Kernel::Huber(2.0),
            Kernel::Cauchy(2.0),
            Kernel::GemanMcClure(2.0),
            Kernel::TruncatedSquare(2.0),
        ];
        for kernel in [Kernel::Square].into_iter().chain(wide) {
            for chi2 in [0.5, 3.0, 5.0, 100.0] {
                let slope = (kernel.cost(chi2 + 1e-6) - kernel.cost(chi2 - 1e-6)) / 2e-6;
                assert!((slope - kernel.weight(chi2)).abs() < 1e-6, "{kernel:?} at {chi2}");
            }
        }
    }

    #[test]
    fn a_width_must_be_positive() {
        assert_eq!(KernelShape::Huber.with_width(2.0), Ok(Kernel::Huber(2.0)));
        assert!(
            KernelShape::Cauchy.with_width(0.0).is_err() && KernelShape::Huber.with_width(f64::NAN).is_err()
        );
    }

    #[test]
    fn costs_by_hand() {
        assert_eq!(Kernel::Huber(2.0).cost(9.0), 8.0);
        assert_eq!(Kernel::GemanMcClure(2.0).cost(12.0), 3.0);
        assert_eq!(
            (Kernel::TruncatedSquare(2.0).cost(3.0), Kernel::TruncatedSquare(2.0).cost(12.0)),
            (3.0, 4.0)
        );
        assert!((Kernel::Cauchy(1.0).cost(1.0) - 2_f64.ln()).abs() < 1e-15);
    }
}

//! Robust kernels: how much a constraint that does not fit still counts.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

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
}

impl Kernel {
    /// The cost of a constraint.
    #[must_use]
    pub fn cost(self, chi2: f64) -> f64 {
        match self {
            Self::Square => chi2,
            Self::Huber(k) if chi2 <= k * k => chi2,
            Self::Huber(k) => 2.0 * k * chi2.sqrt() - k * k,
            Self::Cauchy(k) => k * k * (chi2 / (k * k)).ln_1p(),
            Self::GemanMcClure(k) => chi2 * k * k / (k * k + chi2),
        }
    }

    /// The weight in iteratively reweighted least squares: the derivative of the cost by chi2.
    #[must_use]
    pub fn weight(self, chi2: f64) -> f64 {
        match self {
            Self::Square => 1.0,
            Self::Huber(k) if chi2 <= k * k => 1.0,
            Self::Huber(k) => k / chi2.sqrt(),
            Self::Cauchy(k) => 1.0 / (1.0 + chi2 / (k * k)),
            Self::GemanMcClure(k) => (k * k / (k * k + chi2)).powi(2),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_derivatives_of_costs() {
        for kernel in [Kernel::Square, Kernel::Huber(2.0), Kernel::Cauchy(2.0), Kernel::GemanMcClure(2.0)] {
            for chi2 in [0.5, 3.0, 5.0, 100.0] {
                let slope = (kernel.cost(chi2 + 1e-6) - kernel.cost(chi2 - 1e-6)) / 2e-6;
                assert!((slope - kernel.weight(chi2)).abs() < 1e-6, "{kernel:?} at {chi2}");
            }
        }
    }

    #[test]
    fn costs_by_hand() {
        assert_eq!(Kernel::Huber(2.0).cost(9.0), 8.0);
        assert_eq!(Kernel::GemanMcClure(2.0).cost(12.0), 3.0);
        assert!((Kernel::Cauchy(1.0).cost(1.0) - 2_f64.ln()).abs() < 1e-15);
    }
}

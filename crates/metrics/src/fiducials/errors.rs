//! Errors between found and true places or distances: capped, optionally in steps.
//!
//! ```text
//! e = min(d, d_max) / d_max      d' = q floor(d / q) first, if a step q is set
//! ```

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Reason, Undefined};

/// How a distance becomes a whole number of steps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Rounding {
    /// Downwards, as the paper counts.
    #[default]
    Floor,
    /// To the nearest step.
    Round,
    /// Upwards.
    Ceil,
}

/// How distances become errors from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ErrorScale {
    /// Distance in metres that counts as wholly wrong. Default 0.6 for places, the diameter of the paper's barrels, and
    /// 0.3 for the distances of pairs, their radius.
    pub d_max_m: f64,
    /// Distances are taken in steps of so many metres; 0 for none. Default 0.
    pub step_m: f64,
    /// Direction of the steps. Default `floor`, as the paper counts.
    pub rounding: Rounding,
}

impl ErrorScale {
    /// The paper's scale for places.
    pub const PLACES: Self = Self { d_max_m: 0.6, step_m: 0.0, rounding: Rounding::Floor };
    /// The paper's scale for the distances of pairs.
    pub const PAIRS: Self = Self { d_max_m: 0.3, ..Self::PLACES };

    /// Refuses scales that make no sense.
    pub(super) fn checked(self) -> Result<Self, Undefined> {
        let is_sensible = self.d_max_m > 0.0 && self.d_max_m.is_finite() && self.step_m >= 0.0;
        if is_sensible { Ok(self) } else { Err(Reason::NotFinite.into()) }
    }

    /// The error of a distance, from 0 to 1.
    #[must_use]
    pub fn error(&self, distance_m: f64) -> f64 {
        let stepped_m = if self.step_m > 0.0 { self.step_m * self.steps(distance_m) } else { distance_m };
        stepped_m.min(self.d_max_m) / self.d_max_m
    }

    fn steps(&self, distance_m: f64) -> f64 {
        let steps = distance_m / self.step_m;
        match self.rounding {
            Rounding::Floor => steps.floor(),
            Rounding::Round => (steps + 0.5).floor(),
            Rounding::Ceil => steps.ceil(),
        }
    }

    /// 1 - mean error; none without errors.
    #[must_use]
    pub fn value(errors: &[f64]) -> Option<f64> {
        (!errors.is_empty()).then(|| 1.0 - errors.iter().sum::<f64>() / errors.len() as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drawing::nearly;

    #[test]
    fn distances_are_capped_and_stepped() {
        let scale = |step_m, rounding| ErrorScale { d_max_m: 0.6, step_m, rounding };
        nearly(scale(0.0, Rounding::Floor).error(0.3), 0.5, 1e-12);
        nearly(scale(0.0, Rounding::Floor).error(9.0), 1.0, 1e-12);
        for (rounding, error) in
            [(Rounding::Floor, 0.0), (Rounding::Round, 1.0 / 3.0), (Rounding::Ceil, 1.0 / 3.0)]
        {
            nearly(scale(0.2, rounding).error(0.15), error, 1e-12);
        }
    }
}

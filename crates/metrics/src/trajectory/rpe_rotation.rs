//! Relative pose error, rotation: how far rotations between two poses are from the true ones.
//!
//! ```text
//! e_ij = angle of inverse(delta*_ij) (+) delta_ij, pairs (i, j) a distance `delta` apart; value = sqrt(mean e_ij^2)
//! ```
//!
//! Unit: deg. Range: 0 to 180. Better: lower.
//! Paper: none of the five; Sturm et al. 2012. The error of a pair is that of Kleiner et al. 2009, eq. 1.
//! Departure: pairs are measured on the true path and end at the nearest pose; evo measures on the estimate and ends
//! past the distance (`pairs_from`, `cut`).
//! Unknown: poses without a partner in time are counted as unmatched; pairs reach over such gaps.
//! Known bias: with `1f` a denser log scores better; compare runs under `1m` or `1s`. A standstill dominates frames.
//! Variants: `delta` in poses, metres, seconds, radians; `consecutive` or `all` pairs.
//! Undefined: without a true trajectory, if no time was matched, or if the path is too short for one pair.

use super::relative_errors::RelativeErrors;
use super::run::{for_run, of_any_run};
use crate::prelude::*;

/// Parameters of the rotation part.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RpeRotation {
    /// Which pairs are taken.
    #[serde(flatten)]
    pub how: RelativeErrors,
}

impl Metric for RpeRotation {
    const SPEC: MetricSpec =
        MetricSpec::new(Family::Trajectory, "rpe_rotation", "T-RPER", "Relative pose error, rotation")
            .measured_in(Unit::Degrees, Better::Lower)
            .between(0.0, 180.0)
            .over_floors(Aggregate::None);

    fn evaluate(&self, case: &Case) -> Result<Score, Undefined> {
        for_run!(case, run => self.how.score(run, "rotation_deg", |error| error.rotation_rad.to_degrees()))
    }

    fn samples(&self, case: &Case, _: &Score) -> Vec<Samples> {
        of_any_run!(case, run => self.how.samples(run, |error| error.rotation_rad.to_degrees()).unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::super::run::tests::{case, trajectory};
    use super::*;

    #[test]
    fn a_turn_that_is_short_by_45_degrees() {
        let truth =
            [(0.0, 0.0, 0.0, 0.0), (1.0, 1.0, 0.0, 0.0), (2.0, 2.0, 0.0, 90.0), (3.0, 2.0, 1.0, 90.0)];
        let estimate = [truth[0], truth[1], (2.0, 2.0, 0.0, 45.0), (3.0, 2.7, 0.7, 45.0)];
        let score =
            Metric::evaluate(&RpeRotation::default(), &case(trajectory(&estimate), trajectory(&truth)));
        let score = score.unwrap();
        assert!((score.value - (45.0_f64.powi(2) / 3.0).sqrt()).abs() < 1e-9);
        assert!((score.detail["rotation_deg"]["max"].as_f64().unwrap() - 45.0).abs() < 1e-9);
    }
}

//! Absolute trajectory error, full: translation and rotation in one number, as evo's `full` relation has it.
//!
//! ```text
//! E_i = inverse(x*_i) (+) A (+) x_i as a 4 x 4 matrix; e_i = |E_i - I| (Frobenius) = sqrt(t^2 + 8 sin^2(angle / 2))
//! value = sqrt(mean e_i^2)
//! ```
//!
//! Unit: 1. Range: 0 upward. Better: lower.
//! Paper: none of the five; the definition is evo's, so that its users find their number.
//! Departure: none.
//! Unknown: poses without a partner in time are counted as unmatched, never dropped silently.
//! Known bias: adds metres to rotations; a run of ten metres and one of a kilometre cannot be compared by it. Report
//! `ate_translation` and `ate_rotation` instead where you can.
//! Variants: `align`, `first`, `weight` by pose, time or distance.
//! Undefined: without a true trajectory, or if no time was matched.

use model::Rigid;

use super::absolute_errors::AbsoluteErrors;
use super::run::{for_run, of_any_run};
use crate::prelude::*;

/// Parameters of the full error.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AteFull {
    /// How the estimate is laid on the truth, and what counts.
    #[serde(flatten)]
    pub how: AbsoluteErrors,
}

impl Metric for AteFull {
    const SPEC: MetricSpec =
        MetricSpec::new(Family::Trajectory, "ate_full", "T-ATEF", "Absolute trajectory error, full")
            .measured_in(Unit::Ratio, Better::Lower)
            .best(0.0)
            .over_floors(Aggregate::None);

    fn evaluate(&self, case: &Case) -> Result<Score, Undefined> {
        for_run!(case, run => self.how.score(run, "full", frobenius))
    }

    fn samples(&self, case: &Case, _: &Score) -> Vec<Samples> {
        of_any_run!(case, run => self.how.samples(run, frobenius).unwrap_or_default())
    }
}

fn frobenius(error: impl Rigid) -> f64 {
    let half_turn = (error.angle_rad() / 2.0).sin();
    8.0_f64.mul_add(half_turn * half_turn, error.distance_m().powi(2)).sqrt()
}

#[cfg(test)]
mod tests {
    use model::{Pose2, Pose3};

    use super::*;

    #[test]
    fn it_is_the_norm_of_the_matrix_less_the_identity() {
        let error = Pose3::of_roll_pitch_yaw([0.3, -0.2, 0.1], [0.4, 1.0, -2.0]);
        let difference =
            error.matrix().into_iter().zip(Pose3::IDENTITY.matrix()).map(|(a, b)| (a - b).powi(2));
        assert!((frobenius(error) - difference.sum::<f64>().sqrt()).abs() < 1e-12);
        assert_eq!(frobenius(Pose2::IDENTITY), 0.0);
    }
}

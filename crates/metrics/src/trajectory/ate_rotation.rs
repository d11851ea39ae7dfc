//! Absolute trajectory error, rotation: how far the estimated headings are turned from the true ones.
//!
//! ```text
//! e_i = angle of inverse(x*_i) (+) A (+) x_i, A the fit of the estimate to the truth; value = sqrt(mean e_i^2)
//! ```
//!
//! Unit: deg. Range: 0 to 180. Better: lower.
//! Paper: none of the five; Sturm et al. 2012 for the positions, the angle is the geodesic one.
//! Departure: none.
//! Unknown: poses without a partner in time are counted as unmatched, never dropped silently.
//! Known bias: the fit uses positions only, so a sensor mounted askew shows as a constant error.
//! Variants: `align`, `first`, `weight` by pose, time or distance.
//! Undefined: without a true trajectory, or if no time was matched.

use model::Rigid;

use super::absolute_errors::AbsoluteErrors;
use super::run::{for_run, of_any_run};
use crate::prelude::*;

/// Parameters of the rotation part.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AteRotation {
    /// How the estimate is laid on the truth, and what counts.
    #[serde(flatten)]
    pub how: AbsoluteErrors,
}

impl Metric for AteRotation {
    const SPEC: MetricSpec =
        MetricSpec::new(Family::Trajectory, "ate_rotation", "T-ATER", "Absolute trajectory error, rotation")
            .measured_in(Unit::Degrees, Better::Lower)
            .between(0.0, 180.0)
            .over_floors(Aggregate::None);

    fn evaluate(&self, case: &Case) -> Result<Score, Undefined> {
        for_run!(case, run => self.how.score(run, "rotation_deg", |error| error.angle_rad().to_degrees()))
    }

    fn samples(&self, case: &Case, _: &Score) -> Vec<Samples> {
        of_any_run!(case, run => self.how.samples(run, |error| error.angle_rad().to_degrees()).unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::super::run::tests::{case, drive, trajectory};
    use super::*;

    #[test]
    fn a_sensor_mounted_askew_shows_as_a_constant() {
        let mut askew = drive(100);
        for pose in &mut askew.poses {
            let flat = pose.world_from_robot.planar();
            pose.world_from_robot = model::Pose2::new(flat.x_m, flat.y_m, flat.theta_rad + 0.1).into();
        }
        let score = Metric::evaluate(&AteRotation::default(), &case(askew, drive(100))).unwrap();
        assert!((score.value - 0.1_f64.to_degrees()).abs() < 1e-9);
        assert!(score.detail["std"].as_f64().unwrap() < 1e-9);
    }

    #[test]
    fn half_a_turn_is_the_worst() {
        let rows = |deg: f64| trajectory(&[(0.0, 0.0, 0.0, deg), (1.0, 1.0, 0.0, deg), (2.0, 1.0, 1.0, deg)]);
        let score = Metric::evaluate(&AteRotation::default(), &case(rows(180.0), rows(0.0))).unwrap();
        assert!((score.value - 180.0).abs() < 1e-9);
    }
}

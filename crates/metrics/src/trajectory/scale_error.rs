//! Scale error: by how much the estimate is too small or too large as a whole.
//!
//! ```text
//! value = 100 * (s - 1), s the scale of the similarity that lays the estimate on the truth
//! ```
//!
//! Unit: %. Range: any. Better: closer to 0; above 0 the estimate is too small.
//! Paper: none of the five; the fit is Umeyama 1991.
//! Departure: none.
//! Unknown: poses without a partner in time are counted as unmatched, never dropped silently.
//! Known bias: noise makes the factor too small, because a shrunk path is never far from anything.
//! Undefined: without a true trajectory, if no time was matched, or for a standstill.

use align::trajectory::FitMethod;

use super::absolute_errors::AbsoluteErrors;
use super::run::for_run;
use crate::prelude::*;

/// The scale error has no parameters.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ScaleError {}

impl Metric for ScaleError {
    const SPEC: MetricSpec = MetricSpec::new(Family::Trajectory, "scale_error", "T-SCALE", "Scale error")
        .measured_in(Unit::Percent, Better::Closer)
        .best(0.0)
        .over_floors(Aggregate::None);

    fn evaluate(&self, case: &Case) -> Result<Score, Undefined> {
        let how = AbsoluteErrors { align: FitMethod::Sim3, ..AbsoluteErrors::default() };
        for_run!(case, run => {
            let fit = how.fit(run)?;
            if !fit.unobservable.is_empty() && fit.scale == 1.0 {
                return Err(Undefined::because(Reason::InsufficientPoints).with_all(run.match_facts()));
            }
            Ok(Score::new(100.0 * (fit.scale - 1.0)).with("scale", fit.scale).with_all(run.match_facts()))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::run::tests::{case, drive, trajectory};
    use super::*;

    #[test]
    fn an_estimate_of_half_the_size() {
        let mut half = drive(50);
        for pose in &mut half.poses {
            pose.world_from_robot.position_m = pose.world_from_robot.position_m.map(|v| v / 2.0);
        }
        let score = Metric::evaluate(&ScaleError {}, &case(half, drive(50))).unwrap();
        assert!((score.value - 100.0).abs() < 1e-9);
    }

    #[test]
    fn a_standstill_has_no_scale() {
        let still = trajectory(&[(0.0, 1.0, 2.0, 0.0), (1.0, 1.0, 2.0, 0.0)]);
        let undefined = Metric::evaluate(&ScaleError {}, &case(still.clone(), still)).unwrap_err();
        assert_eq!(undefined.reasons, [Reason::InsufficientPoints]);
    }
}

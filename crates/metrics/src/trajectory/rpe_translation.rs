//! Relative pose error, translation: how far displacements between two poses are from the true ones.
//!
//! ```text
//! e_ij = |translation of inverse(delta*_ij) (+) delta_ij|, pairs (i, j) a distance `delta` apart
//! value = sqrt(mean e_ij^2)
//! ```
//!
//! Unit: m. Range: 0 upward. Better: lower.
//! Paper: none of the five; Sturm et al. 2012. The error of a pair is that of Kleiner et al. 2009, eq. 1 (`left`).
//! Departure: pairs are measured on the true path and end at the nearest pose; evo measures on the estimate and ends
//! past the distance (`pairs_from`, `cut`).
//! Unknown: poses without a partner in time are counted as unmatched; pairs reach over such gaps.
//! Known bias: with `1f` a denser log scores better; compare runs under `1m` or `1s`. A standstill dominates frames.
//! Variants: `delta` in poses, metres, seconds, radians; `consecutive` or `all` pairs.
//! Undefined: without a true trajectory, if no time was matched, or if the path is too short for one pair.

use super::relative_errors::RelativeErrors;
use super::run::{for_run, of_any_run};
use crate::prelude::*;

/// Parameters of the translation part.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RpeTranslation {
    /// Which pairs are taken.
    #[serde(flatten)]
    pub how: RelativeErrors,
}

impl Metric for RpeTranslation {
    const SPEC: MetricSpec =
        MetricSpec::new(Family::Trajectory, "rpe_translation", "T-RPE", "Relative pose error, translation")
            .measured_in(Unit::Metres, Better::Lower)
            .best(0.0)
            .over_floors(Aggregate::None);

    fn evaluate(&self, case: &Case) -> Result<Score, Undefined> {
        for_run!(case, run => self.how.score(run, "translation_m", |error| error.translation_m))
    }

    fn samples(&self, case: &Case, _: &Score) -> Vec<Samples> {
        of_any_run!(case, run => self.how.samples(run, |error| error.translation_m).unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use model::Pose2;

    use super::super::run::tests::{case, drive, trajectory};
    use super::*;
    use crate::Reason;

    fn rpe(delta: &str, case: &Case) -> Result<Score, Undefined> {
        let how = RelativeErrors { delta: delta.parse().unwrap(), ..RelativeErrors::default() };
        Metric::evaluate(&RpeTranslation { how }, case)
    }

    /// 08-E2: the estimate turns by 45 degrees instead of 90; single steps keep their length.
    #[test]
    fn three_poses_by_hand() {
        let truth =
            [(0.0, 0.0, 0.0, 0.0), (1.0, 1.0, 0.0, 0.0), (2.0, 2.0, 0.0, 90.0), (3.0, 2.0, 1.0, 90.0)];
        let half = std::f64::consts::FRAC_1_SQRT_2;
        let estimate = [truth[0], truth[1], (2.0, 2.0, 0.0, 45.0), (3.0, 2.0 + half, half, 45.0)];
        let case = case(trajectory(&estimate), trajectory(&truth));
        assert!(rpe("1f", &case).unwrap().value < 1e-12);
        let three = rpe("3f", &case).unwrap();
        assert!((three.value - 0.765_367).abs() < 5e-7 && three.detail["pairs"] == 1);
        assert!((rpe("3m", &case).unwrap().value - 0.765_367).abs() < 5e-7);
        assert!((rpe("3s", &case).unwrap().value - 0.765_367).abs() < 5e-7);
        assert!(rpe("1.5rad", &case).unwrap().value < 1e-12, "the turn itself moves nothing");
    }

    #[test]
    fn one_motion_of_the_whole_estimate_changes_nothing() {
        let mut moved = drive(100);
        let far = Pose2::new(5.0, -2.0, 1.0);
        for (index, pose) in moved.poses.iter_mut().enumerate() {
            let shaken = pose.world_from_robot.planar() * Pose2::new(0.01 * (index % 3) as f64, 0.0, 0.002);
            pose.world_from_robot = shaken.into();
        }
        let before = rpe("1m", &case(moved.clone(), drive(100))).unwrap().value;
        for pose in &mut moved.poses {
            pose.world_from_robot = (far * pose.world_from_robot.planar()).into();
        }
        assert!((rpe("1m", &case(moved, drive(100))).unwrap().value - before).abs() < 1e-12);
    }

    #[test]
    fn a_path_too_short_says_how_long_it_is() {
        let undefined = rpe("1000m", &case(drive(100), drive(100))).unwrap_err();
        assert_eq!(undefined.reasons, [Reason::InsufficientPoints]);
        assert!(undefined.detail["path_in_that_unit"].as_f64().unwrap() > 5.0);
    }
}

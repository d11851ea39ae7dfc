//! Absolute trajectory error, translation: how far the estimated positions are from the true ones.
//!
//! ```text
//! ATE = sqrt(mean of |position of A (+) x_i - position of x*_i|^2), A the fit of the estimate to the truth
//! ```
//!
//! Unit: m. Range: 0 upward. Better: lower.
//! Paper: none of the five; Sturm et al. 2012 for the definition, Umeyama 1991 for the fit.
//! Departure: planar runs are fitted in the plane, so that a mirror image cannot pass as a good run.
//! Unknown: poses without a partner in time are counted as unmatched, never dropped silently.
//! Known bias: a run that got lost early has fewer poses to be wrong about; read it beside `trajectory_coverage`.
//! One early heading error moves all later poses; `relative_displacement` and RPE do not have that.
//! Variants: `align`, `first`, `weight` by pose, time or distance.
//! Undefined: without a true trajectory, or if no time was matched.

use model::Rigid;

use super::absolute_errors::AbsoluteErrors;
use super::run::{for_run, of_any_run};
use crate::prelude::*;

/// Parameters of the translation part.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AteTranslation {
    /// How the estimate is laid on the truth, and what counts.
    #[serde(flatten)]
    pub how: AbsoluteErrors,
}

impl Metric for AteTranslation {
    const SPEC: MetricSpec = MetricSpec::new(
        Family::Trajectory,
        "ate_translation",
        "T-ATE",
        "Absolute trajectory error, translation",
    )
    .measured_in(Unit::Metres, Better::Lower)
    .best(0.0)
    .over_floors(Aggregate::None);

    fn evaluate(&self, case: &Case) -> Result<Score, Undefined> {
        for_run!(case, run => self.how.score(run, "translation_m", Rigid::distance_m))
    }

    fn samples(&self, case: &Case, _: &Score) -> Vec<Samples> {
        of_any_run!(case, run => self.how.samples(run, Rigid::distance_m).unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use model::Pose2;
    use proptest::prelude::*;

    use align::trajectory::FitMethod;

    use super::super::run::tests::{case, drive, trajectory};
    use super::*;
    use crate::Reason;

    fn ate(align: FitMethod, case: &Case) -> f64 {
        let how = AbsoluteErrors { align, ..AbsoluteErrors::default() };
        Metric::evaluate(&AteTranslation { how }, case).unwrap().value
    }

    const METHODS: [FitMethod; 7] = [
        FitMethod::Auto,
        FitMethod::None,
        FitMethod::Origin,
        FitMethod::Se2,
        FitMethod::Yaw,
        FitMethod::Se3,
        FitMethod::Sim3,
    ];

    #[test]
    fn identical_runs_have_no_error() {
        for align in METHODS {
            assert!(ate(align, &case(drive(200), drive(200))) < 1e-9, "{align:?}");
        }
    }

    #[test]
    fn a_mirror_image_is_no_good_run() {
        let mut mirrored = drive(200);
        for pose in &mut mirrored.poses {
            let flat = pose.world_from_robot.planar();
            pose.world_from_robot = Pose2::new(flat.x_m, -flat.y_m, -flat.theta_rad).into();
        }
        for align in METHODS {
            assert!(ate(align, &case(mirrored.clone(), drive(200))) > 0.5, "{align:?}");
        }
    }

    #[test]
    fn lines_and_standstills_are_solved() {
        let line: Vec<_> = (0..50).map(|i| (f64::from(i), f64::from(i), 0.0, 0.0)).collect();
        let turned: Vec<_> = (0..50).map(|i| (f64::from(i), 2.0, f64::from(i), 90.0)).collect();
        assert!(ate(FitMethod::Se3, &case(trajectory(&turned), trajectory(&line))) < 1e-9);
        let still = [(0.0, 1.0, 2.0, 0.0), (1.0, 1.0, 2.0, 0.0)];
        let score =
            Metric::evaluate(&AteTranslation::default(), &case(trajectory(&still), trajectory(&still)))
                .unwrap();
        assert_eq!(score.value, 0.0);
        assert_eq!(score.detail["alignment"]["unobservable"][0], "rotation: the path stands still");
    }

    #[test]
    fn without_truth_or_common_time_there_is_no_value() {
        let alone = Metric::evaluate(&AteTranslation::default(), &Case::without_maps()).unwrap_err();
        assert_eq!(alone.reasons, [Reason::NoTrajectory]);
        let far = trajectory(&[(1e6, 0.0, 0.0, 0.0), (1e6 + 1.0, 1.0, 0.0, 0.0)]);
        let apart = Metric::evaluate(&AteTranslation::default(), &case(far, drive(20))).unwrap_err();
        assert_eq!((apart.reasons, apart.detail["matched"].clone()), (vec![Reason::UnmatchedTime], 0.into()));
    }

    proptest! {
        #[test]
        fn a_fit_never_makes_it_worse(noise in prop::collection::vec(-0.5..0.5_f64, 120), x in -9.0..9.0_f64, turn in -3.0..3.0_f64) {
            let mut estimate = drive(60);
            let moved = Pose2::new(x, 2.0, turn);
            for (pose, pair) in estimate.poses.iter_mut().zip(noise.chunks(2)) {
                let flat = pose.world_from_robot.planar();
                let shaken = Pose2::new(flat.x_m + pair[0], flat.y_m + pair[1], flat.theta_rad);
                pose.world_from_robot = (moved * shaken).into();
            }
            let case = case(estimate, drive(60));
            let by = |align| ate(align, &case);
            prop_assert!(by(FitMethod::Se2) <= by(FitMethod::None) + 1e-9);
            prop_assert!(by(FitMethod::Se2) <= by(FitMethod::Origin) + 1e-9);
            prop_assert!(by(FitMethod::Sim3) <= by(FitMethod::Se2) + 1e-9);
            prop_assert!((by(FitMethod::Se3) - by(FitMethod::Se2)).abs() < 1e-12);
        }
    }
}

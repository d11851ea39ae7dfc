//! KITTI drift, translation: metres of error per hundred metres driven.
//!
//! ```text
//! value = 100 * mean over all segments of |translation of inverse(delta*) (+) delta| / length
//! segments of 100, 200 .. 800 m from every tenth pose on
//! ```
//!
//! Unit: %. Range: 0 upward. Better: lower.
//! Paper: none of the five; Geiger et al. 2012, with the rules of the benchmark's own kit.
//! Departure: poses are matched by time, unless told to match by number as the kit does.
//! Unknown: poses without a partner in time are counted as unmatched; segments reach over such gaps.
//! Known bias: needs a path of more than 100 m; the ends of a run take part in fewer segments than its middle.
//! Variants: other lengths for short runs (`shortest_m`, `longest_m`, `step_m`); say so where you publish them.
//! Undefined: without a true trajectory, if no time was matched, or if the path is shorter than the shortest segment.

use super::kitti_segments::{KittiSegments, is_long_enough};
use super::run::{for_run, of_any_run};
use crate::prelude::*;

/// Parameters of the translation part.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct KittiDriftTranslation {
    /// Which segments are taken.
    #[serde(flatten)]
    pub segments: KittiSegments,
}

impl Metric for KittiDriftTranslation {
    const SPEC: MetricSpec =
        MetricSpec::new(Family::Trajectory, "kitti_drift_translation", "T-KITTI", "KITTI drift, translation")
            .measured_in(Unit::Percent, Better::Lower)
            .best(0.0)
            .over_floors(Aggregate::None);

    fn applies(case: &Case) -> bool {
        is_long_enough(case)
    }

    fn evaluate(&self, case: &Case) -> Result<Score, Undefined> {
        for_run!(case, run => self.segments.score(run, |error| 100.0 * error.translation_m))
    }

    fn samples(&self, case: &Case, _: &Score) -> Vec<Samples> {
        of_any_run!(case, run => self.segments.samples(run, |error| 100.0 * error.translation_m).unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::super::run::tests::{case, trajectory};
    use super::*;
    use crate::Reason;

    #[test]
    fn a_wheel_that_is_one_percent_too_large() {
        let line = |scale: f64| -> Vec<_> {
            (0..=1000).map(|i| (f64::from(i), scale * f64::from(i), 0.0, 0.0)).collect()
        };
        let case = case(trajectory(&line(1.01)), trajectory(&line(1.0)));
        let score = Metric::evaluate(&KittiDriftTranslation::default(), &case).unwrap();
        // Segments end one pose past their length: 101 m for 100 m and so on.
        assert!((1.0..1.011).contains(&score.value), "{}", score.value);
        assert_eq!(score.detail["by_length"].as_array().unwrap().len(), 8);
        assert_eq!(score.detail["by_length"][0]["segments"], 90);
    }

    #[test]
    fn short_paths_are_said() {
        let short: Vec<_> = (0..50).map(|i| (f64::from(i), f64::from(i), 0.0, 0.0)).collect();
        let case = case(trajectory(&short), trajectory(&short));
        assert!(!KittiDriftTranslation::applies(&case));
        let undefined = Metric::evaluate(&KittiDriftTranslation::default(), &case).unwrap_err();
        assert_eq!(undefined.reasons, [Reason::InsufficientPoints]);
        assert_eq!(undefined.detail["path_m"], 49.0);
    }
}

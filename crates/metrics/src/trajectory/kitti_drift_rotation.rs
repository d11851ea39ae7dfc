//! KITTI drift, rotation: degrees of error per metre driven.
//!
//! ```text
//! value = mean over all segments of angle of inverse(delta*) (+) delta / length
//! segments of 100, 200 .. 800 m from every tenth pose on
//! ```
//!
//! Unit: deg/m. Range: 0 upward. Better: lower.
//! Paper: none of the five; Geiger et al. 2012, with the rules of the benchmark's own kit.
//! Departure: poses are matched by time, unless told to match by number as the kit does.
//! Unknown: poses without a partner in time are counted as unmatched; segments reach over such gaps.
//! Known bias: needs a path of more than 100 m; an error that turns back within a segment does not show.
//! Variants: other lengths for short runs (`shortest_m`, `longest_m`, `step_m`); say so where you publish them.
//! Undefined: without a true trajectory, if no time was matched, or if the path is shorter than the shortest segment.

use super::kitti_segments::{KittiSegments, is_long_enough};
use super::run::{for_run, of_any_run};
use crate::prelude::*;

/// Parameters of the rotation part.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct KittiDriftRotation {
    /// Which segments are taken.
    #[serde(flatten)]
    pub segments: KittiSegments,
}

impl Metric for KittiDriftRotation {
    const SPEC: MetricSpec =
        MetricSpec::new(Family::Trajectory, "kitti_drift_rotation", "T-KITTIR", "KITTI drift, rotation")
            .measured_in(Unit::DegreesPerMetre, Better::Lower)
            .best(0.0)
            .over_floors(Aggregate::None);

    fn applies(case: &Case) -> bool {
        is_long_enough(case)
    }

    fn evaluate(&self, case: &Case) -> Result<Score, Undefined> {
        for_run!(case, run => self.segments.score(run, |error| error.rotation_rad.to_degrees()))
    }

    fn samples(&self, case: &Case, _: &Score) -> Vec<Samples> {
        of_any_run!(case, run => self.segments.samples(run, |error| error.rotation_rad.to_degrees()).unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::super::run::tests::{case, trajectory};
    use super::*;

    #[test]
    fn a_gyro_that_drifts_by_a_hundredth_of_a_degree_per_metre() {
        let line = |drift: f64| -> Vec<_> {
            (0..=1000).map(|i| (f64::from(i), f64::from(i), 0.0, drift * f64::from(i))).collect()
        };
        let case = case(trajectory(&line(0.01)), trajectory(&line(0.0)));
        let score = Metric::evaluate(&KittiDriftRotation::default(), &case).unwrap();
        assert!((0.01..0.010_11).contains(&score.value), "{}", score.value);
    }
}

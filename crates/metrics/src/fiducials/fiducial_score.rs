//! Fiducial score: the mean of the attributes of the fiducial map metric.
//!
//! ```text
//! value = Σ w a / Σ w over the attributes a that are defined and have a weight
//! ```
//!
//! Unit: 1. Range: 0 to 1. Better: higher.
//! Paper: Schwertfeger et al. 2010, section 4 and Table 4 (coverage, short, long, relative accuracy).
//! Departure: exact arithmetic. The paper averages rounded numbers; its map 4 has 68 where the exact mean is 67. Errors of
//! pairs are continuous; its tables count them (`consistency_step_m = 0.3`).
//! Unknown: only outlines count, unless the resolution quality gets a weight.
//! Known bias: an attribute that is undefined is left out, which may raise the mean; `left_out` names it.
//! Undefined: if there is no layout, it has no positions, or no attribute with a weight is defined. Also where
//! random layouts fit the map as well as the layout (`PLACEMENT_BY_CHANCE`).

use serde_json::Value;

use super::fiducial_coverage::FiducialCoverage;
use super::fiducial_global_accuracy::FiducialGlobalAccuracy;
use super::fiducial_long_consistency::FiducialLongConsistency;
use super::fiducial_relative_accuracy::FiducialRelativeAccuracy;
use super::fiducial_resolution::FiducialResolution;
use super::fiducial_short_consistency::FiducialShortConsistency;
use super::{Fiducials, is_group, pairs_of_range, placed};
use crate::Detail;
use crate::fiducials::errors::ErrorScale;
use crate::prelude::*;

/// Parameters of the fiducial score. The attributes take the distances and the step from here.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FiducialScore {
    /// Weight of the coverage. Default 1, as in the paper's average.
    pub coverage_weight: f64,
    /// Weight of the short-range consistency. Default 1.
    pub short_weight: f64,
    /// Weight of the long-range consistency. Default 1.
    pub long_weight: f64,
    /// Weight of the relative accuracy. Default 1.
    pub relative_weight: f64,
    /// Weight of the global accuracy. Default 0: not in the paper's average.
    pub global_weight: f64,
    /// Weight of the resolution quality. Default 0: the paper calls it unreliable.
    pub resolution_weight: f64,
    /// Distance in metres at which a place is wholly wrong. Default 0.6, as in the paper.
    pub accuracy_d_max_m: f64,
    /// Difference in metres at which a pair is wholly wrong. Default 0.3, as in the paper.
    pub consistency_d_max_m: f64,
    /// Step of the pairs' differences in metres; 0 for none. Default 0; 0.3 counts pairs as the paper does.
    pub consistency_step_m: f64,
}

impl Default for FiducialScore {
    fn default() -> Self {
        Self {
            coverage_weight: 1.0,
            short_weight: 1.0,
            long_weight: 1.0,
            relative_weight: 1.0,
            global_weight: 0.0,
            resolution_weight: 0.0,
            accuracy_d_max_m: 0.6,
            consistency_d_max_m: 0.3,
            consistency_step_m: 0.0,
        }
    }
}

impl Metric for FiducialScore {
    const SPEC: MetricSpec =
        MetricSpec::share(Family::Fiducials, "fiducial_score", "Q-FID", "Fiducial score")
            .over_floors(Aggregate::None);

    fn evaluate(&self, case: &Case) -> Result<Score, Undefined> {
        let fiducials = placed(case)?;
        let attributes = self.attributes(case);
        let mean = weighted_mean(&attributes).ok_or(Reason::NoMatch)?;
        let has_weight = |attribute: &&Attribute| attribute.weight > 0.0;
        let left_out: Vec<&str> = attributes
            .iter()
            .filter(has_weight)
            .filter(|attribute| attribute.value.is_none())
            .map(|attribute| attribute.name)
            .collect();
        let values: Detail = attributes.iter().map(|a| (a.name.to_owned(), a.value.into())).collect();
        let score = Score::new(mean)
            .with_all(fiducials.basis())
            .with("attributes", values)
            .with("left_out", left_out)
            .with("groups", self.groups(&fiducials));
        Ok(fiducials.warned(score))
    }
}

/// One attribute with its weight; no value if it is undefined.
pub(super) struct Attribute {
    pub(super) name: &'static str,
    pub(super) weight: f64,
    pub(super) value: Option<f64>,
}

impl FiducialScore {
    const fn scale_of_pairs(&self) -> ErrorScale {
        let (d_max_m, step_m) = (self.consistency_d_max_m, self.consistency_step_m);
        ErrorScale { d_max_m, step_m, ..ErrorScale::PAIRS }
    }

    fn attributes(&self, case: &Case) -> [Attribute; 6] {
        let of = |name, weight, score: Result<Score, Undefined>| Attribute {
            name,
            weight,
            value: score.ok().map(|score| score.value),
        };
        let of_pairs = self.scale_of_pairs();
        let of_places = ErrorScale { d_max_m: self.accuracy_d_max_m, ..ErrorScale::PLACES };
        let short = FiducialShortConsistency { scale: of_pairs };
        let long = FiducialLongConsistency { scale: of_pairs };
        let relative = FiducialRelativeAccuracy { scale: of_places, ..Default::default() };
        let global = FiducialGlobalAccuracy { scale: of_places };
        let resolution = FiducialResolution::default();
        [
            of("coverage", self.coverage_weight, FiducialCoverage {}.evaluate(case)),
            of("short_consistency", self.short_weight, short.evaluate(case)),
            of("long_consistency", self.long_weight, long.evaluate(case)),
            of("relative_accuracy", self.relative_weight, relative.evaluate(case)),
            of("global_accuracy", self.global_weight, global.evaluate(case)),
            of("resolution", self.resolution_weight, resolution.evaluate(case)),
        ]
    }

    /// Consistency of groups of the user's own, such as a room: all pairs of its parts count.
    fn groups(&self, fiducials: &Fiducials<'_>) -> Detail {
        let layout = &fiducials.inputs.layout;
        let scale = self.scale_of_pairs();
        let mut groups = Detail::new();
        for range in layout.parts.iter().map(|part| &part.range).filter(|range| is_group(range)) {
            if !groups.contains_key(range) {
                let pairs = pairs_of_range(layout, &fiducials.located.parts, range, &scale);
                let errors: Vec<f64> = pairs.iter().map(|pair| pair.error).collect();
                groups.insert(range.clone(), ErrorScale::value(&errors).map_or(Value::Null, Value::from));
            }
        }
        groups
    }
}

/// Mean of the defined attributes; none if their weights do not sum to more than 0.
pub(super) fn weighted_mean(attributes: &[Attribute]) -> Option<f64> {
    let defined = || attributes.iter().filter_map(|a| a.value.map(|value| (a.weight, value)));
    let weights: f64 = defined().map(|(weight, _)| weight).sum();
    (weights > 0.0).then(|| defined().map(|(weight, value)| weight * value).sum::<f64>() / weights)
}

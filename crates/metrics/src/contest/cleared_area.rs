//! Cleared area: area that the map promises to be free of undetected victims and that is free in the truth.
//!
//! ```text
//! reported = (n_green) res²      correct = its cells that are free in the truth and can have been seen
//! ```
//!
//! Unit: m2. Range: 0 to the free area of the truth. Better: higher.
//! Paper: Balaguer et al. 2009, sections 3.2 and 4.
//! Departure: explored contains cleared; victims belong to neither. What a robot can have seen was judged by eye
//! there; here it is what lies in line of sight within `sensor_range_m` (4 m, ours) of its path. Without a path
//! nothing counts as unseen.
//! Unknown: never part of the area; claims where the truth is unknown are listed as outside.
//! Known bias: a promise; victims found in it later are counted elsewhere.
//! Undefined: if the map has no navigation layer.

use super::areas::{Area, Sight, area_samples, correct_area};
use crate::prelude::*;

/// Parameters of the cleared area.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ClearedArea {
    /// What the robot can have seen.
    #[serde(flatten)]
    pub sight: Sight,
}

impl Metric for ClearedArea {
    const SPEC: MetricSpec = MetricSpec::new(Family::Contest, "cleared_area", "F-AREA", "Cleared area")
        .measured_in(Unit::SquareMetres, Better::Higher)
        .worst(0.0)
        .over_floors(Aggregate::Sum);

    fn applies(case: &Case) -> bool {
        case.grids().is_ok_and(|grids| grids.map.navigation().is_some())
    }

    fn evaluate(&self, case: &Case) -> Result<Score, Undefined> {
        correct_area(case, Area::Cleared, self.sight)
    }

    fn samples(&self, case: &Case, _: &Score) -> Vec<Samples> {
        area_samples(case, Area::Cleared, self.sight)
    }
}

//! Cleared area: area that the map promises to be free of undetected victims and that is free in the truth.
//!
//! ```text
//! reported = (n_green) res²      correct = its cells that are free in the truth and can have been seen
//! ```
//!
//! Unit: m2. Range: 0 to the free area of the truth. Better: higher.
//! Paper: Balaguer et al. 2009, sections 3.2 and 4.
//! Departure: explored contains cleared; victims belong to neither. Without a robot path nothing counts as unseen.
//! Unknown: never part of the area; claims where the truth is unknown are listed as outside.
//! Known bias: a promise; victims found in it later are counted elsewhere.
//! Undefined: if the map has no navigation layer.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::areas::{Area, Seen, Sight, correct_area};
use crate::{Better, Case, Family, Metric, MetricSpec, Score, Undefined, Unit};

/// Parameters of the cleared area.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ClearedArea {
    /// How far the robot sees, metres. Default 4, ours: the range that small laser scanners have.
    pub sensor_range_m: f64,
    /// Whether area that it cannot have seen from the submitted path is removed. Default `on`.
    pub seen: Seen,
}

impl Default for ClearedArea {
    fn default() -> Self {
        let Sight { sensor_range_m, seen } = Sight::default();
        Self { sensor_range_m, seen }
    }
}

impl Metric for ClearedArea {
    const SPEC: MetricSpec = MetricSpec {
        id: "cleared_area",
        code: "F-AREA",
        title: "Cleared area",
        family: Family::Contest,
        unit: Unit::SquareMetres,
        better: Better::Higher,
        best: None,
        worst: Some(0.0),
        source: include_str!("cleared_area.rs"),
    };

    fn applies(case: &Case) -> bool {
        case.grids().is_ok_and(|grids| grids.map.navigation().is_some())
    }

    fn evaluate(&self, case: &Case) -> Result<Score, Undefined> {
        correct_area(case, Area::Cleared, Sight { sensor_range_m: self.sensor_range_m, seen: self.seen })
    }
}

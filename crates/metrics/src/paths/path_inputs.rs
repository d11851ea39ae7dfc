//! What the path family is told beside the two maps: the robot, where it starts, where it should get to.

use model::Point2;
pub use raster::free_space_graph::Thinning;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::topology::place_graph::PlaceGraph;

/// The robot, its start and its targets, and how the graph of free space is made. Places are metres in the
/// frame of the truth.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct PathInputs {
    /// Radius of the robot in metres. Default 0.25, ours: half a usual indoor robot's width.
    pub robot_radius_m: f64,
    /// Where the robot starts. Default: the widest place of the largest part of the truth's graph.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start: Option<[f64; 2]>,
    /// Where it should get to. Default: the nodes of the truth's graph.
    pub targets: Vec<[f64; 2]>,
    /// This many random traversable cells of the truth as targets instead. Default 0: none.
    pub random_targets: usize,
    /// Seed of the random targets. Default 1.
    pub seed: u64,
    /// Occupied groups of fewer cells count as free, on both maps. Default 0: off.
    pub despeckle: u64,
    /// How free space is thinned. Default `distance`.
    pub thinning: Thinning,
    /// Dead ends shorter than this go from the graph, metres. Default 0.
    pub prune_min_m: f64,
    /// Dead ends shorter than this many times the clearance of their junction go. Default 1.
    pub prune_factor: f64,
    /// How far a place that is not traversable may be moved, metres. Default: the radius, at least a cell.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub snap_m: Option<f64>,
    /// A drawn skeleton to judge instead of the map's own graph, in the frame of the truth.
    #[serde(skip)]
    pub skeleton: Option<PlaceGraph>,
    /// A drawn skeleton of the truth to judge by instead of the truth's own graph, in the frame of the truth.
    #[serde(skip)]
    pub truth_skeleton: Option<PlaceGraph>,
}

impl Default for PathInputs {
    fn default() -> Self {
        Self {
            robot_radius_m: 0.25,
            start: None,
            targets: Vec::new(),
            random_targets: 0,
            seed: 1,
            despeckle: 0,
            thinning: Thinning::Distance,
            prune_min_m: 0.0,
            prune_factor: 1.0,
            snap_m: None,
            skeleton: None,
            truth_skeleton: None,
        }
    }
}

impl PathInputs {
    /// A sentence about the first value that makes no sense; none if all do.
    #[must_use]
    pub fn fault(&self) -> Option<String> {
        let lengths = [
            ("robot_radius_m", self.robot_radius_m),
            ("prune_min_m", self.prune_min_m),
            ("prune_factor", self.prune_factor),
            ("snap_m", self.snap_m.unwrap_or(0.0)),
        ];
        let wrong = lengths.iter().find(|(_, value)| !(value.is_finite() && *value >= 0.0));
        let fault =
            wrong.map(|(name, value)| format!("{name} = {value}: expected a finite number from 0 on"));
        let places = self.start.iter().chain(&self.targets);
        let lost = places.flatten().find(|value| !value.is_finite());
        fault.or_else(|| lost.map(|value| format!("a place at {value}: expected finite metres")))
    }

    /// The start in the frame of the truth.
    pub(crate) fn start_in_truth(&self) -> Option<Point2> {
        self.start.map(|[x_m, y_m]| Point2::new(x_m, y_m))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn senseless_values_are_named() {
        assert_eq!(PathInputs::default().fault(), None);
        let negative = PathInputs { robot_radius_m: -1.0, ..Default::default() };
        assert_eq!(negative.fault().unwrap(), "robot_radius_m = -1: expected a finite number from 0 on");
        let lost = PathInputs { targets: vec![[0.0, f64::NAN]], ..Default::default() };
        assert!(lost.fault().unwrap().starts_with("a place at NaN"));
    }
}

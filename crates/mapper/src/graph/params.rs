//! Parameters of the `graph` mapper. One set for all data; the other numbers are constants beside the code that uses them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::MapperParams;

/// Parameters of [`super::Graph`]. All defaults are ours; where a number was tried on data, the result is given.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct GraphParams {
    /// Edge of a cell of the map, metres. Default 0.05.
    #[schemars(range(min = 0.005, max = 10.0))]
    pub cell_size_m: f64,
    /// Shorter ranges are no measurements, metres. Default 0.02, as `robbie`.
    #[schemars(range(min = 0.0, max = 1e6))]
    pub range_min_m: f64,
    /// Ranges from here on are no returns, metres. Default 80: ranges that the log marks as no return are left out anyway.
    #[schemars(range(min = 0.0, max = 1e6))]
    pub range_max_m: f64,
    /// Returns of a tilted scanner that end further above or below it than this, metres, are left out, where the log
    /// contains the tilt; 0 takes scans as they are. Default 0.15: half the height of a usual scanner over the floor.
    #[schemars(range(min = 0.0, max = 100.0))]
    pub tilt_gate_m: f64,
    /// A scan is thinned to about so many points. Default 400: all of a usual scanner.
    #[schemars(range(min = 3, max = 100_000))]
    pub match_points: usize,
    /// A keyframe every so many metres. Default 0.2.
    #[schemars(range(min = 0.0, max = 100.0))]
    pub keyframe_distance_m: f64,
    /// Or after this turn, radians. Default 5 degrees.
    #[schemars(range(min = 0.0, max = 10.0))]
    pub keyframe_turn_rad: f64,
    /// A new submap begins after so many metres travelled; each covers twice that. Default 4.
    #[schemars(range(min = 0.5, max = 1000.0))]
    pub submap_distance_m: f64,
    /// Loop closures are searched in submaps with a keyframe this near, metres, plus the possible drift. Default 2.
    #[schemars(range(min = 0.0, max = 1000.0))]
    pub loop_radius_m: f64,
    /// Maximum window of a loop search, metres to each side; it grows with the drift since the last loop closure up to
    /// here. Default 6.
    #[schemars(range(min = 0.5, max = 1000.0))]
    pub loop_window_m: f64,
    /// Minimum mean likelihood of a loop closure, 0 to 1. Default 0.45.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub loop_min_score: f64,
    /// Rounds of matching keyframes with all submaps they overlap after the last scan. Default 1: revisits in three
    /// simulated offices 0.0043, 0.0049, 0.0051 -> 0.0035, 0.0037, 0.0039 m, Intel exact 0.0148 -> 0.0142 m, merged
    /// 0.0146 m before and after; a second round changes nothing. It takes as long as the scans did.
    #[schemars(range(min = 0, max = 100))]
    pub final_rounds: usize,
}

impl Default for GraphParams {
    fn default() -> Self {
        Self {
            cell_size_m: 0.05,
            range_min_m: 0.02,
            range_max_m: 80.0,
            tilt_gate_m: 0.15,
            match_points: 400,
            keyframe_distance_m: 0.2,
            keyframe_turn_rad: 5.0 * super::DEGREE,
            submap_distance_m: 4.0,
            loop_radius_m: 2.0,
            loop_window_m: 6.0,
            loop_min_score: 0.45,
            final_rounds: 1,
        }
    }
}

impl MapperParams for GraphParams {
    const RENAMED: &'static [(&'static str, &'static str)] = &[
        ("key_way_m", "keyframe_distance_m"),
        ("key_turn_rad", "keyframe_turn_rad"),
        ("submap_way_m", "submap_distance_m"),
        ("loop_reach_m", "loop_radius_m"),
        ("loop_score", "loop_min_score"),
    ];
    const CONSTANT: &'static [&'static str] = &[
        "still_m",
        "still_rad",
        "odometry_floor_m",
        "odometry_share",
        "odometry_m_per_rad",
        "odometry_floor_rad",
        "odometry_turn_share",
        "odometry_rad_per_m",
        "least_inliers",
        "loop_every_m",
        "loop_way_m",
        "drift_share",
        "odometry_drift_share",
        "loop_window_rad",
        "loops_per_node",
        "loop_points",
        "loop_ratio",
        "loop_inliers",
        "neighbour_score",
        "seen_through",
        "agree_m",
        "agree_share",
        "agree_rad",
        "agree_way_m",
        "kernel_width",
        "overlap_m",
    ];
}

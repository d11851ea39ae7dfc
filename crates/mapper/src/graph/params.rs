//! Parameters of the `graph` mapper. One set for all data.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

const DEGREE: f64 = std::f64::consts::PI / 180.0;

/// Parameters of [`super::Graph`]. All defaults are ours; where a number was tried on data, it says so.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct GraphParams {
    /// Edge of a cell of the map, metres. Default 0.05.
    pub cell_size_m: f64,
    /// Shorter ranges are no measurements, metres. Default 0.02, as `robbie`.
    pub range_min_m: f64,
    /// Ranges from here on are no returns, metres. Default 80: what the log calls no return is none anyway.
    pub range_max_m: f64,
    /// Returns of a tilted scanner that end further above or below it than this, metres, are left out, where the log
    /// tells the tilt; 0 takes scans as they are. Default 0.15: half the height of a usual scanner over the floor.
    pub tilt_gate_m: f64,
    /// A scan is thinned to about so many points. Default 400: all of a usual scanner.
    pub match_points: usize,
    /// A key pose every so many metres. Default 0.2.
    pub key_way_m: f64,
    /// Or after this turn, radians. Default 5 degrees.
    pub key_turn_rad: f64,
    /// A shorter step is none, metres. Default 0.005.
    pub still_m: f64,
    /// A smaller turn is none, radians. Default 0.2 degrees.
    pub still_rad: f64,
    /// A new submap begins every so many metres of way; each covers twice that. Default 4.
    pub submap_way_m: f64,
    /// Standard deviation of a step of the odometry, metres, however short it is. Default 0.01 (the prior of L-ICP).
    pub odometry_floor_m: f64,
    /// It grows by this share of the step's way. Default 0.15 (L-ICP).
    pub odometry_share: f64,
    /// It grows by so many metres per radian, since a laser does not sit where the robot turns. Default 0.1.
    pub odometry_m_per_rad: f64,
    /// Standard deviation of the heading of a step, radians. Default 0.5 degrees (L-ICP).
    pub odometry_floor_rad: f64,
    /// It grows by this share of the step's turn. Default 0.05 (L-ICP).
    pub odometry_turn_share: f64,
    /// It grows by so many radians per metre. Default 5 degrees (L-ICP).
    pub odometry_rad_per_m: f64,
    /// A match is accepted from this share of points on a surface. Default 0.4.
    pub least_inliers: f64,
    /// Loops are searched every so many metres of way. Default 1.
    pub loop_every_m: f64,
    /// Only submaps that ended so many metres of way ago are searched. Default 8.
    pub loop_way_m: f64,
    /// Submaps are searched whose key poses lie this near, metres, plus the doubt. Default 2.
    pub loop_reach_m: f64,
    /// Drift of the pose as a share of the way since the last loop: where scans are matched. Default 0.02.
    pub drift_share: f64,
    /// The same where the odometry alone moves the robot, or decides along a corridor. Default 0.05.
    pub odometry_drift_share: f64,
    /// Largest window of a search, metres to each side. Default 6.
    pub loop_window_m: f64,
    /// Largest window of a search, radians to each side. Default 35 degrees.
    pub loop_window_rad: f64,
    /// Submaps searched per key pose. Default 2.
    pub loops_per_node: usize,
    /// Fewer points of a scan are not searched for. Default 40.
    pub loop_points: usize,
    /// Least mean likelihood of a loop. Default 0.45.
    pub loop_score: f64,
    /// A second place that reaches this share of the score makes a loop ambiguous. Default 0.9.
    pub loop_ratio: f64,
    /// Least share of points on a surface. Default 0.6.
    pub loop_inliers: f64,
    /// Least mean likelihood of the two key poses before. Default 0.25.
    pub neighbour_score: f64,
    /// A loop is none if more than this share of the points lies where a scan of the other visit looked through.
    /// Default 0.05, as the rule of `truth accept`.
    pub seen_through: f64,
    /// Two loops agree if the cycle between them closes to this, metres. Default 0.1.
    pub agree_m: f64,
    /// The cycle may be off by this share of the way between them more. Default 0.02.
    pub agree_share: f64,
    /// The cycle may be turned by this, radians. Default 3 degrees.
    pub agree_rad: f64,
    /// Loops further apart than this way, metres, say nothing about each other. Default 25.
    pub agree_way_m: f64,
    /// Width of the Cauchy kernel on loops, standard deviations. Default 3.
    pub kernel_width: f64,
    /// Rounds of matching key poses on all submaps they overlap after the last scan. Default 1: revisits in
    /// three simulated offices 0.0043, 0.0049, 0.0051 -> 0.0035, 0.0037, 0.0039 m, Intel exact 0.0148 -> 0.0142 m, merged
    /// 0.0146 m before and after; a second round changes nothing. It takes as long as the scans did.
    pub final_rounds: usize,
    /// Submaps overlap a key pose whose key poses are this near, metres. Default 3.
    pub overlap_m: f64,
}

impl Default for GraphParams {
    fn default() -> Self {
        Self {
            cell_size_m: 0.05,
            range_min_m: 0.02,
            range_max_m: 80.0,
            tilt_gate_m: 0.15,
            match_points: 400,
            key_way_m: 0.2,
            key_turn_rad: 5.0 * DEGREE,
            still_m: 0.005,
            still_rad: 0.2 * DEGREE,
            submap_way_m: 4.0,
            odometry_floor_m: 0.01,
            odometry_share: 0.15,
            odometry_m_per_rad: 0.1,
            odometry_floor_rad: 0.5 * DEGREE,
            odometry_turn_share: 0.05,
            odometry_rad_per_m: 5.0 * DEGREE,
            least_inliers: 0.4,
            loop_every_m: 1.0,
            loop_way_m: 8.0,
            loop_reach_m: 2.0,
            drift_share: 0.02,
            odometry_drift_share: 0.05,
            loop_window_m: 6.0,
            loop_window_rad: 35.0 * DEGREE,
            loops_per_node: 2,
            loop_points: 40,
            loop_score: 0.45,
            loop_ratio: 0.9,
            loop_inliers: 0.6,
            neighbour_score: 0.25,
            seen_through: 0.05,
            agree_m: 0.1,
            agree_share: 0.02,
            agree_rad: 3.0 * DEGREE,
            agree_way_m: 25.0,
            kernel_width: 3.0,
            final_rounds: 1,
            overlap_m: 3.0,
        }
    }
}

//! Parameters of the filter: those of the paper, and options that are off.
//!
//! "Later code" is what the team published afterwards (reference mapping, section 5); nothing of it is taken over, only
//! what it does.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::icp::IcpKind;

/// How particles are drawn by their weights.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Resampler {
    /// Copies by the rounded weight, heaviest first (our reading of the paper).
    #[default]
    Sorted,
    /// Evenly spaced marks on the running sum.
    Systematic,
    /// round(w N + 0.5) copies, heaviest first, until there are N: the tail is cut (the team's later code).
    RoundedUp,
}

/// Parameters of [`super::Robbie`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct RobbieParams {
    /// Number of particles. Paper: 300.
    pub particles: usize,
    /// Edge of a cell in metres. Paper: 0.05; 0.1 for noisy or tilted data.
    pub cell_size_m: f64,
    /// Side of the grid at first, in cells. Paper: 800. It grows.
    pub side_cells: usize,
    /// Shorter ranges are no measurements, metres. Paper: 0.02.
    pub range_min_m: f64,
    /// Ranges from here on are no returns, metres. Paper: 4.
    pub range_max_m: f64,
    /// Scan matching before the filter. Paper: ICP of the last two scans; of which kind it does not say.
    pub icp: IcpKind,
    /// Resampling waits for this way, metres. Paper: 0.02.
    pub resample_way_m: f64,
    /// Or for this turn, radians. Paper: 5 degrees.
    pub resample_turn_rad: f64,
    /// Sigma of the first rotation as a share of the reported rotation. Paper: 0.05.
    pub drift_rotation_share: f64,
    /// Sigma of the distance as a share of it. Paper: 0.15.
    pub drift_distance_share: f64,
    /// Sigma of the second rotation, radians per metre. Paper: 5 degrees.
    pub drift_rotation_rad_per_m: f64,
    /// Share of the heaviest particles whose mean is the pose. Paper: 0.05.
    pub top_share: f64,
    /// How particles are drawn. The paper only says that the number of copies depends on the weight.
    pub resampler: Resampler,
    /// Weights are raised to this power. Paper: 1.
    pub weight_exponent: f64,
    /// Beams without a return clear the cells up to the largest range. Paper: no.
    pub max_range_clears: bool,
    /// What a beam counts that ends in a cell never seen, or outside. Paper: 0.
    pub p_unseen: f64,
    /// The grid grows by tiles; else what lies outside is lost. Paper: yes.
    pub grow: bool,
    /// The first particle moves by the odometry alone, without ICP and noise. Paper: no; the team's later code: yes.
    pub first_by_odometry: bool,
    /// End points are weighed only so far apart, metres; 0 takes all. Paper: 0; later code: 0.1 to 0.15.
    pub thin_ends_m: f64,
    /// A cell counts once per scan when particles are weighed, one never seen not at all. Paper: no; later code: yes.
    pub cells_once: bool,
    /// A hit counts only if the place so far in front of it is free, metres; 0 is off. Paper: 0; later code: a cell or two.
    pub back_side_m: f64,
    /// What a scan that hits a cell adds to its `occ`, up to `seen`. Paper: 1; later code: 4.
    pub hit_weight: u32,
    /// Nothing is drawn into the map while the robot turns faster than this, rad/s; 0 is off. Paper: 0; later code: 0.1 to 1.
    pub pause_turn_radps: f64,
    /// Returns of a tilted scanner that end further above or below it than this, metres, are left out, where the log
    /// tells the tilt; 0 takes scans as they are. Paper: 0; its scanner is levelled.
    pub tilt_gate_m: f64,
    /// Seed of the drift.
    pub seed: u64,
}

impl RobbieParams {
    /// The published values.
    pub const PAPER: Self = Self {
        particles: 300,
        cell_size_m: 0.05,
        side_cells: 800,
        range_min_m: 0.02,
        range_max_m: 4.0,
        icp: IcpKind::Line,
        resample_way_m: 0.02,
        resample_turn_rad: 5.0 * std::f64::consts::PI / 180.0,
        drift_rotation_share: 0.05,
        drift_distance_share: 0.15,
        drift_rotation_rad_per_m: 5.0 * std::f64::consts::PI / 180.0,
        top_share: 0.05,
        resampler: Resampler::Sorted,
        weight_exponent: 1.0,
        max_range_clears: false,
        p_unseen: 0.0,
        grow: true,
        first_by_odometry: false,
        thin_ends_m: 0.0,
        cells_once: false,
        back_side_m: 0.0,
        hit_weight: 1,
        pause_turn_radps: 0.0,
        tilt_gate_m: 0.0,
        seed: 1,
    };
}

impl Default for RobbieParams {
    fn default() -> Self {
        Self::PAPER
    }
}

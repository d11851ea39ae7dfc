//! Parameters of the filter, and the two sets of rules it can follow.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::MapperParams;
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

/// Whose rules the filter follows where the paper and the team's later code differ.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Variant {
    /// As published.
    #[default]
    Paper,
    /// As the source code that the team published afterwards.
    Later,
}

/// Parameters of [`super::Robbie`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct RobbieParams {
    /// Number of particles. Paper: 300.
    #[schemars(range(min = 1, max = 100_000))]
    pub particles: usize,
    /// Edge of a cell in metres. Paper: 0.05; 0.1 for noisy or tilted data.
    #[schemars(range(min = 0.005, max = 10.0))]
    pub cell_size_m: f64,
    /// Shorter ranges are no measurements, metres. Paper: 0.02.
    #[schemars(range(min = 0.0, max = 1e6))]
    pub range_min_m: f64,
    /// Ranges from here on are no returns, metres. Paper: 4.
    #[schemars(range(min = 0.0, max = 1e6))]
    pub range_max_m: f64,
    /// Scan matching before the filter: `line`, `point` or `off`. Paper: ICP of the last two scans, without saying which
    /// kind; `line` is ours, because `point` slides along corridors (L-ICP).
    pub icp: IcpKind,
    /// How particles are drawn: `sorted`, `systematic` or `rounded_up` (the team's later code). Paper: only that the
    /// number of copies depends on the weight; `sorted` is our reading.
    pub resampler: Resampler,
    /// `paper` for the rules as published, or `later` for those of the team's later code: thinned end points, a cell counts
    /// once per scan, no hits from behind a wall, heavier hits, no map update in fast turns, one particle by odometry alone.
    pub variant: Variant,
    /// Sigma of the first rotation per reported rotation. Paper: 5 % "of the reported rotation", no distribution; Gaussian and
    /// the whole rotation as its base are ours.
    #[schemars(range(min = 0.0, max = 10.0))]
    pub drift_rotation_ratio: f64,
    /// Sigma of the distance per distance travelled. Paper: 15 %, no distribution; Gaussian is ours. The noise of the last
    /// rotation, 5 degrees per metre (paper), is a constant.
    #[schemars(range(min = 0.0, max = 10.0))]
    pub drift_distance_ratio: f64,
    /// The mean of this part of the particles, the heaviest, is the pose. Paper: 0.05; later code: 0.02.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub top_ratio: f64,
    /// Beams without a return clear the cells up to the maximum range. Paper: silent; default off (L-PF).
    pub max_range_clears: bool,
    /// Returns of a tilted scanner that end further above or below it than this, metres, are left out, where the log
    /// contains the tilt; 0 takes scans as they are. Paper: silent, its scanner is levelled; default off.
    #[schemars(range(min = 0.0, max = 100.0))]
    pub tilt_gate_m: f64,
    /// Seed of the drift.
    pub seed: u64,
}

impl RobbieParams {
    /// The published values. The paper is silent about `icp` (which kind), `resampler` (which rule), `max_range_clears`,
    /// `tilt_gate_m` and the seed: there the values are ours.
    pub const PAPER: Self = Self {
        particles: 300,
        cell_size_m: 0.05,
        range_min_m: 0.02,
        range_max_m: 4.0,
        icp: IcpKind::Line,
        resampler: Resampler::Sorted,
        variant: Variant::Paper,
        drift_rotation_ratio: 0.05,
        drift_distance_ratio: 0.15,
        top_ratio: 0.05,
        max_range_clears: false,
        tilt_gate_m: 0.0,
        seed: 1,
    };
}

impl Default for RobbieParams {
    fn default() -> Self {
        Self::PAPER
    }
}

impl MapperParams for RobbieParams {
    const RENAMED: &'static [(&'static str, &'static str)] = &[
        ("drift_rotation_share", "drift_rotation_ratio"),
        ("drift_distance_share", "drift_distance_ratio"),
        ("top_share", "top_ratio"),
        ("first_by_odometry", "variant"),
        ("thin_ends_m", "variant"),
        ("cells_once", "variant"),
        ("back_side_m", "variant"),
        ("hit_weight", "variant"),
        ("pause_turn_radps", "variant"),
    ];
    const CONSTANT: &'static [&'static str] = &[
        "side_cells",
        "resample_way_m",
        "resample_turn_rad",
        "drift_rotation_rad_per_m",
        "weight_exponent",
        "p_unseen",
        "grow",
    ];

    fn seeded(self, seed: u64) -> Self {
        Self { seed, ..self }
    }
}

/// Rules in which the paper and the team's later code differ.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Rules {
    /// The first particle moves by the odometry alone, without ICP and noise.
    pub first_by_odometry: bool,
    /// End points are weighed only so far apart, metres; 0 takes all.
    pub thin_ends_m: f64,
    /// A cell counts once per scan when particles are weighed, one never seen not at all.
    pub cells_once: bool,
    /// A hit counts only if the place so far in front of it is free, metres; 0 is off.
    pub back_side_m: f64,
    /// What a scan that hits a cell adds to its `occ`, up to `seen`.
    pub hit_weight: u32,
    /// Nothing is drawn into the map while the robot turns faster than this, rad/s; 0 is off.
    pub pause_turn_radps: f64,
}

impl Rules {
    /// As published (Pellenz 2008, III-B).
    pub const PAPER: Self = Self {
        first_by_odometry: false,
        thin_ends_m: 0.0,
        cells_once: false,
        back_side_m: 0.0,
        hit_weight: 1,
        pause_turn_radps: 0.0,
    };

    /// What the team's later code does. It has 0.1 to 0.15 m between end points, one or two cells in front of a hit, and
    /// pauses above 0.1 to 1 rad/s, by robot; of each we take the value nearest to the paper.
    pub const LATER: Self = Self {
        first_by_odometry: true,
        thin_ends_m: 0.1,
        cells_once: true,
        back_side_m: 0.1,
        hit_weight: 4,
        pause_turn_radps: 1.0,
    };
}

impl From<Variant> for Rules {
    fn from(variant: Variant) -> Self {
        match variant {
            Variant::Paper => Self::PAPER,
            Variant::Later => Self::LATER,
        }
    }
}

//! What the lab found: how each metric answers to each kind of damage (X-LAB).

use std::collections::BTreeMap;

use metrics::{Better, Unit};
use serde::{Deserialize, Serialize};

use crate::{Input, Tool};

/// Name and version of the format of `lab.json`.
pub const LAB_SCHEMA: &str = "mapjudge.lab/1";

/// The result of a lab.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LabReport {
    pub schema: String,
    pub tool: Tool,
    /// Seed of everything random.
    pub seed: u64,
    /// Seeds per map, kind and level.
    pub seeds: usize,
    /// Resamples of maps behind the intervals; 0 where there are too few maps.
    pub resamples: usize,
    pub maps: Vec<LabMap>,
    pub kinds: Vec<LabKind>,
    pub metrics: Vec<LabMetric>,
    /// One per metric and kind, metric by metric.
    pub answers: Vec<LabAnswer>,
    /// Metrics that order all pairs alike: one of each group is enough.
    pub clusters: Vec<Vec<String>>,
    /// What to know about the numbers.
    pub notes: Vec<String>,
    /// Badness over the levels, one list per metric and kind in the order of `answers`, one curve per map.
    #[serde(skip)]
    pub curves: Vec<Vec<LabCurve>>,
}

/// A map that was damaged.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LabMap {
    pub name: String,
    pub inputs: Vec<Input>,
    pub width_cells: usize,
    pub height_cells: usize,
    pub cell_size_m: f64,
}

/// A kind of damage with the levels that were tried.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LabKind {
    pub name: String,
    pub title: String,
    pub unit: String,
    /// Numbers of the levels in the ladder of the kind.
    pub levels: Vec<usize>,
    /// Their strengths.
    pub strengths: Vec<f64>,
    /// Pairs that were scored.
    pub pairs: usize,
    /// Pairs that the map could not give: it has nothing to damage, would fold, or nothing would be left.
    pub skipped: usize,
}

/// A metric, and what it answers to changes that are no damage.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LabMetric {
    pub id: String,
    pub title: String,
    pub family: String,
    pub unit: Unit,
    pub better: Better,
    /// Largest relative change of the value if both maps are moved, turned by quarters, padded, cropped, or have other cells.
    pub invariance: BTreeMap<String, Option<f64>>,
    /// Badness of a map that lies one cell, and one degree, beside its place, less that of the map itself: mean over maps.
    pub one_cell: Option<f64>,
    pub one_degree: Option<f64>,
}

/// How a metric answers to a kind of damage.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LabAnswer {
    pub metric: String,
    pub kind: String,
    pub verdict: LabVerdict,
    /// The level from which damage is seen, or after which the value stays, as the verdict says.
    pub level: Option<usize>,
    /// Kendall's tau-b of level and badness: mean over maps.
    pub tau: Option<f64>,
    pub tau_interval: Option<[f64; 2]>,
    /// AUC of damaged against harmless maps, over all levels.
    pub separation: Option<f64>,
    pub separation_interval: Option<[f64; 2]>,
    /// The same per level.
    pub separation_by_level: Vec<Option<f64>>,
    /// The lowest level at which damaged maps are worse than harmless ones in at least 95 % of pairs.
    pub sees_level: Option<usize>,
    /// The level after which badness gains less than 5 % of its range.
    pub saturates_level: Option<usize>,
    /// Standard deviation over seeds by range over levels; none for kinds without chance.
    pub repeatable: Option<f64>,
    /// Share of damaged pairs without a value.
    pub undefined: Option<f64>,
}

/// The word of a cell of the matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LabVerdict {
    /// In order, and from level 2 at the latest.
    Sees,
    /// From a higher level, out of order, or not reliably.
    Late,
    /// Seen early, but stronger damage is not worse.
    Saturates,
    /// Damaged maps have the values of harmless ones.
    Blind,
    /// Damaged maps have better values.
    Misleads,
    /// No value for most damaged maps.
    Undefined,
    /// The maps have nothing that this kind could damage.
    Untried,
}

impl LabVerdict {
    pub const ALL: [Self; 7] = [
        Self::Sees,
        Self::Late,
        Self::Saturates,
        Self::Blind,
        Self::Misleads,
        Self::Undefined,
        Self::Untried,
    ];

    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sees => "sees",
            Self::Late => "late",
            Self::Saturates => "saturates",
            Self::Blind => "blind",
            Self::Misleads => "misleads",
            Self::Undefined => "undefined",
            Self::Untried => "untried",
        }
    }

    /// What the word means, in a sentence.
    #[must_use]
    pub const fn meaning(self) -> &'static str {
        match self {
            Self::Sees => "stronger damage is worse, and level 2 already differs from harmless changes",
            Self::Late => "seen from the level behind the word on, or not in order",
            Self::Saturates => {
                "seen early, but beyond the level behind the word stronger damage is not worse"
            }
            Self::Blind => "even the strongest damage looks like a harmless change",
            Self::Misleads => "damaged maps get better values",
            Self::Undefined => "most damaged maps have no value",
            Self::Untried => "the maps have nothing that this kind could damage",
        }
    }
}

/// Badness over the levels of one map, level 0 first: lowest, mean and highest over the seeds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LabCurve {
    pub points: Vec<Option<[f64; 3]>>,
}

/// What a metric takes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LabCost {
    pub metric: String,
    /// Milliseconds of processor time for one pair, computed alone.
    pub processor_ms: f64,
    /// Upper bound of the memory beside the maps, bytes.
    pub memory_bytes: u64,
}

impl LabReport {
    /// The answer of a metric to a kind.
    #[must_use]
    pub fn answer(&self, metric: &str, kind: &str) -> Option<&LabAnswer> {
        self.answers.iter().find(|answer| answer.metric == metric && answer.kind == kind)
    }
}

impl LabAnswer {
    /// The word of the matrix, with its level.
    #[must_use]
    pub fn word(&self) -> String {
        let level = match self.verdict {
            LabVerdict::Late | LabVerdict::Saturates => self.level,
            _ => None,
        };
        level.map_or_else(
            || self.verdict.name().to_owned(),
            |level| format!("{} {level}", self.verdict.name()),
        )
    }
}

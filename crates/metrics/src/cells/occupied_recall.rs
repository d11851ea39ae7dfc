//! Recall of occupied cells: the share of the truth's occupied cells that are occupied in the map.
//!
//! ```text
//! R = TP / (TP + FN)
//! ```
//!
//! Unit: 1. Range: 0 to 1. Better: higher.
//! Paper: none of the five; the usual definition, because users ask for it.
//! Unknown: counts as free (`unknown_as`), as in the 2009 set.
//! Known bias: rewards thick walls; a map that is occupied everywhere has recall 1.
//! Undefined: without a cell to compare, or where the denominator is 0.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::binary_counts::{BinaryCounts, UnknownAs};
use crate::{Better, Case, Family, Metric, MetricSpec, Score, Undefined, Unit};

/// Parameters of the recall of occupied cells.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct OccupiedRecall {
    /// What an unknown cell counts as. Default `free`, as in the 2009 set.
    pub unknown_as: UnknownAs,
}

impl Metric for OccupiedRecall {
    const SPEC: MetricSpec = MetricSpec {
        id: "occupied_recall",
        code: "M-REC",
        title: "Recall of occupied cells",
        family: Family::Cells,
        unit: Unit::Ratio,
        better: Better::Higher,
        best: Some(1.0),
        worst: Some(0.0),
        source: include_str!("occupied_recall.rs"),
    };

    fn evaluate(&self, case: &Case) -> Result<Score, Undefined> {
        let counts = BinaryCounts::of_case(case, self.unknown_as)?;
        counts.score_of_ratio(case, counts.ratios().recall)
    }
}

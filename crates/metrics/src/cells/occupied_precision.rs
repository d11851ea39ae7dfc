//! Precision of occupied cells: the share of the map's occupied cells that are occupied in the truth.
//!
//! ```text
//! P = TP / (TP + FP)
//! ```
//!
//! Unit: 1. Range: 0 to 1. Better: higher.
//! Paper: none of the five; the usual definition, because users ask for it.
//! Unknown: counts as free (`unknown_as`), as in the 2009 set.
//! Known bias: rewards maps that claim little; a wall one cell off counts as wrong, so thick or shifted
//! walls are punished hard.
//! Undefined: without a cell to compare, or where the denominator is 0.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::binary_counts::{BinaryCounts, UnknownAs};
use crate::{Better, Case, Family, Metric, MetricSpec, Score, Undefined, Unit};

/// Parameters of the precision of occupied cells.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct OccupiedPrecision {
    /// What an unknown cell counts as. Default `free`, as in the 2009 set.
    pub unknown_as: UnknownAs,
}

impl Metric for OccupiedPrecision {
    const SPEC: MetricSpec = MetricSpec {
        id: "occupied_precision",
        code: "M-PREC",
        title: "Precision of occupied cells",
        family: Family::Cells,
        unit: Unit::Ratio,
        better: Better::Higher,
        best: Some(1.0),
        worst: Some(0.0),
        source: include_str!("occupied_precision.rs"),
    };

    fn evaluate(&self, case: &Case) -> Result<Score, Undefined> {
        let counts = BinaryCounts::of_case(case, self.unknown_as)?;
        counts.score_of_ratio(case, counts.ratios().precision)
    }
}

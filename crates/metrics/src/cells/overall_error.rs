//! Overall error: the number of cells on which map and truth disagree about being occupied.
//!
//! ```text
//! OE = FN + FP
//! ```
//!
//! Unit: cells. Range: 0 to the number of compared cells N. Better: lower.
//! Paper: Balaguer et al. 2009, section 5 (after Carlson et al. 2005).
//! Departure: none.
//! Unknown: counts as free (`unknown_as`), as in the paper.
//! Known bias: rewards empty maps, because most cells are free; the cells a missing wall costs are few.
//! Undefined: without a cell to compare.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::binary_counts::{BinaryCounts, UnknownAs};
use crate::{Better, Case, Family, Metric, MetricSpec, Score, Undefined, Unit};

/// Parameters of the overall error.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct OverallError {
    /// What an unknown cell counts as. Default `free`, from the paper.
    pub unknown_as: UnknownAs,
}

impl Metric for OverallError {
    const SPEC: MetricSpec = MetricSpec {
        id: "overall_error",
        code: "M-OE",
        title: "Overall error",
        family: Family::Cells,
        unit: Unit::Cells,
        better: Better::Lower,
        best: Some(0.0),
        worst: None,
        source: include_str!("overall_error.rs"),
    };

    fn evaluate(&self, case: &Case) -> Result<Score, Undefined> {
        let counts = BinaryCounts::of_case(case, self.unknown_as)?;
        Ok(counts
            .score_of_count(case, counts.missed + counts.invented)
            .between(0.0, counts.compared() as f64))
    }
}

//! Map score (2009): the number of cells on which map and truth agree about being occupied.
//!
//! ```text
//! MS = TP + TN
//! ```
//!
//! Unit: cells. Range: 0 to the number of compared cells N. Better: higher.
//! Paper: Balaguer et al. 2009, section 5 (after Martin and Moravec 1996).
//! Departure: none. Collins et al. use the same name for a sum of squared differences: see
//! `map_score_collins`.
//! Unknown: counts as free (`unknown_as`), as in the paper.
//! Known bias: rewards empty maps, because most cells are free and agreeing on them costs nothing.
//! Undefined: without a cell to compare.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::binary_counts::{BinaryCounts, UnknownAs};
use crate::{Better, Case, Family, Metric, MetricSpec, Score, Undefined, Unit};

/// Parameters of the map score (2009).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MapScoreBalaguer {
    /// What an unknown cell counts as. Default `free`, from the paper.
    pub unknown_as: UnknownAs,
}

impl Metric for MapScoreBalaguer {
    const SPEC: MetricSpec = MetricSpec {
        id: "map_score_balaguer",
        code: "M-MS09",
        title: "Map score (2009)",
        family: Family::Cells,
        unit: Unit::Cells,
        better: Better::Higher,
        best: None,
        worst: None,
        source: include_str!("map_score_balaguer.rs"),
    };

    fn evaluate(&self, case: &Case) -> Result<Score, Undefined> {
        let counts = BinaryCounts::of_case(case, self.unknown_as)?;
        Ok(counts
            .score_of_count(case, counts.hits + counts.agreed_free)
            .between(counts.compared() as f64, 0.0))
    }
}

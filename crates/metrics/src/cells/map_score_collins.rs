//! Map score (Collins): the sum of squared differences between the cell values of truth and map.
//!
//! ```text
//! SSD = Σ (g - m)²      g, m = 0 free, 0.5 unknown, 1 occupied, or a probability
//! ```
//!
//! Unit: cells. Range: 0 to the number of compared cells N. Better: lower.
//! Paper: Collins et al., section 3.2; the square is lost in the printed formula, the text has it.
//! Departure: none. Balaguer et al. 2009 use the same name for an agreement count: see `map_score_balaguer`;
//! on binary maps SSD = OE = N - MS.
//! Unknown: 0.5 (`unknown_as = half`); so an unknown cell costs a quarter against a known one.
//! Known bias: rewards empty maps, because most cells are free.
//! Undefined: without a cell to compare.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::number_pairs::{NumberPairs, Source, UnknownNumber};
use crate::{Better, Case, Family, Metric, MetricSpec, Reason, Score, Undefined, Unit};

/// Parameters of the map score of Collins et al.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MapScoreCollins {
    /// The number of an unknown cell. Default `half`, from the paper.
    pub unknown_as: UnknownNumber,
}

impl Metric for MapScoreCollins {
    const SPEC: MetricSpec = MetricSpec {
        id: "map_score_collins",
        code: "M-SSD",
        title: "Map score (Collins)",
        family: Family::Cells,
        unit: Unit::Cells,
        better: Better::Lower,
        best: Some(0.0),
        worst: None,
        source: include_str!("map_score_collins.rs"),
    };

    fn evaluate(&self, case: &Case) -> Result<Score, Undefined> {
        let pairs = NumberPairs::of(case, Source::Probabilities, self.unknown_as)?;
        let ssd = pairs.squared_differences(|_, _| true);
        if ssd.cells == 0.0 {
            return Err(Reason::EmptyWindow.into());
        }
        Ok(Score::new(ssd.sum)
            .between(0.0, ssd.cells)
            .with("rate", ssd.sum / ssd.cells)
            .with("compared", ssd.cells as u64)
            .with("coverage", case.coverage()?))
    }
}

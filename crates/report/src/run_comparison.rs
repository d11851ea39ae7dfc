//! Several runs against each other, as the report holds it.

use metrics::Unit;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::number::ColumnDigits;

/// Several runs against each other, on what all of them have.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RunComparison {
    /// Id of the metric that ranks.
    pub rank_by: String,
    /// `rmse` or `mean`.
    pub statistic: String,
    /// Unit of the values.
    pub unit: Unit,
    /// True poses or relations that every ranked run was matched with; the values below rest on these alone.
    pub common: usize,
    /// All true poses or relations.
    pub whole: usize,
    /// Coverage below which a run is not ranked.
    pub min_coverage: f64,
    /// Resamples behind the intervals.
    pub resamples: usize,
    /// Length of the resampled blocks, in poses or relations.
    pub block: usize,
    /// Runs, the best first; runs without a rank last.
    pub ranking: Vec<RankedRun>,
    /// Every pair of ranked runs.
    pub pairs: Vec<RunPair>,
    /// Runs of one algorithm together, where there are several.
    pub algorithms: Vec<Algorithm>,
}

impl RunComparison {
    /// How values and intervals of the ranking are printed.
    pub(crate) fn digits(&self) -> ColumnDigits {
        ColumnDigits::of(self.ranking.iter().flat_map(|run| [run.value, run.low, run.high]))
    }
}

/// One run in a ranking.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RankedRun {
    /// The case.
    pub name: String,
    /// Rank from 1; null if not ranked.
    pub rank: Option<usize>,
    /// The value on what all ranked runs have; null if not ranked.
    pub value: Option<f64>,
    /// Lower end of the 95 % interval.
    pub low: Option<f64>,
    /// Upper end of the 95 % interval.
    pub high: Option<f64>,
    /// The smallest error, the quartiles, and the largest, on what all ranked runs have.
    pub quartiles: Option<[f64; 5]>,
    /// Share of the truth that the run was compared with.
    pub coverage: Option<f64>,
    /// Why it is not ranked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// Two runs against each other.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RunPair {
    /// The better one.
    pub better: String,
    /// The worse one.
    pub worse: String,
    /// Value of the worse less that of the better.
    pub difference: f64,
    /// Lower end of its 95 % interval.
    pub low: f64,
    /// Upper end of its 95 % interval.
    pub high: f64,
    /// Two-sided p of the paired block bootstrap.
    pub p: f64,
}

/// The trials of one algorithm.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Algorithm {
    /// What the names of its runs have in common.
    pub name: String,
    /// Runs with a rank.
    pub trials: usize,
    /// All runs.
    pub runs: usize,
    /// Mean of the values.
    pub mean: Option<f64>,
    /// Sample standard deviation; null below two trials.
    pub std: Option<f64>,
    /// The smallest value.
    pub min: Option<f64>,
    /// The largest value.
    pub max: Option<f64>,
}

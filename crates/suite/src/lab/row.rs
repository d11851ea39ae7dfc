//! One scored pair as a row, and the rows as CSV.

use std::fmt::Write;

use serde::{Deserialize, Serialize};

use super::plan::LabPair;

/// A scored pair.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LabRow {
    /// Number of the map.
    pub map: usize,
    /// What was done to it: `none`, `harmless`, a kind of damage, or a change of both maps.
    pub change: String,
    /// Level of the damage, or number of the harmless change.
    pub level: usize,
    /// Number of the seed.
    pub seed: usize,
    /// Whether there was a map to score.
    pub status: RowStatus,
    /// Values in the order of the metrics; empty without a map.
    pub values: Vec<Option<f64>>,
}

/// Whether there was a map to score.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RowStatus {
    /// It was scored.
    Scored,
    /// The map cannot be damaged so; the code says why.
    Refused(String),
}

/// The rows of a lab.
#[derive(Clone, Debug, PartialEq)]
pub struct LabRows {
    /// Ids of the metrics.
    pub metrics: Vec<String>,
    /// The rows in the order of the plan.
    pub rows: Vec<LabRow>,
}

impl LabRow {
    pub(super) fn scored(pair: &LabPair, values: Vec<Option<f64>>) -> Self {
        Self { values, ..Self::of(pair, RowStatus::Scored) }
    }

    pub(super) fn refused(pair: &LabPair, code: &str) -> Self {
        Self::of(pair, RowStatus::Refused(code.to_owned()))
    }

    fn of(pair: &LabPair, status: RowStatus) -> Self {
        let (change, level) = (pair.change.name(), pair.change.level());
        Self { map: pair.map, change, level, seed: pair.seed, status, values: Vec::new() }
    }

    /// Whether there was a map to score.
    #[must_use]
    pub fn is_scored(&self) -> bool {
        self.status == RowStatus::Scored
    }

    /// Whether the row is that of a pair.
    #[must_use]
    pub fn is_of(&self, pair: &LabPair) -> bool {
        self.map == pair.map
            && self.seed == pair.seed
            && self.level == pair.change.level()
            && self.change == pair.change.name()
    }
}

/// The rows as CSV: map, change, level, seed, status, then a column per metric.
#[must_use]
pub fn rows_csv(rows: &LabRows, maps: &[String]) -> String {
    let mut text = format!("map,change,level,seed,status,{}\n", rows.metrics.join(","));
    for row in &rows.rows {
        let name = maps.get(row.map).map_or_else(String::new, |name| quoted(name));
        let status = match &row.status {
            RowStatus::Scored => "scored",
            RowStatus::Refused(code) => code,
        };
        let mut values: Vec<String> = row
            .values
            .iter()
            .map(|value| value.map_or_else(String::new, |v| (v + 0.0).to_string()))
            .collect();
        values.resize(rows.metrics.len(), String::new());
        // Writing into a string cannot fail.
        let _ =
            writeln!(text, "{name},{},{},{},{status},{}", row.change, row.level, row.seed, values.join(","));
    }
    text
}

/// A name as a field of CSV.
fn quoted(name: &str) -> String {
    if name.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", name.replace('"', "\"\""))
    } else {
        name.to_owned()
    }
}

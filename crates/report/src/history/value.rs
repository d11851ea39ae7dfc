//! The values of reports over time, without what explains them: small enough to keep every night of years.

use std::collections::BTreeMap;

use metrics::{Better, Detail, Unit};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::Report;

/// The name of the form of an entry.
pub const HISTORY_SCHEMA: &str = "mapjudge.history/1";

/// Reports over time, the oldest first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct History {
    pub entries: Vec<HistoryEntry>,
}

/// When a report was made, and of what.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct EntryName {
    /// UTC, as `2026-11-16T02:00:00Z`, so that the order of the texts is the order in time.
    pub time: String,
    /// A commit, a version, a build; none if none was given.
    pub label: Option<String>,
}

/// The values of one report.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HistoryEntry {
    /// Always [`HISTORY_SCHEMA`].
    pub schema: String,
    #[serde(flatten)]
    pub name: EntryName,
    /// BLAKE3 hash of the report's JSON, in hexadecimal.
    pub report: String,
    /// Version of the program that made the report.
    pub version: String,
    /// What is the same for all cases of the report.
    pub metrics: Vec<MetricFacts>,
    pub cases: Vec<HistoryCase>,
}

/// What a metric's values mean, in every case of a report.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MetricFacts {
    pub id: String,
    pub title: String,
    pub unit: Unit,
    pub better: Better,
    /// Best possible value; null if unbounded, unknown, or not the same in all cases.
    pub best: Option<f64>,
    /// Parameters, window and resampling: values under other settings are not compared.
    pub settings: Detail,
}

/// The values of one case.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HistoryCase {
    pub name: String,
    /// Code of what kept it from being judged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// By the metric's id; null if undefined.
    pub values: BTreeMap<String, Option<f64>>,
}

impl HistoryEntry {
    /// The values of a report. `report_hash` is the BLAKE3 hash of its JSON.
    #[must_use]
    pub fn of(report: &Report, name: EntryName, report_hash: String) -> Self {
        let case = |case: &crate::CaseReport| HistoryCase {
            name: case.name.clone(),
            error: case.error.clone(),
            values: case.metrics.iter().map(|record| (record.id.clone(), record.value)).collect(),
        };
        Self {
            schema: HISTORY_SCHEMA.to_owned(),
            name,
            report: report_hash,
            version: report.tool.version.clone(),
            metrics: facts_of(report),
            cases: report.cases.iter().map(case).collect(),
        }
    }

    #[must_use]
    pub fn case(&self, name: &str) -> Option<&HistoryCase> {
        self.cases.iter().find(|case| case.name == name)
    }

    #[must_use]
    pub fn metric(&self, id: &str) -> Option<&MetricFacts> {
        self.metrics.iter().find(|facts| facts.id == id)
    }
}

impl EntryName {
    /// The label if there is one, else the day and minute.
    #[must_use]
    pub fn short(&self) -> String {
        let minute = self.time.get(..16).unwrap_or(&self.time).replace('T', " ");
        self.label.clone().unwrap_or(minute)
    }
}

fn facts_of(report: &Report) -> Vec<MetricFacts> {
    let mut found: Vec<MetricFacts> = Vec::new();
    let mut places: BTreeMap<&str, usize> = BTreeMap::new();
    for (case, record) in report.cases.iter().flat_map(|case| case.metrics.iter().map(move |r| (case, r))) {
        if let Some(&place) = places.get(record.id.as_str()) {
            let facts = &mut found[place];
            facts.best = facts.best.filter(|best| Some(*best) == record.best);
            continue;
        }
        let mut settings = record.params.clone();
        if let Some(grid) = &case.grid {
            settings.insert("window".to_owned(), json!(grid.window));
            settings.insert("resample".to_owned(), json!(grid.resample));
        }
        places.insert(&record.id, found.len());
        found.push(MetricFacts {
            id: record.id.clone(),
            title: record.title.clone(),
            unit: record.unit,
            better: record.better,
            best: record.best,
            settings,
        });
    }
    found
}

#[cfg(test)]
pub(crate) mod example {
    use super::*;
    use crate::example;

    /// An entry per list of values, one case per value.
    pub(crate) fn history(better: Better, nights: &[&[Option<f64>]]) -> History {
        let entry = |(night, values): (usize, &&[Option<f64>])| {
            let time = format!("2026-11-{:02}T02:00:00Z", night + 1);
            let name = EntryName { time, label: None };
            HistoryEntry::of(&example::one_metric(better, Some(0.0), values), name, format!("{night:064x}"))
        };
        History { entries: nights.iter().enumerate().map(entry).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example;

    #[test]
    fn an_entry_has_the_values_and_reads_back() {
        let name = EntryName { time: "2026-11-16T02:00:00Z".into(), label: Some("abc".into()) };
        let entry = HistoryEntry::of(&example::with_failure(), name, "00".into());
        assert_eq!(entry.case("map1").unwrap().values["overall_error"], Some(3.0));
        assert_eq!(entry.case("broken").unwrap().error.as_deref(), Some("MALFORMED"));
        assert_eq!(entry.metric("overall_error").unwrap().settings["window"], "truth");
        let text = serde_json::to_string(&entry).unwrap();
        assert_eq!(serde_json::from_str::<HistoryEntry>(&text).unwrap(), entry);
    }
}

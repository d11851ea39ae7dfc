//! The history turned round: one series of values per metric, over all cases of each entry.

use metrics::{Better, Unit};
use serde::Serialize;

use super::trend::median;
use super::value::{EntryName, History, MetricFacts};
use crate::natural_order::natural_order;

/// The name of the form of series.
pub const HISTORY_SERIES_SCHEMA: &str = "mapjudge.history_series/1";

/// How every metric moved.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct HistorySeries {
    pub schema: &'static str,
    /// The oldest first.
    pub entries: Vec<EntryName>,
    /// Names of all cases that occur, in natural order.
    pub cases: Vec<String>,
    pub metrics: Vec<MetricSeries>,
}

/// One metric over time.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MetricSeries {
    pub id: String,
    pub title: String,
    pub unit: Unit,
    pub better: Better,
    /// Per case, in the order of `cases`, one value per entry; null where it is undefined or missing.
    pub values: Vec<Vec<Option<f64>>>,
    /// Per entry: the median over the cases that have a value.
    pub medians: Vec<Option<f64>>,
}

/// The series of the metrics of these ids, of all if empty; only of the cases of these names, of all if empty.
#[must_use]
pub fn history_series(history: &History, metrics: &[String], cases: &[String]) -> HistorySeries {
    let is_wanted = |list: &[String], name: &String| list.is_empty() || list.contains(name);
    let mut names: Vec<String> =
        history.entries.iter().flat_map(|entry| entry.cases.iter().map(|case| case.name.clone())).collect();
    names.retain(|name| is_wanted(cases, name));
    names.sort_by(|a, b| natural_order(a, b));
    names.dedup();
    // The newest entry decides what a metric is called.
    let mut facts: Vec<&MetricFacts> = Vec::new();
    for found in history.entries.iter().rev().flat_map(|entry| &entry.metrics) {
        if is_wanted(metrics, &found.id) && facts.iter().all(|known| known.id != found.id) {
            facts.push(found);
        }
    }
    HistorySeries {
        schema: HISTORY_SERIES_SCHEMA,
        entries: history.entries.iter().map(|entry| entry.name.clone()).collect(),
        metrics: facts.into_iter().map(|facts| metric_series(facts, history, &names)).collect(),
        cases: names,
    }
}

fn metric_series(facts: &MetricFacts, history: &History, names: &[String]) -> MetricSeries {
    let mut values = vec![vec![None; history.entries.len()]; names.len()];
    for (at, entry) in history.entries.iter().enumerate() {
        for case in &entry.cases {
            let place = names.binary_search_by(|name| natural_order(name, &case.name));
            if let (Ok(row), Some(value)) = (place, case.values.get(&facts.id)) {
                values[row][at] = *value;
            }
        }
    }
    let medians = (0..history.entries.len()).map(|at| {
        median(values.iter().filter_map(|row| row[at].filter(|value| value.is_finite())).collect())
    });
    MetricSeries {
        id: facts.id.clone(),
        title: facts.title.clone(),
        unit: facts.unit,
        better: facts.better,
        medians: medians.collect(),
        values,
    }
}

#[cfg(test)]
mod tests {
    use super::super::value::example::history;
    use super::*;

    #[test]
    fn each_case_has_its_row_and_each_entry_its_median() {
        let nights: [&[Option<f64>]; 2] = [&[Some(1.0), Some(2.0), Some(4.0)], &[Some(3.0), None]];
        let series = history_series(&history(Better::Lower, &nights), &[], &[]);
        let metric = &series.metrics[0];
        assert_eq!(metric.values[0], [Some(1.0), Some(3.0)]);
        assert_eq!(metric.values[2], [Some(4.0), None]);
        assert_eq!(metric.medians, [Some(2.0), Some(3.0)]);
        let one = history_series(&history(Better::Lower, &nights), &["other".into()], &["map1".into()]);
        assert_eq!((one.cases, one.metrics.len()), (vec!["map1".to_owned()], 0));
    }
}

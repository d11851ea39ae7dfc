//! The statistics of errors that other programs print: rmse, mean, median, std, min, max and sse of each run.

use metrics::trajectory::statistics::Statistics;

use crate::number::ColumnDigits;
use crate::printable::printable;
use crate::text_table::{Column, Screen, TextTable, plain};
use crate::{CaseReport, MetricRecord, Report};

const NAMES: [&str; 7] = ["rmse", "mean", "median", "std", "min", "max", "sse"];

/// A row: run, metric and its statistics.
struct Row<'a> {
    case: &'a CaseReport,
    record: &'a MetricRecord,
    statistics: Statistics,
}

impl Row<'_> {
    fn values(&self) -> [Option<f64>; NAMES.len()] {
        let Statistics { rmse, mean, median, std, min, max, sse, .. } = self.statistics;
        [Some(rmse), Some(mean), Some(median), Some(std), Some(min), Some(max), sse]
    }
}

/// The statistics of all runs as a table for the terminal, metric by metric, the lowest of several marked; empty if no
/// case is a run.
pub(crate) fn statistics_table(report: &Report, screen: Screen) -> String {
    let rows = rows(report);
    if rows.is_empty() {
        return String::new();
    }
    let has_runs = report.cases.len() > 1;
    let lead = ["statistics of", "run", "unit"].into_iter().filter(|name| has_runs || *name != "run");
    let numbers = ["errors"].into_iter().chain(NAMES).map(|name| Column::right(name, 0));
    let mut table = TextTable::new(lead.map(|name| Column::left(name, 0)).chain(numbers).collect());
    let mut last = "";
    let mut columns: Vec<(ColumnDigits, Option<f64>)> = Vec::new();
    for row in &rows {
        if last != row.record.id {
            columns = (0..NAMES.len()).map(|index| column_of(&rows, &row.record.id, index)).collect();
        }
        let metric = if last == row.record.id { String::new() } else { printable(&row.record.id) };
        last = &row.record.id;
        let mut cells = vec![metric];
        if has_runs {
            cells.push(printable(&row.case.name));
        }
        cells.push(row.record.unit.symbol().to_owned());
        cells.push(row.statistics.count.to_string());
        for (value, (digits, lowest)) in row.values().into_iter().zip(&columns) {
            let is_best = has_runs && value.is_some() && value == *lowest;
            cells.push(format!("{}{}", digits.shown(value), if is_best { "*" } else { " " }));
        }
        table.row(cells.into_iter().map(plain));
    }
    table.shown_on(screen) + "\n"
}

/// Digits of one statistic of one metric, and its lowest value.
fn column_of(rows: &[Row<'_>], metric: &str, index: usize) -> (ColumnDigits, Option<f64>) {
    let same = || rows.iter().filter(|row| row.record.id == metric).map(|row| row.values()[index]);
    (ColumnDigits::of(same()), same().flatten().min_by(f64::total_cmp))
}

fn rows(report: &Report) -> Vec<Row<'_>> {
    let runs = || report.cases.iter().filter(|case| case.is_trajectory());
    let mut ids: Vec<&str> = Vec::new();
    for record in runs().flat_map(|case| &case.metrics) {
        if !ids.contains(&record.id.as_str()) {
            ids.push(&record.id);
        }
    }
    let row = |id: &&str, case| -> Option<Row<'_>> {
        let case: &CaseReport = case;
        let record = case.metric(id).filter(|record| record.value.is_some())?;
        Some(Row { case, record, statistics: record.statistics()? })
    };
    ids.iter().flat_map(|id| runs().filter_map(move |case| row(id, case))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example;

    fn run(name: &str, errors: &[f64]) -> CaseReport {
        let statistics = Statistics::of(errors).unwrap();
        let mut record = example::overall_error(statistics.rmse);
        record.id = "ate_translation".to_owned();
        record.detail = statistics.facts();
        let mut case = example::case(name, vec![record]);
        case.detail = Some(metrics::facts([("trajectory", serde_json::json!({"coverage": 1.0}))]));
        case
    }

    #[test]
    fn all_seven_statistics_stand_in_a_row_and_the_lowest_is_marked() {
        let report = example::report(vec![run("good", &[1.0, 2.0, 2.0]), run("bad", &[3.0, 4.0, 5.0])]);
        let text = statistics_table(&report, Screen::default());
        let row = |name: &str| text.lines().find(|line| line.contains(name)).unwrap().to_owned();
        // rmse sqrt(3), mean 5/3, median 2, std sqrt(2)/3, min 1, max 2, sse 9.
        let good = row("good");
        for number in ["1.7321*", "1.6667*", "2*", "0.4714*", "1*", "9*"] {
            assert!(good.contains(number), "{number}: {good}");
        }
        assert!(row("bad").ends_with(" 50") && !row("bad").contains('*'), "{text}");
    }

    #[test]
    fn maps_have_none() {
        assert_eq!(statistics_table(&example::two_cases(), Screen::default()), "");
    }
}

//! The matrix "which metric sees which defect" as text, CSV and Markdown.

use std::fmt::Write;

use super::value::{LabCost, LabReport, LabVerdict};
use crate::number::fixed;

/// One line per metric and kind, with every statistic.
#[must_use]
pub fn lab_matrix_csv(report: &LabReport) -> String {
    let mut text = "metric,kind,verdict,level,tau,tau_low,tau_high,separation,separation_low,separation_high,sees_level,\
                    saturates_level,repeatable,undefined\n"
        .to_owned();
    let number = |value: Option<f64>| value.map_or_else(String::new, |value| (value + 0.0).to_string());
    let level = |value: Option<usize>| value.map_or_else(String::new, |value| value.to_string());
    for answer in &report.answers {
        let ends = |interval: Option<[f64; 2]>| {
            [number(interval.map(|ends| ends[0])), number(interval.map(|ends| ends[1]))].join(",")
        };
        let words = [
            answer.metric.clone(),
            answer.kind.clone(),
            answer.verdict.name().to_owned(),
            level(answer.level),
            number(answer.tau),
            ends(answer.tau_interval),
            number(answer.separation),
            ends(answer.separation_interval),
            level(answer.sees_level),
            level(answer.saturates_level),
            number(answer.repeatable),
            number(answer.undefined),
        ];
        // Writing into a string cannot fail, here and below.
        let _ = writeln!(text, "{}", words.join(","));
    }
    text
}

/// Time and memory of each metric.
#[must_use]
pub fn lab_costs_csv(costs: &[LabCost]) -> String {
    let mut text = "metric,processor_ms,memory_bytes\n".to_owned();
    for cost in costs {
        let _ = writeln!(text, "{},{},{}", cost.metric, fixed(cost.processor_ms, 3), cost.memory_bytes);
    }
    text
}

/// The matrix for a terminal: a line per metric, a column per kind.
#[must_use]
pub fn lab_table(report: &LabReport) -> String {
    let names: Vec<&str> = report.metrics.iter().map(|metric| metric.id.as_str()).collect();
    let width = names.iter().map(|name| name.len()).max().unwrap_or(0).max("metric".len());
    let columns: Vec<usize> =
        report.kinds.iter().map(|kind| kind.name.len().max("saturates 6".len())).collect();
    let mut text = format!("{:width$}", "metric");
    for (kind, column) in report.kinds.iter().zip(&columns) {
        let _ = write!(text, "  {:column$}", kind.name);
    }
    text.push('\n');
    for metric in &names {
        let _ = write!(text, "{metric:width$}");
        for (kind, column) in report.kinds.iter().zip(&columns) {
            let word = report.answer(metric, &kind.name).map(|answer| answer.word()).unwrap_or_default();
            let _ = write!(text, "  {word:column$}");
        }
        let _ = writeln!(text);
    }
    for verdict in used(report) {
        let _ = writeln!(text, "{}: {}", verdict.name(), verdict.meaning());
    }
    // Columns end with spaces.
    text.lines().map(|line| format!("{}\n", line.trim_end())).collect()
}

/// The matrix for documentation.
#[must_use]
pub fn lab_matrix_markdown(report: &LabReport) -> String {
    let mut text = "| metric |".to_owned();
    report.kinds.iter().for_each(|kind| text.push_str(&format!(" `{}` |", kind.name)));
    text.push_str("\n|---|");
    report.kinds.iter().for_each(|_| text.push_str("---|"));
    text.push('\n');
    for metric in &report.metrics {
        let _ = write!(text, "| `{}` |", metric.id);
        for kind in &report.kinds {
            let word = report.answer(&metric.id, &kind.name).map(|answer| answer.word()).unwrap_or_default();
            let _ = write!(text, " {word} |");
        }
        text.push('\n');
    }
    text
}

/// The verdicts that occur, in their order.
pub(super) fn used(report: &LabReport) -> Vec<LabVerdict> {
    let occurs = |verdict: &LabVerdict| report.answers.iter().any(|answer| answer.verdict == *verdict);
    LabVerdict::ALL.into_iter().filter(occurs).collect()
}

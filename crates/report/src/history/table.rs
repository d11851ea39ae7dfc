//! History and check for the terminal and for a pull request.

use std::fmt::Write;

use super::check::{TrendCheck, TrendOutcome, TrendResult};
use super::series::{HistorySeries, MetricSeries};
use super::trend::Robust;
use crate::footer::case_names;
use crate::markdown;
use crate::number::{ColumnDigits, shown};
use crate::printable::printable;
use crate::sparkline::sparkline;
use crate::text_table::{Column, Screen, TextTable, plain};

/// Entries that a line of blocks shows.
const SPARK_ENTRIES: usize = 20;
/// Missed values that are listed one by one.
const MAX_LISTED: usize = 50;

/// Every metric with its newest value, the median of those before, and its course.
#[must_use]
pub fn history_table(series: &HistorySeries) -> String {
    let (Some(first), Some(last)) = (series.entries.first(), series.entries.last()) else {
        return "the history has no entry\n".to_owned();
    };
    let mut table = TextTable::new(vec![
        Column::left("metric", 0),
        Column::left("unit", 0),
        Column::left("better", 0),
        Column::right("newest", 0),
        Column::right("median before", 0),
        Column::left("last 20, oldest first", 0),
    ]);
    for metric in &series.metrics {
        let (newest, before) = (metric.medians.last().copied().flatten(), median_before(metric));
        let digits = ColumnDigits::of([newest, before]);
        let cells = [
            printable(&metric.id),
            metric.unit.symbol().to_owned(),
            metric.better.name().to_owned(),
            digits.shown(newest),
            digits.shown(before),
            sparkline(&metric.medians[metric.medians.len().saturating_sub(SPARK_ENTRIES)..]),
        ];
        table.row(cells.map(plain));
    }
    let mut text = table.shown_on(Screen::default()) + "\n";
    let of_cases = match series.cases.as_slice() {
        [one] => format!("case {}", printable(one)),
        cases => format!("medians over {} cases", cases.len()),
    };
    let (first, last) = (printable(&first.short()), printable(&last.short()));
    let _ = writeln!(text, "\n{} entries, {first} to {last}; {of_cases}", series.entries.len());
    text
}

fn median_before(metric: &MetricSeries) -> Option<f64> {
    let (_, before) = metric.medians.split_last()?;
    let before: Vec<f64> = before.iter().rev().flatten().take(10).copied().collect();
    Robust::of(&before).map(|robust| robust.median)
}

/// What the check found: counts, every missed value in words, what could not be checked and why.
#[must_use]
pub fn check_table(check: &TrendCheck) -> String {
    let mut text = String::new();
    let mut line = |key: &str, words: &str| _ = writeln!(text, "{key:<11}{words}");
    line("newest", &format!("{} ({} entries before)", printable(&check.newest.short()), check.earlier));
    line("rule", &format!("{}; sigma is 1.4826 times the median absolute deviation", check.rule));
    let count = |outcome| check.with(outcome).count();
    let (held, worse, lost) = (TrendOutcome::Held, TrendOutcome::Worse, TrendOutcome::Lost);
    let unchecked = count(TrendOutcome::TooFew) + count(TrendOutcome::Undefined);
    let summary = format!(
        "{} held, {} worse, {} lost, {unchecked} not checked",
        count(held),
        count(worse),
        count(lost)
    );
    line("values", &summary);
    for name in &check.not_judged {
        line("ERROR", &format!("{}: could not be judged", printable(name)));
    }
    let missed: Vec<&TrendResult> = check.with(worse).chain(check.with(lost)).collect();
    for result in missed.iter().take(MAX_LISTED) {
        let key = if result.outcome == worse { "WORSE" } else { "LOST" };
        line(key, &result_words(result));
    }
    if missed.len() > MAX_LISTED {
        line("", &format!("and {} more, which the JSON lists", missed.len() - MAX_LISTED));
    }
    for words in unchecked_words(check) {
        line("unchecked", &words);
    }
    if !check.gone.is_empty() {
        let names: Vec<&str> = check.gone.iter().map(String::as_str).collect();
        line(
            "gone",
            &format!("the entry before has cases that the newest has not: {}", case_names(&names, 0)),
        );
    }
    text
}

/// A missed value in a sentence.
fn result_words(result: &TrendResult) -> String {
    let place = format!("{}: {}", printable(&result.case), printable(&result.metric));
    match (result.value, result.median, result.sigma, result.allowed) {
        (Some(value), Some(median), Some(sigma), Some(allowed)) => format!(
            "{place} is {}, {} (median {} of {}, sigma {}, {} allowed)",
            shown(Some(value)),
            result.rule,
            shown(Some(median)),
            result.samples,
            shown(Some(sigma)),
            shown(Some(allowed))
        ),
        _ => format!("{place} is no longer defined; {} earlier values are", result.samples),
    }
}

/// What could not be checked, once per metric and reason.
fn unchecked_words(check: &TrendCheck) -> Vec<String> {
    unchecked(check).into_iter().map(|(_, words)| words).collect()
}

/// The metrics that could not be checked, each with a sentence per reason.
pub(super) fn unchecked(check: &TrendCheck) -> Vec<(String, String)> {
    let mut groups: Vec<(&str, String, Vec<&str>)> = Vec::new();
    for result in &check.results {
        let metric = printable(&result.metric);
        let words = match result.outcome {
            TrendOutcome::TooFew if result.other_settings > 0 => {
                format!("{metric}: too few earlier values, {} under other settings", result.other_settings)
            }
            TrendOutcome::TooFew => format!("{metric}: too few earlier values ({})", result.samples),
            TrendOutcome::Undefined => format!("{metric}: undefined, as it always was"),
            _ => continue,
        };
        match groups.iter_mut().find(|group| group.1 == words) {
            Some(group) => group.2.push(&result.case),
            None => groups.push((&result.metric, words, vec![&result.case])),
        }
    }
    let cases = check.results.iter().map(|result| result.case.as_str());
    let all = cases.collect::<std::collections::HashSet<_>>().len();
    let words = |(metric, words, names): (&str, String, Vec<&str>)| {
        (metric.to_owned(), format!("{words}; {}", case_names(&names, all)))
    };
    groups.into_iter().map(words).collect()
}

/// The check as a comment on a pull request, with the course of each missed value.
#[must_use]
pub fn check_markdown(check: &TrendCheck, series: &HistorySeries) -> String {
    let missed: Vec<&TrendResult> =
        check.with(TrendOutcome::Worse).chain(check.with(TrendOutcome::Lost)).collect();
    let held = check.with(TrendOutcome::Held).count();
    let unchecked = check.with(TrendOutcome::TooFew).count() + check.with(TrendOutcome::Undefined).count();
    let verdict = if check.is_missed() { "worse than the history" } else { "within the history" };
    let mut text = format!(
        "### mapjudge: {verdict}\n\n{} missed, {held} held, {unchecked} not checked against {} earlier entries. Missed \
         is what is {}.\n",
        missed.len(),
        check.earlier,
        check.rule
    );
    for name in &check.not_judged {
        let _ = writeln!(text, "\n**{}** could not be judged.", markdown::escaped(name));
    }
    if missed.is_empty() {
        return text;
    }
    text.push_str("\n| case | metric | value | median | allowed | course |\n|---|---|---:|---:|---:|---|\n");
    for result in missed.iter().take(MAX_LISTED) {
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | ± {} | {} |",
            markdown::escaped(&result.case),
            markdown::escaped(&result.metric),
            shown(result.value),
            shown(result.median),
            shown(result.allowed),
            course(series, result)
        );
    }
    if missed.len() > MAX_LISTED {
        let _ = writeln!(text, "\nAnd {} more.", missed.len() - MAX_LISTED);
    }
    text
}

fn course(series: &HistorySeries, result: &TrendResult) -> String {
    let row = series.cases.iter().position(|name| *name == result.case);
    let metric = series.metrics.iter().find(|metric| metric.id == result.metric);
    let values = row.zip(metric).map(|(row, metric)| metric.values[row].as_slice()).unwrap_or_default();
    sparkline(&values[values.len().saturating_sub(SPARK_ENTRIES)..])
}

#[cfg(test)]
mod tests {
    use super::super::check::{TrendRules, check_history};
    use super::super::series::history_series;
    use super::super::value::example::history;
    use super::*;
    use metrics::Better;

    #[test]
    fn the_table_shows_newest_median_and_course() {
        let nights: [&[Option<f64>]; 3] = [&[Some(1.0)], &[Some(3.0)], &[Some(2.0)]];
        let text = history_table(&history_series(&history(Better::Lower, &nights), &[], &[]));
        let row = text.lines().find(|line| line.trim_start().starts_with("overall_error")).unwrap();
        assert!(row.contains("cells") && row.contains("▁█▅"), "{text}");
        assert!(text.contains("3 entries, 2026-11-01 02:00 to 2026-11-03 02:00; case map0"), "{text}");
        assert_eq!(
            history_table(&history_series(&Default::default(), &[], &[])),
            "the history has no entry\n"
        );
    }

    #[test]
    fn the_check_is_said_in_words() {
        let mut nights: Vec<&[Option<f64>]> = vec![&[Some(10.0), None]; 6];
        nights.push(&[Some(20.0), None, Some(1.0)]);
        let history = history(Better::Lower, &nights);
        let check = check_history(&history, &TrendRules::default()).unwrap();
        let text = check_table(&check);
        assert!(text.contains("rule       worse than the median of the last 10 by 3 sigma"), "{text}");
        assert!(text.contains("values     0 held, 1 worse, 0 lost, 2 not checked"), "{text}");
        assert!(text.contains("WORSE      map0: overall_error is 20, worse than the median"), "{text}");
        assert!(text.contains("unchecked  overall_error: undefined, as it always was; map1"), "{text}");
        assert!(text.contains("too few earlier values (0); map2"), "{text}");
        let comment = check_markdown(&check, &history_series(&history, &[], &[]));
        assert!(comment.contains("| map0 | overall\\_error | 20 | 10 |"), "{comment}");
        assert!(comment.contains("▁▁▁▁▁▁█"), "{comment}");
    }
}

//! What changed against the baseline, as a comment on a pull request.
//!
//! The verdict first, then the metrics over all cases, then single values, the worst first. A comment of GitHub has
//! 65536 letters at most, so that long lists end with a count.

use std::fmt::Write;

use crate::baseline::gain;
use crate::footer::not_judged_words;
use crate::markdown::{escaped, limit_rows};
use crate::number::{ColumnDigits, MISSING, fixed, shown};
use crate::sparkline::sparkline;
use crate::{BaselineResult, CaseReport, Change, MetricRecord, Report};

/// Single values that are listed.
const MAX_ROWS: usize = 40;
/// Columns of the figure of changes over the cases: worse on the left, unchanged in the middle, better on the right.
const FIGURE_COLUMNS: usize = 9;
/// Blocks of the bar of a relative change, each 2 %.
const BAR_BLOCKS: f64 = 10.0;

/// A row of the comparison, with the record behind it.
struct Row<'a> {
    result: &'a BaselineResult,
    record: Option<&'a MetricRecord>,
    /// By which share of the larger value it got better; none without two values.
    relative_gain: Option<f64>,
}

/// The comment; `rows` is the comparison of the report.
pub(crate) fn change_comment(report: &Report, rows: &[BaselineResult]) -> String {
    let mut rows: Vec<Row<'_>> = rows.iter().map(|result| row_of(report, result)).collect();
    // Lost values first, then the largest loss; the order of the report where equal.
    let loss = |row: &Row<'_>| row.relative_gain.unwrap_or(f64::NEG_INFINITY);
    rows.sort_by(|a, b| {
        (b.result.change == Change::Worse)
            .cmp(&(a.result.change == Change::Worse))
            .then(loss(a).total_cmp(&loss(b)))
    });
    let mut text = headline(report, &rows);
    if let Some(words) = not_judged_words(&report.cases) {
        let _ = writeln!(text, "\n**{}**", escaped(&words));
        for failure in report.cases.iter().filter_map(CaseReport::failure) {
            let _ = writeln!(text, "- `{}` {}", failure.code.replace('`', ""), escaped(&failure.message));
        }
    }
    let missed: Vec<_> = report.limits.iter().filter(|limit| !limit.held).collect();
    limit_rows(&mut text, &missed);
    if report.cases.len() > 1 {
        metric_table(&mut text, &rows);
    }
    value_table(&mut text, &rows);
    text
}

fn row_of<'a>(report: &'a Report, result: &'a BaselineResult) -> Row<'a> {
    let case = report.cases.iter().find(|case| case.name == result.case);
    let record = case.and_then(|case| case.metric(&result.metric));
    let relative_gain = record.zip(result.before).zip(result.now).map(|((record, before), now)| {
        let size = before.abs().max(now.abs());
        if size == 0.0 { 0.0 } else { gain(record.better, record.best, before, now) / size }
    });
    Row { result, record, relative_gain }
}

fn headline(report: &Report, rows: &[Row<'_>]) -> String {
    let count = |change: Change| rows.iter().filter(|row| row.result.change == change).count();
    let [worse, better, same, new] = [Change::Worse, Change::Better, Change::Same, Change::New].map(count);
    let missed = report.limits.iter().filter(|limit| !limit.held).count();
    let failed = report.cases.iter().filter(|case| case.error.is_some()).count();
    let verdict = match (worse + missed + failed, better) {
        (0, 0) => "nothing moved",
        (0, _) => "better",
        _ if worse > 0 => "worse",
        _ if missed > 0 => "limits missed",
        _ => "not all could be judged",
    };
    let mut text = format!(
        "### mapjudge: {verdict}\n\nAgainst the baseline: **{worse} worse**, {better} better, {same} the same"
    );
    if new > 0 {
        let _ = write!(text, ", {new} new");
    }
    if !report.limits.is_empty() {
        let _ = write!(text, "; limits: {} held, {missed} missed", report.limits.len() - missed);
    }
    text.push_str(".\n");
    if worse + better == 0 {
        text.push_str("\nNothing moved against the baseline.\n");
    }
    text
}

/// One line per metric that moved in any case, with the changes of all cases as a small figure.
fn metric_table(text: &mut String, rows: &[Row<'_>]) {
    let mut groups: Vec<(&str, Vec<&Row<'_>>)> = Vec::new();
    for row in rows {
        match groups.iter_mut().find(|group| group.0 == row.result.metric) {
            Some(group) => group.1.push(row),
            None => groups.push((&row.result.metric, vec![row])),
        }
    }
    groups.retain(|(_, rows)| rows.iter().any(|row| is_moved(row)));
    if groups.is_empty() {
        return;
    }
    text.push_str(
        "\n| metric | old (median) | new (median) | difference | worse | better | same | worse ← cases → better |\n\
         |---|---:|---:|---:|---:|---:|---:|---|\n",
    );
    for (_, rows) in groups {
        let count = |change: Change| rows.iter().filter(|row| row.result.change == change).count();
        let median = |value: fn(&BaselineResult) -> Option<f64>| {
            let pairs = rows.iter().filter(|row| row.relative_gain.is_some());
            crate::history::median(pairs.filter_map(|row| value(row.result)).collect())
        };
        let (before, now) = (median(|row| row.before), median(|row| row.now));
        let digits = ColumnDigits::of([before, now]);
        let unit = rows.iter().find_map(|row| row.record).map_or("", |record| record.unit.symbol());
        let _ = writeln!(
            text,
            "| {}{} | {} | {} | {} | {} | {} | {} | `{}` |",
            title(rows[0]),
            if unit.is_empty() { String::new() } else { format!(" ({unit})") },
            digits.shown(before),
            digits.shown(now),
            difference(before, now),
            count(Change::Worse),
            count(Change::Better),
            count(Change::Same),
            changes_figure(&rows)
        );
    }
}

/// How many cases got worse and better by how much, on a scale up to the largest change.
fn changes_figure(rows: &[&Row<'_>]) -> String {
    let gains: Vec<f64> = rows.iter().filter_map(|row| row.relative_gain).collect();
    let largest = gains.iter().fold(0.0_f64, |largest, gain| largest.max(gain.abs()));
    let mut counts = [0_u32; FIGURE_COLUMNS];
    let middle = (FIGURE_COLUMNS / 2) as f64;
    for gain in gains {
        let share = if largest > 0.0 { gain / largest } else { 0.0 };
        counts[(middle + share * middle).round().clamp(0.0, 2.0 * middle) as usize] += 1;
    }
    // A single case must stay visible beside hundreds.
    let height = |count: u32| if count == 0 { 0.0 } else { 0.2 + f64::from(count).ln_1p() };
    sparkline(&counts.map(|count| Some(height(count))))
}

/// The single values that moved, the worst first.
fn value_table(text: &mut String, rows: &[Row<'_>]) {
    let moved: Vec<_> = rows.iter().filter(|row| is_moved(row)).collect();
    if moved.is_empty() {
        return;
    }
    text.push_str(
        "\n| verdict | case | metric | old | new | difference | |\n|---|---|---|---:|---:|---:|---|\n",
    );
    for row in moved.iter().take(MAX_ROWS) {
        let result = row.result;
        let digits = ColumnDigits::of([result.before, result.now]);
        let unit = row.record.map_or(metrics::Unit::Ratio, |record| record.unit);
        let number = |value: Option<f64>| digits.shown_with_unit(value, unit);
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {} | {} |",
            if result.change == Change::Worse { "**worse**" } else { "better" },
            escaped(&result.case),
            title(row),
            number(result.before),
            number(result.now),
            difference(result.before, result.now),
            row.relative_gain.map(bar).unwrap_or_default()
        );
    }
    if moved.len() > MAX_ROWS {
        let _ = writeln!(text, "\nAnd {} more, which the report lists.", moved.len() - MAX_ROWS);
    }
}

fn is_moved(row: &Row<'_>) -> bool {
    matches!(row.result.change, Change::Better | Change::Worse)
}

fn title(row: &Row<'_>) -> String {
    escaped(row.record.map_or(&row.result.metric, |record| &record.title))
}

/// New less old, and the same in percent of the old value.
fn difference(before: Option<f64>, now: Option<f64>) -> String {
    let (Some(before), Some(now)) = (before, now) else { return MISSING.to_owned() };
    let signed = |value: f64, number: String| if value > 0.0 { format!("+{number}") } else { number };
    let difference = now - before;
    let mut words = signed(difference, shown(Some(difference)));
    if before != 0.0 {
        let percent = difference / before.abs() * 100.0;
        let number = fixed(percent, 1);
        // A change below what is shown has no direction.
        let percent = if number == "0.0" { number } else { signed(percent, number) };
        let _ = write!(words, " ({percent} %)");
    }
    words
}

/// The size of a relative change.
fn bar(relative_gain: f64) -> String {
    let blocks = (relative_gain.abs() * 50.0).ceil().min(BAR_BLOCKS) as usize;
    let arrow = if relative_gain < 0.0 { '▼' } else { '▲' };
    format!("{arrow}{}", "▇".repeat(blocks))
}

#[cfg(test)]
mod tests {
    use crate::{Tolerances, compare, example};
    use metrics::Better;

    #[test]
    fn a_change_too_small_to_show_has_no_sign() {
        assert_eq!(super::difference(Some(1000.0), Some(999.9)).rsplit_once('(').unwrap().1, "0.0 %)");
        assert_eq!(super::difference(Some(1000.0), Some(1000.1)).rsplit_once('(').unwrap().1, "0.0 %)");
        assert!(super::difference(Some(10.0), Some(9.0)).ends_with("(-10.0 %)"));
    }

    fn comment(now: &[Option<f64>], before: &[Option<f64>]) -> String {
        let mut report = example::one_metric(Better::Lower, Some(0.0), now);
        let baseline = example::one_metric(Better::Lower, Some(0.0), before);
        report.baseline = Some(compare(&report, &baseline, &Tolerances::default()).unwrap());
        crate::render(&report, crate::Format::Md).unwrap()
    }

    #[test]
    fn one_case_has_a_line_per_value_that_moved() {
        let text = comment(&[Some(110.0)], &[Some(100.0)]);
        assert!(text.starts_with(
            "### mapjudge: worse\n\nAgainst the baseline: **1 worse**, 0 better, 0 the same.\n"
        ));
        let row = "| **worse** | map0 | Overall error | 100 cells | 110 cells | +10 (+10.0 %) | ▼▇▇▇▇▇ |";
        assert!(text.contains(row), "{text}");
        assert!(!text.contains("(median)"), "{text}");
    }

    #[test]
    fn several_cases_have_a_line_per_metric_with_the_changes_as_a_figure() {
        let text = comment(&[Some(90.0), Some(100.0), Some(50.0)], &[Some(100.0), Some(100.0), Some(100.0)]);
        assert!(text.starts_with("### mapjudge: better"), "{text}");
        let row = "| Overall error (cells) | 100 | 90 | -10 (-10.0 %) | 0 | 2 | 1 | `▁▁▁▁██▁▁█` |";
        assert!(text.contains(row), "{text}");
        assert!(text.find("-50 (-50.0 %)").unwrap() > text.find("| better | map0").unwrap(), "{text}");
    }

    #[test]
    fn a_lost_value_comes_first_and_nothing_moved_is_said() {
        let text = comment(&[Some(200.0), None], &[Some(100.0), Some(100.0)]);
        let lost = text.find("| **worse** | map1 | Overall error | 100 cells | - | - |").expect(&text);
        assert!(lost < text.find("| **worse** | map0").unwrap(), "{text}");
        let text = comment(&[Some(1.0)], &[Some(1.0)]);
        assert!(text.starts_with("### mapjudge: nothing moved"), "{text}");
    }

    #[test]
    fn five_hundred_cases_fit_into_a_comment() {
        let now: Vec<_> = (0..500).map(|i| Some(f64::from(i) + 2.0)).collect();
        let before: Vec<_> = (0..500).map(|i| Some(f64::from(i) + 1.0)).collect();
        let text = comment(&now, &before);
        assert!(text.len() < 20_000, "{} bytes", text.len());
        assert!(text.contains("And 460 more, which the report lists."), "{text}");
    }
}

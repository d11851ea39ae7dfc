//! The report as GitHub Markdown: a table to paste into a pull request.

use std::fmt::Write;

use crate::comparison::{Comparison, Slot};
use crate::footer::{basis_words, tie_words};
use crate::number::{MISSING, percent, shown, shown_with_unit};
use crate::printable::printable;
use crate::{CaseReport, Change, Report, Status};

/// The report as GitHub Markdown.
pub(crate) fn markdown(report: &Report) -> String {
    let comparison = Comparison::of(report);
    let mut text = match report.cases.as_slice() {
        [] => return "Nothing was judged.\n".to_owned(),
        [case] => one_case(case, &comparison),
        _ => several_cases(&comparison),
    };
    ranking_table(&mut text, report);
    limit_table(&mut text, report);
    baseline_table(&mut text, report);
    let reasons = comparison.reasons();
    if !reasons.is_empty() {
        text.push('\n');
    }
    for reason in reasons {
        let _ = writeln!(text, "- `{}`: {}", reason.code(), escaped(reason.meaning()));
    }
    text
}

fn one_case(case: &CaseReport, comparison: &Comparison) -> String {
    let mut text = format!("**{}**, coverage {}\n\n", escaped(&case.name), coverage_of(case));
    text.push_str("| metric | value | better | best | status |\n|---|---:|---|---:|---|\n");
    for row in &comparison.rows {
        let record = row.facts;
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} |",
            escaped(&record.title),
            shown_with_unit(record.value, record.unit),
            record.better.name(),
            shown(record.best),
            status_words(record.status, &record.reasons)
        );
    }
    text
}

fn several_cases(comparison: &Comparison) -> String {
    let mut text = String::from("| metric | unit | better |");
    for case in comparison.cases {
        let _ = write!(text, " {} |", escaped(&case.name));
    }
    let _ = writeln!(text, "\n|---|---|---|{}", "---:|".repeat(comparison.cases.len()));
    if comparison.needs_coverage_row() {
        let coverages: Vec<_> = comparison.cases.iter().map(coverage_of).collect();
        let _ = writeln!(text, "| Coverage | | higher | {} |", coverages.join(" | "));
    }
    for row in &comparison.rows {
        let unit = row.facts.unit.symbol();
        let _ = write!(text, "| {} | {unit} | {} |", escaped(&row.facts.title), row.facts.better.name());
        for slot in &row.slots {
            let _ = write!(text, " {} |", marked(slot));
        }
        text.push('\n');
    }
    if comparison.has_best() {
        text.push_str(
            "\nBold: best value of its metric; equal values are all bold. (!): read the reasons.\n",
        );
    }
    text
}

/// The ranking of several runs.
fn ranking_table(text: &mut String, report: &Report) {
    let Some(comparison) = &report.comparison else { return };
    let _ = write!(text, "\n{}\n\n", escaped(&basis_words(comparison)));
    text.push_str("| rank | run | value | 95 % interval | coverage |\n|---:|---|---:|---:|---:|\n");
    for run in &comparison.ranking {
        let rank = run.rank.map_or_else(|| MISSING.to_owned(), |rank| rank.to_string());
        let value = match &run.reason {
            Some(reason) => format!("not ranked | {}", escaped(reason)),
            None => {
                let value = shown_with_unit(run.value, comparison.unit);
                format!("{value} | {} to {}", shown(run.low), shown(run.high))
            }
        };
        let coverage = run.coverage.map_or_else(|| MISSING.to_owned(), percent);
        let _ = writeln!(text, "| {rank} | {} | {value} | {coverage} |", escaped(&run.name));
    }
    for words in tie_words(comparison) {
        let _ = write!(text, "\n{}\n", escaped(&words));
    }
}

fn limit_table(text: &mut String, report: &Report) {
    if report.limits.is_empty() {
        return;
    }
    text.push_str("\n| limit | case | rule | value |\n|---|---|---|---:|\n");
    for limit in &report.limits {
        let word = if limit.held { "held" } else { "**missed**" };
        let rule = escaped(&format!("{} {}", limit.metric, limit.rule));
        let _ = writeln!(text, "| {word} | {} | {rule} | {} |", escaped(&limit.case), shown(limit.value));
    }
}

/// What moved against the baseline; one line if nothing did.
fn baseline_table(text: &mut String, report: &Report) {
    let Some(rows) = &report.baseline else { return };
    let moved: Vec<_> =
        rows.iter().filter(|row| matches!(row.change, Change::Better | Change::Worse)).collect();
    if moved.is_empty() {
        text.push_str("\nNothing moved against the baseline.\n");
        return;
    }
    text.push_str("\n| change | case | metric | before | now |\n|---|---|---|---:|---:|\n");
    for row in moved {
        let word = if row.change == Change::Worse { "**worse**" } else { "better" };
        let (case, metric) = (escaped(&row.case), escaped(&row.metric));
        let _ = writeln!(text, "| {word} | {case} | {metric} | {} | {} |", shown(row.before), shown(row.now));
    }
}

fn marked(slot: &Slot) -> String {
    let Some(record) = slot.record else { return MISSING.to_owned() };
    let number = shown(record.value);
    let number = if slot.is_best { format!("**{number}**") } else { number };
    if record.status == Status::Warning { format!("{number} (!)") } else { number }
}

fn status_words(status: Status, reasons: &[metrics::Reason]) -> String {
    let codes: Vec<_> = reasons.iter().map(|reason| format!("`{}`", reason.code())).collect();
    match status {
        Status::Ok => "ok".to_owned(),
        Status::Warning => format!("warning: {}", codes.join(", ")),
        Status::Undefined => format!("undefined: {}", codes.join(", ")),
    }
}

fn coverage_of(case: &CaseReport) -> String {
    case.coverage().map_or_else(|| MISSING.to_owned(), percent)
}

/// Every ASCII character that can mean something in Markdown gets a backslash; those that could open HTML
/// become entities, because GitHub passes some tags through.
pub(crate) fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in printable(text).chars() {
        match c {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '\\' | '`' | '*' | '_' | '{' | '}' | '[' | ']' | '|' | '#' | '~' | '$' | '!' => {
                out.push('\\');
                out.push(c);
            }
            // A file name such as @someone must not call that person.
            '@' => out.push_str("&#64;"),
            _ => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example;
    use crate::golden::assert_golden;

    #[test]
    fn one_case_is_a_list_of_metrics() {
        assert_golden("one_case.md", &markdown(&example::one_case()));
    }

    #[test]
    fn several_cases_stand_side_by_side() {
        assert_golden("two_cases.md", &markdown(&example::two_cases()));
    }

    #[test]
    fn only_what_moved_against_the_baseline_is_listed() {
        let mut report = example::one_case();
        let row = |metric: &str, change| crate::BaselineResult {
            case: "office".into(),
            metric: metric.into(),
            before: Some(1.0),
            now: Some(2.0),
            change,
        };
        report.baseline = Some(vec![row("m", Change::Worse), row("n", Change::Same)]);
        let text = markdown(&report);
        assert!(text.contains("| **worse** | office | m | 1 | 2 |") && !text.contains("| n |"));
        report.baseline = Some(vec![row("n", Change::Same)]);
        assert!(markdown(&report).contains("Nothing moved against the baseline."));
    }

    #[test]
    fn a_pipe_does_not_open_a_column_and_a_tag_no_element() {
        assert_eq!(escaped("a|b<c>&*@x_y"), r"a\|b&lt;c&gt;&amp;\*&#64;x\_y");
        let text = markdown(&example::hostile());
        assert!(!text.contains("<b>"));
        let columns = |line: &str| line.replace(r"\|", "").matches('|').count();
        let table: Vec<_> = text.lines().take_while(|line| line.starts_with('|')).collect();
        assert!(table.iter().all(|line| columns(line) == columns(table[1])), "{text}");
    }

    #[test]
    fn the_empty_report_says_so() {
        assert_eq!(markdown(&example::report(Vec::new())), "Nothing was judged.\n");
    }
}

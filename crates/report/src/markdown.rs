//! The report as GitHub Markdown: a table to paste into a pull request, or with a baseline what changed.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::change_comment::change_comment;
use crate::comparison::{Comparison, Slot};
use crate::footer::{basis_words, not_judged_words, tie_words};
use crate::natural_order::in_natural_order;
use crate::number::{ColumnDigits, MISSING, percent, shown};
use crate::printable::printable;
use crate::table_style::{StyledColumn, TableStyle, short_title};
use crate::{CaseReport, LimitResult, Report, Status};

/// With more cases than this, cases become rows.
const MAX_CASES_AS_COLUMNS: usize = 6;
/// Metrics side by side when cases are rows.
const METRICS_PER_BLOCK: usize = 8;
/// Limits that are listed; a comment has no room for thousands.
const MAX_LIMITS: usize = 200;

/// The report as GitHub Markdown.
pub(crate) fn markdown(report: &Report, style: TableStyle) -> String {
    if let Some(rows) = report.baseline.as_ref().filter(|_| !report.cases.is_empty()) {
        return change_comment(report, rows);
    }
    let comparison = Comparison::of(report);
    let is_wide = report.cases.len() > MAX_CASES_AS_COLUMNS;
    let mut text = match report.cases.as_slice() {
        [] => return "Nothing was judged.\n".to_owned(),
        [case] => one_case(case, &comparison, style),
        _ if is_wide != style.is_transposed => cases_as_rows(&comparison, style),
        _ => several_cases(&comparison, style),
    };
    not_judged_list(&mut text, report);
    ranking_table(&mut text, report);
    limit_table(&mut text, report);
    let reasons = comparison.reasons();
    if !reasons.is_empty() {
        text.push('\n');
    }
    for reason in reasons {
        let _ = writeln!(text, "- `{}`: {}", reason.code(), escaped(reason.meaning()));
    }
    text
}

fn one_case(case: &CaseReport, comparison: &Comparison, style: TableStyle) -> String {
    let mut text = format!("**{}**, coverage {}\n\n", escaped(&case.name), coverage_of(case));
    text.push_str("| metric | value | better | best | status |\n|---|---:|---|---:|---|\n");
    for row in &comparison.rows {
        let record = row.facts;
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} |",
            escaped(&record.title),
            record.with_share(with_unit(style, record.value, record.unit)),
            record.better.name(),
            shown(record.best),
            status_words(record.status, &record.reasons)
        );
    }
    text
}

fn several_cases(comparison: &Comparison, style: TableStyle) -> String {
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
        let unit = style.symbol(row.facts.unit);
        let _ = write!(text, "| {} | {unit} | {} |", escaped(&row.facts.title), row.facts.better.name());
        let column = style.column_of(row);
        for slot in &row.slots {
            let _ = write!(text, " {} |", marked(slot, column));
        }
        text.push('\n');
    }
    legend(&mut text, comparison);
    text
}

fn legend(text: &mut String, comparison: &Comparison) {
    if comparison.has_best() {
        text.push_str(
            "\nBold: best value of its metric; equal values are all bold. (!): read the reasons.\n",
        );
    }
}

/// Cases below each other in natural order, metrics as columns in blocks: hundreds of columns are no table.
fn cases_as_rows(comparison: &Comparison, style: TableStyle) -> String {
    let has_coverage = comparison.needs_coverage_row();
    let head = if has_coverage { "| case | coverage |" } else { "| case |" };
    let mut text = String::new();
    let order = in_natural_order(comparison.cases);
    for (block, rows) in comparison.rows.chunks(METRICS_PER_BLOCK).enumerate() {
        let _ = write!(text, "{}{head}", if block == 0 { "" } else { "\n" });
        for row in rows {
            let title = escaped(&short_title(&row.facts.id, &row.facts.title));
            let unit = style.symbol(row.facts.unit);
            let unit = if unit.is_empty() { String::new() } else { format!(" in {unit}") };
            let _ = write!(text, " {title}{unit}, {} |", row.facts.better.name());
        }
        let _ = writeln!(text, "\n|---|{}", "---:|".repeat(rows.len() + usize::from(has_coverage)));
        let columns: Vec<StyledColumn> = rows.iter().map(|row| style.column_of(row)).collect();
        for &index in &order {
            let case = &comparison.cases[index];
            let coverage = has_coverage.then(|| coverage_of(case));
            let slots = rows.iter().zip(&columns).map(|(row, column)| marked(&row.slots[index], *column));
            let values: Vec<String> = coverage.into_iter().chain(slots).collect();
            let _ = writeln!(text, "| {} | {} |", escaped(&case.name), values.join(" | "));
        }
    }
    legend(&mut text, comparison);
    text
}

fn with_unit(style: TableStyle, value: Option<f64>, unit: metrics::Unit) -> String {
    let (number, symbol) = (style.column(unit, [value]).number(value), style.symbol(unit));
    if number == MISSING || symbol.is_empty() { number } else { format!("{number} {symbol}") }
}

/// The cases that could not be judged, each with its reason.
fn not_judged_list(text: &mut String, report: &Report) {
    let Some(words) = not_judged_words(&report.cases) else { return };
    let _ = writeln!(text, "\n**{}**\n", escaped(&words));
    for case in &report.cases {
        let Some(failure) = case.failure() else { continue };
        let (name, code) = (escaped(&case.name), failure.code.replace('`', ""));
        let _ = writeln!(text, "- {name}: `{code}` {}", escaped(&failure.message));
    }
}

/// The ranking of several runs.
fn ranking_table(text: &mut String, report: &Report) {
    let Some(comparison) = &report.comparison else { return };
    let _ = write!(text, "\n{}\n\n", escaped(&basis_words(comparison)));
    text.push_str("| rank | run | value | 95 % interval | coverage |\n|---:|---|---:|---:|---:|\n");
    let digits = comparison.digits();
    for run in &comparison.ranking {
        let rank = run.rank.map_or_else(|| MISSING.to_owned(), |rank| rank.to_string());
        let value = match &run.reason {
            Some(reason) => format!("not ranked | {}", escaped(reason)),
            None => {
                let value = digits.shown_with_unit(run.value, comparison.unit);
                format!("{value} | {} to {}", digits.shown(run.low), digits.shown(run.high))
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
    limit_rows(text, &report.limits.iter().collect::<Vec<_>>());
}

/// A table of limits; nothing without one.
pub(crate) fn limit_rows(text: &mut String, limits: &[&LimitResult]) {
    if limits.is_empty() {
        return;
    }
    text.push_str("\n| limit | case | rule | value |\n|---|---|---|---:|\n");
    let mut digits: BTreeMap<&str, ColumnDigits> = BTreeMap::new();
    for limit in limits.iter().take(MAX_LIMITS) {
        let digits = digits.entry(&limit.metric).or_insert_with(|| {
            let same = limits.iter().filter(|other| other.metric == limit.metric);
            ColumnDigits::of(same.map(|other| other.value))
        });
        let word = if limit.held { "held" } else { "**missed**" };
        let rule = escaped(&format!("{} {}", limit.metric, limit.rule));
        let _ =
            writeln!(text, "| {word} | {} | {rule} | {} |", escaped(&limit.case), digits.shown(limit.value));
    }
    if limits.len() > MAX_LIMITS {
        let _ = writeln!(text, "\nAnd {} more limits, which the report lists.", limits.len() - MAX_LIMITS);
    }
}

fn marked(slot: &Slot, column: StyledColumn) -> String {
    let Some(record) = slot.record else { return MISSING.to_owned() };
    let number = column.number(record.value);
    let number = if slot.is_best { format!("**{number}**") } else { number };
    let number = record.with_share(number);
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
        assert_golden("one_case.md", &markdown(&example::one_case(), TableStyle::default()));
    }

    #[test]
    fn several_cases_stand_side_by_side() {
        assert_golden("two_cases.md", &markdown(&example::two_cases(), TableStyle::default()));
    }

    #[test]
    fn many_cases_are_rows_in_natural_order() {
        let text = markdown(
            &example::one_metric(metrics::Better::Lower, None, &[Some(1.0); 12]),
            TableStyle::default(),
        );
        assert!(
            text.starts_with(
                "| case | coverage | Overall error in cells, lower |\n|---|---:|---:|\n| map0 |"
            ),
            "{text}"
        );
        assert!(text.find("| map9 |").unwrap() < text.find("| map10 |").unwrap());
    }

    #[test]
    fn a_case_that_could_not_be_judged_is_listed() {
        let text = markdown(&example::with_failure(), TableStyle::default());
        assert!(text.contains("**1 of 3 cases could not be judged: broken**"), "{text}");
        assert!(text.contains("- broken: `MALFORMED` broken.png: expected a PNG"), "{text}");
    }

    #[test]
    fn a_pipe_does_not_open_a_column_and_a_tag_no_element() {
        assert_eq!(escaped("a|b<c>&*@x_y"), r"a\|b&lt;c&gt;&amp;\*&#64;x\_y");
        let text = markdown(&example::hostile(), TableStyle::default());
        assert!(!text.contains("<b>"));
        let columns = |line: &str| line.replace(r"\|", "").matches('|').count();
        let table: Vec<_> = text.lines().take_while(|line| line.starts_with('|')).collect();
        assert!(table.iter().all(|line| columns(line) == columns(table[1])), "{text}");
    }

    #[test]
    fn the_empty_report_says_so() {
        assert_eq!(markdown(&example::report(Vec::new()), TableStyle::default()), "Nothing was judged.\n");
    }
}

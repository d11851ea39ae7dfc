//! The report as a table for the terminal, readable without colour and without wrapping by the renderer.

use comfy_table::{CellAlignment, ContentArrangement, LineStyle, Table, TableStyle};

use crate::comparison::{Comparison, Row, Slot};
use crate::footer::footer;
use crate::number::{MISSING, percent, shown};
use crate::printable::printable;
use crate::{CaseReport, Report, Status};

/// With more cases than this, cases become rows.
const MOST_CASES_AS_COLUMNS: usize = 6;
/// Longer names of cases are broken over several lines.
const NAME_LETTERS: usize = 18;
/// Metrics side by side when cases are rows.
const METRICS_PER_BLOCK: usize = 6;

/// The report as a table for the terminal.
pub(crate) fn table(report: &Report) -> String {
    let comparison = Comparison::of(report);
    let body = match report.cases.len() {
        0 => return "nothing was judged\n".to_owned(),
        1 => one_case(&comparison),
        2..=MOST_CASES_AS_COLUMNS => cases_as_columns(&comparison),
        _ => cases_as_rows(&comparison),
    };
    let text = format!("{body}\n\n{}", footer(report, &comparison));
    let mut text: String = text.lines().map(|line| format!("{}\n", line.trim_end())).collect();
    if text.ends_with("\n\n") {
        text.pop();
    }
    text
}

fn one_case(comparison: &Comparison) -> String {
    let mut table = empty_table();
    table.set_header(["family", "metric", "value", "unit", "better", "best", "status"]);
    let mut family = "";
    for row in &comparison.rows {
        let record = row.facts;
        table.add_row([
            first_of(&mut family, row.family),
            printable(&record.title),
            shown(record.value),
            record.unit.symbol().to_owned(),
            record.better.name().to_owned(),
            shown(record.best),
            status_words(row),
        ]);
    }
    align_right(&mut table, &[2, 5]);
    table.to_string()
}

fn cases_as_columns(comparison: &Comparison) -> String {
    let mut table = empty_table();
    let names = comparison.cases.iter().map(|case| in_lines(&printable(&case.name)));
    let header = ["family", "metric", "unit", "better"].map(str::to_owned).into_iter();
    table.set_header(header.chain(names));
    if comparison.needs_coverage_row() {
        let coverages = comparison.cases.iter().map(coverage_of);
        let facts = ["", "Coverage", "", "higher"].map(str::to_owned).into_iter();
        table.add_row(facts.chain(coverages));
    }
    let mut family = "";
    for row in &comparison.rows {
        let facts = [
            first_of(&mut family, row.family),
            printable(&row.facts.title),
            row.facts.unit.symbol().to_owned(),
            row.facts.better.name().to_owned(),
        ];
        table.add_row(facts.into_iter().chain(row.slots.iter().map(marked)));
    }
    let values: Vec<usize> = (4..4 + comparison.cases.len()).collect();
    align_right(&mut table, &values);
    table.to_string()
}

fn cases_as_rows(comparison: &Comparison) -> String {
    let mut blocks = Vec::new();
    for rows in comparison.rows.chunks(METRICS_PER_BLOCK) {
        let mut table = empty_table();
        let title = |row: &Row| {
            let title = printable(&row.facts.title).replace(' ', "\n");
            format!("{title}\n({})", row.facts.better.name())
        };
        let fixed = ["case", "coverage"].map(str::to_owned).into_iter();
        table.set_header(fixed.chain(rows.iter().map(title)));
        for (index, case) in comparison.cases.iter().enumerate() {
            let values = rows.iter().map(|row| marked(&row.slots[index]));
            table.add_row([printable(&case.name), coverage_of(case)].into_iter().chain(values));
        }
        let values: Vec<usize> = (1..2 + rows.len()).collect();
        align_right(&mut table, &values);
        blocks.push(table.to_string());
    }
    blocks.join("\n\n")
}

pub(crate) fn empty_table() -> Table {
    let mut table = Table::new();
    let rule = LineStyle::none().fill('─').junction('─');
    table.load_style(TableStyle::new().header_separator(rule).bottom_border(rule));
    // The width of the terminal must not change the bytes.
    table.set_content_arrangement(ContentArrangement::Disabled);
    table
}

pub(crate) fn align_right(table: &mut Table, columns: &[usize]) {
    for &column in columns {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
}

/// The family's name in its first row, nothing below.
fn first_of(last: &mut &'static str, family: &'static str) -> String {
    if *last == family {
        return String::new();
    }
    *last = family;
    family.to_owned()
}

fn status_words(row: &Row) -> String {
    let codes: Vec<_> = row.facts.reasons.iter().map(|reason| reason.code()).collect();
    match row.facts.status {
        Status::Ok => "ok".to_owned(),
        Status::Warning => format!("warning: {}", codes.join(", ")),
        Status::Undefined => format!("undefined: {}", codes.join(", ")),
    }
}

/// A value with its marks: `!` read the reasons, `*` the best. Both keep their place, so digits line up.
fn marked(slot: &Slot) -> String {
    let Some(record) = slot.record else { return format!("{MISSING}  ") };
    let warning = if record.status == Status::Warning { '!' } else { ' ' };
    let best = if slot.is_best { '*' } else { ' ' };
    format!("{}{warning}{best}", shown(record.value))
}

/// A long name over several lines, broken behind a space, `_` or `-` where there is one.
fn in_lines(name: &str) -> String {
    let mut lines = vec![String::new()];
    for word in name.split_inclusive([' ', '_', '-']) {
        for letters in word.chars().collect::<Vec<_>>().chunks(NAME_LETTERS) {
            let room = NAME_LETTERS - lines.last().map_or(0, |line| line.chars().count());
            if letters.len() > room {
                lines.push(String::new());
            }
            if let Some(line) = lines.last_mut() {
                line.extend(letters);
            }
        }
    }
    let lines: Vec<_> = lines.iter().map(|line| line.trim_end()).filter(|line| !line.is_empty()).collect();
    lines.join("\n")
}

fn coverage_of(case: &CaseReport) -> String {
    format!("{}  ", case.coverage().map_or_else(|| MISSING.to_owned(), percent))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example;
    use crate::golden::assert_golden;

    #[test]
    fn one_case_is_a_list_of_metrics() {
        assert_golden("one_case.txt", &table(&example::one_case()));
    }

    #[test]
    fn several_cases_stand_side_by_side_with_the_best_marked() {
        assert_golden("two_cases.txt", &table(&example::two_cases()));
    }

    #[test]
    fn many_cases_are_rows() {
        let values: Vec<_> = (0..8).map(|i| Some(f64::from(i % 4) + 1.0)).collect();
        let text = table(&example::one_metric(metrics::Better::Lower, Some(0.0), &values));
        let row = |name: &str| text.lines().find(|line| line.trim_start().starts_with(name)).unwrap();
        assert!(row("map0").ends_with("1 *") && row("map4").ends_with("1 *"));
        assert!(row("map1").ends_with('2'));
    }

    #[test]
    fn long_names_are_broken_but_never_cut() {
        assert_eq!(in_lines("office shifted by two cells"), "office shifted by\ntwo cells");
        assert_eq!(in_lines(&"x".repeat(40)), format!("{0}\n{0}\nxxxx", "x".repeat(18)));
        assert_eq!(in_lines("short"), "short");
    }

    #[test]
    fn the_empty_report_says_so() {
        assert_eq!(table(&example::report(Vec::new())), "nothing was judged\n");
    }

    #[test]
    fn a_name_cannot_steer_the_terminal() {
        let report = example::report(vec![example::case("a\u{1b}[2Jb\n", vec![])]);
        assert!(!table(&report).contains('\u{1b}'));
    }
}

//! The report as a table for the terminal, readable without colour; it fits a screen whose width is known.

use std::ops::Range;

use crate::comparison::{Comparison, Row, Slot};
use crate::error_statistics::statistics_table;
use crate::footer::footer;
use crate::natural_order::in_natural_order;
use crate::number::{ColumnDigits, MISSING, percent, shown};
use crate::printable::printable;
use crate::text_table::{Column, Screen, TextTable, Tone, plain};
use crate::{CaseReport, Report, Status};

/// With more cases than this, cases become rows.
const MAX_CASES_AS_COLUMNS: usize = 6;
/// Longer names of cases are broken over several lines.
const NAME_LETTERS: usize = 18;
/// Metrics side by side when cases are rows.
const METRICS_PER_BLOCK: usize = 6;

/// The report as a table for the terminal.
pub(crate) fn table(report: &Report) -> String {
    table_on(report, Screen::default())
}

/// The report as a table for a screen: columns that do not fit are dropped, then cases and metrics stand in blocks.
#[must_use]
pub fn table_on(report: &Report, screen: Screen) -> String {
    let comparison = Comparison::of(report);
    let body = match report.cases.len() {
        0 => return "nothing was judged\n".to_owned(),
        1 => one_case(&comparison, screen),
        cases @ 2..=MAX_CASES_AS_COLUMNS => cases_as_columns(&comparison, 0..cases, screen),
        _ => cases_as_rows(&comparison, METRICS_PER_BLOCK, screen),
    };
    let statistics = statistics_table(report, screen);
    let gap = if statistics.is_empty() { "" } else { "\n" };
    let text = format!("{body}\n{gap}{statistics}\n{}", footer(report, &comparison));
    let mut text: String = text.lines().map(|line| format!("{}\n", line.trim_end())).collect();
    if text.ends_with("\n\n") {
        text.pop();
    }
    text
}

fn one_case(comparison: &Comparison, screen: Screen) -> String {
    let mut sheet = TextTable::new(vec![
        Column::left("family", 4),
        Column::left("id", 0),
        Column::left("metric", 1),
        Column::right("value", 0),
        Column::left("unit", 0),
        Column::left("better", 2),
        Column::right("best", 3),
        Column::left("status", 0),
    ]);
    let mut family = "";
    for row in &comparison.rows {
        let record = row.facts;
        let status = (status_words(row), tone(record.status));
        let facts = [
            first_of(&mut family, row.family),
            printable(&record.id),
            printable(&record.title),
            record.with_share(shown(record.value)),
            record.unit.symbol().to_owned(),
            record.better.name().to_owned(),
            shown(record.best),
        ];
        sheet.row(facts.map(plain).into_iter().chain([status]));
    }
    sheet.shown_on(screen)
}

fn cases_as_columns(comparison: &Comparison, cases: Range<usize>, screen: Screen) -> String {
    let shown_cases = &comparison.cases[cases.clone()];
    let names = shown_cases.iter().map(|case| Column::right(in_lines(&printable(&case.name)), 0));
    let facts = [
        Column::left("family", 3),
        Column::left("id", 0),
        Column::left("metric", 1),
        Column::left("unit", 0),
        Column::left("better", 2),
    ];
    let mut sheet = TextTable::new(facts.into_iter().chain(names).collect());
    if comparison.needs_coverage_row() {
        let coverages = shown_cases.iter().map(coverage_of);
        let facts = ["", "", "Coverage", "", "higher"].map(str::to_owned).into_iter();
        sheet.row(facts.chain(coverages).map(plain));
    }
    let mut family = "";
    for row in &comparison.rows {
        let facts = [
            first_of(&mut family, row.family),
            printable(&row.facts.id),
            printable(&row.facts.title),
            row.facts.unit.symbol().to_owned(),
            row.facts.better.name().to_owned(),
        ];
        let digits = row.digits();
        let values = row.slots[cases.clone()].iter().map(|slot| marked(slot, digits));
        sheet.row(facts.map(plain).into_iter().chain(values));
    }
    let middle = cases.start + cases.len() / 2;
    match sheet.unwrapped(screen) {
        Some(text) => text,
        None if cases.len() < 2 => sheet.shown_on(screen),
        None => {
            let halves = [cases.start..middle, middle..cases.end];
            halves.map(|half| cases_as_columns(comparison, half, screen)).join("\n\n")
        }
    }
}

/// Blocks of so many metrics side by side; fewer where the screen has no room for as many.
fn cases_as_rows(comparison: &Comparison, per_block: usize, screen: Screen) -> String {
    let mut blocks = Vec::new();
    for rows in comparison.rows.chunks(per_block) {
        let digits: Vec<ColumnDigits> = rows.iter().map(Row::digits).collect();
        let title = |row: &Row| {
            Column::right(format!("{}\n({})", printable(&row.facts.id), row.facts.better.name()), 0)
        };
        let fixed = [Column::left("case", 0), Column::right("coverage", 1)].into_iter();
        let mut sheet = TextTable::new(fixed.chain(rows.iter().map(title)).collect());
        for index in in_natural_order(comparison.cases) {
            let case = &comparison.cases[index];
            let values = rows.iter().zip(&digits).map(|(row, digits)| marked(&row.slots[index], *digits));
            sheet.row([printable(&case.name), coverage_of(case)].map(plain).into_iter().chain(values));
        }
        match sheet.unwrapped(screen) {
            Some(text) => blocks.push(text),
            None if per_block > 1 => return cases_as_rows(comparison, per_block - 1, screen),
            None => blocks.push(sheet.shown_on(screen)),
        }
    }
    blocks.join("\n\n")
}

const fn tone(status: Status) -> Tone {
    match status {
        Status::Ok => Tone::Plain,
        Status::Warning => Tone::Doubtful,
        Status::Undefined => Tone::Missed,
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
fn marked(slot: &Slot, digits: ColumnDigits) -> (String, Tone) {
    let Some(record) = slot.record else { return plain(format!("{MISSING}  ")) };
    let warning = if record.status == Status::Warning { '!' } else { ' ' };
    let best = if slot.is_best { '*' } else { ' ' };
    let tone = if slot.is_best { Tone::Best } else { tone(record.status) };
    (format!("{}{warning}{best}", record.with_share(digits.shown(record.value))), tone)
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
    fn tables_fit_the_screen_and_show_ids() {
        let narrow = |report: &Report, columns| {
            table_on(report, Screen { columns: Some(columns), is_coloured: false })
        };
        let values: Vec<_> = (0..8).map(|i| Some(f64::from(i) / 7.0)).collect();
        let many = example::one_metric(metrics::Better::Lower, Some(0.0), &values);
        for report in [example::one_case(), example::two_cases(), many] {
            for columns in [60, 80, 120] {
                let text = narrow(&report, columns);
                let rules = text.lines().filter(|line| line.starts_with('─'));
                assert!(rules.clone().count() >= 2);
                assert!(rules.into_iter().all(|line| line.chars().count() <= columns), "{columns}\n{text}");
                let id = &report.cases[0].metrics[0].id;
                assert!(text.contains(id.as_str()), "{text}");
            }
        }
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
    fn of_many_cases_map2_stands_before_map10() {
        let text = table(&example::one_metric(metrics::Better::Lower, None, &[Some(1.0); 12]));
        let at = |name: &str| text.find(name).unwrap();
        assert!(at("map2 ") < at("map10 ") && at("map9 ") < at("map10 "), "{text}");
    }

    #[test]
    fn a_case_that_could_not_be_judged_is_said_with_its_reason() {
        let text = table(&example::with_failure());
        assert!(text.contains("ERROR      1 of 3 cases could not be judged: broken"), "{text}");
        assert!(text.contains("finding    broken: error MALFORMED: broken.png: expected a PNG"), "{text}");
        assert!(!text.contains("nothing was aligned"), "{text}");
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

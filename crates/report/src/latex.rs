//! The report as a LaTeX table for a paper. Needs `\usepackage{booktabs}`; the best value is bold.

use std::fmt::Write;

use metrics::{Better, Unit};

use crate::comparison::{Comparison, Slot};
use crate::footer::basis_words;
use crate::number::{MISSING, shown};
use crate::printable::printable;
use crate::{CaseReport, Report, Status};

/// The report as a LaTeX `tabular`.
pub(crate) fn latex(report: &Report) -> String {
    let comparison = Comparison::of(report);
    let cases = comparison.cases.len();
    let mut text =
        format!("% needs \\usepackage{{booktabs}}\n\\begin{{tabular}}{{ll{}}}\n", "r".repeat(cases));
    text.push_str("\\toprule\nMetric & Unit");
    for case in comparison.cases {
        let _ = write!(text, " & {}", escaped(&case.name));
    }
    text.push_str(" \\\\\n\\midrule\n");
    if comparison.needs_coverage_row() {
        let coverages: Vec<_> = comparison.cases.iter().map(coverage_percent).collect();
        let _ = writeln!(text, "Coverage~$\\uparrow$ & \\% & {} \\\\", coverages.join(" & "));
    }
    let mut family = None;
    for row in &comparison.rows {
        if family.is_some_and(|family| family != row.family) {
            text.push_str("\\addlinespace\n");
        }
        family = Some(row.family);
        let _ = write!(
            text,
            "{}~{} & {}",
            escaped(&row.facts.title),
            arrow(row.facts.better),
            unit(row.facts.unit)
        );
        for slot in &row.slots {
            let _ = write!(text, " & {}", cell(slot));
        }
        text.push_str(" \\\\\n");
    }
    text.push_str("\\bottomrule\n\\end{tabular}\n");
    ranking_table(&mut text, report);
    if comparison.has_best() {
        text.push_str("% bold: best value of its metric; $^{!}$: read the reasons in the report\n");
    }
    text
}

/// The ranking of several runs as a second table.
fn ranking_table(text: &mut String, report: &Report) {
    let Some(comparison) = &report.comparison else { return };
    let _ = writeln!(text, "% {}", escaped(&basis_words(comparison)));
    text.push_str(
        "\\begin{tabular}{rlrr}\n\\toprule\nRank & Run & Value & 95\\,\\% interval \\\\\n\\midrule\n",
    );
    for run in &comparison.ranking {
        let rank = run.rank.map_or_else(|| "--".to_owned(), |rank| rank.to_string());
        let number = |value: Option<f64>| mathematical(&shown(value));
        let values = match run.value {
            Some(_) => format!("${}$ & $[{}, {}]$", number(run.value), number(run.low), number(run.high)),
            None => "-- & --".to_owned(),
        };
        let _ = writeln!(text, "{rank} & {} & {values} \\\\", escaped(&run.name));
    }
    text.push_str("\\bottomrule\n\\end{tabular}\n");
}

fn cell(slot: &Slot) -> String {
    let Some(record) = slot.record else { return "--".to_owned() };
    let number = shown(record.value);
    if number == MISSING {
        return "--".to_owned();
    }
    let number = mathematical(&number);
    let number = if slot.is_best { format!("\\mathbf{{{number}}}") } else { number };
    let mark = if record.status == Status::Warning { "^{!}" } else { "" };
    format!("${number}{mark}$")
}

/// `1.2e-7` as LaTeX writes it; other numbers as they are.
pub(crate) fn mathematical(number: &str) -> String {
    match number.split_once('e') {
        Some((mantissa, exponent)) => format!("{mantissa} \\times 10^{{{exponent}}}"),
        None => number.to_owned(),
    }
}

fn coverage_percent(case: &CaseReport) -> String {
    let words = case.coverage().map(crate::number::percent);
    words.map_or_else(|| "--".to_owned(), |words| words.trim_end_matches(" %").to_owned())
}

const fn arrow(better: Better) -> &'static str {
    match better {
        Better::Lower => "$\\downarrow$",
        Better::Higher => "$\\uparrow$",
        Better::Closer => "$\\rightarrow$",
    }
}

const fn unit(unit: Unit) -> &'static str {
    match unit {
        Unit::Cells => "cells",
        Unit::Ratio => "",
        Unit::Metres => "m",
        Unit::SquareMetres => "m$^2$",
        Unit::Degrees => "deg",
        Unit::DegreesPerMetre => "deg/m",
        Unit::Percent => "\\%",
        Unit::Points => "points",
    }
}

/// All ten special characters of LaTeX, and the three that text fonts of the default encoding print as
/// something else.
pub(crate) fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in printable(text).chars() {
        match c {
            '\\' => out.push_str("\\textbackslash{}"),
            '~' => out.push_str("\\textasciitilde{}"),
            '^' => out.push_str("\\textasciicircum{}"),
            '<' => out.push_str("\\textless{}"),
            '>' => out.push_str("\\textgreater{}"),
            '|' => out.push_str("\\textbar{}"),
            '"' => out.push_str("{\\char34}"),
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => {
                out.push('\\');
                out.push(c);
            }
            // A bracket after `\\` would be read as its argument.
            '[' | ']' => {
                out.push('{');
                out.push(c);
                out.push('}');
            }
            '\u{fffd}' => out.push('?'),
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
    fn several_cases_make_a_booktabs_table() {
        assert_golden("two_cases.tex", &latex(&example::two_cases()));
    }

    #[test]
    fn all_special_characters_are_escaped() {
        assert_eq!(escaped("&%$#_{}"), r"\&\%\$\#\_\{\}");
        assert_eq!(escaped("~^\\"), r"\textasciitilde{}\textasciicircum{}\textbackslash{}");
        assert_eq!(escaped("a\nb"), "a?b");
    }

    #[test]
    fn a_hostile_name_opens_no_column() {
        let text = latex(&example::hostile());
        let columns = |line: &str| line.replace(r"\&", "").matches('&').count();
        let rows: Vec<_> = text.lines().filter(|line| line.ends_with(r"\\")).collect();
        assert_eq!(rows.iter().map(|row| columns(row)).collect::<Vec<_>>(), [3, 3, 3], "{text}");
    }

    #[test]
    fn a_warning_is_marked_inside_the_formula() {
        let record = example::harmony(Some(0.5), &[metrics::Reason::MissingColour]);
        assert_eq!(cell(&Slot { record: Some(&record), is_best: true }), "$\\mathbf{0.5}^{!}$");
        assert_eq!(cell(&Slot { record: None, is_best: false }), "--");
    }

    #[test]
    fn exponents_are_powers_of_ten() {
        assert_eq!(mathematical("1.2e-7"), "1.2 \\times 10^{-7}");
        assert_eq!(mathematical("0.5"), "0.5");
    }

    #[test]
    fn the_empty_report_still_compiles() {
        let text = latex(&example::report(Vec::new()));
        assert!(text.contains("\\begin{tabular}{ll}") && text.contains("\\end{tabular}"));
    }
}

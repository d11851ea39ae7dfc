//! The report as a LaTeX table for a paper. Needs `\usepackage{booktabs}`; the best value is bold.
//!
//! Methods are rows and metrics columns, unless there are more metrics than a page has room for. A metric that is
//! undefined for all has no place in a paper; a comment names it.

use std::fmt::Write;

use metrics::Better;

use crate::comparison::{Comparison, Row, Slot};
use crate::footer::{basis_words, not_judged_words};
use crate::number::MISSING;
use crate::printable::printable;
use crate::table_style::{StyledColumn, TableStyle, short_title};
use crate::{CaseReport, Report, Status};

/// More metrics than this become rows.
const MAX_COLUMNS: usize = 10;

/// The report as a LaTeX `tabular`.
pub(crate) fn latex(report: &Report, style: TableStyle) -> String {
    let comparison = Comparison::of(report);
    let is_defined = |row: &&Row<'_>| row.slots.iter().any(|slot| value_of(slot).is_some());
    let (rows, undefined): (Vec<&Row<'_>>, Vec<&Row<'_>>) = comparison.rows.iter().partition(is_defined);
    let mut text = "% needs \\usepackage{booktabs}\n".to_owned();
    if (rows.len() <= MAX_COLUMNS) != style.is_transposed {
        methods_as_rows(&mut text, &comparison, &rows, style);
    } else {
        metrics_as_rows(&mut text, &comparison, &rows, style);
    }
    if !undefined.is_empty() && !comparison.cases.is_empty() {
        let ids: Vec<String> = undefined.iter().map(|row| escaped(&row.facts.id)).collect();
        let _ = writeln!(text, "% left out, undefined for all: {}", ids.join(", "));
    }
    ranking_table(&mut text, report, style);
    if let Some(words) = not_judged_words(&report.cases) {
        let _ = writeln!(text, "% {}", escaped(&words));
    }
    if comparison.has_best() {
        text.push_str("% bold: best value of its metric; $^{!}$: read the reasons in the report\n");
    }
    text
}

fn methods_as_rows(text: &mut String, comparison: &Comparison<'_>, rows: &[&Row<'_>], style: TableStyle) {
    let has_coverage = comparison.needs_coverage_row();
    let columns = rows.len() + usize::from(has_coverage);
    let _ = writeln!(text, "\\begin{{tabular}}{{l{}}}\n\\toprule", "r".repeat(columns));
    let (mut heads, mut units) = ("Method".to_owned(), String::new());
    if has_coverage {
        heads.push_str(" & Coverage~$\\uparrow$");
        units.push_str(" & (\\%)");
    }
    for row in rows {
        let title = escaped(&short_title(&row.facts.id, &row.facts.title));
        let _ = write!(heads, " & {title}~{}", arrow(row.facts.better));
        let unit = unit(style, row);
        let _ = if unit.is_empty() { write!(units, " &") } else { write!(units, " & ({unit})") };
    }
    let _ = writeln!(text, "{heads} \\\\\n{units} \\\\\n\\midrule");
    let columns: Vec<StyledColumn> = rows.iter().map(|row| style.column_of(row)).collect();
    for (index, case) in comparison.cases.iter().enumerate() {
        text.push_str(&escaped(&case.name));
        if has_coverage {
            let _ = write!(text, " & {}", coverage_percent(case));
        }
        for (row, column) in rows.iter().zip(&columns) {
            let _ = write!(text, " & {}", cell(&row.slots[index], *column));
        }
        text.push_str(" \\\\\n");
    }
    text.push_str("\\bottomrule\n\\end{tabular}\n");
}

fn metrics_as_rows(text: &mut String, comparison: &Comparison<'_>, rows: &[&Row<'_>], style: TableStyle) {
    let cases = comparison.cases;
    let _ = write!(text, "\\begin{{tabular}}{{ll{}}}\n\\toprule\nMetric & Unit", "r".repeat(cases.len()));
    for case in cases {
        let _ = write!(text, " & {}", escaped(&case.name));
    }
    text.push_str(" \\\\\n\\midrule\n");
    if comparison.needs_coverage_row() {
        let coverages: Vec<_> = cases.iter().map(coverage_percent).collect();
        let _ = writeln!(text, "Coverage~$\\uparrow$ & \\% & {} \\\\", coverages.join(" & "));
    }
    let mut family = None;
    for row in rows {
        if family.is_some_and(|family| family != row.family) {
            text.push_str("\\addlinespace\n");
        }
        family = Some(row.family);
        let (title, unit) = (escaped(&row.facts.title), unit(style, row));
        let _ = write!(text, "{title}~{} & {unit}", arrow(row.facts.better));
        let column = style.column_of(row);
        for slot in &row.slots {
            let _ = write!(text, " & {}", cell(slot, column));
        }
        text.push_str(" \\\\\n");
    }
    text.push_str("\\bottomrule\n\\end{tabular}\n");
}

/// The ranking of several runs as a second table.
fn ranking_table(text: &mut String, report: &Report, style: TableStyle) {
    let Some(comparison) = &report.comparison else { return };
    let _ = writeln!(text, "% {}", escaped(&basis_words(comparison)));
    let unit = symbol(style.symbol(comparison.unit));
    let _ = writeln!(
        text,
        "\\begin{{tabular}}{{rlrr}}\n\\toprule\nRank & Method & Value ({unit}) & 95\\,\\% interval \\\\\n\\midrule"
    );
    let values = comparison.ranking.iter().flat_map(|run| [run.value, run.low, run.high]);
    let column = style.column(comparison.unit, values);
    for run in &comparison.ranking {
        let rank = run.rank.map_or_else(|| "--".to_owned(), |rank| rank.to_string());
        let number = |value: Option<f64>| mathematical(&column.number(value));
        let values = match run.value {
            Some(_) => format!("${}$ & $[{}, {}]$", number(run.value), number(run.low), number(run.high)),
            None => "-- & --".to_owned(),
        };
        let _ = writeln!(text, "{rank} & {} & {values} \\\\", escaped(&run.name));
    }
    text.push_str("\\bottomrule\n\\end{tabular}\n");
}

fn value_of(slot: &Slot<'_>) -> Option<f64> {
    slot.value().filter(|value| value.is_finite())
}

fn cell(slot: &Slot<'_>, column: StyledColumn) -> String {
    let Some(record) = slot.record else { return "--".to_owned() };
    let number = column.number(record.value);
    if number == MISSING {
        return "--".to_owned();
    }
    let number = mathematical(&number);
    let number = if slot.is_best { format!("\\mathbf{{{number}}}") } else { number };
    let mark = if record.status == Status::Warning { "^{!}" } else { "" };
    record.with_share(format!("${number}{mark}$")).replace(" %", "\\,\\%")
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
        Better::Neither => "",
    }
}

/// The unit of a row.
fn unit(style: TableStyle, row: &Row<'_>) -> String {
    symbol(style.symbol(row.facts.unit))
}

/// A symbol as LaTeX writes it.
fn symbol(symbol: &str) -> String {
    match symbol {
        "m2" | "m²" => "m$^2$".to_owned(),
        "%" => "\\%".to_owned(),
        other => escaped(other),
    }
}

/// Whether LaTeX prints a character beyond ASCII in a bare article: signs and letters of western and central Europe, and
/// the dashes, quotes and dots of running text. Everything else stops a compilation.
fn is_known_letter(c: char) -> bool {
    let is_text_sign = matches!(c, '\u{2013}' | '\u{2014}' | '\u{2018}'..='\u{201d}' | '\u{2026}');
    (('\u{a1}'..='\u{17f}').contains(&c) && plain_letter(c) == c) || is_text_sign
}

/// The letter below a mark that the fonts of a bare article do not have; `?` for what has none; other letters themselves.
const fn plain_letter(c: char) -> char {
    match c {
        'Ą' => 'A',
        'ą' => 'a',
        'Đ' | 'Ð' => 'D',
        'đ' | 'ð' => 'd',
        'Ę' => 'E',
        'ę' => 'e',
        'Ħ' => 'H',
        'ħ' => 'h',
        'Į' => 'I',
        'į' => 'i',
        'Ŀ' => 'L',
        'ŀ' => 'l',
        'Ŋ' => 'N',
        'ŋ' | 'ŉ' => 'n',
        'ſ' => 's',
        'Ŧ' => 'T',
        'ŧ' => 't',
        'Ų' => 'U',
        'ų' => 'u',
        'ĸ' => 'k',
        '«' | '»' | 'Þ' | 'þ' => '?',
        '\u{a1}'..='\u{17f}' => c,
        _ => '?',
    }
}

/// All ten special characters of LaTeX, and the three that text fonts of the default encoding print as
/// something else; what it cannot print at all becomes `?`.
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
            c if c.is_ascii() || is_known_letter(c) => out.push(c),
            c => out.push(plain_letter(c)),
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
        assert_golden("two_cases.tex", &latex(&example::two_cases(), TableStyle::default()));
    }

    #[test]
    fn all_special_characters_are_escaped() {
        assert_eq!(escaped("&%$#_{}"), r"\&\%\$\#\_\{\}");
        assert_eq!(escaped("~^\\"), r"\textasciitilde{}\textasciicircum{}\textbackslash{}");
        assert_eq!(escaped("a\nb"), "a?b");
        assert_eq!(escaped("Größe µ × ½, Łódź – Ąę → \u{1f600}"), "Größe µ × ½, Łódź – Ae ? ?");
    }

    #[test]
    fn a_hostile_name_opens_no_column() {
        let text = latex(&example::hostile(), TableStyle::default());
        let columns = |line: &str| line.replace(r"\&", "").matches('&').count();
        let rows: Vec<_> = text.lines().filter(|line| line.ends_with(r"\\")).collect();
        assert_eq!(rows.iter().map(|row| columns(row)).collect::<Vec<_>>(), [2, 2, 2, 2], "{text}");
    }

    #[test]
    fn a_warning_is_marked_inside_the_formula() {
        let record = example::harmony(Some(0.5), &[metrics::Reason::MissingColour]);
        let shown = |slot: &Slot<'_>| cell(slot, TableStyle::default().column(record.unit, [slot.value()]));
        assert_eq!(shown(&Slot { record: Some(&record), is_best: true }), "$\\mathbf{0.5}^{!}$");
        assert_eq!(shown(&Slot { record: None, is_best: false }), "--");
    }

    /// Every row of a tabular has as many cells as its head has columns.
    fn check_columns(text: &str) {
        let mut columns = 0;
        for line in text.lines() {
            if let Some(spec) = line.strip_prefix("\\begin{tabular}{") {
                columns = spec.trim_end_matches('}').len();
            } else if line.ends_with("\\\\") {
                assert_eq!(line.replace("\\&", "").matches('&').count() + 1, columns, "{line}");
            }
        }
        assert!(columns > 0);
    }

    #[test]
    fn methods_are_rows_unless_transposed_and_every_row_is_complete() {
        let plain = latex(&example::two_cases(), TableStyle::default());
        assert!(plain.contains("\nMethod & ") && plain.contains("\noffice & "), "{plain}");
        let style = TableStyle { is_transposed: true, digits: Some(2), ..TableStyle::default() };
        let turned = latex(&example::two_cases(), style);
        assert!(turned.contains("Metric & Unit & office & cellar"), "{turned}");
        assert!(turned.contains("\\mathbf{0.75}"), "{turned}");
        for text in [
            plain,
            turned,
            latex(&example::hostile(), style),
            latex(&example::hostile(), TableStyle::default()),
        ] {
            check_columns(&text);
        }
    }

    /// What LaTeX needs of every table, line by line: braces and dollars in pairs, no special character without its
    /// backslash, no letter that stops a compilation, environments that end.
    fn check_syntax(text: &str) {
        let mut open = Vec::new();
        for line in text.lines() {
            let is_comment = line.starts_with('%');
            let (mut depth, mut dollars, mut is_escaped) = (0_i32, 0, false);
            for c in line.chars() {
                assert!(c.is_ascii() || is_known_letter(c), "{c:?}: {line}");
                if is_escaped {
                    is_escaped = false;
                    continue;
                }
                match c {
                    '\\' => is_escaped = true,
                    '{' => depth += 1,
                    '}' => depth -= 1,
                    '$' => dollars += 1,
                    '_' | '#' | '"' | '<' | '>' | '|' if !is_comment => panic!("{c}: {line}"),
                    '^' if !is_comment => assert!(dollars % 2 == 1, "{line}"),
                    '%' => assert!(is_comment, "{line}"),
                    _ => {}
                }
                assert!(depth >= 0, "{line}");
            }
            assert!(is_comment || depth == 0 && dollars % 2 == 0, "{line}");
            match line.split_once('{').map(|(word, _)| word) {
                Some("\\begin") => open.push(line),
                Some("\\end") => assert!(open.pop().is_some(), "{line}"),
                _ => {}
            }
        }
        assert!(open.is_empty(), "{open:?}");
    }

    #[test]
    fn every_table_is_sound_for_latex() {
        let transposed = TableStyle { is_transposed: true, digits: Some(3), ..TableStyle::default() };
        let mut strange = example::two_cases();
        strange.cases[0].name =
            "Größe 0.5 µm × ½ → \u{1f600} \\ {a} $b_1^2$ #3 50 % & ~ \"q\" [x] <y> |z|".to_owned();
        for report in [
            example::report(Vec::new()),
            example::one_case(),
            example::two_cases(),
            example::hostile(),
            example::with_failure(),
            strange,
        ] {
            for style in [TableStyle::default(), transposed] {
                check_syntax(&latex(&report, style));
            }
        }
    }

    #[test]
    #[should_panic(expected = "a_b")]
    fn a_table_that_latex_would_refuse_is_noticed() {
        check_syntax("a_b & 1 \\\\");
    }

    #[test]
    fn exponents_are_powers_of_ten() {
        assert_eq!(mathematical("1.2e-7"), "1.2 \\times 10^{-7}");
        assert_eq!(mathematical("0.5"), "0.5");
    }

    #[test]
    fn the_empty_report_still_compiles() {
        let text = latex(&example::report(Vec::new()), TableStyle::default());
        assert!(text.contains("\\begin{tabular}{lr}") && text.contains("\\end{tabular}"));
    }
}

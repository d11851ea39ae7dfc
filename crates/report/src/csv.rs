//! The report as CSV after RFC 4180: one row per case and metric, lines end with CR LF.
//!
//! Names come from strangers, and a spreadsheet runs a cell that starts with `=`, `+`, `-`, `@`, a tab or a
//! carriage return as a formula. Such a text gets an apostrophe in front, which spreadsheets take as "this
//! is text". Numbers are never touched, so a negative value stays a number. Every digit is kept.

use crate::{CaseReport, MetricRecord, RenderError, Report};

const HEADER: &str = "case,metric,code,value,unit,better,best,worst,status,reasons,coverage";

/// The report as CSV.
pub(crate) fn csv(report: &Report) -> Result<String, RenderError> {
    let mut text = format!("{HEADER}\r\n");
    for case in &report.cases {
        if let Some(code) = &case.error {
            // A case without a row would be taken for one that was not asked for.
            let name = quoted(&harmless(&case.name));
            text.push_str(&format!("{name},,,,,,,,error,{},\r\n", quoted(&harmless(code))));
        }
        for record in &case.metrics {
            text.push_str(&row(case, record)?);
            text.push_str("\r\n");
        }
    }
    Ok(text)
}

fn row(case: &CaseReport, record: &MetricRecord) -> Result<String, RenderError> {
    let reasons: Vec<_> = record.reasons.iter().map(|reason| reason.code()).collect();
    let coverage = case.grid.as_ref().and_then(|grid| grid.coverage);
    let fields = [
        quoted(&harmless(&case.name)),
        quoted(&harmless(&record.id)),
        quoted(&harmless(&record.code)),
        number(record.value),
        word_of(&record.unit)?,
        record.better.name().to_owned(),
        number(record.best),
        number(record.worst),
        word_of(&record.status)?,
        quoted(&reasons.join(" ")),
        number(coverage),
    ];
    Ok(fields.join(","))
}

/// The word that the JSON rendering uses.
fn word_of(value: &impl serde::Serialize) -> Result<String, RenderError> {
    let value = serde_json::to_value(value)?;
    Ok(value.as_str().unwrap_or_default().to_owned())
}

fn number(value: Option<f64>) -> String {
    value.filter(|value| value.is_finite()).map(|value| value.to_string()).unwrap_or_default()
}

/// A text as a field of a CSV file: quoted where needed, and never a formula.
#[must_use]
pub fn csv_field(text: &str) -> String {
    quoted(&harmless(text))
}

pub(crate) fn harmless(text: &str) -> String {
    if text.starts_with(['=', '+', '-', '@', '\t', '\r']) { format!("'{text}") } else { text.to_owned() }
}

pub(crate) fn quoted(text: &str) -> String {
    if text.contains(['"', ',', '\r', '\n']) {
        return format!("\"{}\"", text.replace('"', "\"\""));
    }
    text.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example;
    use metrics::Reason;

    #[test]
    fn one_row_per_case_and_metric() {
        let expected = "case,metric,code,value,unit,better,best,worst,status,reasons,coverage\r\n\
                        office,overall_error,M-OE,12,cells,lower,0,600,ok,,0.9\r\n\
                        office,harmony,X-H,,1,higher,1,0,undefined,NO_OCCUPIED_MAP,0.9\r\n\
                        cellar,overall_error,M-OE,3,cells,lower,0,600,ok,,0.9\r\n\
                        cellar,harmony,X-H,0.75,1,higher,1,0,ok,,0.9\r\n";
        assert_eq!(csv(&example::two_cases()).unwrap(), expected);
    }

    #[test]
    fn a_case_that_could_not_be_judged_has_a_row() {
        let text = csv(&example::with_failure()).unwrap();
        assert!(text.contains("\r\nbroken,,,,,,,,error,MALFORMED,\r\n"), "{text}");
        let fields = |line: &str| line.matches(',').count();
        assert!(text.lines().all(|line| fields(line) == fields(HEADER)));
    }

    #[test]
    fn several_reasons_share_a_field() {
        let record = example::harmony(Some(0.5), &[Reason::MissingColour, Reason::NoPath]);
        let text = csv(&example::report(vec![example::case("a", vec![record])])).unwrap();
        assert!(text.contains(",warning,MISSING_COLOUR NO_PATH,0.9"));
    }

    #[test]
    fn quotes_commas_and_line_ends_are_quoted() {
        assert_eq!(quoted("a,b"), "\"a,b\"");
        assert_eq!(quoted("a\"b"), "\"a\"\"b\"");
        assert_eq!(quoted("a\nb"), "\"a\nb\"");
        assert_eq!(quoted("plain"), "plain");
    }

    #[test]
    fn no_name_is_a_formula() {
        for start in ["=", "+", "-", "@", "\t", "\r"] {
            let report = example::report(vec![example::case(
                &format!("{start}1"),
                vec![example::overall_error(-1.0)],
            )]);
            let text = csv(&report).unwrap();
            let row = text.strip_prefix(HEADER).unwrap().trim_start();
            assert!(row.trim_start_matches('"').starts_with(&format!("'{start}")), "{row:?}");
            assert!(row.contains(",-1,"), "numbers stay numbers");
        }
    }

    #[test]
    fn the_empty_report_is_a_header() {
        assert_eq!(csv(&example::report(Vec::new())).unwrap().lines().count(), 1);
    }
}

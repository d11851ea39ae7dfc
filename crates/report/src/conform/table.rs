//! The conformance report for a terminal.

use std::fmt::Write;

use metrics::Detail;

use super::{ConformReport, ConformValue, ConformVerdict};
use crate::printable::printable;
use crate::text_table::{Column, Screen, TextTable, plain};

/// Unexpected values that are listed one by one.
const MAX_LISTED: usize = 20;

/// A row per metric and variant, and what is not as expected.
#[must_use]
pub fn conform_table(report: &ConformReport) -> String {
    let mut columns = vec![Column::left("metric", 0), Column::right("equal", 0)];
    columns.extend(ConformVerdict::ALL.iter().skip(1).map(|verdict| Column::right(verdict.name(), 0)));
    columns.extend([Column::right("explained", 0), Column::left("equals", 0)]);
    let mut table = TextTable::new(columns);
    for metric in &report.metrics {
        let counts = &metric.counts;
        let mut cells =
            vec![named(&metric.metric, &metric.params), format!("{}/{}", counts.equal, counts.values)];
        cells.extend(ConformVerdict::ALL.iter().skip(1).map(|verdict| counts.with(*verdict).to_string()));
        cells.extend([
            counts.explained.to_string(),
            metric.equals.as_ref().map(shown_params).unwrap_or_default(),
        ]);
        table.row(cells.into_iter().map(plain));
    }
    let mut text = table.shown_on(Screen::default()) + "\n";
    let unexpected: Vec<&ConformValue> = report.values.iter().filter(|value| value.is_unexpected()).collect();
    for value in unexpected.iter().take(MAX_LISTED) {
        let _ = writeln!(text, "{}", line(value));
    }
    if unexpected.len() > MAX_LISTED {
        let _ = writeln!(text, "and {} more, which the report lists", unexpected.len() - MAX_LISTED);
    }
    let counts = &report.counts;
    let _ = writeln!(
        text,
        "{}: {} of {} values equal, {} explained, {} unexpected; vectors {}",
        report.program(),
        counts.equal,
        counts.values,
        counts.explained,
        counts.unexpected,
        report.vectors.version
    );
    text
}

/// A metric with its parameters.
fn named(metric: &str, params: &Detail) -> String {
    if params.is_empty() {
        printable(metric)
    } else {
        format!("{} {}", printable(metric), shown_params(params))
    }
}

/// Parameters as words: `unknown_as = occupied`.
#[must_use]
pub fn shown_params(params: &Detail) -> String {
    if params.is_empty() {
        return "the defaults".to_owned();
    }
    let shown = params.iter().map(|(name, value)| match value.as_str() {
        Some(word) => format!("{name} = {word}"),
        None => format!("{name} = {value}"),
    });
    printable(&shown.collect::<Vec<_>>().join(", "))
}

fn line(value: &ConformValue) -> String {
    let what = format!("{} {}: {}", value.vector, named(&value.metric, &value.params), value.verdict.name());
    let numbers = match value.verdict {
        ConformVerdict::Crashed | ConformVerdict::Timeout => value.failure.clone().unwrap_or_default(),
        _ => format!("expected {}, found {}", shown_answer(&value.expected), shown_answer(&value.found)),
    };
    let variants: Vec<String> = value.variants.iter().map(shown_params).collect();
    let equals =
        if variants.is_empty() { String::new() } else { format!("; equals {}", variants.join(" or ")) };
    printable(&format!("{what}: {numbers}{equals}"))
}

/// A value, or the word for none.
pub(super) fn shown_answer(answer: &Option<super::ConformAnswer>) -> String {
    match answer {
        None => "undefined".to_owned(),
        // Every digit, but no row of zeros before the first.
        Some(super::ConformAnswer::Number(number)) if *number != 0.0 && number.abs() < 1e-5 => {
            format!("{number:e}")
        }
        Some(super::ConformAnswer::Number(number)) => number.to_string(),
        Some(super::ConformAnswer::Cells(rows)) => rows.join("/"),
    }
}

impl ConformValue {
    /// Whether it is not equal, and no reason for that was given.
    #[must_use]
    pub fn is_unexpected(&self) -> bool {
        self.verdict != ConformVerdict::Equal && self.explained.is_none()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::*;
    use super::*;
    use crate::Tool;

    fn report(verdicts: &[(ConformVerdict, Option<&str>)]) -> ConformReport {
        let value = |(verdict, explained): &(ConformVerdict, Option<&str>)| ConformValue {
            vector: "e1".to_owned(),
            metric: "occupied_iou".to_owned(),
            params: Detail::new(),
            expected: Some(ConformAnswer::Number(0.5)),
            source: "hand".to_owned(),
            found: Some(ConformAnswer::Number(0.25)),
            verdict: *verdict,
            variants: vec![json!({"unknown_as": "occupied"}).as_object().unwrap().clone()],
            explained: explained.map(str::to_owned),
            failure: None,
        };
        let values: Vec<ConformValue> = verdicts.iter().map(value).collect();
        let counts = VerdictCounts::of(values.iter());
        let tool = |name: &str| Tool { name: name.to_owned(), version: "1".to_owned() };
        let metric = ConformMetric {
            metric: "occupied_iou".to_owned(),
            params: Detail::new(),
            input: "text".to_owned(),
            counts,
            equals: None,
            skipped: Vec::new(),
        };
        ConformReport {
            schema: CONFORM_SCHEMA.to_owned(),
            judge: tool("mapjudge"),
            tool: tool("<b>other"),
            vectors: VectorsRecord { version: "1.0.0".to_owned(), sha256: String::new() },
            counts,
            metrics: vec![metric],
            values,
        }
    }

    #[test]
    fn what_is_not_expected_is_told_with_the_variant_that_equals() {
        let text = conform_table(&report(&[(ConformVerdict::Equal, None), (ConformVerdict::Differs, None)]));
        assert!(
            text.contains("equals unknown_as = occupied") && text.contains("1 of 2 values equal"),
            "{text}"
        );
        let text = conform_table(&report(&[(ConformVerdict::Differs, Some("known"))]));
        assert!(text.contains("1 explained, 0 unexpected") && !text.contains("expected 0.5"), "{text}");
    }

    #[test]
    fn a_badge_is_green_only_without_a_difference() {
        let colour = |verdicts: &[_]| badge_json(&report(verdicts))["color"].as_str().unwrap().to_owned();
        assert_eq!(colour(&[(ConformVerdict::Equal, None)]), "brightgreen");
        assert_eq!(colour(&[(ConformVerdict::Differs, Some("known"))]), "yellowgreen");
        assert_eq!(colour(&[(ConformVerdict::Equal, None), (ConformVerdict::Crashed, None)]), "red");
        assert_eq!(colour(&[]), "lightgrey");
        let badge = badge_json(&report(&[(ConformVerdict::Equal, None)]));
        assert_eq!((&badge["schemaVersion"], &badge["message"]), (&json!(1), &json!("1/1")));
        assert!(badge_svg(&report(&[(ConformVerdict::Equal, None)])).contains(">1/1</text>"));
    }

    #[test]
    fn a_page_shows_every_value_and_runs_nothing_of_a_tool() {
        let page = conform_page(&report(&[(ConformVerdict::Flattered, None)])).unwrap();
        assert!(page.contains("flattered") && !page.contains("<b>other") && page.contains("&lt;b&gt;other"));
    }

    #[test]
    fn a_program_that_prints_its_name_is_named_once() {
        let heading = |name: &str, version: &str| {
            let tool = Tool { name: name.to_owned(), version: version.to_owned() };
            ConformReport { tool, ..report(&[]) }.program()
        };
        assert_eq!(heading("mapjudge", "mapjudge 0.1.0"), "mapjudge 0.1.0");
        assert_eq!(heading("SciPy", "1.14"), "SciPy 1.14");
        assert_eq!(heading("evo", "evolution 3"), "evo evolution 3");
        assert_eq!(heading("x", "\u{e9}"), "x \u{e9}");
    }

    #[test]
    fn a_report_comes_back_from_its_json() {
        let report = report(&[(ConformVerdict::Equal, None), (ConformVerdict::Timeout, Some("slow"))]);
        let text = serde_json::to_string(&report).unwrap();
        assert_eq!(serde_json::from_str::<ConformReport>(&text).unwrap(), report);
    }
}

//! The page of a conformance report: the verdict, a row per metric, and each value. One HTML file that needs nothing else.

use minijinja::{Value, context};

use super::table::{shown_answer, shown_params};
use super::{ConformMetric, ConformReport, ConformValue, ConformVerdict};
use crate::RenderError;
use crate::page::PageKind;
use crate::printable::printable;

const PAGE: PageKind =
    PageKind { template: include_str!("page.html"), style: include_str!("page.css"), script: "", class: "" };

/// The page of a report about a program.
///
/// # Errors
/// The template fails.
pub fn conform_page(report: &ConformReport) -> Result<String, RenderError> {
    let (equal, others): (Vec<&ConformValue>, Vec<&ConformValue>) =
        report.values.iter().partition(|value| value.verdict == ConformVerdict::Equal);
    let counts = &report.counts;
    let content = context! {
        program => report.program(),
        judge => &report.judge.version,
        vectors => &report.vectors.version,
        sha256 => &report.vectors.sha256,
        values => counts.values,
        equal_count => counts.equal,
        explained => counts.explained,
        unexpected => counts.unexpected,
        verdicts => ConformVerdict::ALL.iter().map(|verdict| verdict.name()).collect::<Vec<_>>(),
        metrics => report.metrics.iter().map(metric_row).collect::<Vec<_>>(),
        others => others.into_iter().map(value_row).collect::<Vec<_>>(),
        equal => equal.into_iter().map(value_row).collect::<Vec<_>>(),
    };
    PAGE.render(&format!("Conformance of {}", printable(&report.tool.name)), content)
}

fn metric_row(metric: &ConformMetric) -> Value {
    context! {
        metric => printable(&metric.metric),
        params => shown_params(&metric.params),
        input => &metric.input,
        values => metric.counts.values,
        counts => ConformVerdict::ALL.iter().map(|verdict| metric.counts.with(*verdict)).collect::<Vec<_>>(),
        equals => metric.equals.as_ref().map(shown_params),
        skipped => metric.skipped.len(),
    }
}

fn value_row(value: &ConformValue) -> Value {
    context! {
        vector => printable(&value.vector),
        metric => printable(&value.metric),
        params => shown_params(&value.params),
        expected => shown_answer(&value.expected),
        source => printable(&value.source),
        found => printable(&shown_answer(&value.found)),
        verdict => value.verdict.name(),
        variants => value.variants.iter().map(shown_params).collect::<Vec<_>>().join(" or "),
        explained => value.explained.as_deref().map(printable),
        failure => value.failure.as_deref().map(printable),
    }
}

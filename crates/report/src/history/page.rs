//! The trend page: what the check found, and a figure per metric. One HTML file that needs nothing else.

use minijinja::{Value, context};

use super::check::{TrendCheck, TrendOutcome, TrendResult};
use super::series::{HistorySeries, MetricSeries};
use super::table::unchecked;
use crate::chart::{Axis, TrendLine, trend};
use crate::comparison::family_of;
use crate::number::shown;
use crate::page::PageKind;
use crate::printable::printable;
use crate::{RenderError, html};

/// Headings of families stand apart from the figure above them.
const STYLE: &str = "h2 { margin: 2.6rem 0 0; } h2::first-letter { text-transform: uppercase; }";

const PAGE: PageKind = PageKind { template: include_str!("page.html"), style: STYLE, script: "", class: "" };

/// Missed values that are listed.
const MAX_ROWS: usize = 200;

/// The trend page of a history, with what a check of its newest entry found.
///
/// # Errors
/// The template fails.
pub fn history_page(series: &HistorySeries, check: Option<&TrendCheck>) -> Result<String, RenderError> {
    let names: Vec<String> = series.entries.iter().map(|entry| printable(&entry.short())).collect();
    let missed_of =
        |id: &str| check.map_or(0, |check| missed(check).filter(|result| result.metric == id).count());
    let mut families: Vec<(&str, Vec<Value>)> = Vec::new();
    for metric in &series.metrics {
        let view = metric_view(metric, series, &names, missed_of(&metric.id));
        let family = family_of(&metric.id);
        match families.iter_mut().find(|(name, _)| *name == family) {
            Some((_, metrics)) => metrics.push(view),
            None => families.push((family, vec![view])),
        }
    }
    let families: Vec<Value> =
        families.into_iter().map(|(name, metrics)| context! { name, metrics }).collect();
    let page = context! {
        entries => series.entries.len(),
        cases => series.cases.len(),
        first => names.first(),
        last => names.last(),
        is_missed => check.is_some_and(TrendCheck::is_missed),
        missed => check.map(|check| {
            check.with(TrendOutcome::Worse).count() + check.with(TrendOutcome::Lost).count() + check.not_judged.len()
        }),
        check => check.map(check_view),
        families,
    };
    PAGE.render("History", page)
}

fn missed(check: &TrendCheck) -> impl Iterator<Item = &TrendResult> {
    check.with(TrendOutcome::Worse).chain(check.with(TrendOutcome::Lost))
}

/// The rule, what was not checked, and the missed values as rows.
fn check_view(check: &TrendCheck) -> Value {
    let row = |result: &TrendResult| {
        context! {
            case => printable(&result.case),
            metric => printable(&result.metric),
            value => result.value.map_or_else(|| "no longer defined".to_owned(), |value| shown(Some(value))),
            median => shown(result.median),
            sigma => shown(result.sigma),
            allowed => shown(result.allowed),
        }
    };
    context! {
        rule => check.rule.clone(),
        held => check.with(TrendOutcome::Held).count(),
        not_judged => check.not_judged.iter().map(|name| printable(name)).collect::<Vec<_>>(),
        unchecked => unchecked_by_family(check),
        count => missed(check).count(),
        rows => missed(check).take(MAX_ROWS).map(row).collect::<Vec<_>>(),
        max_rows => MAX_ROWS,
    }
}

/// What was not checked, under the heading of its family.
fn unchecked_by_family(check: &TrendCheck) -> Vec<Value> {
    let mut families: Vec<(&str, Vec<String>)> = Vec::new();
    for (metric, words) in unchecked(check) {
        let family = family_of(&metric);
        match families.iter_mut().find(|(name, _)| *name == family) {
            Some((_, lines)) => lines.push(words),
            None => families.push((family, vec![words])),
        }
    }
    families.into_iter().map(|(name, lines)| context! { name, lines }).collect()
}

fn metric_view(metric: &MetricSeries, series: &HistorySeries, names: &[String], missed: usize) -> Value {
    let lines = series.cases.iter().zip(&metric.values);
    let lines: Vec<TrendLine<'_>> = lines.map(|(label, values)| TrendLine { label, values }).collect();
    let title = printable(&metric.title);
    let axis = Axis { label: "value", unit: metric.unit.symbol() };
    let figure = trend(&title, axis, names, &lines);
    context! {
        id => printable(&metric.id),
        title,
        figure,
        better => metric.better.name(),
        missed,
        unit => html::unit_of(metric.unit),
        newest => shown(metric.medians.last().copied().flatten()),
    }
}

#[cfg(test)]
mod tests {
    use super::super::check::{TrendRules, check_history};
    use super::super::series::history_series;
    use super::super::value::example::history;
    use super::*;
    use metrics::Better;

    #[test]
    fn the_page_has_a_figure_per_metric_and_asks_the_network_for_nothing() {
        let nights: [&[Option<f64>]; 7] = [&[Some(1.0)]; 7];
        let mut history = history(Better::Lower, &nights);
        history.entries[6].name.label = Some("<b>bad</b>".into());
        let series = history_series(&history, &[], &[]);
        let check = check_history(&history, &TrendRules::default());
        let text = history_page(&series, check.as_ref()).unwrap();
        assert_eq!(text.matches("<svg").count(), 1);
        assert!(text.contains("1 value holds") && !text.contains("<b>"), "{text}");
        let outside = text.replace("xmlns=\"http://www.w3.org/2000/svg\"", "");
        assert!(
            !outside.contains("http://") && !outside.contains("https://") && !outside.contains("<script")
        );
        let is_green = |text: &str| text.contains("verdict held") && text.contains("The newest values hold");
        assert!(is_green(&text));
        history.entries.truncate(2);
        let series = history_series(&history, &[], &[]);
        let check = check_history(&history, &TrendRules::default());
        let text = history_page(&series, check.as_ref()).unwrap();
        assert!(!is_green(&text) && text.contains("No value could be checked yet"), "{text}");
        let family = family_of("overall_error");
        assert!(text.contains(&format!("<h2>{family}</h2>")), "a heading over the figures: {text}");
        assert!(text.contains(&format!("<dt>{family}</dt>")), "one over what was not checked: {text}");
        assert!(
            history_page(&history_series(&Default::default(), &[], &[]), None).unwrap().contains("no entry")
        );
    }
}

//! The figures of several runs together: their ranking with intervals, and their errors as boxes.

use crate::chart::{Axis, BoxSummary, Ranked, box_plot, rank_interval};
use crate::{Figure, RankedRun, Report, RunComparison};

/// The figures of a report's comparison; none without one.
#[must_use]
pub fn run_figures(report: &Report) -> Vec<Figure> {
    report.comparison.as_ref().map(comparison_figures).unwrap_or_default()
}

pub(crate) fn comparison_figures(comparison: &RunComparison) -> Vec<Figure> {
    let axis = Axis { label: &comparison.rank_by, unit: comparison.unit.symbol() };
    let figure = |name: &str, title: &str, caption: &str, svg: Option<String>| {
        svg.map(|svg| Figure::chart(name, title, caption, svg))
    };
    let ranking = figure(
        "ranking",
        "Ranking with intervals",
        "Each run's value with its 95 % interval; runs in grey cover too little of the truth to be ranked.",
        rank_interval(axis, &ranked(comparison)),
    );
    let summaries: Vec<BoxSummary> =
        comparison.ranking.iter().filter_map(|run| summary(run, comparison.common)).collect();
    let boxes = figure(
        "boxes",
        "Errors of the runs",
        "Half of a run's errors lie in its box, the line is the median; whiskers reach to the smallest and largest.",
        box_plot(Axis { label: "error", ..axis }, &summaries),
    );
    ranking.into_iter().chain(boxes).collect()
}

fn ranked(comparison: &RunComparison) -> Vec<Ranked> {
    let row = |run: &RankedRun| Ranked {
        label: run.name.clone(),
        value: run.value,
        interval: run.low.zip(run.high),
        unranked: run.reason.clone(),
    };
    comparison.ranking.iter().map(row).collect()
}

fn summary(run: &RankedRun, n: usize) -> Option<BoxSummary> {
    let [min, q1, median, q3, max] = run.quartiles?;
    let label = run.name.clone();
    Some(BoxSummary { label, min, q1, median, q3, max, whiskers: (min, max), outliers: Vec::new(), n })
}

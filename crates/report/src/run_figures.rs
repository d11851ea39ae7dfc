//! The figures of several runs together, from their tables of errors and their ranking.

use model::Point2;

use crate::chart::{
    Axis, BoxSummary, PathPoint, Ranked, RunPath, Series, StateLine, StatePanel, box_plot, error_over,
    rank_interval, runs_by_error, runs_together, states,
};
use crate::{CaseReport, ErrorTable, Figure, RankedRun, Report, RunComparison};

const TIME: Axis<'_> = Axis { label: "time", unit: "s" };
const ERROR: Axis<'_> = Axis { label: "translation error", unit: "m" };

/// The figures of several runs together: paths, errors, poses over time, ranking. Of a single run the poses over time.
#[must_use]
pub fn run_figures(report: &Report) -> Vec<Figure> {
    let table = |case: &CaseReport| Some((case.name.clone(), case.error_table("errors")?.clone()));
    let runs: Vec<(String, ErrorTable)> = report.cases.iter().filter_map(table).collect();
    let mut found = Vec::new();
    if runs.len() > 1 {
        found.extend(path_figures(&runs));
        found.extend(errors_over_time(&runs));
    }
    found.extend(states_figure(&runs));
    found.extend(report.comparison.as_ref().map(comparison_figures).unwrap_or_default());
    found
}

fn figure(name: &str, title: &str, caption: &str, svg: Option<String>) -> Option<Figure> {
    svg.map(|svg| Figure::chart(name, title, caption, svg))
}

/// Two columns side by side; empty if one is missing.
fn two(table: &ErrorTable, a: &str, b: &str) -> Vec<(f64, f64)> {
    match (table.column(a), table.column(b)) {
        (Some(a), Some(b)) => a.zip(b).collect(),
        _ => Vec::new(),
    }
}

/// The run that met most of the truth shows where the truth is.
fn longest(runs: &[(String, ErrorTable)]) -> Option<&ErrorTable> {
    runs.iter().map(|(_, table)| table).max_by_key(|table| table.rows.len())
}

fn path_figures(runs: &[(String, ErrorTable)]) -> Vec<Figure> {
    let truth = longest(runs).map(|table| two(table, "true_x_m", "true_y_m")).unwrap_or_default();
    let truth: Vec<Point2> = truth.into_iter().map(|(x_m, y_m)| Point2::new(x_m, y_m)).collect();
    let path = |(name, table): &(String, ErrorTable)| {
        let errors = table.column("translation_error_m").into_iter().flatten();
        let point = |((x_m, y_m), error)| PathPoint { at: Point2::new(x_m, y_m), error: Some(error) };
        RunPath {
            label: name.clone(),
            path: two(table, "x_m", "y_m").into_iter().zip(errors).map(point).collect(),
        }
    };
    let paths: Vec<RunPath> = runs.iter().map(path).collect();
    let together = figure(
        "paths",
        "All runs from above",
        "Each run as it was laid on the truth, which is the thin grey line.",
        runs_together(&paths, &truth),
    );
    let by_error = figure(
        "paths_by_error",
        "Errors along the paths",
        "All runs at one scale, coloured by one scale of errors; the truth is the thin grey line.",
        runs_by_error(Axis { label: "error", ..ERROR }, &paths, &truth),
    );
    together.into_iter().chain(by_error).collect()
}

/// The first timestamp of all runs: times are shown from there.
fn start_s(runs: &[(String, ErrorTable)]) -> f64 {
    let firsts = runs.iter().filter_map(|(_, table)| table.column("time_s")?.next());
    firsts.min_by(f64::total_cmp).unwrap_or(0.0)
}

fn errors_over_time(runs: &[(String, ErrorTable)]) -> Option<Figure> {
    let start = start_s(runs);
    let points = |table: &ErrorTable| -> Vec<(f64, f64)> {
        two(table, "time_s", "translation_error_m").into_iter().map(|(t, error)| (t - start, error)).collect()
    };
    let all: Vec<Vec<(f64, f64)>> = runs.iter().map(|(_, table)| points(table)).collect();
    let series: Vec<Series<'_>> = runs
        .iter()
        .zip(&all)
        .map(|((name, _), points)| Series { label: name, points, running_mean: &[] })
        .collect();
    figure(
        "errors_over_time",
        "Position errors over time",
        "Each position error of each run.",
        error_over(TIME, ERROR, &series, &[]),
    )
}

fn states_figure(runs: &[(String, ErrorTable)]) -> Option<Figure> {
    let start = start_s(runs);
    let truth = longest(runs)?;
    let is_flat =
        runs.iter().all(|(_, table)| two(table, "z_m", "true_z_m").iter().all(|&z| z == (0.0, 0.0)));
    let panel = |label: &'static str, unit, column: &str, wrap_above| {
        let line = |label: &str, table: &ErrorTable, time: &str, column: &str, is_truth| StateLine {
            label: label.to_owned(),
            is_truth,
            points: two(table, time, column).into_iter().map(|(t, value)| (t - start, value)).collect(),
        };
        let mut lines = vec![line("truth", truth, "true_time_s", &format!("true_{column}"), true)];
        lines.extend(runs.iter().map(|(name, table)| line(name, table, "time_s", column, false)));
        StatePanel { axis: Axis { label, unit }, wrap_above, lines }
    };
    let mut panels = vec![panel("x", "m", "x_m", None), panel("y", "m", "y_m", None)];
    if !is_flat {
        panels.push(panel("z", "m", "z_m", None));
    }
    panels.push(panel("yaw", "deg", "yaw_deg", Some(180.0)));
    figure(
        "poses_over_time",
        "Poses over time",
        "Positions and yaw of each run as it was laid on the truth, and of the truth.",
        states(TIME, &panels),
    )
}

fn comparison_figures(comparison: &RunComparison) -> Vec<Figure> {
    let axis = Axis { label: &comparison.rank_by, unit: comparison.unit.symbol() };
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

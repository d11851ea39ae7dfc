//! A dot and its interval per run: which differences between runs are more than chance.
//!
//! A run that is listed but not ranked is drawn in grey, with the reason in place of its number.

use std::fmt::Write;

use super::axis::{Axis, Scale, drawable, extent};
use super::frame::{close, round_tenth};
use super::ink::COLOURS;
use super::lettering::three_digits;
use super::rows::{MAX_ROWS, Rows};
use crate::number::MISSING;

/// A run's value with its confidence interval.
#[derive(Clone, Debug, PartialEq)]
pub struct Ranked {
    /// Name of the run.
    pub label: String,
    /// Its value; none if it is undefined.
    pub value: Option<f64>,
    /// Lower and upper end of the confidence interval; none where there is none.
    pub interval: Option<(f64, f64)>,
    /// Why the run is not ranked; none for a ranked one.
    pub unranked: Option<String>,
}

/// Draws value and interval of each run, in the given order; none if no run has a value.
#[must_use]
pub fn rank_interval(axis: Axis<'_>, runs: &[Ranked]) -> Option<String> {
    let drawn = &runs[..runs.len().min(MAX_ROWS)];
    let numbers = |run: &Ranked| {
        let (low, high) = run.interval.unzip();
        [run.value, low, high].into_iter().flatten()
    };
    let ends = extent(drawn.iter().filter(|run| run.value.is_some()).flat_map(numbers))?;
    let rows = Rows::new(runs.iter().map(|run| (run.label.as_str(), remark(run))));
    let smallest = drawn.iter().filter_map(|run| run.value).fold(f64::INFINITY, f64::min);
    let scale = Scale::of_runs(ends, smallest, rows.most_ticks());
    let mut svg = rows.open(&format!("{} with intervals", axis.label), &scale, axis);
    for (row, run) in drawn.iter().enumerate() {
        draw_run(&mut svg, rows.middle(row), run, |value| round_tenth(rows.area.x_of(&scale, value)));
    }
    Some(close(svg))
}

fn remark(run: &Ranked) -> String {
    if let Some(reason) = &run.unranked {
        return format!("not ranked: {reason}");
    }
    let value = run.value.map_or_else(|| MISSING.to_owned(), three_digits);
    match run.interval {
        Some((low, high)) => format!("{value} [{}, {}]", three_digits(low), three_digits(high)),
        None => value,
    }
}

fn draw_run(svg: &mut String, y: f64, run: &Ranked, x_of: impl Fn(f64) -> f64) {
    let Some(value) = run.value.filter(|&value| drawable(value)) else { return };
    let (colour, opacity) = if run.unranked.is_some() { ("currentColor", 0.4) } else { (COLOURS[0], 1.0) };
    if let Some((low, high)) = run.interval.filter(|&(low, high)| drawable(low) && drawable(high)) {
        let (low, high, top) = (x_of(low), x_of(high), y - 4.0);
        // Writing into a string cannot fail, here and below.
        let _ = write!(
            svg,
            "<path d=\"M{low} {y}H{high}M{low} {top}v8M{high} {top}v8\" fill=\"none\" stroke=\"{colour}\" \
             stroke-width=\"2\" opacity=\"{opacity}\"/>"
        );
    }
    let x = x_of(value);
    let _ = if run.unranked.is_some() {
        writeln!(
            svg,
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"4.5\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\" \
             opacity=\"{opacity}\"/>"
        )
    } else {
        writeln!(svg, "<circle cx=\"{x}\" cy=\"{y}\" r=\"5\" fill=\"{colour}\"/>")
    };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::golden::assert_golden;

    const ATE: Axis<'_> = Axis { label: "ATE", unit: "m" };

    fn run(label: &str, value: Option<f64>, interval: Option<(f64, f64)>, unranked: Option<&str>) -> Ranked {
        Ranked { label: label.into(), value, interval, unranked: unranked.map(str::to_owned) }
    }

    #[test]
    fn a_small_chart_is_as_it_was() {
        let runs = [
            run("graph", Some(0.12), Some((0.1, 0.15)), None),
            run("filter", Some(0.14), None, None),
            run("lost", Some(0.01), Some((0.005, 0.02)), Some("10 % of the truth covered")),
            run("empty", None, None, Some("no pose matched")),
        ];
        assert_golden("rank_interval.svg", &rank_interval(ATE, &runs).unwrap());
    }

    #[test]
    fn an_undefined_value_is_no_dot_at_zero() {
        let runs = [run("a", Some(1.0), None, None), run("b", None, None, Some("no pose"))];
        assert_eq!(rank_interval(ATE, &runs).unwrap().matches("<circle").count(), 1);
        assert_eq!(rank_interval(ATE, &runs[1..]), None);
    }
}

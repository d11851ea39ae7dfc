//! Box plots of many runs: quartiles, whiskers and outliers of each run's errors, one row per run.
//!
//! Quantiles are interpolated linearly between order statistics (type 7 of Hyndman and Fan 1996, the default of
//! numpy); a whisker ends at the last sample within 1.5 interquartile ranges of the box (Tukey 1977).

use std::fmt::Write;

use super::axis::{Axis, Scale, drawable, extent};
use super::frame::{close, round_tenth};
use super::ink::COLOURS;
use super::lettering::grouped;
use super::rows::{MAX_ROWS, ROW_PX, Rows};

/// The distribution of a run's errors.
#[derive(Clone, Debug, PartialEq)]
pub struct BoxSummary {
    /// Name of the run.
    pub label: String,
    /// Smallest sample.
    pub min: f64,
    /// First quartile.
    pub q1: f64,
    /// Median.
    pub median: f64,
    /// Third quartile.
    pub q3: f64,
    /// Largest sample.
    pub max: f64,
    /// Ends of the whiskers: the smallest and the largest sample within 1.5 interquartile ranges of the box.
    pub whiskers: (f64, f64),
    /// Samples beyond the whiskers, in rising order.
    pub outliers: Vec<f64>,
    /// Number of samples.
    pub n: usize,
}

/// Interquartile ranges that a whisker may reach beyond the box (Tukey 1977).
const WHISKER_RANGES: f64 = 1.5;

impl BoxSummary {
    /// The summary of samples in any order; none without a sample, or if one is not finite.
    #[must_use]
    pub fn of(label: &str, samples: &[f64]) -> Option<Self> {
        if samples.iter().any(|sample| !sample.is_finite()) {
            return None;
        }
        let mut sorted = samples.to_vec();
        sorted.sort_by(f64::total_cmp);
        let (&min, &max) = (sorted.first()?, sorted.last()?);
        let [q1, median, q3] = [0.25, 0.5, 0.75].map(|share| quantile(&sorted, share));
        let reach = WHISKER_RANGES * (q3 - q1);
        let is_inside = |sample: f64| sample >= q1 - reach && sample <= q3 + reach;
        let low = sorted.iter().copied().find(|&sample| is_inside(sample)).unwrap_or(min);
        let high = sorted.iter().rev().copied().find(|&sample| is_inside(sample)).unwrap_or(max);
        let outliers = sorted.iter().copied().filter(|&sample| !is_inside(sample)).collect();
        let (label, n) = (label.to_owned(), sorted.len());
        // Between two samples far apart, an interpolated quartile may lie beyond every sample inside the reach.
        let whiskers = (low.min(q1), high.max(q3));
        Some(Self { label, min, q1, median, q3, max, whiskers, outliers, n })
    }
}

/// The quantile of sorted samples, interpolated linearly (type 7).
fn quantile(sorted: &[f64], share: f64) -> f64 {
    let place = share * (sorted.len() - 1) as f64;
    let below = place.floor() as usize;
    let above = (below + 1).min(sorted.len() - 1);
    sorted[below] + (place - below as f64) * (sorted[above] - sorted[below])
}

/// Draws a box per run, in the given order; none without a run.
#[must_use]
pub fn box_plot(axis: Axis<'_>, boxes: &[BoxSummary]) -> Option<String> {
    let drawn = &boxes[..boxes.len().min(MAX_ROWS)];
    let (low, high) = extent(drawn.iter().flat_map(|one| [one.min, one.max]))?;
    let rows = Rows::new(boxes.iter().map(|one| (one.label.as_str(), format!("n = {}", grouped(one.n)))));
    let smallest_q3 = drawn.iter().map(|one| one.q3).fold(f64::INFINITY, f64::min);
    let scale = Scale::of_runs((low, high), smallest_q3, rows.most_ticks());
    let mut svg = rows.open(&format!("box plots of {}", axis.label), &scale, axis);
    let is_drawable = |one: &BoxSummary| drawable(one.min) && drawable(one.max);
    for (row, one) in drawn.iter().enumerate().filter(|(_, one)| is_drawable(one)) {
        draw_box(&mut svg, rows.middle(row), one, |value| round_tenth(rows.area.x_of(&scale, value)));
    }
    Some(close(svg))
}

fn draw_box(svg: &mut String, middle: f64, one: &BoxSummary, x_of: impl Fn(f64) -> f64) {
    let half = ROW_PX * 0.3;
    let (low, high) = (x_of(one.whiskers.0), x_of(one.whiskers.1));
    let (q1, median, q3) = (x_of(one.q1), x_of(one.median), x_of(one.q3));
    let (top, bottom) = (round_tenth(middle - half), round_tenth(middle + half));
    let colour = COLOURS[0];
    // Writing into a string cannot fail, here and below.
    let _ = writeln!(
        svg,
        "<path d=\"M{low} {middle}H{q1}M{q3} {middle}H{high}M{low} {}v{half}M{high} {}v{half}\" \
         stroke=\"currentColor\" fill=\"none\"/>\
         <rect x=\"{q1}\" y=\"{top}\" width=\"{}\" height=\"{}\" fill=\"{colour}\" fill-opacity=\"0.35\" \
         stroke=\"currentColor\"/>\
         <path d=\"M{median} {top}V{bottom}\" stroke=\"currentColor\" stroke-width=\"2.6\"/>",
        middle - half / 2.0,
        middle - half / 2.0,
        round_tenth(q3 - q1),
        round_tenth(bottom - top)
    );
    // Outliers that share a pixel are drawn once.
    let mut places: Vec<i64> = one.outliers.iter().map(|&value| x_of(value).round() as i64).collect();
    places.dedup();
    if places.is_empty() {
        return;
    }
    let path: String = places.iter().map(|x| format!("M{x} {middle}h0")).collect();
    let _ = writeln!(
        svg,
        "<path d=\"{path}\" stroke=\"{}\" stroke-width=\"3.6\" stroke-linecap=\"round\" opacity=\"0.7\"/>",
        COLOURS[1]
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::golden::assert_golden;

    const ERROR: Axis<'_> = Axis { label: "translation error", unit: "m" };

    /// By hand: places 1.75, 3.5 and 5.25 of the eight sorted samples; the box reaches 1.5 * 3.5 = 5.25 further.
    #[test]
    fn the_summary_of_eight_samples() {
        let summary = BoxSummary::of("a", &[7.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 30.0]).unwrap();
        assert_eq!((summary.min, summary.max, summary.n), (1.0, 30.0, 8));
        assert_eq!((summary.q1, summary.median, summary.q3), (2.75, 4.5, 6.25));
        assert_eq!(summary.whiskers, (1.0, 7.0));
        assert_eq!(summary.outliers, [30.0]);
    }

    #[test]
    fn one_sample_is_its_own_box_and_none_has_no_box() {
        let one = BoxSummary::of("a", &[2.0]).unwrap();
        assert_eq!(
            (one.min, one.q1, one.median, one.q3, one.max, one.whiskers),
            (2.0, 2.0, 2.0, 2.0, 2.0, (2.0, 2.0))
        );
        assert_eq!(BoxSummary::of("a", &[]), None);
        assert_eq!(BoxSummary::of("a", &[1.0, f64::NAN]), None);
    }

    #[test]
    fn a_small_chart_is_as_it_was() {
        let boxes = [
            BoxSummary::of("graph & loops", &[0.1, 0.2, 0.2, 0.3, 0.9]).unwrap(),
            BoxSummary::of("odometry", &[0.5, 0.8, 1.0, 1.1]).unwrap(),
        ];
        assert_golden("box_plot.svg", &box_plot(ERROR, &boxes).unwrap());
    }

    #[test]
    fn a_lost_run_does_not_squash_the_others() {
        let boxes = [
            BoxSummary::of("good", &[0.02, 0.03, 0.05]).unwrap(),
            BoxSummary::of("lost", &[9.0, 55.0]).unwrap(),
        ];
        assert!(box_plot(ERROR, &boxes).unwrap().contains("in m, logarithmic"));
    }

    #[test]
    fn thousands_of_outliers_and_runs_make_a_chart_of_bounded_size() {
        let samples: Vec<f64> =
            (0..100_000).map(|i| if i % 10 == 0 { 5.0 + f64::from(i) } else { 1.0 }).collect();
        let boxes = vec![BoxSummary::of("a", &samples).unwrap(); 300];
        let svg = box_plot(ERROR, &boxes).unwrap();
        assert!(svg.len() < 3_000_000, "{}", svg.len());
        assert!(svg.contains("the first 200 of 300 runs are drawn"));
        assert_eq!(box_plot(ERROR, &[]), None);
    }
}

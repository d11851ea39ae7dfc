//! Which poses found a partner in time: the stamps of truth and estimate on two lines over one axis.
//!
//! Matched stamps point inwards and are joined, unmatched ones point outwards, gaps are shaded. Stamps that share a
//! column of a pixel are drawn once, so that a million of them make a small chart.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::axis::{Axis, Scale, drawable, extent};
use super::frame::{Anchor, Area, MARGIN, WIDTH, X_AXIS_PX, close, open, round_tenth, text, x_axis};
use super::ink::{BAD, GOOD};
use super::legend::{Entry, Legend, Mark};
use super::lettering::{cut, grouped};

/// The stamps of one trajectory, in any order.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Timeline<'a> {
    /// Its name.
    pub label: &'a str,
    /// Stamps of poses with a partner, in seconds.
    pub matched_s: &'a [f64],
    /// Stamps of poses without one, in seconds.
    pub unmatched_s: &'a [f64],
}

/// What was associated with what.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Association<'a> {
    /// The trajectory taken as true.
    pub truth: Timeline<'a>,
    /// The trajectory judged.
    pub estimate: Timeline<'a>,
    /// Timestamps of truth and estimate that belong together, in seconds.
    pub pairs_s: &'a [(f64, f64)],
    /// Start and end of intervals without a match, in seconds.
    pub gaps_s: &'a [(f64, f64)],
}

const LEFT: f64 = MARGIN;
const PLOT_HEIGHT: f64 = 170.0;
/// Height of the two lines above the bottom of the plot, and length of a stamp's mark.
const TRUTH_PX: f64 = 115.0;
const ESTIMATE_PX: f64 = 55.0;
const MARK_PX: f64 = 14.0;

/// Draws the two time lines; none without a stamp.
#[must_use]
pub fn association(association: &Association<'_>) -> Option<String> {
    let Association { truth, estimate, pairs_s, gaps_s } = association;
    let stamps = |line: &Timeline<'_>| extent(line.matched_s.iter().chain(line.unmatched_s).copied());
    let ends = [stamps(truth), stamps(estimate)].into_iter().flatten().flat_map(|(low, high)| [low, high]);
    let scale = Scale::tight(extent(ends)?, 8);
    let legend = Legend::new(LEFT, legend_entries(gaps_s));
    let area =
        Area { left: LEFT, top: legend.height() + 8.0, width: WIDTH - LEFT - MARGIN, height: PLOT_HEIGHT };
    let mut svg = open(area.bottom() + X_AXIS_PX, "which poses were matched in time");
    legend.draw(&mut svg, 0.0);
    draw_gaps(&mut svg, area, &scale, gaps_s);
    x_axis(&mut svg, area, &scale, &scale.title(Axis { label: "time", unit: "s" }));
    let (truth_y, estimate_y) = (area.bottom() - TRUTH_PX, area.bottom() - ESTIMATE_PX);
    draw_pairs(&mut svg, area, &scale, pairs_s, (truth_y + MARK_PX, estimate_y - MARK_PX));
    draw_line(&mut svg, area, &scale, truth, (truth_y, MARK_PX));
    draw_line(&mut svg, area, &scale, estimate, (estimate_y, -MARK_PX));
    text(&mut svg, (LEFT, truth_y - 2.2 * MARK_PX), Anchor::Start, &name(truth));
    text(&mut svg, (LEFT, estimate_y + 2.2 * MARK_PX), Anchor::Start, &name(estimate));
    Some(close(svg))
}

fn legend_entries(gaps_s: &[(f64, f64)]) -> Vec<Entry> {
    let mut entries = vec![
        Entry { mark: Mark::Line(GOOD, 100), text: "matched".to_owned() },
        Entry { mark: Mark::Line(BAD, 100), text: "without a partner".to_owned() },
    ];
    if !gaps_s.is_empty() {
        entries.push(Entry { mark: Mark::Shade("currentColor"), text: "gap".to_owned() });
    }
    entries
}

fn name(line: &Timeline<'_>) -> String {
    let (matched, all) = (line.matched_s.len(), line.matched_s.len() + line.unmatched_s.len());
    format!("{}: {} of {} matched", cut(line.label, WIDTH / 2.0), grouped(matched), grouped(all))
}

fn draw_gaps(svg: &mut String, area: Area, scale: &Scale, gaps_s: &[(f64, f64)]) {
    // Gaps that share all their pixels are drawn once.
    let column = |time_s: f64| round_tenth(area.x_of(scale, time_s));
    let places: BTreeMap<i64, f64> = gaps_s
        .iter()
        .filter(|(start, end)| drawable(*start) && drawable(*end))
        .map(|&(start, end)| ((column(start) * 2.0) as i64, column(end) - column(start)))
        .collect();
    for (twice_x, width) in places {
        // Writing into a string cannot fail, here and below.
        let _ = writeln!(
            svg,
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"currentColor\" opacity=\"0.14\"/>",
            twice_x as f64 / 2.0,
            round_tenth(area.top),
            round_tenth(width.max(1.0)),
            area.height
        );
    }
}

/// A line per pair, one of each column of a pixel: that with the largest difference in time.
fn draw_pairs(
    svg: &mut String,
    area: Area,
    scale: &Scale,
    pairs_s: &[(f64, f64)],
    (from_y, to_y): (f64, f64),
) {
    let mut columns: BTreeMap<i64, (f64, f64)> = BTreeMap::new();
    for &(truth_s, estimate_s) in pairs_s.iter().filter(|pair| drawable(pair.0) && drawable(pair.1)) {
        let column = area.x_of(scale, truth_s).floor() as i64;
        let kept = columns.entry(column).or_insert((truth_s, estimate_s));
        if (truth_s - estimate_s).abs() > (kept.0 - kept.1).abs() {
            *kept = (truth_s, estimate_s);
        }
    }
    let mut path = String::new();
    for (truth_s, estimate_s) in columns.into_values() {
        let (from, to) = (area.x_of(scale, truth_s), area.x_of(scale, estimate_s));
        let _ = write!(
            path,
            "M{} {}L{} {}",
            round_tenth(from),
            round_tenth(from_y),
            round_tenth(to),
            round_tenth(to_y)
        );
    }
    let _ = writeln!(svg, "<path d=\"{path}\" stroke=\"{GOOD}\" opacity=\"0.4\"/>");
}

/// A time line with its marks; the matched ones point along `mark_px`, the others against it.
fn draw_line(svg: &mut String, area: Area, scale: &Scale, line: &Timeline<'_>, (y, mark_px): (f64, f64)) {
    let y = round_tenth(y);
    let _ = writeln!(svg, "<path d=\"M{} {y}h{}\" stroke=\"currentColor\"/>", area.left, area.width);
    for (stamps_s, colour, length) in [(line.matched_s, GOOD, mark_px), (line.unmatched_s, BAD, -mark_px)] {
        let mut columns: Vec<i64> = stamps_s
            .iter()
            .filter(|&&stamp_s| drawable(stamp_s))
            .map(|&stamp_s| area.x_of(scale, stamp_s).floor() as i64)
            .collect();
        columns.sort_unstable();
        columns.dedup();
        let mut path = String::new();
        for column in columns {
            let _ = write!(path, "M{} {y}v{length}", column as f64 + 0.5);
        }
        let _ = writeln!(svg, "<path d=\"{path}\" stroke=\"{colour}\" stroke-width=\"1.2\"/>");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::golden::assert_golden;

    fn example<'a>(matched_s: &'a [f64], pairs_s: &'a [(f64, f64)]) -> Association<'a> {
        Association {
            truth: Timeline { label: "truth", matched_s, unmatched_s: &[3.0] },
            estimate: Timeline { label: "run <1>", matched_s, unmatched_s: &[] },
            pairs_s,
            gaps_s: &[(2.0, 4.0)],
        }
    }

    #[test]
    fn a_small_chart_is_as_it_was() {
        let svg =
            association(&example(&[0.0, 1.0, 2.0, 4.0], &[(0.0, 0.1), (1.0, 1.0), (2.0, 2.0), (4.0, 4.0)]));
        assert_golden("association.svg", &svg.unwrap());
    }

    #[test]
    fn nothing_to_draw_is_none() {
        let none = Timeline { label: "a", matched_s: &[f64::NAN], unmatched_s: &[] };
        let empty = Association { truth: none, estimate: none, pairs_s: &[], gaps_s: &[] };
        assert_eq!(association(&empty), None);
    }

    #[test]
    fn a_million_stamps_make_a_small_chart() {
        let stamps: Vec<f64> = (0..1_000_000).map(|i| 1.5e9 + f64::from(i) * 0.01).collect();
        let pairs: Vec<_> = stamps.iter().map(|&stamp| (stamp, stamp + 0.001)).collect();
        let svg = association(&example(&stamps, &pairs)).unwrap();
        assert!(svg.len() < 100_000, "{} bytes", svg.len());
        assert!(svg.contains("1\u{2009}000\u{2009}000 of 1\u{2009}000\u{2009}001 matched"));
    }
}

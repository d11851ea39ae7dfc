//! Several runs from above: all in one view with a colour each, or side by side under one scale of errors.

use std::fmt::Write;

use model::Point2;

use super::PathPoint;
use super::colour_bar::ErrorColours;
use super::layout::{COLOUR_BAR_PX, FOOT_PX, LEFT, Layout, MAX_HEIGHT, TOP};
use super::path;
use crate::chart::axis::Axis;
use crate::chart::frame::{Anchor, Area, WIDTH, close, note, open, text};
use crate::chart::ink::{COLOURS, DASHES};
use crate::chart::legend::{Entry, Legend, Mark};
use crate::chart::lettering::{LINE_PX, cut};

/// Runs drawn; more cannot be told apart.
const MAX_RUNS: usize = 12;
/// From one view to the next.
const GAP_PX: f64 = 12.0;

/// One run in the frame of the truth.
#[derive(Clone, Debug, PartialEq)]
pub struct RunPath {
    /// Name of the run.
    pub label: String,
    /// The path in order of time.
    pub path: Vec<PathPoint>,
}

fn points<'a>(runs: &'a [RunPath], truth: &'a [Point2]) -> impl Iterator<Item = Point2> + Clone + 'a {
    runs.iter().flat_map(|run| run.path.iter().map(|point| point.at)).chain(truth.iter().copied())
}

/// All runs and the truth in one view; none without a point.
#[must_use]
pub fn runs_together(runs: &[RunPath], truth: &[Point2]) -> Option<String> {
    let drawn = &runs[..runs.len().min(MAX_RUNS)];
    let mut entries = Vec::new();
    if !truth.is_empty() {
        entries.push(Entry { mark: Mark::Line("currentColor", 60), text: "truth".to_owned() });
    }
    for (index, run) in drawn.iter().enumerate() {
        let mark = Mark::DashedLine(COLOURS[index % COLOURS.len()], DASHES[index % DASHES.len()]);
        entries.push(Entry { mark, text: run.label.clone() });
    }
    let legend = Legend::new(LEFT, entries);
    let top = TOP + legend.height();
    let area = Area { left: LEFT, top, width: WIDTH - 2.0 * LEFT, height: MAX_HEIGHT };
    let layout = Layout::around(points(drawn, truth), std::iter::empty(), area)?;
    let left_out = runs.len() - drawn.len();
    let height = layout.area.bottom() + FOOT_PX + if left_out > 0 { LINE_PX } else { 0.0 };
    let mut svg = open(height, "paths of all runs seen from above");
    legend.draw(&mut svg, 0.0);
    path::draw_truth(&mut svg, &layout, truth);
    for (index, run) in drawn.iter().enumerate() {
        let (colour, dash) = (COLOURS[index % COLOURS.len()], DASHES[index % DASHES.len()]);
        path::draw_line(&mut svg, &layout, &run.path, colour, dash);
    }
    layout.draw_scale_bar(&mut svg);
    if left_out > 0 {
        let words = format!("the first {MAX_RUNS} of {} runs are drawn", runs.len());
        note(&mut svg, (LEFT, layout.area.bottom() + FOOT_PX), &words);
    }
    Some(close(svg))
}

/// Height of a colour bar whose title is not cut.
const MIN_BAR_PX: f64 = 180.0;

/// The runs side by side at one scale, all coloured by one scale of errors; none without a point.
#[must_use]
pub fn runs_by_error(axis: Axis<'_>, runs: &[RunPath], truth: &[Point2]) -> Option<String> {
    let drawn = &runs[..runs.len().min(MAX_RUNS)];
    let columns = match drawn.len() {
        0 => return None,
        1 => 1,
        2 | 4 => 2,
        _ => 3,
    };
    let width = (WIDTH - LEFT - COLOUR_BAR_PX - (columns - 1) as f64 * GAP_PX) / columns as f64;
    let area = Area { left: LEFT, top: 0.0, width, height: MAX_HEIGHT / if columns > 1 { 1.5 } else { 1.0 } };
    let first = Layout::around(points(drawn, truth), std::iter::empty(), area)?;
    let errors = drawn.iter().flat_map(|run| run.path.iter().filter_map(|point| point.error));
    let colours = ErrorColours::of_errors(errors, axis);
    let rows = drawn.len().div_ceil(columns);
    let row_px = LINE_PX + first.area.height + GAP_PX;
    let bottom = (TOP + rows as f64 * row_px - GAP_PX).max(TOP + LINE_PX + MIN_BAR_PX);
    let mut svg = open(bottom + FOOT_PX, &format!("paths seen from above, coloured by {}", axis.label));
    let mut last_row = first.moved_to(LEFT, TOP);
    for (index, run) in drawn.iter().enumerate() {
        let left = LEFT + (index % columns) as f64 * (width + GAP_PX);
        let top = TOP + (index / columns) as f64 * row_px;
        let layout = first.moved_to(left, top + LINE_PX);
        text(&mut svg, (left + 6.0, top + LINE_PX / 2.0), Anchor::Start, &cut(&run.label, width));
        // Writing into a string cannot fail.
        let _ = writeln!(
            svg,
            "<rect x=\"{left:.1}\" y=\"{:.1}\" width=\"{width:.1}\" height=\"{:.1}\" fill=\"none\" \
             stroke=\"currentColor\" opacity=\"0.18\"/>",
            layout.area.top, layout.area.height
        );
        path::draw_truth(&mut svg, &layout, truth);
        path::draw_path(&mut svg, &layout, &colours, &run.path);
        if index % columns == 0 {
            last_row = layout;
        }
    }
    last_row.draw_scale_bar(&mut svg);
    let bar = Area {
        left: LEFT,
        top: TOP + LINE_PX,
        width: WIDTH - LEFT - COLOUR_BAR_PX,
        height: bottom - TOP - LINE_PX,
    };
    colours.draw(&mut svg, bar);
    Some(close(svg))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(label: &str, scale: f64) -> RunPath {
        let point = |i: u32| PathPoint {
            at: Point2::new(f64::from(i), scale * f64::from(i % 5)),
            error: Some(scale * f64::from(i) / 100.0),
        };
        RunPath { label: label.to_owned(), path: (0..50).map(point).collect() }
    }

    fn truth() -> Vec<Point2> {
        (0..50).map(|i| Point2::new(f64::from(i), f64::from(i % 5))).collect()
    }

    const AXIS: Axis<'_> = Axis { label: "translation error", unit: "m" };

    #[test]
    fn every_run_has_its_colour_and_its_name() {
        let svg = runs_together(&[run("a", 1.0), run("<b>", 1.1)], &truth()).unwrap();
        assert!(svg.contains(">truth<") && svg.contains(">a<") && svg.contains("&lt;b&gt;"));
        assert!(svg.contains(COLOURS[0]) && svg.contains(COLOURS[1]));
        assert!(runs_together(&[], &[]).is_none());
    }

    #[test]
    fn all_runs_share_one_scale_of_errors() {
        let svg = runs_by_error(AXIS, &[run("good", 0.1), run("bad", 1.0)], &truth()).unwrap();
        assert_eq!(svg.matches("translation error in m").count(), 1, "one colour bar");
        // The worst colour belongs to the bad run alone: once in the bar, once on its path.
        assert_eq!(svg.matches("#fde725").count(), 2);
        assert!(runs_by_error(AXIS, &[], &truth()).is_none());
    }

    #[test]
    fn too_many_runs_are_said() {
        let runs: Vec<RunPath> = (0..15).map(|i| run(&format!("run {i}"), 1.0)).collect();
        assert!(runs_together(&runs, &truth()).unwrap().contains("the first 12 of 15 runs"));
    }
}

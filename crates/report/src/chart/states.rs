//! Parts of the poses over time, one panel each: x, y and yaw of all runs and of the truth.

use std::fmt::Write;

use super::axis::{Axis, Scale, drawable, extent};
use super::frame::{
    Area, MARGIN, WIDTH, X_AXIS_PX, close, note, open, round_tenth, x_axis, y_axis, y_axis_px,
};
use super::ink::{COLOURS, DASHES};
use super::legend::{Entry, Legend, Mark};
use super::lettering::LINE_PX;
use super::thinning::thin_line;

const PANEL_PX: f64 = 130.0;
const GAP_PX: f64 = 14.0;
/// Lines drawn; a legend of more is no help.
const MAX_LINES: usize = 13;

/// One part of the poses.
#[derive(Clone, Debug, PartialEq)]
pub struct StatePanel<'a> {
    /// What is shown, such as `x` in `m`.
    pub axis: Axis<'a>,
    /// Larger steps are no motion but a wrap, as of a heading at 180 degrees; the line is broken there.
    pub wrap_above: Option<f64>,
    /// The truth first, then the runs.
    pub lines: Vec<StateLine>,
}

/// One run in a panel.
#[derive(Clone, Debug, PartialEq)]
pub struct StateLine {
    /// Name of the run; the same in all panels.
    pub label: String,
    /// Whether it is the truth, which is drawn below all runs.
    pub is_truth: bool,
    /// Time and value, in order of time.
    pub points: Vec<(f64, f64)>,
}

/// Draws the panels below each other over one axis of time; none without a point.
#[must_use]
pub fn states(time: Axis<'_>, panels: &[StatePanel<'_>]) -> Option<String> {
    let all = panels.iter().flat_map(|panel| &panel.lines).flat_map(|line| &line.points);
    let time_scale = Scale::tight(extent(all.map(|point| point.0))?, 8);
    let value_scale = |panel: &StatePanel<'_>| {
        let values = panel.lines.iter().flat_map(|line| &line.points).map(|point| point.1);
        Scale::round(extent(values).unwrap_or((0.0, 1.0)), 5)
    };
    let scales: Vec<Scale> = panels.iter().map(value_scale).collect();
    let left = scales.iter().map(y_axis_px).fold(0.0, f64::max);
    let lines = panels.first()?.lines.len();
    let legend = Legend::new(left, legend_entries(&panels.first()?.lines));
    let top = legend.height() + 10.0;
    let bottom = top + panels.len() as f64 * (PANEL_PX + GAP_PX) - GAP_PX;
    let has_more = lines > MAX_LINES;
    let mut svg = open(
        bottom + X_AXIS_PX + if has_more { LINE_PX } else { 0.0 },
        &format!("parts of the poses over {}", time.label),
    );
    legend.draw(&mut svg, 0.0);
    let mut area = Area { left, top, width: WIDTH - left - MARGIN, height: PANEL_PX };
    for (index, (panel, scale)) in panels.iter().zip(&scales).enumerate() {
        area.top = top + index as f64 * (PANEL_PX + GAP_PX);
        y_axis(&mut svg, area, scale, &scale.title(panel.axis));
        if index + 1 == panels.len() {
            x_axis(&mut svg, area, &time_scale, &time_scale.title(time));
        }
        for (number, line) in panel.lines.iter().enumerate().take(MAX_LINES) {
            draw_line(
                &mut svg,
                area,
                (&time_scale, scale),
                line,
                style(&panel.lines, number),
                panel.wrap_above,
            );
        }
    }
    if has_more {
        let words = format!("the first {MAX_LINES} of {lines} lines are drawn");
        note(&mut svg, (left, bottom + X_AXIS_PX + 0.3 * LINE_PX), &words);
    }
    Some(close(svg))
}

/// Colour and dash of a line: the truth in the colour of the text.
fn style(lines: &[StateLine], number: usize) -> (&'static str, &'static str) {
    if lines[number].is_truth {
        return ("currentColor", "");
    }
    let run = lines[..number].iter().filter(|line| !line.is_truth).count();
    (COLOURS[run % COLOURS.len()], DASHES[run % DASHES.len()])
}

fn legend_entries(lines: &[StateLine]) -> Vec<Entry> {
    let entry = |(number, line): (usize, &StateLine)| {
        let (colour, dash) = style(lines, number);
        let mark = if line.is_truth { Mark::Line(colour, 60) } else { Mark::DashedLine(colour, dash) };
        Entry { mark, text: line.label.clone() }
    };
    lines.iter().enumerate().take(MAX_LINES).map(entry).collect()
}

fn draw_line(
    svg: &mut String,
    area: Area,
    (time_scale, scale): (&Scale, &Scale),
    line: &StateLine,
    (colour, dash): (&str, &str),
    wrap_above: Option<f64>,
) {
    let points: Vec<(f64, f64)> =
        line.points.iter().copied().filter(|point| drawable(point.0) && drawable(point.1)).collect();
    let is_joined = |a: &(f64, f64), b: &(f64, f64)| wrap_above.is_none_or(|most| (b.1 - a.1).abs() <= most);
    let mut path = String::new();
    for part in points.chunk_by(is_joined) {
        let places = part.iter().map(|point| (area.x_of(time_scale, point.0), area.y_of(scale, point.1)));
        for (index, (x, y)) in thin_line(places, 1.0).into_iter().enumerate() {
            let command = if index == 0 { 'M' } else { 'L' };
            // Writing into a string cannot fail, here and below.
            let _ = write!(path, "{command}{} {}", round_tenth(x), round_tenth(y));
        }
    }
    if path.is_empty() {
        return;
    }
    let (width, opacity) = if line.is_truth { (2.6, 0.45) } else { (1.6, 1.0) };
    let _ = writeln!(
        svg,
        "<path d=\"{path}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\" stroke-linejoin=\"round\" \
         stroke-dasharray=\"{dash}\" opacity=\"{opacity}\"/>"
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    fn panel<'a>(label: &'a str, values: &[f64], wrap_above: Option<f64>) -> StatePanel<'a> {
        let line = |name: &str, is_truth: bool| StateLine {
            label: name.to_owned(),
            is_truth,
            points: (0_u32..).zip(values).map(|(t, &value)| (f64::from(t), value)).collect(),
        };
        StatePanel {
            axis: Axis { label, unit: "m" },
            wrap_above,
            lines: vec![line("truth", true), line("slam", false)],
        }
    }

    const TIME: Axis<'_> = Axis { label: "time", unit: "s" };

    #[test]
    fn panels_stand_over_one_axis_of_time() {
        let svg =
            states(TIME, &[panel("x", &[0.0, 1.0, 2.0], None), panel("y", &[5.0, 4.0, 3.0], None)]).unwrap();
        assert_eq!(svg.matches("time in s").count(), 1);
        assert!(svg.contains(">x in m<") && svg.contains(">y in m<"));
        assert_eq!(svg.matches(">slam<").count(), 1, "one legend");
        assert!(states(TIME, &[]).is_none() && states(TIME, &[panel("x", &[], None)]).is_none());
    }

    #[test]
    fn a_heading_that_wraps_is_no_motion() {
        let lines = |wrap_above| {
            let svg = states(TIME, &[panel("yaw", &[170.0, 179.0, -179.0, -170.0], wrap_above)]).unwrap();
            let path = svg
                .lines()
                .find(|line| line.contains(COLOURS[0]) && line.contains("d=\"M") && line.contains('L'));
            path.unwrap().matches('M').count()
        };
        assert_eq!((lines(None), lines(Some(180.0))), (1, 2));
    }
}

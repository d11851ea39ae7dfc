//! Errors over time or distance: a dot per error, the running mean, and the clusters of specification T-PLOT.
//!
//! More dots than can be told apart are drawn as their range per column of a pixel, so that no peak vanishes; the
//! chart then says so.

use std::fmt::Write;

use super::axis::{Axis, Scale, drawable, extent};
use super::frame::{
    Anchor, Area, MARGIN, WIDTH, X_AXIS_PX, close, note, open, round_tenth, text, x_axis, y_axis, y_axis_px,
};
use super::ink::{BAD, COLOURS, DASHES};
use super::legend::{Entry, Legend, Mark};
use super::lettering::{LINE_PX, cut, grouped, width_px};
use super::thinning::{column_ranges, thin_line};

/// Errors of one run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Series<'a> {
    /// Name of the run.
    pub label: &'a str,
    /// Place on the axis and error, in any order. What is not finite is left out.
    pub points: &'a [(f64, f64)],
    /// The running mean in order of the place; empty for none.
    pub running_mean: &'a [(f64, f64)],
}

/// An interval of large errors.
#[derive(Clone, Debug, PartialEq)]
pub struct Span {
    /// Where it begins on the axis.
    pub start: f64,
    /// Where it ends.
    pub end: f64,
    /// The largest running mean in it.
    pub peak: f64,
    /// Its name.
    pub label: String,
}

const PLOT_HEIGHT: f64 = 250.0;
/// Up to this many points of all series each has a dot of its own.
const MAX_DOTS: usize = 3000;
/// Up to this many spans have their name printed: those with the highest peaks.
const MAX_NAMES: usize = 12;
/// Series drawn; a legend of more is no help.
const MAX_SERIES: usize = 12;

/// Draws errors over `x`; none without a point.
#[must_use]
pub fn error_over(x: Axis<'_>, y: Axis<'_>, series: &[Series<'_>], spans: &[Span]) -> Option<String> {
    let drawn = &series[..series.len().min(MAX_SERIES)];
    let is_drawable = |&&(x, y): &&(f64, f64)| drawable(x) && drawable(y);
    let all = || drawn.iter().flat_map(|s| s.points.iter().chain(s.running_mean)).filter(is_drawable);
    let count = drawn.iter().flat_map(|s| s.points).filter(is_drawable).count();
    let peaks = spans.iter().map(|span| span.peak);
    let x_scale = Scale::tight(extent(all().map(|point| point.0))?, 8);
    let (low, high) = extent(all().map(|point| point.1).chain(peaks))?;
    let y_scale = Scale::round((low.min(0.0), high.max(0.0)), 6);

    let left = y_axis_px(&y_scale);
    let legend = Legend::new(left, legend_entries(drawn, spans));
    let mut area = Area { left, top: 0.0, width: WIDTH - left - MARGIN, height: PLOT_HEIGHT };
    let names = span_names(area, &x_scale, spans);
    let name_lines = names.iter().map(|name| name.line + 1).max().unwrap_or(0) as f64;
    area.top = legend.height() + name_lines * LINE_PX + 10.0;
    let notes = notes(series.len(), count);
    let height = area.bottom() + X_AXIS_PX + notes.len() as f64 * LINE_PX;

    let mut svg = open(height, &format!("{} over {}", y.label, x.label));
    legend.draw(&mut svg, 0.0);
    draw_spans(&mut svg, area, (&x_scale, &y_scale), spans);
    for name in &names {
        let y = legend.height() + (name.line as f64 + 0.5) * LINE_PX;
        text(&mut svg, (name.left, y), Anchor::Start, &name.text);
    }
    y_axis(&mut svg, area, &y_scale, &y_scale.title(y));
    x_axis(&mut svg, area, &x_scale, &x_scale.title(x));
    let place = |point: &(f64, f64)| (area.x_of(&x_scale, point.0), area.y_of(&y_scale, point.1));
    for (index, one) in drawn.iter().enumerate() {
        let points = one.points.iter().filter(is_drawable).map(place);
        let colour = COLOURS[index % COLOURS.len()];
        if count <= MAX_DOTS {
            draw_dots(&mut svg, colour, points);
        } else {
            draw_ranges(&mut svg, colour, points);
        }
    }
    for (index, one) in drawn.iter().enumerate() {
        let mean = thin_line(one.running_mean.iter().filter(is_drawable).map(place), 1.0);
        draw_mean(&mut svg, index, &mean);
    }
    for (line, words) in notes.iter().enumerate() {
        note(&mut svg, (left, area.bottom() + X_AXIS_PX + (line as f64 + 0.3) * LINE_PX), words);
    }
    Some(close(svg))
}

fn legend_entries(series: &[Series<'_>], spans: &[Span]) -> Vec<Entry> {
    let has_mean = series.iter().any(|one| !one.running_mean.is_empty());
    let mark = |index: usize, one: &Series<'_>| {
        let colour = COLOURS[index % COLOURS.len()];
        if one.running_mean.is_empty() {
            Mark::Dot(colour)
        } else {
            Mark::DottedLine(colour, DASHES[index % DASHES.len()])
        }
    };
    let entry =
        |(index, one): (usize, &Series<'_>)| Entry { mark: mark(index, one), text: one.label.to_owned() };
    let mut entries: Vec<_> = series.iter().enumerate().map(entry).collect();
    if has_mean {
        entries.push(Entry { mark: Mark::Line("currentColor", 70), text: "running mean".to_owned() });
    }
    if !spans.is_empty() {
        entries.push(Entry { mark: Mark::Shade(BAD), text: "cluster of large errors".to_owned() });
    }
    entries
}

fn notes(series: usize, points: usize) -> Vec<String> {
    let mut notes = Vec::new();
    if points > MAX_DOTS {
        notes.push(format!("{} errors, drawn as their range in each column of a pixel", grouped(points)));
    }
    if series > MAX_SERIES {
        notes.push(format!("the first {MAX_SERIES} of {series} runs are drawn"));
    }
    notes
}

/// The printed name of a span.
struct Name {
    left: f64,
    line: usize,
    text: String,
}

/// Names above their spans, each in the first line in which it has room.
fn span_names(area: Area, x_scale: &Scale, spans: &[Span]) -> Vec<Name> {
    let mut order: Vec<&Span> = spans.iter().filter(|span| !span.label.is_empty()).collect();
    order.sort_by(|a, b| b.peak.total_cmp(&a.peak));
    order.truncate(MAX_NAMES);
    order.sort_by(|a, b| a.start.total_cmp(&b.start));
    let mut line_ends: Vec<f64> = Vec::new();
    let name = |span: &&Span| {
        let text = cut(&span.label, area.width / 2.0);
        let width = width_px(&text);
        let middle = f64::midpoint(area.x_of(x_scale, span.start), area.x_of(x_scale, span.end));
        let left = (middle - width / 2.0).clamp(area.left, (WIDTH - width).max(area.left));
        let free = line_ends.iter().position(|&end| end + 10.0 <= left);
        let line = free.unwrap_or_else(|| {
            line_ends.push(0.0);
            line_ends.len() - 1
        });
        line_ends[line] = left + width;
        Name { left, line, text }
    };
    order.iter().map(name).collect()
}

fn draw_spans(svg: &mut String, area: Area, (x_scale, y_scale): (&Scale, &Scale), spans: &[Span]) {
    for span in spans {
        let (start, end) = (area.x_of(x_scale, span.start), area.x_of(x_scale, span.end));
        let (x, width) = (round_tenth(start), round_tenth((end - start).max(1.0)));
        let peak = round_tenth(area.y_of(y_scale, span.peak));
        // Writing into a string cannot fail, here and below.
        let _ = writeln!(
            svg,
            "<rect x=\"{x}\" y=\"{}\" width=\"{width}\" height=\"{}\" fill=\"{BAD}\" opacity=\"0.16\"/>\
             <path d=\"M{x} {peak}h{width}\" stroke=\"{BAD}\" stroke-width=\"1.4\" opacity=\"0.8\"/>",
            round_tenth(area.top),
            area.height
        );
    }
}

fn draw_dots(svg: &mut String, colour: &str, points: impl Iterator<Item = (f64, f64)>) {
    let mut path = String::new();
    for (x, y) in points {
        let _ = write!(path, "M{} {}h0", round_tenth(x), round_tenth(y));
    }
    let _ = writeln!(
        svg,
        "<path d=\"{path}\" stroke=\"{colour}\" stroke-width=\"3.6\" stroke-linecap=\"round\" opacity=\"0.55\"/>"
    );
}

fn draw_ranges(svg: &mut String, colour: &str, points: impl Iterator<Item = (f64, f64)>) {
    let mut path = String::new();
    for (x, low, high) in column_ranges(points) {
        // A range without height would not be seen.
        let _ = write!(path, "M{x} {}v{}", round_tenth(high + 0.5), -round_tenth(high - low + 1.0));
    }
    let _ = writeln!(svg, "<path d=\"{path}\" stroke=\"{colour}\" stroke-width=\"1\" opacity=\"0.45\"/>");
}

fn draw_mean(svg: &mut String, index: usize, mean: &[(f64, f64)]) {
    if mean.len() < 2 {
        return;
    }
    let points: Vec<_> =
        mean.iter().map(|&(x, y)| format!("{},{}", round_tenth(x), round_tenth(y))).collect();
    let points = points.join(" ");
    let (colour, dash) = (COLOURS[index % COLOURS.len()], DASHES[index % DASHES.len()]);
    let _ = writeln!(
        svg,
        "<polyline points=\"{points}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2.2\" \
         stroke-linejoin=\"round\" stroke-dasharray=\"{dash}\"/>"
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::golden::assert_golden;

    const TIME: Axis<'_> = Axis { label: "time", unit: "s" };
    const ERROR: Axis<'_> = Axis { label: "translation error", unit: "m" };

    fn series<'a>(label: &'a str, points: &'a [(f64, f64)]) -> Series<'a> {
        Series { label, points, running_mean: &[] }
    }

    #[test]
    fn a_small_chart_is_as_it_was() {
        let points = [(0.0, 0.1), (5.0, 0.2), (10.0, 0.9), (15.0, 0.1)];
        let running_mean = [(0.0, 0.15), (7.5, 0.5), (15.0, 0.2)];
        let span = Span { start: 8.0, end: 12.0, peak: 0.5, label: "cluster 1: 8 to 12 s".into() };
        let run = Series { label: "run <a>", points: &points, running_mean: &running_mean };
        assert_golden("series.svg", &error_over(TIME, ERROR, &[run], &[span]).unwrap());
    }

    #[test]
    fn nothing_to_draw_is_none() {
        assert_eq!(error_over(TIME, ERROR, &[], &[]), None);
        assert_eq!(
            error_over(TIME, ERROR, &[series("a", &[(f64::NAN, 1.0), (1.0, f64::INFINITY)])], &[]),
            None
        );
    }

    #[test]
    fn one_point_has_a_chart() {
        let svg = error_over(TIME, ERROR, &[series("a", &[(3.0, 0.0)])], &[]).unwrap();
        assert!(!svg.contains("NaN") && svg.contains("h0"), "{svg}");
    }

    #[test]
    fn a_million_points_make_a_small_chart_with_every_peak() {
        let points: Vec<_> = (0..1_000_000)
            .map(|i| (f64::from(i), if i == 600_001 { 50.0 } else { f64::from(i % 100) / 100.0 }))
            .collect();
        let run = Series { label: "a", points: &points, running_mean: &points };
        let svg = error_over(TIME, ERROR, &[run], &[]).unwrap();
        assert!(svg.len() < 100_000, "{} bytes", svg.len());
        // 0 to 50 is the whole height: the bar of the peak has it all.
        assert!(svg.contains("v-251"), "the peak is drawn");
        assert!(svg.contains("1\u{2009}000\u{2009}000 errors"));
    }

    #[test]
    fn names_of_spans_that_lie_together_do_not_overlap() {
        let scale = Scale::tight((0.0, 100.0), 8);
        let area = Area { left: 50.0, top: 0.0, width: WIDTH - 50.0 - MARGIN, height: 100.0 };
        let spans: Vec<_> = (0..20)
            .map(|i| Span {
                start: f64::from(i) * 5.0,
                end: f64::from(i) * 5.0 + 1.0,
                peak: f64::from(i),
                label: format!("cluster {i} with a name"),
            })
            .collect();
        let names = span_names(area, &scale, &spans);
        assert_eq!(names.len(), MAX_NAMES);
        for (index, a) in names.iter().enumerate() {
            assert!(a.left >= area.left && a.left + width_px(&a.text) <= WIDTH);
            for b in &names[index + 1..] {
                let apart = a.left + width_px(&a.text) < b.left || b.left + width_px(&b.text) < a.left;
                assert!(a.line != b.line || apart);
            }
        }
    }
}

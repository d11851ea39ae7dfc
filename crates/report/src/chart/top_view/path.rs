//! Paths and relations as lines: thinned to what a figure can show, the worst kept and drawn last.

use std::collections::BTreeMap;
use std::fmt::Write;

use model::Point2;

use super::colour_bar::ErrorColours;
use super::layout::{Layout, is_drawable};
use super::{PathPoint, RelationLine};
use crate::chart::frame::round_tenth;
use crate::chart::ink::{RAMP_STEPS, ramp_colour};

/// Lines of a path that are drawn; a figure cannot show more, and its file stays small.
const MAX_SEGMENTS: usize = 6000;
const MAX_RELATIONS: usize = 400;
/// Points of a path nearer than this are drawn as one.
const FINEST_PX: f64 = 1.0;
/// Ends of relations nearer than this are the same end.
const RELATION_END_PX: f64 = 2.0;

/// A line in pixels with the worst error on it.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Segment {
    from: (f64, f64),
    to: (f64, f64),
    error: Option<f64>,
}

/// The true path, thin and grey.
pub(super) fn draw_truth(svg: &mut String, layout: &Layout, truth: &[Point2]) {
    let points: Vec<_> = truth.iter().map(|&at| PathPoint { at, error: None }).collect();
    let segments = segments(layout, &points);
    if !segments.is_empty() {
        // Writing into a string cannot fail, here and below.
        let _ = writeln!(
            svg,
            "<path d=\"{}\" fill=\"none\" stroke=\"currentColor\" stroke-width=\"1.2\" opacity=\"0.6\"/>",
            drawing(segments.iter())
        );
    }
}

/// A path in one colour, without its errors.
pub(super) fn draw_line(svg: &mut String, layout: &Layout, path: &[PathPoint], colour: &str, dash: &str) {
    let segments = segments(layout, path);
    if !segments.is_empty() {
        let _ = writeln!(
            svg,
            "<path d=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\" stroke-linejoin=\"round\" \
             stroke-dasharray=\"{dash}\"/>",
            drawing(segments.iter())
        );
    }
}

/// The judged path: a casing that keeps light colours visible, what could not be judged dashed, then the colours.
pub(super) fn draw_path(svg: &mut String, layout: &Layout, colours: &ErrorColours, path: &[PathPoint]) {
    let segments = segments(layout, path);
    let (judged, unjudged): (Vec<Segment>, Vec<Segment>) =
        segments.into_iter().partition(|segment| segment.error.is_some());
    if !unjudged.is_empty() {
        let _ = writeln!(
            svg,
            "<path d=\"{}\" fill=\"none\" stroke=\"currentColor\" stroke-width=\"1.4\" \
             stroke-dasharray=\"2 3\" opacity=\"0.6\"/>",
            drawing(unjudged.iter())
        );
    }
    if !judged.is_empty() {
        let _ = writeln!(
            svg,
            "<path d=\"{}\" fill=\"none\" stroke=\"currentColor\" stroke-width=\"4.6\" stroke-linecap=\"round\" \
             stroke-linejoin=\"round\" opacity=\"0.35\"/>",
            drawing(judged.iter())
        );
    }
    for step in 0..RAMP_STEPS {
        let of_step: Vec<_> =
            judged.iter().filter(|s| s.error.is_some_and(|error| colours.step(error) == step)).collect();
        draw_coloured(svg, step, 3.2, &drawing(of_step.into_iter()));
    }
}

/// The relations that are drawn, and how many are not: one per pair of ends, the worst of too many.
pub(super) fn chosen_relations(layout: &Layout, relations: &[RelationLine]) -> (Vec<RelationLine>, usize) {
    let mut by_ends: BTreeMap<[i64; 4], RelationLine> = BTreeMap::new();
    let end = |point: Point2| {
        let (x, y) = layout.place(point);
        ((x / RELATION_END_PX) as i64, (y / RELATION_END_PX) as i64)
    };
    for line in relations.iter().filter(|line| is_drawable(line.from) && is_drawable(line.to)) {
        let ((x1, y1), (x2, y2)) = (end(line.from), end(line.to));
        let kept = by_ends.entry([x1, y1, x2, y2]).or_insert(*line);
        if line.error > kept.error {
            *kept = *line;
        }
    }
    let mut chosen: Vec<RelationLine> = by_ends.into_values().collect();
    chosen.sort_by(|a, b| b.error.total_cmp(&a.error));
    let left_out = chosen.len().saturating_sub(MAX_RELATIONS);
    chosen.truncate(MAX_RELATIONS);
    (chosen, left_out)
}

/// Relations, coloured by their error.
pub(super) fn draw_relations(
    svg: &mut String,
    layout: &Layout,
    colours: &ErrorColours,
    relations: &[RelationLine],
) {
    for step in 0..RAMP_STEPS {
        let lines = relations.iter().filter(|line| colours.step(line.error) == step);
        let of_step: Vec<Segment> = lines
            .map(|line| Segment { from: layout.place(line.from), to: layout.place(line.to), error: None })
            .collect();
        draw_coloured(svg, step, 1.3, &drawing(of_step.iter()));
    }
}

fn draw_coloured(svg: &mut String, step: usize, width: f64, drawing: &str) {
    if drawing.is_empty() {
        return;
    }
    let _ = writeln!(
        svg,
        "<path d=\"{drawing}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{width}\" stroke-linecap=\"round\"/>",
        ramp_colour(step)
    );
}

/// The lines of a path, thinned until there are few enough.
fn segments(layout: &Layout, path: &[PathPoint]) -> Vec<Segment> {
    let mut finest_px = FINEST_PX;
    loop {
        let segments = thinned(layout, path, finest_px);
        if segments.len() <= MAX_SEGMENTS {
            return segments;
        }
        finest_px *= (segments.len() as f64 / MAX_SEGMENTS as f64).max(1.3);
    }
}

/// Lines of at least `finest_px`; each has the worst error of the poses it stands for.
fn thinned(layout: &Layout, path: &[PathPoint], finest_px: f64) -> Vec<Segment> {
    let mut points = path.iter().filter(|point| is_drawable(point.at)).peekable();
    let Some(first) = points.next() else { return Vec::new() };
    let (mut from, mut worst) = (layout.place(first.at), first.error);
    let mut segments = Vec::new();
    while let Some(point) = points.next() {
        let to = layout.place(point.at);
        worst = larger(worst, point.error);
        let is_last = points.peek().is_none();
        if (to.0 - from.0).hypot(to.1 - from.1) >= finest_px || is_last {
            segments.push(Segment { from, to, error: worst });
            (from, worst) = (to, point.error);
        }
    }
    if segments.is_empty() {
        segments.push(Segment { from, to: from, error: worst });
    }
    segments
}

fn larger(a: Option<f64>, b: Option<f64>) -> Option<f64> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.max(b)),
        (a, b) => a.or(b),
    }
}

/// Lines as the data of an SVG path; one that goes on where the last one ended is not begun anew.
fn drawing<'a>(segments: impl Iterator<Item = &'a Segment>) -> String {
    let tenths = |place: (f64, f64)| ((place.0 * 10.0).round() as i64, (place.1 * 10.0).round() as i64);
    let mut data = String::new();
    let mut end = None;
    for segment in segments {
        let (from, to) = (tenths(segment.from), tenths(segment.to));
        if end != Some(from) {
            let _ = write!(data, "M{} {}", round_tenth(segment.from.0), round_tenth(segment.from.1));
        }
        // Relative and in tenths: a third of the bytes of places.
        let _ = write!(data, "l{} {}", (to.0 - from.0) as f64 / 10.0, (to.1 - from.1) as f64 / 10.0);
        end = Some(to);
    }
    data
}

//! Labelled points seen from above: where they are, where a team says they are, and an arrow from one to the other.
//!
//! One metre is as long in both directions. Points that count are blue, others orange; a true point that nobody
//! reported is an empty circle, a report without a true point a cross.

use std::fmt::Write;

use model::Point2;

use super::frame::{Anchor, MARGIN, WIDTH, close, note, open, round_tenth, text};
use super::ink::{BAD, GOOD};
use super::lettering::{LINE_PX, cut};

/// A point of the figure.
#[derive(Clone, Debug, PartialEq)]
pub struct PointError {
    /// What is written beside it.
    pub label: String,
    /// Where it is; none for a report without a true point.
    pub truth: Option<Point2>,
    /// Where the team says it is, in the frame of the truth; none if nobody reported it.
    pub submitted: Option<Point2>,
    /// Whether it gives points.
    pub counts: bool,
}

/// Labels that are written; more would cover each other.
const MAX_LABELS: usize = 150;
/// Points that are drawn.
const MAX_POINTS: usize = 4000;
const TALLEST_PX: f64 = 900.0;

/// Draws the points; none without one.
#[must_use]
pub fn point_errors(points: &[PointError]) -> Option<String> {
    let is_finite = |place: &Point2| place.x_m.is_finite() && place.y_m.is_finite();
    let drawn: Vec<&PointError> = points
        .iter()
        .filter(|p| p.truth.iter().chain(&p.submitted).all(is_finite))
        .take(MAX_POINTS)
        .collect();
    let places: Vec<Point2> =
        drawn.iter().flat_map(|p| p.truth.iter().chain(&p.submitted)).copied().collect();
    let view = View::of(&places)?;
    let left_out = points.len() - drawn.len();
    let mut svg = open(view.height + 3.0 * LINE_PX, "labelled points: true places and reports");
    for (index, point) in drawn.iter().enumerate() {
        draw(&mut svg, &view, point, index < MAX_LABELS);
    }
    let legend =
        "circle: true place, arrow to the report; blue counts, orange does not; cross: no such point";
    note(&mut svg, (MARGIN, view.height + LINE_PX), legend);
    view.draw_scale(&mut svg);
    if left_out > 0 {
        note(
            &mut svg,
            (WIDTH / 2.0, view.height + 2.0 * LINE_PX),
            &format!("{left_out} points are not drawn"),
        );
    }
    Some(close(svg))
}

/// From metres to pixels.
struct View {
    min: Point2,
    px_per_m: f64,
    height: f64,
}

impl View {
    fn of(places: &[Point2]) -> Option<Self> {
        places.first()?;
        let range = |of: fn(&Point2) -> f64| {
            let start = (f64::INFINITY, f64::NEG_INFINITY);
            places.iter().map(of).fold(start, |(low, high), value| (low.min(value), high.max(value)))
        };
        let ((left, right), (bottom, top)) = (range(|p| p.x_m), range(|p| p.y_m));
        // A single place still gets a square metre around it.
        let (wide, tall) = ((right - left).max(1.0), (top - bottom).max(1.0));
        let px_per_m = ((WIDTH - 4.0 * MARGIN) / wide).min((TALLEST_PX - 2.0 * MARGIN) / tall);
        let min = Point2::new(left, bottom);
        (px_per_m.is_finite() && px_per_m > 0.0).then_some(Self {
            min,
            px_per_m,
            height: tall * px_per_m + 2.0 * MARGIN,
        })
    }

    fn place(&self, at: Point2) -> (f64, f64) {
        let x = MARGIN + (at.x_m - self.min.x_m) * self.px_per_m;
        let y = self.height - MARGIN - (at.y_m - self.min.y_m) * self.px_per_m;
        (round_tenth(x), round_tenth(y))
    }

    /// A bar of a round length, at most a third of the width.
    fn draw_scale(&self, svg: &mut String) {
        let most_m = WIDTH / 3.0 / self.px_per_m;
        let power = 10_f64.powf(most_m.log10().floor());
        let length_m = [5.0, 2.0, 1.0].map(|n| n * power).into_iter().find(|m| *m <= most_m).unwrap_or(power);
        let (y, right) =
            (round_tenth(self.height + 2.0 * LINE_PX), round_tenth(MARGIN + length_m * self.px_per_m));
        // Writing into a string cannot fail, here and below.
        let _ = writeln!(
            svg,
            "<line x1=\"{MARGIN}\" y1=\"{y}\" x2=\"{right}\" y2=\"{y}\" stroke=\"currentColor\" stroke-width=\"2\"/>"
        );
        text(svg, (right + 8.0, y), Anchor::Start, &format!("{length_m} m"));
    }
}

fn draw(svg: &mut String, view: &View, point: &PointError, is_labelled: bool) {
    let colour = if point.counts { GOOD } else { BAD };
    if let Some(at) = point.truth {
        let (x, y) = view.place(at);
        let fill = if point.submitted.is_some() { colour } else { "none" };
        let _ = writeln!(svg, "<circle cx=\"{x}\" cy=\"{y}\" r=\"5\" fill=\"{fill}\" stroke=\"{colour}\"/>");
    }
    match (point.truth, point.submitted) {
        (Some(truth), Some(submitted)) => arrow(svg, view.place(truth), view.place(submitted), colour),
        (None, Some(submitted)) => cross(svg, view.place(submitted), colour),
        _ => {}
    }
    if let Some(at) = point.truth.or(point.submitted).filter(|_| is_labelled) {
        let (x, y) = view.place(at);
        text(
            svg,
            (x + 8.0, y - 8.0),
            Anchor::Start,
            &cut(&point.label, (WIDTH - x - 8.0).clamp(40.0, 160.0)),
        );
    }
}

/// A line with a small head; a dot where both ends coincide.
fn arrow(svg: &mut String, (x1, y1): (f64, f64), (x2, y2): (f64, f64), colour: &str) {
    let length = (x2 - x1).hypot(y2 - y1);
    if length < 1.0 {
        let _ = writeln!(svg, "<circle cx=\"{x2}\" cy=\"{y2}\" r=\"2\" fill=\"currentColor\"/>");
        return;
    }
    let (along_x, along_y) = ((x2 - x1) / length * 7.0, (y2 - y1) / length * 7.0);
    let wing = |side: f64| {
        let (x, y) = (x2 - along_x - side * along_y * 0.5, y2 - along_y + side * along_x * 0.5);
        format!("{},{}", round_tenth(x), round_tenth(y))
    };
    let _ = writeln!(
        svg,
        "<line x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\" stroke=\"{colour}\" stroke-width=\"1.5\"/>\
         <polyline points=\"{} {x2},{y2} {}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.5\"/>",
        wing(1.0),
        wing(-1.0)
    );
}

fn cross(svg: &mut String, (x, y): (f64, f64), colour: &str) {
    let _ = writeln!(
        svg,
        "<path d=\"M{} {}l8 8m0 -8l-8 8\" stroke=\"{colour}\" stroke-width=\"1.5\"/>",
        round_tenth(x - 4.0),
        round_tenth(y - 4.0)
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(label: &str, truth: Option<(f64, f64)>, submitted: Option<(f64, f64)>) -> PointError {
        let place = |(x, y)| Point2::new(x, y);
        PointError {
            label: label.to_owned(),
            truth: truth.map(place),
            submitted: submitted.map(place),
            counts: true,
        }
    }

    #[test]
    fn every_kind_of_point_is_drawn_and_names_stay_text() {
        let svg = point_errors(&[
            point("<b>", Some((0.0, 0.0)), Some((1.0, 1.0))),
            point("missed", Some((3.0, 0.0)), None),
            point("invented", None, Some((2.0, 2.0))),
        ])
        .unwrap();
        assert_eq!((svg.matches("<circle").count(), svg.matches("<polyline").count()), (2, 1));
        assert!(svg.contains("&lt;b&gt;") && svg.contains("<path") && svg.contains(" m</text>"), "{svg}");
    }

    #[test]
    fn nothing_one_place_and_places_beyond_numbers() {
        assert_eq!(point_errors(&[]), None);
        assert_eq!(point_errors(&[point("a", Some((f64::NAN, 0.0)), None)]), None);
        let one = point_errors(&[point("a", Some((1e7, -1e7)), Some((1e7, -1e7)))]).unwrap();
        assert!(!one.contains("NaN") && !one.contains("inf"), "{one}");
    }
}

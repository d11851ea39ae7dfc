//! Two values that cannot be weighed against each other: a dot per team, those that nobody beats in both joined.

use std::fmt::Write;

use super::axis::{Axis, Scale, drawable, extent};
use super::frame::{
    Anchor, Area, MARGIN, WIDTH, X_AXIS_PX, close, note, open, round_tenth, text, x_axis, y_axis, y_axis_px,
};
use super::ink::COLOURS;
use super::lettering::{LINE_PX, cut, width_px};

/// A team in the chart.
#[derive(Clone, Debug, PartialEq)]
pub struct ParetoDot {
    /// Name of the team.
    pub label: String,
    /// The value along the chart.
    pub x: f64,
    /// The value up the chart.
    pub y: f64,
    /// No other team is at least as good in both and better in one.
    pub is_front: bool,
}

const PLOT_HEIGHT: f64 = 260.0;
/// More names are no help.
const MAX_NAMES: usize = 40;
const MAX_NAME_PX: f64 = 150.0;

/// Draws the teams; none without a dot.
#[must_use]
pub fn pareto(x: Axis<'_>, y: Axis<'_>, dots: &[ParetoDot]) -> Option<String> {
    let drawn: Vec<&ParetoDot> = dots.iter().filter(|dot| drawable(dot.x) && drawable(dot.y)).collect();
    let wide = |ends: (f64, f64)| {
        let room = ((ends.1 - ends.0) * 0.08).max(ends.1.abs() * 0.02);
        (if ends.0 >= 0.0 { (ends.0 - room).max(0.0) } else { ends.0 - room }, ends.1 + room)
    };
    let x_scale = Scale::round(wide(extent(drawn.iter().map(|dot| dot.x))?), 8);
    let y_scale = Scale::round(wide(extent(drawn.iter().map(|dot| dot.y))?), 6);
    let left = y_axis_px(&y_scale);
    let area = Area { left, top: 12.0, width: WIDTH - left - MARGIN, height: PLOT_HEIGHT };
    let mut svg = open(area.bottom() + X_AXIS_PX + LINE_PX, &format!("{} against {}", y.label, x.label));
    y_axis(&mut svg, area, &y_scale, &y_scale.title(y));
    x_axis(&mut svg, area, &x_scale, &x_scale.title(x));
    let place =
        |dot: &ParetoDot| (round_tenth(area.x_of(&x_scale, dot.x)), round_tenth(area.y_of(&y_scale, dot.y)));
    draw_front(&mut svg, &drawn, place);
    let mut taken: Vec<(f64, f64, f64)> = Vec::new();
    for (index, dot) in drawn.iter().enumerate() {
        let at = place(dot);
        draw_dot(&mut svg, dot, at);
        if index < MAX_NAMES {
            draw_name(&mut svg, area, dot, at, &mut taken);
        }
    }
    let words = "filled: no other team is at least as good in both and better in one";
    note(&mut svg, (left, area.bottom() + X_AXIS_PX + 0.3 * LINE_PX), words);
    Some(close(svg))
}

/// A thin line through the dots that nobody beats.
fn draw_front(svg: &mut String, dots: &[&ParetoDot], place: impl Fn(&ParetoDot) -> (f64, f64)) {
    let mut front: Vec<(f64, f64)> = dots.iter().filter(|dot| dot.is_front).map(|dot| place(dot)).collect();
    front.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    if front.len() < 2 {
        return;
    }
    let points: Vec<String> = front.iter().map(|(x, y)| format!("{x},{y}")).collect();
    // Writing into a string cannot fail, here and below.
    let _ = writeln!(
        svg,
        "<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.5\" stroke-dasharray=\"5 4\" \
         opacity=\"0.6\"/>",
        points.join(" "),
        COLOURS[0]
    );
}

fn draw_dot(svg: &mut String, dot: &ParetoDot, (x, y): (f64, f64)) {
    let fill = if dot.is_front { COLOURS[0] } else { "none" };
    let stroke = if dot.is_front { COLOURS[0] } else { "currentColor" };
    let _ = writeln!(
        svg,
        "<circle cx=\"{x}\" cy=\"{y}\" r=\"5\" fill=\"{fill}\" stroke=\"{stroke}\" stroke-width=\"1.8\"/>"
    );
}

/// The name beside its dot, on the side where there is room; left out where another name stands.
fn draw_name(
    svg: &mut String,
    area: Area,
    dot: &ParetoDot,
    (x, y): (f64, f64),
    taken: &mut Vec<(f64, f64, f64)>,
) {
    let name = cut(&dot.label, MAX_NAME_PX);
    let width = width_px(&name);
    let is_right = x + 10.0 + width <= area.right() + MARGIN;
    let left = if is_right { x + 10.0 } else { x - 10.0 - width };
    for shift in [0.0, -LINE_PX, LINE_PX, -2.0 * LINE_PX, 2.0 * LINE_PX] {
        let at = y + shift;
        let is_free = taken
            .iter()
            .all(|&(l, w, t)| (t - at).abs() >= LINE_PX - 3.0 || left >= l + w || left + width <= l);
        if is_free && at > area.top && at < area.bottom() {
            let (anchor, start) = if is_right { (Anchor::Start, left) } else { (Anchor::End, left + width) };
            text(svg, (start, at), anchor, &name);
            taken.push((left, width, at));
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dot(label: &str, x: f64, y: f64, is_front: bool) -> ParetoDot {
        ParetoDot { label: label.into(), x, y, is_front }
    }

    const E: Axis<'_> = Axis { label: "E", unit: "" };
    const M: Axis<'_> = Axis { label: "M", unit: "" };

    #[test]
    fn teams_on_the_front_are_filled_and_joined() {
        let dots = [dot("A", 0.2, 0.9, true), dot("B", 0.8, 0.4, true), dot("<C>", 0.1, 0.1, false)];
        let svg = pareto(E, M, &dots).unwrap();
        assert_eq!((svg.matches("<circle").count(), svg.matches("<polyline").count()), (3, 1));
        assert!(svg.contains("&lt;C&gt;") && !svg.contains("<C>"));
    }

    #[test]
    fn nothing_to_draw_is_no_chart() {
        assert_eq!(pareto(E, M, &[]), None);
        assert_eq!(pareto(E, M, &[dot("A", f64::NAN, 0.0, true)]), None);
        assert!(pareto(E, M, &[dot("A", 0.0, 0.0, true)]).is_some());
    }
}

//! The frame of a chart: the SVG element, the area of the plot, its axes.

use std::fmt::Write;

use super::axis::Scale;
use super::lettering::{FONT_PX, LINE_PX, cut, escaped, width_px};

/// Width of a chart; the page scales it to its own.
pub(super) const WIDTH: f64 = 720.0;
/// Room beside the plot, enough for half a number of the axis.
pub(super) const MARGIN: f64 = 36.0;
/// Room below the plot: ticks, their numbers and the title.
pub(super) const X_AXIS_PX: f64 = 48.0;
/// From a tick to its number.
const TICK_GAP: f64 = 8.0;

/// The part of the chart in which values are drawn, in pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Area {
    pub(super) left: f64,
    pub(super) top: f64,
    pub(super) width: f64,
    pub(super) height: f64,
}

impl Area {
    pub(super) fn right(self) -> f64 {
        self.left + self.width
    }

    pub(super) fn bottom(self) -> f64 {
        self.top + self.height
    }

    pub(super) fn x_of(self, scale: &Scale, value: f64) -> f64 {
        self.left + scale.share(value) * self.width
    }

    pub(super) fn y_of(self, scale: &Scale, value: f64) -> f64 {
        self.bottom() - scale.share(value) * self.height
    }
}

/// A tenth of a unit is finer than any screen shows, and keeps the page small.
pub(crate) fn round_tenth(length: f64) -> f64 {
    (length * 10.0).round() / 10.0
}

/// The opening of a chart. `about` says in a few words what it shows, for those who cannot see it.
pub(super) fn open(height: f64, about: &str) -> String {
    let about = escaped(about);
    format!(
        "<svg class=\"plot\" viewBox=\"0 0 {WIDTH} {}\" role=\"img\" aria-label=\"{about}\" \
         xmlns=\"http://www.w3.org/2000/svg\" font-family=\"system-ui, sans-serif\" font-size=\"{FONT_PX}\">\n",
        height.ceil()
    )
}

pub(super) fn close(mut svg: String) -> String {
    svg.push_str("</svg>\n");
    svg
}

/// Where a text begins, has its middle or ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// A line of text; `y` is its middle. Escaped here.
pub(super) fn text(svg: &mut String, (x, y): (f64, f64), anchor: Anchor, text: &str) {
    let anchor = match anchor {
        Anchor::Start => "",
        Anchor::Middle => " text-anchor=\"middle\"",
        Anchor::End => " text-anchor=\"end\"",
    };
    // Writing into a string cannot fail, here and below.
    let _ = writeln!(
        svg,
        "<text x=\"{}\" y=\"{}\"{anchor} fill=\"currentColor\">{}</text>",
        round_tenth(x),
        round_tenth(y + 4.5),
        escaped(text)
    );
}

/// A note in smaller contrast, cut to the width of the chart.
pub(super) fn note(svg: &mut String, (x, y): (f64, f64), note: &str) {
    svg.push_str("<g opacity=\"0.7\">");
    text(svg, (x, y), Anchor::Start, &cut(note, WIDTH - x));
    svg.push_str("</g>\n");
}

/// The numbers below the plot, a line through it at each, and the title.
pub(super) fn x_axis(svg: &mut String, area: Area, scale: &Scale, title: &str) {
    for tick in &scale.ticks {
        let x = round_tenth(area.x_of(scale, tick.at));
        let _ = writeln!(
            svg,
            "<line x1=\"{x}\" y1=\"{}\" x2=\"{x}\" y2=\"{}\" stroke=\"currentColor\" opacity=\"0.18\"/>",
            round_tenth(area.top),
            round_tenth(area.bottom() + 5.0)
        );
        text(svg, (x, area.bottom() + 14.0), Anchor::Middle, &tick.text);
    }
    let title = cut(title, WIDTH - 2.0 * MARGIN);
    // Under the middle of the plot, as far as the title then stays inside the chart.
    let half = width_px(&title) / 2.0;
    let middle = (area.left + area.width / 2.0).clamp(half, WIDTH - half);
    text(svg, (middle, area.bottom() + 14.0 + LINE_PX), Anchor::Middle, &title);
}

/// The room that the numbers and the title of a vertical axis take.
pub(super) fn y_axis_px(scale: &Scale) -> f64 {
    let numbers = scale.ticks.iter().map(|tick| width_px(&tick.text)).fold(0.0, f64::max);
    (numbers + TICK_GAP + LINE_PX + 2.0).max(MARGIN).ceil()
}

/// The numbers left of the plot, a line through it at each, and the title, turned.
pub(super) fn y_axis(svg: &mut String, area: Area, scale: &Scale, title: &str) {
    for tick in &scale.ticks {
        let y = round_tenth(area.y_of(scale, tick.at));
        let _ = writeln!(
            svg,
            "<line x1=\"{}\" y1=\"{y}\" x2=\"{}\" y2=\"{y}\" stroke=\"currentColor\" opacity=\"0.18\"/>",
            round_tenth(area.left),
            round_tenth(area.right())
        );
        text(svg, (area.left - TICK_GAP, y), Anchor::End, &tick.text);
    }
    let middle = round_tenth(area.top + area.height / 2.0);
    let _ = writeln!(
        svg,
        "<text x=\"14\" y=\"{middle}\" transform=\"rotate(-90 14 {middle})\" text-anchor=\"middle\" \
         fill=\"currentColor\">{}</text>",
        escaped(&cut(title, area.height))
    );
}

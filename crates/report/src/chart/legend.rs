//! What the marks of a chart mean: entries in lines above the plot.

use std::fmt::Write;

use super::frame::{Anchor, WIDTH, round_tenth, text};
use super::lettering::{LINE_PX, cut, width_px};

/// How a mark looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    Dot(&'static str),
    /// A dot on a dashed line.
    DottedLine(&'static str, &'static str),
    /// A dashed line.
    DashedLine(&'static str, &'static str),
    /// A line of some opacity in hundredths.
    Line(&'static str, u8),
    /// A faint area.
    Shade(&'static str),
}

/// A mark and what it means.
pub(super) struct Entry {
    pub(super) mark: Mark,
    pub(super) text: String,
}

const MARK_PX: f64 = 30.0;
const GAP_PX: f64 = 18.0;
/// Longer texts are cut.
const MAX_PX: f64 = 240.0;

/// Entries with the place of each: x and the number of the line, filled from the left.
pub(super) struct Legend {
    entries: Vec<(Entry, f64, usize)>,
    left: f64,
}

impl Legend {
    pub(super) fn new(left: f64, entries: Vec<Entry>) -> Self {
        let (mut x, mut line) = (left, 0);
        let place = |entry: Entry| {
            let text = cut(&entry.text, MAX_PX);
            let width = MARK_PX + width_px(&text);
            if x > left && x + width > WIDTH {
                (x, line) = (left, line + 1);
            }
            let place = (Entry { text, ..entry }, x, line);
            x += width + GAP_PX;
            place
        };
        Self { entries: entries.into_iter().map(place).collect(), left }
    }

    pub(super) fn height(&self) -> f64 {
        self.entries.last().map_or(0.0, |(_, _, line)| (line + 1) as f64 * LINE_PX)
    }

    pub(super) fn draw(&self, svg: &mut String, top: f64) {
        for (entry, x, line) in &self.entries {
            let y = round_tenth(top + (*line as f64 + 0.5) * LINE_PX);
            draw_mark(svg, entry.mark, round_tenth(*x), y);
            text(svg, (x.max(self.left) + MARK_PX, y), Anchor::Start, &entry.text);
        }
    }
}

fn draw_mark(svg: &mut String, mark: Mark, x: f64, y: f64) {
    let line = format!("<path d=\"M{x} {y}h24\" fill=\"none\" stroke-width=\"2.2\"");
    let middle = x + 12.0;
    // Writing into a string cannot fail.
    let _ = match mark {
        Mark::Dot(colour) => write!(svg, "<circle cx=\"{middle}\" cy=\"{y}\" r=\"3\" fill=\"{colour}\"/>"),
        Mark::DottedLine(colour, dash) => write!(
            svg,
            "{line} stroke=\"{colour}\" stroke-dasharray=\"{dash}\"/>\
             <circle cx=\"{middle}\" cy=\"{y}\" r=\"3\" fill=\"{colour}\"/>"
        ),
        Mark::DashedLine(colour, dash) => {
            write!(svg, "{line} stroke=\"{colour}\" stroke-dasharray=\"{dash}\"/>")
        }
        Mark::Line(colour, hundredths) => {
            write!(svg, "{line} stroke=\"{colour}\" opacity=\"{}\"/>", f64::from(hundredths) / 100.0)
        }
        Mark::Shade(colour) => write!(
            svg,
            "<rect x=\"{x}\" y=\"{}\" width=\"24\" height=\"12\" fill=\"{colour}\" opacity=\"0.22\"/>",
            y - 6.0
        ),
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_stay_inside_the_chart_and_apart() {
        let entries = (0..20).map(|i| Entry { mark: Mark::Dot("#000"), text: "W".repeat(3 * i) }).collect();
        let legend = Legend::new(40.0, entries);
        let ends = |index: usize| {
            let (entry, x, line) = &legend.entries[index];
            (*x, x + MARK_PX + width_px(&entry.text), *line)
        };
        for index in 1..20 {
            let (before, here) = (ends(index - 1), ends(index));
            assert!(here.1 <= WIDTH, "{here:?}");
            assert!(here.2 > before.2 || here.0 > before.1, "{before:?} {here:?}");
        }
        assert!(legend.height() >= 6.0 * LINE_PX);
    }
}

//! Cells seen from above with what their colours mean: an image, its extent in metres, a legend above it.

use std::fmt::Write;

use super::Background;
use super::frame::{Anchor, MARGIN, WIDTH, close, note, open, round_tenth, text};
use super::lettering::{LINE_PX, cut, width_px};
use crate::figure::base64;
use crate::number::fixed;

/// What the view shows.
#[derive(Clone, Copy, Debug)]
pub struct CellView<'a> {
    /// For those who cannot see it.
    pub about: &'a str,
    /// The image and its corners in metres.
    pub image: Background<'a>,
    /// Colours and their meaning, in the order of the legend.
    pub legend: &'a [([u8; 3], &'a str)],
    /// Lines below the image.
    pub notes: &'a [String],
}

const SWATCH_PX: f64 = 14.0;
const GAP_PX: f64 = 16.0;
const MAX_HEIGHT_PX: f64 = 900.0;
const MAX_TEXT_PX: f64 = 300.0;

/// Draws the view; none of an image without extent.
#[must_use]
pub fn cell_view(view: &CellView<'_>) -> Option<String> {
    let image = &view.image;
    let (width_m, height_m) = (image.max.x_m - image.min.x_m, image.max.y_m - image.min.y_m);
    if !(width_m > 0.0 && height_m > 0.0 && width_m.is_finite() && height_m.is_finite()) {
        return None;
    }
    let px_per_m = ((WIDTH - 2.0 * MARGIN) / width_m).min(MAX_HEIGHT_PX / height_m);
    let (width, height) = (width_m * px_per_m, height_m * px_per_m);
    let places = legend_places(view.legend);
    let lines = places.last().map_or(0, |(_, line)| line + 1);
    let (left, top) = ((WIDTH - width) / 2.0, lines as f64 * LINE_PX + 8.0);
    let mut svg = open(top + height + (view.notes.len() as f64 + 1.5) * LINE_PX, view.about);
    for ((colour, meaning), (x, line)) in view.legend.iter().zip(places) {
        draw_entry(&mut svg, *colour, meaning, (x, (line as f64 + 0.5) * LINE_PX));
    }
    // Writing into a string cannot fail.
    let _ = writeln!(
        svg,
        "<image x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" preserveAspectRatio=\"none\" \
         style=\"image-rendering:pixelated\" href=\"data:image/png;base64,{}\"/>",
        round_tenth(left),
        round_tenth(top),
        round_tenth(width),
        round_tenth(height),
        base64(image.png)
    );
    let below = top + height + 0.6 * LINE_PX;
    text(
        &mut svg,
        (left, below),
        Anchor::Start,
        &format!("({}, {}) m", fixed(image.min.x_m, 2), fixed(image.min.y_m, 2)),
    );
    let far = format!("{width_m:.2} x {height_m:.2} m");
    text(&mut svg, (left + width, below), Anchor::End, &far);
    for (line, words) in view.notes.iter().enumerate() {
        note(&mut svg, (MARGIN, below + (line as f64 + 1.0) * LINE_PX), words);
    }
    Some(close(svg))
}

/// Left edge and line of each entry, filled from the left.
fn legend_places(legend: &[([u8; 3], &str)]) -> Vec<(f64, usize)> {
    let (mut x, mut line) = (MARGIN, 0);
    let place = |(_, meaning): &([u8; 3], &str)| {
        let width = SWATCH_PX + 6.0 + width_px(&cut(meaning, MAX_TEXT_PX));
        if x > MARGIN && x + width > WIDTH {
            (x, line) = (MARGIN, line + 1);
        }
        let place = (x, line);
        x += width + GAP_PX;
        place
    };
    legend.iter().map(place).collect()
}

fn draw_entry(svg: &mut String, [r, g, b]: [u8; 3], meaning: &str, (x, y): (f64, f64)) {
    let _ = writeln!(
        svg,
        "<rect x=\"{}\" y=\"{}\" width=\"{SWATCH_PX}\" height=\"{SWATCH_PX}\" fill=\"#{r:02x}{g:02x}{b:02x}\" \
         stroke=\"currentColor\" stroke-opacity=\"0.4\"/>",
        round_tenth(x),
        round_tenth(y - SWATCH_PX / 2.0)
    );
    text(svg, (x + SWATCH_PX + 6.0, y), Anchor::Start, &cut(meaning, MAX_TEXT_PX));
}

#[cfg(test)]
mod tests {
    use model::Point2;

    use super::*;

    fn view<'a>(max: Point2, notes: &'a [String]) -> CellView<'a> {
        let image = Background { png: b"PNG", min: Point2::new(-1.0, 0.0), max };
        CellView {
            about: "cells",
            image,
            legend: &[([255, 0, 0], "wall & <door>"), ([0, 0, 0], "path")],
            notes,
        }
    }

    #[test]
    fn the_legend_names_every_colour_and_the_image_keeps_its_shape() {
        let notes = ["length 4 m".to_owned()];
        let svg = cell_view(&view(Point2::new(3.0, 2.0), &notes)).unwrap();
        assert!(
            svg.contains("#ff0000") && svg.contains("wall &amp; &lt;door&gt;") && svg.contains("length 4 m")
        );
        assert!(svg.contains("width=\"648\" height=\"324\""), "{svg}");
        assert!(svg.contains("4.00 x 2.00 m"));
    }

    #[test]
    fn an_image_without_extent_is_none() {
        assert_eq!(cell_view(&view(Point2::new(-1.0, 2.0), &[])), None);
        assert_eq!(cell_view(&view(Point2::new(f64::NAN, 2.0), &[])), None);
    }
}

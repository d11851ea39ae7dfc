//! Marks on a map: rings around places where something was found, is missing or should be, and numbers.

use std::fmt::Write;

use model::{GridGeometry, Point2};
use serde::{Deserialize, Serialize};

use super::base64;
use super::scale_bar::{self, strip_height};
use crate::chart::escaped;

const MAX_LABEL: usize = 24;

/// Something drawn at a place, in metres in the frame of the figure's cells.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mark {
    Ring(Ring),
    Number { number: u32, x_m: f64, y_m: f64 },
}

/// What a ring says, with a colour of Okabe and Ito (2008).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RingKind {
    /// Found: bluish green.
    Found,
    /// Not found, drawn where it should be: vermilion, dashed.
    Missing,
    /// Where it should be: blue, thin.
    Expected,
}

impl RingKind {
    const fn style(self) -> &'static str {
        match self {
            Self::Found => "stroke=\"#009e73\"",
            Self::Missing => "stroke=\"#d55e00\" stroke-dasharray=\"4 3\"",
            Self::Expected => "stroke=\"#0072b2\" stroke-opacity=\"0.8\"",
        }
    }
}

/// A circle or arc.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ring {
    pub kind: RingKind,
    pub x_m: f64,
    pub y_m: f64,
    pub radius_m: f64,
    /// Start and opening in radians, counter-clockwise; none for the whole circle.
    pub arc_rad: Option<[f64; 2]>,
    /// Written beside it; empty for nothing.
    pub label: String,
    /// An arrow from the centre to this place, metres.
    pub arrow_to: Option<[f64; 2]>,
}

/// The image of the cells with the marks on it as an SVG element; its unit is a cell.
pub(super) fn marked_svg(png: &[u8], geometry: &GridGeometry, marks: &[&Mark]) -> String {
    let (width, height) = (geometry.width(), geometry.height());
    let is_ring = |mark: &&Mark| matches!(mark, Mark::Ring(_));
    let (style, min_letter) =
        if marks.iter().any(is_ring) { ("fill=\"none\">", 0.8) } else { ("text-anchor=\"middle\">\n", 1.0) };
    let letter = (width.max(height) as f64 / 45.0).max(min_letter);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {:.2}\" font-family=\"sans-serif\" \
         font-size=\"{letter:.2}\" {style}<image width=\"{width}\" height=\"{height}\" preserveAspectRatio=\"none\" \
         style=\"image-rendering:pixelated\" href=\"data:image/png;base64,{}\"/>\n",
        height as f64 + strip_height(letter),
        base64(png)
    );
    let mut labels: Vec<[f64; 3]> = Vec::new();
    for mark in marks {
        match mark {
            Mark::Ring(ring) => draw_ring(&mut svg, ring, geometry, letter, &mut labels),
            Mark::Number { number, x_m, y_m } => {
                let (halo, [x, y]) = (letter / 6.0, in_cells(geometry, [*x_m, *y_m]));
                // Writing into a string cannot fail, here and below.
                let _ = writeln!(
                    svg,
                    "<text x=\"{x:.2}\" y=\"{:.2}\" stroke=\"#fff\" stroke-width=\"{halo:.2}\" \
                     paint-order=\"stroke\">{number}</text>",
                    y + letter / 3.0
                );
            }
        }
    }
    svg + &scale_bar::svg(width, geometry.cell_size_m(), height as f64, letter) + "</svg>\n"
}

/// Columns from the left and rows from the top.
pub(super) fn in_cells(geometry: &GridGeometry, [x_m, y_m]: [f64; 2]) -> [f64; 2] {
    let (right, up) = geometry.grid_point_of_world(Point2::new(x_m, y_m));
    [right, geometry.height() as f64 - up]
}

/// Draws a ring with its label; `labels` are those drawn before: left end, base line and width.
fn draw_ring(
    svg: &mut String,
    ring: &Ring,
    geometry: &GridGeometry,
    letter: f64,
    labels: &mut Vec<[f64; 3]>,
) {
    let [x, y] = in_cells(geometry, [ring.x_m, ring.y_m]);
    let radius = ring.radius_m / geometry.cell_size_m();
    if ![x, y, radius].iter().all(|number| number.is_finite() && number.abs() < 1e9) {
        return;
    }
    let stroke = format!("{} stroke-width=\"1.6\" vector-effect=\"non-scaling-stroke\"", ring.kind.style());
    let _ = match ring.arc_rad {
        Some([start, opening]) if opening < 6.2 => {
            let start = start - geometry.origin().theta_rad;
            let end = |angle: f64| (x + radius * angle.cos(), y - radius * angle.sin());
            let ((x0, y0), (x1, y1)) = (end(start), end(start + opening));
            let (r, large) = (radius, u8::from(opening > std::f64::consts::PI));
            writeln!(svg, "<path d=\"M{x0:.2} {y0:.2}A{r:.2} {r:.2} 0 {large} 0 {x1:.2} {y1:.2}\" {stroke}/>")
        }
        _ => writeln!(svg, "<circle cx=\"{x:.2}\" cy=\"{y:.2}\" r=\"{radius:.2}\" {stroke}/>"),
    };
    if let Some(place) = ring.arrow_to {
        let [to_x, to_y] = in_cells(geometry, place);
        let _ = writeln!(
            svg,
            "<path d=\"M{x:.2} {y:.2}L{to_x:.2} {to_y:.2}\" {stroke}/><circle cx=\"{to_x:.2}\" cy=\"{to_y:.2}\" \
             r=\"{:.2}\" fill=\"#0072b2\"/>",
            letter / 5.0
        );
    }
    if !ring.label.is_empty() {
        let words: String = ring.label.chars().take(MAX_LABEL).collect();
        let (beside, halo) = (x + 0.75 * radius, letter / 5.0);
        let width = words.chars().count() as f64 * 0.65 * letter;
        let base = free_line([beside, y - 0.75 * radius, width], letter, labels);
        let label = escaped(&words);
        let _ = writeln!(
            svg,
            "<text x=\"{beside:.2}\" y=\"{:.2}\" fill=\"#000\" stroke=\"#fff\" stroke-width=\"{halo:.2}\" \
             paint-order=\"stroke\">{label}</text>",
            base
        );
    }
}

/// The base line of a label where no earlier one stands: as wished, or the next line below. Both halves of a barrel
/// have their place in common.
pub(super) fn free_line([left, wished, width]: [f64; 3], letter: f64, labels: &mut Vec<[f64; 3]>) -> f64 {
    const MAX_LINES: usize = 8;
    let is_taken = |base: f64| {
        let meets = |[other, line, other_width]: &[f64; 3]| {
            (base - line).abs() < letter && left < other + other_width && *other < left + width
        };
        labels.iter().any(meets)
    };
    let lines = (0..MAX_LINES).map(|line| wished + line as f64 * 1.05 * letter);
    let base = lines.into_iter().find(|base| !is_taken(*base)).unwrap_or(wished);
    labels.push([left, base, width]);
    base
}

#[cfg(test)]
mod tests {
    use model::Pose2;

    use super::super::{Figure, ImageError, Layer};
    use super::*;

    #[test]
    fn labels_of_two_halves_stand_below_each_other() {
        let mut labels = Vec::new();
        assert!((free_line([10.0, 5.0, 3.0], 1.0, &mut labels) - 5.0).abs() < 1e-12);
        assert!((free_line([10.5, 5.2, 3.0], 1.0, &mut labels) - 6.25).abs() < 1e-12);
        assert!((free_line([20.0, 5.0, 3.0], 1.0, &mut labels) - 5.0).abs() < 1e-12, "far away");
    }

    /// A map of 4 x 3 cells of half a metre, with the lower left corner at (10, 20).
    fn drawn(rings: &[Ring]) -> String {
        let geometry = GridGeometry::new(4, 3, 0.5, Pose2::new(10.0, 20.0, 0.0)).unwrap();
        let map = Layer::classes("map", &geometry, &[0; 12], [[255; 3]; 3]);
        let marks = Layer::marks("parts", rings.iter().cloned().map(Mark::Ring).collect());
        let figure = Figure::new("a", "", "", vec![map, marks]);
        assert_eq!(figure.file_name(), "a.svg");
        figure.svg().unwrap()
    }

    /// Two columns from the left, one row from the top.
    fn ring(label: &str) -> Ring {
        let (kind, label) = (RingKind::Found, label.to_owned());
        Ring { kind, x_m: 11.0, y_m: 21.0, radius_m: 0.5, arc_rad: None, label, arrow_to: None }
    }

    #[test]
    fn a_ring_an_arc_and_an_arrow() {
        assert!(drawn(&[ring("")]).contains("<circle cx=\"2.00\" cy=\"1.00\" r=\"1.00\" stroke=\"#009e73\""));
        // From the right over the top to the left: counter-clockwise, and half a circle is not large.
        let half = Ring { arc_rad: Some([0.0, std::f64::consts::PI]), ..ring("") };
        assert!(drawn(&[half]).contains("M3.00 1.00A1.00 1.00 0 0 0 1.00 1.00"));
        let arrow = Ring { arrow_to: Some([11.5, 20.5]), ..ring("") };
        assert!(drawn(&[arrow]).contains("M2.00 1.00L3.00 2.00"));
    }

    #[test]
    fn foreign_text_is_escaped_and_numbers_that_are_none_are_left_out() {
        let svg = drawn(&[ring("<b>&"), Ring { x_m: f64::NAN, ..ring("hidden") }]);
        assert!(svg.contains("&lt;b&gt;&amp;") && !svg.contains("hidden"), "{svg}");
    }

    #[test]
    fn marks_without_cells_cannot_be_drawn() {
        let figure = Figure::new("a", "", "", vec![Layer::marks("parts", Vec::new())]);
        assert!(matches!(figure.svg(), Err(ImageError::Empty)));
    }

    #[test]
    fn numbers_stand_on_their_places() {
        let geometry = GridGeometry::new(90, 45, 1.0, Pose2::IDENTITY).unwrap();
        let svg = marked_svg(&[], &geometry, &[&Mark::Number { number: 7, x_m: 10.0, y_m: 25.0 }]);
        assert!(svg.contains("<text x=\"10.00\" y=\"20.67\"") && svg.contains(">7</text>"), "{svg}");
    }
}

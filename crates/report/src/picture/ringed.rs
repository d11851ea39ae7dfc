//! A map, or a piece of it, with rings around places: where something was found, is missing, or should be.

use std::fmt::Write;

use model::CellClass;

use super::{PictureError, Rgb, Size, draw};
use crate::base64::base64;
use crate::chart::escaped;

/// White, grey and black: free, unknown and occupied cells.
const GREYS: [Rgb; 3] = [[255, 255, 255], [205, 205, 205], [0, 0, 0]];
const MAX_LABEL: usize = 24;

/// What a ring says, with a colour of Okabe and Ito (2008).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

/// A circle or arc on the map, in cells: x to the right, y down.
#[derive(Clone, Debug, PartialEq)]
pub struct Ring {
    /// What it says.
    pub kind: RingKind,
    /// Column of the centre.
    pub x: f64,
    /// Row of the centre.
    pub y: f64,
    /// Radius in cells.
    pub radius: f64,
    /// Start and opening in radians, counter-clockwise; none for the whole circle.
    pub arc_rad: Option<[f64; 2]>,
    /// Written beside it; empty for nothing.
    pub label: String,
    /// An arrow from the centre to this place.
    pub arrow_to: Option<[f64; 2]>,
}

/// A piece of a map and what is drawn on it.
#[derive(Clone, Debug, PartialEq)]
pub struct RingedMap<'a> {
    /// The cells of the whole map, top row first.
    pub classes: &'a [CellClass],
    /// Columns of the whole map.
    pub width: usize,
    /// Columns that are shown.
    pub columns: std::ops::Range<usize>,
    /// Rows that are shown.
    pub rows: std::ops::Range<usize>,
    /// Rings, in drawing order.
    pub rings: &'a [Ring],
}

/// Draws the piece as an SVG element.
///
/// # Errors
/// There is no cell to draw.
pub fn ringed_svg(map: &RingedMap<'_>) -> Result<String, PictureError> {
    let height = map.classes.len() / map.width.max(1);
    let columns = map.columns.start.min(map.width)..map.columns.end.min(map.width);
    let rows = map.rows.start.min(height)..map.rows.end.min(height);
    let size = Size::of(columns.len(), rows.len())?;
    let class = |index: usize| {
        let (row, column) = (rows.start + index / size.width, columns.start + index % size.width);
        map.classes[row * map.width + column] as u8
    };
    let darkest = |block: &[u8]| block.iter().copied().max().unwrap_or(0);
    let png = draw(size, &GREYS, class, darkest)?;
    let letter = (size.longer_side() as f64 / 45.0).max(0.8);
    let (left, top) = (columns.start as f64, rows.start as f64);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" font-family=\"sans-serif\" \
         font-size=\"{letter:.2}\" fill=\"none\"><image width=\"{0}\" height=\"{1}\" preserveAspectRatio=\"none\" \
         style=\"image-rendering:pixelated\" href=\"data:image/png;base64,{}\"/>\n",
        size.width,
        size.height,
        base64(&png)
    );
    for ring in map.rings.iter().filter(|ring| is_drawable(ring)) {
        draw_ring(&mut svg, ring, [left, top], letter);
    }
    Ok(svg + "</svg>\n")
}

fn is_drawable(ring: &Ring) -> bool {
    [ring.x, ring.y, ring.radius].iter().all(|number| number.is_finite() && number.abs() < 1e9)
}

fn draw_ring(svg: &mut String, ring: &Ring, [left, top]: [f64; 2], letter: f64) {
    let (x, y) = (ring.x - left, ring.y - top);
    let stroke = format!("{} stroke-width=\"1.6\" vector-effect=\"non-scaling-stroke\"", ring.kind.style());
    // Writing into a string cannot fail.
    let _ = match ring.arc_rad {
        Some([start, opening]) if opening < 6.2 => {
            let end = |angle: f64| (x + ring.radius * angle.cos(), y - ring.radius * angle.sin());
            let ((x0, y0), (x1, y1)) = (end(start), end(start + opening));
            let (r, large) = (ring.radius, u8::from(opening > std::f64::consts::PI));
            writeln!(svg, "<path d=\"M{x0:.2} {y0:.2}A{r:.2} {r:.2} 0 {large} 0 {x1:.2} {y1:.2}\" {stroke}/>")
        }
        _ => writeln!(svg, "<circle cx=\"{x:.2}\" cy=\"{y:.2}\" r=\"{:.2}\" {stroke}/>", ring.radius),
    };
    if let Some([to_x, to_y]) = ring.arrow_to {
        let (to_x, to_y) = (to_x - left, to_y - top);
        let _ = writeln!(
            svg,
            "<path d=\"M{x:.2} {y:.2}L{to_x:.2} {to_y:.2}\" {stroke}/><circle cx=\"{to_x:.2}\" cy=\"{to_y:.2}\" \
             r=\"{:.2}\" fill=\"#0072b2\"/>",
            letter / 5.0
        );
    }
    if !ring.label.is_empty() {
        let label = escaped(&ring.label.chars().take(MAX_LABEL).collect::<String>());
        let (beside, halo) = (x + 0.75 * ring.radius, letter / 5.0);
        let _ = writeln!(
            svg,
            "<text x=\"{beside:.2}\" y=\"{:.2}\" fill=\"#000\" stroke=\"#fff\" stroke-width=\"{halo:.2}\" \
             paint-order=\"stroke\">{label}</text>",
            y - 0.75 * ring.radius
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(rings: &[Ring]) -> String {
        let classes = [CellClass::Free; 12];
        ringed_svg(&RingedMap { classes: &classes, width: 4, columns: 0..4, rows: 0..3, rings }).unwrap()
    }

    fn ring(label: &str) -> Ring {
        let label = label.to_owned();
        Ring { kind: RingKind::Found, x: 2.0, y: 1.0, radius: 1.0, arc_rad: None, label, arrow_to: None }
    }

    #[test]
    fn a_ring_an_arc_and_an_arrow() {
        assert!(drawn(&[ring("")]).contains("<circle cx=\"2.00\" cy=\"1.00\" r=\"1.00\" stroke=\"#009e73\""));
        // From the right over the top to the left: against the clock, less than half a turn is not large.
        let half = Ring { arc_rad: Some([0.0, std::f64::consts::PI]), ..ring("") };
        assert!(drawn(&[half]).contains("M3.00 1.00A1.00 1.00 0 0 0 1.00 1.00"));
        assert!(drawn(&[Ring { arrow_to: Some([3.0, 2.0]), ..ring("") }]).contains("M2.00 1.00L3.00 2.00"));
    }

    #[test]
    fn foreign_text_is_escaped_and_numbers_that_are_none_are_left_out() {
        let svg = drawn(&[ring("<b>&"), Ring { x: f64::NAN, ..ring("hidden") }]);
        assert!(svg.contains("&lt;b&gt;&amp;") && !svg.contains("hidden"), "{svg}");
    }

    #[test]
    fn a_piece_outside_the_map_has_nothing_to_draw() {
        let classes = [CellClass::Free; 4];
        let map = RingedMap { classes: &classes, width: 2, columns: 5..9, rows: 0..2, rings: &[] };
        assert!(matches!(ringed_svg(&map), Err(PictureError::Empty { .. })));
    }
}

//! Vector layers over the cells of a map: paths, areas and places, each layer a group that a page can switch.

use std::fmt::Write;

use model::GridGeometry;
use serde::{Deserialize, Serialize};

use super::image::Rgb;
use super::marks::{free_line, in_cells};
use super::{base64, scale_bar};
use crate::chart::escaped;

/// Points of a line that are drawn, and labels of a layer; more cannot be told apart.
const MAX_POINTS: usize = 4000;
const MAX_LABELS: usize = 120;
const MAX_LABEL: usize = 24;
/// Shapes of a layer that are drawn.
const MAX_SHAPES: usize = 5000;

/// One vector layer, in metres in the frame of the figure's cells.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Vectors {
    /// What it shows, for the switch of a page.
    pub title: String,
    pub colour: Rgb,
    /// Lines of the truth are dashed.
    pub is_dashed: bool,
    pub symbol: Symbol,
    /// In drawing order.
    pub shapes: Vec<VectorShape>,
}

/// How places look.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Symbol {
    Cross,
    Dot,
    Ring,
    Square,
    Triangle,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum VectorShape {
    Line(Vec<[f64; 2]>),
    /// Closed rings, filled by the even-odd rule.
    Area {
        rings: Vec<Vec<[f64; 2]>>,
        /// Empty for none.
        label: String,
    },
    Place {
        at: [f64; 2],
        /// Empty for none.
        label: String,
    },
}

impl Vectors {
    /// The colour as a page writes it.
    #[must_use]
    pub fn hex(&self) -> String {
        let [r, g, b] = self.colour;
        format!("#{r:02x}{g:02x}{b:02x}")
    }
}

/// The image of the cells with the layers on it as an SVG element; its unit is a cell.
pub(super) fn layered_svg(png: &[u8], geometry: &GridGeometry, layers: &[(&str, &Vectors)]) -> String {
    let (width, height) = (geometry.width(), geometry.height());
    let letter = width.max(height) as f64 / 45.0;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"layers\" role=\"img\" aria-label=\"vector layers over the \
         truth\" viewBox=\"0 0 {width} {:.2}\" font-family=\"sans-serif\" font-size=\"{letter:.2}\" fill=\"none\">\
         <image width=\"{width}\" height=\"{height}\" preserveAspectRatio=\"none\" \
         style=\"image-rendering:pixelated\" href=\"data:image/png;base64,{}\"/>\n",
        height as f64 + scale_bar::strip_height(letter),
        base64(png)
    );
    let mut labels = Vec::new();
    for (name, layer) in layers {
        draw_layer(&mut svg, name, layer, geometry, letter, &mut labels);
    }
    svg + &scale_bar::svg(width, geometry.cell_size_m(), height as f64, letter) + "</svg>\n"
}

fn draw_layer(
    svg: &mut String,
    name: &str,
    layer: &Vectors,
    geometry: &GridGeometry,
    letter: f64,
    labels: &mut Vec<[f64; 3]>,
) {
    let ink = layer.hex();
    // Writing into a string cannot fail, here and below.
    let _ = writeln!(svg, "<g class=\"layer-{}\" stroke=\"{ink}\">", escaped(name));
    let mut named = Vec::new();
    for shape in layer.shapes.iter().take(MAX_SHAPES) {
        match shape {
            VectorShape::Line(points) => draw_line(svg, points, layer, geometry),
            VectorShape::Area { rings, label } => {
                let path: String = rings.iter().map(|ring| path_of(ring, geometry) + "Z").collect();
                let stroke = stroke_of(layer);
                let _ = writeln!(
                    svg,
                    "<path d=\"{path}\" fill=\"{ink}\" fill-opacity=\"0.12\" fill-rule=\"evenodd\" {stroke}/>"
                );
                named.extend(middle(rings).map(|at| (at, label)));
            }
            VectorShape::Place { at, label } => {
                draw_symbol(svg, layer.symbol, in_cells(geometry, *at), letter, &ink);
                named.push((*at, label));
            }
        }
    }
    for (at, label) in named.into_iter().filter(|(_, label)| !label.is_empty()).take(MAX_LABELS) {
        draw_label(svg, label, in_cells(geometry, at), letter, labels);
    }
    svg.push_str("</g>\n");
}

fn stroke_of(layer: &Vectors) -> &'static str {
    if layer.is_dashed {
        "stroke-width=\"1.4\" stroke-dasharray=\"5 4\" vector-effect=\"non-scaling-stroke\""
    } else {
        "stroke-width=\"1.8\" vector-effect=\"non-scaling-stroke\""
    }
}

fn draw_line(svg: &mut String, points: &[[f64; 2]], layer: &Vectors, geometry: &GridGeometry) {
    let path = path_of(points, geometry);
    if !path.is_empty() {
        let _ = writeln!(svg, "<path d=\"{path}\" {}/>", stroke_of(layer));
    }
}

/// The points as a path, thinned out evenly; points beyond all bounds are left out.
fn path_of(points: &[[f64; 2]], geometry: &GridGeometry) -> String {
    let step = points.len().div_ceil(MAX_POINTS).max(1);
    let last = points.len().saturating_sub(1);
    let kept = points.iter().enumerate().filter(|(index, _)| index % step == 0 || *index == last);
    let drawn = kept.map(|(_, point)| in_cells(geometry, *point)).filter(is_drawable);
    let mut path = String::new();
    for [x, y] in drawn {
        let _ = write!(path, "{}{x:.2} {y:.2}", if path.is_empty() { 'M' } else { 'L' });
    }
    path
}

fn is_drawable(point: &[f64; 2]) -> bool {
    point.iter().all(|number| number.is_finite() && number.abs() < 1e9)
}

/// The mean of the corners of the first ring.
fn middle(rings: &[Vec<[f64; 2]>]) -> Option<[f64; 2]> {
    let ring = rings.first().filter(|ring| !ring.is_empty())?;
    // A closed ring repeats its first corner.
    let corners = if ring.len() > 1 && ring.first() == ring.last() { &ring[1..] } else { ring };
    let n = corners.len() as f64;
    let sum = corners.iter().fold([0.0, 0.0], |sum, [x, y]| [sum[0] + x, sum[1] + y]);
    Some([sum[0] / n, sum[1] / n])
}

fn draw_symbol(svg: &mut String, symbol: Symbol, at: [f64; 2], letter: f64, ink: &str) {
    if !is_drawable(&at) {
        return;
    }
    let ([x, y], r) = (at, 0.45 * letter);
    let width = "stroke-width=\"2\" vector-effect=\"non-scaling-stroke\"";
    let _ = match symbol {
        Symbol::Cross => {
            let (left, right, top, below) = (x - r, x + r, y - r, y + r);
            writeln!(
                svg,
                "<path d=\"M{left:.2} {top:.2}L{right:.2} {below:.2}M{left:.2} {below:.2}L{right:.2} {top:.2}\" {width}/>"
            )
        }
        Symbol::Dot => {
            writeln!(svg, "<circle cx=\"{x:.2}\" cy=\"{y:.2}\" r=\"{:.2}\" fill=\"{ink}\"/>", r / 1.6)
        }
        Symbol::Ring => writeln!(svg, "<circle cx=\"{x:.2}\" cy=\"{y:.2}\" r=\"{:.2}\" {width}/>", 1.6 * r),
        Symbol::Square => writeln!(
            svg,
            "<rect x=\"{:.2}\" y=\"{:.2}\" width=\"{:.2}\" height=\"{:.2}\" fill=\"{ink}\"/>",
            x - 0.7 * r,
            y - 0.7 * r,
            1.4 * r,
            1.4 * r
        ),
        Symbol::Triangle => writeln!(
            svg,
            "<path d=\"M{x:.2} {:.2}L{:.2} {:.2}L{:.2} {:.2}Z\" fill=\"{ink}\" fill-opacity=\"0.35\" {width}/>",
            y - r,
            x + r,
            y + 0.8 * r,
            x - r,
            y + 0.8 * r
        ),
    };
}

fn draw_label(svg: &mut String, label: &str, [x, y]: [f64; 2], letter: f64, labels: &mut Vec<[f64; 3]>) {
    if !is_drawable(&[x, y]) {
        return;
    }
    let words: String = label.chars().take(MAX_LABEL).collect();
    let (beside, halo) = (x + 0.6 * letter, letter / 5.0);
    let base =
        free_line([beside, y + 0.35 * letter, words.chars().count() as f64 * 0.6 * letter], letter, labels);
    let _ = writeln!(
        svg,
        "<text x=\"{beside:.2}\" y=\"{base:.2}\" fill=\"#000\" stroke=\"#fff\" stroke-width=\"{halo:.2}\" \
         paint-order=\"stroke\">{}</text>",
        escaped(&words)
    );
}

#[cfg(test)]
mod tests {
    use model::Pose2;

    use super::super::{Figure, Layer};
    use super::*;

    fn figure(shapes: Vec<VectorShape>) -> Figure {
        let geometry = GridGeometry::new(4, 3, 0.5, Pose2::new(10.0, 20.0, 0.0)).unwrap();
        let truth = Layer::classes("truth", &geometry, &[0; 12], [[255; 3]; 3]);
        let vectors = Vectors {
            title: "victims".to_owned(),
            colour: [213, 94, 0],
            is_dashed: false,
            symbol: Symbol::Cross,
            shapes,
        };
        Figure::new("layers", "", "", vec![truth, Layer::vectors("victims", vectors)])
    }

    #[test]
    fn every_layer_is_a_group_of_its_own_in_cells() {
        let shapes = vec![
            VectorShape::Line(vec![[10.0, 20.0], [12.0, 21.5]]),
            VectorShape::Place { at: [11.0, 21.0], label: "<v1>".to_owned() },
            VectorShape::Area {
                rings: vec![vec![[10.0, 20.0], [11.0, 20.0], [11.0, 21.0], [10.0, 20.0]]],
                label: String::new(),
            },
        ];
        let figure = figure(shapes);
        assert_eq!(figure.file_name(), "layers.svg");
        let svg = figure.svg().unwrap();
        assert!(svg.contains("<g class=\"layer-victims\" stroke=\"#d55e00\">"), "{svg}");
        assert!(svg.contains("M0.00 3.00L4.00 0.00") && svg.contains("&lt;v1&gt;"), "{svg}");
        assert!(figure.pdf().unwrap().is_some());
    }

    #[test]
    fn places_beyond_all_bounds_and_endless_paths_are_no_harm() {
        let far = VectorShape::Place { at: [f64::NAN, 1e300], label: "far".to_owned() };
        let long = VectorShape::Line((0..100_000).map(|i| [10.0 + f64::from(i % 7) * 0.1, 20.0]).collect());
        let svg = figure(vec![far, long]).svg().unwrap();
        assert!(!svg.contains("NaN") && svg.len() < 100_000, "{} bytes", svg.len());
    }
}

//! The content of a page: each element of the SVG as operators of PDF.

use std::fmt::Write;

use super::element::Element;
use super::font::{encoded, literal, width};
use super::image::{PngImage, image_of};
use super::path::{Piece, circle, pieces};

/// What a page needs beside its size.
pub(super) struct Page {
    pub(super) content: String,
    /// In hundredths, in the order of their names.
    pub(super) opacities: Vec<u8>,
    pub(super) images: Vec<PngImage>,
}

/// A page while it is drawn.
pub(super) struct Drawing {
    page: Page,
    pt_per_unit: f64,
    /// The lower left corner in units of the SVG.
    corner: [f64; 2],
}

impl Drawing {
    pub(super) fn new(pt_per_unit: f64, corner: [f64; 2]) -> Self {
        let page = Page { content: String::new(), opacities: Vec::new(), images: Vec::new() };
        Self { page, pt_per_unit, corner }
    }

    pub(super) fn finished(self) -> Page {
        self.page
    }

    pub(super) fn draw(&mut self, element: &Element) {
        let number = |name: &str| element.number(name, 0.0);
        match element.name.as_str() {
            "line" => {
                let ends = [[number("x1"), number("y1")], [number("x2"), number("y2")]];
                self.shape(element, &[Piece::Move(ends[0]), Piece::Line(ends[1])], Closed::No);
            }
            "path" => self.shape(element, &pieces(element.get("d").unwrap_or_default()), Closed::No),
            "polyline" => {
                let data = format!("M{}", element.get("points").unwrap_or_default());
                self.shape(element, &lines(&pieces(&data)), Closed::No);
            }
            "circle" => {
                let centre = [number("cx"), number("cy")];
                self.shape(element, &circle(centre, number("r")), Closed::Yes);
            }
            "rect" => {
                let [x, y, w, h] = ["x", "y", "width", "height"].map(number);
                let corners = [[x + w, y], [x + w, y + h], [x, y + h]].map(Piece::Line);
                self.shape(element, &[&[Piece::Move([x, y])], &corners[..]].concat(), Closed::Yes);
            }
            "text" => self.text(element),
            "image" => self.image(element),
            _ => {}
        }
    }

    fn place(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        [(x - self.corner[0]) * self.pt_per_unit, (self.corner[1] - y) * self.pt_per_unit]
    }

    fn shape(&mut self, element: &Element, pieces: &[Piece], closed: Closed) {
        let fill = element.get("fill").map_or(Some([0.0; 3]), colour);
        let stroke = element.get("stroke").and_then(colour);
        // A line has no inside.
        let fill = fill.filter(|_| element.name != "line");
        if pieces.is_empty() || (fill.is_none() && stroke.is_none()) {
            return;
        }
        let mut path = String::new();
        for piece in pieces {
            let place = |point: [f64; 2]| pair(self.place(point));
            // Writing into a string cannot fail, here and below.
            let _ = match *piece {
                Piece::Move(to) => writeln!(path, "{} m", place(to)),
                Piece::Line(to) => writeln!(path, "{} l", place(to)),
                Piece::Curve([a, b, to]) => writeln!(path, "{} {} {} c", place(a), place(b), place(to)),
            };
        }
        if closed == Closed::Yes {
            path.push_str("h\n");
        }
        self.page.content.push_str("q\n");
        if let Some(colour) = fill {
            self.opacity(element.opacity * element.number("fill-opacity", 1.0));
            let _ = write!(self.page.content, "{} rg\n{path}f\n", triple(colour));
        }
        if let Some(colour) = stroke {
            self.opacity(element.opacity * element.number("stroke-opacity", 1.0));
            self.pen(element);
            let _ = write!(self.page.content, "{} RG\n{path}S\n", triple(colour));
        }
        self.page.content.push_str("Q\n");
    }

    /// Width, ends and dashes of lines.
    fn pen(&mut self, element: &Element) {
        let pixels = element.get("vector-effect") == Some("non-scaling-stroke");
        // A pixel of a screen is three quarters of a point.
        let pt_per_unit = if pixels { 0.75 } else { self.pt_per_unit };
        let width_pt = element.number("stroke-width", 1.0) * pt_per_unit;
        let is_round = |name: &str| u8::from(element.get(name) == Some("round"));
        let (cap, join) = (is_round("stroke-linecap"), is_round("stroke-linejoin"));
        let _ = writeln!(self.page.content, "{} w {cap} J {join} j", short(width_pt));
        let dashes = element.get("stroke-dasharray").unwrap_or_default().split_whitespace();
        let dashes: Vec<String> = dashes
            .filter_map(|dash| dash.parse::<f64>().ok())
            .filter(|dash| dash.is_finite() && *dash >= 0.0)
            .map(|dash| short(dash * pt_per_unit))
            .collect();
        if !dashes.is_empty() {
            let _ = writeln!(self.page.content, "[{}] 0 d", dashes.join(" "));
        }
    }

    fn opacity(&mut self, share: f64) {
        let hundredths = (share.clamp(0.0, 1.0) * 100.0).round() as u8;
        let known = self.page.opacities.iter().position(|&other| other == hundredths);
        let index = known.unwrap_or_else(|| {
            self.page.opacities.push(hundredths);
            self.page.opacities.len() - 1
        });
        let _ = writeln!(self.page.content, "/G{index} gs");
    }

    fn text(&mut self, element: &Element) {
        let letters = encoded(element.text.trim_end());
        let at = ["x", "y"].map(|name| element.get(name).and_then(|text| text.parse::<f64>().ok()));
        let [Some(x), Some(y)] = at else { return };
        if letters.is_empty() || !x.is_finite() || !y.is_finite() {
            return;
        }
        let size_pt = element.number("font-size", 13.0) * self.pt_per_unit;
        let before_pt = size_pt
            * width(&letters)
            * match element.get("text-anchor") {
                Some("middle") => 0.5,
                Some("end") => 1.0,
                _ => 0.0,
            };
        let [x_pt, y_pt] = self.place([x, y]);
        // SVG turns clockwise, and about the place of the text in all our figures.
        let (sin, cos) = (-element.rotation().map_or(0.0, |turn| turn[0])).to_radians().sin_cos();
        let start = pair([x_pt - before_pt * cos, y_pt - before_pt * sin]);
        let matrix = format!("{} {} {} {} {start} Tm", short(cos), short(sin), short(-sin), short(cos));
        self.page.content.push_str("q\n");
        self.opacity(element.opacity);
        let words = format!("BT /F0 {} Tf {matrix}", short(size_pt));
        if let Some(halo) = element.get("stroke").and_then(colour) {
            let width_pt = short(element.number("stroke-width", 1.0) * self.pt_per_unit);
            let _ = writeln!(
                self.page.content,
                "{width_pt} w 1 j {} RG {words} 1 Tr {} Tj ET",
                triple(halo),
                literal(&letters)
            );
        }
        let fill = element.get("fill").and_then(colour).unwrap_or([0.0; 3]);
        let _ =
            writeln!(self.page.content, "{} rg {words} 0 Tr {} Tj ET\nQ", triple(fill), literal(&letters));
    }

    fn image(&mut self, element: &Element) {
        let Some(image) = element.get("href").and_then(image_of) else { return };
        let [x, y, width, height] = ["x", "y", "width", "height"].map(|name| element.number(name, 0.0));
        let corner = pair(self.place([x, y + height]));
        let size = [width, height].map(|side| short(side * self.pt_per_unit));
        self.page.content.push_str("q\n");
        self.opacity(element.opacity);
        let name = self.page.images.len();
        let _ = writeln!(self.page.content, "{} 0 0 {} {corner} cm /Im{name} Do\nQ", size[0], size[1]);
        self.page.images.push(image);
    }
}

/// Whether a shape goes back to its first point.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Closed {
    Yes,
    No,
}

/// The points of a polyline: after the first all are ends of lines.
fn lines(pieces: &[Piece]) -> Vec<Piece> {
    let line = |(index, piece): (usize, &Piece)| match *piece {
        Piece::Move(to) if index > 0 => Piece::Line(to),
        other => other,
    };
    pieces.iter().enumerate().map(line).collect()
}

/// Shares of red, green and blue; none for `none`.
fn colour(text: &str) -> Option<[f64; 3]> {
    if text == "none" {
        return None;
    }
    let Some(hex) = text.strip_prefix('#').filter(|hex| hex.is_ascii()) else { return Some([0.0; 3]) };
    let digits =
        if hex.len() == 3 { hex.chars().flat_map(|digit| [digit; 2]).collect() } else { hex.to_owned() };
    let part = |at: usize| {
        let byte = digits.get(at..at + 2).and_then(|two| u8::from_str_radix(two, 16).ok());
        f64::from(byte.unwrap_or(0)) / 255.0
    };
    Some([part(0), part(2), part(4)])
}

/// A hundredth of a point is finer than any printer.
fn short(value: f64) -> String {
    let rounded = (value * 1000.0).round() / 1000.0;
    // Adding zero makes -0 and 0 one number.
    format!("{}", rounded + 0.0)
}

fn pair([x, y]: [f64; 2]) -> String {
    format!("{} {}", short(x), short(y))
}

fn triple([r, g, b]: [f64; 3]) -> String {
    format!("{} {} {}", short(r), short(g), short(b))
}

//! Marks of a league image as vector layers, in metres in the frame of the image.
//!
//! Layers and columns are those of the specification (F-MIF): `victims`, `hazards`, `labels`, `robot_path`;
//! and two of ours, `start` and `scale_bar`. Numbers inside marks are not read: ids follow the order in the
//! image, from the top left.

use model::{Attribute, Column, ColumnType, Feature, GridGeometry, Point2, Shape, VectorLayer};

use super::marks::Mark;
use super::palette_file::Element;
use super::robot_path::Polyline;
use super::scale_bar::ScaleBar;
use super::start_arrow::StartArrow;

const TEXT: ColumnType = ColumnType::Text { width: 32 };

/// What was found in an image.
pub(crate) struct Drawn {
    pub marks: Vec<Mark>,
    pub start: Option<StartArrow>,
    pub path: Vec<Polyline>,
    pub scale_bar: Option<ScaleBar>,
}

impl Drawn {
    /// One layer per kind of thing that was found.
    pub fn layers(&self, pixels: &GridGeometry) -> Vec<VectorLayer> {
        let layers = [self.victims(pixels), self.hazards(pixels), self.labels(pixels), self.start(pixels)];
        let layers = layers.into_iter().chain([self.robot_path(pixels), self.bar(pixels)]);
        layers.filter(|layer| !layer.features.is_empty()).collect()
    }

    fn marks_of(&self, elements: &[Element]) -> Vec<&Mark> {
        let mut marks: Vec<&Mark> = self.marks.iter().filter(|m| elements.contains(&m.element)).collect();
        let order = |mark: &Mark| (mark.center_px.1, mark.center_px.0);
        marks.sort_by(|a, b| order(a).0.total_cmp(&order(b).0).then(order(a).1.total_cmp(&order(b).1)));
        marks
    }

    fn victims(&self, pixels: &GridGeometry) -> VectorLayer {
        let marks = self.marks_of(&[Element::Victim, Element::UnconfirmedVictim]);
        let row = |(index, mark): (usize, &Mark)| {
            let status = if mark.element == Element::Victim { "confirmed" } else { "unconfirmed" };
            feature(
                point(pixels, mark.center_px),
                vec![text(&format!("v{}", index + 1)), text(status), Attribute::Missing],
            )
        };
        let features = marks.into_iter().enumerate().map(row).collect();
        layer("victims", &[("ID", TEXT), ("STATUS", TEXT), ("T", ColumnType::Real)], features)
    }

    fn hazards(&self, pixels: &GridGeometry) -> VectorLayer {
        let row = |mark: &Mark| feature(point(pixels, mark.center_px), vec![Attribute::Missing]);
        let features = self.marks_of(&[Element::Hazard]).into_iter().map(row).collect();
        layer("hazards", &[("LABEL", TEXT)], features)
    }

    fn labels(&self, pixels: &GridGeometry) -> VectorLayer {
        let row = |mark: &Mark| {
            let label = if mark.element == Element::Qr { "qr" } else { "object" };
            feature(point(pixels, mark.center_px), vec![text(label)])
        };
        let features = self.marks_of(&[Element::Qr, Element::Object]).into_iter().map(row).collect();
        layer("labels", &[("LABEL", TEXT)], features)
    }

    fn start(&self, pixels: &GridGeometry) -> VectorLayer {
        let row = |arrow: &StartArrow| {
            let in_world = |rad| Attribute::Real(model::wrap(rad + pixels.origin().theta_rad));
            let direction = arrow.direction_rad.map_or(Attribute::Missing, in_world);
            feature(point(pixels, arrow.center_px), vec![direction])
        };
        layer("start", &[("THETA_RAD", ColumnType::Real)], self.start.iter().map(row).collect())
    }

    fn robot_path(&self, pixels: &GridGeometry) -> VectorLayer {
        let lines: Vec<Vec<Point2>> =
            self.path.iter().map(|line| line.iter().map(|&at| place(pixels, at)).collect()).collect();
        let attributes = vec![Attribute::Missing; 3];
        let features = if lines.is_empty() { vec![] } else { vec![feature(Shape::Lines(lines), attributes)] };
        layer("robot_path", &[("ROBOT", TEXT), ("T0", ColumnType::Real), ("T1", ColumnType::Real)], features)
    }

    fn bar(&self, pixels: &GridGeometry) -> VectorLayer {
        let row = |bar: &ScaleBar| {
            let ends = bar.ends_px.map(|end| place(pixels, end)).to_vec();
            let length_m = bar.length_px as f64 * pixels.cell_size_m();
            feature(Shape::Lines(vec![ends]), vec![Attribute::Real(length_m)])
        };
        layer("scale_bar", &[("LENGTH_M", ColumnType::Real)], self.scale_bar.iter().map(row).collect())
    }
}

fn layer(name: &str, columns: &[(&str, ColumnType)], features: Vec<Feature>) -> VectorLayer {
    let columns = columns.iter().map(|&(name, kind)| Column { name: name.to_owned(), kind }).collect();
    VectorLayer { name: name.to_owned(), columns, features }
}

fn feature(shape: Shape, attributes: Vec<Attribute>) -> Feature {
    Feature { shape, attributes, style: Vec::new() }
}

fn text(words: &str) -> Attribute {
    Attribute::Text(words.to_owned())
}

fn point(pixels: &GridGeometry, at_px: (f64, f64)) -> Shape {
    Shape::Point(place(pixels, at_px))
}

/// The world position of a place given in pixels from the left and from the top edge.
fn place(pixels: &GridGeometry, (right_px, down_px): (f64, f64)) -> Point2 {
    pixels.world_of_grid_point(right_px, pixels.height() as f64 - down_px)
}

#[cfg(test)]
mod tests {
    use std::f64::consts::FRAC_PI_2;

    use model::Pose2;

    use super::super::marks::MarkShape;
    use super::*;

    fn mark(element: Element, center_px: (f64, f64)) -> Mark {
        Mark { element, shape: MarkShape::Disc, center_px }
    }

    #[test]
    fn positions_are_in_metres_with_y_up_and_ids_run_from_the_top_left() {
        let pixels = GridGeometry::new(100, 50, 0.1, Pose2::new(-2.0, 1.0, 0.0)).unwrap();
        let marks = vec![
            mark(Element::Victim, (30.0, 40.0)),
            mark(Element::UnconfirmedVictim, (10.0, 5.0)),
            mark(Element::Qr, (0.0, 50.0)),
        ];
        let layers = Drawn { marks, start: None, path: vec![], scale_bar: None }.layers(&pixels);
        let names: Vec<_> = layers.iter().map(|layer| layer.name.as_str()).collect();
        assert_eq!(names, ["victims", "labels"]);
        let Shape::Point(first) = layers[0].features[0].shape else { panic!() };
        assert!((first.x_m + 1.0).abs() < 1e-12 && (first.y_m - 5.5).abs() < 1e-12, "{first:?}");
        let status = |index: usize| layers[0].attribute(&layers[0].features[index], "status").cloned();
        assert_eq!((status(0), status(1)), (Some(text("unconfirmed")), Some(text("confirmed"))));
        assert_eq!(layers[1].features[0].shape, Shape::Point(Point2::new(-2.0, 1.0)));
    }

    #[test]
    fn a_turned_image_turns_the_start() {
        let pixels = GridGeometry::new(10, 10, 1.0, Pose2::new(0.0, 0.0, FRAC_PI_2)).unwrap();
        let start = Some(StartArrow { center_px: (2.0, 10.0), direction_rad: Some(0.25) });
        let layers = Drawn { marks: vec![], start, path: vec![], scale_bar: None }.layers(&pixels);
        assert_eq!(layers[0].features[0].attributes, [Attribute::Real(FRAC_PI_2 + 0.25)]);
        let Shape::Point(at) = layers[0].features[0].shape else { panic!() };
        assert!(at.x_m.abs() < 1e-9 && (at.y_m - 2.0).abs() < 1e-9);
    }
}

//! Places with a kind and a label, out of any file that holds such.

use formats::Content;
use model::{Attribute, Point2, Shape, VectorLayer};

/// A reported or true place.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Place {
    /// Identifier; empty where the file has none.
    pub id: String,
    /// Kind, such as `rope`; the label where the file has no kinds.
    pub kind: String,
    /// x, y, z in metres.
    pub position_m: [f64; 3],
    /// Found without an operator.
    pub is_autonomous: bool,
}

impl Place {
    /// Distance to another place, with or without height.
    #[must_use]
    pub fn distance_m(&self, other: &Self, height_counts: bool) -> f64 {
        let [dx, dy, dz] = [0, 1, 2].map(|axis| self.position_m[axis] - other.position_m[axis]);
        let flat = dx.hypot(dy);
        if height_counts { flat.hypot(dz) } else { flat }
    }
}

/// The places of a file; none if it holds no places.
#[must_use]
pub fn places(content: &Content) -> Option<Vec<Place>> {
    match content {
        Content::Detections(table) => Some(
            table
                .rows
                .iter()
                .map(|row| Place {
                    id: row.id.clone(),
                    kind: if row.kind.is_empty() { row.text.clone() } else { row.kind.clone() },
                    position_m: row.position_m,
                    is_autonomous: row.mode.trim().eq_ignore_ascii_case("a"),
                })
                .collect(),
        ),
        Content::Points(list) => {
            let place = |(label, at): &(String, Point2)| Place {
                kind: label.clone(),
                position_m: [at.x_m, at.y_m, 0.0],
                ..Place::default()
            };
            Some(list.points.iter().map(place).collect())
        }
        Content::Vector(layer) => Some(of_layer(layer)),
        _ => None,
    }
}

fn of_layer(layer: &VectorLayer) -> Vec<Place> {
    let text = |feature: &model::Feature, names: &[&str]| {
        names.iter().find_map(|name| match layer.attribute(feature, name)? {
            Attribute::Text(text) => Some(text.clone()),
            Attribute::Integer(number) => Some(number.to_string()),
            Attribute::Real(number) => Some(number.to_string()),
            Attribute::Logical(_) | Attribute::Missing => None,
        })
    };
    let place = |feature: &model::Feature| {
        let at = match &feature.shape {
            Shape::Point(at) => *at,
            Shape::Text { place, .. } => *place,
            _ => return None,
        };
        Some(Place {
            id: text(feature, &["id", "victim_id", "name"]).unwrap_or_default(),
            kind: text(feature, &["type", "kind", "class", "label"]).unwrap_or_default(),
            position_m: [at.x_m, at.y_m, 0.0],
            is_autonomous: text(feature, &["mode"]).is_some_and(|mode| mode.eq_ignore_ascii_case("a")),
        })
    };
    layer.features.iter().filter_map(place).collect()
}

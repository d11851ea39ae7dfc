//! What lies on a map beside its cells, as shapes in metres: barrels, victims, rooms, paths, labels.

use metrics::annotation::inputs::{Annotations, LabelledPlace};
use metrics::fiducials::{FiducialInputs, FiducialSearch, LayoutFrame, Located};
use metrics::rooms::segmentation::RoomParams;
use model::{FiducialLayout, FiducialPart, Point2, Shape, Similarity2, VectorLayer};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{JobError, Loaded, Map, find_rooms};

/// Shapes of one kind.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DrawnLayer {
    /// Stable name, such as `victims`.
    pub name: String,
    /// Name for people.
    pub title: String,
    /// In which coordinate frame the points are.
    pub frame: LayerFrame,
    /// The shapes.
    pub items: Vec<DrawnItem>,
}

/// The coordinate frame of a layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LayerFrame {
    /// It stays.
    Truth,
    /// It moves with the map.
    Map,
}

/// One shape.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DrawnItem {
    /// What the points mean.
    pub shape: ItemShape,
    /// Metres.
    pub points: Vec<[f64; 2]>,
    /// Radius of a circle.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub radius_m: Option<f64>,
    /// Its name; empty for none.
    pub label: String,
    /// Whether it was found, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<ItemState>,
}

/// What the points of a shape mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ItemShape {
    /// One place.
    Point,
    /// A line through them.
    Line,
    /// The border of an area.
    Area,
    /// A circle about one place.
    Circle,
}

/// Whether something of the truth was found in the map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ItemState {
    /// It was.
    Found,
    /// It was not.
    Missing,
}

impl DrawnItem {
    fn new(shape: ItemShape, points: impl IntoIterator<Item = Point2>, label: &str) -> Self {
        let points = points.into_iter().map(|point| [point.x_m, point.y_m]).collect();
        Self { shape, points, radius_m: None, label: label.to_owned(), state: None }
    }
}

/// The vector layers of annotations; empty ones are left out.
#[must_use]
pub fn vector_layers(given: &Annotations, frame: LayerFrame) -> Vec<DrawnLayer> {
    use ItemShape::{Area, Line, Point};
    let places = |places: &Option<Vec<LabelledPlace>>| {
        let places = places.iter().flatten();
        places.map(|place| DrawnItem::new(Point, [place.at], &place.label)).collect()
    };
    let victims =
        given.victims.iter().flatten().map(|victim| DrawnItem::new(Point, [victim.place()], &victim.id));
    let paths = given.robot_paths.iter().flatten().map(|path| DrawnItem::new(Line, path.iter().copied(), ""));
    let responders = given.responder_paths.iter().flatten();
    let responders = responders.map(|path| DrawnItem::new(Line, path.line.iter().copied(), &path.victim));
    let groups = given.groups.iter().flatten().flat_map(|region| {
        region.rings.iter().map(|ring| DrawnItem::new(Area, ring.iter().copied(), &region.label))
    });
    let layers: [(&str, &str, Vec<DrawnItem>); 6] = [
        ("victims", "victims", victims.collect()),
        ("paths", "robot paths", paths.collect()),
        ("responder_paths", "responder paths", responders.collect()),
        ("labels", "labels", places(&given.labels)),
        ("hazards", "hazards", places(&given.hazards)),
        ("groups", "groups", groups.collect()),
    ];
    let prefix = match frame {
        LayerFrame::Truth => ("true_", "true "),
        LayerFrame::Map => ("", ""),
    };
    let layers = layers.into_iter().filter(|(.., items)| !items.is_empty());
    let named = |(name, title, items)| DrawnLayer {
        name: format!("{}{name}", prefix.0),
        title: format!("{}{title}", prefix.1),
        frame,
        items,
    };
    layers.map(named).collect()
}

/// Points, lines and areas of a vector file.
#[must_use]
pub fn shape_layer(layer: &VectorLayer) -> DrawnLayer {
    use ItemShape::{Area, Line, Point};
    let items = layer.features.iter().flat_map(|feature| -> Vec<DrawnItem> {
        let all = |shape, lines: &[Vec<Point2>]| {
            lines.iter().map(|line| DrawnItem::new(shape, line.iter().copied(), "")).collect()
        };
        match &feature.shape {
            Shape::Point(at) => vec![DrawnItem::new(Point, [*at], "")],
            Shape::MultiPoint(places) => places.iter().map(|at| DrawnItem::new(Point, [*at], "")).collect(),
            Shape::Lines(lines) => all(Line, lines),
            Shape::Area(rings) => all(Area, rings),
            Shape::Text { place, text } => vec![DrawnItem::new(Point, [*place], text)],
            Shape::None => Vec::new(),
        }
    });
    let name = layer.name.clone();
    DrawnLayer { title: name.clone(), name, frame: LayerFrame::Truth, items: items.collect() }
}

/// Places with labels.
#[must_use]
pub fn place_layer(name: &str, places: impl IntoIterator<Item = (Point2, String)>) -> DrawnLayer {
    let items =
        places.into_iter().map(|(at, label)| DrawnItem::new(ItemShape::Point, [at], &label)).collect();
    DrawnLayer { name: name.to_owned(), title: name.to_owned(), frame: LayerFrame::Truth, items }
}

/// The barrels of a layout: where the map shows them under a transform, and which it does not show.
#[must_use]
pub fn barrel_layer(layout: &FiducialLayout, map: &Map, truth_from_map: Similarity2) -> DrawnLayer {
    let frame = LayoutFrame::Known(model::Pose2::new(
        truth_from_map.x_m,
        truth_from_map.y_m,
        truth_from_map.theta_rad,
    ));
    let grid = std::sync::Arc::clone(&map.grid);
    let inputs =
        FiducialInputs { layout: layout.clone(), map: grid, frame, search: FiducialSearch::default() };
    let found = Located::of(&inputs).map(|located| located.parts).unwrap_or_default();
    let mut layer = barrel_outlines(layout);
    for (index, item) in layer.items.iter_mut().enumerate() {
        let is_found = found.get(index).is_some_and(Option::is_some);
        item.state = Some(if is_found { ItemState::Found } else { ItemState::Missing });
    }
    layer
}

/// The barrels of a layout, where it says they stand.
#[must_use]
pub fn barrel_outlines(layout: &FiducialLayout) -> DrawnLayer {
    let item = |part: &FiducialPart| DrawnItem {
        radius_m: Some(part.radius_m),
        ..DrawnItem::new(ItemShape::Circle, [part.center], &part.part)
    };
    let items = layout.parts.iter().map(item).collect();
    DrawnLayer { name: "barrels".to_owned(), title: "barrels".to_owned(), frame: LayerFrame::Truth, items }
}

/// The rooms of a map, as the command `rooms` finds them.
///
/// # Errors
/// A map too large for it.
pub fn room_layer(map: &Loaded<Map>, frame: LayerFrame) -> Result<DrawnLayer, JobError> {
    let found = find_rooms(map, &RoomParams::default(), None)?;
    let rings = found.layer().features.into_iter().enumerate().flat_map(|(index, feature)| {
        let rings = match feature.shape {
            Shape::Area(rings) => rings,
            _ => Vec::new(),
        };
        let label = (index + 1).to_string();
        rings.into_iter().map(move |ring| DrawnItem::new(ItemShape::Area, ring, &label))
    });
    Ok(DrawnLayer { name: "rooms".to_owned(), title: "rooms".to_owned(), frame, items: rings.collect() })
}

#[cfg(test)]
mod tests {
    use metrics::annotation::inputs::Victim;

    use super::*;

    #[test]
    fn layers_that_are_there_are_drawn_and_others_are_not() {
        let victim = Victim { id: "v1".to_owned(), position_m: [1.0, 2.0, 0.5], ..Victim::default() };
        let given = Annotations {
            victims: Some(vec![victim]),
            labels: Some(Vec::new()),
            robot_paths: Some(vec![vec![Point2::new(0.0, 0.0), Point2::new(1.0, 0.0)]]),
            ..Annotations::default()
        };
        let layers = vector_layers(&given, LayerFrame::Truth);
        let names: Vec<&str> = layers.iter().map(|layer| layer.name.as_str()).collect();
        assert_eq!(names, ["true_victims", "true_paths"]);
        assert_eq!(
            (&layers[0].items[0].points[..], layers[0].items[0].label.as_str()),
            (&[[1.0, 2.0]][..], "v1")
        );
    }

    #[test]
    fn rooms_have_borders() {
        let map = Loaded::in_memory(Map::new(testkit::seven_rooms(model::Pose2::IDENTITY)));
        let layer = room_layer(&map, LayerFrame::Map).unwrap();
        assert_eq!(layer.items.len(), 7);
        assert!(layer.items.iter().all(|item| item.points.len() >= 4 && item.shape == ItemShape::Area));
    }
}

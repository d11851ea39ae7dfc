//! What is written on a map: vector layers and detection lists by kind, in the frame of the truth.

use model::{Attribute, DetectionTable, Feature, Point2, Shape, Similarity2, VectorLayer};

use crate::topology::place_graph::PlaceGraph;

/// Annotations of a map and of the truth, all in the frame of the truth.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AnnotationInputs {
    /// What the team wrote.
    pub map: Annotations,
    pub truth: Annotations,
}

/// Layers by kind; none where no file of that kind was given.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Annotations {
    pub victims: Option<Vec<Victim>>,
    /// Where the robots drove.
    pub robot_paths: Option<Vec<Vec<Point2>>>,
    /// Paths for responders.
    pub responder_paths: Option<Vec<ResponderPath>>,
    /// Rooms, hallways, cars.
    pub groups: Option<Vec<Region>>,
    pub labels: Option<Vec<LabelledPlace>>,
    pub hazards: Option<Vec<LabelledPlace>>,
    /// Photographs.
    pub snapshots: Option<Vec<Snapshot>>,
    /// Places and connections.
    pub skeleton: Option<PlaceGraph>,
}

/// A victim, reported or true.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Victim {
    /// Identifier; empty for none.
    pub id: String,
    /// Type word; empty for none.
    pub kind: String,
    /// Status word, such as `alive`; empty for none.
    pub status: String,
    /// Position x, y, z in metres; z is 0 where the file has none.
    pub position_m: [f64; 3],
}

impl Victim {
    #[must_use]
    pub const fn place(&self) -> Point2 {
        Point2 { x_m: self.position_m[0], y_m: self.position_m[1] }
    }
}

/// A path for responders.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ResponderPath {
    /// The victim it leads to; empty if the file does not say.
    pub victim: String,
    /// From the entry to the victim.
    pub line: Vec<Point2>,
}

/// An area with a label.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Region {
    /// What it is, such as `room`.
    pub label: String,
    /// Closed rings; what is inside follows from the even-odd rule.
    pub rings: Vec<Vec<Point2>>,
}

/// A place with a label.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LabelledPlace {
    pub label: String,
    pub at: Point2,
}

/// A photograph taken at a place.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Snapshot {
    /// Where it was taken.
    pub at: Point2,
    /// The file of the photograph, as written.
    pub uri: String,
    /// Whether that file is there.
    pub exists: bool,
}

impl Annotations {
    /// Adds a layer; false if its kind is not known. `exists` tells whether the file of a snapshot is there.
    pub fn add_layer(&mut self, layer: &VectorLayer, exists: impl Fn(&str) -> bool) -> bool {
        let word =
            |feature: &Feature, column: &str| layer.attribute(feature, column).map(words).unwrap_or_default();
        let features = || layer.features.iter();
        match layer.name.as_str() {
            "victims" => {
                let victim = |feature: &Feature, at: Point2| Victim {
                    id: word(feature, "ID"),
                    kind: word(feature, "TYPE"),
                    status: word(feature, "STATUS"),
                    position_m: [at.x_m, at.y_m, number(layer, feature, "Z")],
                };
                self.victims.get_or_insert_default().extend(at_places(features(), victim));
            }
            "robot_path" => {
                self.robot_paths.get_or_insert_default().extend(features().flat_map(lines_of));
            }
            "responder_path" => {
                let path = |feature: &Feature| -> Vec<ResponderPath> {
                    let victim = word(feature, "VICTIM");
                    lines_of(feature)
                        .into_iter()
                        .map(|line| ResponderPath { victim: victim.clone(), line })
                        .collect()
                };
                self.responder_paths.get_or_insert_default().extend(features().flat_map(path));
            }
            "groups" => {
                let region = |feature: &Feature| match &feature.shape {
                    Shape::Area(rings) => {
                        Some(Region { label: word(feature, "LABEL"), rings: rings.clone() })
                    }
                    _ => None,
                };
                self.groups.get_or_insert_default().extend(features().filter_map(region));
            }
            "labels" | "hazards" => {
                let slot = if layer.name == "labels" { &mut self.labels } else { &mut self.hazards };
                let labelled = |feature: &Feature, at: Point2| {
                    let label = match (word(feature, "LABEL"), &feature.shape) {
                        (label, Shape::Text { text, .. }) if label.is_empty() => text.clone(),
                        (label, _) => label,
                    };
                    LabelledPlace { label, at }
                };
                slot.get_or_insert_default().extend(at_places(features(), labelled));
            }
            "snapshots" => {
                let snapshot = |feature: &Feature, at: Point2| {
                    let uri = word(feature, "URI");
                    Snapshot { at, exists: !uri.is_empty() && exists(&uri), uri }
                };
                self.snapshots.get_or_insert_default().extend(at_places(features(), snapshot));
            }
            "skeleton" => self.skeleton = Some(PlaceGraph::of_layer(layer)),
            _ => return false,
        }
        true
    }

    /// Adds the rows of a detection list: victims, hazards, and everything else as labels.
    pub fn add_detections(&mut self, table: &DetectionTable) {
        let of_table = table.kind.trim().to_lowercase();
        for row in &table.rows {
            let kind = row.kind.trim().to_lowercase();
            let at = Point2::new(row.position_m[0], row.position_m[1]);
            let labelled = || LabelledPlace { label: row.text.trim().to_owned(), at };
            match kind.as_str() {
                "victim" => self.victims.get_or_insert_default().push(victim_of(row)),
                "" if of_table == "victims" => self.victims.get_or_insert_default().push(victim_of(row)),
                "hazmat" | "hazmatsign" => self.hazards.get_or_insert_default().push(labelled()),
                _ => self.labels.get_or_insert_default().push(labelled()),
            }
        }
        if of_table == "victims" {
            self.victims.get_or_insert_default();
        }
    }

    /// The same annotations in another coordinate frame.
    #[must_use]
    pub fn moved(mut self, by: Similarity2) -> Self {
        let all_lines = self.robot_paths.iter_mut().flatten().flatten();
        let responder = self.responder_paths.iter_mut().flatten().flat_map(|path| &mut path.line);
        let rings = self.groups.iter_mut().flatten().flat_map(|region| &mut region.rings).flatten();
        let labelled = self.labels.iter_mut().chain(&mut self.hazards).flatten().map(|place| &mut place.at);
        let taken = self.snapshots.iter_mut().flatten().map(|snapshot| &mut snapshot.at);
        let nodes = self.skeleton.iter_mut().flat_map(|graph| {
            graph.nodes.iter_mut().chain(graph.edges.iter_mut().flat_map(|edge| &mut edge.line))
        });
        for point in all_lines.chain(responder).chain(rings).chain(labelled).chain(taken).chain(nodes) {
            *point = by * *point;
        }
        for victim in self.victims.iter_mut().flatten() {
            let at = by * victim.place();
            victim.position_m = [at.x_m, at.y_m, victim.position_m[2]];
        }
        self
    }

    /// Whether nothing was given.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

fn victim_of(row: &model::Detection) -> Victim {
    // The identifiers of a detection list number its rows; its text is what names a victim.
    Victim { id: row.text.trim().to_owned(), position_m: row.position_m, ..Victim::default() }
}

/// An attribute as a word; empty if it is missing.
fn words(attribute: &Attribute) -> String {
    match attribute {
        Attribute::Missing => String::new(),
        Attribute::Text(text) => text.trim().to_owned(),
        Attribute::Integer(number) => number.to_string(),
        Attribute::Real(number) => number.to_string(),
        Attribute::Logical(is_set) => is_set.to_string(),
    }
}

fn number(layer: &VectorLayer, feature: &Feature, column: &str) -> f64 {
    match layer.attribute(feature, column) {
        Some(Attribute::Real(number)) => *number,
        Some(Attribute::Integer(number)) => *number as f64,
        _ => 0.0,
    }
}

/// One entry per place of the features that are points.
fn at_places<'a, T>(
    features: impl Iterator<Item = &'a Feature>,
    entry: impl Fn(&Feature, Point2) -> T,
) -> Vec<T> {
    let mut entries = Vec::new();
    for feature in features {
        match &feature.shape {
            Shape::Point(at) | Shape::Text { place: at, .. } => entries.push(entry(feature, *at)),
            Shape::MultiPoint(places) => entries.extend(places.iter().map(|at| entry(feature, *at))),
            Shape::None | Shape::Lines(_) | Shape::Area(_) => {}
        }
    }
    entries
}

fn lines_of(feature: &Feature) -> Vec<Vec<Point2>> {
    match &feature.shape {
        Shape::Lines(lines) => lines.clone(),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use model::{Column, ColumnType};

    use super::*;

    fn layer(name: &str, column: &str, entries: &[(Shape, &str)]) -> VectorLayer {
        let feature = |(shape, text): &(Shape, &str)| Feature {
            shape: shape.clone(),
            attributes: vec![Attribute::Text((*text).to_owned())],
            style: Vec::new(),
        };
        VectorLayer {
            name: name.to_owned(),
            columns: vec![Column { name: column.to_owned(), kind: ColumnType::Text { width: 16 } }],
            features: entries.iter().map(feature).collect(),
        }
    }

    #[test]
    fn layers_go_where_their_kind_says_and_move_with_the_frame() {
        let mut found = Annotations::default();
        let at = |x, y| Shape::Point(Point2::new(x, y));
        assert!(
            found.add_layer(&layer("victims", "id", &[(at(1.0, 2.0), " v1 "), (Shape::None, "x")]), |_| true)
        );
        assert!(found.add_layer(
            &layer("snapshots", "URI", &[(at(0.0, 0.0), "a.png"), (at(0.0, 0.0), "b.png")]),
            |uri| { uri == "a.png" }
        ));
        assert!(!found.add_layer(&layer("world", "ID", &[]), |_| true));
        let moved = found.moved(Similarity2::new(10.0, 0.0, 0.0, 1.0));
        let victims = moved.victims.unwrap();
        assert_eq!(
            (victims.len(), victims[0].id.as_str(), victims[0].position_m),
            (1, "v1", [11.0, 2.0, 0.0])
        );
        let exist: Vec<bool> = moved.snapshots.unwrap().iter().map(|snapshot| snapshot.exists).collect();
        assert_eq!(exist, [true, false]);
        assert_eq!(moved.hazards, None, "not given is not empty");
    }

    #[test]
    fn detection_lists_are_sorted_by_type() {
        let row = |kind: &str| model::Detection { kind: kind.to_owned(), ..Default::default() };
        let table = DetectionTable {
            kind: "pois".to_owned(),
            rows: vec![row("victim"), row("hazmat"), row("qr")],
            ..Default::default()
        };
        let mut found = Annotations::default();
        found.add_detections(&table);
        let counts =
            [found.victims.map(|v| v.len()), found.hazards.map(|v| v.len()), found.labels.map(|v| v.len())];
        assert_eq!(counts, [Some(1); 3]);
        let mut none = Annotations::default();
        none.add_detections(&DetectionTable { kind: "victims".to_owned(), ..Default::default() });
        assert_eq!(none.victims, Some(Vec::new()), "a list without a row is a list");
    }
}

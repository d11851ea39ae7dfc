//! GeoJSON (RFC 7946) as a vector layer: reading.
//!
//! Positions are metres of a local frame, x to the right, y up: that is what robots map, although the RFC means
//! longitude and latitude. Our own files say so in a foreign member:
//!
//! ```json
//! {"type": "FeatureCollection", "name": "victims",
//!  "mapjudge": {"frame": "local", "unit": "m", "columns": [{"name": "ID", "type": "text", "width": 16}]},
//!  "features": [{"type": "Feature", "geometry": {"type": "Point", "coordinates": [12.5, -3.25]},
//!                "properties": {"ID": "v1"}, "style": ["Symbol (35,16711680,12)"]}]}
//! ```
//!
//! Without `columns` they follow from the properties. A feature with a member `text` is a text at a point. A
//! geometry collection becomes one feature per part. Rings keep their order and direction; open ones are closed.

mod columns;
mod write;

pub use self::write::write as write_geojson;

use model::{Feature, Finding, Level, Point2, Shape, VectorLayer};
use serde_json::{Map, Value};

use crate::error::excerpt;
use crate::format::{Format, Input, ReadContent, Reader, Sniff, by_name, without_byte_order_mark};
use crate::notices::Notices;
use crate::text::table_limits::{check_attributes, check_rows, table_bytes, too_long};
use crate::vector::geojson::columns::{attributes, columns_of};
use crate::vector::layer_kind::{check_columns, layer_name};
use crate::{Content, Place, ReadError, ReadOptions};

pub(crate) const FORMAT: Format =
    Format { name: "geojson", title: "GeoJSON layer", sniff, reader: Reader::Content(read) };

const GEOMETRIES: [&str; 7] =
    ["Point", "MultiPoint", "LineString", "MultiLineString", "Polygon", "MultiPolygon", "GeometryCollection"];

/// Bytes in which a type is looked for.
const SNIFFED_BYTES: usize = 1 << 14;

/// The largest file that is parsed: a number of two bytes takes some fifty in memory, at the most 400 MB in all.
const MAX_GEOJSON_BYTES: usize = 1 << 23;

fn sniff(bytes: &[u8], name: &str) -> Sniff {
    let text = without_byte_order_mark(bytes).trim_ascii_start();
    let text = &text[..text.len().min(SNIFFED_BYTES)];
    // The type may stand behind the features, beyond the bytes seen here; then the name decides.
    let is_object = text.starts_with(b"{") && contains(text, b"\"type\"");
    let types = ["FeatureCollection", "Feature"].iter().chain(&GEOMETRIES);
    let has_type =
        is_object && types.into_iter().any(|name| contains(text, format!("\"{name}\"").as_bytes()));
    if has_type { Sniff::ByBytes } else { by_name(name, &[".geojson"]) }
}

fn contains(text: &[u8], wanted: &[u8]) -> bool {
    text.windows(wanted.len()).any(|window| window == wanted)
}

fn read(input: &mut Input<'_>, _options: &ReadOptions) -> Result<ReadContent, ReadError> {
    let (file, bytes) = table_bytes(&mut input.source)?;
    if bytes.len() > MAX_GEOJSON_BYTES {
        return Err(too_long(file, MAX_GEOJSON_BYTES as u64, bytes.len() as u64));
    }
    let root: Value = serde_json::from_slice(without_byte_order_mark(bytes)).map_err(|error| {
        let found = error.to_string();
        ReadError::malformed(file, Place::Line(error.line()), "GeoJSON", found)
    })?;
    let mut reader = LayerReader { file, notices: Notices::default(), found: Vec::new() };
    reader.root(&root)?;
    let LayerReader { mut notices, found, .. } = reader;
    let columns = match root.pointer("/mapjudge/columns") {
        Some(stated) => columns::stated_columns(file, stated)?,
        None => columns_of(found.iter().filter_map(|feature| feature.properties), &mut notices),
    };
    check_attributes(file, found.len(), columns.len())?;
    let mut features = Vec::with_capacity(found.len());
    for (index, raw) in found.into_iter().enumerate() {
        let place = || Place::Field(format!("features[{index}].properties"));
        let attributes = attributes(&columns, raw.properties, &mut notices)
            .map_err(|(expected, found)| ReadError::malformed(file, place(), expected, found))?;
        features.push(Feature { shape: raw.shape, attributes, style: raw.style });
    }
    let name = root.get("name").and_then(Value::as_str).filter(|name| !name.is_empty());
    let layer = VectorLayer { name: name.map_or_else(|| layer_name(file), layer_name), columns, features };
    let mut findings = notices.into_findings();
    findings.extend(check_frame(&root, &layer));
    findings.extend(check_columns(&layer));
    Ok(ReadContent { content: Content::Vector(layer), findings })
}

/// A feature whose properties are not yet attributes.
struct RawFeature<'v> {
    shape: Shape,
    properties: Option<&'v Map<String, Value>>,
    style: Vec<String>,
}

struct LayerReader<'f, 'v> {
    file: &'f str,
    notices: Notices,
    found: Vec<RawFeature<'v>>,
}

impl<'v> LayerReader<'_, 'v> {
    fn wrong(&self, field: &str, expected: &str, found: &Value) -> ReadError {
        let found = excerpt(found.to_string().as_bytes());
        ReadError::malformed(self.file, Place::field(field), expected, found)
    }

    fn root(&mut self, root: &'v Value) -> Result<(), ReadError> {
        match type_of(root) {
            Some("FeatureCollection") => {
                let features = &root["features"];
                let Some(list) = features.as_array() else {
                    return Err(self.wrong("features", "a list of features", features));
                };
                for (index, feature) in list.iter().enumerate() {
                    self.feature(feature, &format!("features[{index}]"))?;
                }
                Ok(())
            }
            Some("Feature") => self.feature(root, "feature"),
            Some(name) if GEOMETRIES.contains(&name) => self.shapes(root, "geometry", &mut |found, shape| {
                found.push(RawFeature { shape, properties: None, style: Vec::new() });
            }),
            _ => Err(self.wrong("type", "FeatureCollection, Feature or a geometry", &root["type"])),
        }
    }

    fn feature(&mut self, feature: &'v Value, field: &str) -> Result<(), ReadError> {
        if type_of(feature) != Some("Feature") {
            return Err(self.wrong(field, "a Feature", feature));
        }
        let properties = match feature.get("properties") {
            None | Some(Value::Null) => None,
            Some(Value::Object(map)) => Some(map),
            Some(other) => {
                return Err(self.wrong(&format!("{field}.properties"), "an object or null", other));
            }
        };
        let lines = feature.get("style").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        let style: Vec<_> = lines.iter().filter_map(|line| line.as_str().map(str::to_owned)).collect();
        if feature.get("id").is_some() {
            self.notices.count("FEATURE_ID_IGNORED", || {
                let message = "features have an 'id' outside their properties; it was not kept";
                Finding::new(Level::Info, "FEATURE_ID_IGNORED", message).hint("move it into the properties")
            });
        }
        let text = feature.get("text").and_then(Value::as_str);
        let geometry = feature.get("geometry").unwrap_or(&Value::Null);
        if geometry.is_null() {
            self.found.push(RawFeature { shape: Shape::None, properties, style });
            return Ok(());
        }
        self.shapes(geometry, &format!("{field}.geometry"), &mut |found, shape| {
            let shape = match (shape, text) {
                (Shape::Point(place), Some(text)) => Shape::Text { place, text: text.to_owned() },
                (shape, _) => shape,
            };
            found.push(RawFeature { shape, properties, style: style.clone() });
        })
    }

    /// The shapes of a geometry: one, or those of a collection. The parser bounds the depth of nesting.
    fn shapes(
        &mut self,
        geometry: &'v Value,
        field: &str,
        add: &mut dyn FnMut(&mut Vec<RawFeature<'v>>, Shape),
    ) -> Result<(), ReadError> {
        let coordinates = &geometry["coordinates"];
        let shape = match type_of(geometry) {
            Some("Point") => Shape::Point(self.position(coordinates, field)?),
            Some("MultiPoint") => Shape::MultiPoint(self.positions(coordinates, field)?),
            Some("LineString") => Shape::Lines(vec![self.positions(coordinates, field)?]),
            Some("MultiLineString") => {
                Shape::Lines(self.list(coordinates, field, |reader, line| reader.positions(line, field))?)
            }
            Some("Polygon") => Shape::Area(self.rings(coordinates, field)?),
            Some("MultiPolygon") => {
                let polygons =
                    self.list(coordinates, field, |reader, polygon| reader.rings(polygon, field))?;
                Shape::Area(polygons.concat())
            }
            Some("GeometryCollection") => {
                self.note_collection();
                let parts = &geometry["geometries"];
                let Some(parts) = parts.as_array() else {
                    return Err(self.wrong(field, "a list of geometries", parts));
                };
                return parts.iter().try_for_each(|part| self.shapes(part, field, add));
            }
            _ => return Err(self.wrong(field, "a geometry of a known type", &geometry["type"])),
        };
        check_rows(self.file, self.found.len())?;
        add(&mut self.found, shape);
        Ok(())
    }

    fn list<T>(
        &mut self,
        value: &'v Value,
        field: &str,
        mut each: impl FnMut(&mut Self, &'v Value) -> Result<T, ReadError>,
    ) -> Result<Vec<T>, ReadError> {
        let Some(list) = value.as_array() else {
            return Err(self.wrong(field, "a list of coordinates", value));
        };
        list.iter().map(|item| each(self, item)).collect()
    }

    fn positions(&mut self, value: &'v Value, field: &str) -> Result<Vec<Point2>, ReadError> {
        self.list(value, field, |reader, position| reader.position(position, field))
    }

    fn rings(&mut self, value: &'v Value, field: &str) -> Result<Vec<Vec<Point2>>, ReadError> {
        self.list(value, field, |reader, ring| {
            let mut points = reader.positions(ring, field)?;
            if points.len() < 3 {
                return Err(reader.wrong(field, "at least 3 points in a ring", ring));
            }
            if points.first() != points.last() {
                points.extend(points.first().copied());
                reader.notices.count("RING_CLOSED", || {
                    let message = "a ring of a polygon does not end where it begins; it was closed";
                    Finding::new(Level::Info, "RING_CLOSED", message)
                        .hint("repeat the first point at the end")
                });
            }
            Ok(points)
        })
    }

    fn position(&mut self, value: &'v Value, field: &str) -> Result<Point2, ReadError> {
        let numbers: Option<Vec<f64>> =
            value.as_array().and_then(|list| list.iter().map(Value::as_f64).collect());
        match numbers.as_deref() {
            Some(&[x_m, y_m]) => Ok(Point2::new(x_m, y_m)),
            Some(&[x_m, y_m, ..]) => {
                self.notices.count("HEIGHT_DROPPED", || {
                    let message = "positions have more than two numbers; only x and y were kept";
                    Finding::new(Level::Info, "HEIGHT_DROPPED", message)
                });
                Ok(Point2::new(x_m, y_m))
            }
            _ => Err(self.wrong(field, "positions of two numbers [x, y]", value)),
        }
    }

    fn note_collection(&mut self) {
        self.notices.count("COLLECTION_SPLIT", || {
            let message = "a geometry collection was read as one feature per part, with the same properties";
            Finding::new(Level::Info, "COLLECTION_SPLIT", message)
        });
    }
}

fn type_of(value: &Value) -> Option<&str> {
    value.get("type")?.as_str()
}

/// The coordinate frame that the file states, and whether the numbers look like degrees.
fn check_frame(root: &Value, layer: &VectorLayer) -> Option<Finding> {
    const HINT: &str = "project the layer to metres of the map's frame";
    let crs = root.pointer("/crs/properties/name").and_then(Value::as_str);
    if let Some(crs) = crs.filter(|crs| crs.contains("CRS84") || crs.ends_with("4326")) {
        let message =
            format!("the file says that its coordinates are degrees ({crs}); they were read as metres");
        return Some(Finding::warning("COORDINATES_MAY_BE_DEGREES", message).hint(HINT));
    }
    if crs.is_some() || root.pointer("/mapjudge/unit").is_some() {
        return None;
    }
    if look_like_degrees(layer) {
        let message = "all points lie within a twentieth of a unit, far from 0: they look like longitude and latitude, \
                       which GeoJSON means; they were read as metres";
        return Some(Finding::warning("COORDINATES_MAY_BE_DEGREES", message).hint(HINT));
    }
    let message = "the file does not say in which frame its coordinates are; they were read as metres";
    Some(
        Finding::new(Level::Info, "FRAME_NOT_STATED", message)
            .hint("add: \"mapjudge\": {\"frame\": \"local\", \"unit\": \"m\"}"),
    )
}

/// At least two different points, all within 0.05 units (5 km in degrees, nothing in metres), none near 0.
fn look_like_degrees(layer: &VectorLayer) -> bool {
    let points: Vec<_> =
        layer.features.iter().flat_map(|feature| crate::vector::mif::points_of(&feature.shape)).collect();
    let Some(first) = points.first() else { return false };
    let is_near = |p: &Point2| (p.x_m - first.x_m).abs() < 0.05 && (p.y_m - first.y_m).abs() < 0.05;
    let in_range = first.x_m.abs() <= 180.0 && first.y_m.abs() <= 90.0;
    let far_from_zero = first.x_m.abs().max(first.y_m.abs()) > 1.0;
    in_range && far_from_zero && points.iter().any(|p| p != first) && points.iter().all(is_near)
}

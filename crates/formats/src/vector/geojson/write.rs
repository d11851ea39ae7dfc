//! GeoJSON (RFC 7946) as a vector layer: writing. What it looks like stands in [`crate::vector::geojson`].
//!
//! Rings become polygons with holes by nesting: a ring inside an even number of others is an outer one, a ring inside
//! an odd number is a hole of the smallest outer ring around it. Holes follow their outer ring, so that rings in
//! another order come back in another order; nothing else changes. Directions of rings are kept as they are.

use std::fmt::Write;

use model::{Attribute, Point2, Shape, VectorLayer};
use serde_json::{Map, Value, json};

use crate::WriteError;
use crate::vector::geojson::columns::columns_member;

/// Writes a layer as GeoJSON, one feature per line.
///
/// # Errors
/// A number is not finite, or a feature has not one attribute per column.
pub fn write(layer: &VectorLayer) -> Result<String, WriteError> {
    let name = Value::from(layer.name.as_str());
    let ours = json!({"frame": "local", "unit": "m", "columns": columns_member(&layer.columns)});
    let mut text =
        format!("{{\"type\": \"FeatureCollection\", \"name\": {name}, \"mapjudge\": {ours}, \"features\": [");
    for (index, feature) in layer.features.iter().enumerate() {
        let place = || format!("feature {}", index + 1);
        check_nesting(&feature.shape)
            .map_err(|found| refused(place(), "an area of fewer rings and points", found))?;
        let mut object = Map::new();
        object.insert("type".to_owned(), json!("Feature"));
        let geometry = geometry(&feature.shape);
        object.insert(
            "geometry".to_owned(),
            geometry.map_err(|found| refused(place(), "finite coordinates", found))?,
        );
        if let Shape::Text { text, .. } = &feature.shape {
            object.insert("text".to_owned(), json!(text));
        }
        let properties = properties(layer, &feature.attributes, place)?;
        object.insert("properties".to_owned(), Value::Object(properties));
        if !feature.style.is_empty() {
            object.insert("style".to_owned(), json!(feature.style));
        }
        let comma = if index > 0 { "," } else { "" };
        let _ = write!(text, "{comma}\n{}", Value::Object(object));
    }
    text += "\n]}\n";
    Ok(text)
}

fn refused(place: String, expected: &str, found: String) -> WriteError {
    WriteError::new("geojson", place, expected, found)
}

fn properties(
    layer: &VectorLayer,
    attributes: &[Attribute],
    place: impl Fn() -> String,
) -> Result<Map<String, Value>, WriteError> {
    if attributes.len() != layer.columns.len() {
        let expected = format!("{} attributes", layer.columns.len());
        return Err(refused(place(), &expected, attributes.len().to_string()));
    }
    let mut map = Map::new();
    for (column, attribute) in layer.columns.iter().zip(attributes) {
        let value = match attribute {
            Attribute::Missing => Value::Null,
            Attribute::Text(text) => json!(text),
            Attribute::Integer(number) => json!(number),
            Attribute::Real(number) if number.is_finite() => json!(number),
            Attribute::Real(number) => return Err(refused(place(), "finite numbers", number.to_string())),
            Attribute::Logical(yes) => json!(yes),
        };
        map.insert(column.name.clone(), value);
    }
    Ok(map)
}

/// The geometry of a shape; the error is the position that is not finite.
fn geometry(shape: &Shape) -> Result<Value, String> {
    let (name, coordinates) = match shape {
        Shape::None => return Ok(Value::Null),
        Shape::Point(place) | Shape::Text { place, .. } => ("Point", position(place)?),
        Shape::MultiPoint(points) => ("MultiPoint", positions(points)?),
        Shape::Lines(lines) => match lines.as_slice() {
            [line] => ("LineString", positions(line)?),
            lines => ("MultiLineString", lists(lines)?),
        },
        Shape::Area(rings) => match nested(rings).as_slice() {
            [polygon] => ("Polygon", lists(polygon)?),
            polygons => {
                let polygons: Result<Vec<_>, _> = polygons.iter().map(|polygon| lists(polygon)).collect();
                ("MultiPolygon", Value::Array(polygons?))
            }
        },
    };
    Ok(json!({"type": name, "coordinates": coordinates}))
}

fn position(point: &Point2) -> Result<Value, String> {
    if point.x_m.is_finite() && point.y_m.is_finite() {
        return Ok(json!([point.x_m, point.y_m]));
    }
    Err(format!("({}, {})", point.x_m, point.y_m))
}

fn positions(points: &[Point2]) -> Result<Value, String> {
    Ok(Value::Array(points.iter().map(position).collect::<Result<_, _>>()?))
}

fn lists<L: AsRef<[Point2]>>(lists: &[L]) -> Result<Value, String> {
    Ok(Value::Array(lists.iter().map(|list| positions(list.as_ref())).collect::<Result<_, _>>()?))
}

/// Nesting compares each ring with the points of all; beyond this many steps it would take minutes.
const MAX_NESTING_STEPS: usize = 1 << 31;

fn check_nesting(shape: &Shape) -> Result<(), String> {
    let Shape::Area(rings) = shape else { return Ok(()) };
    let points: usize = rings.iter().map(Vec::len).sum();
    if rings.len().saturating_mul(points) <= MAX_NESTING_STEPS {
        return Ok(());
    }
    Err(format!("{} rings of {points} points", rings.len()))
}

/// Rings as polygons: each outer ring with its holes, in the order of the outer rings.
fn nested(rings: &[Vec<Point2>]) -> Vec<Vec<&Vec<Point2>>> {
    let around: Vec<Vec<usize>> = (0..rings.len()).map(|ring| rings_around(rings, ring)).collect();
    let is_outer = |ring: usize| around[ring].len().is_multiple_of(2);
    let mut polygons: Vec<(usize, Vec<&Vec<Point2>>)> =
        (0..rings.len()).filter(|&ring| is_outer(ring)).map(|ring| (ring, vec![&rings[ring]])).collect();
    for hole in (0..rings.len()).filter(|&ring| !is_outer(ring)) {
        // The innermost of the outer rings around it has the most rings around itself.
        let outer = around[hole].iter().copied().filter(|&ring| is_outer(ring));
        let innermost = outer.max_by_key(|&ring| around[ring].len());
        match polygons.iter_mut().find(|(outer, _)| Some(*outer) == innermost) {
            Some((_, polygon)) => polygon.push(&rings[hole]),
            None => polygons.push((hole, vec![&rings[hole]])),
        }
    }
    polygons.into_iter().map(|(_, polygon)| polygon).collect()
}

/// The other rings around the first point of a ring, by the even-odd rule. Of equal rings the earlier one is outside.
fn rings_around(rings: &[Vec<Point2>], ring: usize) -> Vec<usize> {
    let Some(&point) = rings[ring].first() else { return Vec::new() };
    let is_around = |&other: &usize| {
        other != ring
            && (rings[other] == rings[ring] && other < ring
                || rings[other] != rings[ring] && contains(&rings[other], point))
    };
    (0..rings.len()).filter(is_around).collect()
}

/// Even-odd rule: a ray to the right crosses the ring an odd number of times.
fn contains(ring: &[Point2], point: Point2) -> bool {
    let crosses = |pair: &&[Point2]| {
        let (a, b) = (pair[0], pair[1]);
        (a.y_m > point.y_m) != (b.y_m > point.y_m)
            && point.x_m < (b.x_m - a.x_m) * (point.y_m - a.y_m) / (b.y_m - a.y_m) + a.x_m
    };
    ring.windows(2).filter(crosses).count() % 2 == 1
}

#[cfg(test)]
mod tests {
    use model::{Feature, Finding};
    use proptest::prelude::*;

    use super::*;
    use crate::vector::layer_samples::{layers, square};
    use crate::{Content, NamedBytes, ReadError, ReadOptions, read_document_bytes};

    fn read(text: &str) -> Result<(VectorLayer, Vec<Finding>), ReadError> {
        let file = NamedBytes { name: "victims.geojson", bytes: text.as_bytes() };
        let document = read_document_bytes(file, &[], &ReadOptions::default())?;
        let Content::Vector(layer) = document.content else { panic!("no layer") };
        Ok((layer, document.findings))
    }

    fn codes(text: &str) -> Vec<String> {
        read(text).unwrap().1.into_iter().map(|finding| finding.code.into_owned()).collect()
    }

    fn of_geometry(geometry: &str) -> String {
        format!("{{\"type\":\"Feature\",\"geometry\":{geometry},\"properties\":null}}")
    }

    #[test]
    fn a_file_of_another_program_is_read_with_what_is_assumed() {
        let text = r#"{"type": "FeatureCollection", "features": [
            {"type": "Feature", "id": 7, "geometry": {"type": "Point", "coordinates": [12.5, -3.25, 0.5]},
             "properties": {"ID": "v1", "STATUS": "alive", "T": 12}},
            {"type": "Feature", "geometry": null, "properties": {"ID": "v2", "T": 1.5}}]}"#;
        let (layer, findings) = read(text).unwrap();
        assert_eq!(layer.name, "victims");
        assert_eq!(layer.features[0].shape, Shape::Point(Point2::new(12.5, -3.25)));
        assert_eq!(layer.attribute(&layer.features[0], "T"), Some(&Attribute::Real(12.0)));
        assert_eq!(layer.attribute(&layer.features[1], "STATUS"), Some(&Attribute::Missing));
        assert_eq!(layer.features[1].shape, Shape::None);
        let codes: Vec<_> = findings.iter().map(|finding| finding.code.as_ref()).collect();
        assert_eq!(codes, ["FEATURE_ID_IGNORED", "HEIGHT_DROPPED", "FRAME_NOT_STATED"]);
    }

    #[test]
    fn every_geometry_is_read() {
        let collection = r#"{"type":"GeometryCollection","geometries":[{"type":"Point","coordinates":[1,2]},
            {"type":"MultiPolygon","coordinates":[[[[0,0],[4,0],[4,4],[0,0]],[[1,1],[2,1],[2,2]]]]}]}"#;
        let (layer, findings) = read(collection).unwrap();
        let Shape::Area(rings) = &layer.features[1].shape else { panic!("no area") };
        assert_eq!((rings.len(), rings[1].len()), (2, 4));
        assert!(findings.iter().any(|finding| finding.code == "COLLECTION_SPLIT"));
        assert!(findings.iter().any(|finding| finding.code == "RING_CLOSED"));
        let lines = r#"{"type":"MultiLineString","coordinates":[[[0,0],[1,1]],[[2,2],[3,3],[4,4]]]}"#;
        let Shape::Lines(lines) = &read(&of_geometry(lines)).unwrap().0.features[0].shape else {
            panic!("no lines")
        };
        assert_eq!((lines[0].len(), lines[1].len()), (2, 3));
    }

    #[test]
    fn degrees_are_warned_about_where_they_show() {
        let near = r#"{"type":"MultiPoint","coordinates":[[8.6521,49.8772],[8.6523,49.8771]]}"#;
        assert_eq!(codes(near)[0], "COORDINATES_MAY_BE_DEGREES");
        let said = r#"{"type":"FeatureCollection","crs":{"type":"name","properties":
            {"name":"urn:ogc:def:crs:OGC:1.3:CRS84"}},"features":[]}"#;
        assert_eq!(codes(said)[0], "COORDINATES_MAY_BE_DEGREES");
        let metres = r#"{"type":"MultiPoint","coordinates":[[8.65,49.87],[9.65,49.87]]}"#;
        assert_eq!(codes(metres)[0], "FRAME_NOT_STATED");
    }

    #[test]
    fn broken_files_are_refused_with_their_place() {
        for (text, expected) in [
            ("{\"type\": \"Feature\",\n\"geometry\": NaN}", "victims.geojson: line 2: expected GeoJSON"),
            ("[1, 2]", "field 'type': expected FeatureCollection"),
            (
                "{\"type\":\"FeatureCollection\",\"features\":7}",
                "field 'features': expected a list of features",
            ),
            ("{\"type\":\"FeatureCollection\",\"features\":[7]}", "field 'features[0]': expected a Feature"),
            (
                &of_geometry(r#"{"type":"Point","coordinates":["a",1]}"#),
                "'feature.geometry': expected positions",
            ),
            (&of_geometry(r#"{"type":"Point","coordinates":[1]}"#), "expected positions of two numbers"),
            (
                &of_geometry(r#"{"type":"Polygon","coordinates":[[[1,1],[2,2]]]}"#),
                "at least 3 points in a ring",
            ),
            (&of_geometry(r#"{"type":"Circle"}"#), "expected a geometry of a known type"),
            (&of_geometry(r#"{"type":"Point","coordinates":[1e999,1]}"#), "expected GeoJSON"),
            (&of_geometry(&"[".repeat(100_000)), "recursion limit"),
        ] {
            let error = read(text).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
    }

    #[test]
    fn holes_follow_their_outer_ring_whatever_the_order() {
        let (outer, hole, island) = (square(0.0, 0.0, 10.0), square(1.0, 1.0, 8.0), square(2.0, 2.0, 2.0));
        let other = square(20.0, 0.0, 5.0);
        let rings = [hole.clone(), other.clone(), island.clone(), outer.clone()];
        let polygons = nested(&rings);
        assert_eq!(polygons, [vec![&other], vec![&island], vec![&outer, &hole]]);
        // Two equal rings cancel: the second is a hole of the first.
        let twice = [outer.clone(), outer.clone()];
        assert_eq!(nested(&twice), [vec![&outer, &outer]]);
    }

    #[test]
    fn what_json_cannot_hold_is_refused() {
        let feature =
            |x_m| Feature { shape: Shape::Point(Point2::new(x_m, 0.0)), attributes: vec![], style: vec![] };
        let layer =
            VectorLayer { features: vec![feature(1.0), feature(f64::INFINITY)], ..VectorLayer::default() };
        let error = write(&layer).unwrap_err().to_string();
        assert_eq!(error, "geojson: feature 2: expected finite coordinates, found (inf, 0)");
    }

    proptest! {
        #[test]
        fn writing_and_reading_gives_the_same_layer(layer in layers()) {
            let (back, findings) = read(&write(&layer).unwrap()).unwrap();
            prop_assert_eq!(back, layer);
            prop_assert!(findings.iter().all(|finding| finding.code.starts_with("LAYER_")), "{:?}", findings);
        }
    }
}

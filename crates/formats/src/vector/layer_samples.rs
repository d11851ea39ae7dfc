//! Random layers for round-trip tests: any shape, any attribute, in the order that all formats keep.

use model::{Attribute, Column, ColumnType, Feature, Point2, Shape, VectorLayer};
use proptest::prelude::*;

fn number() -> impl Strategy<Value = f64> {
    prop_oneof![-1e3..1e3f64, (-1_000_000i32..1_000_000).prop_map(|mm| f64::from(mm) / 1000.0), -1e9..1e9f64]
}

fn point() -> impl Strategy<Value = Point2> {
    (number(), number()).prop_map(|(x, y)| Point2::new(x, y))
}

fn points() -> impl Strategy<Value = Vec<Point2>> {
    prop::collection::vec(point(), 2..6)
}

/// A square, counter-clockwise, closed.
pub(crate) fn square(x_m: f64, y_m: f64, side_m: f64) -> Vec<Point2> {
    let corners = [(0.0, 0.0), (side_m, 0.0), (side_m, side_m), (0.0, side_m), (0.0, 0.0)];
    corners.map(|(dx, dy)| Point2::new(x_m + dx, y_m + dy)).to_vec()
}

/// Squares beside each other, each with up to two holes: rings in the order in which GeoJSON nests them.
fn area() -> impl Strategy<Value = Vec<Vec<Point2>>> {
    prop::collection::vec((0usize..3, -100.0..100.0f64), 1..4).prop_map(|squares| {
        let mut rings = Vec::new();
        for (index, (holes, y_m)) in squares.into_iter().enumerate() {
            let x_m = 20.0 * index as f64;
            rings.push(square(x_m, y_m, 10.0));
            rings.extend((0..holes).map(|hole| square(x_m + 1.0 + 4.0 * hole as f64, y_m + 2.5, 3.0)));
        }
        rings
    })
}

fn shape() -> impl Strategy<Value = Shape> {
    prop_oneof![
        Just(Shape::None),
        point().prop_map(Shape::Point),
        prop::collection::vec(point(), 1..4).prop_map(Shape::MultiPoint),
        prop::collection::vec(points(), 1..4).prop_map(Shape::Lines),
        area().prop_map(Shape::Area),
        (point(), "[ -~äß\n]{0,12}").prop_map(|(place, text)| Shape::Text { place, text }),
    ]
}

fn column_kind() -> impl Strategy<Value = ColumnType> {
    prop_oneof![
        (1usize..30).prop_map(|width| ColumnType::Text { width }),
        Just(ColumnType::Integer),
        Just(ColumnType::Real),
        Just(ColumnType::Logical),
    ]
}

fn attribute(kind: ColumnType) -> BoxedStrategy<Attribute> {
    let value = match kind {
        ColumnType::Text { width } => prop::collection::vec("[ -~äß,\"]", 1..=width)
            .prop_map(|text| Attribute::Text(text.concat()))
            .boxed(),
        ColumnType::Integer => prop_oneof![any::<i64>(), -9i64..9].prop_map(Attribute::Integer).boxed(),
        ColumnType::Real => number().prop_map(Attribute::Real).boxed(),
        ColumnType::Logical => any::<bool>().prop_map(Attribute::Logical).boxed(),
    };
    prop_oneof![1 => Just(Attribute::Missing), 4 => value].boxed()
}

fn feature(kinds: &[ColumnType]) -> impl Strategy<Value = Feature> + use<> {
    let attributes: Vec<_> = kinds.iter().map(|&kind| attribute(kind)).collect();
    let style = prop::collection::vec(prop_oneof![Just("Pen (1,2,0)"), Just("Symbol(34, 1, 4)")], 0..3);
    (shape(), attributes, style).prop_map(|(shape, attributes, style)| Feature {
        shape,
        attributes,
        style: style.into_iter().map(str::to_owned).collect(),
    })
}

/// Layers that every vector format can hold.
pub(crate) fn layers() -> impl Strategy<Value = VectorLayer> {
    let name = prop_oneof![Just("victims"), Just("robot_path"), Just("world")];
    let layer = (name, prop::collection::vec(column_kind(), 0..4)).prop_flat_map(|(name, kinds)| {
        let features = prop::collection::vec(feature(&kinds), 0..6);
        features.prop_map(move |features| {
            let column = |(index, &kind)| Column { name: format!("C{index}"), kind };
            let columns = kinds.iter().enumerate().map(column).collect();
            VectorLayer { name: name.to_owned(), columns, features }
        })
    });
    layer.boxed()
}

//! Points, lines and areas with attributes.

use crate::Point2;

/// The shape of a feature, in metres.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// No geometry; holds the place of a row.
    None,
    Point(Point2),
    MultiPoint(Vec<Point2>),
    /// One or more lines.
    Lines(Vec<Vec<Point2>>),
    /// Rings, each closed (first point = last point); which are holes follows from the even-odd rule.
    Area(Vec<Vec<Point2>>),
    /// A text at a place.
    Text {
        /// Lower left corner.
        place: Point2,
        text: String,
    },
}

#[derive(Clone, Debug, PartialEq)]
pub enum Attribute {
    Missing,
    Text(String),
    Integer(i64),
    /// A real number, finite.
    Real(f64),
    Logical(bool),
}

/// Type of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColumnType {
    /// Words of at most so many characters.
    Text {
        /// Width in characters.
        width: usize,
    },
    Integer,
    Real,
    Logical,
}

/// A column of the attribute table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    pub name: String,
    pub kind: ColumnType,
}

/// A shape with its attributes, one per column.
#[derive(Clone, Debug, PartialEq)]
pub struct Feature {
    pub shape: Shape,
    /// One per column of the layer.
    pub attributes: Vec<Attribute>,
    /// Style as written in the file, passed on unchanged.
    pub style: Vec<String>,
}

/// A layer of features of one kind, such as `victims` or `robot_path`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct VectorLayer {
    /// Kind, from the file name or its content.
    pub name: String,
    /// Columns of the attribute table.
    pub columns: Vec<Column>,
    /// Features in the order of the file.
    pub features: Vec<Feature>,
}

impl VectorLayer {
    /// The attribute of a feature under a column's name, whatever its case.
    pub fn attribute<'a>(&self, feature: &'a Feature, column: &str) -> Option<&'a Attribute> {
        let index = self.columns.iter().position(|c| c.name.eq_ignore_ascii_case(column))?;
        feature.attributes.get(index)
    }
}

//! Points, lines and areas with attributes.

use crate::Point2;

/// The shape of a feature, in metres.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// No geometry; holds the place of a row.
    None,
    /// A point.
    Point(Point2),
    /// Several points.
    MultiPoint(Vec<Point2>),
    /// One or more lines.
    Lines(Vec<Vec<Point2>>),
    /// Rings, each closed (first point = last point); which are holes follows from the even-odd rule.
    Area(Vec<Vec<Point2>>),
    /// A text at a place.
    Text {
        /// Lower left corner.
        place: Point2,
        /// What it says.
        text: String,
    },
}

/// An attribute.
#[derive(Clone, Debug, PartialEq)]
pub enum Attribute {
    /// Not given.
    Missing,
    /// Words.
    Text(String),
    /// A whole number.
    Integer(i64),
    /// A real number, finite.
    Real(f64),
    /// Yes or no.
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
    /// Whole numbers.
    Integer,
    /// Real numbers.
    Real,
    /// Yes or no.
    Logical,
}

/// A column of the attribute table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// Name.
    pub name: String,
    /// Type.
    pub kind: ColumnType,
}

/// A shape with its attributes, one per column.
#[derive(Clone, Debug, PartialEq)]
pub struct Feature {
    /// Where it is.
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
    #[must_use]
    pub fn attribute<'a>(&self, feature: &'a Feature, column: &str) -> Option<&'a Attribute> {
        let index = self.columns.iter().position(|c| c.name.eq_ignore_ascii_case(column))?;
        feature.attributes.get(index)
    }
}

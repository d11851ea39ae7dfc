//! Any file that mapjudge understands: what kind of thing it is, and its content.

use std::path::Path;

use model::{
    DetectionTable, FiducialLayout, Finding, PointList, PoseGraph, Relation, SensorLog, Trajectory,
    VectorLayer,
};

use crate::{BagSummary, MapFile, ReadError, ReadOptions, SourceFile};

/// What kind of thing a file holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A map of cells.
    Raster,
    /// Points, lines and areas with attributes.
    Vector,
    Trajectory,
    Relations,
    Log,
    /// Poses joined by measurements.
    Graph,
    /// Recorded messages by topic.
    Bag,
    /// Rows of detections or labelled points.
    Table,
    Layout,
}

impl Kind {
    /// The name in reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Raster => "raster",
            Self::Vector => "vector",
            Self::Trajectory => "trajectory",
            Self::Relations => "relations",
            Self::Log => "log",
            Self::Graph => "graph",
            Self::Bag => "bag",
            Self::Table => "table",
            Self::Layout => "layout",
        }
    }

    /// What a person calls it, with its article, for messages.
    #[must_use]
    pub const fn noun(self) -> &'static str {
        match self {
            Self::Raster => "a map",
            Self::Vector => "a vector layer",
            Self::Trajectory => "a trajectory",
            Self::Relations => "relations",
            Self::Log => "a log of scans and odometry",
            Self::Graph => "a pose graph",
            Self::Bag => "a bag of several topics",
            Self::Table => "labelled points",
            Self::Layout => "a layout of fiducials",
        }
    }
}

/// The content of a file. One variant per kind; a reader returns the one of its format.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Content {
    /// A map of cells.
    Raster(Box<MapFile>),
    /// Points, lines and areas with attributes.
    Vector(VectorLayer),
    Trajectory(Trajectory),
    Relations(Vec<Relation>),
    Log(SensorLog),
    /// Poses joined by measurements.
    Graph(PoseGraph),
    /// Recorded messages: topics and counts.
    Bag(BagSummary),
    Detections(DetectionTable),
    Points(PointList),
    Layout(FiducialLayout),
}

impl Content {
    /// What kind of thing it is.
    #[must_use]
    pub const fn kind(&self) -> Kind {
        match self {
            Self::Raster(_) => Kind::Raster,
            Self::Vector(_) => Kind::Vector,
            Self::Trajectory(_) => Kind::Trajectory,
            Self::Relations(_) => Kind::Relations,
            Self::Log(_) => Kind::Log,
            Self::Graph(_) => Kind::Graph,
            Self::Bag(_) => Kind::Bag,
            Self::Detections(_) | Self::Points(_) => Kind::Table,
            Self::Layout(_) => Kind::Layout,
        }
    }
}

/// A file that was read.
#[derive(Clone, Debug, PartialEq)]
pub struct Document {
    /// Stable name of the format.
    pub format: &'static str,
    pub content: Content,
    /// What is odd about the file, in the order in which it was noticed.
    pub findings: Vec<Finding>,
    /// The files read, the given one first.
    pub sources: Vec<SourceFile>,
}

/// Reads any file that mapjudge understands.
///
/// # Errors
/// The file is missing, unreadable, too large, of no known format or damaged.
pub fn read_document(path: &Path, options: &ReadOptions) -> Result<Document, ReadError> {
    crate::read::read_shown(None, path, options, &mut |_, _| {})
}

/// Reads any file, showing its bytes to `observe` as they come, with the path of the file they are from.
///
/// # Errors
/// As [`read_document`].
pub fn read_document_in_pieces(
    path: &Path,
    options: &ReadOptions,
    observe: &mut dyn FnMut(&Path, &[u8]),
) -> Result<Document, ReadError> {
    crate::read::read_shown(None, path, options, observe)
}

/// As [`read_document_in_pieces`]; every file that is opened must lie in the folder `inside`, links followed, or is
/// refused before a byte of it is read.
///
/// # Errors
/// As [`read_document`], or a file lies elsewhere.
pub fn read_document_inside(
    inside: Option<&Path>,
    path: &Path,
    options: &ReadOptions,
    observe: &mut dyn FnMut(&Path, &[u8]),
) -> Result<Document, ReadError> {
    crate::read::read_shown(inside, path, options, observe)
}

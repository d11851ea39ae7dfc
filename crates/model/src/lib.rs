//! The data that every other crate of mapjudge speaks about: poses, grids and the classes of their cells.
//!
//! No input or output and no algorithms live here. Conventions (frames, indices, units) are those of
//! `docs/conventions.md`: metres and radians inside, x to the right, y up, yaw counter-clockwise.

mod angle;
mod cell;
mod detection;
mod finding;
mod geometry;
mod grid;
mod memory;
mod pose;
mod pose3;
mod pose_graph;
mod random;
mod relation_record;
mod rigid;
mod sensor_log;
mod similarity;
mod trajectory;
mod vector_layer;

pub use angle::wrap;
pub use cell::{Cell, CellClass, NavigationClass};
pub use detection::{
    Detection, DetectionTable, FiducialLayout, FiducialPart, PartKind, PointList, Positions,
};
pub use finding::{Finding, Level};
pub use geometry::{
    CELL_SIZES_M, GeometryError, GridGeometry, MAX_CELLS, MAX_EXTENT_M, MAX_ORIGIN_M, MAX_SIDE_CELLS,
};
pub use grid::{Grid, GridError};
pub use memory::{MemoryLimit, MemoryNeed, OverMemory};
pub use pose::{Point2, Pose2};
pub use pose_graph::{Edge, PoseGraph, Vertex};
pub use pose3::Pose3;
pub use random::SeededRng;
pub use relation_record::{Displacement, MatchEvidence, RelationRecord, RelationStatus, ScanMatch};
pub use rigid::{PoseError, Rigid};
pub use sensor_log::{Attitude, BeamModel, LaserScan, LogRecord, Odometry, SensorLog, SonarSweep};
pub use similarity::Similarity2;
pub use trajectory::{Dimension, PoseSource, Relation, StampedPose, TimeBase, Trajectory};
pub use vector_layer::{Attribute, Column, ColumnType, Feature, Shape, VectorLayer};

//! Poses joined by measurements, as SLAM back ends exchange them.

use crate::Pose3;

/// A pose to be estimated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Vertex {
    /// Number in the file.
    pub id: u64,
    pub world_from_vertex: Pose3,
}

/// A measured displacement between two vertices.
#[derive(Clone, Debug, PartialEq)]
pub struct Edge {
    /// Vertex from which is measured.
    pub from: u64,
    /// Vertex that is measured.
    pub to: u64,
    /// Pose of `to` seen from `from`.
    pub from_from_to: Pose3,
    /// Upper triangle of the information matrix, row by row: 6 numbers in the plane, 21 in space.
    pub information: Vec<f64>,
}

/// A graph of poses.
#[derive(Clone, Debug, PartialEq)]
pub struct PoseGraph {
    pub dimension: crate::Dimension,
    /// Vertices in the order of the file; empty where the file has edges only.
    pub vertices: Vec<Vertex>,
    /// Edges in the order of the file.
    pub edges: Vec<Edge>,
    /// Vertices that must not move.
    pub fixed: Vec<u64>,
}

//! A graph of planar poses, and its conversion from and to the model of files.

use std::collections::BTreeMap;

use model::{Dimension, Edge, Pose2, PoseGraph, Vertex};

use super::{Constraint, Kernel};

/// Planar poses joined by measurements.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlanarGraph {
    /// Estimates of the poses.
    pub poses: Vec<Pose2>,
    pub constraints: Vec<Constraint>,
    /// Indices of poses that must not move. A connected part without one keeps its first pose.
    pub fixed: Vec<usize>,
}

/// Why a file's graph is no planar graph.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GraphError {
    /// The graph is spatial.
    #[error("the graph is spatial: expected a planar one (VERTEX_SE2, EDGE_SE2)")]
    Spatial,
    /// There is no edge.
    #[error("the graph has no edges: expected at least 1")]
    NoEdges,
    /// The information of an edge is not that of a planar one, or makes no cost.
    #[error("edge {index} ({from} to {to}): its information is not positive semidefinite")]
    Information { index: usize, from: u64, to: u64 },
}

impl GraphError {
    /// A name for programs; it never changes.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Spatial => "GRAPH_SPATIAL",
            Self::NoEdges => "GRAPH_NO_EDGES",
            Self::Information { .. } => "GRAPH_INFORMATION",
        }
    }
}

/// A planar graph with the names that its file has for the poses.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedGraph {
    pub graph: PlanarGraph,
    /// Ids of the poses in the file, ascending.
    pub ids: Vec<u64>,
    /// How many poses the file gives; those it only names in edges stand at the origin.
    pub given: usize,
}

impl NamedGraph {
    /// Takes a planar graph out of the model. Vertices that only edges name get no pose yet. A kernel that leaves measurements out
    /// (`TruncatedSquare`) is that of edges between poses that do not follow each other: the others are odometry.
    ///
    /// # Errors
    /// The graph is spatial, has no edge, or an edge whose information is no information.
    pub fn of_model(graph: &PoseGraph, kernel: Kernel) -> Result<Self, GraphError> {
        if graph.dimension == Dimension::Spatial {
            return Err(GraphError::Spatial);
        }
        if graph.edges.is_empty() {
            return Err(GraphError::NoEdges);
        }
        let mut poses: BTreeMap<u64, Option<Pose2>> =
            graph.edges.iter().flat_map(|edge| [(edge.from, None), (edge.to, None)]).collect();
        poses.extend(graph.vertices.iter().map(|v| (v.id, Some(v.world_from_vertex.planar()))));
        let ids: Vec<u64> = poses.keys().copied().collect();
        let index_of = |id: u64| ids.binary_search(&id).unwrap_or_default();
        let constraint = |(index, edge): (usize, &Edge)| {
            let refused = GraphError::Information { index, from: edge.from, to: edge.to };
            let (from, to) = (index_of(edge.from), index_of(edge.to));
            let is_trusted = matches!(kernel, Kernel::TruncatedSquare(_)) && from.abs_diff(to) <= 1;
            Ok(Constraint {
                from,
                to,
                from_from_to: edge.from_from_to.planar(),
                information: information(&edge.information).ok_or(refused)?,
                kernel: if is_trusted { Kernel::Square } else { kernel },
            })
        };
        let constraints = graph.edges.iter().enumerate().map(constraint).collect::<Result<_, _>>()?;
        let fixed = graph.fixed.iter().filter_map(|id| ids.binary_search(id).ok()).collect();
        let given = poses.values().flatten().count();
        let poses = poses.values().map(|pose| pose.unwrap_or(Pose2::IDENTITY)).collect();
        Ok(Self { graph: PlanarGraph { poses, constraints, fixed }, ids, given })
    }

    /// The graph as files have it; the edges are those of `original`.
    pub fn to_model(&self, original: &PoseGraph) -> PoseGraph {
        let vertex = |(&id, &pose): (&u64, &Pose2)| Vertex { id, world_from_vertex: pose.into() };
        PoseGraph {
            vertices: self.ids.iter().zip(&self.graph.poses).map(vertex).collect(),
            ..original.clone()
        }
    }
}

/// The symmetric matrix of an upper triangle; none if a principal minor is negative beyond rounding.
fn information(upper: &[f64]) -> Option<[[f64; 3]; 3]> {
    let &[xx, xy, xt, yy, yt, tt] = upper else { return None };
    let scale = xx.abs().max(yy.abs()).max(tt.abs());
    let near_zero = -1e-9 * scale;
    let is_semidefinite = [xx, yy, tt].iter().all(|&d| d >= 0.0)
        && [xx * yy - xy * xy, xx * tt - xt * xt, yy * tt - yt * yt].iter().all(|&m| m >= near_zero * scale);
    let is_finite = upper.iter().all(|v| v.is_finite());
    (is_semidefinite && is_finite).then_some([[xx, xy, xt], [xy, yy, yt], [xt, yt, tt]])
}

#[cfg(test)]
mod tests {
    use model::Pose3;

    use super::*;

    fn edge(from: u64, to: u64, information: Vec<f64>) -> Edge {
        Edge { from, to, from_from_to: Pose3::IDENTITY, information }
    }

    fn of(edges: Vec<Edge>) -> Result<NamedGraph, GraphError> {
        let graph =
            PoseGraph { dimension: Dimension::Planar, vertices: Vec::new(), edges, fixed: vec![7, 99] };
        NamedGraph::of_model(&graph, Kernel::Square)
    }

    #[test]
    fn ids_become_indices_in_ascending_order() {
        let named = of(vec![edge(30, 7, vec![1.0, 0.0, 0.0, 1.0, 0.0, 1.0])]).unwrap();
        assert_eq!(
            (named.ids.as_slice(), named.given, named.graph.fixed.as_slice()),
            (&[7, 30][..], 0, &[0][..])
        );
        assert_eq!((named.graph.constraints[0].from, named.graph.constraints[0].to), (1, 0));
    }

    #[test]
    fn what_is_no_information_is_refused() {
        for wrong in [
            vec![-1.0, 0.0, 0.0, 1.0, 0.0, 1.0],
            vec![1.0, 2.0, 0.0, 1.0, 0.0, 1.0],
            vec![f64::INFINITY, 0.0, 0.0, 1.0, 0.0, 1.0],
            vec![1.0; 21],
        ] {
            assert!(matches!(of(vec![edge(0, 1, wrong)]), Err(GraphError::Information { index: 0, .. })));
        }
        assert_eq!(of(Vec::new()), Err(GraphError::NoEdges));
    }
}

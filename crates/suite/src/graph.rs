//! The graph of one map: nodes, edges, and the files they can be written to.

use std::fmt::Write;

use metrics::paths::ground::Ground;
use metrics::paths::path_inputs::PathInputs;
use metrics::topology::environment::{Environment, environment};
use model::{Attribute, Column, ColumnType, Feature, Finding, Shape, VectorLayer};
use report::{Figure, GROUND_COLOURS, Layer};
use serde::Serialize;

use crate::judge::check_map_memory;
use crate::{JobError, Loaded, Map};

/// The graph of the free space of a map.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MapGraph {
    /// Junctions, ends and isolated places.
    pub nodes: Vec<GraphNode>,
    /// Ways between them.
    pub edges: Vec<GraphEdge>,
    /// Number of connected parts.
    pub components: usize,
    /// Number of independent cycles.
    pub cycles: usize,
    /// How hard the place is.
    pub environment: Environment,
    /// What the reader noticed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<Finding>,
}

/// A node of the graph.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GraphNode {
    /// Number, by place in the map: top row first.
    pub id: usize,
    /// To the right.
    pub x_m: f64,
    /// Up.
    pub y_m: f64,
    /// Distance to the nearest cell that is not free.
    pub clearance_m: f64,
    /// Number of edges.
    pub degree: usize,
}

/// An edge of the graph.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GraphEdge {
    /// Id of one end.
    pub a: usize,
    /// Id of the other end.
    pub b: usize,
    /// Length along its cells.
    pub length_m: f64,
    /// Clearance at its narrowest place.
    pub min_clearance_m: f64,
    /// Cells from `a` to `b` as metres, for drawing.
    #[serde(skip)]
    pub line: Vec<model::Point2>,
}

/// A graph with the map it was made of.
pub struct GraphOfMap {
    /// The graph.
    pub graph: MapGraph,
    ground: Ground,
}

/// Makes the graph of a map. `progress` is told each step as it begins.
///
/// # Errors
/// A parameter makes no sense, or the map is too large for exact distances.
pub fn graph(
    map: &Loaded<Map>,
    inputs: &PathInputs,
    progress: &dyn Fn(&'static str),
) -> Result<GraphOfMap, JobError> {
    if let Some(fault) = inputs.fault() {
        return Err(JobError::Robot(fault));
    }
    check_map_memory(&map.value.grid, metrics::Family::Topology)?;
    let ground = Ground::new(&map.value.grid, inputs);
    progress("thinning");
    let too_large = |reason: metrics::Reason| JobError::Robot(reason.meaning().to_owned());
    let found = ground.graph().map_err(too_large)?;
    progress("measuring");
    let cell_size_m = ground.cell_size_m();
    let place = |cell: u32| ground.place_of(cell as usize);
    let degrees = found.graph.degrees();
    let nodes = found.graph.nodes.iter().enumerate().map(|(id, node)| GraphNode {
        id,
        x_m: place(node.cell).x_m,
        y_m: place(node.cell).y_m,
        clearance_m: found.node_clearance_cells[id] * cell_size_m,
        degree: degrees[id],
    });
    let edges = found.graph.edges.iter().enumerate().map(|(index, edge)| GraphEdge {
        a: edge.a,
        b: edge.b,
        length_m: edge.steps.length_cells() * cell_size_m,
        min_clearance_m: found.narrowest_cells(index) * cell_size_m,
        line: edge.cells.iter().map(|&cell| place(cell)).collect(),
    });
    let graph = MapGraph {
        nodes: nodes.collect(),
        edges: edges.collect(),
        components: found.graph.components(),
        cycles: found.graph.cycles(),
        environment: environment(&ground).map_err(too_large)?,
        findings: map.findings_as("map"),
    };
    Ok(GraphOfMap { graph, ground })
}

impl GraphOfMap {
    /// The graph drawn over the map, as a PNG.
    ///
    /// # Errors
    /// The image cannot be drawn.
    pub fn png(&self) -> Result<Vec<u8>, JobError> {
        let skeleton =
            self.ground.skeleton().map_err(|reason| JobError::Robot(reason.meaning().to_owned()))?;
        let lines = skeleton.edges.iter().flat_map(|edge| edge.cells.iter().copied()).collect();
        let nodes = skeleton.nodes.iter().map(|node| node.cell).collect();
        let geometry = self.ground.geometry();
        let layers = vec![
            Layer::classes("map", geometry, self.ground.classes(), GROUND_COLOURS),
            Layer::lines(
                "graph",
                geometry,
                &[([0, 114, 178], "edge", lines), ([213, 94, 0], "node", nodes)],
            )?,
        ];
        Ok(Figure::new("graph", "Graph", "", layers).png()?)
    }
}

impl MapGraph {
    /// Edges as lines, for GeoJSON and MIF.
    #[must_use]
    pub fn edge_layer(&self) -> VectorLayer {
        let feature = |edge: &GraphEdge| Feature {
            shape: Shape::Lines(vec![edge.line.clone()]),
            attributes: vec![
                Attribute::Integer(edge.a as i64),
                Attribute::Integer(edge.b as i64),
                Attribute::Real(edge.length_m),
                Attribute::Real(edge.min_clearance_m),
            ],
            style: Vec::new(),
        };
        layer(
            "graph_edges",
            &[("a", Whole), ("b", Whole), ("length_m", Number), ("min_clearance_m", Number)],
            self.edges.iter().map(feature).collect(),
        )
    }

    /// Nodes as points, for GeoJSON and MIF.
    #[must_use]
    pub fn node_layer(&self) -> VectorLayer {
        let feature = |node: &GraphNode| Feature {
            shape: Shape::Point(model::Point2::new(node.x_m, node.y_m)),
            attributes: vec![
                Attribute::Integer(node.id as i64),
                Attribute::Real(node.clearance_m),
                Attribute::Integer(node.degree as i64),
            ],
            style: Vec::new(),
        };
        let columns = [("id", Whole), ("clearance_m", Number), ("degree", Whole)];
        layer("graph_nodes", &columns, self.nodes.iter().map(feature).collect())
    }

    /// The graph as GraphML, for graph programs.
    #[must_use]
    pub fn graphml(&self) -> String {
        let mut text = String::from(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n",
        );
        let keys = [
            ("node", "x_m"),
            ("node", "y_m"),
            ("node", "clearance_m"),
            ("edge", "length_m"),
            ("edge", "min_clearance_m"),
        ];
        for (kind, name) in keys {
            let _ = writeln!(
                text,
                "  <key id=\"{name}\" for=\"{kind}\" attr.name=\"{name}\" attr.type=\"double\"/>"
            );
        }
        text.push_str("  <graph id=\"map\" edgedefault=\"undirected\">\n");
        let data = |name: &str, value: f64| format!("<data key=\"{name}\">{value}</data>");
        for node in &self.nodes {
            let facts = [data("x_m", node.x_m), data("y_m", node.y_m), data("clearance_m", node.clearance_m)];
            let _ = writeln!(text, "    <node id=\"{}\">{}</node>", node.id, facts.concat());
        }
        for edge in &self.edges {
            let facts =
                [data("length_m", edge.length_m), data("min_clearance_m", edge.min_clearance_m)].concat();
            let _ = writeln!(text, "    <edge source=\"{}\" target=\"{}\">{facts}</edge>", edge.a, edge.b);
        }
        text.push_str("  </graph>\n</graphml>\n");
        text
    }
}

use ColumnType::{Integer as Whole, Real as Number};

fn layer(name: &str, columns: &[(&str, ColumnType)], features: Vec<Feature>) -> VectorLayer {
    let column = |&(name, kind): &(&str, ColumnType)| Column { name: name.to_owned(), kind };
    VectorLayer { name: name.to_owned(), columns: columns.iter().map(column).collect(), features }
}

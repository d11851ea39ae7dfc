//! Pose graphs: g2o (`VERTEX_SE2`, `EDGE_SE2`, `VERTEX_SE3:QUAT`, `EDGE_SE3:QUAT`, `FIX`) and TORO (`VERTEX2`,
//! `EDGE2`).
//!
//! Format: <https://github.com/RainerKuemmerle/g2o/wiki/File-Format>. An edge `i j` holds the pose of j seen from i and
//! the upper triangle of its information matrix, row by row. TORO's planar edges have another order: I11 I12 I22
//! I33 I13 I23. Some public files have edges only. Records of other things (landmarks, equivalences) are
//! skipped and counted.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use model::{Dimension, Edge, Finding, Level, Pose2, Pose3, PoseGraph, Vertex};

use crate::format::{Format, Input, ReadContent, Reader, Sniff, by_name, without_byte_order_mark};
use crate::log::carmen::{count_skipped, skipped_finding};
use crate::text::decimal;
use crate::text::lines::each_line;
use crate::text::row_faults::RowFaults;
use crate::trajectory::heading::heading_rad;
use crate::{Content, ReadError, ReadOptions};

pub(crate) const FORMAT: Format =
    Format { name: "g2o", title: "pose graph (g2o, TORO)", sniff, reader: Reader::Content(read) };

const NAMES: [&[u8]; 6] =
    [b"VERTEX_SE2", b"EDGE_SE2", b"VERTEX_SE3:QUAT", b"EDGE_SE3:QUAT", b"VERTEX2", b"EDGE2"];

fn sniff(bytes: &[u8], name: &str) -> Sniff {
    let mut lines = without_byte_order_mark(bytes).split(|byte| *byte == b'\n');
    let is_ours = lines.any(|line| {
        let first = line.trim_ascii_start().split(u8::is_ascii_whitespace).next().unwrap_or_default();
        NAMES.contains(&first)
    });
    if is_ours { Sniff::ByBytes } else { by_name(name, &[".g2o", ".graph"]) }
}

fn read(input: &mut Input<'_>, options: &ReadOptions) -> Result<ReadContent, ReadError> {
    let mut graph = PoseGraph {
        dimension: Dimension::Planar,
        vertices: Vec::new(),
        edges: Vec::new(),
        fixed: Vec::new(),
    };
    let mut skipped = Vec::new();
    let mut faults = RowFaults::allowing(options.bad_rows);
    each_line(&mut input.source, |line, text| {
        let text = text.trim_ascii();
        if text.is_empty() || text[0] == b'#' {
            return Ok(());
        }
        match take(&mut graph, text) {
            Taken::Yes => {}
            Taken::Skipped => count_skipped(&mut skipped, text),
            Taken::Damaged(expected) => faults.add("RECORD_DAMAGED", line, expected, text),
        }
        Ok(())
    })?;
    let records = graph.vertices.len() + graph.edges.len();
    let mut findings = faults.findings(input.source.name(), records, "vertex or edge")?;
    findings.extend(skipped_finding(&skipped));
    findings.extend(oddities(&graph));
    Ok(ReadContent { content: Content::Graph(graph), findings })
}

/// What became of a line.
enum Taken {
    Yes,
    Skipped,
    Damaged(&'static str),
}

fn take(graph: &mut PoseGraph, text: &[u8]) -> Taken {
    let (name, fields) = text.split_at(text.iter().position(u8::is_ascii_whitespace).unwrap_or(text.len()));
    let fields = Fields(fields.split(u8::is_ascii_whitespace).filter(|field| !field.is_empty()).collect());
    let (done, expected) = match name {
        b"VERTEX_SE2" | b"VERTEX2" => (fields.vertex::<3>(planar), "an id and x y theta"),
        b"VERTEX_SE3:QUAT" => (fields.vertex::<7>(spatial), "an id, x y z and qx qy qz qw"),
        b"EDGE_SE2" => (fields.edge::<3>(planar, 6), "two ids, dx dy dtheta and 6 numbers of information"),
        b"EDGE2" => {
            (fields.edge::<3>(planar, 6).map(in_rows), "two ids, dx dy dtheta and 6 numbers of information")
        }
        b"EDGE_SE3:QUAT" => {
            (fields.edge::<7>(spatial, 21), "two ids, 7 numbers of a pose and 21 of information")
        }
        b"FIX" => (fields.ids().map(Record::Fixed), "ids of vertices"),
        _ => return Taken::Skipped,
    };
    if name.starts_with(b"VERTEX_SE3") || name.starts_with(b"EDGE_SE3") {
        graph.dimension = Dimension::Spatial;
    }
    match done {
        Some(Record::Vertex(vertex)) => graph.vertices.push(vertex),
        Some(Record::Edge(edge)) => graph.edges.push(edge),
        Some(Record::Fixed(ids)) => graph.fixed.extend(ids),
        None => return Taken::Damaged(expected),
    }
    Taken::Yes
}

enum Record {
    Vertex(Vertex),
    Edge(Edge),
    Fixed(Vec<u64>),
}

fn planar([x_m, y_m, theta_rad]: [f64; 3]) -> Option<Pose3> {
    Some(Pose2::new(x_m, y_m, theta_rad).into())
}

fn spatial([x, y, z, quaternion @ ..]: [f64; 7]) -> Option<Pose3> {
    Pose3::new([x, y, z], quaternion)
}

/// The information of TORO's edges in the order of g2o.
fn in_rows(record: Record) -> Record {
    let Record::Edge(mut edge) = record else { return record };
    if let [i11, i12, i22, i33, i13, i23] = edge.information[..] {
        edge.information = vec![i11, i12, i13, i22, i23, i33];
    }
    Record::Edge(edge)
}

/// The fields behind the name of a record.
struct Fields<'a>(Vec<&'a [u8]>);

impl Fields<'_> {
    fn id(&self, at: usize) -> Option<u64> {
        std::str::from_utf8(self.0.get(at)?).ok()?.parse().ok()
    }

    fn ids(&self) -> Option<Vec<u64>> {
        let ids: Option<Vec<u64>> = (0..self.0.len()).map(|at| self.id(at)).collect();
        ids.filter(|ids| !ids.is_empty())
    }

    fn numbers(&self, from: usize) -> Option<Vec<f64>> {
        let numbers = self.0.get(from..)?.iter();
        numbers.map(|field| decimal::number(field).filter(|number| number.is_finite())).collect()
    }

    fn vertex<const N: usize>(&self, pose: fn([f64; N]) -> Option<Pose3>) -> Option<Record> {
        let numbers: [f64; N] = self.numbers(1)?.try_into().ok()?;
        Some(Record::Vertex(Vertex { id: self.id(0)?, world_from_vertex: pose(numbers)? }))
    }

    fn edge<const N: usize>(
        &self,
        pose: fn([f64; N]) -> Option<Pose3>,
        information: usize,
    ) -> Option<Record> {
        let numbers = self.numbers(2)?;
        let (displacement, rest) = numbers.split_first_chunk::<N>()?;
        if rest.len() != information {
            return None;
        }
        let (from, to, from_from_to) = (self.id(0)?, self.id(1)?, pose(*displacement)?);
        Some(Record::Edge(Edge { from, to, from_from_to, information: rest.to_vec() }))
    }
}

/// What is odd about a graph as a whole.
pub(crate) fn oddities(graph: &PoseGraph) -> Vec<Finding> {
    let mut findings = Vec::new();
    let poses: BTreeMap<u64, Pose3> = graph.vertices.iter().map(|v| (v.id, v.world_from_vertex)).collect();
    if graph.vertices.is_empty() {
        let ids: BTreeSet<u64> = graph.edges.iter().flat_map(|edge| [edge.from, edge.to]).collect();
        let message = format!("the file has edges only; they join {} vertices without a pose", ids.len());
        findings.push(
            Finding::new(Level::Info, "EDGES_ONLY", message)
                .hint("chain the edges of consecutive vertices for a start"),
        );
        return findings;
    }
    if poses.len() < graph.vertices.len() {
        let message = format!("{} vertices repeat the id of another", graph.vertices.len() - poses.len());
        findings.push(Finding::warning("VERTEX_REPEATED", message));
    }
    let joined = |edge: &&Edge| poses.contains_key(&edge.from) && poses.contains_key(&edge.to);
    let loose = graph.edges.iter().filter(|edge| !joined(edge)).count();
    if loose > 0 {
        let message = format!("{loose} edges name a vertex that the file does not have");
        findings.push(Finding::warning("EDGE_WITHOUT_VERTEX", message));
    }
    findings.extend(doubtful_direction(graph, &poses));
    findings
}

/// A warning if the displacements of neighbours fit the vertices far better when read from j to i.
fn doubtful_direction(graph: &PoseGraph, poses: &BTreeMap<u64, Pose3>) -> Option<Finding> {
    let (mut as_read_m, mut reversed_m) = (0.0, 0.0);
    for edge in graph.edges.iter().filter(|edge| edge.from.abs_diff(edge.to) == 1) {
        let (Some(from), Some(to)) = (poses.get(&edge.from), poses.get(&edge.to)) else { continue };
        as_read_m += distance_m(from.inverse() * *to, edge.from_from_to);
        reversed_m += distance_m(to.inverse() * *from, edge.from_from_to);
    }
    let message = "the edges fit the vertices better as the pose of i seen from j; they were read as that of j seen from i";
    (2.0 * reversed_m < as_read_m).then(|| {
        Finding::warning("EDGE_DIRECTION_DOUBTFUL", message).hint("swap the ids of the edges, if so")
    })
}

fn distance_m(a: Pose3, b: Pose3) -> f64 {
    a.position_m.iter().zip(b.position_m).map(|(p, q)| (p - q) * (p - q)).sum::<f64>().sqrt()
}

/// A graph as g2o text, with the digits that give back the same numbers.
#[must_use]
pub fn write(graph: &PoseGraph) -> String {
    let (vertex, edge) = match graph.dimension {
        Dimension::Planar => ("VERTEX_SE2 ", "EDGE_SE2 "),
        Dimension::Spatial => ("VERTEX_SE3:QUAT ", "EDGE_SE3:QUAT "),
    };
    let mut text = String::new();
    // Writing into a string cannot fail.
    for Vertex { id, world_from_vertex } in &graph.vertices {
        let _ = writeln!(text, "{vertex}{id}{}", pose_text(graph.dimension, *world_from_vertex));
    }
    for id in &graph.fixed {
        let _ = writeln!(text, "FIX {id}");
    }
    for Edge { from, to, from_from_to, information } in &graph.edges {
        let _ = write!(text, "{edge}{from} {to}{}", pose_text(graph.dimension, *from_from_to));
        for number in information {
            let _ = write!(text, " {number:?}");
        }
        text.push('\n');
    }
    text
}

fn pose_text(dimension: Dimension, pose: Pose3) -> String {
    let ([x, y, z], [qx, qy, qz, qw]) = (pose.position_m, pose.rotation_xyzw);
    match dimension {
        Dimension::Planar => format!(" {x:?} {y:?} {:?}", heading_rad(pose)),
        Dimension::Spatial => format!(" {x:?} {y:?} {z:?} {qx:?} {qy:?} {qz:?} {qw:?}"),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::trajectory::tum::tests::{any_poses, codes, document};

    fn graph(name: &str, text: &str) -> PoseGraph {
        match document(name, text).unwrap().content {
            Content::Graph(graph) => graph,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn vertices_edges_and_fixed_ones_are_read() {
        let text = "VERTEX_SE2 0 0 0 0\nVERTEX_SE2 1 1 2 0.5\nFIX 0\nEDGE_SE2 0 1 1 2 0.5  1 2 3 4 5 6\n";
        let found = graph("a.txt", text);
        assert_eq!(
            (found.dimension, found.vertices.len(), found.fixed.as_slice()),
            (Dimension::Planar, 2, &[0][..])
        );
        assert_eq!(found.vertices[1].world_from_vertex, Pose3::from(Pose2::new(1.0, 2.0, 0.5)));
        assert_eq!(found.edges[0].information, [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
        assert!(document("a.txt", text).unwrap().findings.is_empty());
    }

    #[test]
    fn the_information_of_toro_comes_in_another_order() {
        // I11 I12 I22 I33 I13 I23
        let found = graph("a.graph", "VERTEX2 0 0 0 0\nVERTEX2 1 1 0 0\nEDGE2 0 1 1 0 0 11 12 22 33 13 23\n");
        assert_eq!(found.edges[0].information, [11.0, 12.0, 13.0, 22.0, 23.0, 33.0]);
    }

    #[test]
    fn space_has_quaternions_and_21_numbers() {
        let information = vec!["1"; 21].join(" ");
        let text =
            format!("VERTEX_SE3:QUAT 0 1 2 3 0 0 0.6 0.8\nEDGE_SE3:QUAT 0 1 1 2 3 0 0 0 1 {information}\n");
        let found = graph("a.g2o", &text);
        assert_eq!((found.dimension, found.edges[0].information.len()), (Dimension::Spatial, 21));
        assert_eq!(codes(&document("a.g2o", &text).unwrap()), [("EDGE_WITHOUT_VERTEX", None)]);
    }

    #[test]
    fn oddities_are_named() {
        let edges = "EDGE_SE2 0 1 1 0 0 1 0 0 1 0 1\nEDGE_SE2 1 2\nBR 1 2 3\n";
        let document_of_edges = document("a.g2o", edges).unwrap();
        assert_eq!(
            codes(&document_of_edges),
            [("RECORD_DAMAGED", Some(2)), ("RECORDS_SKIPPED", None), ("EDGES_ONLY", None)]
        );
        let swapped = "VERTEX_SE2 0 0 0 0\nVERTEX_SE2 1 1 0 0\nEDGE_SE2 1 0 1 0 0 1 0 0 1 0 1\n";
        assert_eq!(codes(&document("a.g2o", swapped).unwrap()), [("EDGE_DIRECTION_DOUBTFUL", None)]);
        let twice = "VERTEX_SE2 0 0 0 0\nVERTEX_SE2 0 1 0 0\n";
        assert_eq!(codes(&document("a.g2o", twice).unwrap()), [("VERTEX_REPEATED", None)]);
        assert!(document("a.g2o", "lorem\n").is_err());
    }

    fn any_graph() -> impl Strategy<Value = PoseGraph> {
        let planar = prop::collection::vec((-1e5_f64..1e5, -1e5_f64..1e5, -3.1_f64..3.1), 1..9)
            .prop_map(|rows| rows.iter().map(|&(x, y, t)| Pose3::from(Pose2::new(x, y, t))).collect());
        let spatial = any_poses().prop_map(|poses| poses.iter().map(|p| p.world_from_robot).collect());
        let of = |dimension: Dimension, information: usize| {
            move |poses: Vec<Pose3>| PoseGraph {
                dimension,
                vertices: (0..)
                    .zip(&poses)
                    .map(|(id, pose)| Vertex { id, world_from_vertex: *pose })
                    .collect(),
                edges: (0..)
                    .zip(&poses)
                    .map(|(id, pose)| Edge {
                        from: id,
                        to: id + 1,
                        from_from_to: *pose,
                        information: (0..information).map(|i| i as f64 / 3.0).collect(),
                    })
                    .collect(),
                fixed: vec![0, 3],
            }
        };
        prop_oneof![planar.prop_map(of(Dimension::Planar, 6)), spatial.prop_map(of(Dimension::Spatial, 21))]
    }

    proptest! {
        #[test]
        fn what_is_written_comes_back(written in any_graph()) {
            prop_assert_eq!(graph("a.g2o", &write(&written)), written);
        }
    }
}

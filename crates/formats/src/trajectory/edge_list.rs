//! Edges of a planar pose graph without names of records: `i j dx dy dtheta`, then how sure that is.
//!
//! Six further numbers are the upper triangle of the information matrix, as in g2o; nine are the covariance, row by
//! row, which is inverted. Met beside public graphs as ground truth (vertigo: `edges.txt` of the ring, `.dat` of
//! Manhattan). That nine numbers are a covariance follows from those files; it is not written anywhere.

use model::{Dimension, Edge, Finding, Level, Pose2, PoseGraph};

use crate::format::{Format, Input, ReadContent, Reader, Sniff};
use crate::text::lines::each_line;
use crate::text::number_rows::{Sample, read_row};
use crate::text::row_faults::RowFaults;
use crate::trajectory::g2o::oddities;
use crate::{Content, ReadError, ReadOptions};

pub(crate) const FORMAT: Format =
    Format { name: "edge_list", title: "edges of a pose graph", sniff, reader: Reader::Content(read) };

/// Columns of rows with an information matrix, and with a covariance.
const COLUMNS: [usize; 2] = [11, 14];
/// What a row is, for messages.
const ROW: &str = "two numbers of vertices, dx dy dtheta, and 6 numbers of information or 9 of covariance";
/// Numbers of vertices are whole and below this.
const MAX_ID: f64 = (1_u64 << 53) as f64;

fn sniff(bytes: &[u8], _name: &str) -> Sniff {
    let (short, long) = (Sample::<11>::of(bytes), Sample::<14>::of(bytes));
    let is_ours = short.mostly(|row| has_ids(row)) && short.is_beyond_probabilities
        || long.mostly(|row| has_ids(row)) && long.is_beyond_probabilities;
    if is_ours { Sniff::ByBytes } else { Sniff::No }
}

fn has_ids(row: &[f64]) -> bool {
    let is_id = |number: f64| (0.0..MAX_ID).contains(&number) && number.fract() == 0.0;
    is_id(row[0]) && is_id(row[1]) && row[0] != row[1]
}

fn read(input: &mut Input<'_>, _options: &ReadOptions) -> Result<ReadContent, ReadError> {
    let (mut edges, mut inverted) = (Vec::new(), 0_usize);
    let mut faults = RowFaults::default();
    each_line(&mut input.source, |line, text| {
        let mut numbers = [0.0; COLUMNS[1]];
        let row = read_row(text, &mut numbers);
        if row.fields == 0 {
            return Ok(());
        }
        if !COLUMNS.contains(&row.fields) || row.is_unreadable {
            faults.add_row(line, row, (COLUMNS[0], ROW), text);
            return Ok(());
        }
        let numbers = &numbers[..row.fields];
        let is_sound = numbers.iter().all(|number| number.is_finite()) && has_ids(numbers);
        match edge_of(numbers).filter(|_| is_sound) {
            Some(edge) => {
                edges.push(edge);
                inverted += usize::from(row.fields == COLUMNS[1]);
            }
            None => faults.add("RECORD_DAMAGED", line, ROW, text),
        }
        Ok(())
    })?;
    let mut findings = faults.findings(input.source.name(), edges.len(), "edge")?;
    if inverted > 0 {
        let message = format!("{inverted} edges state nine numbers, taken as a covariance and inverted");
        let hint = "check whether they are an information matrix instead";
        findings.push(Finding::new(Level::Info, "COVARIANCE_INVERTED", message).hint(hint));
    }
    let graph = PoseGraph { dimension: Dimension::Planar, vertices: Vec::new(), edges, fixed: Vec::new() };
    findings.extend(oddities(&graph));
    Ok(ReadContent { content: Content::Graph(graph), findings })
}

#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "whole and from 0 to 2^53, which was checked"
)]
fn edge_of(numbers: &[f64]) -> Option<Edge> {
    let (&[from, to, x_m, y_m, theta_rad], certainty) = numbers.split_first_chunk()?;
    let information = match *certainty {
        [c11, c12, c13, _, c22, c23, _, _, c33] => inverse([c11, c12, c13, c22, c23, c33])?,
        _ => certainty.to_vec(),
    };
    let from_from_to = Pose2::new(x_m, y_m, theta_rad).into();
    Some(Edge { from: from as u64, to: to as u64, from_from_to, information })
}

/// The upper triangle of the inverse of a symmetric matrix; none if it has no inverse.
fn inverse([a, b, c, d, e, f]: [f64; 6]) -> Option<Vec<f64>> {
    let minors = [d * f - e * e, c * e - b * f, b * e - c * d, a * f - c * c, b * c - a * e, a * d - b * b];
    let determinant = a * minors[0] + b * minors[1] + c * minors[2];
    let inverse = minors.map(|minor| minor / determinant).to_vec();
    inverse.iter().all(|number| number.is_finite()).then_some(inverse)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trajectory::tum::tests::{codes, document};

    fn graph(text: &str) -> (PoseGraph, Vec<String>) {
        let read = document("edges.txt", text).unwrap();
        assert_eq!(read.format, "edge_list");
        let codes = codes(&read).into_iter().map(|(code, _)| code.to_owned()).collect();
        let Content::Graph(graph) = read.content else { panic!("{:?}", read.content) };
        (graph, codes)
    }

    #[test]
    fn six_numbers_are_information() {
        let (graph, codes) = graph("0 1 1 0 0.5 400 1 2 300 3 131\n1 2 1 0 0 400 0 0 400 0 131\n");
        assert_eq!((graph.edges.len(), codes), (2, vec!["EDGES_ONLY".to_owned()]));
        assert_eq!((graph.edges[0].from, graph.edges[0].to), (0, 1));
        assert_eq!(graph.edges[0].from_from_to, Pose2::new(1.0, 0.0, 0.5).into());
        assert_eq!(graph.edges[0].information, [400.0, 1.0, 2.0, 300.0, 3.0, 131.0]);
    }

    #[test]
    fn nine_numbers_are_a_covariance() {
        let (graph, codes) = graph("0 1 1 0 0 0.5 0 0 0 0.25 0 0 0 2\n7 9 1 0 0 2 1 0 1 2 0 0 0 1\n");
        assert_eq!(codes, ["COVARIANCE_INVERTED", "EDGES_ONLY"]);
        assert_eq!(graph.edges[0].information, [2.0, 0.0, 0.0, 4.0, 0.0, 0.5]);
        // The inverse of (2 1; 1 2) is (2 -1; -1 2) / 3.
        let expected = [2.0 / 3.0, -1.0 / 3.0, 0.0, 2.0 / 3.0, 0.0, 1.0];
        assert!(graph.edges[1].information.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-15));
    }

    #[test]
    fn rows_that_are_no_edges_are_named() {
        let text = "0 1 1 0 0 400 0 0 400 0 131\n0.5 1 1 0 0 400 0 0 400 0 131\n1 2 3\n0 1 1 0 0 0 0 0 0 0 0 0 0 0\n\
                    1 2 1 0 0 400 0 0 400 0 131\n2 3 1 0 0 400 0 0 400 0 131\n";
        let read = document("edges.txt", text).unwrap();
        let expected = [("RECORD_DAMAGED", Some(2)), ("RECORD_DAMAGED", Some(4)), ("ROW_FIELDS", Some(3))];
        assert_eq!(codes(&read)[..3], expected);
    }
}

//! Places and lines between them in metres: a team's drawn skeleton, or the graph of a map.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use model::{Point2, Shape, VectorLayer};

use crate::Reason;
use crate::paths::ground::Ground;
use crate::plane_distance::distance_m;

/// A graph of places in metres.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlaceGraph {
    /// Places, then joints: ends of drawn lines where just one other line goes on.
    pub nodes: Vec<Point2>,
    /// How many of the nodes are places.
    pub places: usize,
    pub edges: Vec<PlaceEdge>,
}

/// A line between two places.
#[derive(Clone, Debug, PartialEq)]
pub struct PlaceEdge {
    /// Index of the place where it starts.
    pub a: usize,
    /// Index of the place where it ends.
    pub b: usize,
    /// Points from one to the other.
    pub line: Vec<Point2>,
    /// Length along the points.
    pub length_m: f64,
}

impl PlaceEdge {
    /// An edge along these points.
    #[must_use]
    pub fn new(a: usize, b: usize, line: Vec<Point2>) -> Self {
        let length_m = line.windows(2).map(|pair| distance_m(pair[0], pair[1])).sum();
        Self { a, b, line, length_m }
    }

    #[must_use]
    pub const fn other(&self, node: usize) -> usize {
        if self.a == node { self.b } else { self.a }
    }

    /// The point at most so far from one end, along the line.
    #[must_use]
    pub fn point_from(&self, node: usize, reach_m: f64) -> Point2 {
        let forward: Vec<Point2> =
            if self.a == node { self.line.clone() } else { self.line.iter().rev().copied().collect() };
        let mut walked_m = 0.0;
        for pair in forward.windows(2) {
            walked_m += distance_m(pair[0], pair[1]);
            if walked_m >= reach_m {
                return pair[1];
            }
        }
        forward.last().copied().unwrap_or_default()
    }
}

impl PlaceGraph {
    /// The graph of a map's free space.
    ///
    /// # Errors
    /// The map is too large for exact distances.
    pub fn of_ground(ground: &Ground) -> Result<Self, Reason> {
        let graph = ground.skeleton()?;
        let place = |cell: u32| ground.place_of(cell as usize);
        let edges = graph
            .edges
            .iter()
            .map(|edge| PlaceEdge::new(edge.a, edge.b, edge.cells.iter().map(|&cell| place(cell)).collect()));
        let nodes: Vec<Point2> = graph.nodes.iter().map(|node| place(node.cell)).collect();
        Ok(Self { places: nodes.len(), nodes, edges: edges.collect() })
    }

    /// A drawn skeleton: its points are nodes, and so is every vertex of a line where not just two lines meet.
    #[must_use]
    pub fn of_layer(layer: &VectorLayer) -> Self {
        let mut lines: Vec<&[Point2]> = Vec::new();
        let mut points = Vec::new();
        for feature in &layer.features {
            match &feature.shape {
                Shape::Point(point) => points.push(*point),
                Shape::MultiPoint(many) => points.extend(many),
                Shape::Lines(many) => lines.extend(many.iter().map(Vec::as_slice)),
                _ => {}
            }
        }
        let mut degree: BTreeMap<(u64, u64), usize> = BTreeMap::new();
        for line in &lines {
            for (index, point) in line.iter().enumerate() {
                let ends = usize::from(index > 0) + usize::from(index + 1 < line.len());
                *degree.entry(key(*point)).or_default() += ends;
            }
        }
        let mut graph = Self::default();
        let mut number = BTreeMap::new();
        let vertices = lines.iter().flat_map(|line| line.iter().copied());
        points.extend(vertices.filter(|point| degree[&key(*point)] != 2));
        graph.add_nodes(&points, &mut number);
        graph.places = graph.nodes.len();
        let ends: Vec<Point2> =
            lines.iter().flat_map(|line| [line.first(), line.last()]).flatten().copied().collect();
        graph.add_nodes(&ends, &mut number);
        for line in lines {
            graph.add_line(line, &number);
        }
        graph
    }

    /// The same graph with places alone: the two edges that meet at a joint are one. A ring without a place is dropped.
    #[must_use]
    pub fn without_joints(&self) -> Self {
        let edges_of = self.edges_of_nodes();
        let mut is_used = vec![false; self.edges.len()];
        let mut edges = Vec::new();
        for place in 0..self.places {
            for &first in &edges_of[place] {
                let Some(line) = self.line_to_next_place(&edges_of, &mut is_used, place, first) else {
                    continue;
                };
                edges.push(PlaceEdge::new(place, line.0, line.1));
            }
        }
        Self { nodes: self.nodes[..self.places].to_vec(), places: self.places, edges }
    }

    /// The place that an edge leads to through joints, with the points on the way; none if it was walked before.
    fn line_to_next_place(
        &self,
        edges_of: &[Vec<usize>],
        is_used: &mut [bool],
        place: usize,
        first: usize,
    ) -> Option<(usize, Vec<Point2>)> {
        let (mut node, mut edge) = (place, first);
        let mut line: Vec<Point2> = vec![self.nodes[place]];
        loop {
            if std::mem::replace(&mut is_used[edge], true) {
                return None;
            }
            let taken = &self.edges[edge];
            let forward = taken.a == node;
            let points = taken.line.iter();
            match forward {
                true => line.extend(points.skip(1)),
                false => line.extend(points.rev().skip(1)),
            }
            node = taken.other(node);
            if node < self.places {
                return Some((node, line));
            }
            edge = *edges_of[node].iter().find(|&&next| !is_used[next])?;
        }
    }

    fn add_nodes(&mut self, points: &[Point2], number: &mut BTreeMap<(u64, u64), usize>) {
        for &point in points {
            number.entry(key(point)).or_insert_with(|| {
                self.nodes.push(point);
                self.nodes.len() - 1
            });
        }
    }

    /// Cuts a line at the nodes on it.
    fn add_line(&mut self, line: &[Point2], number: &BTreeMap<(u64, u64), usize>) {
        let mut part: Vec<Point2> = Vec::new();
        let mut from = None;
        for &point in line {
            part.push(point);
            let Some(&node) = number.get(&key(point)) else { continue };
            if let Some(a) = from.filter(|_| part.len() > 1) {
                self.edges.push(PlaceEdge::new(a, node, std::mem::take(&mut part)));
                part.push(point);
            }
            from = Some(node);
        }
    }

    /// For each node the indices of its edges.
    #[must_use]
    pub fn edges_of_nodes(&self) -> Vec<Vec<usize>> {
        let mut edges_of = vec![Vec::new(); self.nodes.len()];
        for (index, edge) in self.edges.iter().enumerate() {
            edges_of[edge.a].push(index);
            if edge.b != edge.a {
                edges_of[edge.b].push(index);
            }
        }
        edges_of
    }

    /// Shortest lengths from a node, and the edge by which each node is reached.
    #[must_use]
    pub fn lengths_from(&self, start: usize) -> (Vec<f64>, Vec<Option<usize>>) {
        let edges_of = self.edges_of_nodes();
        let mut length_m = vec![f64::INFINITY; self.nodes.len()];
        let mut reached_by = vec![None; self.nodes.len()];
        let mut queue = BinaryHeap::new();
        if start < length_m.len() {
            length_m[start] = 0.0;
            queue.push(Reverse((0_u64, start)));
        }
        while let Some(Reverse((bits, node))) = queue.pop() {
            if f64::from_bits(bits) > length_m[node] {
                continue;
            }
            for &edge in &edges_of[node] {
                let other = self.edges[edge].other(node);
                let offer = length_m[node] + self.edges[edge].length_m;
                if offer < length_m[other] {
                    (length_m[other], reached_by[other]) = (offer, Some(edge));
                    // Lengths are not negative, so their bits have the order of the numbers.
                    queue.push(Reverse((offer.to_bits(), other)));
                }
            }
        }
        (length_m, reached_by)
    }

    /// Whether a path of at most so many metres leads from one node to another; looks no farther than that.
    #[must_use]
    pub fn has_way_within(&self, edges_of: &[Vec<usize>], from: usize, to: usize, limit_m: f64) -> bool {
        let mut length_m = BTreeMap::from([(from, 0.0_f64)]);
        let mut queue = BinaryHeap::from([Reverse((0_u64, from))]);
        while let Some(Reverse((bits, node))) = queue.pop() {
            if node == to {
                return true;
            }
            for &edge in &edges_of[node] {
                let other = self.edges[edge].other(node);
                let offer = f64::from_bits(bits) + self.edges[edge].length_m;
                let known = length_m.entry(other).or_insert(f64::INFINITY);
                if offer <= limit_m && offer < *known {
                    *known = offer;
                    queue.push(Reverse((offer.to_bits(), other)));
                }
            }
        }
        false
    }

    /// The node nearest to a place.
    #[must_use]
    pub fn nearest(&self, place: Point2) -> Option<usize> {
        let off = |&node: &usize| distance_m(self.nodes[node], place);
        (0..self.nodes.len()).rev().min_by(|a, b| off(a).total_cmp(&off(b)))
    }
}

/// Points that are equal to the bit are one place; drawn lines share their vertices.
const fn key(point: Point2) -> (u64, u64) {
    (point.x_m.to_bits(), point.y_m.to_bits())
}

#[cfg(test)]
mod tests {
    use model::{Feature, VectorLayer};

    use super::*;

    fn line(points: &[(f64, f64)]) -> Feature {
        let points = points.iter().map(|&(x, y)| Point2::new(x, y)).collect();
        Feature { shape: Shape::Lines(vec![points]), attributes: Vec::new(), style: Vec::new() }
    }

    #[test]
    fn a_drawn_skeleton_has_nodes_where_not_just_two_lines_meet() {
        // A line with a bend, and another one that starts in its middle.
        let layer = VectorLayer {
            features: vec![line(&[(0.0, 0.0), (2.0, 0.0), (2.0, 2.0)]), line(&[(2.0, 2.0), (4.0, 2.0)])],
            ..Default::default()
        };
        let graph = PlaceGraph::of_layer(&layer);
        assert_eq!((graph.places, graph.nodes.len()), (2, 3), "the bend is no node, the joint no place");
        assert_eq!(graph.lengths_from(0).0[1], 6.0, "along both lines");
        let places_alone = graph.without_joints();
        assert_eq!((places_alone.nodes.len(), places_alone.edges.len()), (2, 1), "one edge over the joint");
        assert_eq!(places_alone.edges[0].length_m, 6.0);
        let crossing = VectorLayer {
            features: vec![line(&[(0.0, 0.0), (2.0, 0.0), (4.0, 0.0)]), line(&[(2.0, 0.0), (2.0, 3.0)])],
            ..Default::default()
        };
        let graph = PlaceGraph::of_layer(&crossing);
        assert_eq!((graph.nodes.len(), graph.edges.len()), (4, 3));
        assert_eq!(graph.without_joints(), graph, "nothing to join");
        let ring = VectorLayer {
            features: vec![line(&[(0.0, 0.0), (1.0, 0.0), (1.0, 1.0)]), line(&[(1.0, 1.0), (0.0, 0.0)])],
            ..Default::default()
        };
        assert_eq!(PlaceGraph::of_layer(&ring).without_joints(), PlaceGraph::default());
        let (lengths, _) = graph.lengths_from(graph.nearest(Point2::new(0.1, 0.1)).unwrap());
        assert_eq!(lengths[graph.nearest(Point2::new(2.0, 3.0)).unwrap()], 5.0);
    }
}

//! `graph`: scans matched on submaps, loops by branch and bound, a pose graph over the key poses.
//!
//! Each scan is predicted by the odometry, searched coarsely where that is weak, and refined point to line on cells with
//! centroids and normals, with the odometry as prior, which alone decides along a corridor. Key poses are the nodes of the
//! graph. A new key pose is searched on finished submaps; what is found is tested against rivals, neighbours and other
//! loops before it is believed, and then the graph is solved.

mod field;
mod loops;
mod params;
mod scan_match;
mod search;
mod submap;
mod surface_map;
mod tracking;

use align::pose_graph::{Constraint, Kernel, PlanarGraph, Solver, Start};
use model::{Dimension, Edge, Grid, Pose2, PoseGraph, Vertex};

use crate::hit_grid::{HitGrid, Misses};
use crate::{Hindsight, MappedPose, Mapper, Scan, Step};
use loops::Loop;
pub use params::GraphParams;
use scan_match::{Features, Matched};
use submap::Submap;
use tracking::{Doubt, track};

/// A key pose.
struct Node {
    pose: Pose2,
    /// Way of the robot up to here, metres, a radian counting as half a metre.
    way_m: f64,
    features: Features,
    scan: Scan,
}

/// A scan, seen from the key pose before it.
struct Visit {
    time_s: f64,
    node: usize,
    node_from_robot: Pose2,
    online: Pose2,
    is_matched: bool,
}

/// A submap that grows, and where the robot and the last key pose are in it.
struct Active {
    submap: usize,
    submap_from_robot: Pose2,
    submap_from_node: Pose2,
}

/// The mapper.
pub struct Graph {
    params: GraphParams,
    nodes: Vec<Node>,
    edges: Vec<Constraint>,
    loops: Vec<Loop>,
    submaps: Vec<Submap>,
    /// The older one, on which scans are matched, first.
    active: Vec<Active>,
    visits: Vec<Visit>,
    odom_from_robot: Pose2,
    pose: Pose2,
    way_m: f64,
    /// How far the pose may have drifted since the last loop, metres.
    drift_m: f64,
    searched_way_m: f64,
}

/// Information of an edge that only the odometry knows is that of its doubt.
fn odometry_information(doubt: Doubt) -> [[f64; 3]; 3] {
    let (xy, turn) = (1.0 / (doubt.sigma_m * doubt.sigma_m), 1.0 / (doubt.sigma_rad * doubt.sigma_rad));
    [[xy, 0.0, 0.0], [0.0, xy, 0.0], [0.0, 0.0, turn]]
}

/// A turn of one radian counts as this much way.
const METRES_PER_RADIAN: f64 = 0.5;

impl Graph {
    /// A mapper at the origin that has seen nothing.
    #[must_use]
    pub fn new(params: GraphParams) -> Self {
        Self {
            params,
            nodes: Vec::new(),
            edges: Vec::new(),
            loops: Vec::new(),
            submaps: Vec::new(),
            active: Vec::new(),
            visits: Vec::new(),
            odom_from_robot: Pose2::IDENTITY,
            pose: Pose2::IDENTITY,
            way_m: 0.0,
            drift_m: 0.0,
            searched_way_m: 0.0,
        }
    }

    /// The displacement since the scan before as it was matched, or the odometry's; and the match.
    fn displacement(&self, features: &Features, motion: Pose2) -> (Pose2, Option<Matched>) {
        let Some(active) = self.active.first() else { return (motion, None) };
        let doubt = Doubt::of(motion, &self.params);
        let predicted = active.submap_from_robot * motion;
        let submap = &self.submaps[active.submap];
        match track(submap, features, predicted, doubt, &self.params) {
            Some(found) => (active.submap_from_robot.inverse() * found.submap_from_robot, Some(found)),
            None => (motion, None),
        }
    }

    fn advance(&mut self, moved: Pose2, matched: Option<&Matched>) {
        self.pose = self.pose * moved;
        let way_m = moved.x_m.hypot(moved.y_m) + METRES_PER_RADIAN * moved.theta_rad.abs();
        self.way_m += way_m;
        let is_held = matched.is_some_and(|matched| !matched.is_weak);
        self.drift_m +=
            way_m * if is_held { self.params.drift_share } else { self.params.odometry_drift_share };
        for active in &mut self.active {
            active.submap_from_robot = active.submap_from_robot * moved;
        }
    }

    /// Whether the robot has moved enough since the last key pose.
    fn is_key(&self) -> bool {
        let (Some(active), Some(_)) = (self.active.first(), self.nodes.last()) else { return true };
        let moved = active.submap_from_node.inverse() * active.submap_from_robot;
        moved.x_m.hypot(moved.y_m) >= self.params.key_way_m
            || moved.theta_rad.abs() >= self.params.key_turn_rad
    }

    fn add_node(&mut self, scan: &Scan, features: Features, information: Option<[[f64; 3]; 3]>) {
        let node = self.nodes.len();
        if let (Some(active), Some(before)) = (self.active.first(), node.checked_sub(1)) {
            let from_from_to = active.submap_from_node.inverse() * active.submap_from_robot;
            let information =
                information.unwrap_or_else(|| odometry_information(Doubt::of(from_from_to, &self.params)));
            let kernel = Kernel::Square;
            self.edges.push(Constraint { from: before, to: node, from_from_to, information, kernel });
        }
        self.open_submap(node);
        for active in &mut self.active {
            active.submap_from_node = active.submap_from_robot;
            self.submaps[active.submap].add(node, &features, active.submap_from_robot);
        }
        self.nodes.push(Node { pose: self.pose, way_m: self.way_m, features, scan: scan.clone() });
    }

    /// Two submaps grow at a time, so that the one matched on always knows what lies behind.
    fn open_submap(&mut self, node: usize) {
        let newest = self.active.last().map(|active| self.submaps[active.submap].began_m);
        if newest.is_some_and(|began_m| self.way_m - began_m < self.params.submap_way_m) {
            return;
        }
        if self.active.len() == 2 {
            let finished = self.active.remove(0);
            self.submaps[finished.submap].finish();
        }
        self.submaps.push(Submap::new(node, self.way_m));
        let submap = self.submaps.len() - 1;
        let here = Pose2::IDENTITY;
        self.active.push(Active { submap, submap_from_robot: here, submap_from_node: here });
    }

    /// Moves the key poses to where all constraints agree best; the robot moves along with the last.
    fn solve(&mut self, starts: Vec<Start>) {
        let Some(last) = self.nodes.last() else { return };
        let node_from_robot = last.pose.inverse() * self.pose;
        let believed = self.loops.iter().filter(|known| known.is_believed);
        let constraints = self.edges.iter().copied();
        let constraints = constraints.chain(believed.map(|known| known.constraint(self.params.kernel_width)));
        let graph = PlanarGraph {
            poses: self.nodes.iter().map(|node| node.pose).collect(),
            constraints: constraints.collect(),
            fixed: vec![0],
        };
        let solver = Solver { starts, max_iterations: 20, least_gain: 1e-6 };
        let Ok(solution) = solver.solve(&graph) else { return };
        self.nodes.iter_mut().zip(&solution.poses).for_each(|(node, pose)| node.pose = *pose);
        if let Some(pose) = solution.poses.last() {
            self.pose = *pose * node_from_robot;
        }
    }
}

impl Mapper for Graph {
    fn step(&mut self, scan: &Scan, odom_from_robot: Pose2) -> Step {
        let is_first = self.nodes.is_empty();
        let motion =
            if is_first { Pose2::IDENTITY } else { self.odom_from_robot.inverse() * odom_from_robot };
        self.odom_from_robot = odom_from_robot;
        // At a standstill a match would only add noise to the heading.
        let has_moved = motion.x_m.hypot(motion.y_m) > self.params.still_m
            || motion.theta_rad.abs() > self.params.still_rad;
        let features = if is_first || has_moved {
            Features::of(scan, self.params.match_points)
        } else {
            Features::default()
        };
        let (moved, matched) = if has_moved { self.displacement(&features, motion) } else { (motion, None) };
        self.advance(moved, matched.as_ref());
        let is_matched = is_first || matched.is_some();
        if is_first || (has_moved && self.is_key()) {
            self.add_node(scan, features, matched.map(|matched| matched.information));
            if self.way_m - self.searched_way_m >= self.params.loop_every_m {
                self.searched_way_m = self.way_m;
                if self.close_loops() {
                    self.solve(vec![Start::Given]);
                }
            }
        }
        let node = self.nodes.len() - 1;
        let node_from_robot = self.nodes[node].pose.inverse() * self.pose;
        let online = self.pose;
        self.visits.push(Visit { time_s: scan.time_s, node, node_from_robot, online, is_matched });
        Step { is_matched, ..Step::default() }
    }

    fn finish(&mut self) {
        for active in std::mem::take(&mut self.active) {
            self.submaps[active.submap].finish();
        }
        for _ in 0..self.params.final_rounds {
            self.add_overlaps();
            self.solve(vec![Start::Given]);
        }
    }

    fn pose(&self) -> Pose2 {
        self.pose
    }

    fn map(&self) -> Option<Grid> {
        let mut grid = HitGrid::new(self.params.cell_size_m, 256);
        self.nodes.iter().for_each(|node| grid.stamp(&node.scan, node.pose, Misses::Ignored));
        grid.to_grid()
    }

    fn trajectory(&self, hindsight: Hindsight) -> Vec<MappedPose> {
        let pose = |visit: &Visit| match hindsight {
            Hindsight::Online => visit.online,
            Hindsight::Final => self.nodes[visit.node].pose * visit.node_from_robot,
        };
        let mapped = |visit: &Visit| MappedPose {
            time_s: visit.time_s,
            map_from_robot: pose(visit),
            is_matched: visit.is_matched,
        };
        self.visits.iter().map(mapped).collect()
    }

    fn loops(&self) -> usize {
        self.loops.iter().filter(|known| known.is_believed && !known.is_overlap).count()
    }

    fn pose_graph(&self) -> Option<PoseGraph> {
        let vertex = |(id, node): (u64, &Node)| Vertex { id, world_from_vertex: node.pose.into() };
        let believed = self.loops.iter().filter(|known| known.is_believed);
        let loops = believed.map(|known| known.constraint(self.params.kernel_width));
        let edge = |c: Constraint| {
            let [[xx, xy, xt], [_, yy, yt], [_, _, tt]] = c.information;
            Edge {
                from: c.from as u64,
                to: c.to as u64,
                from_from_to: c.from_from_to.into(),
                information: vec![xx, xy, xt, yy, yt, tt],
            }
        };
        (!self.nodes.is_empty()).then(|| PoseGraph {
            dimension: Dimension::Planar,
            vertices: (0..).zip(&self.nodes).map(vertex).collect(),
            edges: self.edges.iter().copied().chain(loops).map(edge).collect(),
            fixed: vec![0],
        })
    }
}

#[cfg(test)]
mod tests;

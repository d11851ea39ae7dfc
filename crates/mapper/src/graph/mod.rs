//! `graph`: scans matched with submaps, loop closures by branch and bound, a pose graph over the keyframes.
//!
//! Each scan is predicted by the odometry, searched coarsely where that is weak, and refined point to line on cells with
//! centroids and normals, with the odometry as prior, which alone decides along a corridor. Keyframes are the nodes of the
//! graph. A new keyframe is searched in finished submaps; a loop closure is tested against rival places, neighbouring
//! keyframes and other loop closures before it is accepted, and then the graph is solved.

mod drift;
mod expected;
mod field;
mod loops;
mod lost;
mod odometry_bias;
mod params;
mod scan_match;
mod search;
mod searchable;
mod step;
mod submap;
mod surface_map;
mod tracking;
mod witnesses;

use align::pose_graph::{Constraint, Kernel, PlanarGraph, Solver, Start};
use model::{Dimension, Edge, Grid, Point2, Pose2, PoseGraph, Vertex};

use crate::tiled_counts::TiledCounts;
use crate::{Deadline, Hindsight, InputRules, ListedMapper, MappedPose, Mapper, RangeLimits, Scan, Step};
use drift::Drift;
use expected::{LastMotion, OdometryError};
use loops::LoopClosure;
use lost::Lost;
use odometry_bias::OdometryBias;
pub use params::GraphParams;
use scan_match::{Features, Matched};
use searchable::Searchable;
use submap::Submap;

struct Keyframe {
    pose: Pose2,
    /// Distance travelled up to here, metres, a radian counting as half a metre.
    travelled_m: f64,
    /// How far the pose may have drifted up to here, loop closures apart.
    drift: Drift,
    features: Features,
    scan: Scan,
}

/// A scan, seen from the keyframe before it.
struct Visit {
    time_s: f64,
    keyframe: usize,
    keyframe_from_robot: Pose2,
    online: Pose2,
    is_matched: bool,
}

/// A submap that grows, and where the robot and the last keyframe are in it.
struct Active {
    submap: usize,
    submap_from_robot: Pose2,
    submap_from_keyframe: Pose2,
}

pub struct Graph {
    params: GraphParams,
    keyframes: Vec<Keyframe>,
    edges: Vec<Constraint>,
    loops: Vec<LoopClosure>,
    submaps: Vec<Submap>,
    searchable: Searchable,
    /// The older one, on which scans are matched, first.
    active: Vec<Active>,
    visits: Vec<Visit>,
    /// Of the last scan; none where it had none.
    odom_from_robot: Option<Pose2>,
    last_motion: LastMotion,
    odometry_bias: OdometryBias,
    /// Since the last match; none where the last scan was matched.
    lost: Option<Lost>,
    /// Share of the last matched scan on surfaces.
    last_fit: f64,
    /// Matches one after the other that were doubtful.
    doubtful: usize,
    /// Whether the scans moved while the odometry stood; until that moves again it is not believed.
    is_odometry_stuck: bool,
    /// Parts of the map that were begun anew.
    part: usize,
    /// Whether the present part hangs on the odometry alone.
    is_loose: bool,
    pose: Pose2,
    /// Distance travelled, metres, a radian counting as half a metre.
    travelled_m: f64,
    /// How far the pose may have drifted since the first scan, loop closures apart.
    drift: Drift,
    /// Distance travelled at the last loop search, metres.
    searched_at_m: f64,
    deadline: Deadline,
}

/// Information matrix of an edge that rests on odometry alone.
fn odometry_information(error: OdometryError) -> [[f64; 3]; 3] {
    let (xy, turn) = (1.0 / (error.sigma_m * error.sigma_m), 1.0 / (error.sigma_rad * error.sigma_rad));
    [[xy, 0.0, 0.0], [0.0, xy, 0.0], [0.0, 0.0, turn]]
}

/// One degree in radians.
const DEGREE: f64 = std::f64::consts::PI / 180.0;
/// A turn of one radian counts as this much distance travelled. Ours.
const METRES_PER_RADIAN: f64 = 0.5;
/// Up to this motion the robot stands still, metres and radians. Ours: a match at a standstill would only add noise.
const STILL_M: f64 = 0.005;
const STILL_RAD: f64 = 0.2 * DEGREE;
/// Drift of the pose per metre travelled since the last loop closure: where scans are matched, and where the odometry
/// alone moves the robot or decides along a corridor. Ours.
const DRIFT_PER_M: f64 = 0.02;
const ODOMETRY_DRIFT_PER_M: f64 = 0.05;
/// Drift of the heading per metre of drift. Ours.
const DRIFT_RAD_PER_M: f64 = 0.1;
/// Loop closures are searched after so many metres travelled; in a part of the map that hangs on odometry alone, after so many.
/// Ours: a search takes far longer than a match.
const LOOP_EVERY_M: f64 = 1.0;
const LOOSE_EVERY_M: f64 = 0.4;
/// After so many doubtful matches a scan is drawn all the same: the place has changed. Ours.
const MAX_DOUBTFUL: usize = 3;
/// Rounds of the solver at most, and the relative gain of a round that is not worth another.
const MAX_ITERATIONS: usize = 20;
const MIN_GAIN: f64 = 1e-6;

impl ListedMapper for Graph {
    const NAME: &'static str = "graph";
    const SUMMARY: &'static str = "Scans matched with submaps, loop closures, and a pose graph";
    type Params = GraphParams;

    fn with_params(params: GraphParams) -> Self {
        Self {
            params,
            keyframes: Vec::new(),
            edges: Vec::new(),
            loops: Vec::new(),
            submaps: Vec::new(),
            searchable: Searchable::default(),
            active: Vec::new(),
            visits: Vec::new(),
            odom_from_robot: None,
            last_motion: LastMotion::at(0.0),
            odometry_bias: OdometryBias::default(),
            lost: None,
            last_fit: 1.0,
            doubtful: 0,
            is_odometry_stuck: false,
            part: 0,
            is_loose: false,
            pose: Pose2::IDENTITY,
            travelled_m: 0.0,
            drift: Drift::default(),
            searched_at_m: 0.0,
            deadline: Deadline::NEVER,
        }
    }
}

impl Graph {
    fn advance(&mut self, moved: Pose2, matched: Option<&Matched>) {
        self.pose = self.pose * moved;
        let travelled_m = moved.x_m.hypot(moved.y_m) + METRES_PER_RADIAN * moved.theta_rad.abs();
        self.travelled_m += travelled_m;
        let is_held = matched.is_some_and(|matched| !matched.is_weak);
        let m = travelled_m * if is_held { DRIFT_PER_M } else { ODOMETRY_DRIFT_PER_M };
        self.drift = self.drift + Drift { m, rad: DRIFT_RAD_PER_M * m };
        for active in &mut self.active {
            active.submap_from_robot = active.submap_from_robot * moved;
        }
    }

    /// Whether the robot has moved enough since the last keyframe, and the scan may be drawn.
    fn is_keyframe(&self) -> bool {
        if (1..=MAX_DOUBTFUL).contains(&self.doubtful) {
            return false;
        }
        if let Some(lost) = &self.lost {
            return lost.is_for_good();
        }
        let (Some(active), Some(_)) = (self.active.first(), self.keyframes.last()) else { return true };
        let moved = active.submap_from_keyframe.inverse() * active.submap_from_robot;
        moved.x_m.hypot(moved.y_m) >= self.params.keyframe_distance_m
            || moved.theta_rad.abs() >= self.params.keyframe_turn_rad
    }

    fn add_keyframe(&mut self, scan: &Scan, features: Features, information: Option<[[f64; 3]; 3]>) {
        let keyframe = self.keyframes.len();
        let edge = self.lost.map(|lost| lost.edge_error());
        let information = edge.map(odometry_information).or(information);
        if let (Some(active), Some(before)) = (self.active.first(), keyframe.checked_sub(1)) {
            let from_from_to = active.submap_from_keyframe.inverse() * active.submap_from_robot;
            let information =
                information.unwrap_or_else(|| odometry_information(OdometryError::of(from_from_to)));
            let kernel = Kernel::Square;
            self.edges.push(Constraint { from: before, to: keyframe, from_from_to, information, kernel });
        }
        if let Some(edge) = edge {
            self.begin_part(edge);
        }
        self.open_submap(keyframe);
        for active in &mut self.active {
            active.submap_from_keyframe = active.submap_from_robot;
            self.submaps[active.submap].add(keyframe, &features, active.submap_from_robot);
        }
        self.keyframes.push(Keyframe {
            pose: self.pose,
            travelled_m: self.travelled_m,
            drift: self.drift,
            features,
            scan: scan.clone(),
        });
    }

    /// Two submaps grow at a time, so that the one matched on always knows what lies behind.
    fn open_submap(&mut self, keyframe: usize) {
        let newest = self.active.last().map(|active| self.submaps[active.submap].began_m);
        if newest.is_some_and(|began_m| self.travelled_m - began_m < self.params.submap_distance_m) {
            return;
        }
        if self.active.len() == 2 {
            let finished = self.active.remove(0);
            self.submaps[finished.submap].finish();
        }
        self.submaps.push(Submap::new(keyframe, self.travelled_m, self.part));
        let submap = self.submaps.len() - 1;
        let here = Pose2::IDENTITY;
        self.active.push(Active { submap, submap_from_robot: here, submap_from_keyframe: here });
    }

    /// Moves the keyframes to where all constraints agree best; the robot moves along with the last.
    fn solve(&mut self, starts: Vec<Start>) {
        let Some(last) = self.keyframes.last().filter(|_| !self.deadline.is_over()) else { return };
        let keyframe_from_robot = last.pose.inverse() * self.pose;
        let accepted = self.loops.iter().filter(|known| known.is_accepted);
        let constraints = self.edges.iter().copied();
        let constraints = constraints.chain(accepted.map(|known| known.constraint()));
        let graph = PlanarGraph {
            poses: self.keyframes.iter().map(|keyframe| keyframe.pose).collect(),
            constraints: constraints.collect(),
            fixed: vec![0],
        };
        let solver = Solver { starts, max_iterations: MAX_ITERATIONS, min_gain: MIN_GAIN };
        let Ok(solution) = solver.solve(&graph) else { return };
        self.keyframes.iter_mut().zip(&solution.poses).for_each(|(keyframe, pose)| keyframe.pose = *pose);
        if let Some(pose) = solution.poses.last() {
            self.pose = *pose * keyframe_from_robot;
        }
    }

    /// Searches loop closures, every so many metres.
    fn search_loops(&mut self) {
        let every_m = if self.is_loose { LOOSE_EVERY_M } else { LOOP_EVERY_M };
        if self.travelled_m - self.searched_at_m < every_m {
            return;
        }
        self.searched_at_m = self.travelled_m;
        if self.close_loops() {
            self.solve(vec![Start::Given]);
        }
    }

    /// Keeps where the robot is, seen from the last keyframe.
    fn visit(&mut self, time_s: f64, is_matched: bool) {
        let keyframe = self.keyframes.len() - 1;
        let keyframe_from_robot = self.keyframes[keyframe].pose.inverse() * self.pose;
        let online = self.pose;
        self.visits.push(Visit { time_s, keyframe, keyframe_from_robot, online, is_matched });
    }
}

impl Mapper for Graph {
    fn input_rules(&self) -> InputRules {
        let limits = RangeLimits { min_m: self.params.range_min_m, max_m: self.params.range_max_m };
        InputRules { limits, tilt_gate_m: self.params.tilt_gate_m, ..InputRules::default() }
    }

    fn step(&mut self, scan: &Scan, odom_from_robot: Pose2) -> Step {
        let before = self.odom_from_robot.replace(odom_from_robot);
        let motion = match before {
            _ if self.keyframes.is_empty() => Some(Pose2::IDENTITY),
            Some(before) => Some(before.inverse() * odom_from_robot),
            None => None,
        };
        self.take(scan, motion)
    }

    fn step_without_odometry(&mut self, scan: &Scan) -> Step {
        self.odom_from_robot = None;
        self.take(scan, None)
    }

    fn end_by(&mut self, deadline: Deadline) {
        self.deadline = deadline;
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
        let mut counts = TiledCounts::new(self.params.cell_size_m);
        self.keyframes.iter().for_each(|keyframe| counts.stamp(&keyframe.scan, keyframe.pose));
        counts.to_grid()
    }

    fn trajectory(&self, hindsight: Hindsight) -> Vec<MappedPose> {
        let pose = |visit: &Visit| match hindsight {
            Hindsight::Online => visit.online,
            Hindsight::Final => self.keyframes[visit.keyframe].pose * visit.keyframe_from_robot,
        };
        let mapped = |visit: &Visit| MappedPose {
            time_s: visit.time_s,
            map_from_robot: pose(visit),
            is_matched: visit.is_matched,
        };
        self.visits.iter().map(mapped).collect()
    }

    fn loops(&self) -> usize {
        self.loops.iter().filter(|known| known.is_accepted && !known.is_overlap).count()
    }

    fn loop_closures(&self) -> Vec<[Point2; 2]> {
        let closed = self.loops.iter().filter(|known| known.is_accepted && !known.is_overlap);
        let place = |keyframe: usize| self.keyframes.get(keyframe).map(|keyframe| keyframe.pose.position());
        let ends =
            closed.map(|known| known.constraint()).map(|edge| Some([place(edge.from)?, place(edge.to)?]));
        ends.flatten().collect()
    }

    fn pose_graph(&self) -> Option<PoseGraph> {
        let vertex =
            |(id, keyframe): (u64, &Keyframe)| Vertex { id, world_from_vertex: keyframe.pose.into() };
        let accepted = self.loops.iter().filter(|known| known.is_accepted);
        let loops = accepted.map(|known| known.constraint());
        let edge = |c: Constraint| {
            let [[xx, xy, xt], [_, yy, yt], [_, _, tt]] = c.information;
            Edge {
                from: c.from as u64,
                to: c.to as u64,
                from_from_to: c.from_from_to.into(),
                information: vec![xx, xy, xt, yy, yt, tt],
            }
        };
        (!self.keyframes.is_empty()).then(|| PoseGraph {
            dimension: Dimension::Planar,
            vertices: (0..).zip(&self.keyframes).map(vertex).collect(),
            edges: self.edges.iter().copied().chain(loops).map(edge).collect(),
            fixed: vec![0],
        })
    }
}

#[cfg(test)]
mod fault_tests;
#[cfg(test)]
mod tests;

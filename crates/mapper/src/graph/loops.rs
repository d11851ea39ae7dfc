//! Loops: places that the robot has seen before, found on finished submaps, and believed only in company.

use align::pose_graph::{Constraint, Kernel};
use model::{Pose2, wrap};

use super::Graph;
use super::scan_match::{Matched, refine};
use super::search::{Known, Window, best};
use crate::icp::seen_through::Outline;

/// Points of a scan that the search looks at.
const SEARCH_POINTS: usize = 120;
/// A refinement that moves further than this from what the search found is another place, metres and radians.
const NEAR_M: f64 = 0.3;
const NEAR_RAD: f64 = 0.1;
/// The least window of a search, metres.
const LEAST_WINDOW_M: f64 = 0.5;
/// Key poses, counted back from the one that was searched, whose scans are compared with those of the submap: up to some
/// metres before.
const BACK: [usize; 4] = [0, 4, 8, 12];
/// Scans are compared whose key poses lie this near, metres.
const BESIDE_M: f64 = 1.0;
/// What counts as the same maximum when a second one is looked for, metres and radians.
const SAME_M: f64 = 0.6;
const SAME_RAD: f64 = 0.25;

/// A loop that was found: a key pose seen in the frame of a submap's anchor.
#[derive(Clone, Copy, Debug)]
pub(super) struct Loop {
    pub anchor: usize,
    pub node: usize,
    pub anchor_from_node: Pose2,
    pub information: [[f64; 3]; 3],
    pub is_believed: bool,
    /// Added by a final round, where the place was known already.
    pub is_overlap: bool,
}

impl Loop {
    /// The loop as a constraint; wrong ones must not bend the map, so their cost is bounded softly.
    pub fn constraint(&self, kernel_width: f64) -> Constraint {
        Constraint {
            from: self.anchor,
            to: self.node,
            from_from_to: self.anchor_from_node,
            information: self.information,
            kernel: Kernel::Cauchy(kernel_width),
        }
    }
}

impl Graph {
    /// Looks for places that the newest key pose may have seen before; true if loops were added.
    pub(super) fn close_loops(&mut self) -> bool {
        let newest = self.nodes.len() - 1;
        let mut found = Vec::new();
        for index in self.candidates(newest) {
            if let Some(hit) = self.search(index, newest) {
                found.push(hit);
            }
        }
        let before = self.loops.iter().filter(|known| known.is_believed).count();
        for hit in found {
            self.loops.push(hit);
            self.believe(self.loops.len() - 1);
        }
        self.loops.iter().filter(|known| known.is_believed).count() > before
    }

    /// Finished submaps that the newest key pose may lie in, the nearest first.
    fn candidates(&self, newest: usize) -> Vec<usize> {
        let node = &self.nodes[newest];
        let reach_m = self.window_m() + self.params.loop_reach_m;
        let mut near: Vec<(f64, usize)> = Vec::new();
        for (index, submap) in self.submaps.iter().enumerate().filter(|(_, submap)| submap.pyramid.is_some())
        {
            let Some(&last) = submap.nodes.last() else { continue };
            if node.way_m - self.nodes[last].way_m < self.params.loop_way_m {
                continue;
            }
            let distance = |&other: &usize| distance_m(self.nodes[other].pose, node.pose);
            let nearest_m = submap.nodes.iter().map(distance).fold(f64::INFINITY, f64::min);
            if nearest_m <= reach_m {
                near.push((nearest_m, index));
            }
        }
        near.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        near.truncate(self.params.loops_per_node);
        near.into_iter().map(|(_, index)| index).collect()
    }

    /// How far the robot may be off: the drift since the last believed loop.
    fn window_m(&self) -> f64 {
        self.drift_m.clamp(LEAST_WINDOW_M, self.params.loop_window_m)
    }

    fn search(&self, submap: usize, node: usize) -> Option<Loop> {
        let submap = &self.submaps[submap];
        let pyramid = submap.pyramid.as_ref()?;
        let features = &self.nodes[node].features;
        let every = features.points.len().div_ceil(SEARCH_POINTS).max(1);
        let points: Vec<_> = features.points.iter().copied().step_by(every).collect();
        if points.len() < self.params.loop_points {
            return None;
        }
        let anchor_pose = self.nodes[submap.anchor].pose;
        let shift_m = self.window_m();
        let window = Window {
            submap_from_robot: anchor_pose.inverse() * self.nodes[node].pose,
            shift_m,
            turn_rad: (0.1 + 0.1 * shift_m).min(self.params.loop_window_rad),
        };
        let hit = best(pyramid, &points, window, self.params.loop_score, None)?;
        // Ratio test: a second place that fits nearly as well means that neither is known.
        let known =
            Known { submap_from_robot: hit.submap_from_robot, within_m: SAME_M, within_rad: SAME_RAD };
        if best(pyramid, &points, window, self.params.loop_ratio * hit.score, Some(known)).is_some() {
            return None;
        }
        let matched = refine(&submap.surfaces, features, hit.submap_from_robot, None)?;
        let is_same = distance_m(matched.submap_from_robot, hit.submap_from_robot) < NEAR_M
            && turn_rad(matched.submap_from_robot, hit.submap_from_robot) < NEAR_RAD;
        let is_good = is_same && matched.inliers >= self.params.loop_inliers;
        let is_believable = is_good
            && self.neighbours_agree(submap, node, matched)
            && !self.is_seen_through(submap, node, matched);
        is_believable.then(|| Loop::of(submap.anchor, node, &matched))
    }

    /// Whether the scans of the way to a key pose, moved along to where it was found, look through walls that the submap
    /// saw there, or the other way round: a place that only looks alike gives itself away by them.
    fn is_seen_through(&self, submap: &super::submap::Submap, node: usize, matched: Matched) -> bool {
        let anchor_from_world = self.nodes[submap.anchor].pose.inverse();
        BACK.iter().filter_map(|&back| node.checked_sub(back)).any(|other| {
            let node_from_other = self.nodes[node].pose.inverse() * self.nodes[other].pose;
            let found = matched.submap_from_robot * node_from_other;
            let away_m = |&&key: &&usize| distance_m(anchor_from_world * self.nodes[key].pose, found);
            let Some(&key) = submap.nodes.iter().min_by(|a, b| away_m(a).total_cmp(&away_m(b))) else {
                return false;
            };
            if away_m(&&key) > BESIDE_M {
                return false;
            }
            let (there, here) = (&self.nodes[key].scan, &self.nodes[other].scan);
            let there_from_here = (anchor_from_world * self.nodes[key].pose).inverse() * found;
            let by_there = Outline::of(there).share_seen_through(&here.hits_in_robot, there_from_here);
            let by_here =
                Outline::of(here).share_seen_through(&there.hits_in_robot, there_from_here.inverse());
            by_there.max(by_here) > self.params.seen_through
        })
    }

    /// The key poses before, moved along, must fit the submap too, as far as they see the same.
    fn neighbours_agree(&self, submap: &super::submap::Submap, node: usize, matched: Matched) -> bool {
        let score = |other: usize| {
            let node_from_other = self.nodes[node].pose.inverse() * self.nodes[other].pose;
            submap
                .field
                .score(&self.nodes[other].features.points, matched.submap_from_robot * node_from_other)
        };
        (1..=2)
            .filter_map(|back| node.checked_sub(back))
            .all(|other| score(other) >= self.params.neighbour_score)
    }

    /// Believes a loop, and those that agree with it, once two that were found apart say the same.
    fn believe(&mut self, newest: usize) {
        let agreeing: Vec<usize> = (0..newest).filter(|&other| self.agree(newest, other)).collect();
        if agreeing.is_empty() {
            return;
        }
        for index in agreeing.into_iter().chain([newest]) {
            self.loops[index].is_believed = true;
        }
        self.drift_m = 0.0;
    }

    /// Whether two loops of neighbouring places close the cycle between them.
    fn agree(&self, a: usize, b: usize) -> bool {
        let (a, b) = (&self.loops[a], &self.loops[b]);
        let pose = |node: usize| self.nodes[node].pose;
        let apart_m = (self.nodes[a.node].way_m - self.nodes[b.node].way_m).abs()
            + (self.nodes[a.anchor].way_m - self.nodes[b.anchor].way_m).abs();
        let is_twice = a.node == b.node && a.anchor == b.anchor;
        if is_twice || apart_m > self.params.agree_way_m {
            return false;
        }
        let nodes = pose(a.node).inverse() * pose(b.node);
        let anchors = pose(b.anchor).inverse() * pose(a.anchor);
        let around = anchors * a.anchor_from_node * nodes * b.anchor_from_node.inverse();
        let allowed_m = self.params.agree_m + self.params.agree_share * apart_m;
        around.x_m.hypot(around.y_m) <= allowed_m && around.theta_rad.abs() <= self.params.agree_rad
    }

    /// Matches key poses on other submaps that overlap, from where they lie now: many short loops instead of few.
    pub(super) fn add_overlaps(&mut self) {
        self.loops.retain(|known| known.is_believed && !known.is_overlap);
        let mut added = Vec::new();
        for node in 0..self.nodes.len() {
            for submap in self.submaps.iter().filter(|submap| submap.pyramid.is_some()) {
                if let Some(hit) = self.overlap(submap, node) {
                    added.push(hit);
                }
            }
        }
        self.loops.extend(added);
    }

    fn overlap(&self, submap: &super::submap::Submap, node: usize) -> Option<Loop> {
        let this = &self.nodes[node];
        let near = |&other: &usize| {
            distance_m(self.nodes[other].pose, this.pose) < self.params.overlap_m
                && (self.nodes[other].way_m - this.way_m).abs() > self.params.loop_way_m
        };
        let is_apart = submap
            .nodes
            .iter()
            .all(|&other| (self.nodes[other].way_m - this.way_m).abs() > self.params.loop_way_m);
        if !is_apart || !submap.nodes.iter().any(near) || this.features.points.len() < self.params.loop_points
        {
            return None;
        }
        let start = self.nodes[submap.anchor].pose.inverse() * this.pose;
        let matched = refine(&submap.surfaces, &this.features, start, None)?;
        let is_near = distance_m(matched.submap_from_robot, start) < NEAR_M
            && turn_rad(matched.submap_from_robot, start) < NEAR_RAD;
        (is_near && matched.inliers >= self.params.loop_inliers).then(|| Loop {
            is_believed: true,
            is_overlap: true,
            ..Loop::of(submap.anchor, node, &matched)
        })
    }
}

impl Loop {
    fn of(anchor: usize, node: usize, matched: &Matched) -> Self {
        let anchor_from_node = matched.submap_from_robot;
        let information = matched.information;
        Self { anchor, node, anchor_from_node, information, is_believed: false, is_overlap: false }
    }
}

fn distance_m(a: Pose2, b: Pose2) -> f64 {
    (a.x_m - b.x_m).hypot(a.y_m - b.y_m)
}

fn turn_rad(a: Pose2, b: Pose2) -> f64 {
    wrap(a.theta_rad - b.theta_rad).abs()
}

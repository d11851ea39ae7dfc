//! Loop closures: places that the robot has seen before, found in finished submaps, and accepted only when two agree.

use align::pose_graph::{Constraint, Kernel};
use model::{Pose2, wrap};

use super::drift::Drift;
use super::field::Field;
use super::scan_match::{Matched, refine, settle};
use super::search::{Known, Window, best};
use super::submap::Submap;
use super::{DEGREE, Graph};
use crate::icp::seen_through::Outline;

/// Points of a scan that the search looks at.
const SEARCH_POINTS: usize = 120;
/// A refinement that moves further than this from what the search found is another place, metres and radians.
const NEAR_M: f64 = 0.3;
const NEAR_RAD: f64 = 0.1;
/// Minimum window of a search, metres to each side. Ours.
const MIN_WINDOW_M: f64 = 0.5;
/// Window of headings, radians to each side, beside the drift; at most. Ours.
const MIN_WINDOW_RAD: f64 = 0.1;
const MAX_WINDOW_RAD: f64 = 60.0 * DEGREE;
/// Only submaps that ended so many metres travelled ago are searched. Ours: two submaps of the default length.
const MIN_TRAVELLED_M: f64 = 8.0;
/// Branches of a search at most; one that needs more gives up. Ours.
const MAX_BRANCHES: usize = 60_000;
/// Scans with fewer points are not searched for. Ours.
const MIN_POINTS: usize = 40;
/// A second place that reaches this ratio of the score makes a loop closure ambiguous. Ours.
const AMBIGUOUS_RATIO: f64 = 0.9;
/// Minimum ratio of points on a surface. Ours.
const MIN_INLIERS: f64 = 0.6;
/// Minimum mean likelihood of the two keyframes before. Ours.
const MIN_NEIGHBOUR_SCORE: f64 = 0.25;
/// A loop closure is rejected if more than this ratio of the points lies where a scan of the other visit looked through:
/// as the rule of `truth accept`.
const MAX_SEEN_THROUGH: f64 = 0.05;
/// Two loop closures agree if the cycle between them closes to this, metres, plus this much per metre travelled between
/// them, and to this turn, radians. Ours.
const AGREE_M: f64 = 0.1;
const AGREE_M_PER_M: f64 = 0.02;
const AGREE_RAD: f64 = 3.0 * DEGREE;
/// Loop closures further apart than this, metres travelled, cannot confirm each other. Ours.
const AGREE_WITHIN_M: f64 = 25.0;
/// A loop closure that moves the robot far is confirmed by one that was found as far along the path, up to this distance,
/// metres: where a maze repeats itself every few metres, two keyframes a metre apart see the same wrong place. Ours.
const MAX_CONFIRMED_M: f64 = 3.0;
/// Width of the Cauchy kernel on loop closures, standard deviations. Ours.
const KERNEL_WIDTH: f64 = 3.0;
/// Submaps overlap a keyframe if one of their keyframes is this near, metres. Ours.
const OVERLAP_M: f64 = 3.0;
/// Keyframes, counted back from the one that was searched, whose scans are compared with those of the submap: up to some
/// metres before.
const BACK: [usize; 4] = [0, 4, 8, 12];
/// Scans are compared whose keyframes lie this near, metres.
const BESIDE_M: f64 = 1.0;
/// What counts as the same maximum when a second one is looked for, metres and radians.
const SAME_M: f64 = 0.6;
const SAME_RAD: f64 = 0.25;

/// A keyframe that was found in the coordinate frame of a submap's anchor.
#[derive(Clone, Copy, Debug)]
pub(super) struct LoopClosure {
    pub anchor: usize,
    pub keyframe: usize,
    pub anchor_from_keyframe: Pose2,
    pub information: [[f64; 3]; 3],
    pub is_accepted: bool,
    /// Added by a final round, where the place was known already.
    pub is_overlap: bool,
}

impl LoopClosure {
    /// As a constraint whose cost is bounded softly, so that a wrong one does not bend the map.
    pub fn constraint(&self) -> Constraint {
        Constraint {
            from: self.anchor,
            to: self.keyframe,
            from_from_to: self.anchor_from_keyframe,
            information: self.information,
            kernel: Kernel::Cauchy(KERNEL_WIDTH),
        }
    }
}

impl Graph {
    /// Searches places that the newest keyframe may have seen before; true if loop closures were accepted.
    pub(super) fn close_loops(&mut self) -> bool {
        let newest = self.keyframes.len() - 1;
        let mut found = Vec::new();
        for (index, drift) in self.candidates(newest) {
            self.searchable.prepare(index, &self.submaps[index]);
            if let Some(hit) = self.search((index, drift), newest) {
                found.push(hit);
            }
        }
        let before = self.loops.iter().filter(|known| known.is_accepted).count();
        for hit in found {
            self.loops.push(hit);
            self.accept_if_confirmed(self.loops.len() - 1);
        }
        self.loops.iter().filter(|known| known.is_accepted).count() > before
    }

    /// Finished submaps that the newest keyframe may lie in, with the drift between: the nearest one, and the nearest of those
    /// that no loop closure has brought near. Without that the laps of one visit would hide all visits before.
    fn candidates(&self, newest: usize) -> Vec<(usize, Drift)> {
        let keyframe = &self.keyframes[newest];
        let drifts = self.drift_from(newest);
        let mut near: Vec<(f64, usize)> = Vec::new();
        for (index, submap) in self.submaps.iter().enumerate().filter(|(_, submap)| submap.is_finished) {
            let Some(&last) = submap.keyframes.last() else { continue };
            let is_apart = keyframe.travelled_m - self.keyframes[last].travelled_m >= MIN_TRAVELLED_M;
            if !is_apart && submap.part == self.part {
                continue;
            }
            let distance = |&other: &usize| distance_m(self.keyframes[other].pose, keyframe.pose);
            let nearest_m = submap.keyframes.iter().map(distance).fold(f64::INFINITY, f64::min);
            if nearest_m <= self.window_m(drifts[index]) + self.params.loop_radius_m {
                near.push((nearest_m, index));
            }
        }
        near.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let is_untied = |&&(_, index): &&(f64, usize)| drifts[index].m > MIN_WINDOW_M;
        let untied = near.iter().skip(1).find(is_untied).or(near.get(1)).copied();
        let chosen = near.first().copied().into_iter().chain(untied);
        chosen.map(|(_, index)| (index, drifts[index])).collect()
    }

    /// How far the robot may be off.
    fn window_m(&self, drift: Drift) -> f64 {
        drift.m.clamp(MIN_WINDOW_M, self.params.loop_window_m)
    }

    fn search(&self, (submap, drift): (usize, Drift), keyframe: usize) -> Option<LoopClosure> {
        let pyramid = self.searchable.of(submap)?;
        let submap = &self.submaps[submap];
        let features = &self.keyframes[keyframe].features;
        let every = features.points.len().div_ceil(SEARCH_POINTS).max(1);
        let points: Vec<_> = features.points.iter().copied().step_by(every).collect();
        if points.len() < MIN_POINTS {
            return None;
        }
        let anchor_pose = self.keyframes[submap.anchor].pose;
        let shift_m = self.window_m(drift);
        let window = Window {
            submap_from_robot: anchor_pose.inverse() * self.keyframes[keyframe].pose,
            shift_m,
            turn_rad: (MIN_WINDOW_RAD + drift.rad).min(MAX_WINDOW_RAD),
            min_step_rad: 0.0,
            penalty: 0.0,
            max_branches: MAX_BRANCHES,
        };
        let hit = best(pyramid, &points, window, self.params.loop_min_score, None, self.deadline)?;
        // Ratio test: a second place that fits nearly as well means that neither is known.
        let known =
            Known { submap_from_robot: hit.submap_from_robot, within_m: SAME_M, within_rad: SAME_RAD };
        let rival = best(pyramid, &points, window, AMBIGUOUS_RATIO * hit.score, Some(known), self.deadline);
        // A search that was broken off has not shown that there is no rival.
        if rival.is_some() || self.deadline.is_over() {
            return None;
        }
        let matched = refine(&submap.surfaces, features, hit.submap_from_robot, None)?;
        let is_same = distance_m(matched.submap_from_robot, hit.submap_from_robot) < NEAR_M
            && turn_rad(matched.submap_from_robot, hit.submap_from_robot) < NEAR_RAD;
        let is_good = is_same && matched.inliers >= MIN_INLIERS;
        let is_credible = is_good
            && self.neighbours_agree(&pyramid.field, keyframe, matched)
            && !self.is_seen_through(submap, keyframe, matched);
        is_credible.then(|| LoopClosure::of(submap.anchor, keyframe, &matched))
    }

    /// Whether the scans of the keyframes before, moved along to where this one was found, look through walls that the
    /// submap saw there, or the submap's scans through theirs. That reveals places that only look alike.
    fn is_seen_through(&self, submap: &Submap, keyframe: usize, matched: Matched) -> bool {
        let anchor_from_world = self.keyframes[submap.anchor].pose.inverse();
        BACK.iter().filter_map(|&back| keyframe.checked_sub(back)).any(|other| {
            let keyframe_from_other = self.keyframes[keyframe].pose.inverse() * self.keyframes[other].pose;
            let found = matched.submap_from_robot * keyframe_from_other;
            let away_m = |&&key: &&usize| distance_m(anchor_from_world * self.keyframes[key].pose, found);
            let Some(&key) = submap.keyframes.iter().min_by(|a, b| away_m(a).total_cmp(&away_m(b))) else {
                return false;
            };
            if away_m(&&key) > BESIDE_M {
                return false;
            }
            let (there, here) = (&self.keyframes[key].scan, &self.keyframes[other].scan);
            let there_from_here = (anchor_from_world * self.keyframes[key].pose).inverse() * found;
            let by_there = Outline::of(there).share_seen_through(&here.hits_in_robot, there_from_here);
            let by_here =
                Outline::of(here).share_seen_through(&there.hits_in_robot, there_from_here.inverse());
            by_there.max(by_here) > MAX_SEEN_THROUGH
        })
    }

    /// Whether the keyframes before, moved along, fit the submap too.
    fn neighbours_agree(&self, field: &Field, keyframe: usize, matched: Matched) -> bool {
        let score = |other: usize| {
            let keyframe_from_other = self.keyframes[keyframe].pose.inverse() * self.keyframes[other].pose;
            field.score(
                &self.keyframes[other].features.points,
                matched.submap_from_robot * keyframe_from_other,
            )
        };
        (1..=2).filter_map(|back| keyframe.checked_sub(back)).all(|other| score(other) >= MIN_NEIGHBOUR_SCORE)
    }

    /// Accepts a loop closure, and those that agree with it, once two agree.
    fn accept_if_confirmed(&mut self, newest: usize) {
        let agreeing: Vec<usize> = (0..newest).filter(|&other| self.agree(newest, other)).collect();
        if agreeing.is_empty() {
            return;
        }
        for index in agreeing.into_iter().chain([newest]) {
            self.loops[index].is_accepted = true;
        }
        let anchor = self.loops[newest].anchor;
        self.is_loose &=
            self.submaps.iter().any(|submap| submap.anchor == anchor && submap.part == self.part);
    }

    /// Whether two loop closures of neighbouring places close the cycle between them.
    fn agree(&self, a: usize, b: usize) -> bool {
        let (a, b) = (&self.loops[a], &self.loops[b]);
        let pose = |keyframe: usize| self.keyframes[keyframe].pose;
        let apart_m = (self.keyframes[a.keyframe].travelled_m - self.keyframes[b.keyframe].travelled_m).abs()
            + (self.keyframes[a.anchor].travelled_m - self.keyframes[b.anchor].travelled_m).abs();
        let is_twice = a.keyframe == b.keyframe && a.anchor == b.anchor;
        let driven_m =
            (self.keyframes[a.keyframe].travelled_m - self.keyframes[b.keyframe].travelled_m).abs();
        if is_twice || apart_m > AGREE_WITHIN_M || driven_m < self.correction_m(a).min(MAX_CONFIRMED_M) {
            return false;
        }
        let nodes = pose(a.keyframe).inverse() * pose(b.keyframe);
        let anchors = pose(b.anchor).inverse() * pose(a.anchor);
        let around = anchors * a.anchor_from_keyframe * nodes * b.anchor_from_keyframe.inverse();
        let allowed_m = AGREE_M + AGREE_M_PER_M * apart_m;
        around.x_m.hypot(around.y_m) <= allowed_m && around.theta_rad.abs() <= AGREE_RAD
    }

    /// How far a loop closure moves its keyframe.
    fn correction_m(&self, known: &LoopClosure) -> f64 {
        let expected = self.keyframes[known.anchor].pose.inverse() * self.keyframes[known.keyframe].pose;
        distance_m(expected, known.anchor_from_keyframe)
    }

    /// Matches keyframes with other submaps that overlap, from where they lie now: many short loop closures instead of few.
    pub(super) fn add_overlaps(&mut self) {
        self.loops.retain(|known| known.is_accepted && !known.is_overlap);
        let mut added = Vec::new();
        for keyframe in 0..self.keyframes.len() {
            if self.deadline.is_over() {
                break;
            }
            for submap in self.submaps.iter().filter(|submap| submap.is_finished) {
                if let Some(hit) = self.overlap(submap, keyframe) {
                    added.push(hit);
                }
            }
        }
        self.loops.extend(added);
    }

    fn overlap(&self, submap: &Submap, keyframe: usize) -> Option<LoopClosure> {
        let this = &self.keyframes[keyframe];
        let (Some(&first), Some(&last)) = (submap.keyframes.first(), submap.keyframes.last()) else {
            return None;
        };
        let travelled_m = |keyframe: usize| self.keyframes[keyframe].travelled_m;
        let is_apart = this.travelled_m - travelled_m(last) > MIN_TRAVELLED_M
            || travelled_m(first) - this.travelled_m > MIN_TRAVELLED_M;
        let is_near = |&other: &usize| distance_m(self.keyframes[other].pose, this.pose) < OVERLAP_M;
        if !is_apart || this.features.points.len() < MIN_POINTS || !submap.keyframes.iter().any(is_near) {
            return None;
        }
        let start = self.keyframes[submap.anchor].pose.inverse() * this.pose;
        let matched = settle(&submap.surfaces, &this.features, start)?;
        let is_near = distance_m(matched.submap_from_robot, start) < NEAR_M
            && turn_rad(matched.submap_from_robot, start) < NEAR_RAD;
        (is_near && matched.inliers >= MIN_INLIERS).then(|| LoopClosure {
            is_accepted: true,
            is_overlap: true,
            ..LoopClosure::of(submap.anchor, keyframe, &matched)
        })
    }
}

impl LoopClosure {
    fn of(anchor: usize, keyframe: usize, matched: &Matched) -> Self {
        let anchor_from_keyframe = matched.submap_from_robot;
        let information = matched.information;
        Self { anchor, keyframe, anchor_from_keyframe, information, is_accepted: false, is_overlap: false }
    }
}

fn distance_m(a: Pose2, b: Pose2) -> f64 {
    (a.x_m - b.x_m).hypot(a.y_m - b.y_m)
}

fn turn_rad(a: Pose2, b: Pose2) -> f64 {
    wrap(a.theta_rad - b.theta_rad).abs()
}

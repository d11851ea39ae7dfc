//! One scan after the other: what the odometry expects, what the match makes of it, and what is kept.

use model::Pose2;

use super::drift::Drift;
use super::expected::{Expected, LastMotion, MotionSource, OdometryError};
use super::scan_match::{Features, Matched, inliers_at};
use super::tracking::Tracking;
use super::witnesses::Witnesses;
use super::{Active, Graph, STILL_M, STILL_RAD, odometry_information};
use crate::icp::seen_through::Outline;
use crate::{Scan, Step};

/// A scan that was not matched is drawn if it agrees with the last keyframe: so much of each scan may lie where the other looked
/// through, and so many points must be there to tell. Ours.
const MAX_SEEN_THROUGH: f64 = 0.04;
const MIN_ALIKE_POINTS: usize = 60;
/// While the odometry stands, a scan of which so much less lies on surfaces than of the last one says that the robot moved.
/// Ours: a person before the laser takes less.
const MOVED_FIT: f64 = 0.2;
/// Without odometry a scan that fits nowhere counts as so many metres travelled: after two of them the map begins anew.
const UNKNOWN_STEP_M: f64 = 0.26;
/// Whether a displacement of the odometry is more than its noise at a standstill.
fn is_motion(moved: Pose2) -> bool {
    moved.x_m.hypot(moved.y_m) > STILL_M || moved.theta_rad.abs() > STILL_RAD
}

impl Graph {
    /// Takes a scan, with the motion since the one before where the odometry tells it.
    pub(super) fn take(&mut self, scan: &Scan, by_odometry: Option<Pose2>) -> Step {
        let is_first = self.keyframes.is_empty();
        if is_first {
            self.last_motion = LastMotion::at(scan.time_s);
        }
        let features = Features::of(scan, self.params.match_points);
        let by_odometry = by_odometry.filter(|motion| is_first || !self.is_stuck(*motion, &features));
        let expected = self.expected(by_odometry, scan.time_s);
        // At a standstill a match would only add noise to the heading.
        let has_moved = by_odometry.is_none_or(is_motion);
        let (moved, matched) =
            if has_moved { self.displacement(scan, &features, expected) } else { (expected.motion, None) };
        let is_lost = by_odometry.is_none() && matched.is_none() && !is_first;
        self.doubtful =
            if matched.is_some_and(|matched| matched.is_doubtful) { self.doubtful + 1 } else { 0 };
        self.last_motion = self.last_motion.next(scan.time_s, moved, !is_lost);
        self.advance(moved, matched.as_ref());
        if is_lost {
            let OdometryError { sigma_m, sigma_rad } = expected.error;
            self.drift = self.drift + Drift { m: sigma_m, rad: sigma_rad };
        }
        if has_moved && !is_first {
            self.note_place(&features, expected, moved, matched.is_some());
        }
        let on_surface = matched.map(|matched| matched.inliers);
        self.last_fit = on_surface.unwrap_or(self.last_fit);
        if let (Some(by_odometry), Some(inliers)) = (by_odometry, on_surface) {
            self.odometry_bias.learn(by_odometry, moved, inliers);
        }
        if is_first || (has_moved && self.is_keyframe()) {
            let information = matched.map(|matched| matched.information);
            self.add_keyframe(
                scan,
                features,
                information.or(is_lost.then(|| odometry_information(expected.error))),
            );
            self.search_loops();
        }
        if let (true, Some(keyframe)) = (is_first, self.keyframes.last()) {
            self.last_fit = self.fit_here(&keyframe.features).unwrap_or(self.last_fit);
        }
        let is_matched = is_first || on_surface.is_some();
        self.visit(scan.time_s, is_matched);
        Step { is_matched, on_surface, ..Step::default() }
    }

    /// The motion that is expected, by the odometry or without it.
    fn expected(&self, by_odometry: Option<Pose2>, time_s: f64) -> Expected {
        let Some(motion) = by_odometry else { return self.last_motion.carried_on(time_s) };
        let error = OdometryError::of(motion);
        let error = self.lost.map_or(error, |lost| error.and(lost.error));
        Expected { motion: self.odometry_bias.corrected(motion), error, source: MotionSource::Odometry }
    }

    /// Notes whether it is known where the robot is. Where much is new a scan may fit nowhere; it is drawn where the odometry
    /// puts it unless it contradicts the last one.
    fn note_place(&mut self, features: &Features, expected: Expected, moved: Pose2, is_matched: bool) {
        let is_alike = |active: &Active| self.is_seen_alike(features, active, active.submap_from_robot);
        let is_placed = is_matched || self.active.first().is_some_and(is_alike);
        let (moved, error) = match expected.source {
            MotionSource::Odometry => {
                ((moved.x_m.hypot(moved.y_m), moved.theta_rad.abs()), OdometryError::of(expected.motion))
            }
            MotionSource::LastMotion => ((UNKNOWN_STEP_M, 0.0), expected.error),
        };
        self.note_match(is_placed, features.points.len(), moved, error);
    }

    /// Whether the odometry stands while the scans move. What it says then is worth nothing until it moves again.
    fn is_stuck(&mut self, by_odometry: Pose2, features: &Features) -> bool {
        if is_motion(by_odometry) {
            self.is_odometry_stuck = false;
        } else if !self.is_odometry_stuck {
            self.is_odometry_stuck =
                self.fit_here(features).is_some_and(|fit| fit < self.last_fit - MOVED_FIT);
        }
        self.is_odometry_stuck
    }

    /// Share of the points on surfaces where the robot is; none before there are any.
    fn fit_here(&self, features: &Features) -> Option<f64> {
        let active = self.active.first()?;
        Some(inliers_at(&self.submaps[active.submap].surfaces, features, active.submap_from_robot))
    }

    /// The displacement since the scan before as it was matched, or as it is expected; and the match.
    fn displacement(&self, scan: &Scan, features: &Features, expected: Expected) -> (Pose2, Option<Matched>) {
        let Some(active) = self.active.first() else { return (expected.motion, None) };
        let submap = &self.submaps[active.submap];
        let witnesses =
            Witnesses::of(&self.keyframes, &submap.keyframes, active, features, scan.laser_in_robot);
        let tracking = Tracking { submap, features, witnesses, deadline: self.deadline };
        match tracking.track(active.submap_from_robot, expected) {
            Some(found) => (active.submap_from_robot.inverse() * found.submap_from_robot, Some(found)),
            None => (expected.motion, None),
        }
    }

    /// Whether a scan at a pose agrees with what the last keyframe saw: neither looks through the other's walls.
    fn is_seen_alike(&self, features: &Features, active: &Active, submap_from_robot: Pose2) -> bool {
        let Some(keyframe) = self.keyframes.last().filter(|_| features.points.len() >= MIN_ALIKE_POINTS)
        else {
            return false;
        };
        let keyframe_from_robot = active.submap_from_keyframe.inverse() * submap_from_robot;
        let there = Outline::of_hits(&keyframe.features.points, keyframe.scan.laser_in_robot);
        let here = Outline::of_hits(&features.points, keyframe.scan.laser_in_robot);
        let by_there = there.share_seen_through(&features.points, keyframe_from_robot);
        let by_here = here.share_seen_through(&keyframe.features.points, keyframe_from_robot.inverse());
        by_there.max(by_here) <= MAX_SEEN_THROUGH
    }
}

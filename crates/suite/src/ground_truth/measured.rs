//! The displacement between two scans, measured so that it does not depend on the trajectory that it may judge.
//!
//! Poses are where a match begins. A step between neighbours that the match corrects, or that it cannot match, is looked for
//! again from starts that know nothing of the poses: the odometry, and a raster of turns and shifts. What is found again
//! is confirmed; where another displacement fits about as well, it is ambiguous. A displacement that no match supports is
//! that of the odometry, or none at all, never that of the poses.

use mapper::{RefinedMatch, Scan, refine};
use model::{Pose2, RelationRecord, Rigid};
use truth::{AMBIGUOUS, CONFIRMED};

use super::review::scan_match;

/// Turns and shifts from which a step is looked for, in radians and metres. Ours: a match converges from about half of
/// the steps of the raster, and neighbouring keyframes are half a metre and 30 degrees apart.
const TURNS: i32 = 6;
const TURN_STEP_RAD: f64 = 10.0 * std::f64::consts::PI / 180.0;
const SHIFT_M: f64 = 0.4;
/// A match that moves the poses by less is not looked for again. Ours: as steps count as bent.
const BENT_M: f64 = 0.1;
const BENT_RAD: f64 = std::f64::consts::PI / 180.0;
/// Matches nearer than this are the same; those further apart than `OTHER` are rivals. Ours.
const SAME_M: f64 = 0.05;
const SAME_RAD: f64 = 1.5 * std::f64::consts::PI / 180.0;
const OTHER_M: f64 = 0.1;
const OTHER_RAD: f64 = 3.0 * std::f64::consts::PI / 180.0;
/// A rival whose quality is lower by less than this may be the right one. Ours.
const RIVAL: f64 = 0.1;

/// Two scans and what is known about the displacement between them.
pub(super) struct ScanPair<'a> {
    pub first: &'a Scan,
    pub second: &'a Scan,
    /// By the poses.
    pub by_poses: Pose2,
    /// By the odometry of the log; none where it has none, where the poses are its own, or for a revisit.
    pub by_odometry: Option<Pose2>,
    /// Whether the two are neighbours in time.
    pub is_step: bool,
}

/// Puts the measured displacement of two scans into a record, with what it rests on.
pub(super) fn measure(record: &mut RelationRecord, pair: &ScanPair<'_>) {
    let by_poses = refine(pair.first, pair.second, pair.by_poses);
    let (found, tag) = match by_poses {
        Some(found) if !pair.is_step || !is_bent(&found, pair.by_poses) => (Some(found), None),
        by_poses if pair.is_step => pair.looked_for_again(by_poses),
        by_poses => (by_poses, None),
    };
    record.tags.extend(tag.map(str::to_owned));
    let Some(found) = found else {
        set(record, pair.by_odometry.unwrap_or(Pose2::IDENTITY));
        record.tags.push("unmatched".to_owned());
        return;
    };
    set(record, found.first_from_second);
    if found.degenerate_rad.is_some() {
        record.tags.push("degenerate".to_owned());
    }
    record.icp = Some(scan_match(&found, pair.by_poses));
}

impl ScanPair<'_> {
    /// The best match from the poses and from starts that know nothing of them; and whether it is confirmed or ambiguous.
    fn looked_for_again(
        &self,
        by_poses: Option<RefinedMatch>,
    ) -> (Option<RefinedMatch>, Option<&'static str>) {
        let independent: Vec<RefinedMatch> =
            self.starts().filter_map(|start| refine(self.first, self.second, start)).collect();
        let best_of_all =
            by_poses.iter().chain(&independent).max_by(|a, b| quality(a).total_cmp(&quality(b)));
        let Some(best) = best_of_all.copied() else { return (None, None) };
        let is_rival = |other: &RefinedMatch| {
            !is_within(other, &best, OTHER_M, OTHER_RAD) && quality(other) > quality(&best) - RIVAL
        };
        if independent.iter().any(is_rival) {
            return (Some(best), Some(AMBIGUOUS));
        }
        let is_found_again = independent.iter().any(|other| is_within(other, &best, SAME_M, SAME_RAD));
        (Some(best), is_found_again.then_some(CONFIRMED))
    }

    /// The odometry, and turns on the spot and shifted.
    fn starts(&self) -> impl Iterator<Item = Pose2> {
        let shifts = [(0.0, 0.0), (SHIFT_M, 0.0), (-SHIFT_M, 0.0), (0.0, SHIFT_M), (0.0, -SHIFT_M)];
        let turned =
            move |turn: i32| shifts.map(|(x_m, y_m)| Pose2::new(x_m, y_m, f64::from(turn) * TURN_STEP_RAD));
        self.by_odometry.into_iter().chain((-TURNS..=TURNS).flat_map(turned))
    }
}

/// How well two scans lie on each other: points that meet count, points that one scan looked through count against it.
fn quality(found: &RefinedMatch) -> f64 {
    found.overlap * found.inliers - found.contradicted
}

fn is_bent(found: &RefinedMatch, start: Pose2) -> bool {
    let moved = found.first_from_second.seen_from(start);
    moved.distance_m() > BENT_M || moved.angle_rad() > BENT_RAD
}

fn is_within(one: &RefinedMatch, other: &RefinedMatch, max_m: f64, max_rad: f64) -> bool {
    let rest = one.first_from_second.seen_from(other.first_from_second);
    rest.distance_m() <= max_m && rest.angle_rad() <= max_rad
}

fn set(record: &mut RelationRecord, delta: Pose2) {
    record.relation.translation_m = [delta.x_m, delta.y_m, 0.0];
    record.relation.roll_pitch_yaw_rad = [0.0, 0.0, delta.theta_rad];
}

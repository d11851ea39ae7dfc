//! A second look at a scan that does not fit where the odometry puts it: wheels slip, lines of a log are lost, robots are
//! pushed.
//!
//! The match near the odometry is taken where it convinces. Where it does not, the place is searched as far around as wheels
//! err in such a case, and the place that is found wins only if clearly more of the scan lies on surfaces there. So the prior
//! has a heavy tail: near the odometry it holds, far away the scan alone decides.

use model::Pose2;

use super::DEGREE;
use super::scan_match::{Features, Matched, Prior, refine};
use super::submap::Submap;
use super::tracking::{self, OdometryError};
use crate::Deadline;

/// A match with this ratio of points on surfaces needs no second look. Ours.
const CONVINCING: f64 = 0.65;
/// A place far from the odometry is taken from this ratio on, and if it is better by so much. Ours.
const MIN_INLIERS: f64 = 0.55;
const MIN_GAIN: f64 = 0.15;
/// Standard deviation of odometry that errs more than it should: at least, and at most. Ours: a slip of half a second.
const SIGMA_M: f64 = 0.25;
const SIGMA_RAD: f64 = 10.0 * DEGREE;
const MAX_SIGMA_M: f64 = 0.75;
const MAX_SIGMA_RAD: f64 = 25.0 * DEGREE;

/// The match of a scan, near the odometry or, where that does not convince, around it.
pub(super) fn confirmed(
    submap: &Submap,
    features: &Features,
    (predicted, error): (Pose2, OdometryError),
    (near, near_inliers): (Option<Matched>, f64),
    deadline: Deadline,
) -> Option<Matched> {
    if near.is_some_and(|near| near.inliers >= CONVINCING) {
        return near;
    }
    let found = around(submap, features, predicted, error, deadline);
    let needed = MIN_INLIERS.max(near_inliers + MIN_GAIN);
    found.filter(|found| found.inliers >= needed).or(near)
}

fn around(
    submap: &Submap,
    features: &Features,
    predicted: Pose2,
    error: OdometryError,
    deadline: Deadline,
) -> Option<Matched> {
    let sigma_m = (2.0 * error.sigma_m).clamp(SIGMA_M, MAX_SIGMA_M);
    let sigma_rad = (2.0 * error.sigma_rad).clamp(SIGMA_RAD, MAX_SIGMA_RAD);
    let start =
        tracking::around(submap, &features.points, predicted, (2.0 * sigma_m, 2.0 * sigma_rad), deadline);
    let prior = Prior { submap_from_robot: predicted, sigma_m, sigma_rad };
    refine(&submap.surfaces, features, start, Some(prior))
}

//! Tracks and relations of tests.

use align::trajectory::Track;
use model::{Pose2, Pose3, Relation};

/// A planar track from rows of time, x, y and heading.
pub(crate) fn planar(rows: &[(f64, f64, f64, f64)]) -> Track<Pose3> {
    Track::new(
        rows.iter().map(|&(time_s, x_m, y_m, theta_rad)| (time_s, Pose2::new(x_m, y_m, theta_rad).into())),
    )
}

pub(crate) fn relation(from_s: f64, to_s: f64, x_m: f64, y_m: f64, yaw_rad: f64) -> Relation {
    Relation { from_s, to_s, translation_m: [x_m, y_m, 0.0], roll_pitch_yaw_rad: [0.0, 0.0, yaw_rad] }
}

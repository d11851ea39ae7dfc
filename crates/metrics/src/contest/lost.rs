//! X-LOST: how many steps a robot that is placed wrong on a map needs to find itself again.
//!
//! ```text
//! steps = first step from which on `hold` steps in a row have errors of at most within_m and within_rad
//! ```
//!
//! Paper: Balaguer et al. 2009, section 2 names the lost metric and calls it not yet usable; limits and the rule that
//! the pose must stay right are ours.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Error of a pose estimate after a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PoseError {
    pub translation_m: f64,
    /// Absolute.
    pub yaw_rad: f64,
}

/// When a robot has found itself.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct LostRules {
    /// Max. translation error, metres. Default 0.3 (X-LOST).
    pub within_m: f64,
    /// Max. yaw error, radians. Default 10 degrees (X-LOST).
    pub within_rad: f64,
    /// Steps in a row that must be right, since a wrong pose comes near the true one by accident. Default 5, ours.
    pub hold: usize,
}

impl Default for LostRules {
    fn default() -> Self {
        Self { within_m: 0.3, within_rad: 10_f64.to_radians(), hold: 5 }
    }
}

impl LostRules {
    /// Whether a pose is right.
    #[must_use]
    pub fn is_right(&self, error: PoseError) -> bool {
        error.translation_m <= self.within_m && error.yaw_rad <= self.within_rad
    }
}

/// Steps until the robot has found itself, counted from 1; none if it stays lost.
#[must_use]
pub fn steps_until_found(errors: &[PoseError], rules: &LostRules) -> Option<usize> {
    let hold = rules.hold.max(1);
    let windows = errors.windows(hold);
    windows
        .enumerate()
        .find(|(_, window)| window.iter().all(|error| rules.is_right(*error)))
        .map(|(i, _)| i + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pose_must_stay_right() {
        let rules = LostRules { hold: 2, ..LostRules::default() };
        let error =
            |translation_m: f64, yaw_deg: f64| PoseError { translation_m, yaw_rad: yaw_deg.to_radians() };
        let (far, turned, right) = (error(2.0, 0.0), error(0.1, 90.0), error(0.3, 10.0));
        assert_eq!(steps_until_found(&[far, right, turned, right, right], &rules), Some(4));
        assert_eq!(steps_until_found(&[right, right], &rules), Some(1));
        assert_eq!(steps_until_found(&[far, turned, right], &rules), None, "right once, at the end");
        assert_eq!(steps_until_found(&[], &rules), None);
        let at_once = LostRules { hold: 0, ..rules };
        assert_eq!(steps_until_found(&[far, right], &at_once), Some(2));
    }
}

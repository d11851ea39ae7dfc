//! Points and poses in the plane, in metres and radians.

use std::ops::Mul;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::wrap;

/// A position in metres. Never a cell: only [`crate::GridGeometry`] converts between the two.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Point2 {
    /// To the right (east), in metres.
    pub x_m: f64,
    /// Up (north), in metres.
    pub y_m: f64,
}

impl Point2 {
    /// The point (x, y).
    pub const fn new(x_m: f64, y_m: f64) -> Self {
        Self { x_m, y_m }
    }

    pub fn distance_m(self, other: Self) -> f64 {
        (self.x_m - other.x_m).hypot(self.y_m - other.y_m)
    }
}

/// A rigid transform of the plane; as a pose, the place and heading of a frame seen from another.
///
/// Names carry both frames, and products then read correctly: `truth_from_map * map_from_robot`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Pose2 {
    /// Translation along x in metres.
    pub x_m: f64,
    /// Translation along y in metres.
    pub y_m: f64,
    /// Rotation, counter-clockwise, in radians.
    pub theta_rad: f64,
}

impl Pose2 {
    /// The transform that changes nothing.
    pub const IDENTITY: Self = Self { x_m: 0.0, y_m: 0.0, theta_rad: 0.0 };

    /// The pose (x, y, theta).
    pub const fn new(x_m: f64, y_m: f64, theta_rad: f64) -> Self {
        Self { x_m, y_m, theta_rad }
    }

    pub const fn position(self) -> Point2 {
        Point2::new(self.x_m, self.y_m)
    }

    /// The transform back: `a.inverse() * a` is the identity.
    #[must_use]
    pub fn inverse(self) -> Self {
        let (sin, cos) = self.theta_rad.sin_cos();
        Self {
            x_m: -(cos * self.x_m + sin * self.y_m),
            y_m: sin * self.x_m - cos * self.y_m,
            theta_rad: wrap(-self.theta_rad),
        }
    }

    /// True if all three numbers are finite.
    pub fn is_finite(self) -> bool {
        self.x_m.is_finite() && self.y_m.is_finite() && self.theta_rad.is_finite()
    }
}

impl Mul for Pose2 {
    type Output = Self;

    fn mul(self, inner: Self) -> Self {
        let place = self * Point2::new(inner.x_m, inner.y_m);
        Self { x_m: place.x_m, y_m: place.y_m, theta_rad: wrap(self.theta_rad + inner.theta_rad) }
    }
}

impl Mul<Point2> for Pose2 {
    type Output = Point2;

    fn mul(self, point: Point2) -> Point2 {
        let (sin, cos) = self.theta_rad.sin_cos();
        Point2 {
            x_m: self.x_m + cos * point.x_m - sin * point.y_m,
            y_m: self.y_m + sin * point.x_m + cos * point.y_m,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::FRAC_PI_2;

    use super::*;

    #[test]
    fn a_quarter_turn_sends_x_to_y() {
        let turned = Pose2::new(2.0, 1.0, FRAC_PI_2) * Point2::new(1.0, 0.0);
        assert!((turned.x_m - 2.0).abs() < 1e-12 && (turned.y_m - 2.0).abs() < 1e-12);
    }

    #[test]
    fn inverse_undoes_the_pose_from_both_sides() {
        let pose = Pose2::new(3.0, -4.0, 2.5);
        for product in [pose * pose.inverse(), pose.inverse() * pose] {
            assert!(
                product.x_m.abs() < 1e-12 && product.y_m.abs() < 1e-12 && product.theta_rad.abs() < 1e-12
            );
        }
    }
}

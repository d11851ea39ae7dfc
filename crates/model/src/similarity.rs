//! Similarity transforms of the plane: rotation, one scale, translation; never a mirror image.

use std::ops::Mul;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Point2, Pose2, wrap};

/// `p_outer = scale * R(theta) * p_inner + (x, y)`; with scale 1 a rigid transform.
///
/// Names carry both frames, as those of [`Pose2`] do: `truth_from_map`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Similarity2 {
    /// Translation along x in metres.
    pub x_m: f64,
    /// Translation along y in metres.
    pub y_m: f64,
    /// Rotation, counter-clockwise, in radians.
    pub theta_rad: f64,
    /// Scale; above 0.
    pub scale: f64,
}

impl Similarity2 {
    /// The transform that changes nothing.
    pub const IDENTITY: Self = Self { x_m: 0.0, y_m: 0.0, theta_rad: 0.0, scale: 1.0 };

    /// The transform with this translation, rotation and scale.
    pub const fn new(x_m: f64, y_m: f64, theta_rad: f64, scale: f64) -> Self {
        Self { x_m, y_m, theta_rad, scale }
    }

    /// The transform with this rotation and scale that sends `from` to `to`.
    pub fn sending(from: Point2, to: Point2, theta_rad: f64, scale: f64) -> Self {
        let turned = Self::new(0.0, 0.0, theta_rad, scale) * from;
        Self { x_m: to.x_m - turned.x_m, y_m: to.y_m - turned.y_m, theta_rad: wrap(theta_rad), scale }
    }

    /// The transform back: `a.inverse() * a` is the identity.
    #[must_use]
    pub fn inverse(self) -> Self {
        let back = Self::new(0.0, 0.0, wrap(-self.theta_rad), 1.0 / self.scale);
        let origin = back * Point2::new(-self.x_m, -self.y_m);
        Self { x_m: origin.x_m, y_m: origin.y_m, ..back }
    }

    /// The transform as a function, for many points: sine and cosine are taken once. `(a.function())(p)` equals `a * p`.
    pub fn function(self) -> impl Fn(Point2) -> Point2 + Copy {
        let Self { x_m, y_m, theta_rad, scale } = self;
        let (sin, cos) = theta_rad.sin_cos();
        move |point| {
            let (x, y) = (scale * point.x_m, scale * point.y_m);
            Point2::new(x_m + cos * x - sin * y, y_m + sin * x + cos * y)
        }
    }

    /// The rigid part: place and rotation without the scale.
    pub const fn pose(self) -> Pose2 {
        Pose2::new(self.x_m, self.y_m, self.theta_rad)
    }

    /// True if all numbers are finite and the scale is above 0.
    pub fn is_valid(self) -> bool {
        self.pose().is_finite() && self.scale.is_finite() && self.scale > 0.0
    }
}

impl From<Pose2> for Similarity2 {
    fn from(pose: Pose2) -> Self {
        Self::new(pose.x_m, pose.y_m, pose.theta_rad, 1.0)
    }
}

impl Mul<Point2> for Similarity2 {
    type Output = Point2;

    fn mul(self, point: Point2) -> Point2 {
        self.pose() * Point2::new(self.scale * point.x_m, self.scale * point.y_m)
    }
}

impl Mul for Similarity2 {
    type Output = Self;

    fn mul(self, inner: Self) -> Self {
        let place = self * Point2::new(inner.x_m, inner.y_m);
        let theta_rad = wrap(self.theta_rad + inner.theta_rad);
        Self { x_m: place.x_m, y_m: place.y_m, theta_rad, scale: self.scale * inner.scale }
    }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::FRAC_PI_2;

    use super::*;

    #[test]
    fn scales_then_turns_then_moves() {
        let moved = Similarity2::new(1.0, 2.0, FRAC_PI_2, 3.0) * Point2::new(1.0, 0.0);
        assert!((moved.x_m - 1.0).abs() < 1e-12 && (moved.y_m - 5.0).abs() < 1e-12);
    }

    #[test]
    fn inverse_undoes_the_transform_from_both_sides() {
        let transform = Similarity2::new(3.0, -4.0, 2.5, 0.7);
        for product in [transform * transform.inverse(), transform.inverse() * transform] {
            assert!(product.x_m.abs() < 1e-12 && product.y_m.abs() < 1e-12);
            assert!(product.theta_rad.abs() < 1e-12 && (product.scale - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn the_function_gives_the_same_bits() {
        let transform = Similarity2::new(3.0, -4.0, 2.5, 0.7);
        let function = transform.function();
        for point in [Point2::new(1.0, 2.0), Point2::new(-0.3, 1e6)] {
            assert_eq!(function(point), transform * point);
        }
    }

    #[test]
    fn sending_sends_the_point_where_it_says() {
        let (from, to) = (Point2::new(2.0, -1.0), Point2::new(-3.0, 8.0));
        let sent = Similarity2::sending(from, to, 1.2, 2.5) * from;
        assert!((sent.x_m - to.x_m).abs() < 1e-12 && (sent.y_m - to.y_m).abs() < 1e-12);
    }
}

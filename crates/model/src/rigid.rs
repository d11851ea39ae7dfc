//! What poses of the plane and of space have in common, so that a method is written once for both.

use std::f64::consts::{PI, TAU};
use std::ops::Mul;

use crate::{Pose2, Pose3};

/// How far a displacement is from the true one.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PoseError {
    /// Length of the translation, metres.
    pub translation_m: f64,
    /// Angle of the rotation, 0 to pi.
    pub rotation_rad: f64,
}

/// A rigid transform of the plane or of space.
pub trait Rigid: Copy + Mul<Output = Self> + Send + Sync + std::fmt::Debug + 'static {
    /// The transform that changes nothing.
    const IDENTITY: Self;

    #[must_use]
    fn inverse(self) -> Self;

    /// Position x, y, z in metres.
    fn position_m(self) -> [f64; 3];

    /// Length of the translation, metres.
    fn distance_m(self) -> f64;

    /// Angle of the rotation, 0 to pi.
    fn angle_rad(self) -> f64;

    /// The rotation as the rows of a 3 x 3 matrix.
    fn rotation_rows(self) -> [[f64; 3]; 3];

    /// The pose at `ratio` (0 to 1) of the path to `other`: straight in position, the shorter arc in rotation.
    #[must_use]
    fn toward(self, other: Self, ratio: f64) -> Self;

    /// This pose seen from `base` (T-OPS: this (-) base).
    #[must_use]
    fn seen_from(self, base: Self) -> Self {
        base.inverse() * self
    }

    /// The error of the displacement from `from` to `to` against the one from `true_from` to `true_to`:
    /// inverse(delta*) (+) delta.
    fn displacement_error(from: Self, to: Self, true_from: Self, true_to: Self) -> PoseError {
        let error = to.seen_from(from).seen_from(true_to.seen_from(true_from));
        PoseError { translation_m: error.distance_m(), rotation_rad: error.angle_rad() }
    }
}

impl Rigid for Pose2 {
    const IDENTITY: Self = Self::IDENTITY;

    fn inverse(self) -> Self {
        self.inverse()
    }

    fn position_m(self) -> [f64; 3] {
        [self.x_m, self.y_m, 0.0]
    }

    fn distance_m(self) -> f64 {
        self.x_m.hypot(self.y_m)
    }

    fn angle_rad(self) -> f64 {
        turn(self.theta_rad)
    }

    fn rotation_rows(self) -> [[f64; 3]; 3] {
        let (sin, cos) = self.theta_rad.sin_cos();
        [[cos, -sin, 0.0], [sin, cos, 0.0], [0.0, 0.0, 1.0]]
    }

    fn toward(self, other: Self, ratio: f64) -> Self {
        let arc = crate::wrap(other.theta_rad - self.theta_rad);
        Self::new(
            self.x_m + ratio * (other.x_m - self.x_m),
            self.y_m + ratio * (other.y_m - self.y_m),
            crate::wrap(self.theta_rad + ratio * arc),
        )
    }

    /// |R(-a) d - R(-a*) d*| = |d - R(a - a*) d*|: one rotation instead of three.
    #[inline]
    fn displacement_error(from: Self, to: Self, true_from: Self, true_to: Self) -> PoseError {
        let (sin, cos) = (from.theta_rad - true_from.theta_rad).sin_cos();
        let (dx, dy) = (to.x_m - from.x_m, to.y_m - from.y_m);
        let (tx, ty) = (true_to.x_m - true_from.x_m, true_to.y_m - true_from.y_m);
        let (ex, ey) = (dx - (cos * tx - sin * ty), dy - (sin * tx + cos * ty));
        let turned = (to.theta_rad - from.theta_rad) - (true_to.theta_rad - true_from.theta_rad);
        PoseError { translation_m: (ex * ex + ey * ey).sqrt(), rotation_rad: turn(turned) }
    }
}

/// An angle without its sign and without whole turns: 0 to pi.
#[inline]
fn turn(angle_rad: f64) -> f64 {
    // Rounding may leave a hair more than pi.
    (angle_rad - TAU * (angle_rad / TAU).round()).abs().min(PI)
}

impl Rigid for Pose3 {
    const IDENTITY: Self = Self::IDENTITY;

    fn inverse(self) -> Self {
        self.inverse()
    }

    fn position_m(self) -> [f64; 3] {
        self.position_m
    }

    fn distance_m(self) -> f64 {
        self.position_m.iter().map(|v| v * v).sum::<f64>().sqrt()
    }

    /// From the half angle by atan2, which keeps all digits near 0 where acos loses half of them.
    fn angle_rad(self) -> f64 {
        let [x, y, z, w] = self.rotation_xyzw;
        2.0 * (x * x + y * y + z * z).sqrt().atan2(w.abs())
    }

    fn rotation_rows(self) -> [[f64; 3]; 3] {
        let [a, b, c, _, d, e, f, _, g, h, i, _] = self.matrix();
        [[a, b, c], [d, e, f], [g, h, i]]
    }

    fn toward(self, other: Self, ratio: f64) -> Self {
        let position_m =
            std::array::from_fn(|i| self.position_m[i] + ratio * (other.position_m[i] - self.position_m[i]));
        Self { position_m, rotation_xyzw: slerp(self.rotation_xyzw, other.rotation_xyzw, ratio) }
    }
}

/// Spherical interpolation between unit quaternions along the shorter arc.
fn slerp(from: [f64; 4], to: [f64; 4], ratio: f64) -> [f64; 4] {
    let dot: f64 = from.iter().zip(to).map(|(a, b)| a * b).sum();
    let sign = if dot < 0.0 { -1.0 } else { 1.0 };
    let difference: f64 = from.iter().zip(to).map(|(a, b)| (a - sign * b).powi(2)).sum::<f64>().sqrt();
    let sum: f64 = from.iter().zip(to).map(|(a, b)| (a + sign * b).powi(2)).sum::<f64>().sqrt();
    let half_rad = 2.0 * difference.atan2(sum);
    let (a, b) = if half_rad < 1e-9 {
        (1.0 - ratio, ratio)
    } else {
        (((1.0 - ratio) * half_rad).sin() / half_rad.sin(), (ratio * half_rad).sin() / half_rad.sin())
    };
    let mixed: [f64; 4] = std::array::from_fn(|i| a * from[i] + sign * b * to[i]);
    let length = mixed.iter().map(|q| q * q).sum::<f64>().sqrt();
    mixed.map(|q| q / length)
}

#[cfg(test)]
mod tests {
    use std::f64::consts::FRAC_PI_2;

    use super::*;

    fn near(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-12
    }

    fn degrees(x_m: f64, y_m: f64, theta_deg: f64) -> Pose2 {
        Pose2::new(x_m, y_m, theta_deg.to_radians())
    }

    #[test]
    fn spec_08_e1_pose_algebra() {
        let sum = degrees(1.0, 2.0, 90.0) * degrees(1.0, 0.0, 90.0);
        assert!(near(sum.x_m, 1.0) && near(sum.y_m, 3.0) && near(sum.theta_rad, PI));
        let back = degrees(1.0, 2.0, 90.0).inverse();
        assert!(near(back.x_m, -2.0) && near(back.y_m, 1.0) && near(back.theta_rad, -FRAC_PI_2));
        let seen = degrees(0.0, 2.0, 180.0).seen_from(degrees(1.0, 2.0, 90.0));
        assert!(near(seen.x_m, 0.0) && near(seen.y_m, 1.0) && near(seen.theta_rad, FRAC_PI_2));
    }

    #[test]
    fn spec_08_e6_shorter_arc() {
        let half = degrees(0.0, 0.0, 170.0).toward(degrees(2.0, 0.0, -170.0), 0.5);
        assert!(near(half.theta_rad.abs(), PI) && near(half.x_m, 1.0));
        assert!(near(crate::wrap(340_f64.to_radians()), (-20_f64).to_radians()));
        let (a, b) = (Pose3::from(degrees(0.0, 0.0, 170.0)), Pose3::from(degrees(2.0, 0.0, -170.0)));
        assert!(near(a.toward(b, 0.5).planar().theta_rad.abs(), PI));
        assert!(near(a.toward(b, 0.25).planar().theta_rad, 175_f64.to_radians()));
    }

    #[test]
    fn plane_and_space_agree_about_errors() {
        let poses = [
            degrees(1.0, 2.0, 30.0),
            degrees(3.0, -1.0, 200.0),
            degrees(0.5, 1.5, -170.0),
            degrees(2.0, 2.0, 95.0),
        ];
        let [a, b, c, d] = poses;
        let flat = Pose2::displacement_error(a, b, c, d);
        let [a3, b3, c3, d3] = poses.map(Pose3::from);
        let space = Pose3::displacement_error(a3, b3, c3, d3);
        let long_way = b.seen_from(a).seen_from(d.seen_from(c));
        assert!(near(flat.translation_m, space.translation_m) && near(flat.rotation_rad, space.rotation_rad));
        assert!(
            near(flat.translation_m, long_way.distance_m()) && near(flat.rotation_rad, long_way.angle_rad())
        );
    }

    #[test]
    fn angles_have_no_sign_and_no_whole_turns() {
        for (angle, expected) in
            [(0.0, 0.0), (PI, PI), (-PI, PI), (3.0 * PI, PI), (-0.5, 0.5), (TAU + 0.1, 0.1)]
        {
            assert!(near(Pose2::new(0.0, 0.0, angle).angle_rad(), expected), "{angle}");
        }
        let tiny = Pose3::of_roll_pitch_yaw([0.0; 3], [0.0, 0.0, 1e-12]);
        assert!((tiny.angle_rad() - 1e-12).abs() < 1e-18, "small angles keep their digits");
    }
}

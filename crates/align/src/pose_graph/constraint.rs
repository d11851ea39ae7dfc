//! A measured displacement between two poses, its error and the derivatives of the error.

use model::{Pose2, wrap};

use super::Kernel;

/// A measured displacement: the pose of `to` seen from `from`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Constraint {
    /// Index of the pose at which the measurement was taken.
    pub from: usize,
    /// Index of the pose that was measured.
    pub to: usize,
    pub from_from_to: Pose2,
    /// Information matrix of (x, y, theta), seen in the frame of the measured pose.
    pub information: [[f64; 3]; 3],
    /// Robust kernel: limits the weight of a constraint that does not fit the others.
    pub kernel: Kernel,
}

/// The error of a constraint and its derivatives by the poses: by `from` and by `to`, world x, y and theta each.
pub struct Linearised {
    /// In the frame of the measured pose: x, y in metres, theta in radians.
    pub error: [f64; 3],
    pub by_from: [[f64; 3]; 3],
    pub by_to: [[f64; 3]; 3],
}

impl Constraint {
    /// inverse(measured) (+) (inverse(from) (+) to), the angle wrapped.
    pub fn error(&self, poses: &[Pose2]) -> [f64; 3] {
        let (from, to) = (poses[self.from], poses[self.to]);
        let (dx, dy) = (to.x_m - from.x_m, to.y_m - from.y_m);
        let (sin, cos) = from.theta_rad.sin_cos();
        let (px, py) =
            (cos * dx + sin * dy - self.from_from_to.x_m, cos * dy - sin * dx - self.from_from_to.y_m);
        let (sin, cos) = self.from_from_to.theta_rad.sin_cos();
        let yaw_rad = to.theta_rad - from.theta_rad - self.from_from_to.theta_rad;
        [cos * px + sin * py, cos * py - sin * px, wrap(yaw_rad)]
    }

    /// Squared Mahalanobis length of an error.
    pub fn chi2(&self, error: [f64; 3]) -> f64 {
        let omega = &self.information;
        (0..3).map(|i| (0..3).map(|j| error[i] * omega[i][j] * error[j]).sum::<f64>()).sum()
    }

    pub fn linearised(&self, poses: &[Pose2]) -> Linearised {
        let (from, to) = (poses[self.from], poses[self.to]);
        let (dx, dy) = (to.x_m - from.x_m, to.y_m - from.y_m);
        // The translation error is R(-(theta + theta_z)) d - const.
        let (sin, cos) = (from.theta_rad + self.from_from_to.theta_rad).sin_cos();
        let by_angle = [cos * dy - sin * dx, -(cos * dx + sin * dy)];
        Linearised {
            error: self.error(poses),
            by_from: [[-cos, -sin, by_angle[0]], [sin, -cos, by_angle[1]], [0.0, 0.0, -1.0]],
            by_to: [[cos, sin, 0.0], [-sin, cos, 0.0], [0.0, 0.0, 1.0]],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn derivatives_equal_differences() {
        let constraint = Constraint {
            from: 0,
            to: 1,
            from_from_to: Pose2::new(0.7, -0.3, 0.4),
            information: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
            kernel: Kernel::Square,
        };
        let poses = [Pose2::new(1.0, 2.0, 0.5), Pose2::new(2.5, 1.0, 1.4)];
        let linearised = constraint.linearised(&poses);
        for (pose, derivative) in [(0, linearised.by_from), (1, linearised.by_to)] {
            for axis in [0, 1, 2] {
                let moved = |by: f64| {
                    let mut poses = poses;
                    let pose: &mut Pose2 = &mut poses[pose];
                    [&mut pose.x_m, &mut pose.y_m, &mut pose.theta_rad].into_iter().enumerate().for_each(
                        |(i, value)| {
                            if i == axis {
                                *value += by;
                            }
                        },
                    );
                    constraint.error(&poses)
                };
                let (ahead, behind) = (moved(1e-6), moved(-1e-6));
                for row in 0..3 {
                    let slope = (ahead[row] - behind[row]) / 2e-6;
                    assert!((slope - derivative[row][axis]).abs() < 1e-8, "pose {pose}, {row} by {axis}");
                }
            }
        }
    }

    #[test]
    fn a_quarter_turn_by_hand() {
        // From (0,0,90 deg) to (0,2,90 deg) is 2 m ahead; 1 m was measured.
        let constraint = Constraint {
            from: 0,
            to: 1,
            from_from_to: Pose2::new(1.0, 0.0, 0.0),
            information: [[4.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
            kernel: Kernel::Square,
        };
        let quarter = std::f64::consts::FRAC_PI_2;
        let error = constraint.error(&[Pose2::new(0.0, 0.0, quarter), Pose2::new(0.0, 2.0, quarter)]);
        assert!((error[0] - 1.0).abs() < 1e-15 && error[1].abs() < 1e-15 && error[2] == 0.0);
        assert!((constraint.chi2(error) - 4.0).abs() < 1e-14);
    }
}

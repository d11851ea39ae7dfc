//! Wheel odometry: wrong scale, bias and noise on every step.

use model::{Pose2, SeededRng};

/// Stream of the seed for [`OdometryModel::along`].
const ALONG: u64 = 53;

/// How odometry errs. Every share is of one step between two readings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OdometryModel {
    /// Measured distance over driven distance. Default 1.
    pub distance_scale: f64,
    /// Measured rotation over true rotation. Default 1.03, the lower end for skid steering (mapping reference).
    pub rotation_scale: f64,
    /// Rotation that is measured per metre though there is none: bias, radians per metre. Default 0.
    pub bias_radpm: f64,
    /// Sigma of the distance as a share of the step. Default 0.02; ours.
    pub distance_sigma: f64,
    /// Sigma of the rotation as a share of the step. Default 0.02; ours.
    pub rotation_sigma: f64,
    /// Sigma of the rotation per metre of the step, radians per metre. Default 1 degree per metre; ours.
    pub turn_sigma_radpm: f64,
}

impl Default for OdometryModel {
    fn default() -> Self {
        Self {
            distance_scale: 1.0,
            rotation_scale: 1.03,
            bias_radpm: 0.0,
            distance_sigma: 0.02,
            rotation_sigma: 0.02,
            turn_sigma_radpm: 1_f64.to_radians(),
        }
    }
}

impl OdometryModel {
    /// Odometry without fault.
    pub const EXACT: Self = Self {
        distance_scale: 1.0,
        rotation_scale: 1.0,
        bias_radpm: 0.0,
        distance_sigma: 0.0,
        rotation_sigma: 0.0,
        turn_sigma_radpm: 0.0,
    };

    /// L-ACCEPT: 10 % of the distance, 5 % of the rotation, 2 degrees per metre.
    pub const ACCEPTANCE: Self = Self {
        distance_sigma: 0.1,
        rotation_sigma: 0.05,
        turn_sigma_radpm: 2.0 * std::f64::consts::PI / 180.0,
        ..Self::EXACT
    };

    /// sim-office: +2 % scale, +3 % rotation, noise and bias. The reference gives no numbers for the last two; these
    /// are ours, small against the scales.
    pub const OFFICE: Self = Self {
        distance_scale: 1.02,
        rotation_scale: 1.03,
        bias_radpm: 0.1 * std::f64::consts::PI / 180.0,
        distance_sigma: 0.02,
        rotation_sigma: 0.02,
        turn_sigma_radpm: 0.5 * std::f64::consts::PI / 180.0,
    };

    /// The odometry of a robot that took these poses: from the origin, each step with its errors.
    #[must_use]
    pub fn along(&self, poses: &[Pose2], seed: u64) -> Vec<Pose2> {
        let mut rng = SeededRng::new(seed).stream(ALONG);
        let mut odometry = vec![Pose2::IDENTITY; poses.len().min(1)];
        for pair in poses.windows(2) {
            let last = odometry[odometry.len() - 1];
            odometry.push(last * self.measure(pair[0].inverse() * pair[1], &mut rng));
        }
        odometry
    }

    /// A step as the wheels saw it, with its errors. Three draws, whatever the step.
    pub(crate) fn measure(&self, step: Pose2, rng: &mut SeededRng) -> Pose2 {
        let ([along, turn], [aside, _]) = (rng.normal_pair(), rng.normal_pair());
        let distance_m = step.x_m.hypot(step.y_m);
        let stretch = self.distance_scale * (1.0 + self.distance_sigma * along);
        let rotation_rad = step.theta_rad * self.rotation_scale * (1.0 + self.rotation_sigma * turn)
            + distance_m * (self.bias_radpm + self.turn_sigma_radpm * aside);
        Pose2::new(step.x_m * stretch, step.y_m * stretch, rotation_rad)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exact_odometry_gives_the_step_back() {
        let step = Pose2::new(0.1, -0.02, 0.3);
        assert_eq!(OdometryModel::EXACT.measure(step, &mut SeededRng::new(1)), step);
    }

    #[test]
    fn the_noise_of_l_accept_has_the_moments_of_the_specification() {
        let mut rng = SeededRng::new(1);
        let n = 20_000;
        let straight: Vec<Pose2> =
            (0..n).map(|_| OdometryModel::ACCEPTANCE.measure(Pose2::new(0.1, 0.0, 0.0), &mut rng)).collect();
        let turned: Vec<Pose2> =
            (0..n).map(|_| OdometryModel::ACCEPTANCE.measure(Pose2::new(0.0, 0.0, 0.2), &mut rng)).collect();
        let moments = |values: Vec<f64>| {
            let mean = values.iter().sum::<f64>() / values.len() as f64;
            let variance = values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / values.len() as f64;
            (mean, variance.sqrt())
        };
        let close = |(mean, sigma): (f64, f64), expected: (f64, f64)| {
            (mean - expected.0).abs() < 0.03 * expected.1.max(1e-9) && (sigma / expected.1 - 1.0).abs() < 0.03
        };
        assert!(close(moments(straight.iter().map(|s| s.x_m).collect()), (0.1, 0.01)));
        assert!(close(moments(straight.iter().map(|s| s.theta_rad).collect()), (0.0, 0.2_f64.to_radians())));
        assert!(close(moments(turned.iter().map(|s| s.theta_rad).collect()), (0.2, 0.01)));
    }
}

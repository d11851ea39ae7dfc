//! The drift of particles: a displacement split into rotation, distance, rotation, with noise on each (L-PF 2).

use std::f64::consts::{FRAC_PI_2, PI};

use model::{Pose2, SeededRng, wrap};

use super::RobbieParams;

/// A shorter distance is a turn on the spot, metres (L-PF 2).
const MIN_DISTANCE_M: f64 = 1e-6;
/// Sigma of the second rotation, radians per metre (Pellenz 2008, III-B: 5 degrees).
const DRIFT_ROTATION_RAD_PER_M: f64 = 5.0 * PI / 180.0;

/// A displacement as a turn, a distance straight ahead (backwards if negative), and another turn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Motion {
    pub first_turn_rad: f64,
    pub distance_m: f64,
    pub second_turn_rad: f64,
}

impl Motion {
    /// r1 = atan2(dy, dx), d, r2 = dtheta - r1; more than 90 degrees to the side means backwards.
    pub fn of(displacement: Pose2) -> Self {
        let distance_m = displacement.x_m.hypot(displacement.y_m);
        if distance_m < MIN_DISTANCE_M {
            return Self { first_turn_rad: 0.0, distance_m: 0.0, second_turn_rad: displacement.theta_rad };
        }
        let ahead_rad = displacement.y_m.atan2(displacement.x_m);
        let (first_turn_rad, distance_m) = if ahead_rad.abs() > FRAC_PI_2 {
            (wrap(ahead_rad + PI), -distance_m)
        } else {
            (ahead_rad, distance_m)
        };
        Self { first_turn_rad, distance_m, second_turn_rad: wrap(displacement.theta_rad - first_turn_rad) }
    }
}

/// A motion and the standard deviations of its three parts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Drift {
    pub motion: Motion,
    pub first_turn_sigma_rad: f64,
    pub distance_sigma_m: f64,
    pub second_turn_sigma_rad: f64,
}

impl Drift {
    /// Percentages are read as standard deviations; that of the first rotation is of the whole reported rotation.
    pub fn of(motion: Motion, turn_rad: f64, params: &RobbieParams) -> Self {
        Self {
            motion,
            first_turn_sigma_rad: params.drift_rotation_ratio * turn_rad.abs(),
            distance_sigma_m: params.drift_distance_ratio * motion.distance_m.abs(),
            second_turn_sigma_rad: DRIFT_ROTATION_RAD_PER_M * motion.distance_m.abs(),
        }
    }

    /// A particle after the motion, with noise of its own.
    pub fn applied(&self, particle: Pose2, rng: &mut SeededRng) -> Pose2 {
        let [n0, n1] = rng.normal_pair();
        let [n2, _] = rng.normal_pair();
        let distance_m = self.motion.distance_m + self.distance_sigma_m * n1;
        let heading_rad = particle.theta_rad + self.motion.first_turn_rad + self.first_turn_sigma_rad * n0;
        Pose2::new(
            particle.x_m + distance_m * heading_rad.cos(),
            particle.y_m + distance_m * heading_rad.sin(),
            wrap(heading_rad + self.motion.second_turn_rad + self.second_turn_sigma_rad * n2),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn motion(x_m: f64, y_m: f64, theta_deg: f64) -> Motion {
        Motion::of(Pose2::new(x_m, y_m, theta_deg.to_radians()))
    }

    #[test]
    fn spec_09_e2_motions() {
        let diagonal = motion(1.0, 1.0, 90.0);
        assert!((diagonal.first_turn_rad.to_degrees() - 45.0).abs() < 1e-9);
        assert!((diagonal.distance_m - std::f64::consts::SQRT_2).abs() < 1e-12);
        assert!((diagonal.second_turn_rad.to_degrees() - 45.0).abs() < 1e-9);
        let back = motion(-0.5, 0.0, 0.0);
        assert!(back.first_turn_rad.abs() < 1e-12 && (back.distance_m + 0.5).abs() < 1e-12);
        assert!(back.second_turn_rad.abs() < 1e-12);
        let turn = Motion::of(Pose2::new(0.0, 0.0, 0.3));
        assert_eq!((turn.first_turn_rad, turn.distance_m, turn.second_turn_rad), (0.0, 0.0, 0.3));
    }

    #[test]
    fn spec_09_e2_sigmas() {
        let drift = Drift::of(motion(2.0, 0.0, 40.0), 40_f64.to_radians(), &RobbieParams::PAPER);
        assert!((drift.first_turn_sigma_rad.to_degrees() - 2.0).abs() < 1e-9);
        assert!((drift.distance_sigma_m - 0.3).abs() < 1e-12);
        assert!((drift.second_turn_sigma_rad.to_degrees() - 10.0).abs() < 1e-9);
    }

    #[test]
    fn the_moments_of_100_000_samples_are_those_of_the_model() {
        const SAMPLES: usize = 100_000;
        let displacement = Pose2::new(1.0, 0.0, 0.4);
        let drift = Drift::of(Motion::of(displacement), displacement.theta_rad, &RobbieParams::PAPER);
        let mut rng = SeededRng::new(11).stream(3);
        let samples: Vec<Pose2> = (0..SAMPLES).map(|_| drift.applied(Pose2::IDENTITY, &mut rng)).collect();
        // Distance and first turn in polar form; what is left of the heading is the second turn.
        let distances: Vec<f64> = samples.iter().map(|p| p.x_m.hypot(p.y_m)).collect();
        let firsts: Vec<f64> = samples.iter().map(|p| p.y_m.atan2(p.x_m)).collect();
        let seconds: Vec<f64> =
            samples.iter().zip(&firsts).map(|(p, first)| wrap(p.theta_rad - first)).collect();
        for (name, values, mean, sigma) in [
            ("distance", distances, 1.0, 0.15),
            ("first turn", firsts, 0.0, 0.02),
            ("second turn", seconds, 0.4, 5_f64.to_radians()),
        ] {
            let count = SAMPLES as f64;
            let found = values.iter().sum::<f64>() / count;
            let deviation = (values.iter().map(|v| (v - found).powi(2)).sum::<f64>() / count).sqrt();
            let skewness = values.iter().map(|v| ((v - found) / deviation).powi(3)).sum::<f64>() / count;
            // Five standard errors of the mean and of the deviation.
            assert!((found - mean).abs() < 5.0 * sigma / count.sqrt(), "{name}: mean {found}");
            assert!(
                (deviation / sigma - 1.0).abs() < 5.0 / (2.0 * count).sqrt(),
                "{name}: sigma {deviation}"
            );
            assert!(skewness.abs() < 5.0 * (6.0 / count).sqrt(), "{name}: skewness {skewness}");
        }
    }
}

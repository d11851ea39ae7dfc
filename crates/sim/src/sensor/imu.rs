//! An inertial unit without compass, and an accelerometer.
//!
//! The heading is an integrated rate, so its error grows. The error is not Gaussian alone: the bias walks, it is larger
//! while the unit warms up, and a shock moves it at once.

use model::SeededRng;

/// How the unit errs. All numbers ours, those of a small unit of its time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ImuModel {
    /// Sigma of each reading of the rate, radians per second. Default 0.3 degrees per second.
    pub rate_sigma_radps: f64,
    /// How far the bias walks in a second: sigma, radians per second. Default 0.01 degrees per second.
    pub bias_walk_radps: f64,
    /// Bias at the start that decays as the unit warms up. Default 0.2 degrees per second.
    pub warm_up_radps: f64,
    /// Time in which that bias falls to 37 %. Default 120 s.
    pub warm_up_s: f64,
    /// Shocks per second. Default 1 in 300 s.
    pub shocks_per_s: f64,
    /// Size of the jump of the heading at a shock: up to so much, either way. Default 2 degrees.
    pub shock_rad: f64,
    /// Sigma of roll and pitch. Default 0.3 degrees.
    pub tilt_sigma_rad: f64,
}

impl Default for ImuModel {
    fn default() -> Self {
        Self {
            rate_sigma_radps: 0.3_f64.to_radians(),
            bias_walk_radps: 0.01_f64.to_radians(),
            warm_up_radps: 0.2_f64.to_radians(),
            warm_up_s: 120.0,
            shocks_per_s: 1.0 / 300.0,
            shock_rad: 2_f64.to_radians(),
            tilt_sigma_rad: 0.3_f64.to_radians(),
        }
    }
}

/// The unit at work.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Imu {
    model: ImuModel,
    bias_radps: f64,
    yaw_rad: f64,
    age_s: f64,
}

impl Imu {
    /// A unit that has just been switched on; its heading starts at 0.
    #[must_use]
    pub const fn new(model: ImuModel) -> Self {
        Self { model, bias_radps: 0.0, yaw_rad: 0.0, age_s: 0.0 }
    }

    /// Roll, pitch and yaw after a step of time. Six draws, whatever happened.
    pub(crate) fn step(
        &mut self,
        turn_rad: f64,
        tilt_rad: [f64; 2],
        dt_s: f64,
        rng: &mut SeededRng,
    ) -> [f64; 3] {
        let model = self.model;
        let ([walk, rate], [roll, pitch]) = (rng.normal_pair(), rng.normal_pair());
        let is_shock = rng.chance(model.shocks_per_s * dt_s);
        let shock_rad = model.shock_rad * rng.between(-1000, 1000) as f64 / 1000.0;
        self.age_s += dt_s;
        self.bias_radps += model.bias_walk_radps * dt_s.sqrt() * walk;
        let warming_radps = model.warm_up_radps * (-self.age_s / model.warm_up_s).exp();
        let error_radps = self.bias_radps + warming_radps + model.rate_sigma_radps * rate;
        let jump_rad = if is_shock { shock_rad } else { 0.0 };
        self.yaw_rad = model::wrap(self.yaw_rad + turn_rad + error_radps * dt_s + jump_rad);
        [tilt_rad[0] + model.tilt_sigma_rad * roll, tilt_rad[1] + model.tilt_sigma_rad * pitch, self.yaw_rad]
    }
}

/// A two-axis accelerometer that measures gravity (L-LEVEL).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Accelerometer {
    /// Readings end here, in g. Default 2 (PEL).
    pub range_g: f64,
    /// Sigma of a reading, in g. Default 0.002 (0.1 degrees); ours, a device of 0.2 mg per root hertz at 50 Hz.
    pub sigma_g: f64,
}

impl Default for Accelerometer {
    fn default() -> Self {
        Self { range_g: 2.0, sigma_g: 0.002 }
    }
}

impl Accelerometer {
    /// Readings in g for a tilt about two axes.
    pub(crate) fn read(&self, tilt_rad: [f64; 2], rng: &mut SeededRng) -> [f64; 2] {
        let noise = rng.normal_pair();
        std::array::from_fn(|axis| {
            (tilt_rad[axis].sin() + self.sigma_g * noise[axis]).clamp(-self.range_g, self.range_g)
        })
    }

    /// Tilt from gravity: asin(a / g).
    #[must_use]
    pub fn tilt_rad(readings_g: [f64; 2]) -> [f64; 2] {
        readings_g.map(|a| a.clamp(-1.0, 1.0).asin())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn heading_errors_deg(model: ImuModel, seconds: usize) -> Vec<f64> {
        let run = |seed: u64| {
            let (mut imu, mut rng) = (Imu::new(model), SeededRng::new(seed));
            let mut yaw_rad = 0.0;
            for _ in 0..seconds * 10 {
                yaw_rad = imu.step(0.0, [0.0; 2], 0.1, &mut rng)[2];
            }
            yaw_rad.to_degrees()
        };
        (0..40).map(run).collect()
    }

    #[test]
    fn the_heading_drifts_one_way_while_the_unit_warms_up() {
        let errors = heading_errors_deg(ImuModel { shocks_per_s: 0.0, ..ImuModel::default() }, 60);
        let mean = errors.iter().sum::<f64>() / errors.len() as f64;
        // 0.2 deg/s * 120 s * (1 - exp(-0.5)) = 9.44 degrees.
        assert!((mean - 9.44).abs() < 0.6, "{mean}");
    }

    #[test]
    fn shocks_give_the_error_a_tail_that_a_gaussian_does_not_have() {
        let shocks = ImuModel {
            rate_sigma_radps: 0.0,
            bias_walk_radps: 0.0,
            warm_up_radps: 0.0,
            ..ImuModel::default()
        };
        let errors = heading_errors_deg(shocks, 60);
        let unmoved = errors.iter().filter(|error| **error == 0.0).count();
        assert!(unmoved > 20 && errors.iter().any(|error| error.abs() > 0.5), "{errors:?}");
    }

    #[test]
    fn gravity_tells_the_tilt() {
        let exact = Accelerometer { sigma_g: 0.0, ..Accelerometer::default() };
        let tilt = Accelerometer::tilt_rad(exact.read([0.1, -0.2], &mut SeededRng::new(1)));
        assert!((tilt[0] - 0.1).abs() < 1e-12 && (tilt[1] + 0.2).abs() < 1e-12);
        assert!(Accelerometer::tilt_rad([5.0, 0.0])[0].is_finite());
    }
}

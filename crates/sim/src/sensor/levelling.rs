//! Active levelling of the scanner (L-LEVEL): accelerometer, one PID per axis, two servos.
//!
//! ```text
//! e = -tilt,  u = Kp e + Ki sum(e dt) + Kd de/dt            added to the servo's angle
//! ```
//!
//! Paper: Pellenz and Paulus 2008, section III-C. Gains ours: 0.6, 0.5, 0.02 at 10 Hz. The accelerometer sits
//! on the levelled plate, so that it measures what is left of the tilt.

use model::SeededRng;

use super::imu::Accelerometer;

/// Gains of a PID.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pid {
    /// Kp.
    pub proportional: f64,
    /// Ki, per second.
    pub integral: f64,
    /// Kd, seconds.
    pub derivative: f64,
}

impl Pid {
    /// The gains of L-LEVEL.
    pub const SPEC: Self = Self { proportional: 0.6, integral: 0.5, derivative: 0.02 };
}

/// What a PID remembers.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PidState {
    sum: f64,
    last: Option<f64>,
}

/// Whether the integral of a PID grows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Integral {
    /// As it should.
    Grows,
    /// Held, since the servo is at a limit.
    Held,
}

impl PidState {
    /// The output for an error.
    pub fn step(&mut self, pid: Pid, error: f64, dt_s: f64, integral: Integral) -> f64 {
        if integral == Integral::Grows {
            self.sum += error * dt_s;
        }
        let slope = self.last.map_or(0.0, |last| (error - last) / dt_s);
        self.last = Some(error);
        pid.proportional * error + pid.integral * self.sum + pid.derivative * slope
    }
}

/// A levelled mount of a scanner.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Levelling {
    pub pid: Pid,
    /// Steps per second. Default 10 (spec 09).
    pub rate_hz: f64,
    /// Largest angle of a servo. Default 30 degrees (spec 09).
    pub servo_max_rad: f64,
    /// Largest speed of a servo. Default 300 degrees per second (spec 09).
    pub servo_rate_radps: f64,
    pub accelerometer: Accelerometer,
}

impl Default for Levelling {
    fn default() -> Self {
        Self {
            pid: Pid::SPEC,
            rate_hz: 10.0,
            servo_max_rad: 30_f64.to_radians(),
            servo_rate_radps: 300_f64.to_radians(),
            accelerometer: Accelerometer::default(),
        }
    }
}

/// The mount at work: roll and pitch axis.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LevellingState {
    axes: [PidState; 2],
    is_limited: [bool; 2],
    /// Angles of the servos, roll and pitch.
    pub servo_rad: [f64; 2],
}

impl LevellingState {
    /// One step of both axes for the tilt of the robot.
    pub(crate) fn step(&mut self, levelling: &Levelling, robot_tilt_rad: [f64; 2], rng: &mut SeededRng) {
        let residual_rad = std::array::from_fn(|axis| robot_tilt_rad[axis] + self.servo_rad[axis]);
        let measured_rad = Accelerometer::tilt_rad(levelling.accelerometer.read(residual_rad, rng));
        let dt_s = 1.0 / levelling.rate_hz;
        for (axis, &tilt_rad) in measured_rad.iter().enumerate() {
            let integral = if self.is_limited[axis] { Integral::Held } else { Integral::Grows };
            let output_rad = self.axes[axis].step(levelling.pid, -tilt_rad, dt_s, integral);
            let fastest_rad = levelling.servo_rate_radps * dt_s;
            let wanted_rad = self.servo_rad[axis] + output_rad;
            let moved_rad = self.servo_rad[axis] + output_rad.clamp(-fastest_rad, fastest_rad);
            self.servo_rad[axis] = moved_rad.clamp(-levelling.servo_max_rad, levelling.servo_max_rad);
            self.is_limited[axis] = (self.servo_rad[axis] - wanted_rad).abs() > 1e-12;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn e9_the_pid_brings_ten_degrees_down() {
        let mut state = PidState::default();
        let mut tilt_deg = 10.0;
        let outputs = [-6.5, -1.475, -1.69625, -0.650_688, -0.453_291];
        let residuals = [3.5, 2.025, 0.32875, -0.321_938, -0.775_228];
        for (output, residual) in outputs.into_iter().zip(residuals) {
            let found = state.step(Pid::SPEC, -tilt_deg, 0.1, Integral::Grows);
            tilt_deg += found;
            assert!(
                (found - output).abs() < 1e-6 && (tilt_deg - residual).abs() < 1e-6,
                "{found} {tilt_deg}"
            );
        }
    }

    #[test]
    fn servos_stop_at_their_limit_and_the_integral_waits() {
        let levelling =
            Levelling { accelerometer: Accelerometer { sigma_g: 0.0, range_g: 2.0 }, ..Levelling::default() };
        let mut state = LevellingState::default();
        let mut rng = SeededRng::new(1);
        for _ in 0..50 {
            state.step(&levelling, [0.8, 0.0], &mut rng);
        }
        assert!((state.servo_rad[0] + levelling.servo_max_rad).abs() < 1e-12 && state.servo_rad[1] == 0.0);
        // Back on level ground the mount is level again within a second and a half: nothing had piled up.
        for _ in 0..30 {
            state.step(&levelling, [0.0, 0.0], &mut rng);
        }
        assert!(state.servo_rad[0].abs() < 1_f64.to_radians(), "{:?}", state.servo_rad);
    }
}

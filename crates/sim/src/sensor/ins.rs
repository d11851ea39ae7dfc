//! An inertial navigation system: gyroscopes and accelerometers, integrated.
//!
//! Its errors grow with time, not with the distance driven: the heading by the bias of the gyroscope, which is another at
//! each switch-on and walks, and by the noise of its rate; the position by an error of the velocity, which the bias of the
//! accelerometer feeds. The speed of the wheels holds that error within bounds (a first-order lag), and a robot that
//! stands still knows it (zero-velocity update). Roll and pitch lean on gravity (L-LEVEL), so they are noisy but do not
//! drift.
//!
//! Kleiner et al. found the simulated inertial sensor too good and its noise unlike that of a real one (section 5).

use model::{Pose2, SeededRng};

/// How the system errs. The paper gives no numbers; these are ours, a small unit of its time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InsModel {
    /// Sigma of the gyroscope's bias at switch-on, radians per second. Default 0.02 degrees per second.
    pub gyro_bias_radps: f64,
    /// How far that bias walks in a second: sigma, radians per second. Default 0.001 degrees per second.
    pub gyro_bias_walk_radps: f64,
    /// Angle random walk: sigma of the heading after a second, radians. Default 0.05 degrees (3 degrees per root hour).
    pub angle_walk_rad: f64,
    /// Sigma of the accelerometer's bias at switch-on, each axis, metres per square second. Default 0.005 (0.5 mg).
    pub accelerometer_bias_mps2: f64,
    /// Velocity random walk: sigma of the velocity after a second, metres per second. Default 0.002.
    pub velocity_walk_mps: f64,
    /// Time in which the wheels take an error of the velocity down to 37 %, seconds. Default 4.
    pub wheel_aiding_s: f64,
    /// Sigma of roll and pitch, radians. Default 0.3 degrees, as the inertial unit.
    pub tilt_sigma_rad: f64,
}

impl Default for InsModel {
    fn default() -> Self {
        Self {
            gyro_bias_radps: 0.02_f64.to_radians(),
            gyro_bias_walk_radps: 0.001_f64.to_radians(),
            angle_walk_rad: 0.05_f64.to_radians(),
            accelerometer_bias_mps2: 0.005,
            velocity_walk_mps: 0.002,
            wheel_aiding_s: 4.0,
            tilt_sigma_rad: 0.3_f64.to_radians(),
        }
    }
}

/// A robot that moves and turns by less than this in a step stands still.
const STANDING: f64 = 1e-9;

/// What the system says.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct InsReading {
    /// From where it was switched on or set back.
    pub start_from_robot: Pose2,
    pub height_m: f64,
    pub roll_pitch_rad: [f64; 2],
}

/// The system at work.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Ins {
    model: InsModel,
    gyro_bias_radps: f64,
    accelerometer_bias_mps2: [f64; 3],
    velocity_error_mps: [f64; 3],
    start_from_robot: Pose2,
    height_m: f64,
}

impl Ins {
    /// A system that has just been switched on: its biases are drawn.
    pub(crate) fn new(model: InsModel, rng: &mut SeededRng) -> Self {
        let ([gyro, x], [y, z]) = (rng.normal_pair(), rng.normal_pair());
        Self {
            model,
            gyro_bias_radps: model.gyro_bias_radps * gyro,
            accelerometer_bias_mps2: [x, y, z].map(|draw| model.accelerometer_bias_mps2 * draw),
            velocity_error_mps: [0.0; 3],
            start_from_robot: Pose2::IDENTITY,
            height_m: 0.0,
        }
    }

    /// Begins anew at the origin; the biases stay, as they do in the device.
    pub(crate) const fn reset(&mut self) {
        self.start_from_robot = Pose2::IDENTITY;
        self.height_m = 0.0;
        self.velocity_error_mps = [0.0; 3];
    }

    /// Takes a true step of the robot: its displacement, how far it went up, and its tilt at the end. Eight draws,
    /// whatever happened.
    pub(crate) fn step(
        &mut self,
        displacement: Pose2,
        climb_m: f64,
        tilt_rad: [f64; 2],
        dt_s: f64,
        rng: &mut SeededRng,
    ) -> InsReading {
        let ([bias, angle], [x, y]) = (rng.normal_pair(), rng.normal_pair());
        let ([z, _], [roll, pitch]) = (rng.normal_pair(), rng.normal_pair());
        let (model, root_s) = (self.model, dt_s.sqrt());
        self.gyro_bias_radps += model.gyro_bias_walk_radps * root_s * bias;
        let heading_error_rad = self.gyro_bias_radps * dt_s + model.angle_walk_rad * root_s * angle;
        let moved =
            displacement.x_m.hypot(displacement.y_m).max(climb_m.abs()).max(displacement.theta_rad.abs());
        let kept = if moved < STANDING { 0.0 } else { (-dt_s / model.wheel_aiding_s).exp() };
        for (axis, draw) in [x, y, z].into_iter().enumerate() {
            let gained_mps =
                self.accelerometer_bias_mps2[axis] * dt_s + model.velocity_walk_mps * root_s * draw;
            let error_mps = &mut self.velocity_error_mps[axis];
            *error_mps = if kept > 0.0 { *error_mps * kept + gained_mps } else { 0.0 };
        }
        let [ex, ey, ez] = self.velocity_error_mps.map(|error_mps| error_mps * dt_s);
        let measured = Pose2::new(
            displacement.x_m + ex,
            displacement.y_m + ey,
            displacement.theta_rad + heading_error_rad,
        );
        self.start_from_robot = self.start_from_robot * measured;
        self.height_m += climb_m + ez;
        let [roll_rad, pitch_rad] = tilt_rad;
        InsReading {
            start_from_robot: self.start_from_robot,
            height_m: self.height_m,
            roll_pitch_rad: [
                roll_rad + model.tilt_sigma_rad * roll,
                pitch_rad + model.tilt_sigma_rad * pitch,
            ],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STEP_S: f64 = 0.1;

    /// Errors of heading (radians) and position (metres) of many units after a drive straight ahead.
    fn errors(model: InsModel, speed_mps: f64, seconds: f64) -> (Vec<f64>, Vec<f64>) {
        let run = |seed: u64| {
            let mut rng = SeededRng::new(seed);
            let mut ins = Ins::new(model, &mut rng);
            let steps = (seconds / STEP_S).round() as usize;
            let step = Pose2::new(speed_mps * STEP_S, 0.0, 0.0);
            for _ in 0..steps {
                ins.step(step, 0.0, [0.0; 2], STEP_S, &mut rng);
            }
            let end = ins.start_from_robot;
            (end.theta_rad, (end.x_m - speed_mps * seconds).hypot(end.y_m))
        };
        (0..300).map(run).unzip()
    }

    fn rms(values: &[f64]) -> f64 {
        (values.iter().map(|v| v * v).sum::<f64>() / values.len() as f64).sqrt()
    }

    #[test]
    fn the_heading_drifts_as_bias_and_walks_add_up() {
        let model = InsModel::default();
        for t in [30.0_f64, 120.0] {
            // Bias b t, angle walk q sqrt(t), walk of the bias w sqrt(t^3 / 3): independent, so squares add.
            let expected = (model.gyro_bias_radps * t)
                .hypot(model.angle_walk_rad * t.sqrt())
                .hypot(model.gyro_bias_walk_radps * (t.powi(3) / 3.0).sqrt());
            let found = rms(&errors(model, 0.0, t).0);
            assert!((found / expected - 1.0).abs() < 0.12, "{t}: {found} for {expected}");
        }
    }

    #[test]
    fn the_position_drifts_with_time_and_not_with_distance() {
        let still_heading = InsModel {
            gyro_bias_radps: 0.0,
            gyro_bias_walk_radps: 0.0,
            angle_walk_rad: 0.0,
            ..InsModel::default()
        };
        let [slow, fast] = [0.1, 1.0].map(|speed_mps| rms(&errors(still_heading, speed_mps, 60.0).1));
        assert!((slow - fast).abs() < 1e-9, "ten times the distance, the same error: {slow} {fast}");
        // In the end the velocity is off by bias * lag on each of two axes: 0.005 * 4 * sqrt(2) m/s, less the first 4 s.
        let expected = 0.02 * 2_f64.sqrt() * (60.0 - 4.0);
        assert!((slow / expected - 1.0).abs() < 0.15, "{slow} for {expected}");
        let later = rms(&errors(still_heading, 0.1, 240.0).1);
        assert!(later > 3.5 * slow, "{later} after four times the time");
    }

    #[test]
    fn a_robot_that_stands_stays_where_it_is_and_its_tilt_is_only_noisy() {
        let mut rng = SeededRng::new(3);
        let mut ins = Ins::new(InsModel::default(), &mut rng);
        let mut pitches = Vec::new();
        for _ in 0..1000 {
            let reading = ins.step(Pose2::IDENTITY, 0.0, [0.0, 0.2], STEP_S, &mut rng);
            assert_eq!((reading.start_from_robot.x_m, reading.start_from_robot.y_m), (0.0, 0.0));
            pitches.push(reading.roll_pitch_rad[1] - 0.2);
        }
        assert!((rms(&pitches[..500]) / rms(&pitches[500..]) - 1.0).abs() < 0.15);
        assert!((rms(&pitches).to_degrees() - 0.3).abs() < 0.03);
        assert_ne!(ins.start_from_robot.theta_rad, 0.0);
        ins.reset();
        assert_eq!(ins.start_from_robot, Pose2::IDENTITY);
    }

    #[test]
    fn without_errors_it_is_the_truth() {
        let none = InsModel {
            gyro_bias_radps: 0.0,
            gyro_bias_walk_radps: 0.0,
            angle_walk_rad: 0.0,
            accelerometer_bias_mps2: 0.0,
            velocity_walk_mps: 0.0,
            tilt_sigma_rad: 0.0,
            ..InsModel::default()
        };
        let mut rng = SeededRng::new(1);
        let mut ins = Ins::new(none, &mut rng);
        let step = Pose2::new(0.1, 0.0, 0.1);
        let reading = (0..20).map(|_| ins.step(step, 0.01, [0.1, 0.2], STEP_S, &mut rng)).last().unwrap();
        let expected = (0..20).fold(Pose2::IDENTITY, |pose, _| pose * step);
        assert_eq!((reading.start_from_robot, reading.roll_pitch_rad), (expected, [0.1, 0.2]));
        assert!((reading.height_m - 0.2).abs() < 1e-12);
    }
}

//! Planar laser scanners: beams, range, noise, steps of the range, and what they say when nothing comes back.

use model::{BeamModel, Pose3, SeededRng};

use crate::world::{Hit, Ray, World};

/// The range that a scanner reports for a beam without return.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum NoReturn {
    /// The largest range (USARSim).
    MaxRange,
    /// Nought.
    Zero,
    /// A number of its own, such as 81.91 of the LMS200.
    Value(f64),
}

/// Noise of a range: Gaussian, sigma = the larger of a constant and a share of the range.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RangeNoise {
    /// Metres.
    pub sigma_m: f64,
    /// Share of the range.
    pub sigma_share: f64,
}

impl RangeNoise {
    pub const NONE: Self = Self { sigma_m: 0.0, sigma_share: 0.0 };
}

/// A planar laser scanner.
#[derive(Clone, Debug, PartialEq)]
pub struct Laser {
    /// Name in logs and messages.
    pub name: String,
    pub beams: usize,
    /// Angle from the first beam to the last, radians.
    pub field_of_view_rad: f64,
    /// Shortest range.
    pub min_range_m: f64,
    /// Longest range: from here on there is no return.
    pub max_range_m: f64,
    /// Scans per second.
    pub rate_hz: f64,
    pub noise: RangeNoise,
    /// Ranges are whole multiples of this; 0 leaves them as they are.
    pub quantum_m: f64,
    /// Range of a beam without return.
    pub no_return: NoReturn,
    /// Where it sits on the robot. Its beams lie in the plane z = 0 of this frame, beam 0 degrees along x.
    pub robot_from_laser: Pose3,
}

/// Height of a scanner above the ground. 0.3 m, the sensor of 09-E8.
const MOUNT_HEIGHT_M: f64 = 0.3;

impl Laser {
    /// Hokuyo URG-04LX as the papers have it: 240 degrees, 668 beams (0.36 degrees), 0.02 to 4 m, 10 Hz; noise 1 cm
    /// below 1 m, then 1 %.
    #[must_use]
    pub fn urg_04lx() -> Self {
        Self {
            name: "Scanner1".to_owned(),
            beams: 668,
            field_of_view_rad: 240_f64.to_radians(),
            min_range_m: 0.02,
            max_range_m: 4.0,
            rate_hz: 10.0,
            noise: RangeNoise { sigma_m: 0.01, sigma_share: 0.01 },
            quantum_m: 0.001,
            no_return: NoReturn::MaxRange,
            robot_from_laser: Pose3::of_roll_pitch_yaw([0.0, 0.0, MOUNT_HEIGHT_M], [0.0; 3]),
        }
    }

    /// Hokuyo UTM-30LX: 270 degrees, 1081 beams (0.25 degrees), 0.1 to 30 m, 40 Hz, noise 1 cm.
    #[must_use]
    pub fn utm_30lx() -> Self {
        Self {
            beams: 1081,
            field_of_view_rad: 270_f64.to_radians(),
            min_range_m: 0.1,
            max_range_m: 30.0,
            rate_hz: 40.0,
            noise: RangeNoise { sigma_m: 0.01, sigma_share: 0.0 },
            ..Self::urg_04lx()
        }
    }

    /// SICK LMS200: 180 degrees, 181 beams, up to 80 m, noise and steps of 1 cm, 81.91 without return. 10 Hz is the
    /// rate of many logs; the device scans faster.
    #[must_use]
    pub fn sick_lms200() -> Self {
        Self {
            beams: 181,
            field_of_view_rad: std::f64::consts::PI,
            min_range_m: 0.0,
            max_range_m: 80.0,
            noise: RangeNoise { sigma_m: 0.01, sigma_share: 0.0 },
            quantum_m: 0.01,
            no_return: NoReturn::Value(81.91),
            ..Self::urg_04lx()
        }
    }

    /// A preset by name: `urg-04lx`, `utm-30lx`, `sick-lms200`.
    #[must_use]
    pub fn preset(name: &str) -> Option<Self> {
        match name {
            "urg-04lx" => Some(Self::urg_04lx()),
            "utm-30lx" => Some(Self::utm_30lx()),
            "sick-lms200" => Some(Self::sick_lms200()),
            _ => None,
        }
    }

    /// The same scanner turned on its side: its beams lie in the upright plane ahead, the first one low.
    #[must_use]
    pub fn upright(mut self, name: &str) -> Self {
        let place_m = self.robot_from_laser.position_m;
        self.robot_from_laser = Pose3::of_roll_pitch_yaw(place_m, [std::f64::consts::FRAC_PI_2, 0.0, 0.0]);
        name.clone_into(&mut self.name);
        self
    }

    /// Angle from beam to beam, radians.
    #[must_use]
    pub fn step_rad(&self) -> f64 {
        self.field_of_view_rad / self.beams.saturating_sub(1).max(1) as f64
    }

    /// Direction of a beam in the plane of the scanner: -fov/2 + k fov/(n-1) (W-MSG).
    #[must_use]
    pub fn beam_rad(&self, beam: usize) -> f64 {
        -self.field_of_view_rad / 2.0 + beam as f64 * self.step_rad()
    }

    /// The beams as logs state them.
    #[must_use]
    pub fn beam_model(&self) -> BeamModel {
        BeamModel {
            first_rad: self.beam_rad(0),
            step_rad: self.step_rad(),
            max_range_m: self.max_range_m,
            is_guessed: false,
        }
    }

    /// Sine and cosine of each beam, made once per run.
    pub(crate) fn directions(&self) -> Vec<[f64; 2]> {
        (0..self.beams).map(|beam| self.beam_rad(beam).sin_cos().into()).collect()
    }

    /// What each beam truly meets.
    pub(crate) fn true_hits<'a>(
        &'a self,
        world: &'a World,
        world_from_laser: Pose3,
        directions: &'a [[f64; 2]],
    ) -> impl Iterator<Item = Option<Hit>> + 'a {
        let m = world_from_laser.matrix();
        let origin_m = world_from_laser.position_m;
        directions.iter().map(move |&[sin, cos]| {
            let direction = [m[0] * cos + m[1] * sin, m[4] * cos + m[5] * sin, m[8] * cos + m[9] * sin];
            world.cast(&Ray { origin_m, direction }, self.max_range_m)
        })
    }

    /// A scan from a pose of the scanner.
    pub(crate) fn scan(
        &self,
        world: &World,
        world_from_laser: Pose3,
        directions: &[[f64; 2]],
        rng: &mut SeededRng,
    ) -> Vec<f32> {
        let mut spare: Option<f64> = None;
        // Each beam draws, whatever it met: what one beam sees must not move the noise of the next.
        let mut gaussian = || match spare.take() {
            Some(value) => value,
            None => {
                let [first, second] = rng.normal_pair();
                spare = Some(second);
                first
            }
        };
        let hits = self.true_hits(world, world_from_laser, directions);
        hits.map(|hit| self.reading(hit.map(|hit| hit.range_m), gaussian()) as f32).collect()
    }

    /// The reading of a true range under one draw of noise.
    fn reading(&self, true_range_m: Option<f64>, gaussian: f64) -> f64 {
        let nothing = match self.no_return {
            NoReturn::MaxRange => self.max_range_m,
            NoReturn::Zero => 0.0,
            NoReturn::Value(value) => value,
        };
        let Some(range_m) = true_range_m else { return nothing };
        let sigma_m = self.noise.sigma_m.max(self.noise.sigma_share * range_m);
        let noisy_m = range_m + sigma_m * gaussian;
        if noisy_m >= self.max_range_m || noisy_m < self.min_range_m {
            return nothing;
        }
        if self.quantum_m > 0.0 { (noisy_m / self.quantum_m).round() * self.quantum_m } else { noisy_m }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::{Arena, Plan};

    #[test]
    fn presets_have_the_beams_of_their_devices() {
        let urg = Laser::urg_04lx();
        assert!((urg.step_rad().to_degrees() - 0.36).abs() < 2e-4 && urg.beams == 668);
        assert!((Laser::utm_30lx().step_rad().to_degrees() - 0.25).abs() < 1e-12);
        let sick = Laser::sick_lms200();
        assert!(
            (sick.beam_rad(0) + std::f64::consts::FRAC_PI_2).abs() < 1e-6 && sick.beam_rad(90).abs() < 1e-12
        );
        assert_eq!(Laser::preset("urg-04lx"), Some(urg));
        assert_eq!(Laser::preset("lidar"), None);
    }

    #[test]
    fn readings_are_noisy_quantised_and_end_at_the_largest_range() {
        let laser = Laser { quantum_m: 0.01, ..Laser::urg_04lx() };
        assert!((laser.reading(Some(2.0), 1.0) - 2.02).abs() < 1e-12, "1 % of the range");
        assert!((laser.reading(Some(0.5), 1.0) - 0.51).abs() < 1e-12, "1 cm below 1 m");
        assert_eq!(laser.reading(Some(3.99), 1.0), 4.0);
        assert_eq!(laser.reading(None, 0.0), 4.0);
        assert_eq!(laser.reading(Some(0.01), 0.0), 4.0, "too near");
        let zero = Laser { no_return: NoReturn::Zero, ..laser };
        assert_eq!(zero.reading(None, 0.0), 0.0);
        assert_eq!(Laser::sick_lms200().reading(None, 0.0), 81.91);
    }

    #[test]
    fn an_upright_scanner_sees_the_floor_below_and_the_wall_ahead() {
        let plan = Plan::read("drawing = '''\n+---+---+\n| S     |\n+---+---+\n'''").unwrap();
        let world = World::new(&Arena::build(&plan).unwrap());
        let laser = Laser { beams: 3, field_of_view_rad: std::f64::consts::PI, ..Laser::urg_04lx() }
            .upright("Scanner2");
        let at = Pose3::of_roll_pitch_yaw([0.6, 0.6, 0.0], [0.0; 3]) * laser.robot_from_laser;
        let hits: Vec<_> = laser.true_hits(&world, at, &laser.directions()).collect();
        assert!((hits[0].unwrap().range_m - 0.3).abs() < 1e-12, "{hits:?}");
        assert!((hits[1].unwrap().range_m - 1.8).abs() < 1e-12 && hits[2].is_none(), "{hits:?}");
    }
}

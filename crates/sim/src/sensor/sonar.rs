//! A ring of sonar transducers: wide cones, mirror-like walls, noise.
//!
//! Each transducer sends rays over its cone, in the plane of the ring. A ray that meets a surface steeply gives an echo
//! back along its path. Beyond the critical angle of incidence the surface is a mirror: the ray goes on, and its echo, if
//! one comes, tells the length of the whole path, which is too long. Two walls of a corner send a ray back to where it
//! came from. The reading is the shortest of all echoes; without one it is the largest range.
//! Collins et al. name wide beams and specular reflection as what mapping with sonar has to cope with (sections 2 and 3);
//! they measured with real rings, so the numbers are those of the usual 50 kHz transducer.

use std::f64::consts::TAU;

use model::{Point2, Pose2, SeededRng, SonarSweep};

use super::laser::RangeNoise;
use crate::world::World;

/// A ring of transducers around the robot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sonar {
    /// Transducers at equal angles, the first looks ahead. Default 16, the ring of many robots of the nineties.
    pub transducers: usize,
    /// Radius of the ring. Default 0.2 m; ours.
    pub ring_radius_m: f64,
    /// Height of the ring above the ground. Default 0.3 m, that of the scanner.
    pub height_m: f64,
    /// Opening of the cone. Default 25 degrees: the main lobe of the usual transducer at 50 kHz.
    pub cone_rad: f64,
    /// Incidence, measured from the normal of a surface, beyond which the surface is a mirror. Default 20 degrees; ours,
    /// a painted wall: 3 mm of roughness against a wave of 7 mm.
    pub critical_rad: f64,
    /// Shortest range. Default 0.15 m: the membrane still rings.
    pub min_range_m: f64,
    /// Longest range. Default 4 m; ours, between the gain of indoor rings and the size of the rooms.
    pub max_range_m: f64,
    /// Default sigma: the larger of 1 cm and 1 % of the range.
    pub noise: RangeNoise,
    /// Sweeps per second. Default 2: one transducer fires after the other.
    pub rate_hz: f64,
}

/// Angle between two rays of a cone. Ours: 3.5 cm apart at 1 m.
const RAY_STEP_RAD: f64 = 2.0 * std::f64::consts::PI / 180.0;
/// Mirrors that a ray is followed over.
const MAX_BOUNCES: usize = 3;
/// A ray starts this far off the mirror that it left.
const OFF_MIRROR_M: f64 = 1e-6;

impl Default for Sonar {
    fn default() -> Self {
        Self {
            transducers: 16,
            ring_radius_m: 0.2,
            height_m: 0.3,
            cone_rad: 25_f64.to_radians(),
            critical_rad: 20_f64.to_radians(),
            min_range_m: 0.15,
            max_range_m: 4.0,
            noise: RangeNoise { sigma_m: 0.01, sigma_share: 0.01 },
            rate_hz: 2.0,
        }
    }
}

impl Sonar {
    /// Where each transducer sits and looks to.
    #[must_use]
    pub fn mounts(&self) -> Vec<Pose2> {
        let mount = |index: usize| {
            let direction_rad = model::wrap(TAU * index as f64 / self.transducers as f64);
            let (sin, cos) = direction_rad.sin_cos();
            Pose2::new(self.ring_radius_m * cos, self.ring_radius_m * sin, direction_rad)
        };
        (0..self.transducers).map(mount).collect()
    }

    /// A sweep of all transducers from a pose of the robot; one draw of noise each, whatever came back.
    #[must_use]
    pub fn sweep(
        &self,
        world: &World,
        world_from_robot: Pose2,
        time_s: f64,
        rng: &mut SeededRng,
    ) -> SonarSweep {
        let robot_from_transducers = self.mounts();
        let mut range = |mount: &Pose2| {
            let gaussian = rng.normal();
            self.reading(self.nearest_echo_m(world, world_from_robot * *mount), gaussian) as f32
        };
        let ranges_m = robot_from_transducers.iter().map(&mut range).collect();
        SonarSweep {
            time_s,
            cone_rad: self.cone_rad,
            max_range_m: self.max_range_m,
            robot_from_transducers,
            ranges_m,
        }
    }

    fn reading(&self, echo_m: Option<f64>, gaussian: f64) -> f64 {
        let Some(echo_m) = echo_m else { return self.max_range_m };
        let sigma_m = self.noise.sigma_m.max(self.noise.sigma_share * echo_m);
        (echo_m + sigma_m * gaussian).clamp(self.min_range_m, self.max_range_m)
    }

    /// The shortest echo over the cone.
    fn nearest_echo_m(&self, world: &World, transducer: Pose2) -> Option<f64> {
        // An even number: the axis is one of the rays.
        let steps = 2 * (self.cone_rad / 2.0 / RAY_STEP_RAD).ceil().clamp(1.0, 90.0) as usize;
        let echo = |step: usize| {
            let off_axis_rad = self.cone_rad * (step as f64 / steps as f64 - 0.5);
            self.echo_m(world, transducer, transducer.theta_rad + off_axis_rad)
        };
        (0..=steps).filter_map(echo).fold(None, |best, m| Some(best.map_or(m, |best: f64| best.min(m))))
    }

    /// The range that the echo of a ray tells: half of its path to the transducer and back.
    fn echo_m(&self, world: &World, transducer: Pose2, direction_rad: f64) -> Option<f64> {
        let (sin, cos) = direction_rad.sin_cos();
        let sent = Point2::new(cos, sin);
        let (mut at, mut direction, mut path_m) = (transducer.position(), sent, 0.0);
        for bounce in 0..MAX_BOUNCES {
            let left_m = self.max_range_m - path_m;
            let (s_m, normal) = world.mirror(at, direction, self.height_m, left_m)?;
            path_m += s_m;
            let toward = -(direction.x_m * normal.x_m + direction.y_m * normal.y_m);
            if toward >= self.critical_rad.cos() {
                return Some(path_m);
            }
            at = Point2::new(
                at.x_m + s_m * direction.x_m + OFF_MIRROR_M * normal.x_m,
                at.y_m + s_m * direction.y_m + OFF_MIRROR_M * normal.y_m,
            );
            direction = Point2::new(
                direction.x_m + 2.0 * toward * normal.x_m,
                direction.y_m + 2.0 * toward * normal.y_m,
            );
            let is_back = direction.x_m * sent.x_m + direction.y_m * sent.y_m <= -(self.cone_rad / 2.0).cos();
            if bounce > 0 && is_back {
                let (dx, dy) = (transducer.x_m - at.x_m, transducer.y_m - at.y_m);
                let home_m = dx * direction.x_m + dy * direction.y_m;
                let range_m = (path_m + home_m) / 2.0;
                // A ray stands for those up to half way to its neighbours: so wide is the sound when it is back.
                let is_heard = (dx * direction.y_m - dy * direction.x_m).abs() <= range_m * RAY_STEP_RAD;
                return (home_m > 0.0 && is_heard && range_m < self.max_range_m).then_some(range_m);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::{Arena, Plan};

    /// A wall along x = 2, from y = 0 to 20, and one along y = 1.
    fn corner() -> World {
        let plan = "size_m = [20, 20]\n[start]\nat_m = [1, 10]\n\
            [[wall]]\nfrom_m = [2, 1]\nto_m = [2, 20]\n[[wall]]\nfrom_m = [0, 1]\nto_m = [2, 1]";
        World::new(&Arena::build(&Plan::read(plan).unwrap()).unwrap())
    }

    fn exact() -> Sonar {
        Sonar { noise: RangeNoise::NONE, transducers: 1, ring_radius_m: 0.0, ..Sonar::default() }
    }

    fn range_m(sonar: &Sonar, at: [f64; 2], direction_deg: f64) -> f64 {
        let pose = Pose2::new(at[0], at[1], direction_deg.to_radians());
        f64::from(sonar.sweep(&corner(), pose, 0.0, &mut SeededRng::new(1)).ranges_m[0])
    }

    #[test]
    fn a_wall_is_read_at_its_distance_even_if_the_axis_looks_past_its_normal() {
        let sonar = exact();
        assert!((range_m(&sonar, [1.0, 10.0], 0.0) - 1.0).abs() < 1e-6);
        // 12 degrees off the normal, the cone of 25 degrees still holds it.
        assert!((range_m(&sonar, [1.0, 10.0], 12.0) - 1.0).abs() < 1e-3);
        // 30 degrees off: the ray nearest to the normal is at 17.5 degrees, within the critical 20.
        let edge_m = 1.0 / 17.5_f64.to_radians().cos();
        assert!((range_m(&sonar, [1.0, 10.0], 30.0) - edge_m).abs() < 2e-3);
    }

    #[test]
    fn beyond_the_critical_angle_a_wall_is_a_mirror() {
        // All rays of the cone meet the wall at more than 20 degrees and leave for the open hall.
        assert_eq!(range_m(&exact(), [1.0, 10.0], 45.0), 4.0);
        let rough = Sonar { critical_rad: 80_f64.to_radians(), ..exact() };
        assert!(range_m(&rough, [1.0, 10.0], 45.0) < 1.3);
    }

    #[test]
    fn a_corner_sends_the_ray_back() {
        // Into the corner at (2, 1), a little off the axis, though both walls are met at 45 degrees.
        let found_m = range_m(&exact(), [1.0, 2.013], -45.0);
        assert!((found_m - 1_f64.hypot(1.013)).abs() < 0.02, "{found_m}");
    }

    #[test]
    fn a_mirrored_echo_tells_the_length_of_the_whole_path() {
        // A narrow beam from (1, 4) meets x = 2 at 60 degrees, a mirror, then y = 1 at 30 degrees, below the critical 35.
        let narrow = Sonar { cone_rad: 0.02, critical_rad: 35_f64.to_radians(), max_range_m: 8.0, ..exact() };
        let to_wall_m = 1.0 / 60_f64.to_radians().cos();
        let fallen_m = to_wall_m * 60_f64.to_radians().sin();
        let to_floor_m = (3.0 - fallen_m) / 60_f64.to_radians().sin();
        let found_m = range_m(&narrow, [1.0, 4.0], -60.0);
        assert!((found_m - (to_wall_m + to_floor_m)).abs() < 0.05, "{found_m}");
    }

    #[test]
    fn noise_is_seeded_and_has_its_sigma() {
        let sonar = Sonar { noise: RangeNoise { sigma_m: 0.05, sigma_share: 0.0 }, ..exact() };
        let (world, mut rng) = (corner(), SeededRng::new(4));
        let pose = Pose2::new(1.0, 10.0, 0.0);
        let ranges: Vec<f64> =
            (0..400).map(|_| f64::from(sonar.sweep(&world, pose, 0.0, &mut rng).ranges_m[0])).collect();
        let mean = ranges.iter().sum::<f64>() / 400.0;
        let sigma = (ranges.iter().map(|r| (r - mean).powi(2)).sum::<f64>() / 400.0).sqrt();
        assert!((mean - 1.0).abs() < 0.01 && (sigma - 0.05).abs() < 0.006, "{mean} {sigma}");
    }

    #[test]
    fn a_ring_looks_all_around_from_its_rim() {
        let mounts = Sonar::default().mounts();
        assert_eq!((mounts.len(), mounts[0]), (16, Pose2::new(0.2, 0.0, 0.0)));
        assert!((mounts[4].y_m - 0.2).abs() < 1e-12 && (mounts[4].theta_rad - TAU / 4.0).abs() < 1e-12);
    }
}

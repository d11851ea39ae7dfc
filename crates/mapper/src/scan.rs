//! A laser scan as a mapper sees it: points in the robot's frame.

use model::{LaserScan, Point2, Pose2};
use serde::Serialize;

use crate::sonar::Cone;

/// Which ranges are measurements.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RangeLimits {
    /// Shorter ranges are no measurements, metres. Paper: 0.02.
    pub min_m: f64,
    /// Ranges from here on are no returns, metres. Paper: 4.
    pub max_m: f64,
}

/// Which sensor a mapper takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RangeDevice {
    #[default]
    Laser,
    Sonar,
}

/// What a mapper takes of a log.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InputRules {
    pub device: RangeDevice,
    pub limits: RangeLimits,
    /// Returns of a tilted scanner that end further above or below it than this, metres, are left out; 0 takes scans as
    /// they are.
    pub tilt_gate_m: f64,
}

impl Default for InputRules {
    /// All ranges of usual scanners, tilted or not.
    fn default() -> Self {
        let limits = RangeLimits { min_m: 0.02, max_m: 80.0 };
        Self { device: RangeDevice::Laser, limits, tilt_gate_m: 0.0 }
    }
}

/// How the beams of scans were read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct BeamCounts {
    pub beams: usize,
    /// Beams with a return.
    pub hits: usize,
    /// Ranges below the least, 0 and negative ones among them.
    pub too_short: usize,
    /// Ranges at or beyond the largest, infinite ones among them.
    pub no_return: usize,
    /// Ranges that are no number.
    pub not_a_number: usize,
    /// Returns that a tilted scanner had from far above or below itself; no hits.
    pub tilted: usize,
}

/// A scan in the robot's frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scan {
    /// When it was taken, seconds.
    pub time_s: f64,
    /// Where the laser sits.
    pub laser_in_robot: Point2,
    /// End points of beams with a return, in the order of the beams.
    pub hits_in_robot: Vec<Point2>,
    /// End points, at the largest range, of beams without one.
    pub misses_in_robot: Vec<Point2>,
    /// What the transducers of a sonar ring measured; empty for lasers.
    pub cones_in_robot: Vec<Cone>,
}

impl Scan {
    /// Turns ranges into points. Directions come from the beam model alone, never from the number of beams.
    #[must_use]
    pub fn of(
        laser: &LaserScan,
        robot_from_laser: Pose2,
        limits: RangeLimits,
        counts: &mut BeamCounts,
    ) -> Self {
        let max_m = limits.max_m.min(laser.beams.max_range_m);
        let end = |beam: usize, range_m: f64| {
            let direction_rad = laser.beams.first_rad + beam as f64 * laser.beams.step_rad;
            robot_from_laser * Point2::new(range_m * direction_rad.cos(), range_m * direction_rad.sin())
        };
        let laser_in_robot = robot_from_laser * Point2::default();
        let mut scan = Self { time_s: laser.time_s, laser_in_robot, ..Self::default() };
        for (beam, &range) in laser.ranges_m.iter().enumerate() {
            let range_m = f64::from(range);
            counts.beams += 1;
            if range_m.is_nan() {
                counts.not_a_number += 1;
            } else if range_m < limits.min_m {
                counts.too_short += 1;
            } else if range_m >= max_m {
                counts.no_return += 1;
                scan.misses_in_robot.push(end(beam, max_m));
            } else {
                counts.hits += 1;
                scan.hits_in_robot.push(end(beam, range_m));
            }
        }
        scan
    }
}

#[cfg(test)]
mod tests {
    use model::BeamModel;

    use super::*;

    #[test]
    fn what_is_no_measurement_is_counted_and_left_out() {
        let beams = BeamModel { first_rad: 0.0, step_rad: 0.1, max_range_m: 30.0, is_guessed: false };
        let laser = LaserScan {
            time_s: 1.0,
            beams,
            ranges_m: vec![1.0, 0.0, -3.0, f32::NAN, f32::INFINITY, 4.0, 3.99],
            remissions: Vec::new(),
            world_from_laser: None,
            world_from_robot: None,
            sensor: String::new(),
        };
        let mut counts = BeamCounts::default();
        let limits = RangeLimits { min_m: 0.02, max_m: 4.0 };
        let scan = Scan::of(&laser, Pose2::new(0.5, 0.0, 0.0), limits, &mut counts);
        let expected =
            BeamCounts { beams: 7, hits: 2, too_short: 2, no_return: 2, not_a_number: 1, tilted: 0 };
        assert_eq!(counts, expected);
        assert_eq!((scan.hits_in_robot.len(), scan.misses_in_robot.len()), (2, 2));
        assert_eq!(scan.hits_in_robot[0], Point2::new(1.5, 0.0));
        assert!((scan.hits_in_robot[1].y_m - 3.99_f32 as f64 * 0.6_f64.sin()).abs() < 1e-6);
    }
}

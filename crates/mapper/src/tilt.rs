//! Scans of a tilted scanner, laid onto the level plane (L-TILT).
//!
//! ```text
//! level = Ry(pitch) Rx(roll) point
//! ```
//!
//! A beam that ends far above or below the scanner has seen the floor, a ramp, or the upper part of a wall that may not be
//! there: it is left out. Beams near the axis of the tilt stay.

use std::collections::HashMap;

use model::{Point2, SensorLog};

use crate::{BeamCounts, MappingInput, Scan};

/// A reading of the tilt further than this from a scan does not count, seconds. Ours: half the time between two scans.
pub(crate) const WITHIN_S: f64 = 0.05;

impl MappingInput {
    /// Levels the scans by the attitudes of their log. Ends more than `max_m` above or below the scanner are left out and
    /// counted; scans without a reading of the tilt stay as they are.
    pub fn level(&mut self, log: &SensorLog, max_m: f64) {
        let tilts = log.tilts_of_scans_rad(WITHIN_S);
        let known: HashMap<(&str, u64), [f64; 2]> = log
            .scans()
            .zip(tilts)
            .filter_map(|(scan, tilt)| Some(((scan.sensor.as_str(), scan.time_s.to_bits()), tilt?)))
            .collect();
        for (scan, _) in &mut self.scans {
            if let Some(tilt) = known.get(&(self.laser.as_str(), scan.time_s.to_bits())) {
                scan.level_and_count(*tilt, max_m, &mut self.counts.beams);
            }
        }
    }
}

impl Scan {
    /// Lays the points onto the level plane, and counts the hits that were left out.
    pub(crate) fn level_and_count(&mut self, tilt_rad: [f64; 2], max_m: f64, counts: &mut BeamCounts) {
        let dropped = self.level(tilt_rad, max_m);
        counts.hits -= dropped;
        counts.tilted += dropped;
    }

    /// Lays the points onto the level plane; the number of hits that were left out.
    fn level(&mut self, [roll_rad, pitch_rad]: [f64; 2], max_m: f64) -> usize {
        let ((sin_roll, cos_roll), (sin_pitch, cos_pitch)) = (roll_rad.sin_cos(), pitch_rad.sin_cos());
        let laser = self.laser_in_robot;
        let levelled = |point: &Point2| {
            let (x, y) = (point.x_m - laser.x_m, point.y_m - laser.y_m);
            let up_m = cos_pitch * sin_roll * y - sin_pitch * x;
            let ahead_m = cos_pitch * x + sin_pitch * sin_roll * y;
            (up_m.abs() <= max_m).then(|| Point2::new(laser.x_m + ahead_m, laser.y_m + cos_roll * y))
        };
        let before = self.hits_in_robot.len();
        self.hits_in_robot = self.hits_in_robot.iter().filter_map(levelled).collect();
        self.misses_in_robot = self.misses_in_robot.iter().filter_map(levelled).collect();
        before - self.hits_in_robot.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn levelled(points: &[(f64, f64)], roll_deg: f64, pitch_deg: f64) -> (Vec<(f64, f64)>, usize) {
        let hits_in_robot = points.iter().map(|&(x_m, y_m)| Point2::new(x_m, y_m)).collect();
        let mut scan = Scan { hits_in_robot, ..Scan::default() };
        let dropped = scan.level([roll_deg.to_radians(), pitch_deg.to_radians()], 0.3);
        (scan.hits_in_robot.iter().map(|p| (p.x_m, p.y_m)).collect(), dropped)
    }

    #[test]
    fn spec_09_e8_a_wall_under_ten_degrees_stands_where_it_is() {
        // A beam of 3.046 m under 10 degrees ends 3 m ahead, 0.53 m off the plane: outside of 0.3 m, inside of 0.6 m.
        let mut scan = Scan { hits_in_robot: vec![Point2::new(3.046_28, 0.0)], ..Scan::default() };
        assert_eq!(scan.clone().level([0.0, 10_f64.to_radians()], 0.3), 1);
        assert_eq!(scan.level([0.0, -10_f64.to_radians()], 0.6), 0);
        assert!((scan.hits_in_robot[0].x_m - 3.0).abs() < 1e-5);
    }

    #[test]
    fn beams_along_the_axis_of_the_tilt_stay() {
        let (points, dropped) = levelled(&[(3.0, 0.0), (0.0, 3.0), (1.0, 1.0)], 0.0, 15.0);
        assert_eq!((points.len(), dropped), (2, 1));
        assert_eq!(points[0], (0.0, 3.0));
        let (points, dropped) = levelled(&[(3.0, 0.0), (0.0, 3.0)], 15.0, 0.0);
        assert_eq!((points.as_slice(), dropped), ([(3.0, 0.0)].as_slice(), 1));
    }
}

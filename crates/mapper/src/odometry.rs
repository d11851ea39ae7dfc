//! L-TIME: the pose of the odometry at the time of a scan.

use model::{Odometry, Pose2, Rigid};

/// Readings of odometry by time.
#[derive(Default)]
pub(crate) struct OdometryTrack {
    readings: Vec<(f64, Pose2)>,
}

/// The odometry at a time.
pub(crate) struct Reading {
    pub odom_from_robot: Pose2,
    /// Time between the readings before and after, seconds.
    pub gap_s: f64,
}

impl OdometryTrack {
    /// Sorts the readings by time; of equal times the last one counts. Readings that are not finite are left out.
    pub fn new<'a>(readings: impl Iterator<Item = &'a Odometry>) -> Self {
        let usable = readings.filter(|r| r.time_s.is_finite() && r.odom_from_robot.is_finite());
        let mut readings: Vec<_> = usable.map(|r| (r.time_s, r.odom_from_robot)).collect();
        readings.sort_by(|a, b| a.0.total_cmp(&b.0));
        readings.reverse();
        readings.dedup_by_key(|(time_s, _)| *time_s);
        readings.reverse();
        Self { readings }
    }

    /// Takes a reading that came just now; of equal times the last one counts, one that is not finite is left out.
    pub fn add(&mut self, reading: &Odometry) {
        if !(reading.time_s.is_finite() && reading.odom_from_robot.is_finite()) {
            return;
        }
        let at = self.readings.partition_point(|&(t, _)| t < reading.time_s);
        let stamped = (reading.time_s, reading.odom_from_robot);
        match self.readings.get_mut(at) {
            Some(same) if same.0 <= reading.time_s => *same = stamped,
            _ => self.readings.insert(at, stamped),
        }
    }

    /// Time of the last reading.
    pub fn last_s(&self) -> Option<f64> {
        self.readings.last().map(|&(time_s, _)| time_s)
    }

    pub fn is_empty(&self) -> bool {
        self.readings.is_empty()
    }

    /// Linear in x and y, the shorter arc in theta, between the readings before and after; none outside of them.
    pub fn at(&self, time_s: f64) -> Option<Reading> {
        let after = self.readings.partition_point(|&(t, _)| t < time_s);
        let &(after_s, later) = self.readings.get(after)?;
        if after_s <= time_s {
            return Some(Reading { odom_from_robot: later, gap_s: 0.0 });
        }
        let &(before_s, earlier) = self.readings.get(after.checked_sub(1)?)?;
        let gap_s = after_s - before_s;
        let odom_from_robot = earlier.toward(later, (time_s - before_s) / gap_s);
        Some(Reading { odom_from_robot, gap_s })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reading(time_s: f64, x_m: f64, y_m: f64, theta_deg: f64) -> Odometry {
        let odom_from_robot = Pose2::new(x_m, y_m, theta_deg.to_radians());
        Odometry { time_s, odom_from_robot, speed_mps: None, turn_rate_radps: None }
    }

    #[test]
    fn spec_09_e1_between_two_readings() {
        let track = OdometryTrack::new([reading(0.0, 0.0, 0.0, 350.0), reading(1.0, 1.0, 2.0, 10.0)].iter());
        let found = track.at(0.25).unwrap().odom_from_robot;
        assert!((found.x_m - 0.25).abs() < 1e-12 && (found.y_m - 0.5).abs() < 1e-12);
        assert!((found.theta_rad.to_degrees() + 5.0).abs() < 1e-9);
    }

    #[test]
    fn outside_there_is_none_and_the_last_of_equal_times_counts() {
        let readings =
            [reading(2.0, 9.0, 0.0, 0.0), reading(1.0, 1.0, 0.0, 0.0), reading(1.0, 5.0, 0.0, 0.0)];
        let track = OdometryTrack::new(readings.iter());
        assert!(track.at(0.9).is_none() && track.at(2.1).is_none());
        assert_eq!(track.at(1.0).unwrap().odom_from_robot.x_m, 5.0);
        assert_eq!(track.at(1.5).unwrap().odom_from_robot.x_m, 7.0);
        assert!(OdometryTrack::new([].iter()).is_empty());
        let mut one_by_one = OdometryTrack::default();
        readings.iter().for_each(|reading| one_by_one.add(reading));
        assert_eq!((one_by_one.readings.len(), one_by_one.last_s()), (2, Some(2.0)));
        assert_eq!(one_by_one.at(1.5).unwrap().odom_from_robot.x_m, 7.0);
    }
}

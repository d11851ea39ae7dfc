//! The sonar of a log as a mapper takes it: sweeps in the order of the file, each with the odometry at its time.

use model::{Point2, Pose2, SensorLog, SonarSweep};

use super::Cone;
use crate::odometry::OdometryTrack;
use crate::scan::{BeamCounts, RangeLimits, Scan};
use crate::stream::{LogCounts, MappingInput, OdometrySource};

/// A longer time between two readings of odometry is counted as a gap, seconds (L-TIME).
const LONG_GAP_S: f64 = 0.5;

/// Takes the sweeps of the sonar ring out of a log.
#[must_use]
pub fn sweeps_of(log: &SensorLog, limits: RangeLimits) -> MappingInput {
    let track = OdometryTrack::new(log.odometry());
    let source = if track.is_empty() { OdometrySource::None } else { OdometrySource::Readings };
    let mut counts = LogCounts::nothing(source);
    counts.other_lasers = log.scans().count();
    let mut scans: Vec<(Scan, Pose2)> = Vec::new();
    for sweep in log.sonar() {
        if !sweep.time_s.is_finite() {
            counts.not_finite += 1;
            continue;
        }
        let reading = track.at(sweep.time_s);
        let odom_from_robot = match (source, reading) {
            (OdometrySource::None, _) => Pose2::IDENTITY,
            (_, Some(reading)) => {
                counts.odometry_gaps += usize::from(reading.gap_s > LONG_GAP_S);
                reading.odom_from_robot
            }
            (_, None) => {
                counts.without_odometry += 1;
                continue;
            }
        };
        let scan = scan_of(sweep, limits, &mut counts.beams);
        counts.back_in_time += usize::from(scans.last().is_some_and(|(last, _)| scan.time_s < last.time_s));
        counts.without_hits += usize::from(scan.hits_in_robot.is_empty());
        scans.push((scan, odom_from_robot));
    }
    counts.scans = scans.len();
    MappingInput { scans, laser: "sonar".to_owned(), counts }
}

/// A sweep as cones, and the ends of their axes as points.
fn scan_of(sweep: &SonarSweep, limits: RangeLimits, counts: &mut BeamCounts) -> Scan {
    let max_m = limits.max_m.min(sweep.max_range_m);
    let mut scan = Scan { time_s: sweep.time_s, ..Scan::default() };
    for (&robot_from_transducer, &range) in sweep.robot_from_transducers.iter().zip(&sweep.ranges_m) {
        let range_m = f64::from(range);
        counts.beams += 1;
        if range_m.is_nan() || !robot_from_transducer.is_finite() {
            counts.not_a_number += 1;
            continue;
        }
        if range_m < limits.min_m {
            counts.too_short += 1;
            continue;
        }
        let is_echo = range_m < max_m;
        let range_m = range_m.min(max_m);
        let end = robot_from_transducer * Point2::new(range_m, 0.0);
        if is_echo {
            counts.hits += 1;
            scan.hits_in_robot.push(end);
        } else {
            counts.no_return += 1;
            scan.misses_in_robot.push(end);
        }
        scan.cones_in_robot.push(Cone {
            robot_from_transducer,
            opening_rad: sweep.cone_rad,
            range_m,
            is_echo,
        });
    }
    scan
}

#[cfg(test)]
mod tests {
    use model::{LogRecord, Odometry};

    use super::*;

    #[test]
    fn sweeps_have_the_odometry_of_their_time_and_misses_are_no_echoes() {
        let odometry = |time_s: f64| {
            LogRecord::Odometry(Odometry {
                time_s,
                odom_from_robot: Pose2::new(time_s, 0.0, 0.0),
                speed_mps: None,
                turn_rate_radps: None,
            })
        };
        let sweep = |time_s: f64, ranges_m: Vec<f32>| {
            LogRecord::Sonar(SonarSweep {
                time_s,
                cone_rad: 0.5,
                max_range_m: 3.0,
                robot_from_transducers: vec![Pose2::new(0.2, 0.0, 0.0); ranges_m.len()],
                ranges_m,
            })
        };
        let records = vec![
            odometry(0.0),
            sweep(0.25, vec![1.0, 3.0, f32::NAN, 0.01]),
            odometry(0.5),
            sweep(9.0, vec![1.0]),
        ];
        let log = SensorLog { records, skipped: Vec::new() };
        let found = sweeps_of(&log, RangeLimits { min_m: 0.1, max_m: 5.0 });
        assert_eq!((found.scans.len(), found.counts.without_odometry), (1, 1));
        let (scan, pose) = &found.scans[0];
        assert_eq!((pose.x_m, scan.hits_in_robot[0]), (0.25, Point2::new(1.2, 0.0)));
        let echoes: Vec<_> = scan.cones_in_robot.iter().map(|cone| (cone.range_m, cone.is_echo)).collect();
        assert_eq!(echoes, [(1.0, true), (3.0, false)]);
        assert_eq!((found.counts.beams.not_a_number, found.counts.beams.too_short), (1, 1));
    }
}

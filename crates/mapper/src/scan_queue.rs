//! Scans as a robot sends them: each waits until the odometry after it has come (L-TIME).
//!
//! What comes out is what [`crate::scans_of`] takes out of the finished log, except for what cannot be known before its end:
//! the laser is the one with the first scan, not the one with most scans.

use std::collections::VecDeque;

use model::{LaserScan, LogRecord, Pose2, SensorLog};

use crate::odometry::OdometryTrack;
use crate::scan::{RangeLimits, Scan};
use crate::stream::{LogCounts, OdometrySource, mounting, odometry_of, pose_of};
use crate::tilt::WITHIN_S;

/// A robot that has sent so many scans and no odometry has none. Ours: ten seconds of a usual laser.
const PATIENCE_SCANS: usize = 100;
/// Attitudes that are kept for scans to come. Ours: some seconds of a fast inertial unit.
const KEPT_ATTITUDES: usize = 1000;

/// Scans that wait for their odometry.
pub struct ScanQueue {
    limits: RangeLimits,
    laser: Option<String>,
    readings: OdometryTrack,
    waiting: VecDeque<LaserScan>,
    /// Largest height of an end over or under the scanner, metres; 0 levels nothing.
    tilt_gate_m: f64,
    attitudes: VecDeque<LogRecord>,
    counts: LogCounts,
    last_s: f64,
}

impl ScanQueue {
    /// Nothing has come yet.
    #[must_use]
    pub fn new(limits: RangeLimits) -> Self {
        Self {
            limits,
            laser: None,
            readings: OdometryTrack::default(),
            waiting: VecDeque::new(),
            tilt_gate_m: 0.0,
            attitudes: VecDeque::new(),
            counts: LogCounts::nothing(OdometrySource::Readings),
            last_s: f64::NEG_INFINITY,
        }
    }

    /// The same, with scans levelled as [`crate::MappingInput::level`] does, by the attitudes that have come until then.
    #[must_use]
    pub fn levelling(self, tilt_gate_m: f64) -> Self {
        Self { tilt_gate_m, ..self }
    }

    /// What was odd so far.
    #[must_use]
    pub const fn counts(&self) -> LogCounts {
        self.counts
    }

    /// Takes a record; the scans that are ready now, with the pose of the odometry at their time.
    pub fn push(&mut self, record: &LogRecord) -> Vec<(Scan, Pose2)> {
        match record {
            LogRecord::Odometry(reading) => self.readings.add(reading),
            LogRecord::Scan(scan) => self.wait(scan),
            LogRecord::Attitude(_) => {
                self.attitudes.push_back(record.clone());
                if self.attitudes.len() > KEPT_ATTITUDES {
                    self.attitudes.pop_front();
                }
            }
            LogRecord::TruePose { .. } | LogRecord::Sonar(_) => {}
        }
        let is_ready = |queue: &Self| {
            let Some(front) = queue.waiting.front() else { return false };
            queue.counts.odometry != OdometrySource::Readings
                || !front.time_s.is_finite()
                || queue.readings.last_s().is_some_and(|last_s| last_s >= front.time_s)
        };
        let mut ready = Vec::new();
        while is_ready(self) {
            ready.extend(self.next());
        }
        ready
    }

    /// The scans that are left, after the last record.
    pub fn finish(&mut self) -> Vec<(Scan, Pose2)> {
        if self.readings.is_empty() && self.counts.odometry == OdometrySource::Readings {
            self.counts.odometry = OdometrySource::None;
        }
        let mut left = Vec::new();
        while !self.waiting.is_empty() {
            left.extend(self.next());
        }
        left
    }

    fn wait(&mut self, scan: &LaserScan) {
        if self.laser.is_none() && pose_of(scan).is_some() {
            self.counts.odometry = OdometrySource::Scans;
        }
        if self.laser.get_or_insert_with(|| scan.sensor.clone()) != &scan.sensor {
            self.counts.other_lasers += 1;
            return;
        }
        self.waiting.push_back(scan.clone());
        let has_none = self.readings.is_empty() && self.counts.odometry == OdometrySource::Readings;
        if has_none && self.waiting.len() > PATIENCE_SCANS {
            self.counts.odometry = OdometrySource::None;
        }
    }

    fn next(&mut self) -> Option<(Scan, Pose2)> {
        let laser = self.waiting.pop_front()?;
        let odom_from_robot = odometry_of(&laser, &self.readings, &mut self.counts)?;
        let mut scan = Scan::of(
            &laser,
            mounting(&laser).unwrap_or(Pose2::IDENTITY),
            self.limits,
            &mut self.counts.beams,
        );
        if self.tilt_gate_m > 0.0 && !self.attitudes.is_empty() {
            self.level(&mut scan, laser);
        }
        self.counts.back_in_time += usize::from(scan.time_s < self.last_s);
        self.counts.without_hits += usize::from(scan.hits_in_robot.is_empty());
        self.counts.scans += 1;
        self.last_s = scan.time_s;
        Some((scan, odom_from_robot))
    }

    fn level(&mut self, scan: &mut Scan, laser: LaserScan) {
        let records = self.attitudes.iter().cloned().chain([LogRecord::Scan(laser)]).collect();
        let log = SensorLog { records, skipped: Vec::new() };
        if let Some(Some(tilt)) = log.tilts_of_scans_rad(WITHIN_S).first() {
            scan.level_and_count(*tilt, self.tilt_gate_m, &mut self.counts.beams);
        }
    }
}

#[cfg(test)]
mod tests {
    use model::{Attitude, BeamModel, Odometry, SeededRng};

    use super::*;
    use crate::scans_of;

    const LIMITS: RangeLimits = RangeLimits { min_m: 0.02, max_m: 20.0 };

    fn scan(time_s: f64, pose: Option<Pose2>) -> LogRecord {
        LogRecord::Scan(LaserScan {
            time_s,
            beams: BeamModel { first_rad: 0.0, step_rad: 0.1, max_range_m: 30.0, is_guessed: false },
            ranges_m: vec![1.0, f32::NAN, 2.0],
            remissions: Vec::new(),
            world_from_laser: None,
            world_from_robot: pose,
            sensor: "front".to_owned(),
        })
    }

    fn odometry(time_s: f64) -> LogRecord {
        let odom_from_robot = Pose2::new(time_s, 0.0, 0.0);
        LogRecord::Odometry(Odometry { time_s, odom_from_robot, speed_mps: None, turn_rate_radps: None })
    }

    fn queued(records: &[LogRecord]) -> (Vec<(Scan, Pose2)>, LogCounts) {
        let mut queue = ScanQueue::new(LIMITS);
        let mut scans: Vec<_> = records.iter().flat_map(|record| queue.push(record)).collect();
        scans.extend(queue.finish());
        (scans, queue.counts())
    }

    fn is_like_the_log(records: Vec<LogRecord>) {
        let (scans, counts) = queued(&records);
        let log = scans_of(&SensorLog { records, skipped: Vec::new() }, LIMITS);
        assert_eq!((scans, counts), (log.scans, log.counts));
    }

    #[test]
    fn tilted_scans_are_levelled_by_what_came_before() {
        let attitude = |time_s: f64, pitch_rad: f64| {
            let roll_pitch_yaw_rad = [0.0, pitch_rad, 0.0];
            LogRecord::Attitude(Attitude { time_s, sensor: "IMU".to_owned(), roll_pitch_yaw_rad })
        };
        let here = Some(Pose2::IDENTITY);
        let records =
            vec![attitude(0.0, 0.1), scan(0.0, here), attitude(1.0, 0.0), scan(1.01, here), scan(5.0, here)];
        let mut queue = ScanQueue::new(LIMITS).levelling(0.15);
        let scans: Vec<_> = records.iter().flat_map(|record| queue.push(record)).collect();
        let log = SensorLog { records, skipped: Vec::new() };
        let mut whole = scans_of(&log, LIMITS);
        whole.level(&log, 0.15);
        assert_eq!((scans, queue.counts()), (whole.scans, whole.counts));
        // The beam of 2 m ends 0.2 m below the scanner.
        assert_eq!((queue.counts().beams.tilted, queue.counts().beams.hits), (1, 5));
    }

    #[test]
    fn a_scan_waits_for_the_odometry_after_it() {
        let mut queue = ScanQueue::new(LIMITS);
        assert!(queue.push(&odometry(0.0)).is_empty() && queue.push(&scan(0.5, None)).is_empty());
        let ready = queue.push(&odometry(1.0));
        assert_eq!((ready.len(), ready[0].1.x_m), (1, 0.5));
        assert!(queue.finish().is_empty());
    }

    #[test]
    fn one_by_one_is_like_the_finished_log() {
        is_like_the_log(vec![
            scan(-1.0, None),
            odometry(0.0),
            scan(0.5, None),
            odometry(1.0),
            scan(2.0, None),
        ]);
        is_like_the_log(vec![
            scan(0.0, Some(Pose2::IDENTITY)),
            scan(f64::NAN, Some(Pose2::IDENTITY)),
            odometry(9.0),
        ]);
        is_like_the_log((0..130).map(|k| scan(f64::from(k), None)).collect());
        is_like_the_log(Vec::new());
        let mut random = SeededRng::new(5);
        let mut time_s = 0.0;
        is_like_the_log(
            (0..300)
                .map(|_| {
                    time_s += random.below(100) as f64 / 100.0 + 0.01;
                    if random.below(3) == 0 { scan(time_s, None) } else { odometry(time_s) }
                })
                .collect(),
        );
    }
}

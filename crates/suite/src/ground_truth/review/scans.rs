//! The scans of a review: by their times, as outlines of free sight, and where along the run they were taken.

use std::collections::HashMap;

use mapper::{OdometrySource, RangeLimits, Scan, scans_of};
use model::{Point2, Pose2, RelationRecord, Rigid, SensorLog};
use schemars::JsonSchema;
use serde::Serialize;

/// Keyframes before and after the first scan whose hits are shown around it.
const NEAR_KEYFRAMES: usize = 5;
/// Points of a scan, and of the scans around it, that are shown; of more, every n-th.
const MAX_HITS: usize = 2000;
const MAX_NEAR: usize = 4000;
/// Between beams further apart than this nothing was seen, radians: 4 degrees, as in the measure of contradictions.
const MAX_GAP_RAD: f64 = 4.0 * std::f64::consts::PI / 180.0;
/// Poses of odometry nearer to each other than this are one keyframe, metres.
const KEYFRAME_M: f64 = 0.5;

/// Points of a scan in the frame of its robot.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct ScanView {
    /// Where beams ended, metres.
    pub hits: Vec<[f64; 2]>,
    /// Where the scanner sits, metres.
    pub sensor: [f64; 2],
    /// Polygon that the beams looked through.
    pub free: Vec<[f64; 2]>,
}

/// Where a relation lies in the run, in the frame of [`RunView`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Ends {
    /// Where the first scan was taken, metres.
    pub from: [f64; 2],
    /// Where the second scan was taken, metres.
    pub to: [f64; 2],
}

/// The path of the run, from the relations between neighbours, or from the odometry where the record has none.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct RunView {
    /// Positions of the keyframes, metres.
    pub path: Vec<[f64; 2]>,
    /// Their timestamps, seconds.
    pub times: Vec<f64>,
}

/// Scans by the bits of their times, as proposals name them.
#[derive(Clone, Debug, Default)]
pub struct ReviewScans {
    scans: HashMap<u64, Scan>,
    /// Odometry at the scans; empty if the log has none.
    odometry: Vec<(f64, Pose2)>,
    run: Vec<(f64, Pose2)>,
    pose_at: HashMap<u64, Pose2>,
}

impl ReviewScans {
    /// The scans of a log.
    #[must_use]
    pub fn of(log: &SensorLog, range: RangeLimits) -> Self {
        let input = scans_of(log, range);
        let has_odometry = input.counts.odometry != OdometrySource::None;
        let odometry: Vec<(f64, Pose2)> = if has_odometry {
            input.scans.iter().map(|(scan, pose)| (scan.time_s, *pose)).collect()
        } else {
            Vec::new()
        };
        let scans = input.scans.into_iter().map(|(scan, _)| (scan.time_s.to_bits(), scan)).collect();
        Self { scans, odometry, ..Self::default() }
    }

    /// Lays out the run: along the relations between neighbours, else by the odometry.
    pub(super) fn lay_out<'a>(&mut self, records: impl Iterator<Item = &'a RelationRecord>) {
        let mut run: Vec<(f64, Pose2)> = Vec::new();
        self.pose_at.clear();
        for record in records.filter(|record| record.tags.iter().any(|tag| tag == "consecutive")) {
            let relation = record.final_relation();
            let from = *self.pose_at.entry(relation.from_s.to_bits()).or_insert_with(|| {
                run.push((relation.from_s, Pose2::IDENTITY));
                Pose2::IDENTITY
            });
            let to = from * relation.pose().planar();
            if self.pose_at.insert(relation.to_s.to_bits(), to).is_none() {
                run.push((relation.to_s, to));
            }
        }
        if run.is_empty() {
            self.pose_at = self.odometry.iter().map(|(time_s, pose)| (time_s.to_bits(), *pose)).collect();
            for &(time_s, pose) in &self.odometry {
                let is_far = |&(_, last): &(f64, Pose2)| pose.seen_from(last).distance_m() >= KEYFRAME_M;
                if run.last().is_none_or(is_far) {
                    run.push((time_s, pose));
                }
            }
        }
        run.sort_by(|a, b| a.0.total_cmp(&b.0));
        self.run = run;
    }

    /// Both scans of a relation.
    pub(super) fn pair(&self, record: &RelationRecord) -> Option<(&Scan, &Scan)> {
        let scan = |time_s: f64| self.scans.get(&time_s.to_bits());
        Some((scan(record.relation.from_s)?, scan(record.relation.to_s)?))
    }

    /// A scan as it is shown; empty if the log has none of this time.
    pub(super) fn view(&self, time_s: f64) -> ScanView {
        let Some(scan) = self.scans.get(&time_s.to_bits()) else { return ScanView::default() };
        ScanView {
            hits: thinned(&scan.hits_in_robot, MAX_HITS),
            sensor: shown(scan.laser_in_robot),
            free: free_sight(scan),
        }
    }

    pub(super) fn run_view(&self) -> RunView {
        RunView {
            path: self.run.iter().map(|(_, pose)| shown(pose.position())).collect(),
            times: self.run.iter().map(|(time_s, _)| *time_s).collect(),
        }
    }

    pub(super) fn ends(&self, record: &RelationRecord) -> Option<Ends> {
        let place = |time_s: f64| Some(shown(self.pose_at.get(&time_s.to_bits())?.position()));
        Some(Ends { from: place(record.relation.from_s)?, to: place(record.relation.to_s)? })
    }

    /// Hits of the scans at the keyframes around the first one, in its frame.
    pub(super) fn near(&self, record: &RelationRecord) -> Vec<[f64; 2]> {
        let from_s = record.relation.from_s;
        let Some(here) = self.pose_at.get(&from_s.to_bits()) else { return Vec::new() };
        let index = self.run.partition_point(|(time_s, _)| *time_s < from_s);
        let around = index.saturating_sub(NEAR_KEYFRAMES)..(index + NEAR_KEYFRAMES + 1).min(self.run.len());
        let mut points = Vec::new();
        for (time_s, pose) in self.run[around].iter().filter(|(time_s, _)| *time_s != from_s) {
            let Some(scan) = self.scans.get(&time_s.to_bits()) else { continue };
            let here_from_there = pose.seen_from(*here);
            points.extend(scan.hits_in_robot.iter().map(|&hit| here_from_there * hit));
        }
        thinned(&points, MAX_NEAR)
    }
}

/// A point to a tenth of a millimetre, which no screen shows.
fn shown(point: Point2) -> [f64; 2] {
    [point.x_m, point.y_m].map(|value| (value * 1e4).round() / 1e4)
}

fn thinned(points: &[Point2], max: usize) -> Vec<[f64; 2]> {
    points.iter().step_by(points.len().div_ceil(max).max(1)).copied().map(shown).collect()
}

/// Ends of the beams around the sensor; where neighbours are far apart the polygon goes back to the sensor.
fn free_sight(scan: &Scan) -> Vec<[f64; 2]> {
    let sensor = scan.laser_in_robot;
    let direction = |point: &Point2| (point.y_m - sensor.y_m).atan2(point.x_m - sensor.x_m);
    let ends = scan.hits_in_robot.iter().chain(&scan.misses_in_robot);
    let mut ends: Vec<(f64, Point2)> = ends.map(|point| (direction(point), *point)).collect();
    ends.sort_by(|a, b| a.0.total_cmp(&b.0));
    let Some(&(first_rad, _)) = ends.first() else { return Vec::new() };
    let mut polygon = Vec::new();
    let mut before_rad = first_rad;
    for (direction_rad, end) in ends {
        if direction_rad - before_rad > MAX_GAP_RAD {
            polygon.push(shown(sensor));
        }
        polygon.push(shown(end));
        before_rad = direction_rad;
    }
    // Behind the robot, from the last beam to the first.
    if first_rad + std::f64::consts::TAU - before_rad > MAX_GAP_RAD {
        polygon.push(shown(sensor));
    }
    polygon
}

//! Time and effort of a run, from its log (X-TIME): the work of `mapjudge info LOG --effort`.

use std::collections::HashSet;
use std::path::Path;

use formats::{Content, ReadOptions, read_document};
use metrics::contest::effort::{AreaAt, EffortLimits, ExplorationPace, exploration_pace};
use model::{LaserScan, LogRecord, Pose2, SensorLog};
use raster::line_cells::crossed_cells;
use serde::Serialize;

use crate::JobError;
use crate::files::shown_path as shown;

/// Schema of the JSON that [`Effort`] becomes.
pub const EFFORT_SCHEMA: &str = "mapjudge.effort/1";

/// Cells on which the seen area is counted.
const CELL_SIZE_M: f64 = 0.1;
/// Cells that are remembered: 400,000 m2. Beyond, the area is a lower bound.
const MAX_CELLS: usize = 40_000_000;
/// A record of a pose farther from a scan in time does not place it.
const MAX_POSE_AGE_S: f64 = 1.0;
/// Cells along one beam that are followed.
const MAX_BEAM_M: f64 = 100.0;

/// What a run took.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Effort {
    /// [`EFFORT_SCHEMA`].
    pub schema: &'static str,
    /// The log, as given.
    pub path: String,
    /// From the first to the last record.
    pub duration_s: Option<f64>,
    /// Length of the path of the robot, by the poses of the scans, else by odometry.
    pub distance_m: Option<f64>,
    /// Where the poses of the scans come from; null if they have none.
    pub poses: Option<PosesOf>,
    /// Number of scans.
    pub scans: usize,
    /// Scans that have a pose, so that their beams tell a place.
    pub placed_scans: usize,
    /// Mean time from scan to scan.
    pub scan_interval_s: Option<f64>,
    /// How fast area was seen; null without two scans with poses.
    pub exploration: Option<ExplorationPace>,
    /// Whether the run kept to the limit; null without a duration.
    pub run_limit_held: Option<bool>,
    /// The limits.
    pub limits: EffortLimits,
    /// Whether more was seen than is counted.
    pub area_is_lower_bound: bool,
}

/// Where the poses of scans come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum PosesOf {
    /// The scans carry them.
    Scans,
    /// True poses of a simulator, interpolated.
    TruePoses,
    /// Odometry, interpolated; it drifts.
    Odometry,
}

impl PosesOf {
    const fn words(self) -> &'static str {
        match self {
            Self::Scans => "with a pose",
            Self::TruePoses => "placed by true poses",
            Self::Odometry => "placed by odometry",
        }
    }
}

/// Reads a log and says what the run took.
///
/// # Errors
/// The file cannot be read, or is no log.
pub fn effort(path: &Path, options: &ReadOptions, limits: EffortLimits) -> Result<Effort, JobError> {
    let document = read_document(path, options)?;
    let log = match document.content {
        Content::Log(log) => log,
        other => {
            return Err(JobError::NoLog { path: path.display().to_string(), found: other.kind().noun() });
        }
    };
    Ok(effort_of(&log, shown(path), limits))
}

fn effort_of(log: &SensorLog, path: String, limits: EffortLimits) -> Effort {
    let times: Vec<f64> = log.records.iter().map(LogRecord::time_s).filter(|time| time.is_finite()).collect();
    let first = times.iter().copied().reduce(f64::min);
    let last = times.iter().copied().reduce(f64::max);
    let duration_s = first.zip(last).map(|(first, last)| last - first);
    let (placed, poses) = placed_scans(log);
    let by_scans: Vec<Pose2> = placed.iter().map(|(_, pose)| *pose).collect();
    let by_odometry: Vec<Pose2> = log.odometry().map(|reading| reading.odom_from_robot).collect();
    let (samples, area_is_lower_bound) = area_over_time(&placed);
    let scans = log.scans().count();
    let scan_times: Vec<f64> = log.scans().map(|scan| scan.time_s).filter(|time| time.is_finite()).collect();
    let spans = scan_times.len().checked_sub(1).filter(|spans| *spans > 0);
    let scan_interval_s =
        spans.and_then(|spans| Some((scan_times.last()? - scan_times.first()?) / spans as f64));
    Effort {
        schema: EFFORT_SCHEMA,
        path,
        duration_s,
        distance_m: length_m(&by_scans).or_else(|| length_m(&by_odometry)),
        poses,
        scans,
        placed_scans: placed.len(),
        scan_interval_s,
        exploration: exploration_pace(&samples),
        run_limit_held: duration_s.map(|duration_s| duration_s <= limits.run_s),
        limits,
        area_is_lower_bound,
    }
}

/// The scans whose place is known. Messages of USARSim carry no pose with a scan: those of the simulator stand in, else
/// odometry, interpolated between the two records around a scan.
fn placed_scans(log: &SensorLog) -> (Vec<(&LaserScan, Pose2)>, Option<PosesOf>) {
    let own: Vec<_> = log.scans().filter_map(|scan| Some((scan, pose_of(scan)?))).collect();
    if !own.is_empty() {
        return (own, Some(PosesOf::Scans));
    }
    let odometry = poses_of(log, |record| match record {
        LogRecord::Odometry(reading) => Some((reading.time_s, reading.odom_from_robot)),
        _ => None,
    });
    for (poses, of) in [(true_poses(log), PosesOf::TruePoses), (odometry, PosesOf::Odometry)] {
        let placed: Vec<_> =
            log.scans().filter_map(|scan| Some((scan, interpolated(&poses, scan.time_s)?))).collect();
        if !placed.is_empty() {
            return (placed, Some(of));
        }
    }
    (Vec::new(), None)
}

/// The true poses that a simulator told, by time.
pub(crate) fn true_poses(log: &SensorLog) -> Vec<(f64, Pose2)> {
    poses_of(log, |record| match record {
        LogRecord::TruePose { time_s, world_from_robot } => Some((*time_s, *world_from_robot)),
        _ => None,
    })
}

fn poses_of(log: &SensorLog, of: fn(&LogRecord) -> Option<(f64, Pose2)>) -> Vec<(f64, Pose2)> {
    let mut poses: Vec<(f64, Pose2)> = log.records.iter().filter_map(of).collect();
    poses.retain(|(time_s, pose)| time_s.is_finite() && pose.is_finite());
    poses.sort_by(|a, b| a.0.total_cmp(&b.0));
    poses
}

/// The pose at a time between two records, or of the nearest record within [`MAX_POSE_AGE_S`].
pub(crate) fn interpolated(poses: &[(f64, Pose2)], time_s: f64) -> Option<Pose2> {
    let after = poses.partition_point(|(known_s, _)| *known_s < time_s);
    let (before, behind) = (after.checked_sub(1).and_then(|i| poses.get(i)), poses.get(after));
    let is_near = |(known_s, _): &&(f64, Pose2)| (known_s - time_s).abs() <= MAX_POSE_AGE_S;
    match (before.filter(is_near), behind.filter(is_near)) {
        (Some((t0, p)), Some((t1, q))) if t1 > t0 => {
            let ratio = (time_s - t0) / (t1 - t0);
            let turn_rad = model::wrap(q.theta_rad - p.theta_rad);
            let between = |a: f64, b: f64| a + ratio * (b - a);
            Some(Pose2::new(between(p.x_m, q.x_m), between(p.y_m, q.y_m), p.theta_rad + ratio * turn_rad))
        }
        (Some((_, pose)), _) | (_, Some((_, pose))) => Some(*pose),
        (None, None) => None,
    }
}

fn pose_of(scan: &LaserScan) -> Option<Pose2> {
    scan.world_from_laser.or(scan.world_from_robot).filter(|pose| pose.is_finite())
}

fn length_m(poses: &[Pose2]) -> Option<f64> {
    let step = |pair: &[Pose2]| (pair[1].x_m - pair[0].x_m).hypot(pair[1].y_m - pair[0].y_m);
    (poses.len() > 1).then(|| poses.windows(2).map(step).sum::<f64>()).filter(|length| length.is_finite())
}

/// Area that beams have passed over, after each scan, and whether counting had to stop.
fn area_over_time(scans: &[(&LaserScan, Pose2)]) -> (Vec<AreaAt>, bool) {
    let mut seen: HashSet<(i64, i64)> = HashSet::new();
    let mut samples = Vec::with_capacity(scans.len());
    let mut is_full = false;
    for (scan, pose) in scans {
        for (index, &range_m) in scan.ranges_m.iter().enumerate() {
            let range_m = f64::from(range_m);
            // A beam without return tells nothing about how far it went.
            if !(range_m > 0.0 && range_m < scan.beams.max_range_m && range_m <= MAX_BEAM_M) {
                continue;
            }
            let angle = pose.theta_rad + scan.beams.first_rad + scan.beams.step_rad * index as f64;
            let (x_m, y_m) = (pose.x_m + range_m * angle.cos(), pose.y_m + range_m * angle.sin());
            let [from, to] =
                [(pose.x_m, pose.y_m), (x_m, y_m)].map(|(x, y)| (x / CELL_SIZE_M, y / CELL_SIZE_M));
            crossed_cells(from, to, |cell, _| {
                if seen.len() < MAX_CELLS {
                    seen.insert(cell);
                } else {
                    is_full = true;
                }
            });
        }
        samples.push(AreaAt { time_s: scan.time_s, area_m2: seen.len() as f64 * CELL_SIZE_M * CELL_SIZE_M });
    }
    (samples, is_full)
}

impl Effort {
    /// One line per fact.
    #[must_use]
    pub fn text(&self) -> String {
        let number =
            |value: Option<f64>, unit: &str| value.map_or("-".to_owned(), |v| format!("{v:.2} {unit}"));
        let mut lines = vec![
            self.path.clone(),
            format!(
                "  duration     {} (limit {} s{})",
                number(self.duration_s, "s"),
                self.limits.run_s,
                self.verdict()
            ),
            format!("  distance     {}", number(self.distance_m, "m")),
            format!(
                "  scans        {}, {} {}, one in {}",
                self.scans,
                self.placed_scans,
                self.poses.unwrap_or(PosesOf::Scans).words(),
                number(self.scan_interval_s, "s")
            ),
        ];
        match &self.exploration {
            Some(pace) => {
                let bound = if self.area_is_lower_bound { " at least" } else { "" };
                lines.push(format!("  seen area   {bound} {:.2} m2", pace.final_m2));
                lines.push(format!(
                    "  half of it   after {:.1} s, nine tenths after {:.1} s",
                    pace.t50_s, pace.t90_s
                ));
                lines.push(format!("  mean share   {:.3} of it over the run", pace.mean_share));
            }
            None => lines.push("  seen area    - (no two scans with poses)".to_owned()),
        }
        lines.join("\n") + "\n"
    }

    fn verdict(&self) -> &'static str {
        match self.run_limit_held {
            Some(true) => ", held",
            Some(false) => ", exceeded",
            None => "",
        }
    }
}

#[cfg(test)]
mod tests {
    use model::BeamModel;

    use super::*;

    fn scan(time_s: f64, x_m: f64, ranges_m: &[f32]) -> LogRecord {
        LogRecord::Scan(LaserScan {
            time_s,
            beams: BeamModel { first_rad: 0.0, step_rad: 1.0, max_range_m: 10.0, is_guessed: false },
            ranges_m: ranges_m.to_vec(),
            remissions: Vec::new(),
            world_from_laser: Some(Pose2::new(x_m, 0.05, 0.0)),
            world_from_robot: None,
            sensor: String::new(),
        })
    }

    #[test]
    fn area_grows_along_the_beams() {
        // One beam along x: from 0.05 to 1.0, later from 0.55 to 2.0; ten, then ten more cells of 0.1 m.
        let log = SensorLog {
            records: vec![scan(0.0, 0.05, &[0.9]), scan(10.0, 0.55, &[1.4, 50.0])],
            skipped: Vec::new(),
        };
        let found = effort_of(&log, "run.log".to_owned(), EffortLimits::PAPER);
        let pace = found.exploration.unwrap();
        assert!((pace.final_m2 - 0.2).abs() < 1e-9, "{pace:?}");
        assert_eq!(
            (found.distance_m, found.duration_s, found.run_limit_held),
            (Some(0.5), Some(10.0), Some(true))
        );
        assert!(found.text().contains("limit 1200 s, held"), "{}", found.text());
    }

    #[test]
    fn a_log_without_anything_has_nothing() {
        let found = effort_of(&SensorLog::default(), "run.log".to_owned(), EffortLimits::PAPER);
        assert_eq!(
            (found.duration_s, found.distance_m, found.exploration, found.scans),
            (None, None, None, 0)
        );
    }

    #[test]
    fn scans_without_poses_are_placed_by_true_poses_else_by_odometry() {
        let bare = |time_s| match scan(time_s, 0.0, &[0.9]) {
            LogRecord::Scan(scan) => LogRecord::Scan(LaserScan { world_from_laser: None, ..scan }),
            other => other,
        };
        let truth =
            |time_s, x_m| LogRecord::TruePose { time_s, world_from_robot: Pose2::new(x_m, 0.05, 0.0) };
        let mut log = SensorLog {
            records: vec![truth(0.0, 0.05), bare(0.25), truth(0.5, 1.05), bare(0.75), truth(1.0, 2.05)],
            skipped: Vec::new(),
        };
        let found = effort_of(&log, "run.usar".to_owned(), EffortLimits::PAPER);
        assert_eq!((found.poses, found.placed_scans), (Some(PosesOf::TruePoses), 2));
        assert!((found.distance_m.unwrap() - 1.0).abs() < 1e-12, "{:?}", found.distance_m);
        // Beams of 0.9 m from 0.55 and from 1.55: ten cells each.
        let area_m2 = found.exploration.unwrap().final_m2;
        assert!((area_m2 - 0.2).abs() < 1e-9, "{area_m2}");
        log.records.retain(|record| !matches!(record, LogRecord::TruePose { .. }));
        let found = effort_of(&log, "run.usar".to_owned(), EffortLimits::PAPER);
        assert_eq!((found.poses, found.placed_scans), (None, 0), "nothing tells where the scans were taken");
    }
}

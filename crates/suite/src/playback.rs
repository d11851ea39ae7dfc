//! A run as it can be played: some hundred frames, each with the poses of the robots and the scan that was taken.

use mapper::{MappedPose, RangeLimits, Scan, scans_of};
use model::{LogRecord, Point2, Pose2, Rigid, SensorLog};
use report::{Frame, RunPage, run_page};

use crate::JobError;

/// Frames of a run at most; the others are left out evenly. More cannot be told apart on a slider.
const MAX_FRAMES: usize = 600;
/// Points of a scan that are shown at most.
const MAX_POINTS: usize = 180;

/// Keeps scans for frames while a run of unknown length goes on.
#[derive(Debug)]
pub(crate) struct FrameRecorder {
    /// Every so many scans one is kept.
    every: usize,
    scans: usize,
    /// Number of the scan, its time and its points in the robot's frame.
    kept: Vec<(usize, f64, Vec<Point2>)>,
}

impl Default for FrameRecorder {
    fn default() -> Self {
        Self { every: 1, scans: 0, kept: Vec::new() }
    }
}

impl FrameRecorder {
    /// Takes the next scan.
    pub fn take(&mut self, scan: &Scan) {
        if self.scans.is_multiple_of(self.every) {
            if self.kept.len() == 2 * MAX_FRAMES {
                self.every *= 2;
                let every = self.every;
                self.kept.retain(|(number, ..)| number.is_multiple_of(every));
            }
            self.kept.push((self.scans, scan.time_s, thinned(&scan.hits_in_robot)));
        }
        self.scans += 1;
    }

    /// The frames, with the poses of all scans.
    pub fn frames(&self, poses: &[MappedPose]) -> Vec<Frame> {
        let frame = |(number, time_s, hits): &(usize, f64, Vec<Point2>)| {
            let robot = poses.get(*number)?.map_from_robot;
            let hits = hits.iter().map(|hit| robot * *hit).collect();
            Some(Frame { time_s: *time_s, robots: vec![robot], hits })
        };
        let step = self.kept.len().div_ceil(MAX_FRAMES).max(1);
        self.kept.iter().step_by(step).filter_map(frame).collect()
    }
}

fn thinned(points: &[Point2]) -> Vec<Point2> {
    let every = points.len().div_ceil(MAX_POINTS).max(1);
    points.iter().step_by(every).copied().collect()
}

/// The scans of a log where it says that the robot was: by its true poses, else by those of the scans or the odometry.
#[must_use]
pub fn frames_of_log(log: &SensorLog) -> Vec<Frame> {
    let input = scans_of(log, RangeLimits { min_m: 0.02, max_m: 80.0 });
    let mut truth: Vec<(f64, Pose2)> = log.records.iter().filter_map(true_pose).collect();
    truth.sort_by(|a, b| a.0.total_cmp(&b.0));
    let step = input.scans.len().div_ceil(MAX_FRAMES).max(1);
    let frame = |(scan, odom_from_robot): &(Scan, Pose2)| {
        let robot = if truth.is_empty() { *odom_from_robot } else { at(&truth, scan.time_s)? };
        let hits = thinned(&scan.hits_in_robot).into_iter().map(|hit| robot * hit).collect();
        Some(Frame { time_s: scan.time_s, robots: vec![robot], hits })
    };
    input.scans.iter().step_by(step).filter_map(frame).collect()
}

/// The page of a log: the run as it was recorded.
///
/// # Errors
/// The page cannot be made.
pub fn log_page(title: &str, log: &SensorLog) -> Result<String, JobError> {
    let frames = frames_of_log(log);
    let facts = vec![
        ("scans", log.scans().count().to_string()),
        ("readings of odometry", log.odometry().count().to_string()),
    ];
    Ok(run_page(&RunPage {
        title: title.to_owned(),
        kind: "Log",
        facts,
        frames: &frames,
        ..RunPage::default()
    })?)
}

/// The paths of several robots at the same times.
#[must_use]
pub(crate) fn frames_of_paths(paths: &[Vec<(f64, Pose2)>]) -> Vec<Frame> {
    let mut times_s: Vec<f64> = paths.iter().flatten().map(|(time_s, _)| *time_s).collect();
    times_s.sort_by(f64::total_cmp);
    times_s.dedup();
    let step = times_s.len().div_ceil(MAX_FRAMES).max(1);
    let frame = |time_s: f64| {
        let robots: Option<Vec<Pose2>> = paths.iter().map(|path| at(path, time_s)).collect();
        Some(Frame { time_s, robots: robots?, hits: Vec::new() })
    };
    times_s.into_iter().step_by(step).filter_map(frame).collect()
}

fn true_pose(record: &LogRecord) -> Option<(f64, Pose2)> {
    match record {
        LogRecord::TruePose { time_s, world_from_robot } => Some((*time_s, *world_from_robot)),
        _ => None,
    }
}

/// The pose at a time: between its neighbours, at the ends that of the end; none of an empty path.
fn at(path: &[(f64, Pose2)], time_s: f64) -> Option<Pose2> {
    let after = path.partition_point(|(t, _)| *t < time_s);
    let (Some(&(before_s, before)), Some(&(after_s, later))) =
        (after.checked_sub(1).and_then(|index| path.get(index)), path.get(after))
    else {
        return path.get(after).or(path.last()).map(|(_, pose)| *pose);
    };
    Some(before.toward(later, (time_s - before_s) / (after_s - before_s).max(f64::MIN_POSITIVE)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_run_is_thinned_evenly_and_keeps_its_first_scan() {
        for scans in [1, 600, 601, 5000] {
            let mut recorder = FrameRecorder::default();
            let pose = |number: usize| MappedPose {
                time_s: number as f64,
                map_from_robot: Pose2::new(number as f64, 0.0, 0.0),
                is_matched: true,
            };
            for number in 0..scans {
                let hits_in_robot = vec![Point2::new(1.0, 0.0); 1000];
                recorder.take(&Scan { time_s: number as f64, hits_in_robot, ..Scan::default() });
            }
            let frames = recorder.frames(&(0..scans).map(pose).collect::<Vec<_>>());
            assert!(
                frames.len() <= MAX_FRAMES && frames.len() > scans.min(MAX_FRAMES) / 3,
                "{}",
                frames.len()
            );
            assert!(frames.iter().all(|frame| frame.hits.len() <= MAX_POINTS));
            assert_eq!((frames[0].time_s, frames[0].hits[0].x_m), (0.0, 1.0));
            let last = frames.last().unwrap();
            assert_eq!(last.hits[0].x_m, last.time_s + 1.0, "points lie in the frame of the map");
        }
    }

    #[test]
    fn robots_that_start_late_wait_at_their_start() {
        let path = |from: usize| (from..4).map(|t| (t as f64, Pose2::new(t as f64, 0.0, 0.0))).collect();
        let frames = frames_of_paths(&[path(0), path(2)]);
        let second: Vec<f64> = frames.iter().map(|frame| frame.robots[1].x_m).collect();
        assert_eq!(second, [2.0, 2.0, 2.0, 3.0]);
        assert!(frames_of_paths(&[]).is_empty() && frames_of_log(&SensorLog::default()).is_empty());
    }
}

//! What is computed from the poses of a mapper: trajectory, corrected log, poses at the times of the odometry.

use align::trajectory::{Associate, Association, Fill, FoundBy, Lookup, Track};
use mapper::MappedPose;
use model::{Dimension, LogRecord, Pose2, PoseSource, SensorLog, StampedPose, TimeBase, Trajectory};

pub(super) fn trajectory(poses: &[MappedPose]) -> Trajectory {
    let pose = |pose: &MappedPose| StampedPose {
        time_s: pose.time_s,
        world_from_robot: pose.map_from_robot.into(),
        source: if pose.is_matched { PoseSource::Measured } else { PoseSource::Filled },
    };
    let poses = poses.iter().map(pose).collect();
    Trajectory { time_base: TimeBase::Seconds, dimension: Dimension::Planar, poses }
}

/// The scans of the log at the poses that were found; the laser keeps its place on the robot, which is the given one where
/// the log does not tell it.
pub(super) fn corrected(log: &SensorLog, poses: &[MappedPose], mount: Option<Pose2>) -> SensorLog {
    let mut poses = poses.iter().peekable();
    let records = log.scans().filter_map(|scan| {
        let found = poses.next_if(|pose| pose.time_s.to_bits() == scan.time_s.to_bits())?.map_from_robot;
        let robot_from_laser = match (scan.world_from_robot, scan.world_from_laser) {
            (Some(robot), Some(laser)) => robot.inverse() * laser,
            _ => mount.unwrap_or(Pose2::IDENTITY),
        };
        let mut scan = scan.clone();
        scan.world_from_robot = Some(found);
        scan.world_from_laser = Some(found * robot_from_laser);
        Some(LogRecord::Scan(scan))
    });
    SensorLog { records: records.collect(), skipped: Vec::new() }
}

/// L-FILL: poses at the times of the odometry and of the scans, matched or filled; none without odometry.
pub(super) fn filled(log: &SensorLog, poses: &[MappedPose], fill: Fill) -> Option<Vec<MappedPose>> {
    let readings: Vec<_> = log.odometry().map(|reading| (reading.time_s, reading.odom_from_robot)).collect();
    if readings.is_empty() {
        return None;
    }
    let odometry = Track::new(readings.into_iter());
    let track = Track::new(poses.iter().map(|pose| (pose.time_s, pose.map_from_robot)));
    let association = Association { rule: Associate::Filled, fill, ..Association::default() };
    let lookup = Lookup { track: &track, association, odometry: Some(&odometry) };
    let mut times_s: Vec<f64> = odometry.times_s().iter().chain(track.times_s()).copied().collect();
    times_s.sort_by(f64::total_cmp);
    times_s.dedup();
    let pose = |time_s: f64| {
        let found = lookup.at(time_s)?;
        Some(MappedPose { time_s, map_from_robot: found.pose, is_matched: found.by == FoundBy::Exact })
    };
    Some(times_s.into_iter().filter_map(pose).collect())
}

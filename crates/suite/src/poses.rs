//! Trajectories out of logs and pose graphs.

use model::{
    Dimension, LaserScan, LogRecord, Pose3, PoseGraph, PoseSource, SensorLog, StampedPose, TimeBase,
    Trajectory,
};

/// Kinds of log records that carry poses.
pub const LOG_RECORDS: [&str; 5] = ["odom", "flaser", "rlaser", "robotlaser", "truepos"];

/// The poses of the named records of a log, in the order of the file; of its scans if none is named, and of the odometry
/// of a log without scans, such as a topic of odometry.
///
/// # Errors
/// The first name that is no kind of record.
pub fn poses_of_log(log: &SensorLog, records: &[String]) -> Result<Trajectory, String> {
    if let Some(unknown) = records.iter().find(|name| !LOG_RECORDS.contains(&name.as_str())) {
        return Err(unknown.clone());
    }
    let is_odometry = records.is_empty() && log.scans().next().is_none();
    let takes = |name: &str| records.iter().any(|record| record == name) || is_odometry && name == "odom";
    let takes_scan = |scan: &LaserScan| match scan.sensor.as_str() {
        _ if records.is_empty() => true,
        "front" => takes("flaser"),
        "rear" => takes("rlaser"),
        _ => takes("robotlaser") || takes("flaser"),
    };
    let pose = |record: &LogRecord| {
        let (time_s, pose) = match record {
            LogRecord::Scan(scan) if takes_scan(scan) => (scan.time_s, scan.world_from_robot?),
            LogRecord::Odometry(odometry) if takes("odom") => (odometry.time_s, odometry.odom_from_robot),
            LogRecord::TruePose { time_s, world_from_robot } if takes("truepos") => {
                (*time_s, *world_from_robot)
            }
            _ => return None,
        };
        Some(StampedPose { time_s, world_from_robot: pose.into(), source: PoseSource::Measured })
    };
    let poses = log.records.iter().filter_map(pose).collect();
    Ok(Trajectory { time_base: TimeBase::Seconds, dimension: Dimension::Planar, poses })
}

/// The poses that the scans of a log carry.
#[must_use]
pub fn scan_poses(log: &SensorLog) -> Trajectory {
    let pose = |scan: &LaserScan| {
        let world_from_robot = scan.world_from_robot?.into();
        Some(StampedPose { time_s: scan.time_s, world_from_robot, source: PoseSource::Measured })
    };
    let poses = log.scans().filter_map(pose).collect();
    Trajectory { time_base: TimeBase::Seconds, dimension: Dimension::Planar, poses }
}

/// The vertices of a graph in the order of their numbers.
#[must_use]
pub fn poses_of_graph(graph: &PoseGraph) -> Trajectory {
    let mut vertices: Vec<_> = graph.vertices.iter().collect();
    vertices.sort_by_key(|vertex| vertex.id);
    let poses: Vec<Pose3> = vertices.iter().map(|vertex| vertex.world_from_vertex).collect();
    let stamped = |(index, &world_from_robot): (usize, &Pose3)| StampedPose {
        time_s: index as f64,
        world_from_robot,
        source: PoseSource::Measured,
    };
    Trajectory {
        time_base: TimeBase::Index,
        dimension: graph.dimension,
        poses: poses.iter().enumerate().map(stamped).collect(),
    }
}

//! The files that mapping writes.

use std::fmt::Write;
use std::path::Path;

use align::trajectory::{Associate, Association, Fill, FoundBy, Lookup, Track};
use formats::{
    GeoTiffFrame, GeoTiffLayer, GeoTiffLayerPixels, write_carmen, write_g2o, write_geotiff, write_pose_log,
    write_ros_map, write_tum,
};
use mapper::MappedPose;
use model::{
    CellClass, Dimension, Grid, LogRecord, NavigationClass, Pose2, PoseSource, SensorLog, StampedPose,
    TimeBase, Trajectory,
};

use super::Mapped;
use crate::JobError;

/// Names and bytes of all files but the report.
pub(super) fn of(
    log: &SensorLog,
    mapped: &Mapped,
    fill: Fill,
    folder: &Path,
) -> Result<Vec<(&'static str, Vec<u8>)>, JobError> {
    let (yaml, pgm) = write_ros_map(&mapped.map, "map.pgm");
    let trajectory = trajectory(&mapped.poses);
    let mut files = vec![
        ("map.pgm", pgm),
        ("map.yaml", yaml.into_bytes()),
        ("map.tif", geotiff(&mapped.map, folder)?),
        ("trajectory.xyt", write_pose_log(&trajectory).into_bytes()),
        ("trajectory.tum", write_tum(&trajectory).into_bytes()),
        ("corrected.log", write_carmen(&corrected(log, &mapped.poses)).into_bytes()),
    ];
    if let Some(graph) = &mapped.graph {
        files.push(("graph.g2o", write_g2o(graph).into_bytes()));
    }
    if let Some(filled) = filled(log, &mapped.poses, fill) {
        files.push(("filled.csv", filled.into_bytes()));
    }
    Ok(files)
}

fn trajectory(poses: &[MappedPose]) -> Trajectory {
    let pose = |pose: &MappedPose| StampedPose {
        time_s: pose.time_s,
        world_from_robot: pose.map_from_robot.into(),
        source: if pose.is_matched { PoseSource::Measured } else { PoseSource::Filled },
    };
    let poses = poses.iter().map(pose).collect();
    Trajectory { time_base: TimeBase::Seconds, dimension: Dimension::Planar, poses }
}

/// Navigation, probability and occupancy layers. Nobody has looked for victims, so free is not cleared.
fn geotiff(map: &Grid, folder: &Path) -> Result<Vec<u8>, JobError> {
    let class = |class: &CellClass| match class {
        CellClass::Free => NavigationClass::Uncleared,
        CellClass::Occupied => NavigationClass::Untraversable,
        CellClass::Unknown => NavigationClass::Unknown,
    };
    let classes: Vec<NavigationClass> = map.classes().iter().map(class).collect();
    let numbers: Vec<f32> = (0..map.classes().len()).map(|index| map.number(index) as f32).collect();
    let layers = [
        GeoTiffLayer { name: "navigation", pixels: GeoTiffLayerPixels::Navigation(&classes) },
        GeoTiffLayer { name: "occupancy", pixels: GeoTiffLayerPixels::Occupancy(map) },
        GeoTiffLayer { name: "probability", pixels: GeoTiffLayerPixels::Probability(&numbers) },
    ];
    write_geotiff(map.geometry(), &GeoTiffFrame::Local("map".to_owned()), &layers)
        .map_err(|error| JobError::Unwritable { output: folder.join("map.tif"), why: error.to_string() })
}

/// The scans of the log at the poses that were found; the laser keeps its place on the robot.
fn corrected(log: &SensorLog, poses: &[MappedPose]) -> SensorLog {
    let mut poses = poses.iter().peekable();
    let records = log.scans().filter_map(|scan| {
        let found = poses.next_if(|pose| pose.time_s.to_bits() == scan.time_s.to_bits())?.map_from_robot;
        let robot_from_laser = match (scan.world_from_robot, scan.world_from_laser) {
            (Some(robot), Some(laser)) => robot.inverse() * laser,
            _ => Pose2::IDENTITY,
        };
        let mut scan = scan.clone();
        scan.world_from_robot = Some(found);
        scan.world_from_laser = Some(found * robot_from_laser);
        Some(LogRecord::Scan(scan))
    });
    SensorLog { records: records.collect(), skipped: Vec::new() }
}

/// L-FILL: poses at the times of the odometry, each with the word `matched` or `filled`; none without odometry.
fn filled(log: &SensorLog, poses: &[MappedPose], fill: Fill) -> Option<String> {
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
    let mut text = String::from("time_s,x_m,y_m,theta_rad,source\n");
    for time_s in times_s {
        let Some(found) = lookup.at(time_s) else { continue };
        let source = if found.by == FoundBy::Exact { "matched" } else { "filled" };
        let Pose2 { x_m, y_m, theta_rad } = found.pose;
        // Writing into a string cannot fail.
        let _ = writeln!(text, "{time_s:?},{x_m:?},{y_m:?},{theta_rad:?},{source}");
    }
    Some(text)
}

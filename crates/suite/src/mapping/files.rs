//! The edge of mapping: logs and settings from files, results into folders.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use formats::{
    Content, GeoTiffFrame, GeoTiffLayer, GeoTiffLayerPixels, GeoTiffWriteError, ReadOptions, read_document,
    write_carmen, write_g2o, write_geotiff, write_pose_log, write_ros_map, write_tum,
};
use mapper::MappedPose;
use model::{CellClass, Grid, LogRecord, NavigationClass, Odometry, Pose2, SensorLog};

use super::{MapError, MapPlan, MapReport, MapResult, Settings, StepRecord, make_map};
use crate::JobError;
use crate::files::shown_path as shown;

/// A file to map, and where the results go.
#[derive(Clone, Debug)]
pub struct MapJob {
    /// Log with scans.
    pub log: PathBuf,
    /// Topic of the same bag that has the odometry; none where the log has it beside the scans.
    pub odometry_topic: Option<String>,
    /// How to map it.
    pub plan: MapPlan,
    /// Folder to write into; made if it is not there.
    pub folder: PathBuf,
}

/// Maps a file and writes what [`write_map_result`] writes. `progress` is told the scans done and all scans.
///
/// # Errors
/// The log cannot be read or has no scan with a return, a parameter is unknown or out of range, or a file cannot be
/// written.
pub fn map_file(
    job: &MapJob,
    options: &ReadOptions,
    progress: &dyn Fn(usize, usize),
) -> Result<MapReport, JobError> {
    let document = read_document(&job.log, options)?;
    let Content::Log(log) = document.content else {
        let why = format!("found a {}, expected a log with scans", document.content.kind().name());
        return Err(no_map(&job.log, why));
    };
    let log = with_odometry(job, log, options)?;
    let mut result = make_map(&log, &job.plan, progress).map_err(|error| match error {
        MapError::Settings(error) => error.into(),
        MapError::NoMap { .. } => no_map(&job.log, error.to_string()),
    })?;
    result.report.log = shown(&job.log);
    result.report.findings = document.findings;
    write_map_result(&job.folder, result)
}

/// Lays the parameters of a TOML file over settings.
///
/// # Errors
/// The file cannot be read or is no table of parameters.
pub fn read_settings(path: &Path, settings: &mut Settings) -> Result<(), JobError> {
    let text = std::fs::read_to_string(path).map_err(|source| JobError::file(path, source))?;
    settings
        .set_table(&text)
        .map_err(|error| JobError::JobFile { path: path.display().to_string(), message: error.to_string() })
}

/// The log with the odometry of another topic: readings of a log, or poses of a trajectory such as that of a transform.
fn with_odometry(job: &MapJob, mut log: SensorLog, options: &ReadOptions) -> Result<SensorLog, JobError> {
    let Some(topic) = &job.odometry_topic else { return Ok(log) };
    let options = ReadOptions { topic: Some(topic.clone()), ..options.clone() };
    let reading = |time_s: f64, odom_from_robot: Pose2| {
        LogRecord::Odometry(Odometry { time_s, odom_from_robot, speed_mps: None, turn_rate_radps: None })
    };
    match read_document(&job.log, &options)?.content {
        Content::Log(other) => log.records.extend(other.odometry().cloned().map(LogRecord::Odometry)),
        Content::Trajectory(poses) => {
            let readings =
                poses.poses.iter().map(|pose| reading(pose.time_s, pose.world_from_robot.planar()));
            log.records.extend(readings);
        }
        other => {
            let why = format!("topic {topic}: expected odometry or poses, found a {}", other.kind().name());
            return Err(no_map(&job.log, why));
        }
    }
    Ok(log)
}

fn no_map(log: &Path, why: String) -> JobError {
    JobError::NoMap { path: shown(log), why }
}

/// Writes the files of [`map_result_files`] and `report.json` into a folder, which is made if it is not there; the report
/// with their names.
///
/// # Errors
/// A file cannot be written.
pub fn write_map_result(folder: &Path, result: MapResult) -> Result<MapReport, JobError> {
    std::fs::create_dir_all(folder).map_err(|source| JobError::file(folder, source))?;
    let write = |name: &str, bytes: &[u8]| {
        let path = folder.join(name);
        std::fs::write(&path, bytes).map_err(|source| JobError::file(&path, source))
    };
    let files = map_result_files(&result).map_err(|error| JobError::Unwritable {
        output: folder.join("map.tif").display().to_string(),
        why: error.to_string(),
    })?;
    let mut report = result.report;
    for (name, bytes) in files {
        write(name, &bytes)?;
        report.files.push(name.to_owned());
    }
    report.files.push("report.json".to_owned());
    let text = serde_json::to_string_pretty(&report)
        .map_err(|error| JobError::file(folder.join("report.json"), std::io::Error::other(error)))?;
    write("report.json", (text + "\n").as_bytes())?;
    Ok(report)
}

/// Names and bytes of all files but the report: `map.pgm`, `map.yaml`, `map.tif`, `trajectory.xyt`, `trajectory.tum`,
/// `corrected.log`, `graph.g2o` where there is a graph, `filled.csv` where the log has odometry of its own, `steps.csv`.
///
/// # Errors
/// The map is too large for a GeoTIFF.
pub fn map_result_files(result: &MapResult) -> Result<Vec<(&'static str, Vec<u8>)>, GeoTiffWriteError> {
    let (yaml, pgm) = write_ros_map(&result.map, "map.pgm");
    let mut files = vec![
        ("map.pgm", pgm),
        ("map.yaml", yaml.into_bytes()),
        ("map.tif", geotiff(&result.map)?),
        ("trajectory.xyt", write_pose_log(&result.trajectory).into_bytes()),
        ("trajectory.tum", write_tum(&result.trajectory).into_bytes()),
        ("corrected.log", write_carmen(&result.corrected).into_bytes()),
    ];
    files.extend(result.graph.as_ref().map(|graph| ("graph.g2o", write_g2o(graph).into_bytes())));
    files.extend(result.filled.as_ref().map(|poses| ("filled.csv", filled_csv(poses).into_bytes())));
    files.push(("steps.csv", steps_csv(&result.steps).into_bytes()));
    Ok(files)
}

/// Navigation, probability and occupancy layers. Victims were not searched for, so free is not cleared.
fn geotiff(map: &Grid) -> Result<Vec<u8>, GeoTiffWriteError> {
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
}

fn filled_csv(poses: &[MappedPose]) -> String {
    let mut text = String::from("time_s,x_m,y_m,theta_rad,source\n");
    for MappedPose { time_s, map_from_robot: Pose2 { x_m, y_m, theta_rad }, is_matched } in poses {
        let source = if *is_matched { "matched" } else { "filled" };
        // Writing into a string cannot fail.
        let _ = writeln!(text, "{time_s:?},{x_m:?},{y_m:?},{theta_rad:?},{source}");
    }
    text
}

/// What each step published: the pose as it was known then, its covariance, the effective number of particles and the time
/// it took. Columns that the mapper does not know are empty.
fn steps_csv(steps: &[StepRecord]) -> String {
    let mut text = String::from(
        "time_s,x_m,y_m,theta_rad,matched,spread_m,xx_m2,xy_m2,xt_mrad,yy_m2,yt_mrad,tt_rad2,\
         effective_particles,step_ms\n",
    );
    let known = |number: Option<f64>| number.map_or_else(String::new, |number| format!("{number:?}"));
    for StepRecord { time_s, map_from_robot: Pose2 { x_m, y_m, theta_rad }, step, took_ms } in steps {
        let matched = u8::from(step.is_matched);
        let covariance: Vec<String> =
            (0..6).map(|at| known(step.covariance.map(|numbers| numbers[at]))).collect();
        // Writing into a string cannot fail.
        let _ = writeln!(
            text,
            "{time_s:?},{x_m:?},{y_m:?},{theta_rad:?},{matched},{},{},{},{took_ms:.4}",
            known(step.spread_m),
            covariance.join(","),
            known(step.effective_particles)
        );
    }
    text
}

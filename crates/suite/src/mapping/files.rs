//! The edge of mapping: logs and settings from files, results into folders.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use formats::{
    GeoTiffFrame, GeoTiffLayer, GeoTiffLayerPixels, GeoTiffWriteError, ReadOptions, write_carmen, write_g2o,
    write_geotiff, write_pose_log, write_ros_map, write_tum,
};
use mapper::MappedPose;
use model::{CellClass, Grid, NavigationClass, Pose2};

use super::page::map_page;
use super::{MapError, MapPlan, MapReport, MapResult, MappingRun, Settings, StepRecord, take_scans};
use crate::files::{MAX_SETTINGS_BYTES, OutputFolder, read_run_log, read_small_text, shown_path as shown};
use crate::{JobError, Snapshots};

/// A file to map, and where the results go.
#[derive(Clone, Debug)]
pub struct MapJob {
    /// Log with scans.
    pub log: PathBuf,
    /// Topic of the same bag that has the odometry, or `none`; without it the only one is taken.
    pub odometry_topic: Option<String>,
    /// How to map it.
    pub plan: MapPlan,
    /// Folder to write into; made if it is not there.
    pub folder: OutputFolder,
    /// Map and pose are written after so many seconds of the log, again and again.
    pub snapshot_every_s: Option<f64>,
}

/// All files that a map may have.
pub const MAP_FILES: [&str; 11] = [
    "map.pgm",
    "map.yaml",
    "map.tif",
    "trajectory.xyt",
    "trajectory.tum",
    "corrected.log",
    "graph.g2o",
    "filled.csv",
    "steps.csv",
    "index.html",
    "report.json",
];

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
    job.folder.check(&MAP_FILES)?;
    let run = read_run_log(&job.log, job.odometry_topic.as_deref(), options)?;
    let robot_from_laser = job.plan.robot_from_laser.or(run.robot_from_laser);
    let plan = MapPlan { robot_from_laser, ..job.plan.clone() };
    let failed = |error: MapError| match error {
        MapError::Settings(error) => error.into(),
        MapError::NoMap { .. } | MapError::NoSonar { .. } => {
            JobError::NoMap { path: shown(&job.log), why: error.to_string() }
        }
    };
    let snapshots =
        job.snapshot_every_s.map(|every_s| Snapshots::new(job.folder.clone(), every_s)).transpose()?;
    let mut mapping = MappingRun::new(&plan).map_err(failed)?.with_snapshots(snapshots);
    let counts = take_scans(&mut mapping, &run.log, &plan, progress).map_err(failed)?;
    mapping.take_failure()?;
    let mut result = mapping.into_result(&run.log, counts, Vec::new()).map_err(failed)?;
    result.report.log = shown(&job.log);
    result.report.findings.splice(0..0, run.findings);
    write_map_result(&job.folder, result)
}

/// Lays the parameters of a TOML file over settings.
///
/// # Errors
/// The file cannot be read or is no table of parameters.
pub fn read_settings(path: &Path, settings: &mut Settings) -> Result<(), JobError> {
    let text = read_small_text(path, MAX_SETTINGS_BYTES)?;
    settings
        .set_table(&text)
        .map_err(|error| JobError::JobFile { path: path.display().to_string(), message: error.to_string() })
}

/// Writes the files of [`map_result_files`], the page `index.html` and `report.json` into a folder, which is made if it is not there; the report
/// with their names.
///
/// # Errors
/// A file cannot be written.
pub fn write_map_result(folder: &OutputFolder, result: MapResult) -> Result<MapReport, JobError> {
    let files = map_result_files(&result).map_err(|error| JobError::Unwritable {
        output: folder.path().join("map.tif").display().to_string(),
        why: error.to_string(),
    })?;
    let page = map_page(&result)?;
    let mut report = result.report;
    for (name, bytes) in files {
        folder.write(name, &bytes)?;
        report.files.push(name.to_owned());
    }
    folder.write("index.html", page)?;
    report.files.extend(["index.html".to_owned(), "report.json".to_owned()]);
    let text = serde_json::to_string_pretty(&report)
        .map_err(|error| JobError::file(folder.path().join("report.json"), std::io::Error::other(error)))?;
    folder.write("report.json", text + "\n")?;
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

/// A number with the digits that give it back; a zero has no sign.
fn unsigned_zero(number: f64) -> String {
    // The sum of both zeros is the positive one.
    format!("{:?}", number + 0.0)
}

/// What each step published: the pose as it was known then, its covariance, the effective number of particles and the time
/// it took. Columns that the mapper does not know are empty.
fn steps_csv(steps: &[StepRecord]) -> String {
    let mut text = String::from(
        "time_s,x_m,y_m,theta_rad,matched,spread_m,xx_m2,xy_m2,xt_mrad,yy_m2,yt_mrad,tt_rad2,\
         effective_particles,step_ms,on_surface\n",
    );
    let known = |number: Option<f64>| number.map_or_else(String::new, unsigned_zero);
    for StepRecord { time_s, map_from_robot: Pose2 { x_m, y_m, theta_rad }, step, took_ms } in steps {
        let [x_m, y_m, theta_rad] = [*x_m, *y_m, *theta_rad].map(unsigned_zero);
        let matched = u8::from(step.is_matched);
        let covariance: Vec<String> =
            (0..6).map(|at| known(step.covariance.map(|numbers| numbers[at]))).collect();
        // Writing into a string cannot fail.
        let _ = writeln!(
            text,
            "{time_s:?},{x_m},{y_m},{theta_rad},{matched},{},{},{},{took_ms:.4},{}",
            known(step.spread_m),
            covariance.join(","),
            known(step.effective_particles),
            known(step.on_surface)
        );
    }
    text
}

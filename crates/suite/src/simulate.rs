//! A simulated run as files: message log, CARMEN log, true trajectory.

use std::path::{Path, PathBuf};

use model::Point2;
use serde::Serialize;
use sim::arena::Arena;
use sim::robot::RobotModel;
use sim::run::{Recorder, SimulatedRun, Simulator, drive_way_points, read_way_points};

use crate::JobError;

/// How the robot is driven.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Driving {
    /// Along the way points of a file.
    WayPoints(PathBuf),
}

/// What is simulated.
#[derive(Clone, Debug)]
pub struct Simulation {
    /// The robot.
    pub robot: RobotModel,
    /// Who drives.
    pub driving: Driving,
    /// Seed of all noise.
    pub seed: u64,
    /// The run ends here at the latest, seconds. The contest gives 20 minutes.
    pub longest_s: f64,
}

/// What a run came to.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SimulationReport {
    /// Seconds.
    pub time_s: f64,
    /// Metres over the map.
    pub distance_m: f64,
    /// Scans.
    pub scans: usize,
    /// Readings of odometry.
    pub odometry: usize,
    /// Steps in which the robot was stopped by something.
    pub collisions: usize,
    /// Way points that were reached.
    pub reached: usize,
    /// Way points.
    pub way_points: usize,
}

/// Largest file of way points.
const MAX_WAY_POINT_BYTES: u64 = 16 << 20;

/// Runs a simulation and writes `log.usar`, `log.clf`, `truth.tum` and `truth.xyt` into a folder.
///
/// # Errors
/// The way points cannot be read, or the folder cannot be written to.
pub fn simulate(arena: &Arena, simulation: &Simulation, folder: &Path) -> Result<SimulationReport, JobError> {
    let Driving::WayPoints(file) = &simulation.driving;
    let points = way_points(file)?;
    let mut simulator = Simulator::new(arena, simulation.robot.clone(), simulation.seed);
    let mut recorder = Recorder::default();
    let reached = drive_way_points(&mut simulator, &mut recorder, &points, simulation.longest_s);
    let run = recorder.run(simulator.distance_m());
    write_run(&run, folder)?;
    Ok(SimulationReport {
        time_s: simulator.time_s(),
        distance_m: run.distance_m,
        scans: run.log.scans().count(),
        odometry: run.log.odometry().count(),
        collisions: simulator.collisions(),
        reached,
        way_points: points.len(),
    })
}

fn way_points(file: &Path) -> Result<Vec<Point2>, JobError> {
    let about = |message: String| JobError::Arena { path: file.to_owned(), message };
    let bytes = std::fs::metadata(file).map_err(|source| JobError::file(file, source))?.len();
    if bytes > MAX_WAY_POINT_BYTES {
        return Err(about(format!("{bytes} bytes: expected at most {MAX_WAY_POINT_BYTES}")));
    }
    let text = std::fs::read_to_string(file).map_err(|source| JobError::file(file, source))?;
    read_way_points(&text).map_err(|error| about(error.to_string()))
}

/// Writes the files of a run.
fn write_run(run: &SimulatedRun, folder: &Path) -> Result<(), JobError> {
    std::fs::create_dir_all(folder).map_err(|source| JobError::file(folder, source))?;
    let write = |name: &str, text: &str| {
        let path = folder.join(name);
        std::fs::write(&path, text).map_err(|source| JobError::file(&path, source))
    };
    write("log.clf", &formats::write_carmen(&run.log))?;
    write("truth.tum", &formats::write_tum(&run.truth))?;
    write("truth.xyt", &formats::write_pose_log(&run.truth))
}

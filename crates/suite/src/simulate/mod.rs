//! A simulated run as files: message log, CARMEN log, true trajectory.

mod explorer;

use std::path::{Path, PathBuf};

use model::Point2;
use serde::Serialize;
use sim::arena::Arena;
use sim::robot::RobotModel;
use sim::run::{Recorder, SimulatedRun, Simulator, drive_way_points, read_way_points};

use crate::JobError;
use explorer::Explorer;

/// How the robot is driven.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Driving {
    /// Along the way points of a file.
    WayPoints(PathBuf),
    /// By itself, until it has seen what it can.
    Explore,
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
    /// Way points that were reached; null if the robot explored.
    pub reached: Option<usize>,
    /// Way points; null if the robot explored.
    pub way_points: Option<usize>,
    /// Square metres of free space that the robot saw; null along way points.
    pub explored_m2: Option<f64>,
}

/// A robot that explores keeps this far from walls, beyond its radius: half a cell and its wheels' error.
const CLEARANCE_M: f64 = 0.05;
/// Largest file of way points.
const MAX_WAY_POINT_BYTES: u64 = 16 << 20;

/// Runs a simulation and writes `log.usar`, `log.clf`, `truth.tum` and `truth.xyt` into a folder.
///
/// # Errors
/// The way points cannot be read, or the folder cannot be written to.
pub fn simulate(arena: &Arena, simulation: &Simulation, folder: &Path) -> Result<SimulationReport, JobError> {
    let mut simulator = Simulator::new(arena, simulation.robot.clone(), simulation.seed);
    let mut recorder = Recorder::default();
    let (mut reached, mut way_points, mut explored_m2) = (None, None, None);
    match &simulation.driving {
        Driving::WayPoints(file) => {
            let points = read_points(file)?;
            way_points = Some(points.len());
            reached = Some(drive_way_points(&mut simulator, &mut recorder, &points, simulation.longest_s));
        }
        Driving::Explore => {
            explored_m2 = Some(explore_arena(arena, &mut simulator, &mut recorder, simulation.longest_s)?);
        }
    }
    let run = recorder.run(simulator.distance_m());
    write_run(&run, folder)?;
    Ok(SimulationReport {
        time_s: simulator.time_s(),
        distance_m: run.distance_m,
        scans: run.log.scans().count(),
        odometry: run.log.odometry().count(),
        collisions: simulator.collisions(),
        reached,
        way_points,
        explored_m2,
    })
}

/// Lets the exploration loop drive; the area that it has seen in the end.
fn explore_arena(
    arena: &Arena,
    simulator: &mut Simulator,
    recorder: &mut Recorder,
    longest_s: f64,
) -> Result<f64, JobError> {
    let radius_m = simulator.robot().outer_radius_m();
    let mut planning = explore::Planning { robot_radius_m: radius_m, ..explore::Planning::default() };
    planning.discomfort.d_min_m = radius_m + CLEARANCE_M;
    let params = explore::RunParams { planning, max_time_s: longest_s, ..explore::RunParams::default() };
    let mut explorer = Explorer::new(simulator, recorder, arena.geometry()?);
    let run =
        explore::run(&mut explorer, &params, &|_| {}).map_err(|error| JobError::Robot(error.to_string()))?;
    Ok(run.area.final_area_m2())
}

fn read_points(file: &Path) -> Result<Vec<Point2>, JobError> {
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
    write("log.usar", &formats::usarsim::write(&run.log, &formats::usarsim::UsarsimOptions::default()))?;
    write("log.clf", &formats::write_carmen(&run.log))?;
    write("truth.tum", &formats::write_tum(&run.truth))?;
    write("truth.xyt", &formats::write_pose_log(&run.truth))
}

//! A simulated run as files: message log, CARMEN log, true trajectory.

mod explorer;

use std::cell::Cell;
use std::path::{Path, PathBuf};

use model::{CellClass, Point2};
use serde::Serialize;
use sim::arena::Arena;
use sim::robot::RobotModel;
use sim::run::{Recorder, SensorEvent, SimulatedRun, Simulator, drive_way_points_watched, read_way_points};

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
    /// Share of the free ground of the truth that the robot saw, 0 to 1; null along way points.
    pub explored_share: Option<f64>,
}

/// How far a simulation is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SimulationProgress {
    /// Scans of the first scanner so far.
    pub scans: usize,
    /// Share of the free ground that is known, or of the way points that are reached, 0 to 1.
    pub share: f64,
}

/// A robot that explores keeps this far from walls, beyond its radius: half a cell and its wheels' error.
const CLEARANCE_M: f64 = 0.05;
/// Largest file of way points.
const MAX_WAY_POINT_BYTES: u64 = 16 << 20;

/// Runs a simulation, tells how far it is, and writes `log.usar`, `log.clf`, `truth.tum` and `truth.xyt` into a folder.
///
/// # Errors
/// The way points cannot be read, or the folder cannot be written to.
pub fn simulate(
    arena: &Arena,
    simulation: &Simulation,
    folder: &Path,
    progress: &dyn Fn(SimulationProgress),
) -> Result<SimulationReport, JobError> {
    let mut simulator = Simulator::new(arena, simulation.robot.clone(), simulation.seed);
    let mut recorder = Recorder::default();
    let (mut reached, mut way_points, mut explored) = (None, None, None);
    match &simulation.driving {
        Driving::WayPoints(file) => {
            let points = read_points(file)?;
            way_points = Some(points.len());
            let all = points.len().max(1) as f64;
            let mut scans = 0;
            let mut watch = |simulator: &Simulator, reached: usize| {
                let is_scan = |event: &&SensorEvent| matches!(event, SensorEvent::Scan { laser: 0, .. });
                scans += simulator.events().iter().filter(is_scan).count();
                progress(SimulationProgress { scans, share: reached as f64 / all });
            };
            let longest_s = simulation.longest_s;
            reached =
                Some(drive_way_points_watched(&mut simulator, &mut recorder, &points, longest_s, &mut watch));
        }
        Driving::Explore => {
            explored =
                Some(explore_arena(arena, &mut simulator, &mut recorder, simulation.longest_s, progress)?);
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
        explored_m2: explored.map(|(area_m2, _)| area_m2),
        explored_share: explored.map(|(_, share)| share),
    })
}

/// Lets the exploration loop drive; the area that it has seen in the end, and its share of the free ground.
fn explore_arena(
    arena: &Arena,
    simulator: &mut Simulator,
    recorder: &mut Recorder,
    longest_s: f64,
    progress: &dyn Fn(SimulationProgress),
) -> Result<(f64, f64), JobError> {
    let radius_m = simulator.robot().outer_radius_m();
    let mut planning = explore::Planning { robot_radius_m: radius_m, ..explore::Planning::default() };
    planning.discomfort.d_min_m = radius_m + CLEARANCE_M;
    let params = explore::RunParams { planning, max_time_s: longest_s, ..explore::RunParams::default() };
    let truth = arena
        .truth(simulator.robot().lasers.first().map_or(0.0, |laser| laser.robot_from_laser.position_m[2]))?;
    let [free_cells, _, _] = truth.class_counts();
    let free_m2 = (free_cells as f64 * arena.cell_size_m * arena.cell_size_m).max(f64::MIN_POSITIVE);
    let scans = Cell::new(0);
    let mut explorer = Explorer::new(simulator, recorder, *truth.geometry(), &scans);
    let told = |area_m2: f64| {
        progress(SimulationProgress { scans: scans.get(), share: (area_m2 / free_m2).min(1.0) });
    };
    let run =
        explore::run(&mut explorer, &params, &told).map_err(|error| JobError::Robot(error.to_string()))?;
    let is_seen =
        |(known, truth): &(&CellClass, &CellClass)| **known == CellClass::Free && **truth == CellClass::Free;
    let seen = run.map.iter().zip(truth.classes()).filter(is_seen).count();
    Ok((run.area.final_area_m2(), seen as f64 / free_cells.max(1) as f64))
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

#[cfg(test)]
mod tests {
    use formats::{Content, ReadOptions, read_document};
    use model::{LogRecord, SensorLog};
    use sim::run::RampDrive;
    use sim::sensor::Levelling;

    use super::*;

    fn read_back(folder: &Path, name: &str) -> SensorLog {
        match read_document(&folder.join(name), &ReadOptions::default()).unwrap().content {
            Content::Log(log) => log,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn the_message_log_holds_the_scans_odometry_and_attitudes_of_the_run() {
        let folder = tempfile::tempdir().unwrap();
        let robot = RobotModel { levelling: Some(Levelling::default()), ..RobotModel::default() };
        let (_, run) = RampDrive { columns: 2, rows: 2, robot, ..RampDrive::default() }.run().unwrap();
        write_run(&run, folder.path()).unwrap();
        let read = read_back(folder.path(), "log.usar");
        assert_eq!(read.records.len(), run.log.records.len());
        assert!(read.scans().count() > 50 && read.attitudes().count() == 2 * read.scans().count());
        for (read, written) in read.records.iter().zip(&run.log.records) {
            match (read, written) {
                (LogRecord::Scan(read), LogRecord::Scan(written)) => {
                    assert_eq!((read.time_s, &read.ranges_m), (written.time_s, &written.ranges_m));
                    let [read, written] = [read.beams, written.beams];
                    assert!((read.first_rad - written.first_rad).abs() < 1e-12);
                    assert!((read.step_rad - written.step_rad).abs() < 1e-12);
                    assert_eq!(read.max_range_m, written.max_range_m);
                }
                (LogRecord::Odometry(read), LogRecord::Odometry(written)) => {
                    assert_eq!(
                        (read.time_s, read.odom_from_robot),
                        (written.time_s, written.odom_from_robot)
                    );
                }
                (read, written) => assert_eq!(read, written),
            }
        }
        let carmen = read_back(folder.path(), "log.clf");
        assert_eq!(carmen.scans().count(), run.log.scans().count());
        assert_eq!(carmen.attitudes().count(), 0, "CARMEN has no place for them");
    }
}

//! A robot driven through an arena: along way points, or by itself until it has seen what it can.

mod explorer;
mod files;
mod upright;

use std::cell::Cell;

use model::{CellClass, Grid, LogRecord, Point2, SensorLog, StampedPose};
use report::{RunPage, run_page};
use serde::Serialize;
use sim::arena::Arena;
use sim::robot::RobotModel;
use sim::run::{Recorder, SensorEvent, SimulatedRun, Simulator, drive_way_points_watched};

use crate::JobError;
use crate::playback::frames_of_log;
use explorer::Explorer;
pub use files::{SIMULATION_FILES, read_way_points, write_simulated_run};
pub use upright::UprightReport;
use upright::{slope_csv, upright_readings, upright_report};

/// How the robot is driven.
#[derive(Clone, Debug, PartialEq)]
pub enum Driving {
    /// Along way points in the coordinate frame of the arena.
    WayPoints(Vec<Point2>),
    /// By itself, until it has seen what it can.
    Explore,
}

/// What is simulated.
#[derive(Clone, Debug)]
pub struct Simulation {
    /// Its size, wheels and sensors.
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
    /// Simulated time, seconds.
    pub time_s: f64,
    /// Distance travelled over the map, metres.
    pub distance_m: f64,
    /// Scans of all lasers.
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
    /// Slopes by the vertical scanner; null without one.
    pub upright: Option<UprightReport>,
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

/// What a simulation made.
#[derive(Clone, Debug)]
pub struct Simulated {
    /// The log of the sensors, and the true trajectory.
    pub run: SimulatedRun,
    /// Its figures.
    pub report: SimulationReport,
    /// The ground that the scanner could see.
    pub ground: Grid,
    /// A line per scan of the vertical scanner; none without one.
    pub slope_csv: Option<String>,
}

/// Runs a simulation, and tells how far it is.
///
/// # Errors
/// The truth grid of the arena is too large, or the robot cannot explore from its start.
pub fn simulate(
    arena: &Arena,
    simulation: &Simulation,
    progress: &dyn Fn(SimulationProgress),
) -> Result<Simulated, JobError> {
    let mut simulator = Simulator::new(arena, simulation.robot.clone(), simulation.seed);
    let mut recorder = Recorder::default();
    let (mut reached, mut way_points, mut explored) = (None, None, None);
    match &simulation.driving {
        Driving::WayPoints(points) => {
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
                Some(drive_way_points_watched(&mut simulator, &mut recorder, points, longest_s, &mut watch));
        }
        Driving::Explore => {
            explored =
                Some(explore_arena(arena, &mut simulator, &mut recorder, simulation.longest_s, progress)?);
        }
    }
    let run = recorder.run(simulator.distance_m());
    let slopes = upright_readings(simulator.robot(), &run);
    let report = SimulationReport {
        time_s: simulator.time_s(),
        distance_m: run.distance_m,
        scans: run.log.scans().count(),
        odometry: run.log.odometry().count(),
        collisions: simulator.collisions(),
        reached,
        way_points,
        explored_m2: explored.map(|(area_m2, _)| area_m2),
        explored_share: explored.map(|(_, share)| share),
        upright: slopes.as_deref().map(upright_report),
    };
    let ground = ground(arena, simulator.robot())?;
    Ok(Simulated { run, report, ground, slope_csv: slopes.as_deref().map(slope_csv) })
}

/// The truth at the height of the first scanner.
fn ground(arena: &Arena, robot: &RobotModel) -> Result<Grid, JobError> {
    Ok(arena.truth(robot.lasers.first().map_or(0.0, |laser| laser.robot_from_laser.position_m[2]))?)
}

/// The page of a run: the robot where it truly was, with its scans, on the truth.
///
/// # Errors
/// The page cannot be made.
pub fn simulation_page(title: &str, simulated: &Simulated) -> Result<String, JobError> {
    let Simulated { run, report, ground, .. } = simulated;
    let true_pose = |pose: &StampedPose| LogRecord::TruePose {
        time_s: pose.time_s,
        world_from_robot: pose.world_from_robot.planar(),
    };
    let records = run.log.records.iter().cloned().chain(run.truth.poses.iter().map(true_pose)).collect();
    let frames = frames_of_log(&SensorLog { records, skipped: Vec::new() });
    let mut facts = vec![
        ("time", format!("{:.1} s", report.time_s)),
        ("distance travelled", format!("{:.2} m", report.distance_m)),
        ("scans", report.scans.to_string()),
        ("collisions", report.collisions.to_string()),
    ];
    if let (Some(reached), Some(points)) = (report.reached, report.way_points) {
        facts.push(("way points reached", format!("{reached} of {points}")));
    }
    facts.extend(report.explored_share.map(|share| ("explored", format!("{:.1} %", 100.0 * share))));
    let page = RunPage {
        title: title.to_owned(),
        kind: "Simulated run",
        facts,
        map: Some(ground),
        frames: &frames,
        ..RunPage::default()
    };
    Ok(run_page(&page)?)
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
    let truth = ground(arena, simulator.robot())?;
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

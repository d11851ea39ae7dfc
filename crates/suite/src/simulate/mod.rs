//! A robot driven through an arena: along waypoints, or by itself until it has seen what it can.

mod explorer;
mod exploring;
mod files;
mod localizer;
mod published;
mod report;
mod sight_map;
mod tilt_figures;
mod upright;

use ::report::{RunPage, run_page};
use model::{Grid, LogRecord, Point2, SensorLog, StampedPose};
use sim::arena::Arena;
use sim::robot::RobotModel;
use sim::run::{DriveEnding, Recorder, SensorEvent, SimulatedRun, Simulator, drive_waypoints_watched};

use crate::playback::frames_of_log;
use crate::{JobError, Snapshots};
use exploring::{OwnMap, explore_arena};
pub use files::{LOCALIZATION_FILES, SIMULATION_FILES, read_waypoints, write_simulated_run};
pub use localizer::Localize;
use published::Published;
pub use report::{LocalizationReport, SimulationEnding, SimulationReport};
use tilt_figures::TiltCounter;
pub use tilt_figures::TiltFigures;
pub use upright::UprightReport;
use upright::{slope_csv, upright_readings, upright_report};

/// How the robot is driven.
#[derive(Clone, Debug, PartialEq)]
pub enum Driving {
    /// Along waypoints in the coordinate frame of the arena.
    Waypoints(Vec<Point2>),
    /// By itself, until it has seen what it can, by the pose that it is told or finds.
    Explore(Localize),
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

/// How far a simulation is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SimulationProgress {
    /// Scans of the first scanner so far.
    pub scans: usize,
    /// Share of the free ground that is known, or of the waypoints that are reached, 0 to 1.
    pub share: f64,
}

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
    /// Map and trajectory of the mapper by which the robot drove, if it did.
    pub(crate) own: Option<OwnMap>,
}

/// A simulator with what is noted of it.
struct Bench {
    simulator: Simulator,
    recorder: Recorder,
    tilt: TiltCounter,
    snapshots: Option<Snapshots>,
}

/// Runs a simulation, and tells how far it is. `snapshots` show what the robot knows while it drives.
///
/// # Errors
/// The truth grid of the arena is too large, the mapper cannot be made, or the robot cannot explore from its start.
pub fn simulate(
    arena: &Arena,
    simulation: &Simulation,
    snapshots: Option<Snapshots>,
    progress: &dyn Fn(SimulationProgress),
) -> Result<Simulated, JobError> {
    let mut bench = Bench {
        simulator: Simulator::new(arena, simulation.robot.clone(), simulation.seed),
        recorder: Recorder::default(),
        tilt: TiltCounter::default(),
        snapshots,
    };
    let (drive, own) = match &simulation.driving {
        Driving::Waypoints(points) => {
            (drive_along(arena, &mut bench, points, simulation.longest_s, progress)?, None)
        }
        Driving::Explore(localize) => explore_arena(arena, &mut bench, simulation, *localize, progress)?,
    };
    let run = bench.recorder.run(bench.simulator.distance_m());
    let slopes = upright_readings(bench.simulator.robot(), &run);
    let report = SimulationReport {
        time_s: bench.simulator.time_s(),
        distance_m: run.distance_m,
        scans: run.log.scans().count(),
        odometry: run.log.odometry().count(),
        collisions: bench.simulator.collisions(),
        tilt: bench.tilt.figures(),
        upright: slopes.as_deref().map(upright_report),
        ..drive
    };
    let ground = ground(arena, bench.simulator.robot())?;
    Ok(Simulated { run, report, ground, slope_csv: slopes.as_deref().map(slope_csv), own })
}

/// Drives along waypoints; the report of it.
fn drive_along(
    arena: &Arena,
    bench: &mut Bench,
    points: &[Point2],
    longest_s: f64,
    progress: &dyn Fn(SimulationProgress),
) -> Result<SimulationReport, JobError> {
    let all = points.len().max(1) as f64;
    let (mut scans, tilt) = (0, &mut bench.tilt);
    let mut published = match bench.snapshots.take() {
        Some(snapshots) => Some(Published::new(snapshots, arena)?),
        None => None,
    };
    tilt.count(&bench.simulator);
    let mut watch = |simulator: &Simulator, reached: usize| {
        let is_scan = |event: &&SensorEvent| matches!(event, SensorEvent::Scan { laser: 0, .. });
        scans += simulator.events().iter().filter(is_scan).count();
        tilt.count(simulator);
        if let Some(published) = &mut published {
            published.take(simulator);
        }
        progress(SimulationProgress { scans, share: reached as f64 / all });
    };
    let driven =
        drive_waypoints_watched(&mut bench.simulator, &mut bench.recorder, points, longest_s, &mut watch);
    published.map_or(Ok(()), Published::failure)?;
    let ending = match driven.ending {
        DriveEnding::Arrived => SimulationEnding::Arrived,
        DriveEnding::TimeLimit => SimulationEnding::TimeLimit,
        DriveEnding::Stuck => SimulationEnding::Stuck,
    };
    Ok(SimulationReport {
        reached: Some(driven.reached),
        waypoints: Some(points.len()),
        ..SimulationReport::ended(ending, ending == SimulationEnding::Arrived)
    })
}

/// The truth at the height of the first scanner.
fn ground(arena: &Arena, robot: &RobotModel) -> Result<Grid, JobError> {
    Ok(arena.truth(robot.lasers.first().map_or(0.0, |laser| laser.robot_from_laser.position_m[2]))?)
}

/// The log of a run with the true poses in it, each before the readings of its time or later ones.
fn log_with_truth(run: &SimulatedRun) -> SensorLog {
    let true_pose = |pose: &StampedPose| LogRecord::TruePose {
        time_s: pose.time_s,
        world_from_robot: pose.world_from_robot.planar(),
    };
    let mut truth = run.truth.poses.iter().peekable();
    let mut records = Vec::with_capacity(run.log.records.len() + run.truth.poses.len());
    for record in &run.log.records {
        while let Some(pose) = truth.next_if(|pose| pose.time_s <= record.time_s()) {
            records.push(true_pose(pose));
        }
        records.push(record.clone());
    }
    records.extend(truth.map(true_pose));
    SensorLog { records, skipped: Vec::new() }
}

/// The page of a run: the robot where it truly was, with its scans, on the truth.
///
/// # Errors
/// The page cannot be made.
pub fn simulation_page(title: &str, simulated: &Simulated) -> Result<String, JobError> {
    let Simulated { run, report, ground, .. } = simulated;
    let frames = frames_of_log(&log_with_truth(run));
    let mut facts = vec![
        ("time", format!("{:.1} s", report.time_s)),
        ("distance travelled", format!("{:.2} m", report.distance_m)),
        ("scans", report.scans.to_string()),
        ("collisions", report.collisions.to_string()),
        ("ended", report.ending.name().to_owned()),
    ];
    if let (Some(reached), Some(points)) = (report.reached, report.waypoints) {
        facts.push(("waypoints reached", format!("{reached} of {points}")));
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

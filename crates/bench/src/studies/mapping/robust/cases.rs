//! Logs and simulated runs that faults are put into, by halves.

use std::path::Path;

use ::mapper::{InputRules, Mapper, MappingInput, scans_of};
use mapjudge::{Driving, Localize, Simulation, simulate};
use model::{Pose2, SensorLog, StampedPose};
use sim::arena::{Arena, MazePlan};
use sim::robot::RobotModel;
use sim::run::{MazeWalk, OfficeTour};

use super::super::logs::LOGS;
use super::super::{Mapped, intel};
use super::fault::Sample;
use crate::inputs::BenchError;
use crate::studies::halves::{Half, half_of};

/// Noise of the wheels of logs whose own odometry is lost.
const WHEELS_TUNING: u64 = 4;
const WHEELS_HELD_OUT: u64 = 14;

/// A log that is mapped.
pub struct Case {
    pub name: String,
    pub samples: Vec<Sample>,
}

/// How a case is made, so that one is in memory at a time.
pub struct Source {
    pub name: String,
    pub half: Half,
    kind: Kind,
}

#[derive(Clone, Copy)]
enum Kind {
    Intel,
    Log(usize),
    Walk(u64),
    Office(u64),
    Explored { seed: u64, ramp_share: f64 },
}

/// Real logs; the half of a log is that of its name.
pub fn logs() -> Vec<Source> {
    let intel = Source { name: "intel".to_owned(), half: half_of("intel"), kind: Kind::Intel };
    let log = |(index, log): (usize, &super::super::logs::Log)| Source {
        name: log.name.to_owned(),
        half: half_of(log.name),
        kind: Kind::Log(index),
    };
    std::iter::once(intel).chain(LOGS.iter().enumerate().map(log)).collect()
}

/// Simulated runs that get the same faults: two mazes and an office of each half.
pub fn simulated() -> Vec<Source> {
    let of = |half: Half, base: u64| {
        [
            source(format!("walk-{}", base + 1), half, Kind::Walk(base + 1)),
            source(format!("walk-{}", base + 2), half, Kind::Walk(base + 2)),
            source(format!("maze-{}", base + 1), half, Kind::Explored { seed: base + 1, ramp_share: 0.0 }),
            source(format!("ramps-{}", base + 1), half, Kind::Explored { seed: base + 1, ramp_share: 0.4 }),
            source(format!("office-{}", base + 1), half, Kind::Office(base + 1)),
        ]
    };
    of(Half::Tuning, 0).into_iter().chain(of(Half::HeldOut, 100)).collect()
}

/// Explored mazes of 15 x 10 m.
pub fn mazes(half: Half, count: u64, ramp_share: f64) -> Vec<Source> {
    let base = if half == Half::Tuning { 0 } else { 100 };
    let word = if ramp_share > 0.0 { "ramps" } else { "maze" };
    (base + 1..=base + count)
        .map(|seed| source(format!("{word}-{seed}"), half, Kind::Explored { seed, ramp_share }))
        .collect()
}

fn source(name: String, half: Half, kind: Kind) -> Source {
    Source { name, half, kind }
}

impl Source {
    pub fn case(&self, data: &Path) -> Result<Case, BenchError> {
        let samples = match self.kind {
            Kind::Intel => of_intel(data)?,
            Kind::Log(index) => {
                let seed = if self.half == Half::Tuning { WHEELS_TUNING } else { WHEELS_HELD_OUT };
                let (input, truth) = LOGS[index].input(data, seed)?;
                joined(input, truth)
            }
            Kind::Walk(seed) => {
                let (_, run) = MazeWalk { seed, ..MazeWalk::default() }.run().map_err(BenchError::study)?;
                of_run(&run.log, &run.truth.poses)
            }
            Kind::Office(seed) => {
                let (_, run) = OfficeTour { seed, more_laps: 1 }.run().map_err(BenchError::study)?;
                of_run(&run.log, &run.truth.poses)
            }
            Kind::Explored { seed, ramp_share } => explored(seed, ramp_share)?,
        };
        Ok(Case { name: self.name.clone(), samples })
    }
}

/// The Intel log with its raw odometry. It has relations but no poses, so that runs with faults are compared with the run
/// without; `mapping-intel` holds that one against the relations.
fn of_intel(data: &Path) -> Result<Vec<Sample>, BenchError> {
    let input = intel::sparse(data)?;
    let mapped = Mapped::of(&mut super::mapper(), &input);
    let truth = mapped.final_poses();
    Ok(joined(input, truth))
}

/// A robot that explores a maze by its true pose; its log has odometry with faults, and tilt where there are ramps.
fn explored(seed: u64, ramp_share: f64) -> Result<Vec<Sample>, BenchError> {
    /// The contest's 20 minutes.
    const MAX_S: f64 = 1200.0;
    let plan = MazePlan { seed, ramp_share, ..MazePlan::default() };
    let arena = Arena::build(&plan.plan().map_err(BenchError::study)?).map_err(BenchError::study)?;
    let simulation = Simulation {
        robot: RobotModel::default(),
        driving: Driving::Explore(Localize::Truth),
        seed,
        longest_s: MAX_S,
    };
    let simulated = simulate(&arena, &simulation, None, &|_| {}).map_err(BenchError::study)?;
    Ok(of_run(&simulated.run.log, &simulated.run.truth.poses))
}

fn of_run(log: &SensorLog, truth: &[StampedPose]) -> Vec<Sample> {
    let InputRules { limits, tilt_gate_m, .. } = super::mapper().input_rules();
    let mut input = scans_of(log, limits);
    input.level(log, tilt_gate_m);
    let at = |time_s: f64| {
        let index =
            truth.partition_point(|pose| pose.time_s < time_s - 1e-9).min(truth.len().saturating_sub(1));
        truth.get(index).map_or(Pose2::IDENTITY, |pose| pose.world_from_robot.planar())
    };
    let truth = input.scans.iter().map(|(scan, _)| at(scan.time_s)).collect();
    joined(input, truth)
}

fn joined(input: MappingInput, truth: Vec<Pose2>) -> Vec<Sample> {
    let sample = |((scan, odom_from_robot), truth)| Sample { scan, odom_from_robot, truth };
    input.scans.into_iter().zip(truth).map(sample).collect()
}

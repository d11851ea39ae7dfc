//! Exploration of mazes with ramps by a robot with sensors and its true pose: what it saw, what it hit, and how the drive ended.

use std::path::Path;

use mapjudge::{Driving, Localize, Simulation, SimulationReport, simulate};
use sim::arena::{Arena, MazePlan, Slope};
use sim::robot::RobotModel;

use super::Findings;
use crate::inputs::BenchError;

/// Mazes that are explored.
const SEEDS: std::ops::RangeInclusive<u64> = 1..=50;
const RAMP_SHARE: f64 = 0.4;
/// The contest's 20 minutes.
const MAX_S: f64 = 1200.0;
/// Of the free ground; so many of the mazes must reach it.
const MIN_COVERAGE: f64 = 0.95;
const MIN_COVERED: usize = 48;
/// So many mazes may have a collision.
const MAX_WITH_COLLISIONS: usize = 2;

/// Runs the study; it needs no data.
#[allow(clippy::print_stdout, reason = "runs take minutes; each is shown when it is done")]
pub fn run(_data: &Path) -> Result<Findings, BenchError> {
    let mut findings = Findings { table: Vec::new(), missed: Vec::new() };
    for (word, slope) in [("gentle", Slope::Gentle), ("steep", Slope::Steep)] {
        let mut reports = Vec::new();
        for seed in SEEDS {
            let report = explored(seed, slope)?;
            println!("{word} {seed}: {}", line(&report));
            reports.push(report);
        }
        sum_up(word, &reports, &mut findings);
    }
    Ok(findings)
}

fn explored(seed: u64, ramp_slope: Slope) -> Result<SimulationReport, BenchError> {
    let plan = MazePlan { seed, ramp_share: RAMP_SHARE, ramp_slope, ..MazePlan::default() };
    let arena = Arena::build(&plan.plan().map_err(BenchError::study)?).map_err(BenchError::study)?;
    let simulation = Simulation {
        robot: RobotModel::default(),
        driving: Driving::Explore(Localize::Truth),
        seed,
        longest_s: MAX_S,
    };
    Ok(simulate(&arena, &simulation, None, &|_| {}).map_err(BenchError::study)?.report)
}

fn coverage(report: &SimulationReport) -> f64 {
    report.explored_share.unwrap_or(0.0)
}

fn line(report: &SimulationReport) -> String {
    format!(
        "coverage {:.4}, {} collisions, {:.1} m, {:.0} s, {:?}",
        coverage(report),
        report.collisions,
        report.distance_m,
        report.time_s,
        report.ending
    )
}

fn sum_up(word: &str, reports: &[SimulationReport], findings: &mut Findings) {
    let covered = reports.iter().filter(|report| coverage(report) >= MIN_COVERAGE).count();
    let hit = reports.iter().filter(|report| report.collisions > 0).count();
    let collisions: usize = reports.iter().map(|report| report.collisions).sum();
    let worst = reports.iter().map(coverage).fold(1.0, f64::min);
    let runs = reports.len();
    let text = format!(
        "{word} ramps: {covered} of {runs} mazes seen to {MIN_COVERAGE} or more (worst {worst:.4}), {hit} with a collision ({collisions} in all)"
    );
    findings.line(text, covered >= MIN_COVERED && hit <= MAX_WITH_COLLISIONS);
}

//! Exploration of random mazes of 15 x 10 m with true poses, 50 seeds, against the nearest-frontier explorer; and the
//! processor time of planning on a map of 800 x 800 cells.

use std::path::Path;

use ::explore::{Choice, GridWorld, GridWorldParams, Planning, RunParams, run_timed};
use model::{CellClass, Grid, Pose2};
use sim::arena::{Arena, MazePlan};

use super::{Findings, quantile};
use crate::inputs::BenchError;
use crate::measure::cpu_s;

/// Mazes that are explored.
const SEEDS: std::ops::RangeInclusive<u64> = 1..=50;
const MIN_COVERAGE: f64 = 0.99;
const MAX_PATH_RATIO: f64 = 1.35;
const MAX_PLAN_P95_MS: f64 = 30.0;
/// A maze whose truth has about 800 x 800 cells of 0.05 m.
const LARGE_M: f64 = 39.6;
/// Simulated seconds in the large maze: some hundred plans from a small map to a large one.
const LARGE_S: f64 = 1200.0;

/// What a run came to.
struct Row {
    coverage: f64,
    distance_m: f64,
    collisions: usize,
    plan_ms: Vec<f64>,
}

/// Runs the study; it needs no data.
pub fn run_study(_data: &Path) -> Result<Findings, BenchError> {
    let mut findings = Findings { table: Vec::new(), missed: Vec::new() };
    let mut ratios = Vec::new();
    for seed in SEEDS {
        let (truth, start) = maze(&MazePlan { seed, ..MazePlan::default() })?;
        let own = explored(&truth, start, Choice::ExplorationTransform, RunParams::default().max_time_s)?;
        let nearest = explored(&truth, start, Choice::NearestFrontier, RunParams::default().max_time_s)?;
        let ratio = own.distance_m / nearest.distance_m;
        ratios.push(ratio);
        findings.table.push(format!(
            "seed {seed:2}: coverage {:.4}, {:.1} m, {} collisions, plans {} p95 {:.1} ms | nearest {:.4}, {:.1} m, {} collisions | ratio {ratio:.3}",
            own.coverage, own.distance_m, own.collisions, own.plan_ms.len(), quantile(&own.plan_ms, 0.95),
            nearest.coverage, nearest.distance_m, nearest.collisions,
        ));
        let mut must = |held: bool, what: String| {
            if !held {
                findings.missed.push(format!("seed {seed}: {what}"));
            }
        };
        must(own.coverage >= MIN_COVERAGE, format!("coverage {:.4}", own.coverage));
        must(own.collisions == 0, format!("{} collisions", own.collisions));
        must(ratio <= MAX_PATH_RATIO, format!("path {ratio:.3} times the nearest frontier's"));
    }
    ratios.sort_by(f64::total_cmp);
    let (min, max) = (ratios.first().copied().unwrap_or(0.0), ratios.last().copied().unwrap_or(0.0));
    let mean = ratios.iter().sum::<f64>() / ratios.len().max(1) as f64;
    findings.table.push(format!("path ratio: min {min:.3}, mean {mean:.3}, max {max:.3}"));
    add_large(&mut findings)?;
    Ok(findings)
}

fn add_large(findings: &mut Findings) -> Result<(), BenchError> {
    let plan = MazePlan { seed: 1, width_m: LARGE_M, height_m: LARGE_M, ..MazePlan::default() };
    let (truth, start) = maze(&plan)?;
    let row = explored(&truth, start, Choice::ExplorationTransform, LARGE_S)?;
    let (width, height) = (truth.geometry().width(), truth.geometry().height());
    let slow_ms = quantile(&row.plan_ms, 0.95);
    findings.table.push(format!(
        "{width} x {height} cells: {} plans, p50 {:.1} ms, p95 {slow_ms:.1} ms",
        row.plan_ms.len(),
        quantile(&row.plan_ms, 0.5)
    ));
    if slow_ms > MAX_PLAN_P95_MS {
        findings.missed.push(format!("planning p95 {slow_ms:.1} ms, expected at most {MAX_PLAN_P95_MS}"));
    }
    Ok(())
}

fn maze(plan: &MazePlan) -> Result<(Grid, Pose2), BenchError> {
    let arena = Arena::build(&plan.plan().map_err(BenchError::study)?).map_err(BenchError::study)?;
    let lowest_m = arena.slice_heights_m.iter().copied().fold(f64::INFINITY, f64::min);
    Ok((arena.truth(lowest_m).map_err(BenchError::study)?, arena.start))
}

fn explored(truth: &Grid, start: Pose2, choice: Choice, max_time_s: f64) -> Result<Row, BenchError> {
    let mut world =
        GridWorld::new(truth.clone(), &[start], GridWorldParams::default()).map_err(BenchError::study)?;
    let reachable = world.reachable();
    let planning = Planning { choice, ..Planning::default() };
    let params = RunParams { planning, max_time_s, ..RunParams::default() };
    let result = run_timed(&mut world, &params, &|_| {}, &cpu_s).map_err(BenchError::study)?;
    let all = reachable.iter().filter(|&&is| is).count().max(1);
    let seen = reachable.iter().zip(&result.map).filter(|(is, class)| **is && **class == CellClass::Free);
    Ok(Row {
        coverage: seen.count() as f64 / all as f64,
        distance_m: result.distance_m,
        collisions: result.collisions,
        plan_ms: result.plan_ms,
    })
}

//! A maze of ramps: tilted scans as they are, gated by the inertial unit, and from a levelled scanner.

use std::ops::RangeInclusive;
use std::path::Path;

use ::mapper::{Graph, ListedMapper, MappingInput, RangeLimits, Robbie, RobbieParams, scans_of};
use model::{Pose2, StampedPose};
use sim::robot::RobotModel;
use sim::run::RampDrive;
use sim::sensor::Levelling;

use super::{Mapped, params};
use crate::inputs::BenchError;
use crate::studies::{Findings, median};

const SEEDS: RangeInclusive<u64> = 1..=5;
const MAX_MEAN_M: f64 = 0.15;

/// Mean and largest error of positions, from the first pose on.
struct Row {
    mean_m: f64,
    largest_m: f64,
}

impl Row {
    fn of(poses: &[Pose2], truth: &[Pose2]) -> Self {
        let first = truth.first().copied().unwrap_or(Pose2::IDENTITY).inverse();
        let off_m = |(pose, truth): (&Pose2, &Pose2)| {
            let expected = first * *truth;
            pose.position().distance_m(expected.position())
        };
        let errors_m: Vec<f64> = poses.iter().zip(truth).map(off_m).collect();
        Self {
            mean_m: errors_m.iter().sum::<f64>() / errors_m.len().max(1) as f64,
            largest_m: errors_m.iter().copied().fold(0.0, f64::max),
        }
    }
}

impl std::fmt::Display for Row {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:.3} m (largest {:.3})", self.mean_m, self.largest_m)
    }
}

/// Runs the study; it needs no data.
pub fn run(_data: &Path) -> Result<Findings, BenchError> {
    study(SEEDS)
}

fn study(seeds: RangeInclusive<u64>) -> Result<Findings, BenchError> {
    let mut findings = Findings { table: Vec::new(), missed: Vec::new() };
    let mut means = Vec::new();
    for seed in seeds {
        let [raw, gated] = [None, Some(params().tilt_gate_m)].map(|gate| mapped(seed, false, gate));
        let (raw, gated, levelled) = (raw?, gated?, mapped(seed, true, Some(params().tilt_gate_m))?);
        findings.table.push(format!(
            "seed {seed}: {} scans | tilted as they are: graph {}, robbie {} | gated: graph {}, robbie {} | levelled and gated: graph {}, robbie {} | odometry {}",
            gated.scans, raw.graph, raw.robbie, gated.graph, gated.robbie, levelled.graph, levelled.robbie, gated.odometry
        ));
        if gated.graph.mean_m > MAX_MEAN_M {
            findings.missed.push(format!("seed {seed}: {} gated", gated.graph));
        }
        means.push(gated.graph.mean_m);
    }
    findings.table.push(format!("graph, gated: median of the mean error {:.3} m", median(means)));
    Ok(findings)
}

struct Rows {
    scans: usize,
    graph: Row,
    robbie: Row,
    odometry: Row,
}

fn mapped(seed: u64, is_levelled: bool, gate_m: Option<f64>) -> Result<Rows, BenchError> {
    let robot = RobotModel { levelling: is_levelled.then(Levelling::default), ..RobotModel::default() };
    let drive = RampDrive { seed, robot, ..RampDrive::default() };
    let (_, run) = drive.run().map_err(BenchError::study)?;
    let limits = RangeLimits { min_m: 0.02, max_m: RobbieParams::PAPER.range_max_m };
    let mut input = scans_of(&run.log, limits);
    if let Some(gate_m) = gate_m {
        input.level(&run.log, gate_m);
    }
    let truth = truth_of(&input, &run.truth.poses);
    let odometry: Vec<Pose2> = input.scans.iter().map(|(_, odometry)| *odometry).collect();
    let graph = Mapped::of(&mut Graph::with_params(params()), &input);
    let robbie = RobbieParams { seed, cell_size_m: 0.10, ..RobbieParams::PAPER };
    let filtered = Mapped::of(&mut Robbie::with_params(robbie), &input);
    Ok(Rows {
        scans: input.scans.len(),
        graph: Row::of(&graph.final_poses(), &truth),
        robbie: Row::of(&filtered.final_poses(), &truth),
        odometry: Row::of(
            &odometry.iter().map(|pose| odometry[0].inverse() * *pose).collect::<Vec<_>>(),
            &truth,
        ),
    })
}

/// The true poses at the times of the scans.
fn truth_of(input: &MappingInput, truth: &[StampedPose]) -> Vec<Pose2> {
    let at = |time_s: f64| {
        let index =
            truth.partition_point(|pose| pose.time_s < time_s - 1e-9).min(truth.len().saturating_sub(1));
        truth[index].world_from_robot.planar()
    };
    input.scans.iter().map(|(scan, _)| at(scan.time_s)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_maze_of_ramps_is_mapped_with_gated_scans() {
        let findings = study(3..=3).unwrap();
        assert!(findings.missed.is_empty(), "{:?}", findings.table);
    }
}

//! Pose graphs with false loop closures added between random poses: how far `gnc` ends from the clean optimum.

use std::path::Path;

use align::pose_graph::{Constraint, KernelShape, NamedGraph, Solution, Solver, Start};
use formats::{Content, ReadOptions, read_document};
use model::{Pose2, SeededRng};

use super::Findings;
use crate::inputs::BenchError;

/// Files of the shared set, and chi2 of the best solution known (shared `pose-graphs/README.md`; of MIT only ours is known).
const GRAPHS: [(&str, Option<f64>); 8] = [
    ("minisam/input_M3500_g2o.g2o", Some(137.915)),
    ("vertigo/manhattan/manhattanOlson3500.g2o", Some(146.079)),
    ("vertigo/ring/ring.g2o", Some(11.163)),
    ("se-sync/intel.g2o", Some(45.004)),
    ("se-sync/CSAIL.g2o", Some(40.551)),
    ("se-sync/kitti_00.g2o", Some(98.322)),
    ("se-sync/kitti_05.g2o", Some(157.104)),
    ("se-sync/MIT.g2o", None),
];
const COUNTS: [usize; 2] = [10, 100];
const SEEDS: [u64; 2] = [1, 2];
/// Stream of the seed for false loops.
const FALSE_LOOPS: u64 = 73;
/// A false loop joins poses this far apart in the graph's order, and says that they lie this near to each other, metres.
const MIN_GAP: usize = 50;
const REACH_M: f64 = 5.0;
/// Largest distance of a pose from the clean optimum, metres.
const MAX_OFF_M: f64 = 0.3;
/// Ratio of the cost to the known one on a clean graph.
const MAX_COST_RATIO: f64 = 1.0 + 1e-3;

/// Runs the study on the folder of the data sets.
#[allow(clippy::print_stdout, reason = "runs take minutes; each is shown when it is done")]
pub fn run(data: &Path) -> Result<Findings, BenchError> {
    let mut findings = Findings { table: Vec::new(), missed: Vec::new() };
    for (name, known) in GRAPHS {
        let named = read(&data.join("pose-graphs").join(name), KernelShape::Square)?;
        let clean = solved(&named)?;
        let robust = read(&data.join("pose-graphs").join(name), KernelShape::Gnc)?;
        let alone = solved(&robust)?;
        let line = format!(
            "{name}: clean chi2 {:.3}, by gnc {:.3} with {} left out",
            clean.chi2,
            alone.chi2,
            alone.rejected.len()
        );
        let best = known.unwrap_or(clean.chi2);
        findings.line(line, alone.chi2.max(clean.chi2) <= MAX_COST_RATIO * best);
        for count in COUNTS {
            for seed in SEEDS {
                let mut graph = robust.clone();
                let added = false_loops(&graph, count, seed);
                graph.graph.constraints.extend(added);
                let found = solved(&graph)?;
                let off_m = farthest_m(&found.poses, &clean.poses);
                let first = robust.graph.constraints.len();
                let kept = count - found.rejected.iter().filter(|&&index| index >= first).count();
                let line = format!(
                    "{name}: {count} false loops, seed {seed}: {off_m:.4} m off, {kept} of them kept, {} others left out",
                    found.rejected.len() + kept - count
                );
                println!("{line}");
                findings.line(line, off_m <= MAX_OFF_M);
            }
        }
    }
    Ok(findings)
}

fn read(path: &Path, shape: KernelShape) -> Result<NamedGraph, BenchError> {
    let Content::Graph(graph) = read_document(path, &ReadOptions::default())?.content else {
        return Err(BenchError::Study(format!("{}: expected a pose graph", path.display())));
    };
    let kernel = shape.with_width(shape.default_width()).map_err(BenchError::study)?;
    NamedGraph::of_model(&graph, kernel).map_err(BenchError::study)
}

fn solved(named: &NamedGraph) -> Result<Solution, BenchError> {
    let mut solver = Solver::default();
    if named.given < named.ids.len() {
        solver.starts.retain(|&start| start != Start::Given);
    }
    solver.solve(&named.graph).map_err(BenchError::study)
}

/// Loops between random poses with the information of a right loop of the graph.
fn false_loops(named: &NamedGraph, count: usize, seed: u64) -> Vec<Constraint> {
    let constraints = &named.graph.constraints;
    let right: Vec<&Constraint> = constraints.iter().filter(|edge| edge.from.abs_diff(edge.to) > 1).collect();
    let mut rng = SeededRng::new(seed).stream(FALSE_LOOPS);
    let poses = named.graph.poses.len();
    let mut added = Vec::with_capacity(count);
    while added.len() < count && !right.is_empty() && poses > 2 * MIN_GAP {
        let (from, to) = (rng.below(poses), rng.below(poses));
        if from.abs_diff(to) < MIN_GAP {
            continue;
        }
        let mut side = |reach: f64| reach * (2.0 * rng.uniform() - 1.0);
        let from_from_to = Pose2::new(side(REACH_M), side(REACH_M), side(std::f64::consts::PI));
        let model = right[rng.below(right.len())];
        added.push(Constraint { from, to, from_from_to, ..*model });
    }
    added
}

/// The largest distance between poses of the same index; both keep the first pose where it was.
fn farthest_m(found: &[Pose2], clean: &[Pose2]) -> f64 {
    let off_m = |(a, b): (&Pose2, &Pose2)| a.position().distance_m(b.position());
    found.iter().zip(clean).map(off_m).fold(0.0, f64::max)
}

//! Maps of logs with faults: how many stay as good as without them, and whether the self-check tells those that do not.

mod cases;
mod fault;
mod worth;

use std::path::Path;

use ::mapper::{Graph, Hindsight, JumpDetector, ListedMapper, MapCheck, Mapper, OdometrySource, SelfCheck};
use model::Pose2;

use super::errors::Errors;
use super::params;
use crate::inputs::BenchError;
use crate::measure::cpu_s;
use crate::studies::halves::Half;
use crate::studies::{Findings, median};
use cases::Source;
use fault::{FAULTS_OF_A_LOG, Sample};
use worth::separation;

/// Seeds of the times of faults.
const SEEDS_TUNING: [u64; 2] = [1, 2];
const SEEDS_HELD_OUT: [u64; 2] = [11, 12];
/// Mazes of each kind.
const MAZES: u64 = 30;
/// Only cases whose name contains this are run, for a look at some of them.
const ONLY: &str = "MAPJUDGE_STUDY_ONLY";

/// Ratio of the runs that must stay as good as without the fault.
const MIN_HELD: f64 = 0.95;
/// No map with a larger error may be called sound, metres.
const MAX_SOUND_M: f64 = 0.5;
/// How well the doubt must separate wrong maps from right ones.
const MIN_AREA: f64 = 0.97;

/// Processor time per scan of a whole run, milliseconds.
const MAX_MS_PER_SCAN: f64 = 1.5;

/// What a run came to.
struct Row {
    name: String,
    error_m: f64,
    /// Of the same log without a fault.
    unharmed_m: f64,
    check: MapCheck,
    matched: f64,
    /// Processor time of a step, in the median, and of the whole run per scan.
    median_ms: f64,
    whole_ms: f64,
}

pub fn tuning(data: &Path) -> Result<Findings, BenchError> {
    run(data, Half::Tuning)
}

pub fn held_out(data: &Path) -> Result<Findings, BenchError> {
    run(data, Half::HeldOut)
}

fn mapper() -> Graph {
    Graph::with_params(params())
}

#[allow(clippy::print_stdout, reason = "runs take minutes; each is shown when it is done")]
fn run(data: &Path, half: Half) -> Result<Findings, BenchError> {
    let mut findings = Findings { table: Vec::new(), missed: Vec::new() };
    let only = std::env::var(ONLY).unwrap_or_default();
    let is_wanted = |source: &Source| source.half == half && source.name.contains(&only);
    let mut rows = Vec::new();
    for source in cases::logs().into_iter().chain(cases::simulated()).filter(is_wanted) {
        for row in with_faults(&source, data, half)? {
            println!("{}", row.line());
            rows.push(row);
        }
    }
    for ramp_share in [0.0, 0.4] {
        for source in cases::mazes(half, MAZES, ramp_share).into_iter().filter(is_wanted) {
            let case = source.case(data)?;
            let row = Row::of(&source.name, &case.samples, OdometrySource::Scans, f64::NAN);
            println!("{}", row.line());
            rows.push(row);
        }
    }
    sum_up(&rows, &mut findings);
    Ok(findings)
}

/// The bars of the study: maps that stay as good as without the fault, and a self-check that tells the others.
fn sum_up(rows: &[Row], findings: &mut Findings) {
    let harmed: Vec<&Row> = rows.iter().filter(|row| !row.unharmed_m.is_nan()).collect();
    let held = harmed.iter().filter(|row| row.holds()).count();
    let line = format!("{held} of {} runs with a fault as good as without", harmed.len());
    findings.line(line, held as f64 >= MIN_HELD * harmed.len() as f64);
    for row in harmed.iter().filter(|row| !row.holds() && row.check.is_sound()) {
        findings.line(format!("lost, and called sound: {}", row.line()), false);
    }
    for row in rows.iter().filter(|row| row.error_m > MAX_SOUND_M && row.check.is_sound()) {
        findings.line(format!("above {MAX_SOUND_M} m, and called sound: {}", row.line()), false);
    }
    let runs: Vec<(f64, f64)> = rows.iter().map(|row| (row.error_m, row.check.doubt)).collect();
    if let Some((area, wrong, right)) = separation(&runs) {
        let line = format!("doubt separates {wrong} wrong from {right} right maps with an area of {area:.4}");
        findings.line(line, area >= MIN_AREA);
    }
    if let Some(slowest) = rows.iter().max_by(|a, b| a.whole_ms.total_cmp(&b.whole_ms)) {
        let line = format!("slowest: {} takes {:.2} ms a scan in all", slowest.name, slowest.whole_ms);
        findings.line(line, slowest.whole_ms <= MAX_MS_PER_SCAN);
    }
    for word in ["maze-", "ramps-"] {
        let is_maze =
            |row: &&Row| row.unharmed_m.is_nan() && row.name.starts_with(word) && !row.name.contains(' ');
        let errors_m: Vec<f64> = rows.iter().filter(is_maze).map(|row| row.error_m).collect();
        let worst_m = errors_m.iter().copied().fold(0.0, f64::max);
        let (max_median_m, max_m) = if word == "maze-" { (f64::INFINITY, 0.10) } else { (0.05, 0.3) };
        let middle_m = median(errors_m.iter().copied());
        let line = format!("{word}: {} runs, median {middle_m:.3} m, worst {worst_m:.3} m", errors_m.len());
        findings.line(line, errors_m.is_empty() || middle_m <= max_median_m && worst_m <= max_m);
    }
}

fn with_faults(source: &Source, data: &Path, half: Half) -> Result<Vec<Row>, BenchError> {
    let case = source.case(data)?;
    let seeds = if half == Half::Tuning { SEEDS_TUNING } else { SEEDS_HELD_OUT };
    let mut rows: Vec<Row> = Vec::new();
    for fault in FAULTS_OF_A_LOG {
        for seed in if fault.is_random() { &seeds[..] } else { &seeds[..1] } {
            let (samples, odometry) = fault.put_into(&case.samples, *seed);
            let unharmed_m = rows.first().map_or(f64::NAN, |row| row.error_m);
            rows.push(Row::of(&format!("{} {fault:?} {seed}", case.name), &samples, odometry, unharmed_m));
        }
    }
    Ok(rows)
}

impl Row {
    fn of(name: &str, samples: &[Sample], odometry: OdometrySource, unharmed_m: f64) -> Self {
        let mut graph = mapper();
        let (mut detector, mut check) = (JumpDetector::default(), SelfCheck::default());
        let (mut step_ms, begun_s) = (Vec::new(), cpu_s());
        for sample in samples {
            let start_s = cpu_s();
            let (step, _) = detector.step(&mut graph, &sample.scan, sample.odom_from_robot, odometry);
            step_ms.push((cpu_s() - start_s) * 1e3);
            check.take(&sample.scan, &step, graph.pose());
        }
        graph.finish();
        let whole_ms = (cpu_s() - begun_s) * 1e3 / samples.len().max(1) as f64;
        let last = graph.trajectory(Hindsight::Final);
        let poses: Vec<Pose2> = last.iter().map(|pose| pose.map_from_robot).collect();
        let truth: Vec<Pose2> = samples.iter().map(|sample| sample.truth).collect();
        Self {
            name: name.to_owned(),
            error_m: Errors::of(&poses, &truth).absolute_m,
            unharmed_m,
            matched: last.iter().filter(|pose| pose.is_matched).count() as f64 / last.len().max(1) as f64,
            check: check.finish(&last, graph.pose_graph().as_ref()),
            median_ms: crate::studies::quantile(&step_ms, 0.5),
            whole_ms,
        }
    }

    /// Whether the fault made the map no worse than is allowed.
    fn holds(&self) -> bool {
        self.error_m <= (1.5 * self.unharmed_m).max(0.05)
    }

    fn line(&self) -> String {
        let shown = |value: Option<f64>| value.map_or_else(|| "-".to_owned(), |value| format!("{value:.3}"));
        let MapCheck { verdict, doubt, seen_through, worst_seen_through, worst_step, .. } = &self.check;
        let verdict = verdict.map_or_else(|| "none".to_owned(), |verdict| format!("{verdict:?}"));
        format!(
            "{:32} {:7.3} m {} | {verdict} {doubt:.2} seen {} worst {} step {} alone {:.2} loop {} revisited {:.2} | matched {:.2} {:.2} ms median {:.2} whole",
            self.name,
            self.error_m,
            if self.unharmed_m.is_nan() || self.holds() { "    " } else { "LOST" },
            shown(*seen_through),
            shown(*worst_seen_through),
            shown(*worst_step),
            self.check.odometry_alone_m,
            shown(self.check.loop_residual_m),
            self.check.revisited,
            self.matched,
            self.median_ms,
            self.whole_ms,
        )
    }
}

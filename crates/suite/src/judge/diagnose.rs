//! What is odd about a run: clocks that do not meet, a mirror image, little coverage, relations made from it.

use align::trajectory::{
    Fittable, Reflection, Track, clock_findings, estimate_time_offset, no_common_time, reflection,
};
use metrics::trajectory::{Run, Runs};
use model::{Finding, Level, Pose2};

use crate::plan::Matching;

/// Relations that a run fits to a micrometre were most likely made from it.
const SELF_MADE_M: f64 = 1e-6;
/// Fewer than one of so many poses with a partner are chance.
const CHANCE: usize = 20;
/// Fewer relations than this prove nothing.
const SELF_MADE_COUNT: usize = 10;

/// Findings about a run. `poses_in_file` are those of the estimate before equal times were joined; `read` is what the readers
/// found.
pub(super) fn diagnose(
    runs: &Runs,
    poses_in_file: usize,
    coverage: Option<f64>,
    matching: &Matching,
    read: &[Finding],
) -> Vec<Finding> {
    let per_second = ["trajectory", "truth"].map(|role| stamps_per_second(read, role));
    let mut findings = match runs {
        Runs::Planar(run) => diagnose_run(run, poses_in_file, per_second),
        Runs::Spatial(run) => diagnose_run(run, poses_in_file, per_second),
    };
    if let Runs::Planar(run) = runs {
        findings.extend(mirror(run));
    }
    findings.extend(low_coverage(coverage, matching.min_coverage));
    findings
}

/// By what the reader of a file has divided its stamps.
fn stamps_per_second(read: &[Finding], role: &str) -> f64 {
    let guessed = |finding: &&Finding| {
        finding.code == "TIME_UNIT_GUESSED" && finding.message.starts_with(&format!("{role}: "))
    };
    let message = read.iter().find(guessed).map_or("", |finding| finding.message.as_ref());
    let units = [("milliseconds", 1e3), ("microseconds", 1e6), ("nanoseconds", 1e9)];
    units.into_iter().find(|(unit, _)| message.ends_with(unit)).map_or(1.0, |(_, per_second)| per_second)
}

fn diagnose_run<P: Fittable>(run: &Run<P>, poses_in_file: usize, per_second: [f64; 2]) -> Vec<Finding> {
    let mut findings = clock_findings(&run.estimate, poses_in_file);
    let joined = poses_in_file - run.estimate.len();
    if joined > 0 {
        let message = format!(
            "{joined} of {poses_in_file} poses have the stamp of another; of equal stamps the last one was taken, {} \
             poses remain",
            run.estimate.len()
        );
        let hint = "the first one would give other numbers: find out why stamps repeat";
        findings.push(Finding::warning("STAMPS_REPEATED", message).hint(hint));
    }
    // Times of another unit meet here and there by chance.
    let is_chance = |truth: &&Track<P>| run.matches.len() * CHANCE < run.estimate.len().min(truth.len());
    if let Some(truth) = run.truth.as_ref().filter(|truth| run.matches.is_empty() || is_chance(truth)) {
        findings.extend(no_common_time(&run.estimate, truth, per_second));
    }
    findings.extend(self_made(run));
    findings
}

/// A mirror image looks like a bad run; a wrong sign of y is worth a word.
fn mirror(run: &Run<Pose2>) -> Option<Finding> {
    let pairs = run.pairs().ok()?.map(|pair| (pair.estimate, pair.truth));
    let found: Reflection = reflection(pairs)?;
    found.is_suspected().then(|| {
        let times = found.plain_rmse_m / found.mirrored_rmse_m.max(1e-9);
        let message = format!(
            "a reflection fits {} times better ({:.3} m instead of {:.3} m): the estimate is a mirror image of the truth",
            if times > 1000.0 { "more than 1000".to_owned() } else { format!("{times:.0}") },
            found.mirrored_rmse_m,
            found.plain_rmse_m
        );
        Finding::warning("MIRRORED_TRAJECTORY", message).hint("check the sign of y and of the headings, or swapped axes")
    })
}

fn low_coverage(coverage: Option<f64>, min_coverage: f64) -> Option<Finding> {
    let share = coverage.filter(|share| *share < min_coverage)?;
    let message = format!(
        "only {:.1} % of the truth was compared; the values speak of that part alone",
        100.0 * share + 0.0
    );
    Some(
        Finding::warning("LOW_COVERAGE", message)
            .hint("a run that got lost early looks good; do not rank it by its error"),
    )
}

/// Relations made from a run cannot judge that run.
fn self_made<P: Fittable>(run: &Run<P>) -> Option<Finding> {
    run.relations.as_ref()?;
    let found =
        metrics::trajectory::relative_displacement::RelativeDisplacement::default().errors(run).ok()?;
    let is_exact =
        |error: &metrics::trajectory::relation_errors::RelationError| error.translation_m < SELF_MADE_M;
    let all_exact = found.errors.len() >= SELF_MADE_COUNT && found.errors.iter().all(is_exact);
    all_exact.then(|| {
        let message = format!(
            "all {} relations fit to a micrometre: they were most likely made from this run",
            found.errors.len()
        );
        Finding::warning("RELATIONS_FROM_THIS_RUN", message)
            .hint("relations made from a run cannot judge that run")
    })
}

/// The offset between the clocks, searched up to `max_s` seconds.
pub(super) fn time_offset(runs: &Runs, max_s: f64) -> Option<(f64, Finding)> {
    let found = match runs {
        Runs::Planar(run) => estimate_time_offset(&run.estimate, run.truth.as_ref()?, max_s),
        Runs::Spatial(run) => estimate_time_offset(&run.estimate, run.truth.as_ref()?, max_s),
    };
    let Some(found) = found else {
        let message = "the offset between the clocks could not be estimated: the runs do not move alike";
        return Some((
            0.0,
            Finding::warning("TIME_OFFSET_UNKNOWN", message).hint("state it as time_offset_s"),
        ));
    };
    let message = format!(
        "the clock of the estimate was shifted by {} s (+- {:.4} s, correlation of the motions {})",
        report::fixed(found.offset_s, 4),
        found.uncertainty_s,
        report::fixed(found.correlation, 3)
    );
    Some((found.offset_s, Finding::new(Level::Info, "TIME_OFFSET_ESTIMATED", message)))
}

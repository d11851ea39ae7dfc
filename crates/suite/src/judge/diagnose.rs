//! What is odd about a run: clocks that do not meet, a mirror image, little coverage, relations made from it.

use align::trajectory::{
    Fittable, Reflection, TimeOffset, Track, clock_findings, estimate_relation_offset, estimate_time_offset,
    no_common_time, reflection,
};
use metrics::trajectory::{LeftOut, Run, Runs};
use model::{Finding, Level, Pose2};

use crate::plan::Matching;

/// Relations that a run fits to a micrometre were most likely made from it.
const SELF_MADE_M: f64 = 1e-6;
/// Fewer than one of so many poses with a partner are chance.
const CHANCE: usize = 20;
/// Fewer relations than this prove nothing.
const SELF_MADE_COUNT: usize = 3;

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
    findings.extend(in_plane(runs));
    findings
}

/// A planar estimate says nothing of heights and tilts, so that they are no errors of it.
fn in_plane(runs: &Runs) -> Option<Finding> {
    let LeftOut { truth, relations, taken_as_level } = runs.left_out()?;
    let what = match (truth.is_some(), *relations) {
        (true, 0) => "those of the truth are left out".to_owned(),
        (true, count) => format!("those of the truth and of {count} relations are left out"),
        (false, count) => format!("those of {count} relations are left out"),
    };
    let message = format!("the estimate has no heights and no tilts: it is compared in the plane, {what}");
    if *taken_as_level == 0 {
        let hint = "a projection of `space` compares in space";
        return Some(Finding::new(Level::Info, "COMPARED_IN_PLANE", message).hint(hint));
    }
    let message = format!(
        "{message}; at the first time of {taken_as_level} relations the robot is taken to stand level"
    );
    let hint =
        "on a ramp they are too long: state the true trajectory too, or make relations of the plane (xy)";
    Some(Finding::warning("COMPARED_IN_PLANE", message).hint(hint))
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
        let explained = no_common_time(&run.estimate, truth, per_second);
        let nothing = || run.matches.is_empty().then(|| no_partner(run, "truth", truth.span_s())).flatten();
        findings.extend(explained.or_else(nothing));
    }
    findings.extend(relations_without_partner(run));
    findings.extend(self_made(run));
    findings
}

/// No relation has both its times in the run: the times of both, so that a wrong clock or file shows.
fn relations_without_partner<P: Fittable>(run: &Run<P>) -> Option<Finding> {
    let relations = run.relations.as_ref().filter(|relations| !relations.is_empty())?;
    let lookup = run.lookup();
    let is_met = |time_s: f64| lookup.at(time_s).is_some();
    if relations.iter().any(|relation| is_met(relation.from_s) && is_met(relation.to_s)) {
        return None;
    }
    let times = || relations.iter().flat_map(|relation| [relation.from_s, relation.to_s]);
    let span_s = times().reduce(f64::min).zip(times().reduce(f64::max));
    no_partner(run, "relations", span_s)
}

/// No time of the run meets one of the truth.
fn no_partner<P: Fittable>(run: &Run<P>, what: &str, span_s: Option<(f64, f64)>) -> Option<Finding> {
    let ((e0, e1), (t0, t1)) = (run.estimate.span_s()?, span_s?);
    let runs = if what == "relations" { "run" } else { "runs" };
    let message = format!(
        "the times do not meet: the estimate runs from {e0} to {e1} s, the {what} {runs} from {t0} to {t1} s"
    );
    let hint = if e0 <= t1 && t0 <= e1 {
        "no two times are near enough: a larger max_dt_s widens the search, associate = \"interpolate\" looks between poses"
    } else {
        "time_offset_s is added to the times of the estimate, estimate_offset_s finds it"
    };
    Some(Finding::warning("NO_COMMON_TIME", message).hint(hint))
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

fn offset_by_motion<P: Fittable>(run: &Run<P>, max_s: f64) -> Option<TimeOffset> {
    estimate_time_offset(&run.estimate, run.truth.as_ref()?, max_s)
}

/// The offset at which the relations fit best.
fn offset_by_relations<P: Fittable>(run: &Run<P>, max_s: f64) -> Option<(f64, Finding)> {
    let timed: Vec<(f64, f64, P)> = run
        .relations
        .as_ref()?
        .iter()
        .map(|relation| (relation.from_s, relation.to_s, relation.displacement))
        .collect();
    let Some(found) = estimate_relation_offset(&run.estimate, &timed, max_s) else {
        let message = "the offset between the clocks could not be estimated: the relations fit at no offset better than at others";
        let finding = Finding::warning("TIME_OFFSET_UNKNOWN", message).hint("state it as time_offset_s");
        return Some((0.0, finding));
    };
    let before = found.median_before_m.map_or_else(
        || "no relation had its times before".to_owned(),
        |before_m| format!("instead of {} m", report::fixed(before_m, 4)),
    );
    let message = format!(
        "the clock of the estimate was shifted by {} s (+- {:.4} s): the relations fit best there, with a median error of {} m, \
         {before}",
        report::fixed(found.offset_s, 4),
        found.uncertainty_s,
        report::fixed(found.median_m, 4)
    );
    Some((found.offset_s, Finding::new(Level::Info, "TIME_OFFSET_ESTIMATED", message)))
}

/// The offset between the clocks, searched up to `max_s` seconds.
pub(super) fn time_offset(runs: &Runs, max_s: f64) -> Option<(f64, Finding)> {
    let (has_truth, found) = match runs {
        Runs::Planar(run) => (run.truth.is_some(), offset_by_motion(run, max_s)),
        Runs::Spatial(run) => (run.truth.is_some(), offset_by_motion(run, max_s)),
    };
    if !has_truth {
        return match runs {
            Runs::Planar(run) => offset_by_relations(run, max_s),
            Runs::Spatial(run) => offset_by_relations(run, max_s),
        };
    }
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

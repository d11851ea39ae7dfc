//! What stands below a terminal table: coverage, window, alignment, findings, limits, baseline, reasons.

use std::fmt::Write;

use model::{Finding, Level};

use crate::comparison::Comparison;
use crate::number::{ColumnDigits, percent, shown};
use crate::printable::printable;
use crate::{
    Alignment, BaselineResult, CaseReport, Change, GridRecord, LimitResult, RelationsCoverage, Report,
    RunComparison, RunPair, Status,
};

/// Names listed in one line.
const MAX_NAMES: usize = 4;

/// The lines below a table, each part only if it has something to say.
pub(crate) fn footer(report: &Report, comparison: &Comparison) -> String {
    let mut text = String::new();
    let cases = &report.cases;
    if let Some(words) = not_judged_words(cases) {
        line(&mut text, "ERROR", &words);
    }
    if let [case] = cases.as_slice()
        && !case.is_about_places()
    {
        line(&mut text, "coverage", &coverage_words(case));
    }
    grouped_lines(&mut text, "window", cases, |case| case.grid.iter().map(window_words).collect());
    grouped_lines(&mut text, "alignment", cases, |case| alignment_of(case).into_iter().collect());
    grouped_lines(&mut text, "finding", cases, |case| case.findings.iter().map(finding_words).collect());
    if cases.len() > 1 {
        undefined_lines(&mut text, comparison);
    }
    ranking_lines(&mut text, report.comparison.as_ref());
    limit_lines(&mut text, &report.limits, report.cases.len());
    baseline_lines(&mut text, report.baseline.as_deref());
    for reason in comparison.reasons() {
        line(&mut text, "reason", &format!("{}: {}", reason.code(), reason.meaning()));
    }
    if comparison.has_best() {
        line(&mut text, "*", "best value of its metric; equal values are all marked");
    }
    if comparison.cases.len() > 1 && has_warning(comparison) {
        line(&mut text, "!", "read the reasons before using this value");
    }
    text
}

/// How many cases could not be judged, and which; none if all were.
pub(crate) fn not_judged_words(cases: &[CaseReport]) -> Option<String> {
    let names: Vec<&str> =
        cases.iter().filter(|case| case.error.is_some()).map(|case| case.name.as_str()).collect();
    let which = case_names(&names, cases.len());
    (!names.is_empty())
        .then(|| format!("{} of {} cases could not be judged: {which}", names.len(), cases.len()))
}

/// The window and what of the map fell outside, in words.
pub(crate) fn window_words(grid: &GridRecord) -> String {
    let size = format!("{} x {} cells of {} m", grid.width, grid.height, shown(Some(grid.cell_size_m)));
    let mut words = format!("{}, {size}, resampled {}", printable(&grid.window), printable(&grid.resample));
    if grid.outside_free + grid.outside_occupied > 0 {
        let _ = write!(
            words,
            "; outside and not scored: {} free, {} occupied cells of the map",
            grid.outside_free, grid.outside_occupied
        );
    }
    words
}

/// The coverage in words.
pub(crate) fn coverage_words(case: &CaseReport) -> String {
    if case.error.is_some() {
        return "the case could not be judged".to_owned();
    }
    if case.is_trajectory() {
        return match case.coverage() {
            None => "nothing says how much of the run was compared".to_owned(),
            Some(_) if case.relations_coverage().is_some() => relations_words(case),
            Some(share) => format!("{} of the truth was compared", percent(share)),
        };
    }
    match case.grid.as_ref().map(|grid| grid.coverage) {
        None => "the window is empty, nothing was compared".to_owned(),
        Some(None) => "the truth knows no cell".to_owned(),
        Some(Some(share)) => format!("the map knows {} of the truth's known cells", percent(share)),
    }
}

/// What relations say about a run: those that found both poses, and how much of the run lies between their times.
fn relations_words(case: &CaseReport) -> String {
    let Some(RelationsCoverage { matched, time, path, parts }) = case.relations_coverage() else {
        return String::new();
    };
    let joined = if parts == 1 { "1 connected part".to_owned() } else { format!("{parts} connected parts") };
    format!(
        "{} of the relations were compared; they speak about {} of the run's time and {} of its path, in {joined}",
        percent(matched),
        percent(time),
        percent(path)
    )
}

/// The alignment in words; none where there was nothing to align.
pub(crate) fn alignment_of(case: &CaseReport) -> Option<String> {
    let is_told = case.error.is_none() && (case.alignment.is_some() || !case.is_about_places());
    is_told.then(|| alignment_words(case.alignment.as_ref()))
}

/// The alignment in words, the angle in degrees for people.
fn alignment_words(alignment: Option<&Alignment>) -> String {
    let Some(alignment) = alignment else { return "none; nothing was aligned".to_owned() };
    let Some(t) = alignment.truth_from_map else {
        return format!("{}: no transform was found", printable(&alignment.method));
    };
    let transform = format!(
        "{}: truth_from_map x {} m, y {} m, turn {} deg, scale {}",
        printable(&alignment.method),
        shown(Some(t.x_m)),
        shown(Some(t.y_m)),
        shown(Some(t.theta_rad.to_degrees())),
        shown(Some(t.scale))
    );
    match &alignment.by {
        Some(by) => format!("{transform}; laid by {}{}", printable(by), reason_words(alignment)),
        None => transform,
    }
}

/// Why a person chose the transform, and what the search had found.
fn reason_words(alignment: &Alignment) -> String {
    let reason = alignment.reason.iter().map(|reason| format!(": {}", printable(reason)));
    let verdict = alignment.automatic.as_ref().and_then(|automatic| automatic.get("verdict")?.as_str());
    reason.chain(verdict.map(|verdict| format!(" (the search: {})", printable(verdict)))).collect()
}

/// The word for a level.
pub(crate) const fn level_word(level: Level) -> &'static str {
    match level {
        Level::Info => "info",
        Level::Warning => "warning",
        Level::Error => "error",
    }
}

/// Names of some of the cases, for a line that speaks of all of them.
pub(crate) fn case_names(names: &[&str], all: usize) -> String {
    if names.len() == all {
        return "all".to_owned();
    }
    let mut shown: Vec<_> = names.iter().take(MAX_NAMES).map(|name| printable(name)).collect();
    if names.len() > MAX_NAMES {
        shown.push(format!("{} more", names.len() - MAX_NAMES));
    }
    shown.join(", ")
}

/// What several cases have in common is said once.
fn grouped_lines(
    text: &mut String,
    key: &str,
    cases: &[CaseReport],
    words_of: impl Fn(&CaseReport) -> Vec<String>,
) {
    let mut groups: Vec<(String, Vec<&str>)> = Vec::new();
    for case in cases {
        for words in words_of(case) {
            match groups.iter_mut().find(|group| group.0 == words) {
                Some(group) => group.1.push(&case.name),
                None => groups.push((words, vec![&case.name])),
            }
        }
    }
    for (words, names) in groups {
        let names =
            if cases.len() > 1 { format!("{}: ", case_names(&names, cases.len())) } else { String::new() };
        let mut parts = words.split('\n');
        line(text, key, &format!("{names}{}", parts.next().unwrap_or_default()));
        for part in parts {
            line(text, "", part);
        }
    }
}

fn finding_words(finding: &Finding) -> String {
    let level = level_word(finding.level);
    let words = format!("{level} {}: {}", printable(&finding.code), printable(&finding.message));
    match &finding.hint {
        Some(hint) => format!("{words}\nhint: {}", printable(hint)),
        None => words,
    }
}

/// What a ranking rests on, in words.
pub(crate) fn basis_words(comparison: &RunComparison) -> String {
    format!(
        "{} of {} on the {} of {} that every ranked run has; 95 % intervals from {} resamples of blocks of {}",
        printable(&comparison.statistic),
        printable(&comparison.rank_by),
        comparison.common,
        comparison.whole,
        comparison.resamples,
        comparison.block
    )
}

/// Runs whose order means nothing, in words.
pub(crate) fn tie_words(comparison: &RunComparison) -> Vec<String> {
    let undecided = comparison.pairs.iter().filter(|pair| pair.p > 0.05);
    let words = |pair: &RunPair| {
        let (better, worse) = (printable(&pair.better), printable(&pair.worse));
        format!("{better} and {worse} cannot be told apart (p = {:.2})", pair.p)
    };
    undecided.map(words).collect()
}

/// The ranking of several runs, with what it rests on.
fn ranking_lines(text: &mut String, comparison: Option<&RunComparison>) {
    let Some(comparison) = comparison else { return };
    let unit = comparison.unit.symbol();
    line(text, "ranking", &basis_words(comparison));
    let digits = comparison.digits();
    for run in &comparison.ranking {
        let name = printable(&run.name);
        let words = match (&run.reason, run.rank) {
            (None, Some(rank)) => {
                format!(
                    "{rank}. {name}: {} {unit} ({} to {})",
                    digits.shown(run.value),
                    digits.shown(run.low),
                    digits.shown(run.high)
                )
            }
            (reason, _) => {
                format!("-  {name}: not ranked, {}", printable(reason.as_deref().unwrap_or_default()))
            }
        };
        line(text, "", &words);
    }
    for words in tie_words(comparison) {
        line(text, "", &words);
    }
}

/// In a side-by-side table a dash says only that there is no value; here is why.
fn undefined_lines(text: &mut String, comparison: &Comparison) {
    for row in &comparison.rows {
        let mut groups: Vec<(Vec<&str>, Vec<&str>)> = Vec::new();
        for (slot, case) in row.slots.iter().zip(comparison.cases) {
            let Some(record) = slot.record.filter(|record| record.value.is_none()) else { continue };
            let codes: Vec<_> = record.reasons.iter().map(|reason| reason.code()).collect();
            match groups.iter_mut().find(|group| group.0 == codes) {
                Some(group) => group.1.push(&case.name),
                None => groups.push((codes, vec![&case.name])),
            }
        }
        for (codes, names) in groups {
            let names = case_names(&names, comparison.cases.len());
            line(
                text,
                "undefined",
                &format!("{names}: {}, {}", printable(&row.facts.title), codes.join(", ")),
            );
        }
    }
}

fn limit_lines(text: &mut String, limits: &[LimitResult], cases: usize) {
    if limits.is_empty() {
        return;
    }
    let missed = limits.iter().filter(|limit| !limit.held).count();
    line(text, "limits", &format!("{} held, {missed} missed", limits.len() - missed));
    for limit in limits.iter().filter(|limit| !limit.held) {
        let name = if cases > 1 { format!("{}: ", printable(&limit.case)) } else { String::new() };
        let found = limit.value.map_or_else(|| "undefined".to_owned(), |value| shown(Some(value)));
        let rule = printable(&limit.rule);
        line(text, "MISSED", &format!("{name}{} {rule}, found {found}", printable(&limit.metric)));
    }
}

fn baseline_lines(text: &mut String, baseline: Option<&[BaselineResult]>) {
    let Some(rows) = baseline else { return };
    let count = |change: Change| rows.iter().filter(|row| row.change == change).count();
    let summary = format!(
        "{} better, {} same, {} worse, {} new",
        count(Change::Better),
        count(Change::Same),
        count(Change::Worse),
        count(Change::New)
    );
    line(text, "baseline", &summary);
    for row in rows.iter().filter(|row| matches!(row.change, Change::Better | Change::Worse)) {
        let word = if row.change == Change::Worse { "WORSE" } else { "better" };
        let digits = ColumnDigits::of([row.before, row.now]);
        let values = format!("{} -> {}", digits.shown(row.before), digits.shown(row.now));
        line(text, word, &format!("{}: {} {values}", printable(&row.case), printable(&row.metric)));
    }
}

fn has_warning(comparison: &Comparison) -> bool {
    let mut records = comparison.rows.iter().flat_map(|row| &row.slots).filter_map(|slot| slot.record);
    records.any(|record| record.status == Status::Warning)
}

fn line(text: &mut String, key: &str, words: &str) {
    let _ = writeln!(text, "{key:<11}{words}");
}

//! What stands below a terminal table: coverage, window, alignment, findings, limits, baseline, reasons.

use std::fmt::Write;

use model::Level;

use crate::comparison::Comparison;
use crate::number::{percent, shown};
use crate::printable::printable;
use crate::{Alignment, BaselineResult, CaseReport, Change, GridRecord, LimitResult, Report, Status};

/// The lines below a table, each part only if it has something to say.
pub(crate) fn footer(report: &Report, comparison: &Comparison) -> String {
    let mut text = String::new();
    for case in &report.cases {
        let name =
            if report.cases.len() > 1 { format!("{}: ", printable(&case.name)) } else { String::new() };
        case_lines(&mut text, case, &name);
    }
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
pub(crate) fn coverage_words(grid: Option<&GridRecord>) -> String {
    match grid.map(|grid| grid.coverage) {
        None => "the window is empty, nothing was compared".to_owned(),
        Some(None) => "the truth knows no cell".to_owned(),
        Some(Some(share)) => format!("the map knows {} of the truth's known cells", percent(share)),
    }
}

/// The alignment in words, the angle in degrees for people.
pub(crate) fn alignment_words(alignment: Option<&Alignment>) -> String {
    let Some(alignment) = alignment else { return "none; nothing was aligned".to_owned() };
    let t = alignment.truth_from_map;
    format!(
        "{}: truth_from_map x {} m, y {} m, turn {} deg, scale {}",
        printable(&alignment.method),
        shown(Some(t.x_m)),
        shown(Some(t.y_m)),
        shown(Some(t.theta_rad.to_degrees())),
        shown(Some(t.scale))
    )
}

/// The word for a level.
pub(crate) const fn level_word(level: Level) -> &'static str {
    match level {
        Level::Info => "info",
        Level::Warning => "warning",
        Level::Error => "error",
    }
}

fn case_lines(text: &mut String, case: &CaseReport, name: &str) {
    line(text, "coverage", &format!("{name}{}", coverage_words(case.grid.as_ref())));
    if let Some(grid) = &case.grid {
        line(text, "window", &format!("{name}{}", window_words(grid)));
    }
    line(text, "alignment", &format!("{name}{}", alignment_words(case.alignment.as_ref())));
    for finding in &case.findings {
        let level = level_word(finding.level);
        let message = printable(&finding.message);
        line(text, "finding", &format!("{name}{level} {}: {message}", printable(&finding.code)));
        if let Some(hint) = &finding.hint {
            line(text, "", &format!("hint: {}", printable(hint)));
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
        let values = format!("{} -> {}", shown(row.before), shown(row.now));
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

//! What a reader must see first: limits held or missed, change against the baseline, the headline values.

use minijinja::{Value, context};

use super::{coverage_of, metric, unit_of};
use crate::comparison::{COVERAGE_METRICS, Comparison};
use crate::footer::not_judged_words;
use crate::number::{ColumnDigits, shown};
use crate::printable::printable;
use crate::{BaselineResult, Change, LimitResult, Report, Status};

/// Values that tell most about a map at a glance, in this order; ours. Other metrics fill up the row.
const HEADLINES: [&str; 5] =
    ["surface_f1_area", "tolerance_f1_area", "chamfer_distance", "overall_error", "picture_distance"];

const MAX_TILES: usize = 6;

pub(super) fn view(report: &Report, comparison: &Comparison) -> Value {
    let records = || comparison.rows.iter().flat_map(|row| &row.slots).filter_map(|slot| slot.record);
    let count = |status: Status| records().filter(|record| record.status == status).count();
    let (held_limits, missed_limits): (Vec<_>, Vec<_>) = report.limits.iter().partition(|limit| limit.held);
    let views = |limits: &[&LimitResult]| limits.iter().copied().map(limit_view).collect::<Vec<_>>();
    context! {
        held => held_limits.len(),
        missed => missed_limits.len(),
        held_limits => views(&held_limits),
        missed_limits => views(&missed_limits),
        values => records().count(),
        defined => records().count() - count(Status::Undefined),
        warnings => count(Status::Warning),
        baseline => report.baseline.as_deref().map(baseline_view),
        several => report.cases.len() > 1,
        not_judged => not_judged_words(&report.cases),
    }
}

/// The headline values of a single case; none for several, where the table comes first.
pub(super) fn tiles(report: &Report, comparison: &Comparison) -> Option<Vec<Value>> {
    let [case] = report.cases.as_slice() else { return None };
    let headline = |id: &&str| comparison.rows.iter().position(|row| row.facts.id == **id);
    let is_taken = |id: &str| HEADLINES.contains(&id) || COVERAGE_METRICS.contains(&id);
    let rest = (0..comparison.rows.len()).filter(|&index| !is_taken(&comparison.rows[index].facts.id));
    let candidates = HEADLINES.iter().filter_map(headline).chain(rest);
    let defined = candidates.filter(|&index| comparison.rows[index].facts.value.is_some());
    let note =
        if case.is_trajectory() { "of the truth was compared" } else { "of the truth is known to the map" };
    let coverage = context! { title => "Coverage", value => coverage_of(case), note };
    let mut tiles = if case.is_about_places() { Vec::new() } else { vec![coverage] };
    for index in defined.take(MAX_TILES - 1) {
        let record = comparison.rows[index].facts;
        tiles.push(context! {
            title => printable(&record.title),
            id => printable(&record.id),
            value => record.with_share(shown(record.value)),
            unit => unit_of(record.unit),
            note => metric::better_words(record),
            status => metric::status_word(record.status),
            share => metric::share(record),
        });
    }
    Some(tiles)
}

fn limit_view(limit: &LimitResult) -> Value {
    context! {
        case => printable(&limit.case),
        metric => printable(&limit.metric),
        rule => printable(&limit.rule),
        value => limit.value.map_or_else(|| "undefined".to_owned(), |value| shown(Some(value))),
        held => limit.held,
    }
}

fn baseline_view(rows: &[BaselineResult]) -> Value {
    let count = |change: Change| rows.iter().filter(|row| row.change == change).count();
    let moved = rows.iter().filter(|row| matches!(row.change, Change::Better | Change::Worse));
    let mut moved: Vec<_> = moved.collect();
    moved.sort_by_key(|row| row.change != Change::Worse);
    let moved: Vec<_> = moved
        .into_iter()
        .map(|row| {
            context! {
                case => printable(&row.case),
                metric => printable(&row.metric),
                before => ColumnDigits::of([row.before, row.now]).shown(row.before),
                now => ColumnDigits::of([row.before, row.now]).shown(row.now),
                worse => row.change == Change::Worse,
            }
        })
        .collect();
    context! {
        better => count(Change::Better),
        same => count(Change::Same),
        worse => count(Change::Worse),
        new => count(Change::New),
        moved,
    }
}

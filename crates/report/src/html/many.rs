//! The page of many cases: one table that can be sorted, thumbnails, and no more than a few kilobytes per case.
//!
//! `many.html` is its order, `many.js` sorts the table by a column; without scripts the page is complete. Details and
//! full-size figures are in the report's folder.

use metrics::Better;
use minijinja::{Value, context};

use super::{case, coverage_of, legend, metric, title, unit_of};
use crate::comparison::{Comparison, Row, Slot, loss};
use crate::footer::{alignment_of, not_judged_words, window_words};
use crate::natural_order::in_natural_order;
use crate::number::{ColumnDigits, shown};
use crate::page::PageKind;
use crate::printable::printable;
use crate::{BaselineResult, CaseReport, Change, ImageError, LimitResult, RenderError, Report, Status};

const PAGE: PageKind = PageKind {
    template: include_str!("many.html"),
    style: include_str!("many.css"),
    script: include_str!("many.js"),
    class: "",
};

/// Missed limits, changes and ranks that are listed.
const MAX_LISTED: usize = 200;

pub(super) fn page(report: &Report, comparison: &Comparison) -> Result<String, RenderError> {
    let order = in_natural_order(comparison.cases);
    let digits: Vec<ColumnDigits> = comparison.rows.iter().map(Row::digits).collect();
    let rows: Vec<Value> =
        order.iter().map(|&index| row_view(index, report, comparison, &digits)).collect::<Result<_, _>>()?;
    let missed: Vec<&LimitResult> = report.limits.iter().filter(|limit| !limit.held).collect();
    let worse = |row: &&BaselineResult| row.change == Change::Worse;
    let worse: Vec<&BaselineResult> = report.baseline.iter().flatten().filter(worse).collect();
    let count = |change: Change| report.baseline.iter().flatten().filter(|row| row.change == change).count();
    let page = context! {
        title => title(report),
        tool => format!("{} {}", printable(&report.tool.name), printable(&report.tool.version)),
        schema => printable(&report.schema),
        not_judged => not_judged_words(&report.cases),
        limits => report.limits.len(),
        missed => missed.len(),
        missed_limits => missed.iter().take(MAX_LISTED).map(|limit| limit_view(limit)).collect::<Vec<_>>(),
        baseline => report.baseline.is_some(),
        worse => worse.len(),
        better => count(Change::Better),
        same => count(Change::Same),
        new => count(Change::New),
        worse_rows => worse.iter().take(MAX_LISTED).map(|row| change_view(row)).collect::<Vec<_>>(),
        max_listed => MAX_LISTED,
        has_thumbnails => report.cases.iter().any(|case| thumbnail(case).is_some()),
        has_coverage => comparison.needs_coverage_row(),
        overlay_legend => legend(),
        columns => comparison.rows.iter().map(column_view).collect::<Vec<_>>(),
        rows,
        ranking => ranking_view(report),
        cards => comparison.rows.iter().map(|row| card_view(row, comparison)).collect::<Vec<_>>(),
    };
    PAGE.render(&title(report), page)
}

fn row_view(
    index: usize,
    report: &Report,
    comparison: &Comparison,
    digits: &[ColumnDigits],
) -> Result<Value, ImageError> {
    let case = &comparison.cases[index];
    let slots: Vec<Value> = comparison
        .rows
        .iter()
        .zip(digits)
        .map(|(row, digits)| slot_view(&row.slots[index], *digits))
        .collect();
    let missed = report.limits.iter().filter(|limit| limit.case == case.name && !limit.held).count();
    let findings = case.findings.iter().filter(|finding| finding.level > model::Level::Info);
    let map = case.inputs.iter().find(|input| input.role != "truth");
    Ok(context! {
        anchor => format!("case-{index}"),
        name => printable(&case.name),
        thumbnail => thumbnail(case).map(crate::Figure::thumbnail_uri).transpose()?,
        coverage => coverage_of(case),
        slots,
        missed,
        is_failed => case.error.is_some(),
        findings => findings.map(case::finding_view).collect::<Vec<_>>(),
        window => case.grid.as_ref().map(window_words),
        alignment => alignment_of(case),
        file => map.map(case::input_view),
    })
}

/// The figure that tells most at a glance, where it is small: cells, never a chart.
fn thumbnail(case: &CaseReport) -> Option<&crate::Figure> {
    let first = || case.figures.iter().find(|figure| !figure.is_vector());
    case.figure("overlay").filter(|figure| !figure.is_vector()).or_else(first)
}

/// Short names of classes: there are tens of thousands of cells.
fn slot_view(slot: &Slot, digits: ColumnDigits) -> Value {
    let is_warned = slot.record.is_some_and(|record| record.status == Status::Warning);
    let class = match (slot.is_best, is_warned) {
        (true, true) => " class=\"b w\"",
        (true, false) => " class=b",
        (false, true) => " class=w",
        (false, false) => "",
    };
    let shown = digits.shown(slot.value());
    let value = slot.record.map(|record| record.with_share(shown.clone())).unwrap_or(shown);
    context! { class, value }
}

fn column_view(row: &Row) -> Value {
    context! {
        id => printable(&row.facts.id),
        title => printable(&row.facts.title),
        unit => unit_of(row.facts.unit),
        better => row.facts.better.name(),
    }
}

fn limit_view(limit: &LimitResult) -> Value {
    context! {
        case => printable(&limit.case),
        rule => format!("{} {}", printable(&limit.metric), printable(&limit.rule)),
        value => limit.value.map_or_else(|| "undefined".to_owned(), |value| shown(Some(value))),
    }
}

fn change_view(row: &BaselineResult) -> Value {
    context! {
        case => printable(&row.case),
        metric => printable(&row.metric),
        before => ColumnDigits::of([row.before, row.now]).shown(row.before),
        now => ColumnDigits::of([row.before, row.now]).shown(row.now),
    }
}

fn ranking_view(report: &Report) -> Option<Value> {
    let comparison = report.comparison.as_ref()?;
    let digits = comparison.digits();
    let run = |run: &crate::RankedRun| {
        context! {
            rank => run.rank,
            name => printable(&run.name),
            value => digits.shown(run.value),
            low => digits.shown(run.low),
            high => digits.shown(run.high),
            reason => run.reason.as_deref().map(printable),
        }
    };
    Some(context! {
        basis => crate::footer::basis_words(comparison),
        unit => unit_of(comparison.unit),
        runs => comparison.ranking.iter().map(run).collect::<Vec<_>>(),
    })
}

/// What a metric means, and its best, middle and worst case; the values themselves are in the table.
fn card_view(row: &Row, comparison: &Comparison) -> Value {
    let mut ranked: Vec<(f64, usize)> = Vec::new();
    for (index, slot) in row.slots.iter().enumerate() {
        ranked.extend(slot.record.and_then(loss).map(|loss| (loss, index)));
    }
    ranked.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let digits = row.digits();
    let at = |place: usize| {
        let index = ranked.get(place)?.1;
        let value = digits.shown(row.slots[index].value());
        Some(
            context! { name => printable(&comparison.cases[index].name), anchor => format!("case-{index}"), value },
        )
    };
    let last = ranked.len().saturating_sub(1);
    let named =
        if row.facts.better == Better::Closer { "closest, middle, farthest" } else { "best, middle, worst" };
    context! {
        named,
        places => [0, last / 2, last].map(at),
        defined => row.slots.iter().filter(|slot| slot.record.is_some_and(|r| r.value.is_some())).count(),
        all => row.slots.len(),
        ..metric::summary_view(row, comparison)
    }
}

#[cfg(test)]
mod tests {
    use super::super::html;
    use super::*;
    use crate::example;

    fn report(cases: usize) -> Report {
        let values: Vec<_> = (0..cases).map(|i| Some(i as f64)).collect();
        let mut report = example::one_metric(Better::Lower, Some(0.0), &values);
        for case in &mut report.cases {
            case.figures = example::figures();
        }
        report
    }

    #[test]
    fn many_cases_are_rows_in_natural_order_with_thumbnails() {
        let text = html(&report(20)).unwrap();
        let at = |name: &str| text.find(&format!(">{name}</a>")).unwrap_or_else(|| panic!("{name}"));
        assert!(at("map2") < at("map10") && at("map9") < at("map10"));
        assert_eq!(text.matches("data:image/png").count(), 20);
        assert!(text.contains("20 maps against one truth") && text.contains("<td class=b>0</td>"), "{text}");
    }

    /// A map of 200 x 150 cells of noise, which compresses worst, in every metric.
    fn full_case(number: usize) -> CaseReport {
        use model::{CellClass, Grid, GridGeometry, Pose2};
        let geometry = GridGeometry::new(200, 150, 0.05, Pose2::IDENTITY).unwrap();
        let mut state = number as u64 + 1;
        let mut noise = || {
            let mut cell = || {
                state = state * 16_807 % 2_147_483_647;
                if state % 7 < 2 { CellClass::Occupied } else { CellClass::Free }
            };
            Grid::new(geometry, (0..30_000).map(|_| cell()).collect()).unwrap()
        };
        let record = |entry: &metrics::Entry| crate::MetricRecord {
            id: entry.spec.id.into(),
            title: entry.spec.title.into(),
            value: Some(number as f64 / 7.0),
            ..example::overall_error(1.0)
        };
        let mut case = example::case(&format!("map{number}"), metrics::all().map(record).collect());
        case.figures = vec![crate::overlay_figure(&noise(), &noise()).unwrap()];
        case
    }

    #[test]
    fn the_page_of_five_hundred_maps_stays_below_five_megabytes() {
        const CASES: usize = 200;
        let report = example::report((0..CASES).map(full_case).collect());
        let text = html(&report).unwrap();
        assert_eq!(text.matches("data:image/png").count(), CASES);
        assert!(text.len() < CASES * 5_000_000 / 500, "{} bytes", text.len());
    }

    #[test]
    fn a_case_that_could_not_be_judged_stands_in_the_table() {
        let mut report = report(20);
        report.cases[3] = example::with_failure().cases.remove(1);
        let text = html(&report).unwrap();
        assert!(text.contains("1 of 20 cases could not be judged: broken"), "{text}");
        assert!(text.contains("<code>MALFORMED</code>"));
    }

    #[test]
    fn every_text_of_a_stranger_is_escaped() {
        let mut report = report(20);
        report.cases[0].name = example::HOSTILE.into();
        report.limits = vec![example::limit(example::HOSTILE, "overall_error", "<= 0", Some(1.0), false)];
        let text = html(&report).unwrap();
        assert!(!text.contains("<b>") && text.contains("&lt;b&gt;"));
        let outside = text.replace("xmlns=\"http://www.w3.org/2000/svg\"", "");
        assert!(!outside.contains("http://") && !outside.contains("https://"));
    }
}

//! The tables of a score sheet that answer an appeal: every label and every victim with what became of it.

use metrics::MetricEvidence;
use metrics::contest::point_score::{PointScoreEvidence, PointSide, UnmatchedPoint};
use report::{CaseReport, ColumnDigits, MetricRecord, SheetTable, shown_number};

/// The tables of what was measured; none for a submission without labels and victims.
pub(super) fn sheet_tables(cases: &[CaseReport]) -> Vec<SheetTable> {
    let records = || cases.iter().flat_map(|case| &case.metrics);
    let labels = records().filter_map(|record| match &record.evidence.of_metric {
        Some(MetricEvidence::PointScore(evidence)) => Some(labels(record, evidence)),
        _ => None,
    });
    let victims = records().filter(|record| record.id == "victims").filter_map(victims);
    labels.chain(victims).collect()
}

fn metres(value: Option<f64>) -> String {
    value.map_or_else(|| "–".to_owned(), |value| report::fixed(value, 3))
}

/// Labels found, missed, reported twice and unknown, in that order.
fn labels(record: &MetricRecord, evidence: &PointScoreEvidence) -> SheetTable {
    let threshold_m = record.params.get("scoring_threshold").and_then(serde_json::Value::as_f64);
    let digits = ColumnDigits::of(evidence.matches.iter().map(|found| Some(found.points)));
    let mut rows: Vec<Vec<String>> = Vec::new();
    for found in &evidence.matches {
        let is_far =
            found.error_m.zip(threshold_m).is_some_and(|(error_m, threshold_m)| error_m > threshold_m);
        let outcome = if is_far { "found, too far off" } else { "found" };
        rows.push(vec![
            found.label.clone(),
            outcome.to_owned(),
            found.truth_id.clone(),
            found.submission_id.clone(),
            metres(found.error_m),
            digits.shown(Some(found.points)),
        ]);
    }
    let on = |side: PointSide| evidence.unmatched.iter().filter(move |point| point.side == side);
    let row = |point: &UnmatchedPoint, outcome: &str| {
        let (truth, report) = match point.side {
            PointSide::Truth => (point.id.clone(), "–".to_owned()),
            PointSide::Submission => ("–".to_owned(), point.id.clone()),
        };
        vec![point.label.clone(), outcome.to_owned(), truth, report, metres(None), digits.shown(Some(0.0))]
    };
    rows.extend(on(PointSide::Truth).map(|point| row(point, "missed")));
    let is_known = |point: &&UnmatchedPoint| evidence.matches.iter().any(|found| found.label == point.label);
    let (doubled, unknown): (Vec<_>, Vec<_>) = on(PointSide::Submission).partition(is_known);
    rows.extend(doubled.iter().map(|point| row(point, "reported twice")));
    rows.extend(unknown.iter().map(|point| row(point, "no such label")));
    let missed = on(PointSide::Truth).count();
    let summary = format!(
        "{} of {} labels found, {missed} missed, {} reported twice, {} without such a label. {}",
        evidence.matches.len(),
        evidence.matches.len() + missed,
        doubled.len(),
        unknown.len(),
        evidence.formula
    );
    let summary = match threshold_m {
        Some(threshold_m) => {
            format!("{summary}. A label counts up to an error of {} m.", shown_number(threshold_m))
        }
        None => summary,
    };
    let columns =
        ["Label", "Outcome", "True no.", "Reported no.", "Error, m", "Points"].map(str::to_owned).into();
    SheetTable { title: "Labels".to_owned(), summary, columns, rows }
}

/// How many victims were located and how many reports were none.
fn victims(record: &MetricRecord) -> Option<SheetTable> {
    let number = |name: &str| {
        let value = record.evidence.values.iter().find(|value| value.name.as_ref() == name)?;
        match &value.value {
            metrics::Quantity::Number(number) => Some(*number),
            metrics::Quantity::List(_) => None,
        }
    };
    let list = |name: &str| {
        let value = record.evidence.values.iter().find(|value| value.name.as_ref() == name);
        match value.map(|value| &value.value) {
            Some(metrics::Quantity::List(list)) => list.clone(),
            _ => Vec::new(),
        }
    };
    let (located, all, false_alarms) = (number("located")?, number("true_victims")?, number("false_alarms")?);
    let errors = list("victims.error_m").into_iter().zip(list("values"));
    let digits = ColumnDigits::of(list("values").into_iter().map(Some));
    let row = |(index, (error_m, value)): (usize, (f64, f64))| {
        vec![(index + 1).to_string(), metres(Some(error_m)), digits.shown(Some(value))]
    };
    let summary = format!(
        "{} of {} victims located, {} false alarms.",
        shown_number(located),
        shown_number(all),
        shown_number(false_alarms)
    );
    let columns = ["Reported victim", "Error, m", "Value"].map(str::to_owned).into();
    let rows = errors.enumerate().map(row).collect();
    Some(SheetTable { title: "Victims".to_owned(), summary, columns, rows })
}

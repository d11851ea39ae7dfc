//! A map that a judge laid on the truth: its sheet shows the values under both frames, by hand and automatic.

use align::Verdict;
use report::{CaseReport, SheetTable, shown_number};

use super::measure::Place;
use crate::{AlignmentFile, Plan, Subject, judge};

/// The values of a map as a judge laid it, beside those under what the search had found; none for frames that no judge chose.
pub(super) fn hand_table(
    place: &Place<'_>,
    part: &Subject,
    plan: &Plan,
    chosen: &AlignmentFile,
) -> Option<SheetTable> {
    let by = chosen.by.as_ref()?;
    let by_hand = judge(part, &place.mission.truth, plan).ok()?;
    let searched = chosen.automatic.as_ref();
    let certain = searched.filter(|found| found.certificate.verdict == Verdict::Certain);
    let automatic = certain.and_then(|found| {
        let plan = Plan { transform: Some(AlignmentFile::new(found.clone())), ..plan.clone() };
        judge(part, &place.mission.truth, &plan).ok()
    });
    let reason = chosen.reason.as_ref().map_or_else(String::new, |reason| format!(": {reason}"));
    let search = match (searched, certain) {
        (None, _) => "The automatic alignment was not asked for.",
        (Some(_), None) => "The automatic alignment was not certain.",
        (Some(_), Some(_)) => "The automatic alignment was certain; its values stand beside.",
    };
    Some(SheetTable {
        title: "Laid on the truth by hand".to_owned(),
        summary: format!("By {by}{reason}. {search}"),
        columns: ["Value", "By hand", "Automatic"].map(str::to_owned).to_vec(),
        rows: rows(&by_hand, automatic.as_ref()),
    })
}

fn rows(by_hand: &CaseReport, automatic: Option<&CaseReport>) -> Vec<Vec<String>> {
    let shown = |case: Option<&CaseReport>, id: &str| {
        let value = case.and_then(|case| case.metric(id)).and_then(|record| record.value);
        value.map_or_else(|| "none".to_owned(), shown_number)
    };
    let row = |record: &report::MetricRecord| {
        vec![record.title.clone(), shown(Some(by_hand), &record.id), shown(automatic, &record.id)]
    };
    by_hand.metrics.iter().map(row).collect()
}

//! A map that a judge laid on the truth: its sheet shows values and score under both frames, by hand and automatic.

use align::Verdict;
use report::{CaseReport, SheetTable, shown_number};

use super::combine::Details;
use super::entrants::{Contest, Submission};
use super::formula::Formula;
use super::measured::Measured;
use super::standing::{Entries, Standing, standing};
use crate::AlignmentFile;

const TITLE: &str = "Laid on the truth by hand";

/// The submission as the search had laid its map, if a judge laid it otherwise and the search was certain.
pub(super) fn as_searched(submission: &Submission) -> Option<Submission> {
    let chosen = submission.transform.as_ref().filter(|chosen| chosen.by.is_some())?;
    let found = chosen.automatic.as_ref().filter(|found| found.certificate.verdict == Verdict::Certain)?;
    Some(Submission { transform: Some(AlignmentFile::new(found.clone())), ..submission.clone() })
}

/// The values of a map as a judge laid it, beside those under what the search had found; none for frames that no judge chose.
pub(super) fn hand_table(chosen: &AlignmentFile, measured: &Measured) -> Option<SheetTable> {
    let by = chosen.by.as_ref()?;
    let reason = chosen.reason.as_ref().map_or_else(String::new, |reason| format!(": {reason}"));
    let search = match (&chosen.automatic, &measured.automatic) {
        (None, _) => "The automatic alignment was not asked for.",
        (Some(_), None) => "The automatic alignment was not certain.",
        (Some(_), Some(_)) => "The automatic alignment was certain; its values stand beside.",
    };
    Some(SheetTable {
        title: TITLE.to_owned(),
        summary: format!("By {by}{reason}. {search}"),
        columns: ["Value", "By hand", "Automatic"].map(str::to_owned).to_vec(),
        rows: rows(map_case(measured)?, measured.automatic.as_deref().and_then(map_case)),
    })
}

/// The case in which the map was judged.
fn map_case(measured: &Measured) -> Option<&CaseReport> {
    measured.cases.iter().find(|case| case.alignment.is_some())
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

/// Adds the score of the mission to each table: as it counts, and as it would be under what the search had found.
pub(super) fn add_scores(contest: &Contest, formula: &Formula, entries: &mut Entries, counted: &Standing) {
    let places: Vec<(usize, usize)> = entries
        .iter()
        .enumerate()
        .flat_map(|(team, missions)| {
            let laid = missions.iter().enumerate().filter(|(_, entry)| entry.measured.automatic.is_some());
            laid.map(move |(mission, _)| (team, mission)).collect::<Vec<_>>()
        })
        .collect();
    for (team, mission) in places {
        let value = |t: usize, m: usize, name: &str| {
            let measured = &entries[t][m].measured;
            let searched = measured.automatic.as_deref().filter(|_| (t, m) == (team, mission));
            searched.unwrap_or(measured).value(name)
        };
        let searched = standing(contest, formula, entries, &value, Details::Kept);
        let shown = |standing: &Standing| {
            let score = standing.results[team][mission].score.as_ref();
            score.map_or_else(|_| "none".to_owned(), |score| shown_number(*score))
        };
        let row = vec!["Score of the mission".to_owned(), shown(counted), shown(&searched)];
        let tables = &mut entries[team][mission].measured.tables;
        if let Some(table) = tables.iter_mut().find(|table| table.title == TITLE) {
            table.rows.insert(0, row);
        }
    }
}

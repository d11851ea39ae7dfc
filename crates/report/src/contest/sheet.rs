//! The score sheet of a team in a mission: one page of A4 with the formula, the numbers, and room for signatures.

use minijinja::{Value, context};
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use super::overview::{STYLE, finding_view, legend, rules, title, tool, weights};
use super::ranking_table::rank_words;
use super::value::{ContestReport, EnteredRecord, MissionResult, Outcome, PartRecord, RankedTeam};
use crate::figure::switched;
use crate::html::{gradient, heat_end};
use crate::number::shown;
use crate::page::PageKind;
use crate::printable::{name, printable};
use crate::{Figure, Input, RenderError};

const PAGE: PageKind =
    PageKind { template: include_str!("sheet.html"), style: STYLE, script: "", class: "sheet" };
/// Figures that a sheet has room for.
const ON_SHEET: [&str; 4] = ["overlay", "errors", "layers", "points"];
/// Findings that fit on the sheet.
const MAX_FINDINGS: usize = 8;
/// Elements of a list that fit into a cell.
const MAX_ELEMENTS: usize = 12;

/// Rows of a table that fit on the sheet.
const MAX_ROWS: usize = 60;

/// A table of a sheet, such as every label with what became of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SheetTable {
    pub title: String,
    /// The sums of the table in words.
    pub summary: String,
    pub columns: Vec<String>,
    /// One cell per column.
    pub rows: Vec<Vec<String>>,
}

/// What a sheet is about.
#[derive(Clone, Copy, Debug)]
pub struct Sheet<'a> {
    pub contest: &'a ContestReport,
    pub team: &'a RankedTeam,
    pub mission: &'a MissionResult,
    /// Of these the sheet shows overlay, errors, vector layers and points.
    pub figures: &'a [Figure],
    pub tables: &'a [SheetTable],
    /// The command that repeats the score.
    pub command: &'a str,
    /// The end of the record of the contest that the submission comes from.
    pub record: Option<&'a RecordHead>,
}

/// The end of the chain of events of a contest that was served: on paper it vouches for everything before it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordHead {
    /// Number of its last event.
    pub seq: u64,
    /// Hash of that event, in hexadecimal digits.
    pub hash: String,
}

/// The sheet as one page that needs nothing else.
///
/// # Errors
/// A figure cannot be drawn.
pub fn sheet(sheet: &Sheet<'_>) -> Result<String, RenderError> {
    let Sheet { contest, team, mission, .. } = sheet;
    let is_here =
        |finding: &&super::ContestFinding| finding.team == team.team && finding.mission == mission.mission;
    let findings: Vec<Value> = contest.findings.iter().filter(is_here).map(finding_view).collect();
    let mut inputs: Vec<&Input> = Vec::new();
    for input in mission.inputs.iter().chain(&contest.truth) {
        if !inputs.iter().any(|known| known.path == input.path) {
            inputs.push(input);
        }
    }
    let figures = sheet.figures.iter().filter(|figure| ON_SHEET.contains(&figure.name.as_str()));
    let figures: Vec<Value> = figures.map(figure_view).collect::<Result<_, _>>()?;
    let page = context! {
        title => title(contest),
        stamp => contest.stamp.as_deref().map(printable),
        profile => name(&contest.profile),
        tool => tool(contest),
        rules => rules(&contest.rules),
        weights => weights(&contest.rules),
        team => name(&team.team),
        mission => name(&mission.mission),
        rank => rank_words(team),
        teams => contest.ranking.len(),
        score => shown(mission.score),
        reason => mission.reason.as_deref().map(printable),
        broken => mission.outcome == Outcome::Broken,
        substituted => printable(&mission.substituted),
        parts => mission.parts.iter().map(part_view).collect::<Vec<_>>(),
        entered => mission.entered.iter().map(entered_view).collect::<Vec<_>>(),
        tables => sheet.tables.iter().map(table_view).collect::<Vec<_>>(),
        figures,
        has_overlay => sheet.figures.iter().any(|figure| figure.name == "overlay"),
        legend => legend(),
        heat_gradient => gradient(),
        more_findings => findings.len().saturating_sub(MAX_FINDINGS),
        findings => findings.into_iter().take(MAX_FINDINGS).collect::<Vec<_>>(),
        inputs => inputs.into_iter().map(|input| context! {
            role => printable(&input.role).replace('_', " "),
            path => printable(&input.path),
            blake3 => printable(&input.blake3).chars().take(32).collect::<String>(),
        }).collect::<Vec<_>>(),
        command => printable(sheet.command),
        record => sheet.record.map(|head| context! { seq => head.seq, hash => printable(&head.hash) }),
    };
    PAGE.render(&format!("{}, score sheet", name(&team.team)), page)
}

fn figure_view(figure: &Figure) -> Result<Value, RenderError> {
    let switched = switched(figure)?;
    let uri = if switched.is_none() { Some(figure.data_uri()?) } else { None };
    Ok(context! {
        uri,
        switched,
        name => figure.name.clone(),
        title => printable(&figure.title),
        caption => printable(&figure.caption),
        heat_max => heat_end(figure),
    })
}

fn entered_view(entered: &EnteredRecord) -> Value {
    context! {
        name => name(&entered.name),
        value => value_words(&entered.value),
        by => entered.by.as_deref().map(printable),
        reason => entered.reason.as_deref().map(printable),
    }
}

fn table_view(table: &SheetTable) -> Value {
    let row = |cells: &Vec<String>| cells.iter().map(|cell| printable(cell)).collect::<Vec<_>>();
    context! {
        title => printable(&table.title),
        summary => printable(&table.summary),
        columns => table.columns.iter().map(|column| printable(column)).collect::<Vec<_>>(),
        rows => table.rows.iter().take(MAX_ROWS).map(row).collect::<Vec<_>>(),
        more => table.rows.len().saturating_sub(MAX_ROWS),
    }
}

fn part_view(part: &PartRecord) -> Value {
    context! {
        name => name(&part.name),
        title => name(&part.title),
        value => value_words(&part.value),
        by_judge => part.by_judge,
        stand_in => part.stand_in,
        reason => part.reason.as_deref().map(printable),
        basis => basis(&part.detail),
    }
}

fn value_words(value: &Json) -> String {
    match value {
        Json::Number(number) => shown(number.as_f64()),
        Json::Array(list) => {
            let words: Vec<String> = list.iter().take(MAX_ELEMENTS).map(|x| shown(x.as_f64())).collect();
            let rest = if list.len() > MAX_ELEMENTS { ", …" } else { "" };
            format!("[{}{rest}]", words.join(", "))
        }
        _ => shown(None),
    }
}

/// What a part rests on, in a line: the facts of its detail that are numbers, or its criteria.
fn basis(detail: &Json) -> Option<String> {
    let facts = detail.as_object()?;
    if let (Some(formula), Some(numbers)) = (facts.get("formula"), facts.get("substituted")) {
        let words = |value: &Json| printable(value.as_str().unwrap_or_default());
        return Some(format!("{} = {}", words(formula), words(numbers)));
    }
    if let Some(criteria) = facts.get("criteria").and_then(Json::as_array) {
        let words = |criterion: &Json| {
            let by = if criterion["source"] == "manual" { " ✎" } else { "" };
            let rank =
                criterion["rank"].as_f64().map_or_else(String::new, |r| format!(", rank {}", shown(Some(r))));
            let value = criterion["value"].as_f64();
            let name = name(criterion["name"].as_str().unwrap_or_default());
            format!("{name} {}{rank}{by}", shown(value))
        };
        return Some(criteria.iter().map(words).collect::<Vec<_>>().join(" · "));
    }
    let numbers: Vec<String> = facts
        .iter()
        .filter(|(key, _)| *key != "value")
        .filter_map(|(key, value)| {
            Some(format!("{} {}", printable(key).replace('_', " "), shown(Some(value.as_f64()?))))
        })
        .collect();
    (!numbers.is_empty()).then(|| numbers.join(" · "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contest::example;

    fn page(contest: &ContestReport, team: usize) -> String {
        let team = &contest.ranking[team];
        let (mission, command) = (&team.missions[0], "mapjudge contest contest.toml");
        let tables = &[SheetTable {
            title: "Labels".into(),
            summary: "1 of 2 found".into(),
            columns: ["Label", "Error"].map(str::to_owned).into(),
            rows: vec![vec!["<qr> a".into(), "0.1 m".into()]],
        }];
        sheet(&Sheet { contest, team, mission, figures: &[], tables, command, record: None }).unwrap()
    }

    #[test]
    fn the_sheet_shows_formula_numbers_judge_and_signature() {
        let text = page(&example::contest(), 0);
        for words in ["w_E*E + w_M*M", "50 · 1 + 50 · 0.8", "entered by a judge", ">Judge<", "rank 1 of 2"]
        {
            assert!(text.contains(words), "{words}");
        }
    }

    #[test]
    fn the_sheet_answers_an_appeal() {
        let text = page(&example::contest(), 0);
        for words in ["R. Judge", "seen on the day", "1 of 2 found", "&lt;qr&gt; a", "0.1 m"] {
            assert!(text.contains(words), "{words}");
        }
        let detail = serde_json::json!({"formula": "P / (1 + Err)", "substituted": "8 / (1 + 0.25)"});
        assert_eq!(basis(&detail).unwrap(), "P / (1 + Err) = 8 / (1 + 0.25)");
    }

    #[test]
    fn a_broken_submission_says_why() {
        let text = page(&example::contest(), 1);
        assert!(text.contains("Broken submission") && text.contains("map.yaml: cut off"));
    }

    #[test]
    fn criteria_are_listed_with_rank_and_judge() {
        let detail = serde_json::json!({"criteria": [
            {"name": "utility", "value": 0.5, "source": "computed", "rank": 2.0, "credit": 0.75},
            {"name": "grouping", "value": 3, "source": "manual", "rank": 1.0, "credit": 1.0},
        ]});
        assert_eq!(basis(&detail).unwrap(), "utility 0.5, rank 2 · grouping 3, rank 1 ✎");
    }
}

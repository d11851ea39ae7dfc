//! What differs between two rankings: scores, ranks, and what caused it.

use report::{ContestReport, MissionResult, RankedTeam};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value as Json, json};

use super::app::lost_object;
use crate::problem::Problem;

/// A ranking of stored bytes.
pub fn parsed(bytes: &[u8]) -> Result<ContestReport, Problem> {
    serde_json::from_slice(bytes).map_err(|_| lost_object())
}

/// Something before a change and after it; null where there is nothing.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(inline)]
pub struct Change<T> {
    /// Before.
    pub before: Option<T>,
    /// After.
    pub after: Option<T>,
}

/// What differs between two rankings.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Difference {
    /// The event of the earlier ranking; null without one.
    pub from_ranking: Option<i64>,
    /// The event of the later one.
    pub to_ranking: i64,
    /// By team, in the order of the later ranking.
    pub rows: Vec<ChangedTeam>,
    /// Teams with a cause.
    pub changed: usize,
}

/// What differs for a team.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ChangedTeam {
    /// The team.
    pub team: String,
    /// Its score.
    pub score: Change<f64>,
    /// Its rank.
    pub rank: Change<usize>,
    /// Why, in words; empty if nothing changed.
    pub causes: Vec<String>,
}

/// What differs, by team in the order of the later ranking. Without an earlier one everything is new.
pub fn between(before: Option<&(i64, Vec<u8>)>, after: &(i64, Vec<u8>)) -> Result<Difference, Problem> {
    let from = before.map(|(seq, _)| *seq);
    let before = before.map(|(_, bytes)| parsed(bytes)).transpose()?;
    let rows = rows(before.as_ref(), &parsed(&after.1)?);
    let changed = rows.iter().filter(|row| !row.causes.is_empty()).count();
    Ok(Difference { from_ranking: from, to_ranking: after.0, rows, changed })
}

fn rows(before: Option<&ContestReport>, after: &ContestReport) -> Vec<ChangedTeam> {
    let known = |team: &str| before.and_then(|before| before.ranking.iter().find(|known| known.team == team));
    let row = |now: &RankedTeam| {
        let then = known(&now.team);
        ChangedTeam {
            team: now.team.clone(),
            score: Change { before: then.and_then(|then| then.score), after: now.score },
            rank: Change { before: then.and_then(|then| then.rank), after: now.rank },
            causes: then.map_or_else(|| first(before), |then| causes(then, now)),
        }
    };
    after.ranking.iter().map(row).collect()
}

/// A team that was not there before.
fn first(before: Option<&ContestReport>) -> Vec<String> {
    vec![if before.is_some() { "not in the earlier ranking" } else { "nothing was shown before" }.to_owned()]
}

fn causes(then: &RankedTeam, now: &RankedTeam) -> Vec<String> {
    let mut causes = Vec::new();
    for mission in &now.missions {
        let Some(old) = then.missions.iter().find(|old| old.mission == mission.mission) else { continue };
        let place = if mission.mission.is_empty() { String::new() } else { format!("{}: ", mission.mission) };
        causes.extend(mission_causes(old, mission).into_iter().map(|cause| format!("{place}{cause}")));
    }
    if causes.is_empty() && then.score != now.score {
        causes.push("the rules count otherwise".to_owned());
    }
    if causes.is_empty() && then.rank != now.rank {
        causes.push("others changed".to_owned());
    }
    causes
}

fn mission_causes(old: &MissionResult, new: &MissionResult) -> Vec<String> {
    let mut causes = Vec::new();
    let hashes = |result: &MissionResult| -> Vec<String> {
        result.inputs.iter().map(|input| json!(input).to_string()).collect()
    };
    if hashes(old) != hashes(new) {
        causes.push("other files".to_owned());
    }
    if old.outcome != new.outcome {
        causes.push(format!("{} before, {} now", json!(old.outcome), json!(new.outcome)).replace('"', ""));
    }
    for part in &new.parts {
        let was =
            old.parts.iter().find(|known| known.name == part.name).map_or(&Json::Null, |known| &known.value);
        if *was == part.value {
            continue;
        }
        let by = if part.by_judge { " (entered)" } else { "" };
        causes.push(format!("{} {} → {}{by}", part.name, shown(was), shown(&part.value)));
    }
    causes
}

/// A number as people read it.
fn shown(value: &Json) -> String {
    match value {
        Json::Null => "undefined".to_owned(),
        Json::Number(number) => number.as_f64().map_or_else(String::new, |number| {
            let text = format!("{number:.4}");
            if text.contains('.') {
                text.trim_end_matches('0').trim_end_matches('.').to_owned()
            } else {
                text
            }
        }),
        Json::Array(list) => format!("{} numbers", list.len()),
        other => other.to_string(),
    }
}

//! The value of a contest. Every rendering is made from it.

use std::collections::BTreeMap;

use metrics::Better;
use model::Level;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::{Input, Tool};

/// The name of this schema.
pub const CONTEST_SCHEMA: &str = "mapjudge.contest/1";

/// Everything that a contest came to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ContestReport {
    /// Always `mapjudge.contest/1`.
    pub schema: String,
    /// What made it.
    pub tool: Tool,
    /// Title of the contest.
    pub title: String,
    /// The profile, with the reading in effect behind a colon.
    pub profile: String,
    /// The rules that the profile states.
    pub rules: Rules,
    /// Names of the missions.
    pub missions: Vec<String>,
    /// Teams, the best first.
    pub ranking: Vec<RankedTeam>,
    /// How sure the order is: neighbours in the ranking, and all pairs of small contests.
    pub significance: Vec<PairShare>,
    /// On what that rests.
    pub resampling: Significance,
    /// At which weights the order of neighbours flips.
    pub sensitivity: Vec<Flip>,
    /// Teams that no other beats in everything.
    pub pareto: Option<ParetoRecord>,
    /// What was noticed about submissions.
    pub findings: Vec<ContestFinding>,
    /// The truth with its hashes.
    pub truth: Vec<Input>,
    /// When the contest was judged, if that was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stamp: Option<String>,
}

/// The rules in effect.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Rules {
    /// Title of the profile.
    pub title: String,
    /// Where the rules are from.
    pub source: String,
    /// What to know about this reading of them.
    pub notes: Vec<String>,
    /// The formula of the score.
    pub formula: String,
    /// Which scores are better.
    pub better: Better,
    /// Numbers that say how much a part counts.
    pub weights: BTreeMap<String, f64>,
    /// Other numbers.
    pub constants: BTreeMap<String, f64>,
    /// How missions become one score: `sum`, `mean` or `best`.
    pub combine: String,
}

/// A team in the ranking.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RankedTeam {
    /// Its name.
    pub team: String,
    /// Rank from 1; teams with equal scores and equal tie breaks share it; null without a score.
    pub rank: Option<usize>,
    /// The score; null if it is undefined.
    pub score: Option<f64>,
    /// Ends of the 95 % interval of the score under resampling.
    pub interval: Option<[f64; 2]>,
    /// The parts; of several missions the mean of numbers, and lists one behind the other.
    pub parts: Map<String, Value>,
    /// Mission by mission.
    pub missions: Vec<MissionResult>,
    /// Folder of its files below the output.
    pub folder: String,
}

/// What became of a submission.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// It has a score.
    Scored,
    /// It cannot be read, and gets zero.
    Broken,
    /// It has no score, since a part is undefined.
    Undefined,
}

/// A team in one mission.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MissionResult {
    /// The mission.
    pub mission: String,
    /// The score; 0 for a broken submission, null if undefined.
    pub score: Option<f64>,
    /// What became of the submission.
    pub outcome: Outcome,
    /// Why, if it has no score of its own.
    pub reason: Option<String>,
    /// The formula with the numbers.
    pub substituted: String,
    /// The parts, in the order of the profile.
    pub parts: Vec<PartRecord>,
    /// What judges entered, who did and why.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub entered: Vec<EnteredRecord>,
    /// Its files with their hashes.
    pub inputs: Vec<Input>,
    /// Its report, below the output.
    pub report: String,
    /// Its score sheet, below the output.
    pub sheet: String,
}

/// One part of one score.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PartRecord {
    /// Name in the formula.
    pub name: String,
    /// Title for people.
    pub title: String,
    /// A number, a list, or null.
    pub value: Value,
    /// Why there is none, or why a stand-in was taken.
    pub reason: Option<String>,
    /// A judge entered it, or something that it rests on.
    pub by_judge: bool,
    /// What stands in for an undefined value was taken.
    pub stand_in: bool,
    /// What the value rests on.
    pub detail: Value,
}

/// A value that a judge entered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct EnteredRecord {
    /// The part, criterion or measured value that it stands for.
    pub name: String,
    /// A number or a list.
    pub value: Value,
    /// The judge.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// Why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// How often one team is above another.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PairShare {
    /// The team above.
    pub above: String,
    /// The team below.
    pub below: String,
    /// Share of the resamples in which it is above; half of those in which both are equal.
    pub share: f64,
    /// The same in words.
    pub statement: String,
}

/// On what significance rests.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Significance {
    /// Number of resamples.
    pub resamples: usize,
    /// Seed.
    pub seed: u64,
    /// What was resampled: value and unit.
    pub resampled: Vec<String>,
    /// What was not, and stayed as measured.
    pub fixed: Vec<String>,
}

/// At which weight two neighbours change places.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Flip {
    /// The team above.
    pub above: String,
    /// The team below.
    pub below: String,
    /// The weight.
    pub weight: String,
    /// Its value in effect.
    pub value: f64,
    /// The order flips at or below this; null if it does not down to 0.
    pub flips_below: Option<f64>,
    /// The order flips at or above this; null if it does not up to ten times the weight.
    pub flips_above: Option<f64>,
    /// The same in words.
    pub statement: String,
}

/// The Pareto view.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ParetoRecord {
    /// The axes.
    pub axes: Vec<ParetoAxisRecord>,
    /// Values of each team in the order of the ranking, one per axis.
    pub values: Vec<Vec<Option<f64>>>,
    /// Teams that no other beats in everything.
    pub front: Vec<String>,
}

/// One axis.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ParetoAxisRecord {
    /// The part.
    pub part: String,
    /// Its title.
    pub title: String,
    /// Which values are better.
    pub better: Better,
}

/// Something noticed about a submission.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ContestFinding {
    /// The team.
    pub team: String,
    /// The mission.
    pub mission: String,
    /// The file, where there is one.
    pub file: Option<String>,
    /// How serious it is.
    pub level: Level,
    /// Stable name.
    pub code: String,
    /// What was found.
    pub message: String,
    /// What to do about it.
    pub hint: Option<String>,
}

/// The JSON Schema of `mapjudge.contest/1`.
#[must_use]
pub fn contest_schema() -> Value {
    let mut schema = schemars::schema_for!(ContestReport).to_value();
    schema["$id"] = json!(format!("urn:{}", CONTEST_SCHEMA.replace('/', ":")));
    schema["title"] = json!("mapjudge contest, version 1");
    schema["properties"]["schema"]["const"] = json!(CONTEST_SCHEMA);
    schema
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_schema_knows_every_key_of_a_contest() {
        let schema = contest_schema();
        let value = serde_json::to_value(super::super::example::contest()).unwrap();
        for key in value.as_object().unwrap().keys() {
            assert!(schema["properties"].get(key).is_some(), "{key} is missing");
        }
        assert_eq!(schema["properties"]["schema"]["const"], "mapjudge.contest/1");
    }
}

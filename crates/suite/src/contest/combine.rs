//! From measured values to parts and scores: what is relative to other teams is computed here, and only here.

use std::collections::BTreeMap;

use metrics::contest::exploration::{ClearedByTeam, exploration};
use metrics::contest::map_quality::{
    Criterion as RankedCriterion, CriterionValue, Direction, ValueSource, map_quality,
};
use serde_json::{Value, json};

use super::formula::{Formula, Quantity, Unanswered};
use super::part::{Criterion, Part, Source};
use super::profile::Profile;

/// What one team brings into a mission: looks a measured value up, or says why it has none.
pub struct TeamInputs<'a> {
    /// Measured values by name.
    pub measured: &'a dyn Fn(&str) -> Result<Quantity, String>,
    /// What judges entered.
    pub entered: &'a BTreeMap<String, Quantity>,
    /// Human operators.
    pub operators: u32,
}

/// The value of a part.
#[derive(Clone, Debug, PartialEq)]
pub struct PartValue {
    /// The value, or why there is none.
    pub value: Result<Quantity, String>,
    /// A judge entered it, or a value that it rests on.
    pub by_judge: bool,
    /// Why a stand-in was taken, if one was.
    pub stood_in: Option<String>,
    /// What the value rests on.
    pub detail: Value,
}

/// Whether parts say what they rest on. Resamples ask for values alone: of 1000 teams a thousand times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Details {
    /// As sheets show them.
    Kept,
    /// Null.
    LeftOut,
}

impl Details {
    fn of(self, detail: impl FnOnce() -> Value) -> Value {
        match self {
            Self::Kept => detail(),
            Self::LeftOut => Value::Null,
        }
    }
}

/// The parts of one team, in the order of the profile.
pub type Parts = Vec<PartValue>;

/// The parts of every team of a mission.
#[must_use]
pub fn parts(profile: &Profile, teams: &[TeamInputs<'_>], details: Details) -> Vec<Parts> {
    let mut all: Vec<Parts> = vec![Vec::with_capacity(profile.parts.len()); teams.len()];
    for part in &profile.parts {
        let values = match &part.from {
            Source::Exploration { .. } => explored(part, teams, details),
            Source::MapQuality { .. } => credited(part, teams, details),
            _ => {
                let single = |(team, before): (&TeamInputs<'_>, &Parts)| {
                    single(profile, part, (team, before), details)
                };
                teams.iter().zip(&all).map(single).collect()
            }
        };
        for ((parts, value), team) in all.iter_mut().zip(values).zip(teams) {
            parts.push(settled(part, value, team, details));
        }
    }
    all
}

/// The score from the parts.
///
/// # Errors
/// A part that the formula uses is undefined, or the arithmetic has no answer.
pub fn score(profile: &Profile, formula: &Formula, parts: &Parts) -> Result<f64, Unanswered> {
    formula.number(&|name| named(profile, parts, name))
}

/// The value of a name in the formula of a profile.
///
/// # Errors
/// It is undefined, or there is none of that name.
pub fn named(profile: &Profile, parts: &[PartValue], name: &str) -> Result<Quantity, Unanswered> {
    if let Some(number) = profile.constant(name) {
        return Ok(Quantity::Number(number));
    }
    let found = profile.parts.iter().zip(parts).find(|(part, _)| part.name == name);
    let (_, part) = found.ok_or_else(|| Unanswered::NoSuchName(name.to_owned()))?;
    part.value.clone().map_err(|reason| Unanswered::Undefined { name: name.to_owned(), reason })
}

impl PartValue {
    fn of(value: Result<Quantity, String>) -> Self {
        Self { value, by_judge: false, stood_in: None, detail: Value::Null }
    }
}

/// A judge's value goes over everything; a stand-in over nothing.
fn settled(part: &Part, mut value: PartValue, team: &TeamInputs<'_>, details: Details) -> PartValue {
    if let Some(entered) = team.entered.get(&part.name) {
        let measured =
            || json!({ "measured": value.value.as_ref().ok().map(shown), "instead": value.detail });
        let detail = details.of(measured);
        return PartValue { value: Ok(entered.clone()), by_judge: true, stood_in: None, detail };
    }
    if let (Err(why), Some(number)) = (&value.value, part.if_undefined) {
        value.stood_in = Some(why.clone());
        value.value = Ok(Quantity::Number(number));
    }
    value
}

fn single(
    profile: &Profile,
    part: &Part,
    (team, before): (&TeamInputs<'_>, &Parts),
    details: Details,
) -> PartValue {
    match &part.from {
        Source::Measured { value } => match team.entered.get(value) {
            Some(entered) => PartValue { by_judge: true, ..PartValue::of(Ok(entered.clone())) },
            None => PartValue::of((team.measured)(value)),
        },
        Source::Operators => PartValue::of(Ok(Quantity::Number(f64::from(team.operators)))),
        Source::Judge { about } => PartValue::of(Err(format!("no judge entered it: {about}"))),
        Source::Expression { formula } => {
            let scope = |name: &str| named(profile, before, name);
            let parsed = match Formula::parse(formula) {
                Ok(parsed) => parsed,
                Err(error) => return PartValue::of(Err(error.to_string())),
            };
            let value = parsed.evaluate(&scope).map_err(|why| why.to_string());
            let names = parsed.names();
            let is_entered = |(p, v): (&Part, &PartValue)| v.by_judge && names.contains(p.name.as_str());
            let by_judge = profile.parts.iter().zip(before).any(is_entered);
            let detail =
                details.of(|| json!({ "formula": formula, "substituted": parsed.substituted(&scope) }));
            PartValue { by_judge, detail, ..PartValue::of(value) }
        }
        Source::Exploration { .. } | Source::MapQuality { .. } => {
            PartValue::of(Err("computed with the other teams".to_owned()))
        }
    }
}

/// A number that a judge entered or that was measured, and who says so.
fn number(team: &TeamInputs<'_>, name: &str) -> (Result<f64, String>, ValueSource) {
    let (value, source) = match team.entered.get(name) {
        Some(entered) => (Ok(entered.clone()), ValueSource::Manual),
        None => ((team.measured)(name), ValueSource::Computed),
    };
    let number = value.and_then(|value| match value {
        Quantity::Number(number) => Ok(number),
        Quantity::List(list) => Err(format!("{name} is a list of {}: expected a number", list.len())),
    });
    (number, source)
}

/// S-E: a team without an area gets no share, and the others are measured without it.
fn explored(part: &Part, teams: &[TeamInputs<'_>], details: Details) -> Vec<PartValue> {
    let Source::Exploration { area, victims_inside, unreported_inside, rules } = &part.from else {
        return Vec::new();
    };
    let count = |team: &TeamInputs<'_>, name: &Option<String>| {
        let Some(name) = name else { return (0, ValueSource::Computed) };
        let (number, source) = number(team, name);
        (number.map_or(0, |n| n.max(0.0).round().min(1e6) as u32), source)
    };
    let mut cleared = Vec::new();
    let mut values: Vec<PartValue> = Vec::new();
    for team in teams {
        let (correct, source) = number(team, area);
        let reported = number(team, &format!("{area}.reported_m2")).0;
        let (inside, _) = count(team, victims_inside);
        let (unreported, by) = count(team, unreported_inside);
        let by_judge = source == ValueSource::Manual || by == ValueSource::Manual;
        values.push(PartValue { by_judge, ..PartValue::of(correct.clone().map(Quantity::Number)) });
        let correct_m2 = correct.unwrap_or(0.0);
        cleared.push(ClearedByTeam {
            correct_m2,
            reported_m2: reported.unwrap_or(correct_m2),
            victims_inside: inside,
            unreported_inside: unreported,
        });
    }
    match exploration(&cleared, rules) {
        Err(error) => values.iter_mut().for_each(|value| value.value = Err(error.to_string())),
        Ok(shares) => {
            for (value, share) in values.iter_mut().zip(shares) {
                value.detail = details.of(|| json!(share));
                value.value = value.value.clone().map(|_| Quantity::Number(share.value));
            }
        }
    }
    values
}

/// S-M: an undefined criterion gives no credit and is listed.
fn credited(part: &Part, teams: &[TeamInputs<'_>], details: Details) -> Vec<PartValue> {
    let Source::MapQuality { criteria, rules } = &part.from else { return Vec::new() };
    let value_of = |team: &TeamInputs<'_>, criterion: &Criterion| {
        let name =
            if team.entered.contains_key(&criterion.name) { &criterion.name } else { &criterion.value };
        let (value, source) = number(team, name);
        CriterionValue { value: value.ok(), source }
    };
    let ranked: Vec<RankedCriterion> = criteria
        .iter()
        .map(|criterion| RankedCriterion {
            name: criterion.name.clone(),
            better: direction(&criterion.value),
            values: teams.iter().map(|team| value_of(team, criterion)).collect(),
        })
        .collect();
    match map_quality(teams.len(), &ranked, *rules) {
        Err(error) => teams.iter().map(|_| PartValue::of(Err(error.to_string()))).collect(),
        Ok(qualities) => qualities
            .into_iter()
            .map(|quality| {
                let by_judge = quality.criteria.iter().any(|c| c.source == ValueSource::Manual);
                let none = quality.undefined.len() == criteria.len();
                let value = if none {
                    Err(format!("none of the criteria is defined: {}", quality.undefined.join(", ")))
                } else {
                    Ok(Quantity::Number(quality.value))
                };
                PartValue { by_judge, detail: details.of(|| json!(quality)), ..PartValue::of(value) }
            })
            .collect(),
    }
}

/// Which values of a metric are better; what a judge enters under its name, too.
fn direction(value: &str) -> Direction {
    metrics::find(value).map_or(Direction::Higher, |entry| Direction::of(entry.spec.better, entry.spec.best))
}

/// A quantity as JSON.
#[must_use]
pub fn shown(quantity: &Quantity) -> Value {
    match quantity {
        Quantity::Number(number) => json!(number),
        Quantity::List(list) => json!(list),
    }
}

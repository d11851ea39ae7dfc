//! Scores of all teams in all missions (S-TOTAL), from measured values: the same function for the contest and for its resamples.

use std::collections::BTreeMap;

use super::combine::{Details, PartValue, Parts, TeamInputs, named, parts, score};
use super::entrants::{Combine, Contest, Signature};
use super::formula::{Formula, Quantity};
use super::measured::Measured;
use super::part::Source;
use super::profile::Profile;
use metrics::Better;

/// What one team brings into one mission.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Human operators.
    pub operators: u32,
    /// What judges entered.
    pub entered: BTreeMap<String, Quantity>,
    /// Who entered a value and why, under the same name.
    pub signatures: BTreeMap<String, Signature>,
    /// What was measured.
    pub measured: Measured,
}

/// Entries by team, then by mission.
pub type Entries = Vec<Vec<Entry>>;

/// Parts and scores of one team in one mission.
#[derive(Clone, Debug)]
pub struct MissionStanding {
    /// The parts, in the order of the profile.
    pub parts: Parts,
    /// The score, or why there is none; a broken submission has zero where more is better.
    pub score: Result<f64, String>,
}

/// Where everybody stands.
#[derive(Clone, Debug)]
pub struct Standing {
    /// By team, then by mission.
    pub results: Vec<Vec<MissionStanding>>,
    /// Over the missions; none if a mission has no score.
    pub totals: Vec<Option<f64>>,
}

/// Computes all scores; `value` looks up what team and mission measured.
#[must_use]
pub fn standing(
    contest: &Contest,
    formula: &Formula,
    entries: &Entries,
    value: &dyn Fn(usize, usize, &str) -> Result<Quantity, String>,
    details: Details,
) -> Standing {
    let mut results: Vec<Vec<MissionStanding>> = entries.iter().map(|_| Vec::new()).collect();
    for mission in 0..contest.missions.len() {
        let look_ups: Vec<_> =
            (0..entries.len()).map(|team| move |name: &str| value(team, mission, name)).collect();
        let inputs: Vec<TeamInputs<'_>> = entries
            .iter()
            .zip(&look_ups)
            .map(|(missions, measured)| {
                let Entry { entered, operators, .. } = &missions[mission];
                TeamInputs { measured, entered, operators: *operators }
            })
            .collect();
        for (team, parts) in parts(&contest.profile, &inputs, details).into_iter().enumerate() {
            let broken = entries[team][mission].measured.broken.as_ref();
            let score = match (broken, contest.profile.better) {
                (Some(_), Better::Higher) => Ok(0.0),
                (Some(why), _) => Err(why.clone()),
                (None, _) => score(&contest.profile, formula, &parts).map_err(|why| why.to_string()),
            };
            results[team].push(MissionStanding { parts, score });
        }
    }
    let totals = results.iter().map(|missions| total(contest, missions)).collect();
    Standing { results, totals }
}

/// The score of a team over its missions.
#[must_use]
pub fn total(contest: &Contest, missions: &[MissionStanding]) -> Option<f64> {
    let scores: Option<Vec<f64>> = missions.iter().map(|result| result.score.clone().ok()).collect();
    let (scores, weights) = (scores?, contest.missions.iter().map(|mission| mission.weight));
    let sum: f64 = scores.iter().zip(weights.clone()).map(|(score, weight)| score * weight).sum();
    match contest.combine {
        Combine::Sum => Some(sum),
        Combine::Mean => Some(weights.sum::<f64>()).filter(|all| *all > 0.0).map(|all| sum / all),
        Combine::Best => scores.into_iter().reduce(match contest.profile.better {
            Better::Higher => f64::max,
            Better::Lower | Better::Closer | Better::Neither => f64::min,
        }),
    }
}

impl MissionStanding {
    /// The same without what its parts rest on, which is large and copied with them.
    #[must_use]
    pub fn plain(&self) -> Self {
        let plain = |part: &PartValue| PartValue {
            value: part.value.clone(),
            by_judge: part.by_judge,
            stood_in: part.stood_in.clone(),
            detail: serde_json::Value::Null,
        };
        Self { parts: self.parts.iter().map(plain).collect(), score: self.score.clone() }
    }
}

/// The total of a team under other weights, its parts as they are.
#[must_use]
pub fn total_under(
    contest: &Contest,
    profile: &Profile,
    formula: &Formula,
    missions: &[MissionStanding],
    broken: &[bool],
) -> Option<f64> {
    let rescored: Vec<MissionStanding> = missions
        .iter()
        .zip(broken)
        .map(|(result, is_broken)| {
            if *is_broken {
                return result.clone();
            }
            let parts = recomputed(profile, &result.parts);
            let score = score(profile, formula, &parts).map_err(|why| why.to_string());
            MissionStanding { parts, score }
        })
        .collect();
    total(contest, &rescored)
}

/// The parts with their expressions computed anew.
fn recomputed(profile: &Profile, before: &Parts) -> Parts {
    let mut parts: Parts = Vec::with_capacity(before.len());
    for (part, value) in profile.parts.iter().zip(before) {
        let fresh = match (&part.from, value.by_judge || value.stood_in.is_some()) {
            (Source::Expression { formula }, false) => {
                let scope = |name: &str| named(profile, &parts, name);
                let result = Formula::parse(formula)
                    .map_err(|error| error.to_string())
                    .and_then(|formula| formula.evaluate(&scope).map_err(|why| why.to_string()));
                PartValue { value: result, ..value.clone() }
            }
            _ => value.clone(),
        };
        parts.push(fresh);
    }
    parts
}

/// A number that is the larger the better a total is.
#[must_use]
pub fn merit(better: Better, total: Option<f64>) -> f64 {
    match (total, better) {
        (None, _) => f64::NEG_INFINITY,
        (Some(total), Better::Higher) => total,
        (Some(total), Better::Lower | Better::Closer | Better::Neither) => -total,
    }
}

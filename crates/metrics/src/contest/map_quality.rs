//! Map quality: the mean credit over several criteria, each given by rank among the teams.
//!
//! ```text
//! M = mean over criteria of the credit
//! scheme n:      credit = (n - rank + 1) / n          scheme n-1: credit = 1 - (rank - 1) / (n - 1)
//! scheme value:  credit = the criterion's own value, between 0 and 1
//! ```
//!
//! Unit: 1. Range: 0 to 1. Better: higher.
//! Paper: Balaguer et al. 2009, sections 3.2 and 4.1 to 4.4. The one printed pair, 100 % and then 75 %, fits scheme `n`
//! with four teams.
//! Departure: judges ranked by eye; here criteria are values of metrics, or entered by hand and marked as such. Ties
//! share the better rank, and a criterion that is undefined for a team gives no credit; the paper says neither.
//! Needs all teams of a contest, so it is no metric of a single map.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::error::{ContestError, check};
use crate::Better;

/// Rules of the map-quality part.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct MapQuality {
    /// How a rank becomes credit. Default `n`, which fits the paper's printed pair.
    pub scheme: CreditScheme,
    /// What equal values share. Default `min`: equal maps got equal scores.
    pub ties: Ties,
}

/// How a rank becomes credit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum CreditScheme {
    /// (n - rank + 1) / n: the last of n teams still gets 1/n.
    #[default]
    N,
    /// 1 - (rank - 1) / (n - 1): the last team gets nothing.
    #[serde(rename = "n-1")]
    NMinusOne,
    /// The value itself: does not depend on who else takes part.
    Value,
}

/// What equal values share.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Ties {
    /// The better rank.
    #[default]
    Min,
    /// The mean of their ranks.
    Mean,
}

/// Where the value of a criterion comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ValueSource {
    /// A metric.
    #[default]
    Computed,
    /// A judge.
    Manual,
}

/// The value of a criterion for one team; none if it is undefined.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CriterionValue {
    pub value: Option<f64>,
    pub source: ValueSource,
}

/// One criterion with its values, a value per team.
#[derive(Clone, Debug, PartialEq)]
pub struct Criterion {
    /// Its name, such as the id of a metric.
    pub name: String,
    /// Which values are better.
    pub better: Direction,
    pub values: Vec<CriterionValue>,
}

/// Which of two values is better.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Direction {
    Lower,
    Higher,
    /// The one nearer to this.
    CloserTo(f64),
    /// None: all values are equally good.
    Neither,
}

impl Direction {
    /// The direction of a metric whose best value, where it has one, is known.
    #[must_use]
    pub fn of(better: Better, best: Option<f64>) -> Self {
        match (better, best) {
            (Better::Higher, _) => Self::Higher,
            (Better::Closer, Some(best)) => Self::CloserTo(best),
            (Better::Lower | Better::Closer, _) => Self::Lower,
            (Better::Neither, _) => Self::Neither,
        }
    }

    /// A number that is the larger the better the value is.
    #[must_use]
    pub fn merit(self, value: f64) -> f64 {
        match self {
            Self::Lower => -value,
            Self::Higher => value,
            Self::CloserTo(best) => -(value - best).abs(),
            Self::Neither => 0.0,
        }
    }
}

/// Rank and credit of one team in one criterion.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Credit {
    /// From 1; a half where tied ranks are averaged, none if the value is undefined.
    pub rank: Option<f64>,
    /// 0 to 1; 0 if the value is undefined.
    pub credit: f64,
}

/// What one criterion gave a team.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CriterionCredit {
    pub name: String,
    /// The value that was ranked; none if it is undefined.
    pub value: Option<f64>,
    pub source: ValueSource,
    #[serde(flatten)]
    pub credit: Credit,
}

/// The map-quality part of one team.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TeamMapQuality {
    /// M.
    pub value: f64,
    pub criteria: Vec<CriterionCredit>,
    /// Criteria that are undefined for the team and so gave no credit.
    pub undefined: Vec<String>,
}

/// The map-quality part of each team, in their order. Without a criterion M is 0 for everyone.
///
/// # Errors
/// A criterion has not one value per team, or a value that its scheme does not take.
pub fn map_quality(
    teams: usize,
    criteria: &[Criterion],
    rules: MapQuality,
) -> Result<Vec<TeamMapQuality>, ContestError> {
    let mut credits = Vec::with_capacity(criteria.len());
    for criterion in criteria {
        if criterion.values.len() != teams {
            let (what, found) = (criterion.name.clone(), criterion.values.len());
            return Err(ContestError::Length { what, expected: teams, found });
        }
        let values: Vec<Option<f64>> = criterion.values.iter().map(|value| value.value).collect();
        let given = rank_credit(&values, criterion.better, rules).map_err(|error| match error {
            ContestError::Range { value, expected, .. } => {
                ContestError::Range { name: criterion.name.clone(), value, expected }
            }
            other => other,
        })?;
        credits.push(given);
    }
    let of_team = |team: usize| {
        let one = |(criterion, credits): (&Criterion, &Vec<Credit>)| CriterionCredit {
            name: criterion.name.clone(),
            value: criterion.values[team].value,
            source: criterion.values[team].source,
            credit: credits[team],
        };
        let listed: Vec<CriterionCredit> = criteria.iter().zip(&credits).map(one).collect();
        let sum: f64 = listed.iter().map(|criterion| criterion.credit.credit).sum();
        let undefined = listed.iter().filter(|c| c.credit.rank.is_none()).map(|c| c.name.clone()).collect();
        TeamMapQuality { value: sum / listed.len().max(1) as f64, criteria: listed, undefined }
    };
    Ok((0..teams).map(of_team).collect())
}

/// Rank and credit of each value; one that is undefined gets neither, but its team counts among the n.
///
/// # Errors
/// With the scheme `value`: a value outside 0 to 1, or one whose smallest is best.
pub fn rank_credit(
    values: &[Option<f64>],
    better: Direction,
    rules: MapQuality,
) -> Result<Vec<Credit>, ContestError> {
    let merits: Vec<Option<f64>> =
        values.iter().map(|value| value.filter(|v| v.is_finite()).map(|v| better.merit(v))).collect();
    if rules.scheme == CreditScheme::Value {
        for &value in values.iter().flatten() {
            let expected = "a value from 0 to 1 of which 1 is best, for the scheme 'value'";
            check("value", value, |v| (0.0..=1.0).contains(&v) && better == Direction::Higher, expected)?;
        }
    }
    let teams = values.len() as f64;
    let of_team = |(value, merit): (&Option<f64>, &Option<f64>)| {
        let (Some(value), Some(merit)) = (value, merit) else { return Credit { rank: None, credit: 0.0 } };
        let rank = rank_of(*merit, &merits, rules.ties);
        let credit = match rules.scheme {
            CreditScheme::N => (teams - rank + 1.0) / teams,
            CreditScheme::NMinusOne if teams < 2.0 => 1.0,
            CreditScheme::NMinusOne => 1.0 - (rank - 1.0) / (teams - 1.0),
            CreditScheme::Value => *value,
        };
        Credit { rank: Some(rank), credit }
    };
    Ok(values.iter().zip(&merits).map(of_team).collect())
}

/// The rank of a merit among all; undefined ones come last.
fn rank_of(merit: f64, merits: &[Option<f64>], ties: Ties) -> f64 {
    let better = merits.iter().flatten().filter(|&&other| other > merit).count() as f64;
    let equal = merits.iter().flatten().filter(|&&other| other == merit).count() as f64;
    match ties {
        Ties::Min => better + 1.0,
        Ties::Mean => better + (equal + 1.0) / 2.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drawing::nearly;

    fn credits(values: &[f64], scheme: CreditScheme, ties: Ties) -> Vec<f64> {
        let values: Vec<Option<f64>> = values.iter().copied().map(Some).collect();
        let found = rank_credit(&values, Direction::Higher, MapQuality { scheme, ties }).unwrap();
        found.iter().map(|credit| credit.credit).collect()
    }

    #[test]
    fn spec_05_e3_ranks_ties_and_schemes() {
        let tied = [9.0, 7.0, 7.0, 3.0];
        assert_eq!(credits(&tied, CreditScheme::N, Ties::Min), [1.0, 0.75, 0.75, 0.25]);
        assert_eq!(credits(&tied, CreditScheme::N, Ties::Mean), [1.0, 0.625, 0.625, 0.25]);
        let last_gets_nothing = credits(&[9.0, 7.0, 5.0, 3.0], CreditScheme::NMinusOne, Ties::Min);
        for (found, expected) in last_gets_nothing.into_iter().zip([1.0, 0.666_667, 0.333_333, 0.0]) {
            nearly(found, expected, 1e-6);
        }
    }

    #[test]
    fn values_themselves_may_be_the_credit() {
        assert_eq!(credits(&[0.2, 0.9], CreditScheme::Value, Ties::Min), [0.2, 0.9]);
        let rules = MapQuality { scheme: CreditScheme::Value, ties: Ties::Min };
        assert!(rank_credit(&[Some(12.0)], Direction::Higher, rules).is_err());
        assert!(rank_credit(&[Some(0.5)], Direction::Lower, rules).is_err(), "0 would be best");
    }

    #[test]
    fn one_team_is_the_best_and_an_undefined_value_gets_nothing() {
        assert_eq!(credits(&[3.0], CreditScheme::NMinusOne, Ties::Min), [1.0]);
        let found =
            rank_credit(&[None, Some(2.0), Some(1.0)], Direction::Lower, MapQuality::default()).unwrap();
        assert_eq!(found[0], Credit { rank: None, credit: 0.0 });
        assert_eq!((found[2].rank, found[2].credit), (Some(1.0), 1.0));
        nearly(found[1].credit, 2.0 / 3.0, 1e-12);
    }

    #[test]
    fn spec_05_e4_map_quality_of_four_teams() {
        let rows = [
            [4.0, 3.0, 2.0, 1.0],
            [4.0, 4.0, 2.0, 1.0],
            [1.0, 2.0, 3.0, 4.0],
            [5.0; 4],
            [2.0, 9.0, 1.0, 0.0],
        ];
        let criteria = rows.map(|row| Criterion {
            name: "by hand".to_owned(),
            better: Direction::Higher,
            values: row.map(|v| CriterionValue { value: Some(v), source: ValueSource::Manual }).to_vec(),
        });
        let found = map_quality(4, &criteria, MapQuality::default()).unwrap();
        for (team, expected) in found.iter().zip([0.8, 0.85, 0.65, 0.55]) {
            nearly(team.value, expected, 1e-12);
            assert!(team.criteria.iter().all(|criterion| criterion.source == ValueSource::Manual));
        }
    }

    #[test]
    fn an_undefined_criterion_is_listed() {
        let undefined = CriterionValue::default();
        let defined = CriterionValue { value: Some(1.0), source: ValueSource::Computed };
        let criterion = Criterion {
            name: "utility".to_owned(),
            better: Direction::Higher,
            values: vec![undefined, defined],
        };
        let found = map_quality(2, std::slice::from_ref(&criterion), MapQuality::default()).unwrap();
        assert_eq!((found[0].value, found[0].undefined.as_slice()), (0.0, &["utility".to_owned()][..]));
        assert!(map_quality(3, &[criterion], MapQuality::default()).is_err(), "a value per team");
    }
}

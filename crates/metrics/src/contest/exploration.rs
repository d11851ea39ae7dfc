//! Exploration: the share of the best team's correctly cleared area, less a penalty per victim overlooked in it.
//!
//! ```text
//! E_k  = A_k / max_j A_j                 A = correctly cleared area
//! E'_k = clamp(E_k - 0.1 h_k, 0, 1)      h = victims inside area declared cleared
//! ```
//!
//! Unit: 1. Range: 0 to 1. Better: higher.
//! Paper: Balaguer et al. 2009, sections 3.2 and 4. A penalty of 5 points is 0.1 of the 50 points that E is worth.
//! Departure: where section 3.2 penalises every victim in a cleared area and section 4.3 only those that the team did
//! not report, the latter is the default. E is clamped, because it is defined from 0 to 1, and the penalty is divided
//! by O² with it. Whatever the paper leaves open is a field of [`Exploration`].
//! Needs all teams of a contest, so it is no metric of a single map.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::error::{ContestError, check};

/// Rules of the exploration part.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Exploration {
    /// What one victim in cleared area costs, as a share of E. Default 0.1: 5 of 50 points (section 3.2).
    pub penalty_per_victim: f64,
    /// Which victims in cleared area cost something. Default `unreported` (section 4.3).
    pub penalty_for: PenaltyFor,
    /// Whether E may fall below 0. Default `on`: E is defined between 0 and 1.
    pub floor: Floor,
    /// The area that is worth 1, m2. Default: none, the best team's area.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reference_m2: Option<f64>,
    /// Which area counts. Default `correct`, as the text says "correctly reported".
    pub area: CountedArea,
}

/// Which victims in cleared area cost something.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum PenaltyFor {
    /// Those that the team did not report.
    #[default]
    Unreported,
    /// All.
    All,
}

/// Whether the exploration part stays between 0 and 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Floor {
    /// It does.
    #[default]
    On,
    /// Penalties keep their sign.
    Off,
}

/// Which area counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum CountedArea {
    /// The correct part.
    #[default]
    Correct,
    /// All that the team reports.
    Reported,
}

impl Exploration {
    /// The published rules, as section 4 describes their practice.
    pub const PAPER: Self = Self {
        penalty_per_victim: 0.1,
        penalty_for: PenaltyFor::Unreported,
        floor: Floor::On,
        reference_m2: None,
        area: CountedArea::Correct,
    };
}

impl Default for Exploration {
    fn default() -> Self {
        Self::PAPER
    }
}

/// What one team cleared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ClearedByTeam {
    /// Cleared area that is free in the truth and can have been seen.
    pub correct_m2: f64,
    /// Cleared area as the map claims it.
    pub reported_m2: f64,
    /// Victims of the truth inside it, found or not.
    pub victims_inside: u32,
    /// Those of them that the team did not report.
    pub unreported_inside: u32,
}

/// The exploration part of one team.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct TeamExploration {
    /// The area that counted.
    pub area_m2: f64,
    /// The area that is worth 1.
    pub reference_m2: f64,
    /// Before penalties.
    pub share: f64,
    /// Victims that cost something.
    pub victims_penalised: u32,
    /// E, penalties included.
    pub value: f64,
}

/// The exploration part of each team, in their order.
///
/// # Errors
/// An area or a rule outside its range.
pub fn exploration(
    teams: &[ClearedByTeam],
    rules: &Exploration,
) -> Result<Vec<TeamExploration>, ContestError> {
    let area_m2 = |team: &ClearedByTeam| match rules.area {
        CountedArea::Correct => team.correct_m2,
        CountedArea::Reported => team.reported_m2,
    };
    let is_area = |value: f64| value.is_finite() && value >= 0.0;
    for team in teams {
        check("cleared area in m2", area_m2(team), is_area, "a finite number from 0 on")?;
    }
    check("penalty_per_victim", rules.penalty_per_victim, is_area, "a finite number from 0 on")?;
    let reference_m2 = match rules.reference_m2 {
        None => teams.iter().map(area_m2).fold(0.0, f64::max),
        Some(given) => {
            check("reference_m2", given, |v| v.is_finite() && v > 0.0, "a finite number above 0")?;
            given
        }
    };
    let of_team = |team: &ClearedByTeam| {
        let share = if reference_m2 > 0.0 { area_m2(team) / reference_m2 } else { 0.0 };
        let victims_penalised = match rules.penalty_for {
            PenaltyFor::Unreported => team.unreported_inside,
            PenaltyFor::All => team.victims_inside,
        };
        let penalised = share - rules.penalty_per_victim * f64::from(victims_penalised);
        let value = match rules.floor {
            Floor::On => penalised.clamp(0.0, 1.0),
            Floor::Off => penalised,
        };
        TeamExploration { area_m2: area_m2(team), reference_m2, share, victims_penalised, value }
    };
    Ok(teams.iter().map(of_team).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drawing::nearly;

    fn team(correct_m2: f64, unreported_inside: u32) -> ClearedByTeam {
        ClearedByTeam {
            correct_m2,
            reported_m2: 400.0,
            victims_inside: unreported_inside + 2,
            unreported_inside,
        }
    }

    fn values(teams: &[ClearedByTeam], rules: &Exploration) -> Vec<f64> {
        exploration(teams, rules).unwrap().iter().map(|team| team.value).collect()
    }

    #[test]
    fn spec_05_e2_areas_of_the_paper() {
        let found = values(&[team(211.0, 0), team(257.0, 0)], &Exploration::PAPER);
        nearly(found[0], 0.821_012, 1e-6);
        assert_eq!(found[1], 1.0);
        nearly(values(&[team(211.0, 1), team(257.0, 0)], &Exploration::PAPER)[0], 0.721_012, 1e-6);
    }

    #[test]
    fn spec_05_e2_the_penalty_stops_at_zero_unless_the_floor_is_off() {
        let teams = [team(10.0, 1), team(257.0, 0)];
        assert_eq!(values(&teams, &Exploration::PAPER)[0], 0.0);
        let signed = Exploration { floor: Floor::Off, ..Exploration::PAPER };
        nearly(values(&teams, &signed)[0], -0.061_089, 1e-6);
        assert_eq!(values(&[team(0.0, 0), team(0.0, 0)], &Exploration::PAPER), [0.0, 0.0]);
    }

    #[test]
    fn section_3_2_penalises_reported_victims_too() {
        let all = Exploration { penalty_for: PenaltyFor::All, ..Exploration::PAPER };
        nearly(values(&[team(100.0, 1)], &all)[0], 0.7, 1e-12);
        nearly(values(&[team(100.0, 1)], &Exploration::PAPER)[0], 0.9, 1e-12);
    }

    #[test]
    fn a_fixed_area_and_the_reported_area_may_be_the_measure() {
        let fixed = Exploration { reference_m2: Some(1000.0), ..Exploration::PAPER };
        nearly(values(&[team(679.0, 0)], &fixed)[0], 0.679, 1e-12);
        let reported = Exploration { area: CountedArea::Reported, ..fixed };
        nearly(values(&[team(679.0, 0)], &reported)[0], 0.4, 1e-12);
    }

    #[test]
    fn spec_05_e4_exploration_of_four_teams() {
        let teams = [team(373.0, 0), team(286.0, 1), team(351.0, 0), team(679.0, 2)];
        let expected = [0.549_337, 0.321_208, 0.516_937, 0.8];
        for (found, expected) in values(&teams, &Exploration::PAPER).into_iter().zip(expected) {
            nearly(found, expected, 1e-6);
        }
    }

    #[test]
    fn what_is_no_area_is_refused() {
        assert!(exploration(&[team(f64::NAN, 0)], &Exploration::PAPER).is_err());
        let zero = Exploration { reference_m2: Some(0.0), ..Exploration::PAPER };
        assert!(exploration(&[team(1.0, 0)], &zero).unwrap_err().to_string().starts_with("reference_m2 = 0"));
        assert!(exploration(&[], &Exploration::PAPER).unwrap().is_empty());
    }
}

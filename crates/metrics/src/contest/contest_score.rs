//! Contest score: exploration, map quality and victims, divided by the square of the number of operators.
//!
//! ```text
//! S = (50 E + 50 M + 20 Σ V_i) / O²                                                                   eq. (1)
//! ```
//!
//! Unit: points. Range: unbounded above in the number of victims. Better: higher.
//! Paper: Balaguer et al. 2009, section 3.2, eq. (1).
//! Departure: a penalty per false alarm may be subtracted from the sum; it is 0 in the paper.
//! Needs all teams of a contest (E and M do), so it is no metric of a single map.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::error::{ContestError, check};

/// Weights of the parts.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ContestScore {
    /// Points of full exploration. Default 50, eq. (1).
    pub exploration_points: f64,
    /// Points of full map quality. Default 50, eq. (1).
    pub map_quality_points: f64,
    /// Points of one fully described victim. Default 20, eq. (1).
    pub victim_points: f64,
    /// Points that one false alarm costs. Default 0: the paper has no such penalty.
    pub false_alarm_penalty: f64,
    /// Exponent of the number of operators. Default 2, eq. (1).
    pub operator_exponent: f64,
}

impl ContestScore {
    /// The published weights.
    pub const PAPER: Self = Self {
        exploration_points: 50.0,
        map_quality_points: 50.0,
        victim_points: 20.0,
        false_alarm_penalty: 0.0,
        operator_exponent: 2.0,
    };
}

impl Default for ContestScore {
    fn default() -> Self {
        Self::PAPER
    }
}

/// What one team achieved.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Achieved {
    /// E, between 0 and 1 unless its floor is off.
    pub exploration: f64,
    /// M, between 0 and 1.
    pub map_quality: f64,
    /// V of each discovered victim.
    pub victims: Vec<f64>,
    /// Reports without a victim.
    pub false_alarms: u32,
    /// Human operators, at least 1.
    pub operators: u32,
}

/// The score and its parts in points, before the division.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ContestPoints {
    /// S.
    pub score: f64,
    /// Of exploration.
    pub exploration_points: f64,
    /// Of map quality.
    pub map_quality_points: f64,
    /// Of victims, false alarms subtracted.
    pub victim_points: f64,
    /// By which the sum of the three was divided.
    pub divisor: f64,
}

/// The score of one team.
///
/// # Errors
/// No operator, or a number that is not finite.
pub fn contest_score(team: &Achieved, rules: &ContestScore) -> Result<ContestPoints, ContestError> {
    if team.operators < 1 {
        return Err(ContestError::Operators(team.operators));
    }
    let parts = [("E", team.exploration), ("M", team.map_quality)];
    for (name, value) in parts.into_iter().chain(team.victims.iter().map(|&v| ("V", v))) {
        check(name, value, f64::is_finite, "a finite number")?;
    }
    let exploration_points = rules.exploration_points * team.exploration;
    let map_quality_points = rules.map_quality_points * team.map_quality;
    let victim_points = rules.victim_points * team.victims.iter().sum::<f64>()
        - rules.false_alarm_penalty * f64::from(team.false_alarms);
    let divisor = f64::from(team.operators).powf(rules.operator_exponent);
    let score = (exploration_points + map_quality_points + victim_points) / divisor; // eq. (1)
    check("S", score, f64::is_finite, "a finite number")?;
    Ok(ContestPoints { score, exploration_points, map_quality_points, victim_points, divisor })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drawing::nearly;

    fn score(exploration: f64, map_quality: f64, victims: &[f64], operators: u32) -> f64 {
        let team =
            Achieved { exploration, map_quality, victims: victims.to_vec(), operators, ..Default::default() };
        contest_score(&team, &ContestScore::PAPER).unwrap().score
    }

    #[test]
    fn spec_05_e1_equation_1() {
        assert_eq!(score(1.0, 1.0, &[1.0; 3], 1), 160.0);
        assert_eq!(score(0.5, 0.8, &[1.0, 0.5], 1), 95.0);
        assert_eq!(score(0.5, 0.8, &[1.0, 0.5], 2), 23.75);
        assert_eq!(score(0.0, 0.0, &[], 3), 0.0);
    }

    #[test]
    fn spec_05_e4_four_teams() {
        nearly(score(373.0 / 679.0, 0.8, &[1.0, 1.0], 1), 107.4669, 1e-4);
        nearly(score(286.0 / 679.0 - 0.1, 0.85, &[1.0], 1), 78.5604, 1e-4);
        nearly(score(351.0 / 679.0, 0.65, &[1.0, 1.0, 0.5], 2), 27.0867, 1e-4);
        nearly(score(0.8, 0.55, &[], 1), 67.5, 1e-9);
    }

    #[test]
    fn without_an_operator_there_is_no_score() {
        let error = contest_score(&Achieved::default(), &ContestScore::PAPER).unwrap_err();
        assert_eq!(error.to_string(), "operators = 0: expected at least 1");
        let team = Achieved { exploration: f64::NAN, operators: 1, ..Default::default() };
        assert!(contest_score(&team, &ContestScore::PAPER).is_err());
    }

    #[test]
    fn false_alarms_cost_what_the_rules_say() {
        let team = Achieved { victims: vec![1.0], false_alarms: 3, operators: 1, ..Default::default() };
        let rules = ContestScore { false_alarm_penalty: 2.0, ..ContestScore::PAPER };
        assert_eq!(contest_score(&team, &rules).unwrap().score, 14.0);
        assert_eq!(contest_score(&team, &ContestScore::PAPER).unwrap().score, 20.0);
    }
}

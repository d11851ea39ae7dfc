//! Points for artifacts: so many for a report near enough to a true one of the same kind.
//!
//! ```text
//! points of a pair = those of the smallest ring that holds it, times the factor if found autonomously
//! score = Σ over pairs, one to one: as many points as possible, then the least distance
//! ```
//!
//! Rings: DARPA SubT 2021 one point within 5 m; Australian Rover Challenge 2025 five within 0.3 m and two within 0.6 m,
//! doubled when autonomous. A report whose kind nobody placed, or that is left over, is a false report.

use align::assignment::cheapest;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::place::Place;

/// Rules of points.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ArtifactRules {
    /// Rings around a true artifact.
    pub rings: Vec<Ring>,
    /// What an autonomous find is multiplied with. 1 if the rules do not say so.
    #[serde(default = "one")]
    pub autonomous_factor: f64,
    /// Whether height counts in the distance.
    #[serde(default)]
    pub height_counts: bool,
}

/// Points within a distance.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Ring {
    /// Largest distance, metres.
    pub within_m: f64,
    /// Points for it.
    pub points: f64,
}

const fn one() -> f64 {
    1.0
}

/// What the reports of a team are worth.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ArtifactScore {
    /// Points of each true artifact, in the order of the truth; 0 where nobody found it.
    pub points: Vec<f64>,
    /// Distance of each pair, metres, in the order of the truth.
    pub errors_m: Vec<f64>,
    /// Reports without a partner.
    pub false_reports: usize,
}

/// More reports than this are refused: nobody finds that many, and the search is cubic.
pub const MAX_REPORTS: usize = 500;

/// Matches reports with true artifacts and counts points. Neither list may be longer than `MAX_REPORTS`.
#[must_use]
pub fn artifact_points(truth: &[Place], reports: &[Place], rules: &ArtifactRules) -> ArtifactScore {
    let worth = |truth: &Place, report: &Place| {
        let distance_m = truth.distance_m(report, rules.height_counts);
        let ring = rules.rings.iter().filter(|ring| distance_m <= ring.within_m).map(|ring| ring.points);
        let points = ring.fold(0.0, f64::max);
        let factor = if report.is_autonomous { rules.autonomous_factor } else { 1.0 };
        let is_kind = truth.kind.trim().eq_ignore_ascii_case(report.kind.trim());
        (is_kind && points > 0.0).then_some((points * factor, distance_m))
    };
    let farthest_m = rules.rings.iter().map(|ring| ring.within_m).fold(1.0, f64::max);
    // Points come first: all distances together are worth less than the smallest step of points.
    let share = 1e-3 / (farthest_m * (truth.len().max(1)) as f64);
    let cost = |row: usize, column: usize| {
        worth(&truth[row], &reports[column]).map_or(0.0, |(points, distance_m)| share * distance_m - points)
    };
    let partners = cheapest(truth.len(), reports.len(), cost);
    let mut score = ArtifactScore { points: vec![0.0; truth.len()], ..ArtifactScore::default() };
    for (index, partner) in partners.iter().enumerate() {
        let pair = partner.and_then(|report| worth(&truth[index], &reports[report]));
        if let Some((points, distance_m)) = pair {
            score.points[index] = points;
            score.errors_m.push(distance_m);
        }
    }
    score.false_reports = reports.len() - score.errors_m.len();
    score
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(kind: &str, x_m: f64, is_autonomous: bool) -> Place {
        Place { kind: kind.into(), position_m: [x_m, 0.0, 0.0], is_autonomous, ..Place::default() }
    }

    fn rover() -> ArtifactRules {
        let rings = vec![Ring { within_m: 0.3, points: 5.0 }, Ring { within_m: 0.6, points: 2.0 }];
        ArtifactRules { rings, autonomous_factor: 2.0, height_counts: false }
    }

    #[test]
    fn rings_of_the_rover_challenge() {
        let truth = [place("cube", 0.0, false), place("cube", 5.0, false), place("cube", 9.0, false)];
        let reports = [place("cube", 0.3, false), place("cube", 5.5, true), place("cube", 9.7, false)];
        let score = artifact_points(&truth, &reports, &rover());
        assert_eq!((score.points, score.false_reports), (vec![5.0, 4.0, 0.0], 1));
    }

    #[test]
    fn kinds_must_agree_and_each_report_counts_once() {
        let rules = ArtifactRules {
            rings: vec![Ring { within_m: 5.0, points: 1.0 }],
            autonomous_factor: 1.0,
            height_counts: true,
        };
        let truth = [place("rope", 0.0, false), place("rope", 1.0, false), place("vent", 2.0, false)];
        let score =
            artifact_points(&truth, &[place("Rope ", 0.5, false), place("phone", 2.0, false)], &rules);
        assert_eq!((score.points.iter().sum::<f64>(), score.false_reports), (1.0, 1));
        let mut high = place("vent", 2.0, false);
        high.position_m[2] = 6.0;
        assert_eq!(artifact_points(&truth, &[high], &rules).points, [0.0; 3]);
    }

    #[test]
    fn pairs_are_chosen_for_the_most_points() {
        // The nearest pair first would join 0.28 with 0.5 and leave both others alone: 5 points.
        let truth = [place("c", 0.0, false), place("c", 0.5, false)];
        let reports = [place("c", 0.28, false), place("c", 0.75, false)];
        assert_eq!(artifact_points(&truth, &reports, &rover()).points, [5.0, 5.0]);
    }

    #[test]
    fn nothing_against_nothing_is_nothing() {
        assert_eq!(artifact_points(&[], &[], &rover()), ArtifactScore::default());
    }
}

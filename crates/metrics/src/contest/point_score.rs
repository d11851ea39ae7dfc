//! Point score: how many labelled points a team placed well, and how well, as the rescue league counts since 2024.
//!
//! ```text
//! e_i   = mean over other matched points j of | |t_i - t_j| - |s_i - s_j| |     (frame = given: |t_i - s_i|)
//! P     = Σ points of the type of i, over matched points with e_i <= scoring_threshold
//! score = P / (1 + E),   E = mean of e_i          adjusted = score · 100 / total_points
//! ```
//!
//! Unit: points. Range: 0 to the points of all true points. Better: higher.
//! Paper: none; the rule as coded in the league's public judge tool of 2024 and 2025.
//! Departure: labels may repeat: points are paired one to one, as many as possible per label, so that they fit best
//! under one rotation and translation. Distances cannot tell a mirror image, so in one the place after the best transform counts too.
//! Unknown: maps play no part; a true point without partner is missed and lowers `coverage`, not the error.
//! Known bias: E is the mean over what was found; a team that reports two points well can have a smaller error than
//! one that reports all. Read the coverage beside it.
//! Variants: `frame`, `label`, `distance`; `scale_corrected` gives all numbers with the mean scale taken out.
//! Undefined: `NO_REFERENCE` without a true point; `TOO_MANY_POINTS`; `NO_MATCH` if no points were given at all.

use serde_json::json;

use super::marked_points::{MatchedPoint, PointComparison, PointInputs};
use super::point_rules::{FrameRule, PointRules};
use crate::prelude::*;

/// Rejected candidates that are listed for a point.
const ALTERNATIVES: usize = 8;
/// Matched points up to which the whole matrix of pairs is listed.
const MATRIX: usize = 50;

impl Metric for PointRules {
    const SPEC: MetricSpec = MetricSpec::new(Family::Contest, "point_score", "S-POINTS", "Point score")
        .measured_in(Unit::Points, Better::Higher)
        .worst(0.0)
        .over_floors(Aggregate::None);

    fn applies(case: &Case) -> bool {
        case.points().is_ok()
    }

    fn evaluate(&self, case: &Case) -> Result<Score, Undefined> {
        point_score(case.points()?, self)
    }

    fn samples(&self, _: &Case, score: &Score) -> Vec<Samples> {
        match &score.evidence.of_metric {
            Some(MetricEvidence::PointScore(found)) => found.samples(),
            _ => Vec::new(),
        }
    }
}

/// Which point is which, and what that gives.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PointScoreEvidence {
    pub totals: PointTotals,
    /// Matched true points over all true points.
    pub coverage: f64,
    /// Whether the coverage reaches the `min_coverage` of the rules.
    pub coverage_held: bool,
    /// Whether the mirror image of the submission fits better than the submission.
    pub mirrored: bool,
    /// The arithmetic with its numbers, for people.
    pub formula: String,
    pub matches: Vec<PointMatch>,
    pub unmatched: Vec<UnmatchedPoint>,
}

impl PointScoreEvidence {
    /// Points, error and coverage true point by true point, in order of label and identifier, so that the same point
    /// is drawn for every team. Errors stay those of the whole list.
    fn samples(&self) -> Vec<Samples> {
        let missed = self.unmatched.iter().filter(|point| point.side == PointSide::Truth);
        let mut points: Vec<((&str, &str), Option<&PointMatch>)> =
            missed.map(|point| ((&*point.label, &*point.id), None)).collect();
        points.extend(self.matches.iter().map(|point| ((&*point.label, &*point.truth_id), Some(point))));
        points.sort_by_key(|(key, _)| *key);
        let column = |of: fn(&PointMatch) -> f64| points.iter().map(move |(_, found)| found.map_or(0.0, of));
        let ratio =
            |of: fn(&PointMatch) -> f64, by: fn(&PointMatch) -> f64| Make::ratio(column(of).zip(column(by)));
        let has_error = |point: &PointMatch| f64::from(u8::from(point.error_m.is_some()));
        let makes = [
            ("points", Make::Sum(column(|point| point.points).collect())),
            ("error_m", ratio(|point| point.error_m.unwrap_or(0.0), has_error)),
            ("coverage", Make::ratio(column(|_| 1.0).map(|found| (found, 1.0)))),
        ];
        makes.map(|(of, make)| Samples::named(of, SampleUnit::new("labels", points.len()), make)).into()
    }
}

/// A matched point.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PointMatch {
    pub label: String,
    pub truth_id: String,
    pub submission_id: String,
    /// None for a point alone in a coordinate frame that is searched.
    pub error_m: Option<f64>,
    #[serde(rename = "type")]
    pub kind: String,
    /// What it is worth; 0 beyond the threshold.
    pub points: f64,
    /// Distance from its true place after the best rigid transform.
    pub offset_m: f64,
    /// Candidates of the same label that were not taken, nearest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub alternatives: Vec<PointAlternative>,
}

/// A candidate of the same label that was not taken.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PointAlternative {
    pub submission_id: String,
    pub offset_m: f64,
}

/// A point without partner.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct UnmatchedPoint {
    pub side: PointSide,
    pub label: String,
    pub id: String,
    #[serde(rename = "type")]
    pub kind: String,
}

/// Whose list a point is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PointSide {
    Truth,
    Submission,
}

/// Error, points and score of a list.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PointTotals {
    /// E; none if it cannot be measured.
    pub error_m: Option<f64>,
    /// P.
    pub points: f64,
    /// P / (1 + E).
    pub score: f64,
    /// The same with `total_points` worth 100.
    pub adjusted_score: f64,
}

/// Scores labelled points.
///
/// # Errors
/// There is nothing to compare with, or more than can be compared.
pub fn point_score(inputs: &PointInputs, rules: &PointRules) -> Result<Score, Undefined> {
    let found = PointComparison::of(inputs, rules)?;
    let errors: Vec<Option<f64>> = found.matches.iter().map(|m| found.error_m(m)).collect();
    let totals = totals(&found, inputs, rules, &errors);
    let best: f64 = inputs.truth.iter().map(|point| rules.worth(&point.type_under(rules))).sum();
    let coverage = found.matches.len() as f64 / inputs.truth.len() as f64;
    let evidence = PointScoreEvidence {
        totals,
        coverage,
        coverage_held: coverage >= rules.min_coverage,
        mirrored: found.is_mirrored(),
        formula: formula(&totals),
        matches: matches(&found, inputs, rules, &errors),
        unmatched: unmatched(&found, inputs, rules),
    };
    let score = Score::new(totals.score)
        .between(best, 0.0)
        .with("error_m", totals.error_m)
        .with("coverage", coverage)
        .with("matched", found.matches.len())
        .with("truth_points", inputs.truth.len())
        .with("submission_points", inputs.submission.len())
        .with("points", totals.points)
        .with("adjusted_score", totals.adjusted_score)
        .with("scale", found.scale)
        .with("mirrored", evidence.mirrored)
        .with("mirror", found.assignment.mirror)
        .with("certified", found.assignment.certified)
        .with("coverage_held", evidence.coverage_held)
        .with("formula", &evidence.formula)
        .with("matches", &evidence.matches)
        .with("unmatched", &evidence.unmatched)
        .with("truth_from_submission", found.assignment.truth_from_submission)
        .with("residual_m", found.assignment.residual_m)
        .with("scale_corrected", scale_corrected(&found, inputs, rules));
    let score = match found.matches.len() {
        2..=MATRIX => score.with("pair_errors_m", matrix(&found)),
        _ => score,
    };
    Ok(score
        .warn_if(evidence.mirrored, Reason::MapMirrored)
        .warn_if(totals.error_m.is_none(), Reason::InsufficientPoints)
        .warn_if(!found.assignment.certified, Reason::NotCertified)
        .with_evidence(MetricEvidence::PointScore(evidence)))
}

fn totals(
    found: &PointComparison<'_>,
    inputs: &PointInputs,
    rules: &PointRules,
    errors: &[Option<f64>],
) -> PointTotals {
    let points = found.matches.iter().zip(errors).map(|(m, error)| points_of(m, *error, inputs, rules)).sum();
    let known: Vec<f64> = errors.iter().copied().flatten().collect();
    let error_m = (!known.is_empty()).then(|| known.iter().sum::<f64>() / known.len() as f64);
    // Without an error there is no point either, and nothing divided by anything is nothing.
    let score = points / (1.0 + error_m.unwrap_or(0.0));
    PointTotals { error_m, points, score, adjusted_score: score * 100.0 / rules.total_points }
}

fn points_of(matched: &MatchedPoint, error_m: Option<f64>, inputs: &PointInputs, rules: &PointRules) -> f64 {
    let counts = error_m.is_some_and(|error_m| error_m <= rules.scoring_threshold);
    if counts { rules.worth(&inputs.truth[matched.truth].type_under(rules)) } else { 0.0 }
}

fn formula(totals: &PointTotals) -> String {
    let short = |value: f64| format!("{value:.4}");
    match totals.error_m {
        Some(error_m) => {
            format!("P / (1 + E) = {} / (1 + {}) = {}", totals.points, short(error_m), short(totals.score))
        }
        None => "P = 0, since no error can be measured with fewer than two matched points".to_owned(),
    }
}

/// The same numbers with the mean scale taken out; none in a given frame, or if there is no scale.
fn scale_corrected(
    found: &PointComparison<'_>,
    inputs: &PointInputs,
    rules: &PointRules,
) -> Option<PointTotals> {
    let scale = found.scale.filter(|_| rules.frame == FrameRule::Fitted && !found.is_mirrored())?;
    Some(totals(found, inputs, rules, &found.pairwise_errors_m(scale)))
}

fn matches(
    found: &PointComparison<'_>,
    inputs: &PointInputs,
    rules: &PointRules,
    errors: &[Option<f64>],
) -> Vec<PointMatch> {
    let alternative = |(index, offset_m): (usize, f64)| PointAlternative {
        submission_id: inputs.submission[index].id.clone(),
        offset_m,
    };
    let facts = |(matched, error_m): (&MatchedPoint, &Option<f64>)| PointMatch {
        label: inputs.truth[matched.truth].label(rules),
        truth_id: inputs.truth[matched.truth].id.clone(),
        submission_id: inputs.submission[matched.submission].id.clone(),
        error_m: *error_m,
        kind: inputs.truth[matched.truth].type_under(rules),
        points: points_of(matched, *error_m, inputs, rules),
        offset_m: matched.offset_m,
        alternatives: found.alternatives(matched).into_iter().take(ALTERNATIVES).map(alternative).collect(),
    };
    found.matches.iter().zip(errors).map(facts).collect()
}

fn unmatched(found: &PointComparison<'_>, inputs: &PointInputs, rules: &PointRules) -> Vec<UnmatchedPoint> {
    let mut is_used = [vec![false; inputs.truth.len()], vec![false; inputs.submission.len()]];
    for matched in &found.matches {
        is_used[0][matched.truth] = true;
        is_used[1][matched.submission] = true;
    }
    let sides = [(PointSide::Truth, &inputs.truth), (PointSide::Submission, &inputs.submission)];
    let mut facts = Vec::new();
    for ((side, points), is_used) in sides.into_iter().zip(&is_used) {
        let left = points.iter().zip(is_used).filter(|(_, is_used)| !**is_used);
        let mut of_side: Vec<UnmatchedPoint> = left
            .map(|(point, _)| UnmatchedPoint {
                side,
                label: point.label(rules),
                id: point.id.clone(),
                kind: point.type_under(rules),
            })
            .collect();
        of_side.sort_by(|a, b| (&a.label, &a.id).cmp(&(&b.label, &b.id)));
        facts.extend(of_side);
    }
    facts
}

/// Errors of all distances between matched points, submission minus truth, in the order of the matches.
fn matrix(found: &PointComparison<'_>) -> serde_json::Value {
    let row =
        |a: &MatchedPoint| -> Vec<f64> { found.matches.iter().map(|b| found.pair_error_m(a, b)).collect() };
    json!(found.matches.iter().map(row).collect::<Vec<_>>())
}

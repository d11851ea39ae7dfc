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
//! under one turn and shift. Distances cannot tell a mirror image, so in one the place in the best frame counts too.
//! Unknown: maps play no part; a true point without partner is missed and lowers `coverage`, not the error.
//! Known bias: E is the mean over what was found; a team that reports two points well can have a smaller error than
//! one that reports all. Read the coverage beside it.
//! Variants: `frame`, `label`, `distance`; `scale_corrected` gives all numbers with the mean scale taken out.
//! Undefined: `NO_REFERENCE` without a true point; `TOO_MANY_POINTS`; `NO_MATCH` if no points were given at all.

use serde::Serialize;
use serde_json::json;

use super::marked_points::{MatchedPoint, PointComparison, PointInputs};
use super::point_rules::{FrameRule, PointRules};
use crate::{Better, Case, Family, Metric, MetricSpec, Reason, Score, Undefined, Unit};

/// Rejected candidates that are listed for a point.
const ALTERNATIVES: usize = 8;
/// Matched points up to which the whole matrix of pairs is listed.
const MATRIX: usize = 50;

impl Metric for PointRules {
    const SPEC: MetricSpec = MetricSpec {
        id: "point_score",
        code: "S-POINTS",
        title: "Point score",
        family: Family::Contest,
        unit: Unit::Points,
        better: Better::Higher,
        best: None,
        worst: Some(0.0),
        source: include_str!("point_score.rs"),
    };

    fn applies(case: &Case) -> bool {
        case.points().is_ok()
    }

    fn evaluate(&self, case: &Case) -> Result<Score, Undefined> {
        point_score(case.points()?, self)
    }
}

/// One matched point in reports.
#[derive(Serialize)]
struct MatchFacts {
    label: String,
    truth_id: String,
    submission_id: String,
    error_m: Option<f64>,
    #[serde(rename = "type")]
    kind: String,
    points: f64,
    offset_m: f64,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    alternatives: Vec<AlternativeFacts>,
}

/// A candidate of the same label that was not taken.
#[derive(Serialize)]
struct AlternativeFacts {
    submission_id: String,
    offset_m: f64,
}

/// A point without partner.
#[derive(Serialize)]
struct UnmatchedFacts {
    side: &'static str,
    label: String,
    id: String,
    #[serde(rename = "type")]
    kind: String,
}

/// Error, points and score of a list.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
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
        .with("mirrored", found.is_mirrored())
        .with("mirror", found.assignment.mirror)
        .with("certified", found.assignment.certified)
        .with("coverage_held", coverage >= rules.min_coverage)
        .with("formula", formula(&totals))
        .with("matches", match_facts(&found, inputs, rules, &errors))
        .with("unmatched", unmatched(&found, inputs, rules))
        .with("truth_from_submission", found.assignment.truth_from_submission)
        .with("residual_m", found.assignment.residual_m)
        .with("scale_corrected", scale_corrected(&found, inputs, rules));
    let score = match found.matches.len() {
        2..=MATRIX => score.with("pair_errors_m", matrix(&found)),
        _ => score,
    };
    Ok(score
        .warn_if(found.is_mirrored(), Reason::MapMirrored)
        .warn_if(totals.error_m.is_none(), Reason::InsufficientPoints)
        .warn_if(!found.assignment.certified, Reason::NotCertified))
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

fn match_facts(
    found: &PointComparison<'_>,
    inputs: &PointInputs,
    rules: &PointRules,
    errors: &[Option<f64>],
) -> Vec<MatchFacts> {
    let alternative = |(index, offset_m): (usize, f64)| AlternativeFacts {
        submission_id: inputs.submission[index].id.clone(),
        offset_m,
    };
    let facts = |(matched, error_m): (&MatchedPoint, &Option<f64>)| MatchFacts {
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

fn unmatched(found: &PointComparison<'_>, inputs: &PointInputs, rules: &PointRules) -> Vec<UnmatchedFacts> {
    let mut is_used = [vec![false; inputs.truth.len()], vec![false; inputs.submission.len()]];
    for matched in &found.matches {
        is_used[0][matched.truth] = true;
        is_used[1][matched.submission] = true;
    }
    let sides = [("truth", &inputs.truth), ("submission", &inputs.submission)];
    let mut facts = Vec::new();
    for ((side, points), is_used) in sides.into_iter().zip(&is_used) {
        let left = points.iter().zip(is_used).filter(|(_, is_used)| !**is_used);
        let mut of_side: Vec<UnmatchedFacts> = left
            .map(|(point, _)| UnmatchedFacts {
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

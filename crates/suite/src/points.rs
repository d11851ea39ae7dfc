//! Labelled points: read out of any list, and what a report says about their score.

use formats::Content;
use metrics::contest::marked_points::{MarkedPoint, PointInputs};
use metrics::contest::point_rules::PointRules;
use metrics::contest::point_score::PointScoreEvidence;
use metrics::{AnyMetric, Evidence, MetricEvidence};
use model::{Finding, Point2, Similarity2};
use report::chart::{PointError, point_errors};
use report::{CaseReport, Figure, MetricRecord};
use serde::Serialize;
use serde_json::Value;

use crate::{JobError, Plan};

/// Schema of the JSON that [`PointsResult`] becomes.
pub const POINTS_SCHEMA: &str = "mapjudge.points/1";

/// The score of a list of labelled points, as others parse it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PointsResult {
    /// [`POINTS_SCHEMA`].
    pub schema: &'static str,
    /// Name of the rules.
    pub profile: String,
    /// P / (1 + E); null if undefined.
    pub score: Option<f64>,
    /// Everything else, by name.
    #[serde(flatten)]
    pub facts: metrics::Detail,
    /// Why a value is missing, or what to keep in mind.
    pub reasons: Vec<metrics::Reason>,
    /// The rules that were applied.
    pub rules: metrics::Detail,
    /// The files.
    pub inputs: Vec<report::Input>,
    /// What is odd about them.
    pub findings: Vec<Finding>,
    /// The facts as values.
    #[serde(skip)]
    pub evidence: Evidence,
}

/// Labelled points against the true ones, under the rules of a profile.
///
/// # Errors
/// A rule out of its range.
pub fn points_plan(profile: &str, rules: &PointRules) -> Result<Plan, JobError> {
    check_rules(rules)?;
    let params = rules.params().into_iter().collect();
    Ok(Plan {
        metrics: vec![POINT_SCORE.to_owned()],
        set: [(POINT_SCORE.to_owned(), params)].into(),
        profile: profile.to_owned(),
        ..Plan::default()
    })
}

const POINT_SCORE: &str = "point_score";

impl PointsResult {
    /// The score of labelled points in a judged case; none if none were judged.
    #[must_use]
    pub fn of_case(case: &CaseReport, profile: &str) -> Option<Self> {
        let record = case.metric(POINT_SCORE)?;
        Some(Self {
            schema: POINTS_SCHEMA,
            profile: profile.to_owned(),
            score: record.value,
            facts: record.detail.clone(),
            reasons: record.reasons.clone(),
            rules: record.params.clone(),
            inputs: case.inputs.clone(),
            findings: case.findings.clone(),
            evidence: record.evidence.clone(),
        })
    }

    /// Every point with its match; none if the score is undefined.
    pub(crate) fn points(&self) -> Option<&PointScoreEvidence> {
        points_in(&self.evidence)
    }

    /// Whether enough of the true points were matched for the score to count.
    #[must_use]
    pub fn has_coverage(&self) -> bool {
        self.points().is_none_or(|points| points.coverage_held)
    }
}

fn check_rules(rules: &PointRules) -> Result<(), JobError> {
    let from_zero = "a finite number from 0 on";
    let is_from_zero = |value: f64| value.is_finite() && value >= 0.0;
    let checks = [
        ("scoring_threshold", rules.scoring_threshold, is_from_zero(rules.scoring_threshold), from_zero),
        (
            "min_coverage",
            rules.min_coverage,
            (0.0..=1.0).contains(&rules.min_coverage),
            "a share from 0 to 1",
        ),
        (
            "total_points",
            rules.total_points,
            rules.total_points.is_finite() && rules.total_points > 0.0,
            "a finite number above 0",
        ),
    ];
    for (name, value, holds, expected) in checks {
        if !holds {
            return Err(JobError::Range { name, value, expected });
        }
    }
    let worth = rules.points.values().chain([&rules.other_points]).find(|value| !value.is_finite());
    match worth {
        Some(&value) => Err(JobError::Range { name: "points", value, expected: "finite numbers" }),
        None => Ok(()),
    }
}

/// The labelled points of a detection list or point list; none for anything else.
pub(crate) fn marked_points(content: Content) -> Option<Vec<MarkedPoint>> {
    let number = |index: usize| (index + 1).to_string();
    match content {
        Content::Detections(table) => {
            // Lists of one kind have no column that says so.
            let of_table = match table.kind.trim().to_lowercase().as_str() {
                "qr codes" => "qr",
                "victims" => "victim",
                _ => "",
            };
            let point = |(index, row): (usize, model::Detection)| MarkedPoint {
                id: if row.id.trim().is_empty() { number(index) } else { row.id },
                kind: if row.kind.trim().is_empty() { of_table.to_owned() } else { row.kind },
                name: row.text,
                position_m: row.position_m,
            };
            Some(table.rows.into_iter().enumerate().map(point).collect())
        }
        Content::Points(list) => {
            let point = |(index, (name, at)): (usize, (String, Point2))| MarkedPoint {
                id: number(index),
                kind: String::new(),
                name,
                position_m: [at.x_m, at.y_m, 0.0],
            };
            Some(list.points.into_iter().enumerate().map(point).collect())
        }
        _ => None,
    }
}

fn evidence_of(record: &MetricRecord) -> Option<&PointScoreEvidence> {
    points_in(&record.evidence)
}

fn points_in(evidence: &Evidence) -> Option<&PointScoreEvidence> {
    match &evidence.of_metric {
        Some(MetricEvidence::PointScore(evidence)) => Some(evidence),
        _ => None,
    }
}

/// The rules that a record was measured by.
fn rules_of(record: &MetricRecord) -> Option<PointRules> {
    serde_json::from_value(Value::Object(record.params.clone())).ok()
}

/// What a judge should know before reading the score.
pub(crate) fn point_findings(inputs: &PointInputs, metrics: &[MetricRecord]) -> Vec<Finding> {
    let mut found = Vec::new();
    let Some(record) = metrics.iter().find(|record| record.id == POINT_SCORE) else { return found };
    let Some(rules) = rules_of(record) else { return found };
    let rules = &rules;
    if evidence_of(record).is_some_and(|evidence| evidence.mirrored) {
        let message = "the mirror image of the submission fits the truth better than the submission itself";
        found.push(
            Finding::warning("POINTS_MIRRORED", message)
                .hint("check the sign of y (image rows run down, world y runs up); the error counts places, not distances"),
        );
    }
    found.extend(scaled(record));
    found.extend(without_label(inputs, rules));
    let worthless = |point: &&MarkedPoint| {
        let kind = point.type_under(rules);
        !rules.points.contains_key(&kind)
    };
    if let Some(point) = inputs.truth.iter().find(worthless) {
        let count = inputs.truth.iter().filter(worthless).count();
        let message = format!(
            "{count} of {} true points have a type that the rules do not list, such as '{}' of '{}': {} points each",
            inputs.truth.len(),
            point.type_under(rules),
            point.name,
            rules.other_points
        );
        let types: Vec<&str> = rules.points.keys().map(String::as_str).collect();
        found.push(
            Finding::warning("POINT_TYPE_UNKNOWN", message)
                .hint(format!("the rules list {}; other_points gives the rest a value", types.join(", "))),
        );
    }
    found
}

/// Lists whose distances differ by a factor that no map has: pixels or millimetres in one of them.
fn scaled(record: &MetricRecord) -> Option<Finding> {
    const MAX_SCALE: f64 = 1.5;
    let scale = record.detail.get("scale").and_then(Value::as_f64).filter(|scale| *scale > 0.0)?;
    (scale.max(1.0 / scale) > MAX_SCALE).then(|| {
        let message = format!(
            "distances between the true points are {} times those between the submitted ones",
            report::shown_number(scale)
        );
        Finding::warning("POINTS_SCALED", message)
            .hint("one of the lists may be in pixels or millimetres; both are read as metres")
    })
}

/// Points that nothing tells apart, in lists whose other points have labels.
fn without_label(inputs: &PointInputs, rules: &PointRules) -> Option<Finding> {
    let all = || inputs.truth.iter().chain(&inputs.submission);
    let missing = |points: &[MarkedPoint]| points.iter().filter(|p| p.label(rules).is_empty()).count();
    let (truth, submission) = (missing(&inputs.truth), missing(&inputs.submission));
    let some_are_labelled = truth + submission < all().count();
    (truth + submission > 0 && some_are_labelled).then(|| {
        let message =
            format!("{truth} true points and {submission} submitted ones have no label; they match nothing");
        Finding::warning("POINT_LABEL_MISSING", message).hint("write what each point is")
    })
}

/// Truth and submission with arrows.
pub(crate) fn point_figure(inputs: &PointInputs, metrics: &[MetricRecord]) -> Option<Figure> {
    let record = metrics.iter().find(|record| record.id == POINT_SCORE)?;
    let rules = &rules_of(record)?;
    let comparison = metrics::contest::marked_points::PointComparison::of(inputs, rules).ok()?;
    let frame = comparison.assignment.truth_from_submission.unwrap_or(Similarity2::IDENTITY);
    let place = |point: &MarkedPoint| Point2::new(point.position_m[0], point.position_m[1]);
    let label = |point: &MarkedPoint| format!("{} #{}", point.label(rules), point.id);
    let mut is_used = [vec![false; inputs.truth.len()], vec![false; inputs.submission.len()]];
    let mut points = Vec::new();
    for matched in &comparison.matches {
        (is_used[0][matched.truth], is_used[1][matched.submission]) = (true, true);
        let truth = &inputs.truth[matched.truth];
        points.push(PointError {
            label: label(truth),
            truth: Some(place(truth)),
            submitted: Some(frame * place(&inputs.submission[matched.submission])),
            counts: comparison.error_m(matched).is_some_and(|error_m| error_m <= rules.scoring_threshold),
        });
    }
    let left = |points: &'_ [MarkedPoint], is_used: &[bool]| -> Vec<MarkedPoint> {
        points.iter().zip(is_used).filter(|(_, used)| !**used).map(|(point, _)| point.clone()).collect()
    };
    for point in left(&inputs.truth, &is_used[0]) {
        let truth = Some(place(&point));
        points.push(PointError { label: label(&point), truth, submitted: None, counts: false });
    }
    for point in left(&inputs.submission, &is_used[1]) {
        let submitted = Some(frame * place(&point));
        points.push(PointError { label: label(&point), truth: None, submitted, counts: false });
    }
    let formula = evidence_of(record).map(|evidence| evidence.formula.as_str()).unwrap_or_default();
    let caption = format!("True places and reports in the best frame without reflection. {formula}.");
    Some(Figure::chart("points", "Labelled points", caption, point_errors(&points)?))
}

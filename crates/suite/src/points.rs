//! Labelled points alone: the work of `mapjudge points SUBMISSION --truth TRUTH`.

use std::path::Path;

use formats::{Content, ReadOptions, read_document};
use metrics::contest::marked_points::{MarkedPoint, PointInputs};
use metrics::contest::point_rules::PointRules;
use metrics::{AnyMetric, Case};
use model::{Finding, Point2, Similarity2};
use report::chart::{PointError, point_errors};
use report::{CasePictures, CaseReport, Figure, Image, MetricRecord};
use serde::Serialize;
use serde_json::{Value, json};

use crate::evaluate::{measure, new_report};
use crate::inputs::{case_names, input_record};
use crate::judge::{Rules, judge};
use crate::{Chosen, Evaluation, JobError};

/// Schema of the JSON that [`PointsResult`] becomes.
pub const POINTS_SCHEMA: &str = "mapjudge.points/1";

/// What is to be scored.
#[derive(Clone, Debug)]
pub struct PointsJob {
    /// What the team reported: a detection list or a point list.
    pub submission: std::path::PathBuf,
    /// Where the points are, in the same formats.
    pub truth: std::path::PathBuf,
    /// Name of the rules.
    pub profile: String,
    /// The rules, changes included.
    pub rules: PointRules,
    /// File of limits.
    pub limits: Option<std::path::PathBuf>,
}

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
}

/// A scored list: the report for people, and the value for programs.
#[derive(Debug)]
pub struct ScoredPoints {
    /// Report, picture and verdict.
    pub evaluation: Evaluation,
    /// The same as JSON that others parse.
    pub result: PointsResult,
}

/// Scores a list of labelled points.
///
/// # Errors
/// A file cannot be read or holds no labelled points, or a rule makes no sense.
pub fn score_points(job: &PointsJob) -> Result<ScoredPoints, JobError> {
    check_rules(&job.rules)?;
    let options = ReadOptions::default();
    let submission = PointFile::read(&job.submission, "submission", &options)?;
    let truth = PointFile::read(&job.truth, "truth", &options)?;
    let inputs = PointInputs { truth: truth.points, submission: submission.points };
    let case = Case::without_maps().with_points(inputs.clone());
    let chosen = [Chosen { metric: Box::new(job.rules.clone()), by_name: true, by_family: false }];
    let record = measure(&chosen[0], &case, None);
    let findings: Vec<Finding> =
        [truth.findings, submission.findings, findings(&inputs, &job.rules, &record)].concat();
    let records = vec![truth.record, submission.record];
    let result = PointsResult {
        schema: POINTS_SCHEMA,
        profile: job.profile.clone(),
        score: record.value,
        facts: record.detail.clone(),
        reasons: record.reasons.clone(),
        rules: job.rules.params(),
        inputs: records.clone(),
        findings: findings.clone(),
    };
    let figures = figure(&inputs, &job.rules, &record).into_iter().collect();
    let case_report = CaseReport {
        name: case_names(std::slice::from_ref(&job.submission)).concat(),
        inputs: records,
        alignment: None,
        grid: None,
        metrics: vec![record],
        findings,
        detail: Some(metrics::facts([("profile", json!(job.profile))])),
    };
    let mut report = new_report(vec![case_report]);
    let rules = Rules { limits: job.limits.as_deref(), ..Rules::default() };
    let mut verdict = judge(rules, &chosen, &mut report)?;
    if verdict == crate::Verdict::Fine && result.facts.get("coverage_held") == Some(&Value::Bool(false)) {
        verdict = crate::Verdict::Missed;
    }
    let pictures = vec![CasePictures { figures, ..Default::default() }];
    Ok(ScoredPoints { evaluation: Evaluation { report, pictures, verdict }, result })
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

/// A list of points with what the report says about its file.
struct PointFile {
    points: Vec<MarkedPoint>,
    findings: Vec<Finding>,
    record: report::Input,
}

impl PointFile {
    fn read(path: &Path, role: &str, options: &ReadOptions) -> Result<Self, JobError> {
        let document = read_document(path, options)?;
        let kind = document.content.kind();
        let points = marked_points(document.content)
            .ok_or_else(|| JobError::NoPoints { path: path.to_owned(), found: kind.name() })?;
        let named = |f: Finding| Finding { message: format!("{role}: {}", f.message), ..f };
        let findings = document.findings.into_iter().map(named).collect();
        Ok(Self { points, findings, record: input_record(path, role, document.format)? })
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

/// What a judge should know before reading the score.
fn findings(inputs: &PointInputs, rules: &PointRules, record: &MetricRecord) -> Vec<Finding> {
    let mut found = Vec::new();
    if record.detail.get("mirrored") == Some(&Value::Bool(true)) {
        let message = "the mirror image of the submission fits the truth better than the submission itself";
        found.push(
            Finding::warning("POINTS_MIRRORED", message)
                .hint("check the sign of y (image rows run down, world y runs up); the error counts places, not distances"),
        );
    }
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
        found.push(Finding::warning("POINT_TYPE_UNKNOWN", message).hint(format!(
            "the rules list {}; --set other_points=N gives the rest a value",
            types.join(", ")
        )));
    }
    found
}

/// Truth and submission with arrows.
fn figure(inputs: &PointInputs, rules: &PointRules, record: &MetricRecord) -> Option<Figure> {
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
    let formula = record.detail.get("formula").and_then(Value::as_str).unwrap_or_default();
    Some(Figure {
        name: "points".to_owned(),
        title: "Labelled points".to_owned(),
        caption: format!("True places and reports in the best frame without reflection. {formula}."),
        image: Image::Svg(point_errors(&points)?),
    })
}

//! Reports for the tests of the renderings, made by hand.

use metrics::{Better, Reason, Unit, facts};
use model::{Finding, Grid, GridGeometry, Level, Pose2};
use serde_json::json;

use crate::{
    Alignment, CaseReport, Figure, GridRecord, Input, LimitResult, MetricRecord, Report, SCHEMA, Status,
    Tool, errors_figure, overlay_figure,
};

/// A name with what hurts each of the formats.
pub(crate) const HOSTILE: &str = r#"=<b>"50%_a&b"</b>|$#{}~^\,'"#;

pub(crate) fn report(cases: Vec<CaseReport>) -> Report {
    let tool = Tool { name: "mapjudge".into(), version: "0.1.0".into() };
    Report { schema: SCHEMA.into(), tool, cases, limits: Vec::new(), baseline: None, comparison: None }
}

pub(crate) fn case(name: &str, metrics: Vec<MetricRecord>) -> CaseReport {
    CaseReport {
        name: name.into(),
        error: None,
        inputs: vec![
            Input {
                role: "map".into(),
                path: format!("{name}.yaml"),
                blake3: "ab12".into(),
                format: "ros".into(),
            },
            Input {
                role: "truth".into(),
                path: "truth.png".into(),
                blake3: "cd34".into(),
                format: "picture".into(),
            },
        ],
        alignment: Some(Alignment {
            method: "georeference".into(),
            truth_from_map: Some(Pose2::new(0.5, -1.0, 0.0).into()),
            ..Alignment::default()
        }),
        grid: Some(GridRecord {
            width: 30,
            height: 20,
            cell_size_m: 0.05,
            origin: Pose2::new(-0.5, 1.0, 0.0),
            window: "truth".into(),
            resample: "occupied-wins".into(),
            coverage: Some(0.9),
            outside_free: 7,
            outside_occupied: 2,
        }),
        metrics,
        findings: Vec::new(),
        detail: None,
        figures: Vec::new(),
        errors: Vec::new(),
    }
}

/// Overlay and errors of a truth of two cells, one of them wrong by two cells of 0.1 m.
pub(crate) fn figures() -> Vec<Figure> {
    use model::CellClass::{Free, Occupied};
    let geometry = GridGeometry::new(2, 1, 0.1, Pose2::IDENTITY).unwrap();
    let [truth, map] = [[Free, Free], [Occupied, Free]].map(|row| Grid::new(geometry, row.to_vec()).unwrap());
    vec![overlay_figure(&truth, &map).unwrap(), errors_figure(&truth, &[(0, 2.0)]).unwrap()]
}

pub(crate) fn overall_error(value: f64) -> MetricRecord {
    MetricRecord {
        id: "overall_error".into(),
        code: "M-OE".into(),
        title: "Overall error".into(),
        value: Some(value),
        unit: Unit::Cells,
        better: Better::Lower,
        best: Some(0.0),
        worst: Some(600.0),
        status: Status::Ok,
        reasons: Vec::new(),
        judged_share: None,
        params: facts([("unknown_as", json!("free"))]),
        detail: facts([("false_negatives", json!(3))]),
        evidence: metrics::Evidence::default(),
    }
}

/// A metric of a later version, which this one does not list.
pub(crate) fn harmony(value: Option<f64>, reasons: &[Reason]) -> MetricRecord {
    let status = match (value, reasons) {
        (None, _) => Status::Undefined,
        (Some(_), []) => Status::Ok,
        (Some(_), _) => Status::Warning,
    };
    MetricRecord {
        id: "harmony".into(),
        code: "X-H".into(),
        title: "Harmony".into(),
        value,
        unit: Unit::Ratio,
        better: Better::Higher,
        best: Some(1.0),
        worst: Some(0.0),
        status,
        reasons: reasons.to_vec(),
        judged_share: None,
        params: facts([]),
        detail: facts([]),
        evidence: metrics::Evidence::default(),
    }
}

pub(crate) fn one_metric(better: Better, best: Option<f64>, values: &[Option<f64>]) -> Report {
    let record = |&value: &Option<f64>| MetricRecord {
        value,
        better,
        best,
        status: if value.is_some() { Status::Ok } else { Status::Undefined },
        ..overall_error(0.0)
    };
    report(values.iter().enumerate().map(|(i, v)| case(&format!("map{i}"), vec![record(v)])).collect())
}

pub(crate) fn one_case() -> Report {
    let mut office =
        case("office", vec![overall_error(12.0), harmony(Some(0.123_445), &[Reason::MissingColour])]);
    office.findings.push(
        Finding::warning("UNKNOWN_MAY_READ_AS_FREE", "free_thresh is 0.25")
            .hint("set free_thresh below 0.196"),
    );
    let mut report = report(vec![office]);
    report.limits = vec![
        limit("office", "overall_error", "<= 10", Some(12.0), false),
        limit("office", "harmony", ">= 0.1", Some(0.123_445), true),
    ];
    report
}

pub(crate) fn two_cases() -> Report {
    report(vec![
        case("office", vec![overall_error(12.0), harmony(None, &[Reason::NoOccupiedMap])]),
        case("cellar", vec![overall_error(3.0), harmony(Some(0.75), &[])]),
    ])
}

/// Two judged cases, and one between them that could not be.
pub(crate) fn with_failure() -> Report {
    let mut report = one_metric(Better::Lower, Some(0.0), &[Some(12.0), Some(3.0)]);
    let inputs = vec![Input {
        role: "map".into(),
        path: "broken.png".into(),
        blake3: "ef56".into(),
        format: String::new(),
    }];
    let error = Finding::new(Level::Error, "MALFORMED", "broken.png: expected a PNG").hint("export it again");
    report.cases.insert(1, CaseReport::not_judged("broken".into(), inputs, error));
    report
}

/// A case whose every text of a stranger is hostile.
pub(crate) fn hostile() -> Report {
    let mut bad = case(HOSTILE, vec![overall_error(1.0)]);
    bad.findings.push(Finding::warning("BAD", HOSTILE).hint(HOSTILE));
    let mut report = report(vec![bad, case("good", vec![overall_error(2.0)])]);
    report.limits = vec![limit(HOSTILE, "overall_error", "<= 0", Some(1.0), false)];
    report
}

pub(crate) fn limit(case: &str, metric: &str, rule: &str, value: Option<f64>, held: bool) -> LimitResult {
    LimitResult { case: case.into(), metric: metric.into(), rule: rule.into(), value, held }
}

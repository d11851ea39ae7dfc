//! Comparison with an earlier report: better, same or worse, by each metric's own direction.
//!
//! Cases are matched by name and metrics by id. What only the earlier report has is not compared: it was not
//! asked for. Values that rest on different parameters are not compared at all, that is an error.

use metrics::Better;

use crate::tolerance::{Amount, Tolerances};
use crate::{BaselineResult, CaseReport, Change, MetricRecord, Report, SCHEMA};

/// Why a report cannot be compared with an earlier one.
#[derive(Debug, thiserror::Error)]
pub enum BaselineError {
    /// The text is no JSON.
    #[error("expected a JSON report, found no JSON: {0}\nhint: write the JSON report of an earlier run")]
    Json(serde_json::Error),
    /// JSON, but no report of this version.
    #[error(
        "expected a JSON report of schema '{SCHEMA}', found schema {found}\nhint: write the JSON report again with this version"
    )]
    Schema {
        /// What stands there instead, as JSON.
        found: String,
    },
    /// The schema's name is right, its content is not.
    #[error("the file says it is '{SCHEMA}' but does not follow it: {0}")]
    Content(serde_json::Error),
    /// No name of a case is in both reports.
    #[error(
        "no case in common: the report has {report}, the baseline has {baseline}\nhint: cases are matched by name, which is the map's file name without extension"
    )]
    NoCommonCase {
        /// Names in the report.
        report: String,
        /// Names in the baseline.
        baseline: String,
    },
    /// The two values rest on different settings.
    #[error(
        "case '{case}', {metric}: '{setting}' is {now} but was {before} in the baseline\nhint: use the same parameters, or renew the baseline"
    )]
    Setting {
        /// The case.
        case: String,
        /// The metric's id, or `grid`.
        metric: String,
        /// The parameter.
        setting: String,
        /// Its value in the baseline.
        before: String,
        /// Its value now.
        now: String,
    },
    /// The tolerance is negative or no number.
    #[error("tolerance {0}: expected a number of at least 0")]
    Tolerance(f64),
}

/// Reads an earlier report.
///
/// # Errors
/// No JSON, another schema, or content that does not follow it.
pub fn read_baseline(text: &str) -> Result<Report, BaselineError> {
    let value: serde_json::Value = serde_json::from_str(text).map_err(BaselineError::Json)?;
    if value["schema"] != SCHEMA {
        let found = value.get("schema").map_or_else(|| "none".to_owned(), ToString::to_string);
        return Err(BaselineError::Schema { found });
    }
    serde_json::from_value(value).map_err(BaselineError::Content)
}

/// Compares every value of a report with the same value of an earlier one.
///
/// # Errors
/// No case in common, or values that rest on different parameters.
pub fn compare(
    report: &Report,
    baseline: &Report,
    tolerances: &Tolerances,
) -> Result<Vec<BaselineResult>, BaselineError> {
    if let Some(faulty) = tolerances.faulty() {
        return Err(BaselineError::Tolerance(faulty));
    }
    let earlier = |case: &CaseReport| baseline.cases.iter().find(|other| other.name == case.name);
    if report.cases.iter().all(|case| earlier(case).is_none()) {
        return Err(no_common_case(report, baseline));
    }
    let mut results = Vec::new();
    for case in &report.cases {
        let earlier = earlier(case);
        if let Some(earlier) = earlier {
            check_grid_settings(case, earlier)?;
        }
        if case.error.is_some() {
            results.extend(earlier.into_iter().flat_map(|earlier| lost_values(case, earlier)));
        }
        for now in &case.metrics {
            let before = earlier.and_then(|earlier| earlier.metric(&now.id));
            if let Some(before) = before {
                check_params(&case.name, now, before)?;
            }
            let amount = tolerances.of(&case.name, &now.id);
            results.push(BaselineResult {
                case: case.name.clone(),
                metric: now.id.clone(),
                before: before.and_then(|record| record.value),
                now: now.value,
                change: before.map_or(Change::New, |before| change(now, before, amount)),
                tolerance: tolerances.own(&case.name, &now.id).map(Amount::words),
            });
        }
    }
    Ok(results)
}

/// Every value that a case had, and which it lost because it could not be judged.
fn lost_values<'a>(
    case: &'a CaseReport,
    earlier: &'a CaseReport,
) -> impl Iterator<Item = BaselineResult> + 'a {
    let had = earlier.metrics.iter().filter(|record| record.value.is_some());
    had.map(|before| BaselineResult {
        case: case.name.clone(),
        metric: before.id.clone(),
        before: before.value,
        now: None,
        change: Change::Worse,
        tolerance: None,
    })
}

fn no_common_case(report: &Report, baseline: &Report) -> BaselineError {
    let names = |report: &Report| match report.cases.as_slice() {
        [] => "none".to_owned(),
        cases => cases.iter().map(|case| format!("'{}'", case.name)).collect::<Vec<_>>().join(", "),
    };
    BaselineError::NoCommonCase { report: names(report), baseline: names(baseline) }
}

/// Another window or way to resample changes every value, like a parameter of all metrics.
fn check_grid_settings(case: &CaseReport, earlier: &CaseReport) -> Result<(), BaselineError> {
    let (Some(now), Some(before)) = (&case.grid, &earlier.grid) else { return Ok(()) };
    let settings = [("window", &now.window, &before.window), ("resample", &now.resample, &before.resample)];
    match settings.into_iter().find(|(_, now, before)| now != before) {
        None => Ok(()),
        Some((setting, now, before)) => Err(BaselineError::Setting {
            case: case.name.clone(),
            metric: "grid".to_owned(),
            setting: setting.to_owned(),
            before: before.clone(),
            now: now.clone(),
        }),
    }
}

fn check_params(case: &str, now: &MetricRecord, before: &MetricRecord) -> Result<(), BaselineError> {
    let names = now.params.keys().chain(before.params.keys());
    let Some(name) = names.into_iter().find(|name| now.params.get(*name) != before.params.get(*name)) else {
        return Ok(());
    };
    let word = |record: &MetricRecord| {
        record.params.get(name).map_or_else(|| "absent".to_owned(), ToString::to_string)
    };
    Err(BaselineError::Setting {
        case: case.to_owned(),
        metric: now.id.clone(),
        setting: name.clone(),
        before: word(before),
        now: word(now),
    })
}

fn change(now: &MetricRecord, before: &MetricRecord, tolerance: Amount) -> Change {
    let (now_value, before_value) = match (now.value, before.value) {
        (None, None) => return Change::Same,
        (Some(_), None) => return Change::Better,
        (None, Some(_)) => return Change::Worse,
        (Some(now), Some(before)) => (now, before),
    };
    let threshold = tolerance.threshold(now_value, before_value);
    if (now_value - before_value).abs() <= threshold {
        return Change::Same;
    }
    let gain = gain(now.better, now.best, before_value, now_value);
    if gain.abs() <= threshold {
        Change::Same
    } else if gain > 0.0 {
        Change::Better
    } else {
        Change::Worse
    }
}

/// By how much a value got better, in its unit; negative if it got worse.
pub(crate) fn gain(better: Better, best: Option<f64>, before: f64, now: f64) -> f64 {
    match (better, best) {
        (Better::Lower, _) => before - now,
        (Better::Higher, _) => now - before,
        (Better::Closer, Some(best)) => (before - best).abs() - (now - best).abs(),
        // Without a value to be close to, any move is away from what was accepted.
        (Better::Closer, None) => -(now - before).abs(),
        (Better::Neither, _) => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{example, json};
    use serde_json::json;

    fn changes(better: Better, best: Option<f64>, now: Option<f64>, before: Option<f64>) -> Change {
        let report = example::one_metric(better, best, &[now]);
        let baseline = example::one_metric(better, best, &[before]);
        compare(&report, &baseline, &Tolerances::default()).unwrap()[0].change
    }

    #[test]
    fn the_direction_of_the_metric_decides() {
        let (one, two) = (Some(1.0), Some(2.0));
        assert_eq!(changes(Better::Lower, None, one, two), Change::Better);
        assert_eq!(changes(Better::Higher, None, one, two), Change::Worse);
        assert_eq!(changes(Better::Closer, Some(1.5), one, two), Change::Same);
        assert_eq!(changes(Better::Closer, Some(1.0), one, two), Change::Better);
        assert_eq!(changes(Better::Closer, None, one, two), Change::Worse);
    }

    #[test]
    fn losing_a_value_is_worse_and_gaining_one_better() {
        assert_eq!(changes(Better::Lower, None, None, Some(1.0)), Change::Worse);
        assert_eq!(changes(Better::Lower, None, Some(1.0), None), Change::Better);
        assert_eq!(changes(Better::Lower, None, None, None), Change::Same);
    }

    #[test]
    fn the_tolerance_is_relative_and_inclusive() {
        let report = example::one_metric(Better::Lower, None, &[Some(110.0)]);
        let baseline = example::one_metric(Better::Lower, None, &[Some(100.0)]);
        let change =
            |tolerance| compare(&report, &baseline, &Tolerances::relative(tolerance)).unwrap()[0].change;
        assert_eq!(change(0.1), Change::Same);
        assert_eq!(change(0.05), Change::Worse);
        assert!(compare(&report, &baseline, &Tolerances::relative(f64::NAN)).is_err());
        assert!(compare(&report, &baseline, &Tolerances::relative(-1.0)).is_err());
    }

    #[test]
    fn a_metric_may_have_a_tolerance_of_its_own() {
        let report = example::one_metric(Better::Lower, None, &[Some(110.0), Some(110.0)]);
        let baseline = example::one_metric(Better::Lower, None, &[Some(100.0), Some(100.0)]);
        let limits = crate::Limits::parse(
            "[tolerances]\noverall_error = \"5 %\"\n[tolerances.map1]\noverall_error = \"10\"",
        );
        let tolerances = Tolerances { own: limits.unwrap().tolerances, ..Tolerances::default() };
        let rows = compare(&report, &baseline, &tolerances).unwrap();
        assert_eq!(rows.iter().map(|row| row.change).collect::<Vec<_>>(), [Change::Worse, Change::Same]);
        assert_eq!(rows[1].tolerance.as_deref(), Some("10"), "in the unit of the metric");
    }

    #[test]
    fn a_case_that_can_no_longer_be_judged_is_worse_in_all_it_had() {
        let baseline = example::one_metric(Better::Lower, None, &[Some(1.0)]);
        let mut report = example::with_failure();
        report.cases.truncate(2);
        report.cases[1].name = "map0".into();
        report.cases.remove(0);
        let rows = compare(&report, &baseline, &Tolerances::default()).unwrap();
        assert_eq!((rows.len(), rows[0].change, rows[0].now), (1, Change::Worse, None));
    }

    #[test]
    fn a_new_case_beside_a_known_one_is_new() {
        let baseline = example::one_metric(Better::Lower, None, &[Some(1.0)]);
        let report = example::one_metric(Better::Lower, None, &[Some(1.0), Some(5.0)]);
        let results = compare(&report, &baseline, &Tolerances::relative(0.0)).unwrap();
        assert_eq!(results.iter().map(|r| r.change).collect::<Vec<_>>(), [Change::Same, Change::New]);
    }

    #[test]
    fn strangers_are_not_compared() {
        let report = example::report(vec![example::case("a", vec![])]);
        let baseline = example::report(vec![example::case("b", vec![])]);
        let message = compare(&report, &baseline, &Tolerances::relative(0.0)).unwrap_err().to_string();
        assert!(message.starts_with("no case in common: the report has 'a', the baseline has 'b'"));
    }

    #[test]
    fn different_parameters_are_an_error_that_names_the_parameter() {
        let report = example::one_metric(Better::Lower, None, &[Some(1.0)]);
        let mut baseline = report.clone();
        baseline.cases[0].metrics[0].params["unknown_as"] = json!("occupied");
        let message = compare(&report, &baseline, &Tolerances::relative(0.0)).unwrap_err().to_string();
        let expected = "case 'map0', overall_error: 'unknown_as' is \"free\" but was \"occupied\"";
        assert!(message.starts_with(expected), "{message}");
    }

    #[test]
    fn a_parameter_that_came_or_went_is_an_error_too() {
        let report = example::one_metric(Better::Lower, None, &[Some(1.0)]);
        let mut baseline = report.clone();
        baseline.cases[0].metrics[0].params.clear();
        assert!(
            compare(&report, &baseline, &Tolerances::relative(0.0))
                .unwrap_err()
                .to_string()
                .contains("was absent")
        );
        assert!(
            compare(&baseline, &report, &Tolerances::relative(0.0))
                .unwrap_err()
                .to_string()
                .contains("is absent")
        );
    }

    #[test]
    fn another_window_is_an_error() {
        let report = example::one_metric(Better::Lower, None, &[Some(1.0)]);
        let mut baseline = report.clone();
        baseline.cases[0].grid.as_mut().unwrap().window = "union".into();
        assert!(
            compare(&report, &baseline, &Tolerances::relative(0.0))
                .unwrap_err()
                .to_string()
                .contains("'window' is truth")
        );
    }

    #[test]
    fn reads_what_the_json_rendering_wrote() {
        let report = example::two_cases();
        assert_eq!(read_baseline(&json::json(&report).unwrap()).unwrap(), report);
    }

    #[test]
    fn refuses_what_is_no_report_of_this_version() {
        let message = |text: &str| read_baseline(text).unwrap_err().to_string();
        assert!(message("{").starts_with("expected a JSON report, found no JSON"));
        assert!(message("[1]").contains("found schema none"));
        assert!(
            message(r#"{"schema": "other/7"}"#).contains("'mapjudge.report/1', found schema \"other/7\"")
        );
        assert!(message(r#"{"schema": "mapjudge.report/1"}"#).contains("does not follow it"));
    }
}

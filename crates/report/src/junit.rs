//! The report as JUnit XML, for the test page of a build server.
//!
//! One suite per case. A case with limits or a baseline has one test per limit and per compared value; a
//! limit missed or a value that became worse is a failure. A case with neither has one test per metric, and
//! an undefined metric is skipped: whether it was asked for by name is the caller's knowledge. There is no
//! time stamp and no duration, so that the same report gives the same bytes.

use std::fmt::Write;

use crate::printable::steers;
use crate::{BaselineResult, CaseReport, Change, LimitResult, MetricRecord, Report};

/// What became of a test.
enum Outcome {
    Passed,
    Failed(String),
    Skipped(String),
}

struct Test {
    class: &'static str,
    name: String,
    outcome: Outcome,
}

/// The report as JUnit XML.
pub(crate) fn junit(report: &Report) -> String {
    let suites: Vec<_> = case_names(report).into_iter().map(|name| (name, tests_of(report, name))).collect();
    let all = || suites.iter().flat_map(|(_, tests)| tests);
    let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let _ = writeln!(text, "<testsuites name=\"mapjudge\" {}>", counts(all()));
    for (name, tests) in &suites {
        let _ = writeln!(text, "  <testsuite name=\"{}\" {}>", escaped(name), counts(tests.iter()));
        for test in tests {
            write_test(&mut text, test);
        }
        text.push_str("  </testsuite>\n");
    }
    text.push_str("</testsuites>\n");
    text
}

/// The judged cases, then those that only a limit names.
fn case_names(report: &Report) -> Vec<&str> {
    let mut names: Vec<&str> = report.cases.iter().map(|case| case.name.as_str()).collect();
    for limit in &report.limits {
        if !names.contains(&limit.case.as_str()) {
            names.push(&limit.case);
        }
    }
    names
}

fn tests_of(report: &Report, name: &str) -> Vec<Test> {
    let limits = report.limits.iter().filter(|limit| limit.case == name).map(limit_test);
    let rows = report.baseline.iter().flatten().filter(|row| row.case == name).map(baseline_test);
    let tests: Vec<Test> = limits.chain(rows).collect();
    if !tests.is_empty() {
        return tests;
    }
    let case = report.cases.iter().find(|case| case.name == name);
    case.map(metric_tests).unwrap_or_default()
}

fn limit_test(limit: &LimitResult) -> Test {
    let name = format!("{} {}", limit.metric, limit.rule);
    let found = limit.value.map_or_else(|| "undefined".to_owned(), |value| value.to_string());
    let outcome = match limit.held {
        true => Outcome::Passed,
        false => Outcome::Failed(format!("expected {name}, found {found}")),
    };
    Test { class: "limits", name, outcome }
}

fn baseline_test(row: &BaselineResult) -> Test {
    let outcome = match row.change {
        Change::Better | Change::Same => Outcome::Passed,
        Change::New => Outcome::Skipped("the baseline has no such value".to_owned()),
        Change::Worse => Outcome::Failed(format!(
            "worse than the baseline: {} before, {} now",
            row.before.map_or_else(|| "undefined".to_owned(), |value| value.to_string()),
            row.now.map_or_else(|| "undefined".to_owned(), |value| value.to_string())
        )),
    };
    Test { class: "baseline", name: row.metric.clone(), outcome }
}

fn metric_tests(case: &CaseReport) -> Vec<Test> {
    let test = |record: &MetricRecord| {
        let reasons = record.reasons.iter().map(|r| format!("{}: {}", r.code(), r.meaning()));
        let outcome = match record.value {
            Some(_) => Outcome::Passed,
            None => Outcome::Skipped(format!("undefined. {}", reasons.collect::<Vec<_>>().join(" "))),
        };
        // The value is not in the name: a build server follows a test over time by its name.
        Test { class: "metrics", name: record.id.clone(), outcome }
    };
    case.metrics.iter().map(test).collect()
}

fn counts<'a>(tests: impl Iterator<Item = &'a Test>) -> String {
    let (mut all, mut failed, mut skipped) = (0, 0, 0);
    for test in tests {
        all += 1;
        match test.outcome {
            Outcome::Passed => {}
            Outcome::Failed(_) => failed += 1,
            Outcome::Skipped(_) => skipped += 1,
        }
    }
    format!("tests=\"{all}\" failures=\"{failed}\" errors=\"0\" skipped=\"{skipped}\"")
}

fn write_test(text: &mut String, test: &Test) {
    let _ = write!(text, "    <testcase classname=\"{}\" name=\"{}\"", test.class, escaped(&test.name));
    let _ = match &test.outcome {
        Outcome::Passed => writeln!(text, "/>"),
        Outcome::Failed(why) => {
            writeln!(text, ">\n      <failure message=\"{}\"/>\n    </testcase>", escaped(why))
        }
        Outcome::Skipped(why) => {
            writeln!(text, ">\n      <skipped message=\"{}\"/>\n    </testcase>", escaped(why))
        }
    };
}

/// The five characters of XML as entities; what XML 1.0 cannot hold at all becomes `\u{fffd}`.
pub(crate) fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&apos;"),
            '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            c if steers(c) => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example;
    use crate::golden::assert_golden;

    #[test]
    fn a_missed_limit_is_a_failure() {
        assert_golden("one_case.junit.xml", &junit(&example::one_case()));
    }

    #[test]
    fn without_limits_an_undefined_metric_is_skipped() {
        assert_golden("two_cases.junit.xml", &junit(&example::two_cases()));
    }

    #[test]
    fn a_worse_value_is_a_failure_and_a_new_one_is_skipped() {
        let mut report = example::report(vec![example::case("a", vec![])]);
        let row = |metric: &str, change| BaselineResult {
            case: "a".into(),
            metric: metric.into(),
            before: Some(1.0),
            now: None,
            change,
        };
        report.baseline =
            Some(vec![row("m", Change::Worse), row("n", Change::New), row("o", Change::Better)]);
        let text = junit(&report);
        assert!(text.contains("tests=\"3\" failures=\"1\" errors=\"0\" skipped=\"1\""));
        assert!(text.contains("<failure message=\"worse than the baseline: 1 before, undefined now\"/>"));
    }

    #[test]
    fn a_limit_for_a_case_that_was_not_judged_has_its_own_suite() {
        let mut report = example::report(Vec::new());
        report.limits = vec![example::limit("gone", "overall_error", "<= 1", None, false)];
        assert!(junit(&report).contains("<testsuite name=\"gone\" tests=\"1\" failures=\"1\""));
    }

    #[test]
    fn hostile_names_stay_text() {
        assert_eq!(escaped("<a b=\"c\">&'\u{1}"), "&lt;a b=&quot;c&quot;&gt;&amp;&apos;\u{fffd}");
        assert!(!junit(&example::hostile()).contains("<b>"));
    }
}

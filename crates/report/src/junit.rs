//! The report as JUnit XML, for the test page of a build server.
//!
//! One suite per case. A case with limits or a baseline has one test per limit and per compared value; a
//! limit missed or a value that became worse is a failure. A case with neither has one test per metric, and
//! an undefined metric is skipped: whether it was asked for by name is the caller's knowledge. A case that could not
//! be judged has a test `judged` with an error. Values, units and rules are properties of the suite, named after the metric,
//! and the output of each test: the schema of Jenkins (junit-10) knows properties of suites alone. There is no
//! time stamp and no duration, so that the same report gives the same bytes.

use std::fmt::Write;

use model::Finding;

use crate::printable::steers;
use crate::{BaselineResult, CaseReport, Change, LimitResult, MetricRecord, Report};

/// What became of a test.
pub(crate) enum Outcome {
    Passed,
    Failed(String),
    Skipped(String),
    /// The type of the error, and its words.
    Broken(String, String),
}

pub(crate) struct Test {
    pub(crate) class: &'static str,
    pub(crate) name: String,
    /// What the values below are values of; empty without one.
    pub(crate) metric: String,
    pub(crate) values: Vec<(&'static str, String)>,
    pub(crate) outcome: Outcome,
}

/// The report as JUnit XML.
pub(crate) fn junit(report: &Report) -> String {
    let suite = |name: &str| {
        let tests = tests_of(report, name);
        let classes = tests.iter().map(|test| format!("{name}.{}", test.class)).collect();
        Suite { name: name.to_owned(), classes, tests }
    };
    document(&case_names(report).into_iter().map(suite).collect::<Vec<_>>())
}

/// Tests of one suite. Build servers that know no suites follow a test by its class and its name.
pub(crate) struct Suite {
    pub(crate) name: String,
    /// One class per test.
    pub(crate) classes: Vec<String>,
    pub(crate) tests: Vec<Test>,
}

/// Suites as one document.
pub(crate) fn document(suites: &[Suite]) -> String {
    let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let all = counts(suites.iter().flat_map(|suite| &suite.tests));
    let _ = writeln!(text, "<testsuites name=\"mapjudge\" {}>", all.of_all());
    for suite in suites {
        let name = escaped(&suite.name);
        let _ = writeln!(text, "  <testsuite name=\"{name}\" {}>", counts(&suite.tests).of_suite());
        write_properties(&mut text, &suite.tests);
        for (class, test) in suite.classes.iter().zip(&suite.tests) {
            write_test(&mut text, class, test);
        }
        text.push_str("  </testsuite>\n");
    }
    text.push_str("</testsuites>\n");
    text
}

/// The judged cases, then those that only a limit names.
fn case_names(report: &Report) -> Vec<&str> {
    let mut names: Vec<&str> = report.cases.iter().map(|case| case.name.as_str()).collect();
    let mut known: std::collections::HashSet<&str> = names.iter().copied().collect();
    for limit in &report.limits {
        if known.insert(&limit.case) {
            names.push(&limit.case);
        }
    }
    names
}

fn tests_of(report: &Report, name: &str) -> Vec<Test> {
    let case = report.cases.iter().find(|case| case.name == name);
    let broken = case.and_then(CaseReport::failure).map(broken_test);
    let limits = report.limits.iter().filter(|limit| limit.case == name);
    let rows = report.baseline.iter().flatten().filter(|row| row.case == name);
    let tests = limits.map(|limit| limit_test(limit, case)).chain(rows.map(|row| baseline_test(row, case)));
    let tests: Vec<Test> = broken.into_iter().chain(tests).collect();
    if !tests.is_empty() {
        return tests;
    }
    case.map(metric_tests).unwrap_or_default()
}

fn broken_test(failure: &Finding) -> Test {
    let hint = failure.hint.as_ref().map(|hint| format!("; hint: {hint}")).unwrap_or_default();
    let words = format!("{}{hint}", failure.message);
    let outcome = Outcome::Broken(failure.code.to_string(), words);
    Test { class: "case", name: "judged".to_owned(), metric: String::new(), values: Vec::new(), outcome }
}

fn limit_test(limit: &LimitResult, case: Option<&CaseReport>) -> Test {
    let unit = unit_of(&limit.metric, case);
    let name = format!("{} {}", limit.metric, limit.rule);
    let outcome = match limit.held {
        true => Outcome::Passed,
        false => Outcome::Failed(format!("expected {name}, found {}", with_unit(limit.value, unit))),
    };
    let values = [named("value", limit.value), Some(("limit", limit.rule.clone())), named_unit(unit)];
    let values = values.into_iter().flatten().collect();
    Test { class: "limits", name, metric: limit.metric.clone(), values, outcome }
}

fn baseline_test(row: &BaselineResult, case: Option<&CaseReport>) -> Test {
    let unit = unit_of(&row.metric, case);
    let outcome = match row.change {
        Change::Better | Change::Same => Outcome::Passed,
        Change::New => Outcome::Skipped("the baseline has no such value".to_owned()),
        Change::Worse => Outcome::Failed(format!(
            "worse than the baseline: {} before, {} now",
            with_unit(row.before, unit),
            with_unit(row.now, unit)
        )),
    };
    let values = [named("value", row.now), named("baseline", row.before), named_unit(unit)];
    let values = values.into_iter().flatten().collect();
    Test { class: "baseline", name: row.metric.clone(), metric: row.metric.clone(), values, outcome }
}

fn metric_tests(case: &CaseReport) -> Vec<Test> {
    let test = |record: &MetricRecord| {
        let reasons = record.reasons.iter().map(|r| format!("{}: {}", r.code(), r.meaning()));
        let outcome = match record.value {
            Some(_) => Outcome::Passed,
            None => Outcome::Skipped(format!("undefined. {}", reasons.collect::<Vec<_>>().join(" "))),
        };
        let values = [named("value", record.value), named_unit(record.unit.symbol())];
        let values = values.into_iter().flatten().collect();
        // The value is not in the name: a build server follows a test over time by its name.
        Test { class: "metrics", name: record.id.clone(), metric: record.id.clone(), values, outcome }
    };
    case.metrics.iter().map(test).collect()
}

fn unit_of(metric: &str, case: Option<&CaseReport>) -> &'static str {
    case.and_then(|case| case.metric(metric)).map_or("", |record| record.unit.symbol())
}

fn with_unit(value: Option<f64>, unit: &str) -> String {
    match value {
        None => "undefined".to_owned(),
        Some(value) if unit.is_empty() => value.to_string(),
        Some(value) => format!("{value} {unit}"),
    }
}

/// An undefined value has no property: a build server would chart any word as zero.
fn named(name: &'static str, value: Option<f64>) -> Option<(&'static str, String)> {
    value.map(|value| (name, value.to_string()))
}

fn named_unit(unit: &str) -> Option<(&'static str, String)> {
    (!unit.is_empty()).then(|| ("unit", unit.to_owned()))
}

#[derive(Default)]
struct Counts {
    all: usize,
    failed: usize,
    broken: usize,
    skipped: usize,
}

impl Counts {
    /// The schema has no place for skipped tests here.
    fn of_all(&self) -> String {
        format!("tests=\"{}\" failures=\"{}\" errors=\"{}\"", self.all, self.failed, self.broken)
    }

    fn of_suite(&self) -> String {
        format!("{} skipped=\"{}\"", self.of_all(), self.skipped)
    }
}

fn counts<'a>(tests: impl IntoIterator<Item = &'a Test>) -> Counts {
    let mut counts = Counts::default();
    for test in tests {
        counts.all += 1;
        match test.outcome {
            Outcome::Passed => {}
            Outcome::Failed(_) => counts.failed += 1,
            Outcome::Broken(..) => counts.broken += 1,
            Outcome::Skipped(_) => counts.skipped += 1,
        }
    }
    counts
}

/// Every value once, as `overall_error.value`; a metric with two limits has two properties `overall_error.limit`.
fn write_properties(text: &mut String, tests: &[Test]) {
    let mut written = std::collections::HashSet::new();
    let all = tests.iter().flat_map(|test| test.values.iter().map(move |value| (&test.metric, value)));
    let all: Vec<_> = all.filter(|property| written.insert(*property)).collect();
    if all.is_empty() {
        return;
    }
    text.push_str("    <properties>\n");
    for (metric, (name, value)) in all {
        let (metric, value) = (escaped(metric), escaped(value));
        let _ = writeln!(text, "      <property name=\"{metric}.{name}\" value=\"{value}\"/>");
    }
    text.push_str("    </properties>\n");
}

fn write_test(text: &mut String, class: &str, test: &Test) {
    let (class, name) = (escaped(class), escaped(&test.name));
    let _ = write!(text, "    <testcase classname=\"{class}\" name=\"{name}\"");
    if test.values.is_empty() && matches!(test.outcome, Outcome::Passed) {
        text.push_str("/>\n");
        return;
    }
    text.push_str(">\n");
    let _ = match &test.outcome {
        Outcome::Passed => Ok(()),
        Outcome::Failed(why) => {
            let why = escaped(why);
            writeln!(text, "      <failure message=\"{why}\" type=\"{}\">{why}</failure>", test.class)
        }
        Outcome::Broken(code, why) => {
            let (code, why) = (escaped(code), escaped(why));
            writeln!(text, "      <error message=\"{why}\" type=\"{code}\">{why}</error>")
        }
        Outcome::Skipped(why) => writeln!(text, "      <skipped message=\"{}\"/>", escaped(why)),
    };
    if !test.values.is_empty() {
        let words: Vec<String> =
            test.values.iter().map(|(name, value)| format!("{name}: {}", escaped(value))).collect();
        let _ = writeln!(text, "      <system-out>{}</system-out>", words.join("; "));
    }
    text.push_str("    </testcase>\n");
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
pub(crate) mod tests {
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
            tolerance: None,
        };
        report.baseline =
            Some(vec![row("m", Change::Worse), row("n", Change::New), row("o", Change::Better)]);
        let text = junit(&report);
        assert!(text.contains("tests=\"3\" failures=\"1\" errors=\"0\" skipped=\"1\""), "{text}");
        let words = "worse than the baseline: 1 before, undefined now";
        assert!(text.contains(&format!("<failure message=\"{words}\" type=\"baseline\">{words}</failure>")));
    }

    #[test]
    fn a_limit_for_a_case_that_was_not_judged_has_its_own_suite() {
        let mut report = example::report(Vec::new());
        report.limits = vec![example::limit("gone", "overall_error", "<= 1", None, false)];
        assert!(junit(&report).contains("<testsuite name=\"gone\" tests=\"1\" failures=\"1\""));
    }

    #[test]
    fn a_case_that_could_not_be_judged_is_an_error() {
        let text = junit(&example::with_failure());
        assert!(
            text.contains("<testsuites name=\"mapjudge\" tests=\"3\" failures=\"0\" errors=\"1\">"),
            "{text}"
        );
        assert!(text.contains("classname=\"broken.case\" name=\"judged\""));
        assert!(
            text.contains("type=\"MALFORMED\">broken.png: expected a PNG; hint: export it again</error>")
        );
    }

    /// One tag: its name without the slashes, its attributes as written, and whether it closes.
    fn tags(text: &str) -> Vec<(String, String, bool)> {
        let parts = text.split('<').skip(1).map(|part| part.split_once('>').unwrap().0);
        let parts = parts.filter(|part| !part.starts_with('?'));
        let tag = |part: &str| {
            let (name, attributes) = part.split_once(' ').unwrap_or((part, ""));
            let closes = part.starts_with('/') || part.ends_with('/');
            (name.trim_matches('/').to_owned(), attributes.to_owned(), closes)
        };
        parts.map(tag).collect()
    }

    fn attribute<'a>(attributes: &'a str, name: &str) -> Option<&'a str> {
        let start = attributes.find(&format!("{name}=\""))? + name.len() + 2;
        attributes[start..].split('"').next()
    }

    /// What the schema of Jenkins (xunit-plugin, junit-10.xsd, both of its editions) allows of an element: what stands in
    /// it, which attributes it needs, and which it may have.
    fn rule(name: &str) -> (&'static [&'static str], &'static [&'static str], &'static [&'static str]) {
        match name {
            "" => (&["testsuites"], &[], &[]),
            "testsuites" => (&["testsuite"], &[], &["name", "time", "tests", "failures", "errors"]),
            "testsuite" => (
                &["properties", "testcase", "system-out", "system-err"],
                &["name", "tests", "failures", "errors"],
                &["skipped", "time", "timestamp", "hostname", "id", "package", "file", "log", "url"],
            ),
            "testcase" => (
                &["skipped", "error", "failure", "system-out", "system-err"],
                &["name"],
                &["classname", "time", "group"],
            ),
            "properties" => (&["property"], &[], &[]),
            "property" => (&[], &["name", "value"], &[]),
            "failure" | "error" | "skipped" => (&[], &[], &["message", "type"]),
            _ => (&[], &[], &[]),
        }
    }

    /// Names of the attributes of a tag.
    fn attribute_names(attributes: &str) -> Vec<&str> {
        // Every other part stands between quotes.
        attributes.split('"').step_by(2).map(|part| part.trim_matches([' ', '=', '/'])).collect()
    }

    /// The rules of [`rule`], one order of elements for stricter readers (Ant: properties, then tests; surefire: the
    /// outcome, then the output), and counts that are whole numbers and true.
    pub(crate) fn assert_junit_shape(text: &str) {
        let mut open: Vec<(String, Vec<String>)> = vec![(String::new(), Vec::new())];
        for (name, attributes, closes) in tags(text) {
            if closes && open.last().unwrap().0 == name {
                open.pop();
                continue;
            }
            let (parent, before) = open.last_mut().unwrap();
            assert!(rule(parent).0.contains(&name.as_str()), "<{name}> in <{parent}>");
            let is_in_order = match (parent.as_str(), name.as_str()) {
                ("testsuite", "properties") => before.is_empty(),
                ("testcase", "system-out") => !before.contains(&name),
                ("testcase", _) => before.is_empty(),
                _ => true,
            };
            assert!(is_in_order, "<{name}> behind {before:?}");
            before.push(name.clone());
            let (_, needed, allowed) = rule(&name);
            for needed in needed {
                assert!(attribute(&attributes, needed).is_some(), "<{name}> without {needed}: {attributes}");
            }
            for found in attribute_names(&attributes).into_iter().filter(|found| !found.is_empty()) {
                let is_known = needed.contains(&found) || allowed.contains(&found);
                assert!(is_known, "<{name}> has no attribute {found}");
            }
            if !closes {
                open.push((name, Vec::new()));
            }
        }
        assert_eq!(open.len(), 1, "every element is closed");
        for suite in text.split("<testsuite ").skip(1) {
            let (head, body) = suite.split_once('>').unwrap();
            for (name, tag) in [
                ("tests", "<testcase"),
                ("failures", "<failure"),
                ("errors", "<error"),
                ("skipped", "<skipped"),
            ] {
                let counted = body.split("</testsuite>").next().unwrap().matches(tag).count();
                assert_eq!(attribute(head, name), Some(counted.to_string().as_str()), "{name}");
            }
        }
    }

    #[test]
    fn every_report_has_the_shape_that_build_servers_accept() {
        let mut with_baseline = example::one_case();
        let rows = crate::compare(&with_baseline, &example::one_case(), &crate::Tolerances::default());
        with_baseline.baseline = Some(rows.unwrap());
        let reports = [
            example::report(Vec::new()),
            example::one_case(),
            example::two_cases(),
            example::with_failure(),
            example::hostile(),
            with_baseline,
        ];
        reports.iter().for_each(|report| assert_junit_shape(&junit(report)));
    }

    #[test]
    #[should_panic(expected = "<testsuites> has no attribute skipped")]
    fn an_attribute_that_the_schema_does_not_know_is_noticed() {
        assert_junit_shape("<testsuites tests=\"0\" skipped=\"0\"></testsuites>");
    }

    #[test]
    #[should_panic(expected = "<properties> in <testcase>")]
    fn properties_of_a_test_are_noticed() {
        let suite = "<testsuite name=\"a\" tests=\"1\" failures=\"0\" errors=\"0\">";
        assert_junit_shape(&format!("<testsuites>{suite}<testcase name=\"b\"><properties/>"));
    }

    #[test]
    #[should_panic(expected = "<testcase> in <testsuites>")]
    fn another_shape_is_noticed() {
        assert_junit_shape("<testsuites><testcase classname=\"a\" name=\"b\"/></testsuites>");
    }

    #[test]
    fn values_and_limits_are_properties_and_in_the_words_of_a_failure() {
        let text = junit(&example::one_case());
        assert!(text.contains("<property name=\"overall_error.value\" value=\"12\"/>"));
        assert!(text.contains("<property name=\"overall_error.limit\" value=\"&lt;= 10\"/>"));
        assert!(text.contains("<property name=\"overall_error.unit\" value=\"cells\"/>"));
        assert!(text.contains("<system-out>value: 12; limit: &lt;= 10; unit: cells</system-out>"));
        assert!(text.contains(">expected overall_error &lt;= 10, found 12 cells</failure>"));
    }

    #[test]
    fn hostile_names_stay_text() {
        assert_eq!(escaped("<a b=\"c\">&'\u{1}"), "&lt;a b=&quot;c&quot;&gt;&amp;&apos;\u{fffd}");
        assert!(!junit(&example::hostile()).contains("<b>"));
    }
}

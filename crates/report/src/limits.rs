//! Limits: rules that values must hold, read from a file in one of two syntaxes.
//!
//! Plain lines, one rule each, `#` starts a comment:
//!
//! ```text
//! overall_error <= 5000
//! picture_distance <= 2.0     # the contest's rule
//! ```
//!
//! TOML, recognised by a first line that opens a table; a table below `limits` is for the case of its name:
//!
//! ```toml
//! [limits]
//! overall_error = "<= 5000"
//! picture_distance = [">= 0.1", "<= 2.0"]
//! [limits."office map"]
//! overall_error = "<= 9000"
//! ```
//!
//! Two more tables hold what a baseline and a history are compared with: how far a value may move before it counts as
//! moved (`2 %` of the value, or a number in the metric's unit), and when a value stands out from earlier ones:
//!
//! ```toml
//! [tolerances]
//! overall_error = "2 %"
//! [history]
//! overall_error = "4 sigma of the last 20"
//! ```
//!
//! The rules of a case for a metric replace the general ones for that metric. A value that is undefined or
//! was not computed holds no rule, and neither does a rule for a case that was not judged.

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::edit_distance::nearest;
use crate::{Amount, CaseReport, LimitResult, Report, Tolerance, Trend, TrendRule};

/// The rules of a limits file, in its order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Limits {
    /// One entry per rule.
    pub rules: Vec<Limit>,
    /// How far single metrics may move against a baseline or a history.
    pub tolerances: Vec<Tolerance>,
    /// When a value of single metrics stands out from a history.
    pub trends: Vec<TrendRule>,
}

/// One rule.
#[derive(Clone, Debug, PartialEq)]
pub struct Limit {
    /// The case it is for; none for every case.
    pub case: Option<String>,
    /// The metric's id.
    pub metric: String,
    /// How the value must stand to the bound.
    pub relation: Relation,
    /// The bound, in the metric's unit; finite.
    pub bound: f64,
}

/// How a value must stand to a bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// `<=`
    AtMost,
    /// `<`
    Below,
    /// `>=`
    AtLeast,
    /// `>`
    Above,
    /// `==`
    Equal,
}

/// A limits file that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {what}\nhint: {hint}")]
pub struct LimitsError {
    /// Line in the file, counted from 1.
    pub line: usize,
    /// What was expected and what was found.
    pub what: String,
    /// What to do about it.
    pub hint: String,
}

impl Relation {
    /// Longer signs first, so that `<=` is not read as `<`.
    const ALL: [Self; 5] = [Self::AtMost, Self::AtLeast, Self::Equal, Self::Below, Self::Above];

    /// As written in a limits file.
    #[must_use]
    pub const fn sign(self) -> &'static str {
        match self {
            Self::AtMost => "<=",
            Self::Below => "<",
            Self::AtLeast => ">=",
            Self::Above => ">",
            Self::Equal => "==",
        }
    }

    /// Whether the value holds the rule.
    #[must_use]
    #[allow(clippy::float_cmp, reason = "`==` in a limits file means the very same number, such as a count")]
    pub fn holds(self, value: f64, bound: f64) -> bool {
        match self {
            Self::AtMost => value <= bound,
            Self::Below => value < bound,
            Self::AtLeast => value >= bound,
            Self::Above => value > bound,
            Self::Equal => value == bound,
        }
    }
}

impl Limits {
    /// Reads a limits file.
    ///
    /// # Errors
    /// The first line that is no rule, or names no metric.
    pub fn parse(text: &str) -> Result<Self, LimitsError> {
        let ids: Vec<_> = metrics::all().map(|entry| entry.spec.id).collect();
        parse_knowing(text, &ids)
    }

    /// The ids of the metrics that the rules need, each once, in the order of the file.
    #[must_use]
    pub fn metric_ids(&self) -> Vec<&str> {
        let mut ids: Vec<&str> = Vec::new();
        for rule in &self.rules {
            if !ids.contains(&rule.metric.as_str()) {
                ids.push(&rule.metric);
            }
        }
        ids
    }
}

/// Checks every rule on every case it is for.
#[must_use]
pub fn check(report: &Report, limits: &Limits) -> Vec<LimitResult> {
    let mut results = Vec::new();
    for case in &report.cases {
        let rules = limits.rules.iter().filter(|rule| applies(rule, case, limits));
        results.extend(rules.map(|rule| result_of(rule, &case.name, Some(case))));
    }
    for rule in &limits.rules {
        let Some(name) = &rule.case else { continue };
        if report.cases.iter().all(|case| case.name != *name) {
            results.push(result_of(rule, name, None));
        }
    }
    results
}

fn applies(rule: &Limit, case: &CaseReport, limits: &Limits) -> bool {
    if let Some(name) = &rule.case {
        return *name == case.name;
    }
    let replaces = |other: &Limit| other.case.as_ref() == Some(&case.name) && other.metric == rule.metric;
    !limits.rules.iter().any(replaces)
}

fn result_of(rule: &Limit, case_name: &str, case: Option<&CaseReport>) -> LimitResult {
    let value = case.and_then(|case| case.metric(&rule.metric)).and_then(|record| record.value);
    LimitResult {
        case: case_name.to_owned(),
        metric: rule.metric.clone(),
        rule: format!("{} {}", rule.relation.sign(), rule.bound),
        value,
        held: value.is_some_and(|value| rule.relation.holds(value, rule.bound)),
    }
}

fn parse_knowing(text: &str, ids: &[&str]) -> Result<Limits, LimitsError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let first = text.lines().map(|line| content_of(line).trim()).find(|line| !line.is_empty());
    match first {
        Some(line) if line.starts_with('[') => toml_rules(text, ids),
        _ => Ok(Limits { rules: plain_rules(text, ids)?, ..Limits::default() }),
    }
}

fn content_of(line: &str) -> &str {
    line.split('#').next().unwrap_or_default()
}

fn plain_rules(text: &str, ids: &[&str]) -> Result<Vec<Limit>, LimitsError> {
    let mut rules = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let content = content_of(line).trim();
        if content.is_empty() {
            continue;
        }
        let place = Place { line: index + 1, ids };
        let Some(at) = content.find(['<', '>', '=']) else {
            return Err(place.error(
                &format!("expected 'metric <= number', found '{content}'"),
                "write for example: overall_error <= 5000",
            ));
        };
        let (metric, rule) = content.split_at(at);
        rules.push(place.rule(None, metric.trim(), rule)?);
    }
    Ok(rules)
}

/// The tables of a limits file.
#[derive(Clone, Copy)]
enum Section {
    Limits,
    Tolerances,
    History,
}

impl Section {
    fn named(name: &str) -> Option<Self> {
        Some(match name {
            "limits" => Self::Limits,
            "tolerances" => Self::Tolerances,
            "history" => Self::History,
            _ => return None,
        })
    }
}

fn toml_rules(text: &str, ids: &[&str]) -> Result<Limits, LimitsError> {
    let place = |offset: usize| Place { line: line_of(text, offset), ids };
    let file = DeTable::parse(text).map_err(|error| {
        let offset = error.span().map_or(0, |span| span.start);
        place(offset).error(error.message(), "limits in TOML: [limits], then overall_error = \"<= 5000\"")
    })?;
    let mut limits = Limits::default();
    for (key, value) in in_file_order(file.get_ref()) {
        let place = place(key.span().start);
        let hint = "put the rules below [limits], or below [limits.\"name of the case\"]";
        let wrong = |found: &str| {
            place.error(
                &format!("expected the table [limits], [tolerances] or [history], found {found}"),
                hint,
            )
        };
        let DeValue::Table(table) = value.get_ref() else {
            return Err(wrong(&format!("'{}'", key.get_ref())));
        };
        let section = Section::named(key.get_ref());
        let section = section.ok_or_else(|| wrong(&format!("[{}]", key.get_ref())))?;
        table_rules(table, section, None, text, ids, &mut limits)?;
    }
    Ok(limits)
}

fn table_rules(
    table: &DeTable,
    section: Section,
    case: Option<&str>,
    text: &str,
    ids: &[&str],
    limits: &mut Limits,
) -> Result<(), LimitsError> {
    for (key, value) in in_file_order(table) {
        let place = Place { line: line_of(text, key.span().start), ids };
        match (value.get_ref(), section) {
            (DeValue::String(rule), _) => place.add(limits, section, case, key.get_ref(), rule)?,
            (DeValue::Array(list), Section::Limits) => {
                for item in list {
                    let DeValue::String(rule) = item.get_ref() else {
                        return Err(place.no_rule(key.get_ref()));
                    };
                    place.add(limits, section, case, key.get_ref(), rule)?;
                }
            }
            (DeValue::Table(inner), _) if case.is_none() => {
                table_rules(inner, section, Some(key.get_ref()), text, ids, limits)?;
            }
            _ => return Err(place.no_rule(key.get_ref())),
        }
    }
    Ok(())
}

/// TOML tables come sorted by key; people expect their own order.
fn in_file_order<'a, 'i>(
    table: &'a DeTable<'i>,
) -> Vec<(&'a Spanned<toml::de::DeString<'i>>, &'a Spanned<DeValue<'i>>)> {
    let mut entries: Vec<_> = table.iter().collect();
    entries.sort_by_key(|(key, _)| key.span().start);
    entries
}

fn line_of(text: &str, offset: usize) -> usize {
    1 + text.bytes().take(offset).filter(|&byte| byte == b'\n').count()
}

/// Where a rule stands, and which metrics there are.
struct Place<'a> {
    line: usize,
    ids: &'a [&'a str],
}

impl Place<'_> {
    fn add(
        &self,
        limits: &mut Limits,
        section: Section,
        case: Option<&str>,
        metric: &str,
        rule: &str,
    ) -> Result<(), LimitsError> {
        if !self.ids.contains(&metric) {
            return Err(self.unknown_metric(metric));
        }
        let (case_name, id) = (case.map(str::to_owned), metric.to_owned());
        match section {
            Section::Limits => limits.rules.push(self.rule(case, metric, rule)?),
            Section::Tolerances => {
                let amount = Amount::parse(rule).ok_or_else(|| {
                    let what = format!("expected a tolerance for '{metric}', found '{rule}'");
                    self.error(&what, "write \"2 %\", or a number in the unit of the metric such as \"0.02\"")
                })?;
                limits.tolerances.push(Tolerance { case: case_name, metric: id, amount });
            }
            Section::History => {
                let trend = Trend::parse(rule).ok_or_else(|| {
                    let what = format!("expected a rule for the history of '{metric}', found '{rule}'");
                    self.error(&what, "write for example \"3 sigma of the last 10\"")
                })?;
                limits.trends.push(TrendRule { case: case_name, metric: id, trend });
            }
        }
        Ok(())
    }

    fn rule(&self, case: Option<&str>, metric: &str, rule: &str) -> Result<Limit, LimitsError> {
        if !self.ids.contains(&metric) {
            return Err(self.unknown_metric(metric));
        }
        let rule = rule.trim();
        let relation = Relation::ALL.into_iter().find(|relation| rule.starts_with(relation.sign()));
        let Some(relation) = relation else {
            let what = format!("expected <=, <, >=, > or == and a number after '{metric}', found '{rule}'");
            return Err(self.error(&what, "write for example: overall_error <= 5000"));
        };
        let number = rule[relation.sign().len()..].trim();
        let bound = number.parse::<f64>().ok().filter(|bound| bound.is_finite()).ok_or_else(|| {
            let what = format!("expected a number after '{metric} {}', found '{number}'", relation.sign());
            self.error(&what, "numbers have a decimal point and no unit, such as 0.25 or 5000")
        })?;
        Ok(Limit { case: case.map(str::to_owned), metric: metric.to_owned(), relation, bound })
    }

    fn unknown_metric(&self, metric: &str) -> LimitsError {
        let hint = match nearest(metric, self.ids.iter().copied()) {
            Some(id) => format!("did you mean '{id}'?"),
            None => "`mapjudge metrics` lists all ids".to_owned(),
        };
        self.error(&format!("expected the id of a metric, found '{metric}'"), &hint)
    }

    fn no_rule(&self, metric: &str) -> LimitsError {
        let what =
            format!("expected a rule in quotes for '{metric}', such as \"<= 5000\", or a list of them");
        self.error(&what, &format!("write {metric} = \"<= 5000\""))
    }

    fn error(&self, what: &str, hint: &str) -> LimitsError {
        LimitsError { line: self.line, what: what.to_owned(), hint: hint.to_owned() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example;
    use metrics::Better;
    use proptest::prelude::*;

    const IDS: [&str; 2] = ["overall_error", "picture_distance"];

    fn parse(text: &str) -> Result<Limits, LimitsError> {
        parse_knowing(text, &IDS)
    }

    fn limit(case: Option<&str>, metric: &str, relation: Relation, bound: f64) -> Limit {
        Limit { case: case.map(str::to_owned), metric: metric.to_owned(), relation, bound }
    }

    #[test]
    fn plain_lines_are_rules() {
        let text = "\u{feff}# ours\r\noverall_error <= 5000\r\n\r\npicture_distance>2.5 # far\n";
        let expected = vec![
            limit(None, "overall_error", Relation::AtMost, 5000.0),
            limit(None, "picture_distance", Relation::Above, 2.5),
        ];
        assert_eq!(parse(text).unwrap().rules, expected);
    }

    #[test]
    fn toml_says_the_same_and_more() {
        let text = "# ours\n[limits]\npicture_distance = [\">= 0.1\", \"< 2\"]\noverall_error = \"== 7\"\n\
                    [limits.\"office map\"]\noverall_error = \"<= 9000\"\n";
        let expected = vec![
            limit(None, "picture_distance", Relation::AtLeast, 0.1),
            limit(None, "picture_distance", Relation::Below, 2.0),
            limit(None, "overall_error", Relation::Equal, 7.0),
            limit(Some("office map"), "overall_error", Relation::AtMost, 9000.0),
        ];
        let limits = parse(text).unwrap();
        assert_eq!(limits.rules, expected);
        assert_eq!(limits.metric_ids(), ["picture_distance", "overall_error"]);
    }

    #[test]
    fn tolerances_and_rules_for_the_history_stand_beside_the_limits() {
        let text = "[tolerances]\noverall_error = \"2 %\"\n[tolerances.cellar]\noverall_error = \"0.5\"\n\
                    [history]\npicture_distance = \"4 sigma of the last 20\"\n";
        let limits = parse(text).unwrap();
        let tolerance = |case: Option<&str>, amount| Tolerance {
            case: case.map(str::to_owned),
            metric: "overall_error".to_owned(),
            amount,
        };
        let expected =
            [tolerance(None, Amount::Relative(0.02)), tolerance(Some("cellar"), Amount::Absolute(0.5))];
        assert_eq!(limits.tolerances, expected);
        assert_eq!(limits.trends[0].trend, Trend { sigmas: 4.0, last: 20, ..Trend::default() });
        assert!(limits.rules.is_empty());
        let message = |text: &str| parse(text).unwrap_err().to_string();
        assert!(message("[tolerances]\noverall_error = \"2 m\"").starts_with("line 2: expected a tolerance"));
        assert!(message("[history]\n\noverall_error = \"3\"").starts_with("line 3: expected a rule for"));
        assert!(message("[history]\nzebra = \"3 sigma of 10\"").starts_with("line 2: expected the id"));
    }

    #[test]
    fn an_empty_file_has_no_rules() {
        assert_eq!(parse("").unwrap().rules, []);
        assert_eq!(parse("# nothing\n\n").unwrap().rules, []);
        assert_eq!(parse("[limits]\n").unwrap().rules, []);
    }

    #[test]
    fn errors_name_the_line_and_help() {
        let message = |text: &str| parse(text).unwrap_err().to_string();
        assert_eq!(
            message("\n\noveral_eror <= 5\n"),
            "line 3: expected the id of a metric, found 'overal_eror'\nhint: did you mean 'overall_error'?"
        );
        assert!(message("zebra <= 5").ends_with("hint: `mapjudge metrics` lists all ids"));
        assert!(message("overall_error 5").starts_with("line 1: expected 'metric <= number'"));
        assert!(message("overall_error = 5").contains("expected <=, <, >=, > or =="));
        assert!(message("overall_error <= 5,5").contains("found '5,5'"));
        assert!(message("overall_error <= inf").contains("expected a number"));
        assert!(message("overall_error <=").contains("found ''"));
    }

    #[test]
    fn toml_errors_name_the_line_too() {
        let message = |text: &str| parse(text).unwrap_err().to_string();
        assert!(message("[limits]\n\nzebra = \"<= 5\"").starts_with("line 3: expected the id"));
        assert!(message("[limits]\noverall_error = 5").starts_with("line 2: expected a rule in quotes"));
        assert!(message("[limits]\noverall_error = \"5\"").starts_with("line 2: expected <=, <"));
        assert!(
            message("[limit]\noverall_error = \"<= 5\"").starts_with("line 1: expected the table [limits]")
        );
        assert!(message("[limits]\noverall_error = \n").starts_with("line 2: "));
        assert!(message("[limits.a.b]\noverall_error = \"<= 5\"").contains("expected a rule in quotes"));
    }

    #[test]
    fn the_real_list_of_metrics_is_known() {
        assert_eq!(Limits::parse("overall_error <= 5").unwrap().rules.len(), 1);
    }

    #[test]
    fn each_relation_includes_or_excludes_its_bound() {
        let holds = |relation: Relation| [1.0, 2.0, 3.0].map(|value| relation.holds(value, 2.0));
        assert_eq!(holds(Relation::AtMost), [true, true, false]);
        assert_eq!(holds(Relation::Below), [true, false, false]);
        assert_eq!(holds(Relation::AtLeast), [false, true, true]);
        assert_eq!(holds(Relation::Above), [false, false, true]);
        assert_eq!(holds(Relation::Equal), [false, true, false]);
        assert!(Relation::ALL.iter().all(|relation| !relation.holds(f64::NAN, 2.0)));
    }

    #[test]
    fn every_case_is_checked_and_its_own_rules_replace_the_general_ones() {
        let report = example::one_metric(Better::Lower, None, &[Some(10.0), Some(10.0)]);
        let limits =
            parse("[limits]\noverall_error = \"<= 5\"\n[limits.map1]\noverall_error = \"<= 20\"").unwrap();
        let expected = vec![
            example::limit("map0", "overall_error", "<= 5", Some(10.0), false),
            example::limit("map1", "overall_error", "<= 20", Some(10.0), true),
        ];
        assert_eq!(check(&report, &limits), expected);
    }

    #[test]
    fn what_is_undefined_or_missing_never_holds() {
        let report = example::one_metric(Better::Lower, None, &[None]);
        let text = "[limits]\noverall_error = \">= 0\"\npicture_distance = \">= 0\"\n[limits.gone]\noverall_error = \">= 0\"";
        let results = check(&report, &parse(text).unwrap());
        assert_eq!(results.len(), 3);
        assert!(results.iter().all(|result| !result.held && result.value.is_none()));
        assert_eq!(results[2].case, "gone");
    }

    proptest! {
        #[test]
        fn any_text_is_rules_or_an_error_inside_the_file(text in any::<String>(), open in "(\\[limits\\]\n)?") {
            let text = format!("{open}{text}");
            if let Err(error) = parse(&text) {
                prop_assert!(error.line >= 1 && error.line <= 1 + text.matches('\n').count());
            }
        }

        #[test]
        fn a_written_rule_is_read_back(bound in -1e9..1e9f64, which in 0..5_usize) {
            let relation = Relation::ALL[which];
            let text = format!("overall_error {} {bound}", relation.sign());
            prop_assert_eq!(parse(&text).unwrap().rules, vec![limit(None, "overall_error", relation, bound)]);
        }
    }
}

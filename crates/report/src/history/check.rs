//! Whether the newest values stand out from the earlier ones.
//!
//! Values are compared within one case and metric, under equal settings. What cannot be checked is said and counted:
//! a value with too few earlier ones, a value that was never defined. A value that is no longer defined is missed.

use std::collections::HashMap;

use metrics::Better;
use serde::Serialize;

use super::trend::{Robust, Trend, TrendRule};
use super::value::{EntryName, History, HistoryCase, HistoryEntry, MetricFacts};
use crate::baseline::gain;
use crate::natural_order::natural_order;
use crate::tolerance::Tolerances;

/// The name of the form of a check.
pub const HISTORY_CHECK_SCHEMA: &str = "mapjudge.history_check/1";

/// What the newest values are held against.
#[derive(Clone, Debug, Default)]
pub struct TrendRules {
    /// For metrics without a rule of their own.
    pub otherwise: Trend,
    /// For single metrics; those of a case go before the general ones.
    pub own: Vec<TrendRule>,
    /// Smaller moves count as none, whatever sigma is.
    pub tolerances: Tolerances,
    /// Ids of the metrics that are checked; empty for all.
    pub metrics: Vec<String>,
}

/// What a check found.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TrendCheck {
    pub schema: &'static str,
    /// The entry that was checked.
    pub newest: EntryName,
    /// Entries before it.
    pub earlier: usize,
    /// The general rule in words.
    pub rule: String,
    pub results: Vec<TrendResult>,
    /// Cases of the newest entry that could not be judged.
    pub not_judged: Vec<String>,
    /// Cases of the entry before that the newest does not have; said, not missed.
    pub gone: Vec<String>,
}

/// One value against the earlier ones.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TrendResult {
    pub case: String,
    pub metric: String,
    pub outcome: TrendOutcome,
    pub value: Option<f64>,
    /// Of the earlier values; null if there are too few.
    pub median: Option<f64>,
    /// Robust standard deviation of the earlier values; null if there are too few.
    pub sigma: Option<f64>,
    /// How much worse than the median a value may be, in its unit; null if there are too few.
    pub allowed: Option<f64>,
    /// Earlier values that were used.
    pub samples: usize,
    /// Earlier values that were not, because they rest on other settings.
    pub other_settings: usize,
    /// The rule in words.
    pub rule: String,
}

/// What became of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum TrendOutcome {
    /// Not worse than the rule allows.
    Held,
    /// Worse than the rule allows.
    Worse,
    /// Defined earlier, and no longer.
    Lost,
    /// Too few earlier values to tell.
    TooFew,
    /// Never defined.
    Undefined,
}

impl TrendCheck {
    /// Results of one kind.
    pub fn with(&self, outcome: TrendOutcome) -> impl Iterator<Item = &TrendResult> {
        self.results.iter().filter(move |result| result.outcome == outcome)
    }

    /// Whether a value is worse or lost, or a case could not be judged.
    #[must_use]
    pub fn is_missed(&self) -> bool {
        let is_bad =
            |result: &TrendResult| matches!(result.outcome, TrendOutcome::Worse | TrendOutcome::Lost);
        !self.not_judged.is_empty() || self.results.iter().any(is_bad)
    }

    /// Whether something could not be checked.
    #[must_use]
    pub fn has_unchecked(&self) -> bool {
        let is_open =
            |result: &TrendResult| matches!(result.outcome, TrendOutcome::TooFew | TrendOutcome::Undefined);
        self.results.iter().any(is_open)
    }
}

/// Checks the newest entry against those before; none without an entry.
#[must_use]
pub fn check_history(history: &History, rules: &TrendRules) -> Option<TrendCheck> {
    let (newest, earlier) = history.entries.split_last()?;
    let index: Vec<(&HistoryEntry, HashMap<&str, &HistoryCase>)> =
        earlier.iter().rev().map(|entry| (entry, by_name(entry))).collect();
    let mut results = Vec::new();
    for case in &newest.cases {
        let past = index.iter().filter_map(|(entry, cases)| Some((*entry, *cases.get(case.name.as_str())?)));
        let past: Vec<(&HistoryEntry, &HistoryCase)> = past.collect();
        for (facts, value) in values_of(case, newest, &past) {
            if rules.metrics.is_empty() || rules.metrics.contains(&facts.id) {
                results.push(result_of(&case.name, facts, value, &past, rules));
            }
        }
    }
    results.sort_by(|a: &TrendResult, b| natural_order(&a.case, &b.case));
    let failed = newest.cases.iter().filter(|case| case.error.is_some());
    let before = earlier.last().map(|entry| entry.cases.as_slice()).unwrap_or_default();
    let gone = before.iter().filter(|case| newest.case(&case.name).is_none());
    Some(TrendCheck {
        schema: HISTORY_CHECK_SCHEMA,
        newest: newest.name.clone(),
        earlier: earlier.len(),
        rule: rules.otherwise.words(),
        not_judged: failed.map(|case| case.name.clone()).collect(),
        gone: gone.map(|case| case.name.clone()).collect(),
        results,
    })
}

fn by_name(entry: &HistoryEntry) -> HashMap<&str, &HistoryCase> {
    entry.cases.iter().map(|case| (case.name.as_str(), case)).collect()
}

/// The values of a case; of one that could not be judged, those that it had when it last could.
fn values_of<'a>(
    case: &HistoryCase,
    newest: &'a HistoryEntry,
    past: &[(&'a HistoryEntry, &'a HistoryCase)],
) -> Vec<(&'a MetricFacts, Option<f64>)> {
    if case.error.is_none() {
        let values = newest.metrics.iter().map(|facts| (facts, case.values.get(&facts.id)));
        return values.filter_map(|(facts, value)| Some((facts, *value?))).collect();
    }
    let Some((entry, last)) = past.iter().find(|(_, last)| last.error.is_none()) else { return Vec::new() };
    let had = entry.metrics.iter().filter(|facts| last.values.get(&facts.id).is_some_and(Option::is_some));
    had.map(|facts| (facts, None)).collect()
}

fn result_of(
    case: &str,
    facts: &MetricFacts,
    value: Option<f64>,
    past: &[(&HistoryEntry, &HistoryCase)],
    rules: &TrendRules,
) -> TrendResult {
    let trend = rules.of(case, &facts.id);
    let (mut samples, mut other_settings) = (Vec::new(), 0);
    for (entry, earlier) in past {
        let Some(Some(value)) = earlier.values.get(&facts.id) else { continue };
        let is_alike = entry.metric(&facts.id).is_some_and(|earlier| earlier.settings == facts.settings);
        if is_alike {
            samples.push(*value);
        } else {
            other_settings += 1;
        }
        if samples.len() == trend.last {
            break;
        }
    }
    let robust = Robust::of(&samples).filter(|_| samples.len() >= trend.min_samples);
    let allowed = robust.map(|robust| {
        let tolerance = rules.tolerances.of(case, &facts.id);
        (trend.sigmas * robust.sigma).max(tolerance.threshold(robust.median, value.unwrap_or(robust.median)))
    });
    let outcome = match (value, robust, allowed) {
        (None, ..) if samples.is_empty() => TrendOutcome::Undefined,
        (None, ..) => TrendOutcome::Lost,
        (Some(value), Some(robust), Some(allowed)) => {
            let worse = -gain_of(facts, robust.median, value);
            if worse > allowed { TrendOutcome::Worse } else { TrendOutcome::Held }
        }
        _ => TrendOutcome::TooFew,
    };
    TrendResult {
        case: case.to_owned(),
        metric: facts.id.clone(),
        outcome,
        value,
        median: robust.map(|robust| robust.median),
        sigma: robust.map(|robust| robust.sigma),
        allowed,
        samples: samples.len(),
        other_settings,
        rule: trend.words(),
    }
}

fn gain_of(facts: &MetricFacts, before: f64, now: f64) -> f64 {
    let best = if facts.better == Better::Closer { facts.best } else { None };
    gain(facts.better, best, before, now)
}

impl TrendRules {
    fn of(&self, case: &str, metric: &str) -> Trend {
        let of = |name: Option<&str>| {
            let found = self.own.iter().rev().find(|own| own.metric == metric && own.case.as_deref() == name);
            found.map(|own| own.trend)
        };
        of(Some(case)).or_else(|| of(None)).unwrap_or(self.otherwise)
    }
}

#[cfg(test)]
mod tests {
    use super::super::value::example::history;
    use super::*;
    use crate::tolerance::Amount;

    /// Five nights of 10, 11, 9, 10, 10 and then the given value: median 10, sigma 0 (three of five are 10).
    fn after(nights: &[f64], newest: Option<f64>, rules: &TrendRules) -> TrendResult {
        let nights: Vec<[Option<f64>; 1]> =
            nights.iter().map(|value| [Some(*value)]).chain([[newest]]).collect();
        let nights: Vec<&[Option<f64>]> = nights.iter().map(|night| night.as_slice()).collect();
        check_history(&history(Better::Lower, &nights), rules).unwrap().results.remove(0)
    }

    const NIGHTS: [f64; 6] = [10.0, 12.0, 8.0, 11.0, 9.0, 10.0];

    #[test]
    fn worse_than_the_median_by_three_sigma_is_missed() {
        // Deviations from 10: 0, 2, 2, 1, 1, 0; median 1, sigma 1.4826, allowed 4.4478.
        let rules = TrendRules::default();
        let found = after(&NIGHTS, Some(14.4), &rules);
        assert_eq!((found.outcome, found.median, found.samples), (TrendOutcome::Held, Some(10.0), 6));
        assert!((found.allowed.unwrap() - 4.4478).abs() < 1e-12);
        assert_eq!(after(&NIGHTS, Some(14.5), &rules).outcome, TrendOutcome::Worse);
        assert_eq!(after(&NIGHTS, Some(0.0), &rules).outcome, TrendOutcome::Held, "better is no regression");
    }

    #[test]
    fn values_that_never_moved_may_move_by_the_tolerance_alone() {
        let mut rules = TrendRules::default();
        assert_eq!(after(&[10.0; 5], Some(10.01), &rules).outcome, TrendOutcome::Worse);
        assert_eq!(after(&[10.0; 5], Some(10.0), &rules).outcome, TrendOutcome::Held);
        rules.tolerances.otherwise = Amount::Absolute(0.02);
        assert_eq!(after(&[10.0; 5], Some(10.01), &rules).outcome, TrendOutcome::Held);
    }

    #[test]
    fn too_few_and_undefined_values_are_said() {
        let rules = TrendRules::default();
        let found = after(&NIGHTS[..4], Some(99.0), &rules);
        assert_eq!((found.outcome, found.median, found.samples), (TrendOutcome::TooFew, None, 4));
        assert_eq!(after(&NIGHTS, None, &rules).outcome, TrendOutcome::Lost);
        assert_eq!(after(&[], None, &rules).outcome, TrendOutcome::Undefined);
        assert_eq!(check_history(&History::default(), &rules), None);
    }

    #[test]
    fn only_the_last_values_count_and_a_metric_may_have_its_own_rule() {
        let long = [[100.0; 10].as_slice(), &[10.0; 10]].concat();
        assert_eq!(after(&long, Some(50.0), &TrendRules::default()).outcome, TrendOutcome::Worse);
        let own = |case: Option<&str>, last| TrendRule {
            case: case.map(str::to_owned),
            metric: "overall_error".into(),
            trend: Trend { last, ..Trend::default() },
        };
        let rules = TrendRules { own: vec![own(None, 20)], ..TrendRules::default() };
        assert_eq!(after(&long, Some(50.0), &rules).outcome, TrendOutcome::Held);
        let rules = TrendRules { own: vec![own(Some("map0"), 10), own(None, 20)], ..TrendRules::default() };
        assert_eq!(after(&long, Some(50.0), &rules).outcome, TrendOutcome::Worse);
    }

    #[test]
    fn values_under_other_settings_are_not_compared() {
        let mut history = history(Better::Lower, &[[Some(1.0)].as_slice(); 7]);
        for entry in &mut history.entries[..3] {
            entry.metrics[0].settings.clear();
        }
        let found = check_history(&history, &TrendRules::default()).unwrap().results.remove(0);
        assert_eq!((found.outcome, found.samples, found.other_settings), (TrendOutcome::TooFew, 3, 3));
    }

    #[test]
    fn a_case_that_failed_loses_its_values_and_a_gone_one_is_said() {
        let mut history = history(Better::Higher, &[[Some(1.0), Some(2.0), Some(3.0)].as_slice(); 6]);
        let newest = history.entries.last_mut().unwrap();
        newest.cases[0].error = Some("MALFORMED".into());
        newest.cases[0].values.clear();
        newest.cases.truncate(2);
        let found = check_history(&history, &TrendRules::default()).unwrap();
        assert_eq!(found.results[0].outcome, TrendOutcome::Lost);
        assert_eq!((found.not_judged, found.gone), (vec!["map0".to_owned()], vec!["map2".to_owned()]));
    }

    #[test]
    fn the_direction_of_the_metric_decides() {
        let nights: Vec<[Option<f64>; 1]> =
            [5.0, 5.0, 5.0, 5.0, 5.0, 1.0].iter().map(|v| [Some(*v)]).collect();
        let nights: Vec<&[Option<f64>]> = nights.iter().map(|night| night.as_slice()).collect();
        let outcome = |better| {
            let found = check_history(&history(better, &nights), &TrendRules::default()).unwrap();
            found.results[0].outcome
        };
        assert_eq!(outcome(Better::Higher), TrendOutcome::Worse);
        assert_eq!(outcome(Better::Lower), TrendOutcome::Held);
        assert_eq!(outcome(Better::Closer), TrendOutcome::Held, "closer to 0 than before");
    }
}

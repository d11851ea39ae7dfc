//! The metrics on the page: value, scale, reasons, and the card that says what the value means.

use metrics::{Better, Detail, Reason};
use minijinja::{Value, context};

use super::unit_of;
use crate::comparison::{Comparison, Row, Slot};
use crate::footer::case_names;
use crate::number::{ColumnDigits, shown};
use crate::printable::printable;
use crate::{MetricRecord, Status};

/// Longer facts are cut; the JSON report has them in full.
const FACT_LETTERS: usize = 400;

/// All metrics with their cards, family by family.
pub(super) fn families(comparison: &Comparison) -> Vec<Value> {
    let mut families: Vec<(&str, Vec<Value>)> = Vec::new();
    for row in &comparison.rows {
        let card = card_view(row, comparison);
        match families.last_mut() {
            Some((name, cards)) if *name == row.family => cards.push(card),
            _ => families.push((row.family, vec![card])),
        }
    }
    families.into_iter().map(|(name, cards)| context! { name, cards }).collect()
}

/// One cell of the side-by-side table.
pub(super) fn slot_view(slot: &Slot, digits: ColumnDigits) -> Value {
    let reasons = slot
        .record
        .map(|record| record.reasons.iter().map(|reason| reason.meaning()).collect::<Vec<_>>().join(" "));
    let shown = digits.shown(slot.value());
    context! {
        value => slot.record.map(|record| record.with_share(shown.clone())).unwrap_or(shown),
        status => slot.record.map(|record| status_word(record.status)),
        reasons,
        best => slot.is_best,
    }
}

/// The word for a status.
pub(super) const fn status_word(status: Status) -> &'static str {
    match status {
        Status::Ok => "ok",
        Status::Warning => "warning",
        Status::Undefined => "undefined",
    }
}

/// Which direction is better, in words.
pub(super) fn better_words(record: &MetricRecord) -> String {
    match (record.better, record.best) {
        (Better::Closer, Some(best)) => format!("closer to {} is better", shown(Some(best))),
        (Better::Neither, _) => "describes the map".to_owned(),
        (better, _) => format!("{} is better", better.name()),
    }
}

/// Where the value stands between worst and best, in percent; none without both ends.
pub(super) fn share(record: &MetricRecord) -> Option<String> {
    let (value, best, worst) = (record.value?, record.best?, record.worst?);
    let range = best - worst;
    if matches!(record.better, Better::Closer | Better::Neither) || range == 0.0 || !range.is_finite() {
        return None;
    }
    let share = ((value - worst) / range).clamp(0.0, 1.0);
    Some(format!("{:.1}", share * 100.0))
}

/// Facts as names and short JSON texts.
pub(super) fn facts(detail: &Detail) -> Vec<Value> {
    detail.iter().map(|(name, fact)| context! { name => printable(name), fact => fact_words(fact) }).collect()
}

fn card_view(row: &Row, comparison: &Comparison) -> Value {
    let facts_of = row.facts;
    let entry = metrics::find(&facts_of.id);
    let spec = entry.map(|entry| entry.spec);
    let digits = row.digits();
    let values: Vec<_> = row
        .slots
        .iter()
        .zip(comparison.cases)
        .filter_map(|(slot, case)| slot.record.map(|record| value_view(record, slot, digits, &case.name)))
        .collect();
    context! {
        best => facts_of.best.map(|best| shown(Some(best))),
        worst => facts_of.worst.map(|worst| shown(Some(worst))),
        formula => spec.and_then(|spec| formula(spec.card())),
        unknown => spec.and_then(|spec| spec.card_entry("Unknown")),
        paper => spec.and_then(|spec| spec.card_entry("Paper")),
        params => params_view(facts_of, entry),
        values,
        ..summary_view(row, comparison)
    }
}

/// What a metric means, without its values.
pub(super) fn summary_view(row: &Row, comparison: &Comparison) -> Value {
    let facts_of = row.facts;
    let spec = metrics::find(&facts_of.id).map(|entry| entry.spec);
    context! {
        id => printable(&facts_of.id),
        code => printable(&facts_of.code),
        title => printable(&facts_of.title),
        unit => unit_of(facts_of.unit),
        better => better_words(facts_of),
        meaning => spec.map(|spec| capitalized(&spec.meaning())),
        known_bias => spec.and_then(|spec| spec.card_entry("Known bias")),
        reasons => reasons_view(row, comparison),
    }
}

fn value_view(record: &MetricRecord, slot: &Slot, digits: ColumnDigits, case_name: &str) -> Value {
    context! {
        case => printable(case_name),
        value => record.with_share(digits.shown(record.value)),
        is_defined => record.value.is_some(),
        status => status_word(record.status),
        best => slot.is_best,
        share => share(record),
        detail => facts(&record.detail),
    }
}

/// Each reason once, with the cases it holds for.
fn reasons_view(row: &Row, comparison: &Comparison) -> Vec<Value> {
    let mut views = Vec::new();
    for reason in Reason::ALL {
        let has = |slot: &Slot| slot.record.is_some_and(|record| record.reasons.contains(reason));
        let cases = row.slots.iter().zip(comparison.cases).filter(|(slot, _)| has(slot));
        let names: Vec<_> = cases.map(|(_, case)| case.name.as_str()).collect();
        if !names.is_empty() {
            let cases = case_names(&names, comparison.cases.len());
            views.push(context! { code => reason.code(), meaning => reason.meaning(), cases });
        }
    }
    views
}

pub(super) fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

fn params_view(record: &MetricRecord, entry: Option<&metrics::Entry>) -> Vec<Value> {
    let docs = entry.map(metrics::Entry::param_docs).unwrap_or_default();
    let view = |(name, value): (&String, &serde_json::Value)| {
        let doc = docs.iter().find(|doc| doc.name == *name);
        context! {
            name => printable(name),
            value => fact_words(value),
            text => doc.map(|doc| doc.text.clone()),
            changed => doc.is_some_and(|doc| doc.default != *value),
        }
    };
    record.params.iter().map(view).collect()
}

/// The formula of a card: its first fenced block.
fn formula(card: &str) -> Option<String> {
    let mut lines = card.lines().skip_while(|line| !line.starts_with("```"));
    lines.next()?;
    let text: Vec<_> = lines.take_while(|line| !line.starts_with("```")).collect();
    Some(text.join("\n"))
}

fn fact_words(fact: &serde_json::Value) -> String {
    let text = match fact {
        serde_json::Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    let text = printable(&text);
    let letters = text.chars().count();
    if letters <= FACT_LETTERS {
        return text;
    }
    let start: String = text.chars().take(FACT_LETTERS).collect();
    format!("{start} … ({letters} letters, in full in the JSON report)")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example;

    #[test]
    fn the_share_runs_from_worst_to_best() {
        assert_eq!(share(&example::harmony(Some(0.25), &[])).unwrap(), "25.0");
        assert_eq!(share(&example::overall_error(0.0)).unwrap(), "100.0");
        assert_eq!(share(&example::overall_error(900.0)).unwrap(), "0.0");
        assert_eq!(share(&example::harmony(None, &[])), None);
    }

    #[test]
    fn the_formula_is_the_fenced_block_of_the_card() {
        assert_eq!(formula("a\n```text\nE = 1\nF = 2\n```\nb").unwrap(), "E = 1\nF = 2");
        assert_eq!(formula("no formula"), None);
    }

    #[test]
    fn a_long_fact_is_cut_and_says_so() {
        let words = fact_words(&serde_json::json!("x".repeat(1000)));
        assert!(words.ends_with("(1000 letters, in full in the JSON report)"));
        assert_eq!(fact_words(&serde_json::json!([1, 2])), "[1,2]");
    }
}

//! The result of a metric: a value with what it rests on, or the reasons why there is none.

use serde::Serialize;
use serde_json::{Map, Value};

use crate::Reason;

/// Metric-specific facts beside the value; insertion order is kept.
pub type Detail = Map<String, Value>;

/// A defined value and what it rests on.
#[derive(Clone, Debug, PartialEq)]
pub struct Score {
    /// The value, always finite.
    pub value: f64,
    /// Best value for these maps, where it depends on them.
    pub best: Option<f64>,
    /// Worst value for these maps, where it depends on them.
    pub worst: Option<f64>,
    /// What to keep in mind; the record's status is then `warning`.
    pub warnings: Vec<Reason>,
    /// Samples, per-element errors, parts of the value.
    pub detail: Detail,
}

impl Score {
    /// A value without further facts.
    #[must_use]
    pub fn new(value: f64) -> Self {
        Self { value, best: None, worst: None, warnings: Vec::new(), detail: Detail::new() }
    }

    /// Adds a fact.
    #[must_use]
    pub fn with(mut self, key: &str, fact: impl Serialize) -> Self {
        self.detail.insert(key.to_owned(), value_of(fact));
        self
    }

    /// Adds several facts.
    #[must_use]
    pub fn with_all(mut self, facts: Detail) -> Self {
        self.detail.extend(facts);
        self
    }

    /// Adds a warning if the condition holds.
    #[must_use]
    pub fn warn_if(mut self, condition: bool, reason: Reason) -> Self {
        if condition && !self.warnings.contains(&reason) {
            self.warnings.push(reason);
        }
        self
    }

    /// Sets the best and worst value for these maps.
    #[must_use]
    pub fn between(mut self, best: f64, worst: f64) -> Self {
        self.best = Some(best);
        self.worst = Some(worst);
        self
    }
}

/// Why a metric has no value.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("undefined: {}", reasons.iter().map(|r| r.code()).collect::<Vec<_>>().join(", "))]
pub struct Undefined {
    /// At least one reason.
    pub reasons: Vec<Reason>,
    /// What is known nevertheless.
    pub detail: Detail,
}

impl Undefined {
    /// Undefined for one reason.
    #[must_use]
    pub fn because(reason: Reason) -> Self {
        Self { reasons: vec![reason], detail: Detail::new() }
    }

    /// Adds a reason if the condition holds.
    #[must_use]
    pub fn also_if(mut self, condition: bool, reason: Reason) -> Self {
        if condition && !self.reasons.contains(&reason) {
            self.reasons.push(reason);
        }
        self
    }

    /// Adds what is known nevertheless.
    #[must_use]
    pub fn with_all(mut self, facts: Detail) -> Self {
        self.detail.extend(facts);
        self
    }
}

impl From<Reason> for Undefined {
    fn from(reason: Reason) -> Self {
        Self::because(reason)
    }
}

/// A fact as JSON; numbers that are not finite become null.
fn value_of(fact: impl Serialize) -> Value {
    serde_json::to_value(fact).unwrap_or(Value::Null)
}

/// Collects facts: `facts([("tp", json!(3)), ..])`.
#[must_use]
pub fn facts<const N: usize>(entries: [(&str, Value); N]) -> Detail {
    entries.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
}

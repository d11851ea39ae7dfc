//! The result of a metric: a value with what it rests on, or the reasons why there is none.

use serde::Serialize;
use serde_json::{Map, Value};

use crate::Reason;
use crate::evidence::{
    CellLayer, Curve, Evidence, FactTable, MetricEvidence, Name, Place, Quantity, add_numbers, set_value,
    value_in,
};

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
    /// See [`Self::of_seen`].
    pub judged_share: Option<f64>,
    /// What a report shows beside the value.
    pub detail: Detail,
    /// The same as values, and what resampling and figures need.
    pub evidence: Evidence,
}

impl Score {
    /// A value without further facts.
    #[must_use]
    pub fn new(value: f64) -> Self {
        Self {
            // A negative zero would be printed as one.
            value: value + 0.0,
            best: None,
            worst: None,
            warnings: Vec::new(),
            judged_share: None,
            detail: Detail::new(),
            evidence: Evidence::default(),
        }
    }

    /// Says that what the map does not know costs nothing here: tables then show the coverage in the cell of the value.
    #[must_use]
    pub fn of_seen(mut self, coverage: Option<f64>) -> Self {
        self.judged_share = coverage;
        self
    }

    /// Adds a fact. Its numbers become named values of the evidence.
    #[must_use]
    pub fn with(mut self, key: &'static str, fact: impl Serialize) -> Self {
        self.add(key, value_of(fact));
        self
    }

    /// Adds facts that are named here, as [`Self::with`].
    #[must_use]
    pub fn with_facts<const N: usize>(mut self, facts: [(&'static str, Value); N]) -> Self {
        self.evidence.values.reserve(N);
        if self.detail.is_empty() {
            self.detail = Detail::with_capacity(N);
        }
        facts.into_iter().for_each(|(key, fact)| self.add(key, fact));
        self
    }

    fn add(&mut self, key: &'static str, fact: Value) {
        add_numbers(&mut self.evidence.values, Name::Borrowed(key), &fact);
        self.detail.insert(key.to_owned(), fact);
    }

    /// Adds several facts, as [`Self::with`].
    #[must_use]
    pub fn with_all(mut self, facts: Detail) -> Self {
        self.evidence.values.reserve(facts.len());
        for (key, fact) in &facts {
            add_numbers(&mut self.evidence.values, key.clone().into(), fact);
        }
        if self.detail.is_empty() {
            self.detail = facts;
        } else {
            self.detail.extend(facts);
        }
        self
    }

    /// Adds a fact that is a list of records, and the table of them.
    #[must_use]
    pub fn with_table(self, key: &'static str, records: impl Serialize) -> Self {
        let mut score = self.with(key, records);
        let table = score.detail.get(key).map(|records| FactTable::of_records(key.into(), records));
        score.evidence.tables.extend(table);
        score
    }

    /// Adds a value of the evidence alone.
    #[must_use]
    pub fn with_value(mut self, name: impl Into<Name>, value: Quantity) -> Self {
        set_value(&mut self.evidence.values, name.into(), value);
        self
    }

    #[must_use]
    pub fn with_curve(mut self, curve: Curve) -> Self {
        self.evidence.curves.push(curve);
        self
    }

    #[must_use]
    pub fn with_places(mut self, places: impl IntoIterator<Item = Place>) -> Self {
        self.evidence.places.extend(places);
        self
    }

    #[must_use]
    pub fn with_layer(mut self, layer: CellLayer) -> Self {
        self.evidence.layers.push(layer);
        self
    }

    #[must_use]
    pub fn with_evidence(mut self, of_metric: MetricEvidence) -> Self {
        self.evidence.of_metric = Some(of_metric);
        self
    }

    /// The score's own value for the empty name, else a named value of the evidence.
    #[must_use]
    pub fn quantity(&self, name: &str) -> Option<Quantity> {
        if name.is_empty() {
            return Some(Quantity::Number(self.value));
        }
        self.evidence.value(name).cloned()
    }

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
    /// The same as values; boxed, so that results of metrics stay small.
    pub evidence: Box<Evidence>,
}

impl Undefined {
    /// Undefined for one reason.
    #[must_use]
    pub fn because(reason: Reason) -> Self {
        Self { reasons: vec![reason], detail: Detail::new(), evidence: Box::default() }
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
        for (key, fact) in &facts {
            add_numbers(&mut self.evidence.values, key.clone().into(), fact);
        }
        self.detail.extend(facts);
        self
    }

    /// Adds what only this metric knows.
    #[must_use]
    pub fn with_evidence(mut self, evidence: MetricEvidence) -> Self {
        self.evidence.of_metric = Some(evidence);
        self
    }

    /// A number that is known nevertheless.
    #[must_use]
    pub fn number(&self, name: &str) -> Option<f64> {
        match value_in(&self.evidence.values, name)? {
            Quantity::Number(number) => Some(*number),
            Quantity::List(_) => None,
        }
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

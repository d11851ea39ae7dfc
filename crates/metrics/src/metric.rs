//! The seam every metric plugs into: a parameter struct that knows its specification and how to evaluate.

use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::paths::linked_floors::LinkedFloors;
use crate::{Case, Detail, MetricSpec, Reason, Samples, Score, Undefined};

/// One metric. The implementing type is its parameter struct: defaults, documentation and names of the
/// parameters come from its fields, and from nowhere else.
pub trait Metric: Default + Serialize + DeserializeOwned + JsonSchema + Send + Sync + 'static {
    const SPEC: MetricSpec;

    /// Whether a run that asks for no metric by name computes this one. Default: as the family does.
    fn applies(case: &Case) -> bool {
        Self::SPEC.family.applies(case)
    }

    /// Computes the value. Reads no file and no clock, changes none of its inputs.
    ///
    /// # Errors
    /// The reasons why the value is undefined for this case.
    fn evaluate(&self, case: &Case) -> Result<Score, Undefined>;

    /// The value over several floors, computed anew from summed tables and sums of distances.
    ///
    /// # Errors
    /// The reasons why it is undefined; `NO_AGGREGATE` for metrics that are not put together in this way.
    fn pooled(&self, _floors: &[&Case]) -> Result<Score, Undefined> {
        Err(Reason::NoAggregate.into())
    }

    /// The value over several floors whose routes lead through connectors.
    ///
    /// # Errors
    /// The reasons why it is undefined; `NO_AGGREGATE` for metrics without routes.
    fn across(&self, _floors: &LinkedFloors<'_>) -> Result<Score, Undefined> {
        Err(Reason::NoAggregate.into())
    }

    /// The elements of the truth that make the value, or a named value, of this score; empty where there are none.
    /// Called only where somebody resamples, so that `evaluate` pays nothing for it.
    fn samples(&self, _case: &Case, _score: &Score) -> Vec<Samples> {
        Vec::new()
    }
}

/// A metric with its parameters set, of whatever type.
pub trait AnyMetric: Send + Sync {
    fn spec(&self) -> &'static MetricSpec;

    /// The effective parameters, in the order of the struct.
    fn params(&self) -> Detail;

    /// Sets one parameter from text or JSON.
    ///
    /// # Errors
    /// No such parameter, or a value it does not take.
    fn set(&mut self, name: &str, value: &Value) -> Result<(), ParamError>;

    /// Whether a run that asks for no metric by name computes this one.
    fn applies(&self, case: &Case) -> bool;

    /// Computes the value; one that is not finite counts as undefined.
    ///
    /// # Errors
    /// The reasons why the value is undefined for this case.
    fn evaluate(&self, case: &Case) -> Result<Score, Undefined>;

    /// The value over several floors; one that is not finite counts as undefined.
    ///
    /// # Errors
    /// The reasons why it is undefined.
    fn pooled(&self, floors: &[&Case]) -> Result<Score, Undefined>;

    /// The value over several floors whose routes lead through connectors; one that is not finite counts as undefined.
    ///
    /// # Errors
    /// The reasons why it is undefined.
    fn across(&self, floors: &LinkedFloors<'_>) -> Result<Score, Undefined>;

    /// What the score's values are made of. Only samples that give back their value are kept.
    fn samples(&self, case: &Case, score: &Score) -> Vec<Samples>;
}

/// A parameter that was refused.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ParamError {
    /// The metric has no parameter of this name.
    #[error("{metric} has no parameter '{name}': expected {}", if expected.is_empty() { "none".to_owned() } else { expected.join(", ") })]
    Unknown {
        metric: &'static str,
        /// What was asked for.
        name: String,
        expected: Vec<String>,
    },
    /// The parameter does not take this value.
    #[error("{metric}.{name} = {value}: {why}")]
    Value {
        metric: &'static str,
        name: String,
        value: String,
        /// What it takes instead.
        why: String,
    },
}

impl<M: Metric> AnyMetric for M {
    fn spec(&self) -> &'static MetricSpec {
        &M::SPEC
    }

    fn params(&self) -> Detail {
        match serde_json::to_value(self) {
            Ok(Value::Object(params)) => params,
            _ => Detail::new(),
        }
    }

    fn set(&mut self, name: &str, value: &Value) -> Result<(), ParamError> {
        let metric = M::SPEC.id;
        let mut params = AnyMetric::params(self);
        let Some(slot) = params.get_mut(name) else {
            let expected = params.keys().cloned().collect();
            return Err(ParamError::Unknown { metric, name: name.to_owned(), expected });
        };
        *slot = value.clone();
        *self = serde_json::from_value(Value::Object(params)).map_err(|error| ParamError::Value {
            metric,
            name: name.to_owned(),
            value: value.to_string(),
            why: error.to_string(),
        })?;
        Ok(())
    }

    fn applies(&self, case: &Case) -> bool {
        M::applies(case)
    }

    fn evaluate(&self, case: &Case) -> Result<Score, Undefined> {
        let score = Metric::evaluate(self, case)?;
        if score.value.is_finite() { Ok(score) } else { Err(Undefined::because(Reason::NotFinite)) }
    }

    fn pooled(&self, floors: &[&Case]) -> Result<Score, Undefined> {
        let score = Metric::pooled(self, floors)?;
        if score.value.is_finite() { Ok(score) } else { Err(Undefined::because(Reason::NotFinite)) }
    }

    fn across(&self, floors: &LinkedFloors<'_>) -> Result<Score, Undefined> {
        let score = Metric::across(self, floors)?;
        if score.value.is_finite() { Ok(score) } else { Err(Undefined::because(Reason::NotFinite)) }
    }

    fn samples(&self, case: &Case, score: &Score) -> Vec<Samples> {
        let mut samples = Metric::samples(self, case, score);
        samples.retain(|samples| {
            score.quantity(&samples.of).is_some_and(|measured| samples.gives_back(&measured))
        });
        samples
    }
}

/// A line of a family's list.
#[derive(Clone, Copy)]
pub struct Entry {
    pub spec: &'static MetricSpec,
    /// The metric with its default parameters.
    pub make: fn() -> Box<dyn AnyMetric>,
    schema: fn() -> schemars::Schema,
}

/// The list entry of a metric type.
pub(crate) const fn entry<M: Metric>() -> Entry {
    Entry { spec: &M::SPEC, make: || Box::new(M::default()), schema: || schemars::schema_for!(M) }
}

/// What a card says about one parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct ParamDoc {
    /// Name, as in `--set metric.name=value`.
    pub name: String,
    /// The default as JSON.
    pub default: Value,
    /// Allowed words, where it takes words.
    pub choices: Vec<String>,
    /// The documentation of the field.
    pub text: String,
}

impl Entry {
    /// The parameters as the struct documents them.
    #[must_use]
    pub fn param_docs(&self) -> Vec<ParamDoc> {
        let schema = (self.schema)().to_value();
        let defaults = (self.make)().params();
        let describe = |(name, default): (String, Value)| {
            let property = &schema["properties"][&name];
            let choices = choices_of(property, &schema);
            let text = property["description"].as_str().unwrap_or_default().replace('\n', " ");
            ParamDoc { name, default, choices, text }
        };
        defaults.into_iter().map(describe).collect()
    }
}

/// The words a property takes: an enumeration, behind a reference or spelled out word by word.
fn choices_of(property: &Value, schema: &Value) -> Vec<String> {
    let target = property["$ref"].as_str().and_then(|r| schema.pointer(r.trim_start_matches('#')));
    let node = target.unwrap_or(property);
    let words = |list: &Value| -> Vec<String> {
        list.as_array().into_iter().flatten().filter_map(|w| w.as_str().map(str::to_owned)).collect()
    };
    let spelled = node["oneOf"].as_array().into_iter().flatten();
    let single = spelled.filter_map(|n| n["const"].as_str().map(str::to_owned));
    words(&node["enum"]).into_iter().chain(single).collect()
}

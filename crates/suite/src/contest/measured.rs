//! What was measured of one submission; what the cache keeps.

use model::Finding;
use report::{CaseReport, Input};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

use super::formula::Quantity;
use super::samples::Sample;

/// What was measured of one submission.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Measured {
    /// The map, and the trajectory.
    pub cases: Vec<CaseReport>,
    /// Values of rules that are no metrics of a map, by rule: numbers and lists, or `undefined` with a reason.
    pub rules: Map<String, Value>,
    /// What values are made of, by their names.
    pub samples: BTreeMap<String, Sample>,
    /// What the linter and the readers noticed, with the file.
    pub findings: Vec<FileFinding>,
    /// Why the submission cannot be scored.
    pub broken: Option<String>,
    /// The files it rests on beside the truth.
    pub inputs: Vec<Input>,
    /// Its pictures; their bytes lie beside.
    pub pictures: Vec<PictureRecord>,
}

/// A finding and its file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileFinding {
    /// File, relative to the contest file.
    pub file: String,
    /// What was found.
    pub finding: Finding,
}

/// A picture of a submission.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PictureRecord {
    /// Name of its file.
    pub file: String,
    /// Title.
    pub title: String,
    /// What is to be seen.
    pub caption: String,
}

impl Measured {
    /// A submission that cannot be scored.
    #[must_use]
    pub fn broken(why: impl Into<String>) -> Self {
        Self { broken: Some(why.into()), ..Self::default() }
    }

    /// A measured value: `metric`, `metric.key` out of its detail, or `rule.key`.
    ///
    /// # Errors
    /// Why it has none.
    pub fn value(&self, path: &str) -> Result<Quantity, String> {
        if let Some(why) = &self.broken {
            return Err(why.clone());
        }
        let (name, keys) = path.split_once('.').map_or((path, None), |(name, keys)| (name, Some(keys)));
        if let Some(rule) = self.rules.get(name) {
            if let Some(reason) = rule.get("undefined") {
                return Err(reason.as_str().unwrap_or("no reason given").to_owned());
            }
            return number_in(rule, keys.unwrap_or("value"))
                .ok_or_else(|| format!("there is no value '{path}'"));
        }
        let Some(record) = self.cases.iter().find_map(|case| case.metric(name)) else {
            return Err(format!("'{name}' was not measured"));
        };
        match (record.value, keys) {
            (None, _) => {
                let reasons: Vec<_> = record
                    .reasons
                    .iter()
                    .map(|reason| format!("{} ({})", reason.meaning(), reason.code()))
                    .collect();
                Err(if reasons.is_empty() { "undefined".to_owned() } else { reasons.join("; ") })
            }
            (Some(value), None) => Ok(Quantity::Number(value)),
            (Some(_), Some(keys)) => number_in(&Value::Object(record.detail.clone()), keys)
                .ok_or_else(|| format!("the detail of {name} has no '{keys}'")),
        }
    }
}

/// A number or a list of numbers at a path of keys; a key of a list is that of each of its entries, without the null ones.
fn number_in(value: &Value, keys: &str) -> Option<Quantity> {
    let (first, rest) = keys.split_once('.').map_or((keys, None), |(first, rest)| (first, Some(rest)));
    let found = match value {
        Value::Array(list) => Value::Array(
            list.iter().filter_map(|entry| entry.get(first)).filter(|x| !x.is_null()).cloned().collect(),
        ),
        other => other.get(first)?.clone(),
    };
    match (rest, found) {
        (Some(rest), found) => number_in(&found, rest),
        (None, Value::Number(number)) => number.as_f64().map(Quantity::Number),
        (None, Value::Bool(flag)) => Some(Quantity::Number(f64::from(u8::from(flag)))),
        (None, Value::Array(list)) => {
            list.iter().map(Value::as_f64).collect::<Option<_>>().map(Quantity::List)
        }
        (None, _) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_key_of_a_list_is_that_of_its_entries() {
        let detail = json!({"victims": [{"error_m": 0.5}, {"error_m": null}, {"error_m": 0.25}]});
        assert_eq!(number_in(&detail, "victims.error_m"), Some(Quantity::List(vec![0.5, 0.25])));
        assert_eq!(number_in(&detail, "victims.error_m.x"), Some(Quantity::List(Vec::new())));
    }

    #[test]
    fn rules_give_numbers_lists_and_reasons() {
        let rules =
            json!({"artifacts": {"points": [1, 0], "false_reports": 2}, "points": {"undefined": "no file"}});
        let measured = Measured { rules: rules.as_object().cloned().unwrap(), ..Measured::default() };
        assert_eq!(measured.value("artifacts.points"), Ok(Quantity::List(vec![1.0, 0.0])));
        assert_eq!(measured.value("artifacts.false_reports"), Ok(Quantity::Number(2.0)));
        assert_eq!(measured.value("points.score"), Err("no file".into()));
        assert!(measured.value("artifacts.nothing").unwrap_err().contains("no value"));
        assert!(measured.value("overall_error").unwrap_err().contains("not measured"));
        assert_eq!(Measured::broken("cut off").value("overall_error"), Err("cut off".into()));
    }
}

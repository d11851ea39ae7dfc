//! What was measured of one submission; what a store keeps.

use std::collections::BTreeMap;

use metrics::Samples;
use report::{CaseReport, Figure, Input, SheetTable};
use serde::{Deserialize, Serialize};

use super::entrants::{FileFinding, owner};
use super::formula::Quantity;

/// What was measured of one submission.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Measured {
    /// One case per part that was judged: map, points, trajectory.
    pub cases: Vec<CaseReport>,
    /// Named values beside those of the metrics, by `metric.name` or `rule.name`.
    pub values: BTreeMap<String, Quantity>,
    /// Why a role or a rule has no values.
    pub undefined: BTreeMap<String, String>,
    /// The elements that values are made of, by `metric` or `metric.name`.
    pub samples: BTreeMap<String, Samples>,
    /// What the linter and the readers noticed, with the file.
    pub findings: Vec<FileFinding>,
    /// Why the submission cannot be scored.
    pub broken: Option<String>,
    /// Why nobody but a judge can say what is to be scored: it has no score, and no zero either.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undecided: Option<String>,
    /// What was measured with the map as the search had laid it, where a judge laid it otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub automatic: Option<Box<Measured>>,
    /// The files it rests on beside the truth.
    pub inputs: Vec<Input>,
    /// Its figures.
    pub figures: Vec<Figure>,
    /// Every label and victim with what became of it, for the sheet. Made at once: a store keeps no evidence.
    #[serde(default)]
    pub tables: Vec<SheetTable>,
}

impl Measured {
    /// A submission that cannot be scored.
    #[must_use]
    pub fn broken(why: impl Into<String>) -> Self {
        Self { broken: Some(why.into()), ..Self::default() }
    }

    /// Keeps a judged case, with the values and samples of its evidence and its figures.
    pub fn add(&mut self, mut case: CaseReport) {
        for record in &case.metrics {
            let path = |name: &str| match name {
                "" => record.id.clone(),
                name => format!("{}.{name}", record.id),
            };
            if record.value.is_some() {
                let values = record.evidence.values.iter();
                self.values.extend(values.map(|named| (path(&named.name), named.value.clone())));
            }
            let samples = record.evidence.samples.iter();
            self.samples.extend(samples.map(|samples| (path(&samples.of), samples.clone())));
        }
        self.figures.append(&mut case.figures);
        self.cases.push(case);
    }

    /// A measured value: `metric`, `metric.name` or `rule.name`.
    ///
    /// # Errors
    /// Why it has none.
    pub fn value(&self, path: &str) -> Result<Quantity, String> {
        if let Some(why) = self.broken.as_ref().or(self.undecided.as_ref()) {
            return Err(why.clone());
        }
        let (name, key) = path.split_once('.').map_or((path, None), |(name, key)| (name, Some(key)));
        if let Some(why) = self.undefined.get(name) {
            return Err(why.clone());
        }
        let record = self.cases.iter().find_map(|case| case.metric(name));
        match (record, key) {
            (Some(record), _) if record.value.is_none() => {
                let words = |reason: &metrics::Reason| format!("{} ({})", reason.meaning(), reason.code());
                let reasons: Vec<String> = record.reasons.iter().map(words).collect();
                Err(if reasons.is_empty() { "undefined".to_owned() } else { reasons.join("; ") })
            }
            (Some(record), None) => record.value.map(Quantity::Number).ok_or_else(|| "undefined".to_owned()),
            (Some(_), Some(key)) => {
                self.values.get(path).cloned().ok_or_else(|| format!("{name} has no value '{key}'"))
            }
            (None, _) => self.values.get(path).cloned().ok_or_else(|| {
                let why = self.undefined.get(owner(name).name());
                why.cloned().unwrap_or_else(|| format!("'{path}' was not measured"))
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_give_numbers_lists_and_reasons() {
        let mut measured = Measured::default();
        measured.values.insert("artifacts.points".into(), Quantity::List(vec![1.0, 0.0]));
        measured.values.insert("artifacts.false_reports".into(), Quantity::Number(2.0));
        measured.undefined.insert("points".into(), "no file".into());
        assert_eq!(measured.value("artifacts.points"), Ok(Quantity::List(vec![1.0, 0.0])));
        assert_eq!(measured.value("artifacts.false_reports"), Ok(Quantity::Number(2.0)));
        assert_eq!(measured.value("points.score"), Err("no file".into()));
        assert!(measured.value("artifacts.nothing").unwrap_err().contains("not measured"));
        assert!(measured.value("overall_error").unwrap_err().contains("not measured"));
        assert_eq!(Measured::broken("cut off").value("overall_error"), Err("cut off".into()));
    }
}

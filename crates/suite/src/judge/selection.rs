//! Which metrics are computed, with which parameters.

use std::collections::BTreeMap;

use metrics::{AnyMetric, Case, Family};
use serde_json::Value;

use crate::{JobError, Plan, Truth};

/// A metric with its parameters, and whether the user asked for it by its id.
pub struct Chosen {
    /// The metric.
    pub metric: Box<dyn AnyMetric>,
    /// Asked for by id; its being undefined is then worth an exit code.
    pub by_name: bool,
    /// Asked for by its family; computed then, whether it would be by default or not.
    pub by_family: bool,
}

impl Chosen {
    /// Whether the metric is computed for a case: asked for by id or family, or it applies.
    #[must_use]
    pub fn is_asked(&self, case: &Case) -> bool {
        self.by_name || self.by_family || self.metric.applies(case)
    }
}

/// The metrics of a plan. Giving relations asks for their metric by name.
pub(super) fn chosen(truth: &Truth, plan: &Plan) -> Result<Vec<Chosen>, JobError> {
    let mut set = plan.set.clone();
    let coverage = set.entry("trajectory_coverage".to_owned()).or_default();
    coverage.entry("max_gap_s".to_owned()).or_insert_with(|| plan.matching.max_gap_s.into());
    let mut chosen = choose(&plan.metrics, &set)?;
    for entry in &mut chosen {
        entry.by_name |= truth.relations.is_some() && entry.metric.spec().id == "relative_displacement";
    }
    Ok(chosen)
}

/// The metrics of a list of ids and families (empty: all that apply), with parameters set.
///
/// # Errors
/// A name that is neither, or a parameter that a metric does not take.
pub fn choose(
    names: &[String],
    set: &BTreeMap<String, BTreeMap<String, Value>>,
) -> Result<Vec<Chosen>, JobError> {
    names.iter().chain(set.keys()).try_for_each(|name| check_name(name))?;
    let mut chosen = Vec::new();
    for entry in metrics::all() {
        let by_name = names.iter().any(|name| name == entry.spec.id);
        let by_family = names.iter().any(|name| name == entry.spec.family.name());
        if !(names.is_empty() || by_name || by_family || names.iter().any(|name| name == "all")) {
            continue;
        }
        let mut metric = (entry.make)();
        for (name, value) in set.get(entry.spec.id).into_iter().flatten() {
            metric.set(name, value)?;
        }
        chosen.push(Chosen { metric, by_name, by_family });
    }
    Ok(chosen)
}

fn check_name(name: &str) -> Result<(), JobError> {
    let families = Family::ALL.iter().copied().map(Family::name);
    let known: Vec<&'static str> =
        metrics::all().map(|entry| entry.spec.id).chain(families).chain(["all"]).collect();
    if known.contains(&name) {
        return Ok(());
    }
    let meant = metrics::search(name);
    let nearest = if meant.is_empty() {
        report::nearest(name, known.iter().copied()).into_iter().collect()
    } else {
        meant
    };
    Err(JobError::UnknownMetric { name: name.to_owned(), nearest })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ids(names: &[&str]) -> Vec<&'static str> {
        let names: Vec<String> = names.iter().map(|n| (*n).to_owned()).collect();
        choose(&names, &BTreeMap::new()).unwrap().iter().map(|c| c.metric.spec().id).collect()
    }

    #[test]
    fn names_families_and_nothing_select() {
        assert_eq!(ids(&["overall_error"]), ["overall_error"]);
        assert!(ids(&["distance"]).contains(&"picture_distance"));
        assert_eq!(ids(&[]).len(), metrics::all().count());
        assert_eq!(ids(&["all"]).len(), metrics::all().count());
    }

    #[test]
    fn a_misspelt_name_is_refused_with_the_nearest_one() {
        let error = choose(&["overal_error".to_owned()], &BTreeMap::new()).err().unwrap();
        assert!(matches!(error, JobError::UnknownMetric { nearest, .. } if nearest == ["overall_error"]));
        let error = choose(&["ape".to_owned()], &BTreeMap::new()).err().unwrap();
        assert!(matches!(error, JobError::UnknownMetric { nearest, .. } if nearest[0] == "ate_translation"));
    }
}

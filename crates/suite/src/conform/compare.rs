//! The verdict on each answer, the variants that explain a difference, and the report of all.

use metrics::Detail;
use report::{
    CONFORM_SCHEMA, ConformAnswer, ConformMetric, ConformReport, ConformValue, ConformVerdict, Tool,
    VerdictCounts,
};

use super::answer::Outcome;
use super::tool_file::{InputForm, KnownDifference};
use super::vectors::{Expected, Vector, VectorSet};

/// A metric and variant that a program was asked for.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    pub metric: String,
    pub params: Detail,
    pub form: InputForm,
    /// Vectors that the form cannot hold.
    pub skipped: Vec<String>,
}

/// The value of one vector, judged.
pub(crate) fn judged_value(
    vector: &Vector,
    expected: &Expected,
    outcome: Outcome,
    known: &[KnownDifference],
) -> ConformValue {
    let (verdict, found, failure) = match outcome {
        Outcome::Answered(answer) => (verdict(expected, Some(&answer)), Some(answer), None),
        Outcome::Undefined => (verdict(expected, None), None, None),
        Outcome::Crashed(why) => (ConformVerdict::Crashed, None, Some(why)),
        Outcome::TimedOut => {
            (ConformVerdict::Timeout, None, Some("it took too long and was ended".to_owned()))
        }
    };
    let has_answer = failure.is_none() && verdict != ConformVerdict::Equal;
    let variants = if has_answer { variants(vector, expected, found.as_ref()) } else { Vec::new() };
    let is_known = |known: &&KnownDifference| known.expect == verdict && known.is_about(&vector.name);
    ConformValue {
        vector: vector.name.clone(),
        metric: expected.metric.clone(),
        params: expected.params.clone(),
        expected: expected.value.clone(),
        source: expected.source.clone(),
        found,
        verdict,
        variants,
        explained: known.iter().find(is_known).map(|known| known.reason.clone()),
        failure,
    }
}

fn verdict(expected: &Expected, found: Option<&ConformAnswer>) -> ConformVerdict {
    match (&expected.value, found) {
        _ if expected.is_met_by(found) => ConformVerdict::Equal,
        (None, _) => ConformVerdict::Flattered,
        (Some(_), None) => ConformVerdict::Refused,
        (Some(_), Some(_)) => ConformVerdict::Differs,
    }
}

/// Parameters of other values of the vector that the answer meets.
fn variants(vector: &Vector, own: &Expected, found: Option<&ConformAnswer>) -> Vec<Detail> {
    let others =
        vector.expected.iter().filter(|other| other.metric == own.metric && other.params != own.params);
    others.filter(|other| other.is_met_by(found)).map(|other| other.params.clone()).collect()
}

/// The variant under which every answer would be equal; none if all are, or none does.
fn variant_of_all(set: &VectorSet, metric: &str, values: &[&ConformValue]) -> Option<Detail> {
    if values.iter().all(|value| value.verdict == ConformVerdict::Equal) {
        return None;
    }
    let is_met = |value: &&ConformValue, params: &Detail| {
        let vector = set.vectors.iter().find(|vector| vector.name == value.vector);
        let expected = vector.and_then(|vector| vector.expects(metric, params));
        value.failure.is_none() && expected.is_some_and(|expected| expected.is_met_by(value.found.as_ref()))
    };
    let mut variants = set.variants(metric).into_iter();
    variants.find(|params| values.iter().all(|value| is_met(value, params))).cloned()
}

/// The report of all values of a tool; `values` has the values of each metric and variant that was asked for.
pub(crate) fn conform_report(
    set: &VectorSet,
    tool: Tool,
    values: Vec<(Asked, Vec<ConformValue>)>,
) -> ConformReport {
    let metric = |(asked, values): &(Asked, Vec<ConformValue>)| ConformMetric {
        metric: asked.metric.clone(),
        params: asked.params.clone(),
        input: asked.form.name().to_owned(),
        counts: VerdictCounts::of(values.iter()),
        equals: variant_of_all(set, &asked.metric, &values.iter().collect::<Vec<_>>()),
        skipped: asked.skipped.clone(),
    };
    let metrics = values.iter().map(metric).collect();
    let values: Vec<ConformValue> = values.into_iter().flat_map(|(_, values)| values).collect();
    let judge = Tool { name: "mapjudge".to_owned(), version: env!("CARGO_PKG_VERSION").to_owned() };
    ConformReport {
        schema: CONFORM_SCHEMA.to_owned(),
        judge,
        tool,
        vectors: set.record.clone(),
        counts: VerdictCounts::of(values.iter()),
        metrics,
        values,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn judged(vector: &str, params: &serde_json::Value, outcome: Outcome) -> ConformValue {
        let set = VectorSet::builtin().unwrap();
        let vector = set.vectors.iter().find(|candidate| candidate.name == vector).unwrap();
        let expected = vector.expects("occupied_iou", params.as_object().unwrap()).unwrap();
        judged_value(vector, expected, outcome, &[])
    }

    fn number(value: f64) -> Outcome {
        Outcome::Answered(ConformAnswer::Number(value))
    }

    #[test]
    fn each_answer_has_one_verdict() {
        // 02-E1: 11 hits, 3 misses, 1 false alarm.
        let of = |vector: &str, outcome| judged(vector, &json!({}), outcome).verdict;
        assert_eq!(of("e1", number(11.0 / 15.0)), ConformVerdict::Equal);
        assert_eq!(of("e1", number(0.5)), ConformVerdict::Differs);
        assert_eq!(of("e1", Outcome::Undefined), ConformVerdict::Refused);
        assert_eq!(of("e1", Outcome::Crashed(String::new())), ConformVerdict::Crashed);
        assert_eq!(of("e1", Outcome::TimedOut), ConformVerdict::Timeout);
        assert_eq!(of("e5_both_empty", Outcome::Undefined), ConformVerdict::Equal);
        assert_eq!(of("e5_both_empty", number(0.0)), ConformVerdict::Flattered);
    }

    #[test]
    fn a_difference_is_explained_by_the_variant_that_equals() {
        // Truth and map of one unknown and one free cell: with unknown as occupied there is one wall in one of them.
        let value = judged("one_cell_unknown", &json!({}), number(0.0));
        assert_eq!(value.verdict, ConformVerdict::Flattered);
        assert_eq!(value.variants, [json!({"unknown_as": "occupied"}).as_object().unwrap().clone()]);
    }

    #[test]
    fn a_known_difference_is_explained_only_if_it_is_the_expected_one() {
        let set = VectorSet::builtin().unwrap();
        let vector = set.vectors.iter().find(|candidate| candidate.name == "e1").unwrap();
        let expected = vector.expects("occupied_iou", &Detail::new()).unwrap();
        let known = KnownDifference {
            vectors: Vec::new(),
            expect: ConformVerdict::Differs,
            reason: "counts walls twice".to_owned(),
        };
        let judged =
            |outcome| judged_value(vector, expected, outcome, std::slice::from_ref(&known)).explained;
        assert_eq!(judged(number(0.5)).as_deref(), Some("counts walls twice"));
        assert_eq!(judged(Outcome::TimedOut), None);
    }
}

//! The case of all floors: each value as its metric says, with how many floors stand behind it.

use metrics::paths::linked_floors::LinkedFloors;
use metrics::{Aggregate, AnyMetric, Case, Evidence, Reason, Score, Undefined};
use report::{CaseReport, MetricRecord, Status};
use serde_json::{Value, json};

use super::Building;
use super::connectors::{connector_consistency, connector_coverage};
use crate::judge::{Judged, choose};
use crate::{JobError, Plan};

/// The case of the whole submission.
///
/// # Errors
/// A metric of the plan does not exist.
pub(super) fn whole(
    name: &str,
    building: &Building,
    judged: &[Judged],
    present: &[bool],
    plan: &Plan,
) -> Result<CaseReport, JobError> {
    let chosen = choose(&plan.metrics, &plan.set)?;
    let first = present.iter().position(|present| *present).and_then(|floor| judged.get(floor));
    let first = first.or(judged.first()).ok_or(JobError::Incomplete("floor"))?;
    let mut case = first.report.clone();
    name.clone_into(&mut case.name);
    case.inputs = judged.iter().flat_map(|judged| judged.report.inputs.clone()).collect();
    (case.alignment, case.grid) = (None, None);
    (case.figures, case.errors) = (Vec::new(), Vec::new());
    let counted = format!("{} of {}", present.iter().filter(|present| **present).count(), present.len());
    let asked: Vec<&str> = first.report.metrics.iter().map(|record| record.id.as_str()).collect();
    let metrics = chosen.iter().map(|chosen| &*chosen.metric);
    let metrics = metrics.filter(|metric| asked.contains(&metric.spec().id));
    case.metrics = metrics.filter_map(|metric| aggregated(metric, building, judged, &counted)).collect();
    if !building.connectors.is_empty() {
        case.metrics.push(connector_coverage(building, judged, present, &counted));
        case.metrics.push(connector_consistency(building, judged, present, &counted));
    }
    Ok(case)
}

/// A metric over all floors; none if it has no such value.
fn aggregated(
    metric: &dyn AnyMetric,
    building: &Building,
    judged: &[Judged],
    counted: &str,
) -> Option<MetricRecord> {
    let rule = metric.spec().aggregate.filter(|rule| *rule != Aggregate::None)?;
    if rule == Aggregate::Linked && building.connectors.is_empty() {
        return None;
    }
    let id = metric.spec().id;
    let records: Vec<&MetricRecord> = judged
        .iter()
        .filter_map(|judged| judged.report.metrics.iter().find(|record| record.id == id))
        .collect();
    let template = records.first()?;
    let cases: Vec<&Case> = judged.iter().map(|judged| &judged.case).collect();
    let found = match rule {
        Aggregate::Pooled => metric.pooled(&cases),
        Aggregate::Linked => metric.across(&LinkedFloors { floors: &cases, links: &building.links() }),
        _ if records.len() < judged.len() => Err(Reason::NoMaps.into()),
        Aggregate::Sum => all_values(&records).map(|values| Score::new(values.iter().sum())),
        _ => all_values(&records)
            .map(|values| Score::new(values.into_iter().fold(f64::NEG_INFINITY, f64::max))),
    };
    let mut record = MetricRecord {
        best: metric.spec().best,
        worst: metric.spec().worst,
        judged_share: None,
        evidence: Evidence::default(),
        ..(*template).clone()
    };
    (record.value, record.status, record.reasons) = match &found {
        Ok(score) => {
            // What one floor's value carries as a warning, such as a doubtful alignment, the whole carries too.
            let mut reasons = score.warnings.clone();
            let of_floors =
                records.iter().filter(|record| record.value.is_some()).flat_map(|record| &record.reasons);
            for reason in of_floors {
                if !reasons.contains(reason) {
                    reasons.push(*reason);
                }
            }
            let status = if reasons.is_empty() { Status::Ok } else { Status::Warning };
            (Some(score.value), status, reasons)
        }
        Err(undefined) => (None, Status::Undefined, undefined.reasons.clone()),
    };
    record.detail = match found {
        Ok(score) => score.detail,
        Err(undefined) => undefined.detail,
    };
    record.detail.insert("floors".to_owned(), json!(counted));
    record.detail.insert("aggregate".to_owned(), json!(rule.name()));
    record.detail.insert("by_floor".to_owned(), by_floor(id, building, judged));
    Some(record)
}

/// The values of all floors.
///
/// # Errors
/// The reasons of the first floor that has none.
fn all_values(records: &[&MetricRecord]) -> Result<Vec<f64>, Undefined> {
    let value = |record: &&MetricRecord| {
        record.value.ok_or_else(|| {
            let first = record.reasons.first().copied().unwrap_or(Reason::NoAggregate);
            let rest = record.reasons.iter().skip(1);
            rest.fold(Undefined::because(first), |undefined, reason| undefined.also_if(true, *reason))
        })
    };
    records.iter().map(value).collect()
}

/// The value on each floor, by its name.
fn by_floor(id: &str, building: &Building, judged: &[Judged]) -> Value {
    let value = |judged: &Judged| {
        judged.report.metrics.iter().find(|record| record.id == id).and_then(|record| record.value)
    };
    let named = building.floors.iter().zip(judged);
    named
        .map(|(floor, judged)| (floor.name.clone(), json!(value(judged))))
        .collect::<serde_json::Map<_, _>>()
        .into()
}

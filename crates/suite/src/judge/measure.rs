//! Step 3: one metric of one case as a record of the report.

use metrics::{AnyMetric, Case, Evidence, Reason};
use report::{MetricRecord, Status};

use crate::Resampling;

/// Evaluates a metric. Under a doubtful transform every value carries the doubt.
pub(crate) fn measure(
    metric: &dyn AnyMetric,
    case: &Case,
    doubt: Option<Reason>,
    resampling: Resampling,
) -> MetricRecord {
    let spec = metric.spec();
    let mut record = MetricRecord {
        id: spec.id.to_owned(),
        code: spec.code.to_owned(),
        title: spec.title.to_owned(),
        value: None,
        unit: spec.unit,
        better: spec.better,
        best: spec.best,
        worst: spec.worst,
        status: Status::Undefined,
        reasons: Vec::new(),
        params: metric.params(),
        detail: metrics::Detail::new(),
        evidence: Evidence::default(),
    };
    match metric.evaluate(case) {
        Ok(mut score) => {
            if resampling == Resampling::Keep {
                score.evidence.samples = metric.samples(case, &score);
            }
            score.warnings.extend(doubt.filter(|doubt| !score.warnings.contains(doubt)));
            record.status = if score.warnings.is_empty() { Status::Ok } else { Status::Warning };
            (record.best, record.worst) = (score.best.or(spec.best), score.worst.or(spec.worst));
            (record.value, record.reasons) = (Some(score.value), score.warnings);
            (record.detail, record.evidence) = (score.detail, score.evidence);
        }
        Err(undefined) => {
            (record.reasons, record.detail) = (undefined.reasons, undefined.detail);
            record.evidence.values = undefined.values;
        }
    }
    record
}

//! Step 3: one metric of one case as a record of the report.

use metrics::{AnyMetric, Case, Evidence, Family, Reason, Undefined};
use model::{CellClass, Grid, MemoryNeed, OverMemory};
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
        judged_share: None,
        params: metric.params(),
        detail: metrics::Detail::new(),
        evidence: Evidence::default(),
    };
    let evaluated = match check_memory(metric, case) {
        Ok(()) => metric.evaluate(case),
        Err(over) => Err(refused(over)),
    };
    match evaluated {
        Ok(mut score) => {
            if resampling == Resampling::Keep {
                score.evidence.samples = metric.samples(case, &score);
            }
            score.warnings.extend(doubt.filter(|doubt| !score.warnings.contains(doubt)));
            record.status = if score.warnings.is_empty() { Status::Ok } else { Status::Warning };
            (record.best, record.worst) = (score.best.or(spec.best), score.worst.or(spec.worst));
            (record.value, record.reasons) = (Some(score.value), score.warnings);
            record.judged_share = score.judged_share;
            (record.detail, record.evidence) = (score.detail, score.evidence);
        }
        Err(undefined) => {
            (record.reasons, record.detail) = (undefined.reasons, undefined.detail);
            record.evidence = *undefined.evidence;
        }
    }
    record
}

/// Whether the memory that a metric takes for the cells of a case may be taken. Walls are counted only where they decide.
fn check_memory(metric: &dyn AnyMetric, case: &Case) -> Result<(), OverMemory> {
    let Ok(map) = case.map() else { return Ok(()) };
    let (cells, memory) = (map.geometry().cells(), metric.spec().family.memory());
    let need = MemoryNeed::new(cells, memory.per_cell);
    need.and(2 * cells as u64, memory.per_wall).check().or_else(|_| {
        let walls_of = |grid: &Grid| grid.class_counts()[CellClass::Occupied as usize];
        let in_truth = case.grids().map_or(0, |grids| walls_of(&grids.truth));
        need.and(walls_of(map) + in_truth, memory.per_wall).check()
    })
}

/// Whether a map may be worked on as by the metrics of a family.
pub(crate) fn check_map_memory(grid: &Grid, family: Family) -> Result<(), OverMemory> {
    let memory = family.memory();
    let walls = grid.class_counts()[CellClass::Occupied as usize];
    MemoryNeed::new(grid.geometry().cells(), memory.per_cell).and(walls, memory.per_wall).check()
}

fn refused(over: OverMemory) -> Undefined {
    let facts = [("needed_bytes", over.needed_bytes), ("limit_bytes", over.limit_bytes)];
    let facts = facts.into_iter().map(|(name, bytes)| (name.to_owned(), bytes.into())).collect();
    Undefined::because(Reason::OverMemory).with_all(facts)
}

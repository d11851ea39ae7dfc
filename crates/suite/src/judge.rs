//! Limits and baseline: did the values hold?

use std::path::Path;

use report::{Change, DEFAULT_RELATIVE_TOLERANCE, Limits, Report, Status, check, compare, read_baseline};

use crate::{Chosen, Job, JobError};

/// Whether a run may be called a success.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Everything asked for was computed, and every limit held.
    Fine,
    /// A limit was missed, or a value is worse than the baseline.
    Missed,
    /// A metric asked for by name is undefined.
    Undefined,
}

/// Checks limits and baseline, writes both into the report, and says what came out.
pub fn judge(job: &Job, chosen: &[Chosen], report: &mut Report) -> Result<Verdict, JobError> {
    if let Some(path) = &job.limits {
        let limits = Limits::parse(&read_text(path)?)
            .map_err(|source| JobError::Limits { path: path.clone(), source })?;
        report.limits = check(report, &limits);
    }
    if let Some(path) = &job.baseline {
        let wrong = |error| JobError::Baseline { path: path.clone(), source: Box::new(error) };
        let baseline = read_baseline(&read_text(path)?).map_err(wrong)?;
        let tolerance = job.baseline_tolerance.unwrap_or(DEFAULT_RELATIVE_TOLERANCE);
        report.baseline = Some(compare(report, &baseline, tolerance).map_err(wrong)?);
    }
    let worse = report.baseline.iter().flatten().any(|row| row.change == Change::Worse);
    if worse || report.limits.iter().any(|limit| !limit.held) {
        return Ok(Verdict::Missed);
    }
    let named = |id: &str| chosen.iter().any(|c| c.by_name && c.metric.spec().id == id);
    let mut records = report.cases.iter().flat_map(|case| &case.metrics);
    let undefined = records.any(|record| record.status == Status::Undefined && named(&record.id));
    Ok(if undefined { Verdict::Undefined } else { Verdict::Fine })
}

fn read_text(path: &Path) -> Result<String, JobError> {
    std::fs::read_to_string(path).map_err(|source| JobError::file(path, source))
}

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

/// What the values are held against.
#[derive(Clone, Copy, Debug, Default)]
pub struct Rules<'a> {
    /// File of limits.
    pub limits: Option<&'a Path>,
    /// Earlier report.
    pub baseline: Option<&'a Path>,
    /// Relative change that still counts as the same.
    pub baseline_tolerance: Option<f64>,
}

impl<'a> From<&'a Job> for Rules<'a> {
    fn from(job: &'a Job) -> Self {
        let (limits, baseline) = (job.limits.as_deref(), job.baseline.as_deref());
        Self { limits, baseline, baseline_tolerance: job.baseline_tolerance }
    }
}

/// Checks limits and baseline, writes both into the report, and says what came out.
pub fn judge(rules: Rules<'_>, chosen: &[Chosen], report: &mut Report) -> Result<Verdict, JobError> {
    if let Some(path) = rules.limits {
        let limits = Limits::parse(&read_text(path)?)
            .map_err(|source| JobError::Limits { path: path.to_owned(), source })?;
        report.limits = check(report, &limits);
    }
    if let Some(path) = rules.baseline {
        let wrong = |error| JobError::Baseline { path: path.to_owned(), source: Box::new(error) };
        let baseline = read_baseline(&read_text(path)?).map_err(wrong)?;
        let tolerance = rules.baseline_tolerance.unwrap_or(DEFAULT_RELATIVE_TOLERANCE);
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

//! Two maps of one place side by side (X-SIMREAL): the work of `mapjudge compare A B --truth T`.

use report::{SideBySide, side_by_side};

use crate::{Evaluation, Job, JobError, Pictures, evaluate};

/// Two maps judged in the same way.
#[derive(Debug)]
pub struct ComparedMaps {
    /// The report of both.
    pub evaluation: Evaluation,
    /// Metric by metric, which is better.
    pub comparison: SideBySide,
}

/// Judges the two maps of a job and holds them against each other.
///
/// # Errors
/// As [`evaluate`]; the job names other than two maps.
pub fn compare_maps(
    job: &Job,
    pictures: Pictures,
    progress: &(dyn Fn(usize) + Sync),
) -> Result<ComparedMaps, JobError> {
    if job.maps.len() != 2 {
        return Err(JobError::Incomplete("second map"));
    }
    let evaluation = evaluate(job, pictures, progress)?;
    let [a, b] = &evaluation.report.cases[..] else { return Err(JobError::Incomplete("second map")) };
    let comparison = side_by_side(a, b);
    Ok(ComparedMaps { evaluation, comparison })
}

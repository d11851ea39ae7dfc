//! What all rows will cost, from a few of them.

use serde::Serialize;

use super::scorer::{RowScorer, Scored};
use crate::rows::{RowStatus, Shard};
use crate::{JobError, processor_time_s};

/// What rows cost, from some of them.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Estimate {
    /// Rows that were scored for the estimate.
    pub sampled: u64,
    /// Of these, rows with an error.
    pub errors: u64,
    /// Lines that it is an estimate for.
    pub lines: u64,
    /// Mean processor time of a row, milliseconds.
    pub mean_ms: f64,
    /// Max. processor time of a sampled row, milliseconds.
    pub max_ms: f64,
    /// Processor time of all lines, hours of one core.
    pub core_hours: f64,
    /// Mean bytes of a row.
    pub row_bytes: f64,
    /// Bytes of all rows.
    pub all_bytes: f64,
}

/// Scores some lines of a shard, evenly spread, and writes nothing. Rows are scored one after the other.
///
/// # Errors
/// The manifest cannot be read.
pub fn estimate_rows(scorer: &RowScorer, shard: Shard, rows: u64) -> Result<Estimate, JobError> {
    let lines = shard.lines_of(scorer.manifest().lines());
    let wanted = rows.clamp(1, lines.max(1));
    let mut estimate = Estimate { lines, ..Estimate::default() };
    let (mut total_ms, mut bytes, mut index) = (0.0, 0, 0);
    let mut of_shard = scorer.manifest().of_shard(shard)?;
    while let Some(line) = of_shard.next_line()? {
        // Row k of the sample is line k * lines / wanted.
        let is_sampled = index * wanted / lines != (index + 1) * wanted / lines;
        index += 1;
        if !is_sampled {
            continue;
        }
        let before_s = processor_time_s();
        let scored = scorer.score(&line, &|_| false);
        let row_ms = 1e3 * (processor_time_s() - before_s);
        if let Scored::Row(row) = scored {
            estimate.errors += u64::from(row.status == RowStatus::Error);
            bytes += row.to_line().len();
        }
        estimate.sampled += 1;
        estimate.max_ms = row_ms.max(estimate.max_ms);
        total_ms += row_ms;
    }
    let sampled = estimate.sampled.max(1) as f64;
    estimate.mean_ms = total_ms / sampled;
    estimate.core_hours = estimate.mean_ms * lines as f64 / 3.6e6;
    estimate.row_bytes = bytes as f64 / sampled;
    estimate.all_bytes = estimate.row_bytes * lines as f64;
    Ok(estimate)
}

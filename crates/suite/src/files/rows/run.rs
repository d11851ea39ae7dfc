//! All lines of a shard: score what is not there yet, append each row as soon as it is finished.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use rayon::iter::{ParallelBridge, ParallelIterator};
use serde::Serialize;

pub use super::done_rows::Retry;
use super::done_rows::{DoneRows, RowFlags};
use super::line::ManifestLine;
use super::row_file::RowFile;
use super::scorer::{RowScorer, Scored};
use super::worker::RowWorkers;
use crate::JobError;
use crate::rows::{RowStatus, Shard};

/// Whether inputs are read to tell whether a row is there already.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Trust {
    /// They are, so that a changed file is scored again.
    #[default]
    Contents,
    /// They are not: a row of the same manifest line counts.
    Paths,
}

/// What is scored, and where to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RowRun {
    /// The folder of row files.
    pub out: PathBuf,
    /// The lines; none: all.
    pub shard: Option<Shard>,
    /// How rows that are there are recognised.
    pub trust: Trust,
    /// Which errors are tried again.
    pub retry: Retry,
}

/// What a run did.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct RowSummary {
    /// The row file.
    pub file: String,
    /// Lines of the shard.
    pub lines: u64,
    /// Rows computed now, errors included.
    pub scored: u64,
    /// Rows that were there already.
    pub known: u64,
    /// Rows with an error, of all of the shard.
    pub errors: u64,
    /// Errors computed now, by code.
    pub codes: BTreeMap<String, u64>,
    /// Rows that miss a limit, of all of the shard.
    pub missed: u64,
    /// Whether somebody asked the run to stop; the same command goes on.
    pub is_stopped: bool,
}

/// Scores the lines of a shard; with workers, in processes of their own. `progress` is called with the summary so far;
/// `stop` ends the run after the rows under way.
///
/// # Errors
/// The row file cannot be written or is of another job, or the manifest cannot be read. Rows that are written stay.
pub fn score_rows(
    scorer: &RowScorer,
    workers: Option<&RowWorkers>,
    run: &RowRun,
    stop: &AtomicBool,
    progress: &(dyn Fn(&RowSummary) + Sync),
) -> Result<RowSummary, JobError> {
    let shard = run.shard.unwrap_or(Shard::WHOLE);
    std::fs::create_dir_all(&run.out).map_err(|source| JobError::output(&run.out, source))?;
    let path = run.out.join(shard.file_name());
    let (file, done) = RowFile::open(&path, scorer.header(), run.retry)?;
    let lines = scorer.manifest().lines();
    let summary = RowSummary {
        file: path.display().to_string(),
        lines: shard.lines_of(lines),
        ..RowSummary::default()
    };
    let writing = Writing { state: Mutex::new((file, summary)), failed: Mutex::new(None), stop, progress };
    let mut lines = scorer.manifest().of_shard(shard)?;
    let next = || {
        if stop.load(Ordering::Relaxed) || writing.has_failed() {
            return None;
        }
        lines.next_line().unwrap_or_else(|error| writing.fail(error))
    };
    let one = |line: ManifestLine| match score_line(scorer, workers, run, &done, &line) {
        Ok(outcome) => writing.add(outcome),
        Err(error) => drop(writing.fail::<()>(error)),
    };
    std::iter::from_fn(next).par_bridge().for_each(one);
    writing.finish()
}

/// What became of a line.
enum Outcome {
    Known(RowFlags),
    New { line: String, flags: RowFlags, code: Option<String> },
}

fn score_line(
    scorer: &RowScorer,
    workers: Option<&RowWorkers>,
    run: &RowRun,
    done: &DoneRows,
    line: &ManifestLine,
) -> Result<Outcome, JobError> {
    if let Some(flags) = done.find_any(&line.row).filter(|_| run.trust == Trust::Paths) {
        return Ok(Outcome::Known(flags));
    }
    if done.is_unfinished(&line.row)
        && let Some(flags) = done.find(&line.row, &scorer.unfinished_key(line))
    {
        return Ok(Outcome::Known(flags));
    }
    let is_known = |key: &str| done.find(&line.row, key).is_some();
    let scored = match workers {
        Some(workers) => workers.score(scorer, line, &done.keys_of(&line.row))?,
        None => scorer.score(line, &is_known),
    };
    Ok(match scored {
        Scored::Known(key) => Outcome::Known(done.find(&line.row, &key).unwrap_or_default()),
        Scored::Row(row) => {
            let is_error = row.status == RowStatus::Error;
            let flags = RowFlags { is_error, missed_limit: !row.missed.is_empty() };
            if is_error && done.has_failed(&row.row, &row.key) {
                return Ok(Outcome::Known(flags));
            }
            Outcome::New { line: row.to_line(), flags, code: row.code.clone() }
        }
    })
}

/// The one writer of all threads.
struct Writing<'a> {
    state: Mutex<(RowFile, RowSummary)>,
    failed: Mutex<Option<JobError>>,
    stop: &'a AtomicBool,
    progress: &'a (dyn Fn(&RowSummary) + Sync),
}

impl Writing<'_> {
    fn add(&self, outcome: Outcome) {
        let Ok(mut state) = self.state.lock() else { return };
        let (file, summary) = &mut *state;
        let flags = match outcome {
            Outcome::Known(flags) => {
                summary.known += 1;
                flags
            }
            Outcome::New { line, flags, code } => {
                if let Err(error) = file.append(&line) {
                    let _ = self.fail::<()>(error);
                    return;
                }
                summary.scored += 1;
                if let Some(code) = code {
                    *summary.codes.entry(code).or_default() += 1;
                }
                flags
            }
        };
        summary.errors += u64::from(flags.is_error);
        summary.missed += u64::from(flags.missed_limit);
        (self.progress)(summary);
    }

    /// Keeps the first error, which ends the run.
    fn fail<T>(&self, error: JobError) -> Option<T> {
        if let Ok(mut failed) = self.failed.lock() {
            failed.get_or_insert(error);
        }
        None
    }

    fn has_failed(&self) -> bool {
        self.failed.lock().is_ok_and(|failed| failed.is_some())
    }

    fn finish(self) -> Result<RowSummary, JobError> {
        let (mut file, mut summary) =
            self.state.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
        let synced = file.sync();
        if let Some(error) = self.failed.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner) {
            return Err(error);
        }
        synced?;
        summary.is_stopped =
            self.stop.load(Ordering::Relaxed) && summary.scored + summary.known < summary.lines;
        Ok(summary)
    }
}

//! Rows scored in processes of their own, with limits: one that crashes, or takes too long or too much memory, costs its
//! row and not the run.
//!
//! A worker is this program once more. It is told job and manifest on its first line of input, then one request per line:
//! a manifest line and the keys that are known; it answers with one line of JSON.

use std::path::PathBuf;
use std::process::Command;
use std::sync::Mutex;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::line::ManifestLine;
use super::scorer::{RowJob, RowScorer, Scored};
use crate::JobError;
use crate::files::worker_process::{Failed, READY, WorkerLimits, WorkerProcess, memory};
use crate::files::{Job, JobInputs, RuleFiles};
use crate::rows::{Row, RowNames, RowRules};

/// A process that is not ready then has no time for a row either.
const START_TIME: Duration = Duration::from_secs(60);

/// What a worker is told first. The plan is TOML, which has every number that it may hold.
#[derive(Serialize, Deserialize)]
struct Task {
    plan: String,
    rules: RowRules,
    inputs: JobInputs,
    limits: Option<PathBuf>,
    manifest: PathBuf,
    truth_cache_bytes: u64,
    /// The header of the rows; both processes must compute the same.
    hash: String,
}

/// A row to be scored.
#[derive(Serialize, Deserialize)]
struct Request {
    number: u64,
    text: String,
    known: Vec<String>,
}

#[derive(Serialize, Deserialize)]
enum Response {
    Known(String),
    Row(Box<Row>),
}

/// Processes that score rows; they end with this value.
pub struct RowWorkers {
    task: Vec<u8>,
    limits: WorkerLimits,
    command: Box<dyn Fn() -> Command + Send + Sync>,
    idle: Mutex<Vec<WorkerProcess>>,
}

impl RowWorkers {
    /// Workers for a job; `command` starts one. None is started before there is something to score.
    ///
    /// # Errors
    /// The job cannot be told to another process, because a path is no text.
    pub fn new(
        scorer: &RowScorer,
        job: &RowJob,
        limits: WorkerLimits,
        command: impl Fn() -> Command + Send + Sync + 'static,
    ) -> Result<Self, JobError> {
        let base = scorer.base();
        let task = Task {
            plan: toml::to_string(&base.plan).unwrap_or_default(),
            rules: scorer.header().job.clone(),
            inputs: base.inputs.clone(),
            limits: job.job.rules.limits.clone(),
            manifest: job.manifest.clone(),
            truth_cache_bytes: job.truth_cache_bytes,
            hash: scorer.header().hash.clone(),
        };
        let mut line = serde_json::to_vec(&task).map_err(|error| {
            let hint = "name folders and files in letters of Unicode";
            JobError::rows(job.manifest.display().to_string(), "PATH_NO_TEXT", error.to_string(), hint)
        })?;
        line.push(b'\n');
        Ok(Self { task: line, limits, command: Box::new(command), idle: Mutex::default() })
    }

    /// The row of a line, from a worker that lives or from a fresh one.
    pub(super) fn score(
        &self,
        scorer: &RowScorer,
        line: &ManifestLine,
        known: &[String],
    ) -> Result<Scored, JobError> {
        let request = Request { number: line.number, text: line.text().to_owned(), known: known.to_vec() };
        let mut request = serde_json::to_vec(&request).unwrap_or_default();
        request.push(b'\n');
        if let Some(worker) = self.idle.lock().ok().and_then(|mut idle| idle.pop()) {
            match self.ask(worker, &request) {
                Ok(scored) => return Ok(scored),
                Err(Failed::TooLong) => return Ok(self.refused(scorer, line, &Failed::TooLong)),
                // What earlier rows left in its memory may be the cause: a fresh worker decides.
                Err(Failed::OutOfMemory | Failed::Ended(_)) => {}
            }
        }
        let start_time = self.limits.max_time.max(START_TIME);
        let worker = WorkerProcess::start((self.command)(), &self.task, start_time).map_err(|why| {
            let hint = "allow more time or memory for a row, or score without processes of their own";
            JobError::rows("a process for rows", "WORKER_NOT_STARTED", why, hint)
        })?;
        Ok(self.ask(worker, &request).unwrap_or_else(|failed| self.refused(scorer, line, &failed)))
    }

    /// Asks a worker, and keeps it for the next row if it answers.
    fn ask(&self, mut worker: WorkerProcess, request: &[u8]) -> Result<Scored, Failed> {
        let answer = worker.exchange(request, self.limits.max_time)?;
        let response = serde_json::from_slice(&answer)
            .map_err(|error| Failed::Ended(format!("gave no answer: {error}")))?;
        if let Ok(mut idle) = self.idle.lock() {
            idle.push(worker);
        }
        Ok(match response {
            Response::Known(key) => Scored::Known(key),
            Response::Row(row) => Scored::Row(row),
        })
    }

    /// The row of a line whose process gave no answer.
    fn refused(&self, scorer: &RowScorer, line: &ManifestLine, failed: &Failed) -> Scored {
        let (code, message, hint) = match failed {
            Failed::TooLong => {
                let seconds = self.limits.max_time.as_secs_f64();
                ("ROW_TIMEOUT", format!("the row took longer than {seconds} s"), "allow more time for a row")
            }
            Failed::OutOfMemory => {
                let message = format!("the row needed more than {}", memory(self.limits.max_memory_bytes));
                ("ROW_MEMORY", message, "allow more memory for a row")
            }
            Failed::Ended(how) => {
                ("WORKER_DIED", format!("the process of the row {how}"), "please report it with the files")
            }
        };
        let key = scorer.unfinished_key(line);
        let names = RowNames { row: line.row.clone(), key, id: line.id.clone(), tags: line.tags.clone() };
        Scored::Row(Box::new(Row::of_error(names, code, message, Some(hint.to_owned()))))
    }
}

/// A process that scores rows for another one.
pub struct RowWorker {
    scorer: RowScorer,
}

impl RowWorker {
    /// Takes the first line; with the answer to it.
    ///
    /// # Errors
    /// Why it cannot score anything; that is the answer then.
    pub fn new(line: &str) -> Result<(Self, Vec<u8>), String> {
        let task: Task = serde_json::from_str(line).map_err(|error| error.to_string())?;
        let plan = toml::from_str(&task.plan).map_err(|error| error.to_string())?;
        let RowRules { read, resolutions, detail, .. } = task.rules;
        let rules = RuleFiles { limits: task.limits, ..RuleFiles::default() };
        let job = Job { inputs: task.inputs, read, resolutions, plan, rules };
        let Task { manifest, truth_cache_bytes, hash, .. } = task;
        let row_job = RowJob { job, manifest, detail, truth_cache_bytes };
        let scorer = RowScorer::trusting_manifest(&row_job).map_err(|error| error.to_string())?;
        if scorer.header().hash != hash {
            return Err("the process for rows understood another job".to_owned());
        }
        Ok((Self { scorer }, READY.to_owned()))
    }

    /// The answer to a request; none to any other line.
    #[must_use]
    pub fn answer(&self, request: &str) -> Option<Vec<u8>> {
        let request: Request = serde_json::from_str(request).ok()?;
        let line = ManifestLine::parse(request.number, &request.text).ok()?;
        let is_known = |key: &str| request.known.iter().any(|known| key.starts_with(known.as_str()));
        let response = match self.scorer.score(&line, &is_known) {
            Scored::Known(key) => Response::Known(key),
            Scored::Row(row) => Response::Row(row),
        };
        serde_json::to_vec(&response).ok()
    }
}

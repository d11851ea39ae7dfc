//! `mapjudge score --manifest FILE`: many pairs, one row each, in files that survive being killed.

use std::fmt::Write;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use mapjudge::Verdict;
use mapjudge::files::rows::{
    Estimate, Retry, RowJob, RowRun, RowScorer, RowSummary, RowWorker, RowWorkers, Trust, estimate_rows,
    score_rows,
};
use mapjudge::files::{Job, WorkerLimits};
use mapjudge::rows::{RowDetail, Shard};

use crate::Global;
use crate::commands::worker_loop::serve;
use crate::failure::Failure;
use crate::flags::{parse_room, parse_seconds, parse_size};
use crate::format::Format;
use crate::output::{Answer, Output, OutputFlags, Printed, json};
use crate::program;
use crate::progress::Progress;
use crate::stopping::asked_to_stop;

/// Rows behind the estimate that is shown before an expensive run.
const ROWS_OF_WARNING: u64 = 3;
/// Seconds of a row where nothing else is said: a hundred days.
const NO_TIMEOUT_S: f64 = 8.64e6;

/// Flags of `score` for many pairs.
#[derive(clap::Args)]
#[command(next_help_heading = "Many pairs")]
pub struct ManifestFlags {
    /// File of pairs, one JSON object per line: {"map": "a.yaml", "truth": "t.yaml", "id": "run 7", "tags": {"seed": 3}}, with
    /// any key of a job file. Each pair becomes a row in the folder of --out; `mapjudge help scale` describes it.
    #[arg(long, value_name = "FILE", conflicts_with = "maps")]
    manifest: Option<PathBuf>,
    /// Score only every Nth line, from line I on: one process per shard.
    #[arg(long, value_name = "I/N", requires = "manifest")]
    shard: Option<Shard>,
    /// Score so many lines, tell what all of them will cost, and write nothing.
    #[arg(long, value_name = "ROWS", requires = "manifest", value_parser = clap::value_parser!(u64).range(1..=100_000))]
    estimate: Option<u64>,
    /// Take rows that are there as they are, without reading their inputs again to see whether they changed.
    #[arg(long, requires = "manifest")]
    trust_paths: bool,
    /// Score rows with an error again. Those whose files could not be opened always are.
    #[arg(long, requires = "manifest")]
    retry_errors: bool,
    /// Score rows in processes of their own, so that a crash costs one row.
    #[arg(long, requires = "manifest")]
    isolate: bool,
    /// Seconds after which a row is given up with ROW_TIMEOUT.
    #[arg(long, value_name = "S", requires = "isolate", value_parser = parse_seconds)]
    row_timeout: Option<f64>,
    /// Memory of the process of a row, such as 2GiB; beyond it the row is given up [default: that of --max-memory].
    #[arg(long, value_name = "SIZE", requires = "isolate", value_parser = parse_size)]
    row_memory: Option<u64>,
    /// Room for decoded truths, which many maps share.
    #[arg(long, value_name = "SIZE", requires = "manifest", default_value = "256MB", value_parser = parse_room)]
    truth_cache: u64,
    /// What a row holds: values alone, or the whole case of the report as well.
    #[arg(long, value_name = "values|full", requires = "manifest", value_parser = ["values", "full"])]
    detail: Option<String>,
    /// Compute all metrics although maps have to be searched in the truth, which takes seconds per row.
    #[arg(long, requires = "manifest")]
    all_metrics: bool,
    /// Score rows for another mapjudge, which tells them on stdin.
    #[arg(long, hide = true)]
    row_worker: bool,
}

impl ManifestFlags {
    /// Whether this process works for another one.
    pub fn is_worker(&self) -> bool {
        self.row_worker
    }

    /// Answers requests of another mapjudge.
    pub fn work(global: &Global) -> Result<Answer, Failure> {
        serve(&global.limits, RowWorker::new, RowWorker::answer)
    }

    /// The rows of a manifest; none if these flags name no manifest.
    pub fn run(&self, job: Job, output: &OutputFlags, global: &Global) -> Option<Result<Answer, Failure>> {
        let manifest = self.manifest.clone()?;
        let detail = if self.detail.as_deref() == Some("full") { RowDetail::Full } else { RowDetail::Values };
        let row_job = RowJob { job, manifest, detail, truth_cache_bytes: self.truth_cache };
        Some(self.run_manifest(&row_job, output, global))
    }

    fn run_manifest(&self, job: &RowJob, output: &OutputFlags, global: &Global) -> Result<Answer, Failure> {
        if ![Format::Table, Format::Json].contains(&output.format()) {
            return Err(Failure::new("--format: rows of a manifest are summed up as table or json")
                .hint("`mapjudge merge` writes the rows as CSV, JSON lines or Parquet"));
        }
        let scorer = RowScorer::new(job)?;
        let shard = self.shard.unwrap_or(Shard::WHOLE);
        if let Some(rows) = self.estimate {
            let estimate = estimate_rows(&scorer, shard, rows)?;
            return Ok(output.answer_without_folder(Printed::new(estimate, estimate_table)));
        }
        let Some(out) = output.out.clone() else {
            return Err(Failure::new("--manifest needs --out DIR").hint("rows are written into that folder"));
        };
        self.refuse_costly(&scorer, shard)?;
        let workers = self.isolate.then(|| self.workers(&scorer, job, global)).transpose()?;
        let run = RowRun {
            out,
            shard: Some(shard),
            trust: if self.trust_paths { Trust::Paths } else { Trust::Contents },
            retry: if self.retry_errors { Retry::AllErrors } else { Retry::FileSystem },
        };
        let stop = asked_to_stop()?;
        let lines = usize::try_from(shard.lines_of(scorer.manifest().lines())).unwrap_or(usize::MAX);
        let bar = Progress::steps(lines, global.quiet).counting_until("rows", "finished rows stay");
        let show = |summary: &RowSummary| {
            bar.done(usize::try_from(summary.scored + summary.known).unwrap_or(usize::MAX));
        };
        let summary = score_rows(&scorer, workers.as_ref(), &run, &stop, &show)?;
        drop(bar);
        Ok(output.answer_without_folder(Rows(summary)))
    }

    /// Shows what a run costs that nobody has chosen metrics for, and asks for a choice.
    fn refuse_costly(&self, scorer: &RowScorer, shard: Shard) -> Result<(), Failure> {
        if self.all_metrics || !scorer.searches_with_all_metrics()? {
            return Ok(());
        }
        let estimate = estimate_rows(scorer, shard, ROWS_OF_WARNING)?;
        let message = format!(
            "maps have to be searched in the truth and no metrics were chosen: about {:.0} ms a row, {} core-hours for {} rows",
            estimate.mean_ms,
            hours(estimate.core_hours),
            estimate.lines
        );
        Err(Failure::new(message).hint(
            "choose metrics, for instance --metrics cells,distance, or use --all-metrics for this price",
        ))
    }

    fn workers(&self, scorer: &RowScorer, job: &RowJob, global: &Global) -> Result<RowWorkers, Failure> {
        // Where it lives inside of another program, that one is started.
        let words = program::words().map_err(|error| program::not_found(&error))?;
        let max_memory_bytes = self.row_memory.unwrap_or(global.limits.max_memory_bytes());
        let max_time = Duration::from_secs_f64(self.row_timeout.unwrap_or(NO_TIMEOUT_S));
        let limits = WorkerLimits { max_memory_bytes, max_time };
        let command = move || {
            let mut command = Command::new(&words[0]);
            command.args(&words[1..]).args(["score", "--row-worker", "--threads", "1"]);
            command.args(["--max-memory", &max_memory_bytes.to_string()]);
            command
        };
        Ok(RowWorkers::new(scorer, job, limits, command)?)
    }
}

/// What a run did.
struct Rows(RowSummary);

impl Output for Rows {
    fn render(&self, format: Format) -> Result<String, Failure> {
        if format == Format::Json { json(&self.0) } else { Ok(summary_table(&self.0)) }
    }

    fn errors(&self) -> Vec<String> {
        let RowSummary { errors, lines, missed, is_stopped, .. } = &self.0;
        let mut told = Vec::new();
        if *errors > 0 {
            told.push(format!("error: {errors} of {lines} rows have an error; the row file says why"));
        }
        if *missed > 0 {
            told.push(format!(
                "error: {missed} of {lines} rows miss a limit; `missed` in the row file names it"
            ));
        }
        if *is_stopped {
            let left = lines - self.0.scored - self.0.known;
            told.push(format!("error: stopped with {left} rows left; the same command goes on"));
        }
        told
    }

    fn verdict(&self) -> Verdict {
        let RowSummary { errors, missed, is_stopped, .. } = &self.0;
        match (*errors > 0 || *is_stopped, *missed > 0) {
            (true, _) => Verdict::NotJudged,
            (false, true) => Verdict::Missed,
            (false, false) => Verdict::Fine,
        }
    }
}

fn summary_table(summary: &RowSummary) -> String {
    let RowSummary { file, lines, scored, known, errors, codes, missed, .. } = summary;
    let mut text = format!("{file}\n");
    let _ = writeln!(text, "lines          {lines:>10}");
    let _ = writeln!(text, "scored now     {scored:>10}");
    let _ = writeln!(text, "there already  {known:>10}");
    let _ = writeln!(text, "with an error  {errors:>10}");
    for (code, count) in codes {
        let _ = writeln!(text, "  {code} {count}");
    }
    let _ = writeln!(text, "limits missed  {missed:>10}");
    text
}

fn estimate_table(estimate: &Estimate) -> String {
    let Estimate { sampled, errors, lines, mean_ms, max_ms, core_hours, row_bytes, all_bytes } = estimate;
    let mut text = format!("{sampled} of {lines} rows scored, {errors} with an error; nothing was written\n");
    let _ = writeln!(text, "processor time {mean_ms:>10.2} ms a row, at most {max_ms:.2} ms");
    let _ = writeln!(text, "all rows       {:>10} core-hours", hours(*core_hours));
    let _ = writeln!(text, "row files      {row_bytes:>10.0} bytes a row, {:.3} MB in all", all_bytes / 1e6);
    text
}

/// Hours with as many digits as an estimate has.
fn hours(hours: f64) -> String {
    if hours < 0.1 { format!("{hours:.5}") } else { format!("{hours:.1}") }
}

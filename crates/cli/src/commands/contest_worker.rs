//! `mapjudge contest worker`: judges submissions for `mapjudge contest`, in a process of its own and with limits.

use std::process::Command;

use mapjudge::Figures;
use mapjudge::files::contest::{ContestFolder, ContestWorker, Workers};

use crate::commands::worker_loop::serve;
use crate::failure::Failure;
use crate::flags::LimitFlags;
use crate::output::Answer;
use crate::program;

/// The workers of a contest: this program once more.
pub fn workers(
    folder: &ContestFolder,
    figures: Figures,
    flags: &LimitFlags,
    submissions: usize,
) -> Result<Workers, Failure> {
    // Asked for once before the first worker: then a program that cannot be found is an error of this command.
    program::again()
        .map_err(|error| Failure::new(format!("this program cannot be found to start it again: {error}")))?;
    let limits = flags.of_submission();
    // As many at once as there are threads; a contest of few submissions gives each worker several.
    let threads = rayon::current_num_threads();
    let threads_each = (threads / submissions.clamp(1, threads.max(1))).max(1);
    let max_memory = limits.max_memory_bytes.to_string();
    let command = move || {
        let mut command = program::again().unwrap_or_else(|_| Command::new("mapjudge"));
        command.args(["contest", "worker", "--max-memory", &max_memory]);
        command.args(["--threads", &threads_each.to_string()]);
        command
    };
    Ok(Workers::new(folder, figures, limits, command)?)
}

/// Judges the submissions that stdin names.
pub fn run(limits: &LimitFlags) -> Result<Answer, Failure> {
    serve(limits, ContestWorker::new, ContestWorker::answer)
}

//! `mapjudge contest worker`: judges submissions for `mapjudge contest`, in a process of its own and with limits.

use std::io::{BufRead, Write};
use std::process::Command;

use mapjudge::files::contest::{ContestFolder, ContestWorker, Workers};
use mapjudge::{Figures, JobError};

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

/// Answers the lines of stdin, until they end: then this process ends at once, whatever it is doing.
pub fn run(limits: &LimitFlags) -> Result<Answer, Failure> {
    limit_memory(limits.max_memory_bytes())?;
    let (send, lines) = std::sync::mpsc::channel::<String>();
    std::thread::spawn(move || {
        for line in std::io::stdin().lock().lines().map_while(Result::ok) {
            if send.send(line).is_err() {
                break;
            }
        }
        // Nobody waits for an answer any more.
        std::process::exit(0);
    });
    let Ok(task) = lines.recv() else { return Ok(Answer::notes(Vec::new())) };
    let worker = match ContestWorker::new(&task) {
        Ok((worker, ready)) => {
            answer(&ready)?;
            worker
        }
        Err(why) => {
            answer(why.replace('\n', " ").as_bytes())?;
            return Ok(Answer::notes(Vec::new()));
        }
    };
    for line in lines {
        answer(&worker.answer(&line).unwrap_or_default())?;
    }
    Ok(Answer::notes(Vec::new()))
}

fn answer(bytes: &[u8]) -> Result<(), Failure> {
    let mut output = std::io::stdout().lock();
    let written =
        output.write_all(bytes).and_then(|()| output.write_all(b"\n")).and_then(|()| output.flush());
    written.map_err(|source| JobError::File { path: "stdout".to_owned(), source }.into())
}

/// Lets every allocation beyond a limit fail, and an abort leave no core file of that size.
#[cfg(unix)]
fn limit_memory(bytes: u64) -> Result<(), Failure> {
    use rustix::process::{Resource, Rlimit, setrlimit};
    let limit = |bytes: u64| Rlimit { current: Some(bytes), maximum: Some(bytes) };
    let set = setrlimit(Resource::As, limit(bytes)).and_then(|()| setrlimit(Resource::Core, limit(0)));
    set.map_err(|error| Failure::new(format!("memory cannot be limited to {bytes} bytes: {error}")))
}

/// Other systems have no such limit; aborts and time are kept apart there too.
#[cfg(not(unix))]
fn limit_memory(_: u64) -> Result<(), Failure> {
    Ok(())
}

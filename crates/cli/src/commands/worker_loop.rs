//! The loop of a process that works for another mapjudge, with a limit of memory.

use std::io::{BufRead, Write};

use mapjudge::JobError;

use crate::failure::Failure;
use crate::flags::LimitFlags;
use crate::output::Answer;

/// Answers the lines of stdin, until they end: then this process ends at once, whatever it is doing. The first line makes the
/// worker, which answers the others.
pub fn serve<W>(
    limits: &LimitFlags,
    start: impl FnOnce(&str) -> Result<(W, Vec<u8>), String>,
    answer_of: impl Fn(&W, &str) -> Option<Vec<u8>>,
) -> Result<Answer, Failure> {
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
    let worker = match start(&task) {
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
        answer(&answer_of(&worker, &line).unwrap_or_default())?;
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

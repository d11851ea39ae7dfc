//! A process for strangers' files, from outside: started in a group of its own, listened to with limits, and ended with
//! all that it started when its time is over.

use std::io::{BufReader, Read};
use std::process::{Child, ChildStderr, Command, Stdio};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use mapjudge::files::{ProcessFailure, memory_words, process_failure};

use super::JobsError;
use super::task::{ChildLimits, TakePart, read_parts};

/// How often somebody looks whether the process has to end.
const GLANCE: Duration = Duration::from_millis(50);
/// What a process says last, such as why it aborts, is shorter.
const MAX_LAST_WORDS: usize = 16 << 10;

/// Runs a process until its answer is complete; `take` gets the parts. The command has an empty environment.
///
/// # Errors
/// It came to no answer, in words for its team; or `should_stop` said so, or `take` failed.
pub fn run_child(
    mut command: Command,
    limits: &ChildLimits,
    should_stop: &(dyn Fn() -> bool + Sync),
    take: TakePart<'_, JobsError>,
) -> Result<(), JobsError> {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    let mut child = command.spawn().map_err(JobsError::files("the process that judges"))?;
    let (output, errors) = (child.stdout.take(), child.stderr.take());
    let group = child.id();
    let mut failed = None;
    let (read, end, words) = std::thread::scope(|scope| {
        let (done, is_done) = channel::<()>();
        let watch = scope.spawn(move || {
            let begun = Instant::now();
            loop {
                match is_done.recv_timeout(GLANCE.min(limits.max_time)) {
                    Err(RecvTimeoutError::Timeout) => {}
                    _ => return None,
                }
                let is_late = begun.elapsed() >= limits.max_time;
                if is_late || should_stop() {
                    end_group(group);
                    return Some(if is_late { Stopped::TooLong } else { Stopped::Asked });
                }
            }
        });
        let words = scope.spawn(|| errors.map(last_words).unwrap_or_default());
        let mut output = BufReader::new(
            output.map_or_else(|| Box::new(std::io::empty()) as Box<dyn Read>, |o| Box::new(o)),
        );
        let read = read_parts(&mut output, &mut |head, body| {
            take(head, body).map_err(|error| {
                let words = error.to_string();
                failed = Some(error);
                words
            })
        });
        drop(output);
        drop(done);
        (read, watch.join().unwrap_or(None), finish(&mut child, words))
    });
    match (failed, end, read) {
        (Some(error), ..) => Err(error),
        (None, Some(Stopped::Asked), _) => Err(JobsError::Stopped),
        (None, None, Ok(())) => Ok(()),
        (None, Some(Stopped::TooLong), _) => {
            let seconds = limits.max_time.as_secs_f64();
            Err(JobsError::Died(format!("the judging took longer than {seconds} s")))
        }
        (None, None, Err(why)) => Err(JobsError::Died(words_of(&why, words, limits))),
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stopped {
    TooLong,
    Asked,
}

/// The end of a process that nobody listens to any more, and what it said last.
type Ended = (Option<std::process::ExitStatus>, Vec<u8>);

/// Waits for a process that has said everything; one that does not end is ended.
fn finish(child: &mut Child, words: std::thread::ScopedJoinHandle<'_, Vec<u8>>) -> Ended {
    const PATIENCE: usize = 100;
    let mut status = None;
    for _ in 0..PATIENCE {
        status = child.try_wait().ok().flatten();
        if status.is_some() {
            break;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    // Whatever it started goes with it.
    end_group(child.id());
    if status.is_none() {
        let _ = child.kill();
        status = child.wait().ok();
    }
    (status, words.join().unwrap_or_default())
}

fn end_group(process: u32) {
    #[cfg(unix)]
    if let Some(group) = i32::try_from(process).ok().and_then(rustix::process::Pid::from_raw) {
        // No such group: all of it has ended.
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
    #[cfg(not(unix))]
    let _ = process;
}

fn words_of(why: &str, (status, words): Ended, limits: &ChildLimits) -> String {
    let words = String::from_utf8_lossy(&words);
    match process_failure(status, &words) {
        ProcessFailure::OutOfMemory => {
            format!("the judging needed more than {}", memory_words(limits.max_memory_bytes))
        }
        // It ended as one that has done its work.
        _ if status.is_some_and(|status| status.success()) => format!("the judging {why}"),
        ProcessFailure::Ended(how) => format!("the judging {how}"),
        ProcessFailure::TooLong => "the judging took too long".to_owned(),
    }
}

/// Reads all that a process says and keeps the end of it.
fn last_words(mut errors: ChildStderr) -> Vec<u8> {
    let (mut words, mut piece) = (Vec::new(), [0; 4096]);
    while let Ok(read @ 1..) = errors.read(&mut piece) {
        words.extend_from_slice(&piece[..read]);
        words.drain(..words.len().saturating_sub(MAX_LAST_WORDS));
    }
    words
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::*;
    use crate::contest::jobs::task::Part;

    fn limits(max_time_ms: u64) -> ChildLimits {
        ChildLimits { max_memory_bytes: 2 << 30, max_time: Duration::from_millis(max_time_ms), threads: 1 }
    }

    fn run(script: &str, limits: &ChildLimits) -> Result<Vec<(Part, Vec<u8>)>, JobsError> {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        let mut parts = Vec::new();
        run_child(command, limits, &|| false, &mut |head, body| {
            let mut bytes = Vec::new();
            body.read_to_end(&mut bytes).map_err(JobsError::files("part"))?;
            parts.push((head.part, bytes));
            Ok(())
        })?;
        Ok(parts)
    }

    const GOOD: &str =
        "echo '{\"part\":\"check\",\"bytes\":3}'; printf abc; echo '{\"part\":\"end\",\"bytes\":0}'";

    #[test]
    fn an_answer_is_taken_and_every_other_end_has_words() {
        // Long enough on a loaded machine, where the end comes by itself.
        const PATIENT_MS: u64 = 60_000;
        assert_eq!(run(GOOD, &limits(PATIENT_MS)).unwrap(), [(Part::Check, b"abc".to_vec())]);
        for (script, words) in [
            ("kill -ABRT $$", "the judging was ended by signal 6"),
            ("kill -KILL $$", "the judging was ended by signal 9"),
            ("exit 3", "the judging ended without an answer, exit status: 3"),
            ("exit 0", "the judging ended without an answer"),
            ("echo nonsense; exit 0", "gave no answer"),
            ("echo '{\"part\":\"check\",\"bytes\":999999999}'", "handed back 999999999 bytes"),
            ("echo memory allocation of 9 bytes failed >&2; kill -ABRT $$", "more than 2 GiB"),
        ] {
            let told = run(script, &limits(PATIENT_MS)).unwrap_err().to_string();
            assert!(told.contains(words), "{script}: {told}");
        }
        for script in ["sleep 600", "echo '{\"part\":\"check\",\"bytes\":3}'; sleep 600"] {
            let told = run(script, &limits(700)).unwrap_err().to_string();
            assert!(told.contains("longer than 0.7 s"), "{script}: {told}");
        }
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn what_a_process_started_ends_with_it() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("process");
        let (script, file) = (format!("'{}'", file.display()), file);
        let script = format!("sleep 600 & echo $! > {script}.new; mv {script}.new {script}; {GOOD}");
        assert!(run(&script, &limits(60_000)).is_ok());
        let process: u32 = std::fs::read_to_string(file).unwrap().trim().parse().unwrap();
        // Gone, or dead and not yet fetched by its parent.
        let is_alive = || {
            let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
            stat.rsplit_once(") ").is_some_and(|(_, rest)| !rest.starts_with(['Z', 'X']))
        };
        let begun = Instant::now();
        while is_alive() {
            assert!(begun.elapsed() < Duration::from_secs(60), "it goes on for the rest of its ten minutes");
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    #[test]
    fn a_process_is_ended_when_nobody_wants_its_answer() {
        let stop = AtomicBool::new(false);
        let mut command = Command::new("sh");
        command.args(["-c", "sleep 600"]);
        let begun = Instant::now();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(Duration::from_millis(100));
                stop.store(true, Ordering::Relaxed);
            });
            let ended =
                run_child(command, &limits(60_000), &|| stop.load(Ordering::Relaxed), &mut |_, _| Ok(()));
            assert!(matches!(ended, Err(JobsError::Stopped)));
        });
        assert!(begun.elapsed() < Duration::from_secs(60), "ten minutes otherwise");
    }
}

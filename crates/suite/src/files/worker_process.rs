//! Processes of this program that work for another one, with limits: one that exhausts memory, stack or time costs its task
//! and nothing else.
//!
//! A worker is told what to do on its first line of input and answers [`READY`]; then it answers each line with one line.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStderr, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread::JoinHandle;
use std::time::Duration;

/// The first answer of a worker that can work.
pub(super) const READY: &[u8] = b"ready";
/// A longer answer is no result.
const MAX_ANSWER_BYTES: u64 = 1 << 30;
/// What a worker says last, such as why it aborts, is shorter.
const MAX_LAST_WORDS: usize = 1 << 16;

/// What one task of a worker may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WorkerLimits {
    /// Memory of a worker, bytes; the truth is in it too. Workers set it themselves.
    pub max_memory_bytes: u64,
    /// Time for one task.
    pub max_time: Duration,
}

/// Bytes in the unit that makes a whole number.
#[must_use]
pub fn memory(bytes: u64) -> String {
    for (unit, shift) in [("GiB", 30), ("MiB", 20), ("KiB", 10)] {
        if bytes >> shift > 0 && bytes.is_multiple_of(1 << shift) {
            return format!("{} {unit}", bytes >> shift);
        }
    }
    format!("{bytes} bytes")
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failed {
    /// Its time was over.
    TooLong,
    /// An allocation failed.
    OutOfMemory,
    /// As the end of a sentence.
    Ended(String),
}

/// One process.
pub(super) struct WorkerProcess {
    child: Child,
    input: Option<ChildStdin>,
    answers: Receiver<Vec<u8>>,
    /// Ends with the process.
    last_words: Option<JoinHandle<Vec<u8>>>,
}

impl WorkerProcess {
    /// Starts a process and tells it its task, a line, which it answers with [`READY`]; the error says why it is not ready.
    pub(super) fn start(mut command: Command, task: &[u8], max_time: Duration) -> Result<Self, String> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        // A group of its own: whatever it starts can be ended with it, and Ctrl-C on a terminal reaches the parent alone.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn().map_err(|error| error.to_string())?;
        let (input, output, errors) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (send, answers) = channel();
        std::thread::spawn(move || {
            let mut output = BufReader::new(output?);
            loop {
                let mut line = Vec::new();
                let read = output.by_ref().take(MAX_ANSWER_BYTES).read_until(b'\n', &mut line).ok()?;
                if read == 0 || line.pop() != Some(b'\n') || send.send(line).is_err() {
                    return Some(());
                }
            }
        });
        let last_words = Some(std::thread::spawn(move || errors.map(last_words).unwrap_or_default()));
        let mut worker = Self { child, input, answers, last_words };
        let ready = worker.exchange(task, max_time);
        match ready {
            Ok(answer) if answer == READY => Ok(worker),
            Ok(answer) => Err(String::from_utf8_lossy(&answer).into_owned()),
            Err(Failed::TooLong) => Err("its start took too long".to_owned()),
            Err(Failed::OutOfMemory) => Err("its start needed too much memory".to_owned()),
            Err(Failed::Ended(how)) => Err(format!("a process for judging {how}")),
        }
    }

    /// Sends a line and waits for the answer; ends the process if there is none.
    pub(super) fn exchange(&mut self, line: &[u8], max_time: Duration) -> Result<Vec<u8>, Failed> {
        // A process that has ended is noticed by its missing answer.
        let _ = self.input.as_mut().map(|input| input.write_all(line).and_then(|()| input.flush()));
        match self.answers.recv_timeout(max_time) {
            Ok(answer) => Ok(answer),
            Err(RecvTimeoutError::Timeout) => Err(Failed::TooLong),
            Err(RecvTimeoutError::Disconnected) => {
                let status = self.end();
                let words = self.last_words.take().and_then(|words| words.join().ok()).unwrap_or_default();
                Err(cause(status, &String::from_utf8_lossy(&words)))
            }
        }
    }

    /// Ends the process and its group, and waits for it.
    fn end(&mut self) -> Option<ExitStatus> {
        drop(self.input.take());
        // One that is ending by itself says why; it has closed its output already.
        for _ in 0..100 {
            if let Ok(Some(status)) = self.child.try_wait() {
                return Some(status);
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        self.kill()
    }

    fn kill(&mut self) -> Option<ExitStatus> {
        #[cfg(unix)]
        if let Some(group) = i32::try_from(self.child.id()).ok().and_then(rustix::process::Pid::from_raw) {
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
        let _ = self.child.kill();
        self.child.wait().ok()
    }
}

impl Drop for WorkerProcess {
    fn drop(&mut self) {
        if !matches!(self.child.try_wait(), Ok(Some(_))) {
            self.kill();
        }
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

/// Why a process ended, from its status and its last words.
#[must_use]
pub fn cause(status: Option<ExitStatus>, words: &str) -> Failed {
    if words.contains("memory allocation of") {
        return Failed::OutOfMemory;
    }
    if words.contains("overflowed its stack") {
        return Failed::Ended("overflowed the stack".to_owned());
    }
    let Some(status) = status else { return Failed::Ended("ended without an answer".to_owned()) };
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return Failed::Ended(format!("was ended by signal {signal}"));
    }
    Failed::Ended(format!("ended without an answer, {status}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cause_is_told_from_the_last_words() {
        assert_eq!(cause(None, "memory allocation of 5368709120 bytes failed"), Failed::OutOfMemory);
        let overflow = "thread 'main' (12) has overflowed its stack\nfatal runtime error: stack overflow";
        assert!(matches!(cause(None, overflow), Failed::Ended(how) if how.contains("stack")));
        assert!(matches!(cause(None, ""), Failed::Ended(_)));
        let shown = [2 << 30, 512 << 20, 1500].map(memory);
        assert_eq!(shown, ["2 GiB", "512 MiB", "1500 bytes"]);
    }
}

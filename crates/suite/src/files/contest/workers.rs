//! Submissions measured in processes of their own, with limits: one that exhausts memory, stack or time costs its team
//! a score and nobody else anything.
//!
//! A worker is this program once more. It is told the contest on its first line of input, then two numbers per line,
//! team and mission, and answers each with one line of JSON. A worker measures many submissions, because most of its
//! start is the truth; one that fails is replaced, and the submission is tried once more in a fresh worker, which holds
//! nothing of others.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStderr, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread::JoinHandle;
use std::time::Duration;

use model::{Finding, Level};

use super::contest_file::ContestFolder;
use super::worker::Task;
use crate::contest::{FileFinding, Measured, Measurement, Measurer};
use crate::{Figures, JobError};

/// A longer answer is no measurement.
const MAX_ANSWER_BYTES: u64 = 1 << 30;
/// What a worker says last, such as why it aborts, is shorter.
const MAX_LAST_WORDS: usize = 1 << 16;

/// What one submission may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WorkerLimits {
    /// Memory of a worker, bytes; the truth is in it too. Workers set it themselves.
    pub max_memory_bytes: u64,
    /// Time for one submission.
    pub max_time: Duration,
}

/// Processes that measure the submissions of one contest; they end with this value.
pub struct Workers {
    folder: ContestFolder,
    task: Vec<u8>,
    limits: WorkerLimits,
    command: Box<dyn Fn() -> Command + Send + Sync>,
    idle: Mutex<Vec<Worker>>,
    /// Why no worker can be started at all.
    failed_start: Mutex<Option<String>>,
}

impl Workers {
    /// Workers for a contest; `command` starts one. None is started before there is something to measure.
    ///
    /// # Errors
    /// The contest cannot be told to another process, because a path is no text.
    pub fn new(
        folder: &ContestFolder,
        figures: Figures,
        limits: WorkerLimits,
        command: impl Fn() -> Command + Send + Sync + 'static,
    ) -> Result<Self, JobError> {
        let task = Task::of(folder, figures).to_line()?;
        let (idle, failed_start) = Default::default();
        let command = Box::new(command);
        Ok(Self { folder: folder.clone(), task, limits, command, idle, failed_start })
    }

    /// Why no worker could be started, if so: then nothing of the result holds.
    #[must_use]
    pub fn start_failure(&self) -> Option<String> {
        self.failed_start.lock().ok().and_then(|failed| failed.clone())
    }

    /// A worker that has measured others, or none.
    fn used(&self) -> Option<Worker> {
        self.idle.lock().ok().and_then(|mut idle| idle.pop())
    }

    /// Asks a worker, and keeps it for the next submission if it answers.
    fn ask(&self, mut worker: Worker, place: (usize, usize)) -> Result<Measured, Failed> {
        let measured = worker.measure(place, self.limits.max_time)?;
        if let Ok(mut idle) = self.idle.lock() {
            idle.push(worker);
        }
        Ok(measured)
    }

    fn fresh(&self) -> Option<Worker> {
        if self.start_failure().is_some() {
            return None;
        }
        match Worker::start((self.command)(), &self.task, self.limits.max_time) {
            Ok(worker) => Some(worker),
            Err(why) => {
                self.failed_start.lock().ok()?.get_or_insert(why);
                None
            }
        }
    }

    /// The result of a submission whose measurement failed.
    fn refused(&self, (team, _): (usize, usize), failed: &Failed) -> Measured {
        let (code, why, hint) = match failed {
            Failed::TooLong => {
                let seconds = self.limits.max_time.as_secs_f64();
                let why = format!("the judging took longer than {seconds} s");
                ("JUDGING_TOO_LONG", why, "look at the files; allow more time if they are honest")
            }
            Failed::OutOfMemory => {
                let why = format!("the judging needed more than {}", memory(self.limits.max_memory_bytes));
                ("JUDGING_OUT_OF_MEMORY", why, "look at the files; allow more memory if they are honest")
            }
            Failed::Ended(how) => {
                ("JUDGING_ABORTED", format!("the judging {how}"), "please report it with the files")
            }
        };
        let file = self.folder.file.teams[team].folder.to_string_lossy().replace('\\', "/");
        let finding = Finding::new(Level::Error, code, why.clone()).hint(hint);
        Measured { findings: vec![FileFinding { file, finding }], ..Measured::broken(why) }
    }
}

impl Measurer for Workers {
    fn measure(&self, team: usize, mission: usize) -> Measurement {
        let place = (team, mission);
        if let Some(worker) = self.used() {
            match self.ask(worker, place) {
                Ok(measured) => return Measurement { measured, is_repeatable: true },
                Err(Failed::TooLong) => {
                    return Measurement {
                        measured: self.refused(place, &Failed::TooLong),
                        is_repeatable: false,
                    };
                }
                // What others left in its memory may be the cause: a fresh worker decides.
                Err(Failed::OutOfMemory | Failed::Ended(_)) => {}
            }
        }
        let Some(worker) = self.fresh() else {
            let failed = Failed::Ended("could not be started".to_owned());
            return Measurement { measured: self.refused(place, &failed), is_repeatable: false };
        };
        match self.ask(worker, place) {
            Ok(measured) => Measurement { measured, is_repeatable: true },
            Err(failed) => Measurement { measured: self.refused(place, &failed), is_repeatable: false },
        }
    }
}

/// Bytes in the unit that makes a whole number.
fn memory(bytes: u64) -> String {
    for (unit, shift) in [("GiB", 30), ("MiB", 20), ("KiB", 10)] {
        if bytes >> shift > 0 && bytes.is_multiple_of(1 << shift) {
            return format!("{} {unit}", bytes >> shift);
        }
    }
    format!("{bytes} bytes")
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Failed {
    TooLong,
    OutOfMemory,
    /// As the end of a sentence.
    Ended(String),
}

/// One process.
struct Worker {
    child: Child,
    input: Option<ChildStdin>,
    answers: Receiver<Vec<u8>>,
    /// Ends with the process.
    last_words: Option<JoinHandle<Vec<u8>>>,
}

impl Worker {
    /// Starts a process and tells it the contest; the error says why it is not ready.
    fn start(mut command: Command, task: &[u8], max_time: Duration) -> Result<Self, String> {
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
            Ok(answer) if answer == super::worker::READY => Ok(worker),
            Ok(answer) => Err(String::from_utf8_lossy(&answer).into_owned()),
            Err(Failed::TooLong) => Err("loading the truth took too long".to_owned()),
            Err(Failed::OutOfMemory) => Err("loading the truth needed too much memory".to_owned()),
            Err(Failed::Ended(how)) => Err(format!("a process for judging {how}")),
        }
    }

    fn measure(&mut self, (team, mission): (usize, usize), max_time: Duration) -> Result<Measured, Failed> {
        let answer = self.exchange(format!("{team} {mission}\n").as_bytes(), max_time)?;
        serde_json::from_slice(&answer).map_err(|error| Failed::Ended(format!("gave no answer: {error}")))
    }

    /// Sends a line and waits for the answer; ends the process if there is none.
    fn exchange(&mut self, line: &[u8], max_time: Duration) -> Result<Vec<u8>, Failed> {
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

impl Drop for Worker {
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
fn cause(status: Option<ExitStatus>, words: &str) -> Failed {
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
    use std::path::PathBuf;

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

    /// Workers that are a script of the shell: `$team` is the number of the team.
    #[cfg(unix)]
    fn scripted(answer: &str, max_time_ms: u64) -> Workers {
        let teams = "[[teams]]\nname = 'A'\nfolder = 'a'\n[[teams]]\nname = 'B'\nfolder = 'b'\n";
        let text = format!("profile = 'vr-2008'\n{teams}");
        let folder = ContestFolder::parse(&text, "contest.toml", PathBuf::new()).unwrap();
        let script = format!("read task; echo ready; while read team mission; do {answer}; done");
        let limits = WorkerLimits { max_memory_bytes: 2 << 30, max_time: Duration::from_millis(max_time_ms) };
        let command = move || {
            let mut command = Command::new("sh");
            command.args(["-c", &script]);
            command
        };
        Workers::new(&folder, Figures::None, limits, command).unwrap()
    }

    #[cfg(unix)]
    fn good() -> String {
        format!("echo '{}'", serde_json::to_string(&Measured::default()).unwrap())
    }

    #[cfg(unix)]
    #[test]
    fn whatever_happens_to_the_process_of_one_team_the_next_is_measured() {
        let harms = [
            ("kill -ABRT $$", "JUDGING_ABORTED", "signal 6"),
            ("kill -KILL $$", "JUDGING_ABORTED", "signal 9"),
            ("exit 3", "JUDGING_ABORTED", "ended without an answer"),
            ("echo nonsense", "JUDGING_ABORTED", "gave no answer"),
            ("echo memory allocation of 9 bytes failed >&2; kill -ABRT $$", "JUDGING_OUT_OF_MEMORY", "2 GiB"),
            ("sleep 600", "JUDGING_TOO_LONG", "longer than 1.5 s"),
        ];
        for (harm, code, words) in harms {
            let workers = scripted(&format!("if [ $team = 0 ]; then {harm}; else {}; fi", good()), 1500);
            for _ in 0..2 {
                let kept = workers.measure(1, 0);
                assert_eq!((kept.measured.broken, kept.is_repeatable), (None, true), "{harm}");
                let lost = workers.measure(0, 0);
                let why = lost.measured.broken.unwrap();
                assert!(why.contains(words) && !lost.is_repeatable, "{harm}: {why}");
                assert_eq!(lost.measured.findings[0].finding.code, code, "{harm}");
                assert_eq!(lost.measured.findings[0].file, "a");
            }
            assert_eq!(workers.start_failure(), None);
        }
    }

    #[cfg(unix)]
    #[test]
    fn remains_of_others_in_a_process_are_no_fault_of_a_team() {
        // The second submission of a worker fails, whichever it is.
        let workers = scripted(&format!("n=$((n + 1)); [ $n -lt 2 ] || exit 1; {}", good()), 5000);
        for team in [0, 1, 0, 1] {
            assert_eq!(workers.measure(team, 0).measured.broken, None);
        }
    }

    #[cfg(unix)]
    #[test]
    fn processes_that_do_not_start_are_an_error_of_the_contest() {
        let text = "profile = 'vr-2008'\n[[teams]]\nname = 'A'\nfolder = 'a'\n";
        let folder = ContestFolder::parse(text, "contest.toml", PathBuf::new()).unwrap();
        let limits = WorkerLimits { max_memory_bytes: 1 << 30, max_time: Duration::from_secs(5) };
        for (program, words) in [("/no/such/program", "No such file"), ("false", "ended without an answer")] {
            let workers =
                Workers::new(&folder, Figures::None, limits, move || Command::new(program)).unwrap();
            assert!(workers.measure(0, 0).measured.broken.is_some());
            assert!(workers.start_failure().unwrap().contains(words), "{:?}", workers.start_failure());
        }
    }
}

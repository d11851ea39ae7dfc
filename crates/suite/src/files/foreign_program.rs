//! The one door through which programs of other people are run: as a process of its own, in an empty folder, with a
//! cleared environment, without a shell, and gone with all that it started when it ends or has to be ended.
//!
//! Environment of the program: `PATH` (the folders of the system, behind those that the caller names), `HOME` and
//! `TMPDIR` (its own empty folder), `LANG` as the user has it. Nothing else. A hostile program of the same user is not
//! contained by that: it can read what the user can read.

use std::ffi::OsString;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use crate::JobError;

/// The search path of a program.
const PATH: &str = "/usr/local/bin:/usr/bin:/bin";
/// Variables that it gets from the user.
const KEPT_VARIABLES: [&str; 1] = ["LANG"];
/// How long to wait for the last words of a program that ended.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// A folder of its own that is removed in the end.
pub(crate) struct EmptyFolder {
    pub path: PathBuf,
}

impl EmptyFolder {
    /// Makes a folder among the temporary files; `purpose` stands in its name. No name is given twice: a program may remove
    /// its folder, and what is ended and removed with it must not be that of the next one.
    pub fn make(purpose: &str) -> Result<Self, JobError> {
        const ATTEMPTS: usize = 10_000;
        static MADE: AtomicUsize = AtomicUsize::new(0);
        let base = std::env::temp_dir();
        let mut last = None;
        for _ in 0..ATTEMPTS {
            let number = MADE.fetch_add(1, Ordering::Relaxed);
            let path = base.join(format!("mapjudge-{purpose}-{}-{number}", std::process::id()));
            match std::fs::create_dir(&path) {
                Ok(()) => return Ok(Self { path }),
                Err(source) => last = Some(source),
            }
        }
        let source = last.unwrap_or_else(|| std::io::ErrorKind::AlreadyExists.into());
        Err(JobError::file(base, source))
    }

    /// Writes an input of the program into the folder.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<(), JobError> {
        let path = self.path.join(name);
        std::fs::write(&path, bytes).map_err(|source| JobError::output(&path, source))
    }
}

impl Drop for EmptyFolder {
    fn drop(&mut self) {
        // What cannot be removed is left to the system's own cleaning of temporary files.
        let _ = std::fs::remove_dir_all(&self.path);
    }
}

/// What becomes of the two outputs of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outputs {
    /// Both go to stderr of this process. A file behind them would tell where results are written.
    PassOn,
    /// Each is kept; a program that prints more than this many bytes is ended.
    Keep { max_bytes: usize },
}

/// What is ended with a program, beside its group of processes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Escaped {
    /// Every process that came to this one since: only one program runs at a time.
    All,
    /// Processes whose folder or `TMPDIR` is that of the program: other programs run at the same time.
    OfFolder,
}

/// How a program is run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Door<'a> {
    /// Folders that are searched for programs before those of the system.
    pub search: &'a [PathBuf],
    pub outputs: Outputs,
    pub escaped: Escaped,
}

/// How a program ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    Exited(ExitStatus),
    /// It was ended because its time was over.
    TimedOut,
    /// It was ended because it printed too much.
    TooMuchOutput,
}

/// A program while it runs.
pub(crate) struct ForeignProgram {
    child: Child,
    folder: PathBuf,
    escaped: Escaped,
    /// A message when each of its two outputs has ended.
    ended: Receiver<()>,
    stdout: Kept,
    stderr: Kept,
    is_too_much: Arc<AtomicBool>,
    /// Processes that this one had started before.
    #[cfg(target_os = "linux")]
    others: Vec<i32>,
}

/// What an output said.
type Kept = Arc<Mutex<Vec<u8>>>;

impl ForeignProgram {
    /// Starts a program with its arguments in a folder.
    pub fn start(words: &[OsString], folder: &Path, door: Door<'_>) -> std::io::Result<Self> {
        let (program, arguments) = words.split_first().ok_or(std::io::ErrorKind::InvalidInput)?;
        #[cfg(target_os = "linux")]
        let others = if door.escaped == Escaped::All { descendants::children() } else { Vec::new() };
        let mut child = prepared(program, arguments, folder, door.search).spawn()?;
        let (sender, ended) = channel();
        let (stdout, stderr, is_too_much) = (Kept::default(), Kept::default(), Arc::default());
        let outputs: [(Option<Box<dyn Read + Send>>, &Kept); 2] = [
            (child.stdout.take().map(|pipe| Box::new(pipe) as Box<dyn Read + Send>), &stdout),
            (child.stderr.take().map(|pipe| Box::new(pipe) as Box<dyn Read + Send>), &stderr),
        ];
        for (output, kept) in outputs {
            let Some(mut output) = output else { continue };
            let (sender, kept, flag) = (sender.clone(), Arc::clone(kept), Arc::clone(&is_too_much));
            std::thread::spawn(move || {
                match door.outputs {
                    Outputs::PassOn => pass_on(&mut output),
                    Outputs::Keep { max_bytes } => keep(&mut output, max_bytes, &kept, &flag),
                }
                // Nobody waits for it if the program is gone for long.
                let _ = sender.send(());
            });
        }
        Ok(Self {
            child,
            folder: folder.to_owned(),
            escaped: door.escaped,
            ended,
            stdout,
            stderr,
            is_too_much,
            #[cfg(target_os = "linux")]
            others,
        })
    }

    /// Waits for the program and ends all that it has left.
    pub fn wait(&mut self, timeout: Duration) -> std::io::Result<Ending> {
        const MAX_GLANCE: Duration = Duration::from_millis(20);
        let begun = Instant::now();
        let mut glance = Duration::from_micros(500);
        let ending = loop {
            if self.is_too_much.load(Ordering::Relaxed) {
                break Ending::TooMuchOutput;
            }
            if let Some(status) = self.child.try_wait()? {
                break Ending::Exited(status);
            }
            if begun.elapsed() >= timeout {
                break Ending::TimedOut;
            }
            std::thread::sleep(glance);
            glance = (2 * glance).min(MAX_GLANCE);
        };
        self.end();
        let until = Instant::now() + LAST_WORDS;
        for _ in 0..2 {
            let left = until.saturating_duration_since(Instant::now());
            if self.ended.recv_timeout(left) == Err(RecvTimeoutError::Timeout) {
                break;
            }
        }
        let is_too_much = self.is_too_much.load(Ordering::Relaxed);
        Ok(if is_too_much { Ending::TooMuchOutput } else { ending })
    }

    /// What it said on stdout and on stderr, as far as it was kept.
    pub fn said(&self) -> [Vec<u8>; 2] {
        [&self.stdout, &self.stderr]
            .map(|kept| kept.lock().unwrap_or_else(std::sync::PoisonError::into_inner).clone())
    }

    /// Ends the program and everything that it started.
    fn end(&mut self) {
        #[cfg(unix)]
        if let Some(group) = i32::try_from(self.child.id()).ok().and_then(rustix::process::Pid::from_raw) {
            // No such group: all of it has ended.
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
        // An error says that it has ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
        #[cfg(target_os = "linux")]
        match self.escaped {
            Escaped::All => descendants::end_all_but(&self.others),
            Escaped::OfFolder => descendants::end_all_of(&self.folder),
        }
        #[cfg(not(target_os = "linux"))]
        let _ = (&self.folder, self.escaped);
    }
}

impl Drop for ForeignProgram {
    fn drop(&mut self) {
        self.end();
    }
}

/// Where a program of this name is, as the door would find it; none if it is nowhere.
pub(crate) fn find_program(name: &str, search: &[PathBuf]) -> Option<PathBuf> {
    if name.contains('/') {
        return Some(PathBuf::from(name)).filter(|path| path.is_file());
    }
    let system = PATH.split(':').map(PathBuf::from);
    search.iter().cloned().chain(system).map(|folder| folder.join(name)).find(|path| path.is_file())
}

fn prepared(program: &OsString, arguments: &[OsString], folder: &Path, search: &[PathBuf]) -> Command {
    let mut command = Command::new(program);
    command.args(arguments).current_dir(folder).env_clear();
    let folders = search.iter().cloned().chain(PATH.split(':').map(PathBuf::from));
    let path = std::env::join_paths(folders).unwrap_or_else(|_| PATH.into());
    command.env("PATH", path).env("HOME", folder).env("TMPDIR", folder);
    command.envs(KEPT_VARIABLES.iter().filter_map(|name| Some((name, std::env::var_os(name)?))));
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    command
}

/// Passes on what a program says to stderr.
fn pass_on(output: &mut dyn Read) {
    let mut piece = [0; 4096];
    while let Ok(read @ 1..) = output.read(&mut piece) {
        // A stderr that is gone must not hold the program up.
        let _ = std::io::stderr().write_all(&piece[..read]);
    }
}

/// Keeps what a program says, up to a number of bytes; more raises the flag, and nobody listens any longer.
fn keep(output: &mut dyn Read, max_bytes: usize, kept: &Kept, is_too_much: &AtomicBool) {
    let mut piece = [0; 4096];
    while let Ok(read @ 1..) = output.read(&mut piece) {
        let mut kept = kept.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if kept.len() + read > max_bytes {
            is_too_much.store(true, Ordering::Relaxed);
            return;
        }
        kept.extend_from_slice(&piece[..read]);
    }
}

/// Processes that left the group of a program. They come to this process when their parents end, if it has asked for
/// that: see [`adopt_orphans`].
#[cfg(target_os = "linux")]
mod descendants {
    use std::os::unix::ffi::OsStrExt;
    use std::path::Path;

    use rustix::process::{Pid, Signal, WaitOptions, kill_process, waitpid};

    use crate::files::{read_small, read_small_text};

    /// A line of `/proc/ID/stat`.
    const MAX_STATUS_BYTES: u64 = 1 << 12;
    /// The environment of a process.
    const MAX_ENVIRONMENT_BYTES: u64 = 1 << 22;

    /// Rounds of looking for processes that others started meanwhile.
    const ROUNDS: usize = 100;

    /// The children of this process.
    pub fn children() -> Vec<i32> {
        let own = std::process::id().to_string();
        let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
        let numbers = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
        // `pid (name) state parent ..`; the name may hold blanks and brackets.
        let is_child = |number: &i32| {
            let status = read_small_text(Path::new(&format!("/proc/{number}/stat")), MAX_STATUS_BYTES)
                .unwrap_or_default();
            let parent = status.rsplit_once(") ").and_then(|(_, rest)| rest.split(' ').nth(1));
            parent == Some(own.as_str())
        };
        numbers.filter(is_child).collect()
    }

    pub fn end_all_but(others: &[i32]) {
        end_until_none(|number| !others.contains(&number));
    }

    /// Ends the children that are in a folder, or have it as `TMPDIR`.
    pub fn end_all_of(folder: &Path) {
        let mut variable = b"TMPDIR=".to_vec();
        variable.extend_from_slice(folder.as_os_str().as_bytes());
        end_until_none(|number| {
            let is_there = std::fs::read_link(format!("/proc/{number}/cwd"))
                .is_ok_and(|place| lies_in(place.as_os_str().as_bytes(), folder.as_os_str().as_bytes()));
            let environment =
                read_small(Path::new(&format!("/proc/{number}/environ")), MAX_ENVIRONMENT_BYTES);
            is_there
                || environment
                    .is_ok_and(|bytes| bytes.split(|byte| *byte == 0).any(|entry| entry == variable))
        });
    }

    /// Whether the folder of a process is this one, lies in it, or was it until it was removed.
    pub(super) fn lies_in(place: &[u8], folder: &[u8]) -> bool {
        place
            .strip_prefix(folder)
            .is_some_and(|rest| rest.is_empty() || rest[0] == b'/' || rest == b" (deleted)")
    }

    fn end_until_none(is_meant: impl Fn(i32) -> bool) {
        for _ in 0..ROUNDS {
            let left: Vec<i32> = children().into_iter().filter(|number| is_meant(*number)).collect();
            if left.is_empty() {
                return;
            }
            for process in left.into_iter().filter_map(Pid::from_raw) {
                let _ = kill_process(process, Signal::KILL);
                let _ = waitpid(Some(process), WaitOptions::NOHANG);
            }
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
    }
}

/// Asks the system for the orphans among the descendants of this process, so that none escapes by leaving its group.
///
/// # Errors
/// The system refuses.
#[cfg(target_os = "linux")]
pub fn adopt_orphans() -> std::io::Result<()> {
    use rustix::process::{getpid, set_child_subreaper};
    Ok(set_child_subreaper(Some(getpid()))?)
}

/// As [`adopt_orphans`], and closes this process to the eyes of others of the same user: its folder, its open files, its
/// memory.
///
/// # Errors
/// The system refuses.
#[cfg(target_os = "linux")]
pub fn adopt_orphans_and_close() -> std::io::Result<()> {
    use rustix::process::{DumpableBehavior, set_dumpable_behavior};
    adopt_orphans()?;
    Ok(set_dumpable_behavior(DumpableBehavior::NotDumpable)?)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
mod tests {
    use super::*;

    /// A program of a conformance run removed its folder; the next one got the same name, and ended with the first.
    #[test]
    fn a_folder_that_its_program_removed_is_not_given_to_another() {
        let first = EmptyFolder::make("test").unwrap();
        std::fs::remove_dir(&first.path).unwrap();
        let second = EmptyFolder::make("test").unwrap();
        assert_ne!(first.path, second.path);
        drop(first);
        assert!(second.path.is_dir());
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn the_first_folder_is_not_the_tenth() {
        use super::descendants::lies_in;
        for (place, expected) in [
            ("/tmp/a-1", true),
            ("/tmp/a-1/inner", true),
            ("/tmp/a-1 (deleted)", true),
            ("/tmp/a-1/inner (deleted)", true),
            ("/tmp/a-10", false),
            ("/tmp/a-10 (deleted)", false),
            ("/tmp", false),
        ] {
            assert_eq!(lies_in(place.as_bytes(), b"/tmp/a-1"), expected, "{place}");
        }
    }
}

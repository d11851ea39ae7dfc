//! A team's program as a process of its own: in an empty folder, with a cleared environment, and gone with all that it
//! started when it ends or has to be ended.
//!
//! Environment of the program: `PATH` (the folders of the system), `HOME` and `TMPDIR` (its own empty folder), `LANG` as
//! the user has it. Nothing else.

use std::ffi::OsString;
use std::io::{Read, Write};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use crate::JobError;

/// The search path of the program.
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
    pub fn make() -> Result<Self, JobError> {
        let base = std::env::temp_dir();
        let mut last = None;
        for number in 0..1000 {
            let path = base.join(format!("mapjudge-challenge-{}-{number}", std::process::id()));
            match std::fs::create_dir(&path) {
                Ok(()) => return Ok(Self { path }),
                Err(source) => last = Some(source),
            }
        }
        let source = last.unwrap_or_else(|| std::io::ErrorKind::AlreadyExists.into());
        Err(JobError::file(base, source))
    }
}

impl Drop for EmptyFolder {
    fn drop(&mut self) {
        // What cannot be removed is left to the system's own cleaning of temporary files.
        let _ = std::fs::remove_dir_all(&self.path);
    }
}

/// The program while it runs.
pub(crate) struct TeamProgram {
    child: Child,
    /// A message when each of its two outputs has ended.
    ended: Receiver<()>,
    elsewhere: Option<Elsewhere>,
    /// Processes that this one had started before.
    #[cfg(target_os = "linux")]
    others: Vec<i32>,
}

impl TeamProgram {
    /// Starts the program. `{host}`, `{port}` and `{out}` are replaced; words that name existing files become absolute,
    /// since the program runs elsewhere.
    pub fn start(command: &str, address: SocketAddr, folder: &Path, poses: &Path) -> Result<Self, JobError> {
        let unusable = |why: String| JobError::Program { command: command.to_owned(), why };
        let words = words_of(command).ok_or_else(|| unusable("a quote is not closed".to_owned()))?;
        let replaced = words.into_iter().map(|word| {
            let word = word.replace("{host}", &address.ip().to_string());
            let word = word.replace("{port}", &address.port().to_string());
            word.replace("{out}", &poses.display().to_string())
        });
        let absolute = replaced.map(|word| match std::fs::canonicalize(&word) {
            Ok(path) if !word.is_empty() => path.into_os_string(),
            _ => word.into(),
        });
        let words: Vec<OsString> = absolute.collect();
        let (program, arguments) = words.split_first().ok_or_else(|| unusable("it is empty".to_owned()))?;
        #[cfg(target_os = "linux")]
        let others = descendants::children();
        let elsewhere = Some(Elsewhere::go(folder));
        let mut child =
            prepared(program, arguments, folder).spawn().map_err(|error| unusable(error.to_string()))?;
        // Its outputs pass through this process: a file behind them would tell where results are written.
        let (sender, ended) = channel();
        let outputs: [Option<Box<dyn Read + Send>>; 2] = [
            child.stdout.take().map(|pipe| Box::new(pipe) as Box<dyn Read + Send>),
            child.stderr.take().map(|pipe| Box::new(pipe) as Box<dyn Read + Send>),
        ];
        for mut output in outputs.into_iter().flatten() {
            let sender = sender.clone();
            std::thread::spawn(move || {
                pass_on(&mut output);
                // Nobody waits for it if the program is gone for long.
                let _ = sender.send(());
            });
        }
        #[cfg(target_os = "linux")]
        return Ok(Self { child, ended, elsewhere, others });
        #[cfg(not(target_os = "linux"))]
        Ok(Self { child, ended, elsewhere })
    }

    /// Waits for the program and ends all that it has left; none if it had to be ended itself.
    pub fn wait(&mut self, timeout: Duration) -> std::io::Result<Option<ExitStatus>> {
        const GLANCE: Duration = Duration::from_millis(20);
        let begun = Instant::now();
        let status = loop {
            if let Some(status) = self.child.try_wait()? {
                break Some(status);
            }
            if begun.elapsed() >= timeout {
                break None;
            }
            std::thread::sleep(GLANCE);
        };
        self.end();
        let until = Instant::now() + LAST_WORDS;
        for _ in 0..2 {
            let _ = self.ended.recv_timeout(until.saturating_duration_since(Instant::now()));
        }
        Ok(status)
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
        descendants::end_all_but(&self.others);
        self.elsewhere = None;
    }
}

impl Drop for TeamProgram {
    fn drop(&mut self) {
        self.end();
    }
}

fn prepared(program: &OsString, arguments: &[OsString], folder: &Path) -> Command {
    let mut command = Command::new(program);
    command.args(arguments).current_dir(folder).env_clear();
    command.env("PATH", PATH).env("HOME", folder).env("TMPDIR", folder);
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

/// Processes that left the group of the program. They come to this process when their parents end, if it has asked for
/// that: see [`adopt_orphans_and_close`].
#[cfg(target_os = "linux")]
mod descendants {
    use std::path::Path;

    use rustix::process::{Pid, Signal, WaitOptions, kill_process, waitpid};

    use crate::files::read_small_text;

    /// A line of `/proc/ID/stat`.
    const MAX_STATUS_BYTES: u64 = 1 << 12;

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
        for _ in 0..ROUNDS {
            let left: Vec<i32> = children().into_iter().filter(|number| !others.contains(number)).collect();
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

/// Asks the system for the orphans among the descendants of this process, so that none escapes by leaving its group, and
/// closes this process to the eyes of others of the same user: its folder, its open files, its memory.
///
/// # Errors
/// The system refuses.
#[cfg(target_os = "linux")]
pub fn adopt_orphans_and_close() -> std::io::Result<()> {
    use rustix::process::{DumpableBehavior, getpid, set_child_subreaper, set_dumpable_behavior};
    set_child_subreaper(Some(getpid()))?;
    Ok(set_dumpable_behavior(DumpableBehavior::NotDumpable)?)
}

/// The present folder of this process, left for another one until this is dropped: who looks where a process is must not
/// find what lies there.
struct Elsewhere {
    back: Option<PathBuf>,
}

impl Elsewhere {
    fn go(folder: &Path) -> Self {
        let back = std::env::current_dir().ok();
        // If it does not go, the folder is told as before; the relations are not.
        let _ = std::env::set_current_dir(folder);
        Self { back }
    }
}

impl Drop for Elsewhere {
    fn drop(&mut self) {
        if let Some(back) = &self.back {
            let _ = std::env::set_current_dir(back);
        }
    }
}

/// Words with blanks between; quotes of both kinds hold blanks together. None if a quote is not closed.
fn words_of(command: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let (mut word, mut quote) = (None::<String>, None::<char>);
    for letter in command.chars() {
        match quote {
            Some(open) if letter == open => quote = None,
            Some(_) => word.get_or_insert_default().push(letter),
            None if letter == '"' || letter == '\'' => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            None if letter.is_whitespace() => words.extend(word.take()),
            None => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    quote.is_none().then_some(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn started(command: &str, folder: &Path) -> TeamProgram {
        let address = SocketAddr::from(([127, 0, 0, 1], 3000));
        TeamProgram::start(command, address, folder, &folder.join("poses")).unwrap()
    }

    #[test]
    fn words_are_split_as_a_shell_would() {
        let split = |text: &str| words_of(text);
        assert_eq!(split("a  b\tc").unwrap(), ["a", "b", "c"]);
        assert_eq!(split("sh -c \"a 'b' c\" ''").unwrap(), ["sh", "-c", "a 'b' c", ""]);
        assert_eq!(split(" ").unwrap(), Vec::<String>::new());
        assert_eq!(split("a 'b"), None);
    }

    /// One test: processes that another thread of this one starts would be ended too.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_program_and_what_it_started_end_when_their_time_is_over() {
        adopt_orphans_and_close().unwrap();
        let folder = tempfile::tempdir().unwrap();
        assert!(started("sleep 60", folder.path()).wait(Duration::from_millis(100)).unwrap().is_none());
        assert!(started("true", folder.path()).wait(Duration::from_secs(60)).unwrap().unwrap().success());
        let script = "(sleep 61 & echo $! >a; setsid sleep 62 & echo $! >b; wait) & sleep 0.3";
        let ends = [(" ; sleep 60", 1500), ("", 60_000)];
        for (end, timeout_ms) in ends {
            let command = format!("sh -c \"{script}{end}\"");
            started(&command, folder.path()).wait(Duration::from_millis(timeout_ms)).unwrap();
            for name in ["a", "b"] {
                let number = std::fs::read_to_string(folder.path().join(name)).unwrap();
                let status = std::fs::read_to_string(format!("/proc/{}/stat", number.trim()));
                assert!(status.is_err(), "{name} of {command} lives: {status:?}");
            }
        }
    }
}

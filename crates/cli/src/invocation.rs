//! The command line as the name of a run: which command, on which files.

use std::cell::RefCell;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use clap::CommandFactory;
use mapjudge::JobError;
use mapjudge::files::{OutputFolder, Overwrite, RunName};

use crate::failure::Failure;
use crate::secluded::handed_over;

/// Flags whose values are written, not read.
const OUTPUT_FLAGS: [&str; 3] = ["--out", "--labels", "--page"];

/// The words of this process.
static OF_PROCESS: OnceLock<Arc<[OsString]>> = OnceLock::new();

thread_local! {
    /// The words of commands that run inside of another program, the innermost last: while a command waits for its threads,
    /// its own may begin another one.
    static WITHIN: RefCell<Vec<Arc<[OsString]>>> = const { RefCell::new(Vec::new()) };
}

/// Takes the words of this process: those given, or those that were handed over to a secluded one.
pub fn begin(words: Vec<OsString>) {
    let words = handed_over(&words).unwrap_or(words);
    // A process has one command line; a second call would be one inside of it.
    let _ = OF_PROCESS.set(words.into());
}

/// Runs a command under words of its own.
pub fn within<T>(words: Arc<[OsString]>, command: impl FnOnce() -> T) -> T {
    struct Ended;
    impl Drop for Ended {
        fn drop(&mut self) {
            WITHIN.with_borrow_mut(|all| _ = all.pop());
        }
    }
    WITHIN.with_borrow_mut(|all| all.push(words));
    let _ended = Ended;
    command()
}

/// The program and its arguments.
pub fn arguments() -> Arc<[OsString]> {
    let within = WITHIN.with_borrow(|all| all.last().cloned());
    within.or_else(|| OF_PROCESS.get().cloned()).unwrap_or_default()
}

/// The same as text.
pub fn texts() -> Vec<String> {
    arguments().iter().map(|word| word.to_string_lossy().into_owned()).collect()
}

/// The folder of `--out` for a report: the next one of the same command takes its place, as in a nightly run.
pub fn report_folder(out: &Path, overwrite: Overwrite) -> OutputFolder {
    let run = RunName::of_command(&command(&words()), &inputs(out));
    OutputFolder::guarded(out, run, overwrite)
}

/// The folder of `--out` for results that are replaced only by those of the same files.
pub fn results(out: &Path, overwrite: Overwrite) -> OutputFolder {
    OutputFolder::guarded(out, run(out, &[]), overwrite)
}

/// This run, which writes into a folder; `words` choose its result beside the files, such as a seed.
pub fn run(out: &Path, words: &[&str]) -> RunName {
    RunName::new(&command(&self::words()), &inputs(out), words)
}

/// Arguments without the program.
fn words() -> Vec<OsString> {
    arguments().iter().skip(1).cloned().collect()
}

fn inputs(out: &Path) -> Vec<PathBuf> {
    let mut inputs = Named::of(&words()).read;
    // A command may take its folder as a plain word; it is there when the run is repeated, and was not before.
    inputs.retain(|path| !is_same(path, out));
    inputs
}

/// Refuses an output that is named as an input too.
pub fn refuse_input(output: &Path) -> Result<(), Failure> {
    if is_input(output) {
        return Err(JobError::OverInput { path: output.display().to_string() }.into());
    }
    Ok(())
}

fn is_input(output: &Path) -> bool {
    let Named { read, written } = Named::of(&words());
    let count = |paths: &[PathBuf]| paths.iter().filter(|path| is_same(path, output)).count();
    // An output that belongs to no flag is itself among the words that may be read.
    count(&read) > usize::from(count(&written) == 0)
}

fn is_same(path: &Path, other: &Path) -> bool {
    matches!((path.canonicalize(), other.canonicalize()), (Ok(path), Ok(other)) if path == other)
}

/// The command and its subcommands.
fn command(arguments: &[OsString]) -> String {
    let mut command = crate::Cli::command();
    let mut names = Vec::new();
    for word in arguments.iter().filter_map(|word| word.to_str()) {
        if let Some(next) = command.find_subcommand(word).cloned() {
            names.push(next.get_name().to_owned());
            command = next;
        }
    }
    names.join("-")
}

/// Paths among the arguments.
struct Named {
    /// Files and folders that are there: whole words, and what stands behind `=` or `:`.
    read: Vec<PathBuf>,
    /// Values of [`OUTPUT_FLAGS`].
    written: Vec<PathBuf>,
}

impl Named {
    fn of(arguments: &[OsString]) -> Self {
        let is_output = |flag: &str| OUTPUT_FLAGS.contains(&flag);
        let mut named = Self { read: Vec::new(), written: Vec::new() };
        let mut before = "";
        for word in arguments {
            let text = word.to_str().unwrap_or_default();
            match text.split_once(['=', ':']) {
                _ if is_output(before) => named.written.push(word.into()),
                Some((flag, value)) if is_output(flag) => named.written.push(value.into()),
                behind => {
                    named.read.push(word.into());
                    named.read.extend(behind.map(|(_, value)| PathBuf::from(value)));
                }
            }
            before = text;
        }
        named.read.retain(|path| path.exists());
        named
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(text: &str) -> Vec<OsString> {
        text.split(' ').map(OsString::from).collect()
    }

    #[test]
    fn inputs_are_the_words_that_are_there_and_not_written() {
        let read = |text: &str| Named::of(&split(text)).read;
        assert_eq!(
            read("score Cargo.toml --truth=src --out build.rs"),
            ["Cargo.toml", "src"].map(PathBuf::from)
        );
        assert_eq!(
            read("simulate src --drive waypoints:Cargo.toml"),
            ["src", "Cargo.toml"].map(PathBuf::from)
        );
        assert_eq!(
            Named::of(&split("score a --out=src --labels b")).written,
            ["src", "b"].map(PathBuf::from)
        );
    }

    #[test]
    fn the_command_is_named_with_its_subcommands() {
        assert_eq!(command(&split("--quiet truth import a.csv --out b.jsonl")), "truth-import");
        assert_eq!(command(&split("map score.log --mapper graph")), "map");
    }
}

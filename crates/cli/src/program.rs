//! This program once more, as workers and secluded processes start it.

use std::ffi::OsString;
use std::process::Command;
use std::sync::OnceLock;

use crate::failure::Failure;

/// What starts this program where it lives inside of another one: that program, and the words before the arguments.
static STARTED_BY: OnceLock<Vec<OsString>> = OnceLock::new();

/// Tells how this program is started again, for instance as a module of Python. The first call counts.
pub fn start_again_by(words: Vec<OsString>) {
    let _ = STARTED_BY.set(words);
}

/// The words that start this program: those that were told, or its file.
pub fn words() -> std::io::Result<Vec<OsString>> {
    match STARTED_BY.get() {
        Some(words) if !words.is_empty() => Ok(words.clone()),
        _ => Ok(vec![std::env::current_exe()?.into_os_string()]),
    }
}

/// Why this program cannot be started again.
pub fn not_found(error: &std::io::Error) -> Failure {
    Failure::new(format!("this program cannot be found to start it again: {error}"))
}

/// This program, to be given arguments.
pub fn again() -> std::io::Result<Command> {
    let words = words()?;
    let mut command = Command::new(&words[0]);
    command.args(&words[1..]);
    #[cfg(unix)]
    if STARTED_BY.get().is_none() {
        std::os::unix::process::CommandExt::arg0(&mut command, "mapjudge");
    }
    Ok(command)
}

/// Variables without which the other program does not find this one.
#[cfg(target_os = "linux")]
pub fn variables() -> Vec<(OsString, OsString)> {
    let is_kept = |name: &OsString| name.to_string_lossy().starts_with("PYTHON");
    let all = std::env::vars_os().filter(|(name, _)| STARTED_BY.get().is_some() && is_kept(name));
    all.collect()
}

//! This program once more, as workers and secluded processes start it.

use std::ffi::OsString;
use std::process::Command;
use std::sync::OnceLock;

/// What starts this program where it lives inside of another one: that program, and the words before the arguments.
static STARTED_BY: OnceLock<Vec<OsString>> = OnceLock::new();

/// Tells how this program is started again, for instance as a module of Python. The first call counts.
pub fn start_again_by(words: Vec<OsString>) {
    let _ = STARTED_BY.set(words);
}

/// This program, to be given arguments.
pub fn again() -> std::io::Result<Command> {
    if let Some((program, words)) = STARTED_BY.get().and_then(|words| words.split_first()) {
        let mut command = Command::new(program);
        command.args(words);
        return Ok(command);
    }
    #[allow(unused_mut, reason = "only systems with names of programs change it")]
    let mut command = Command::new(std::env::current_exe()?);
    #[cfg(unix)]
    std::os::unix::process::CommandExt::arg0(&mut command, "mapjudge");
    Ok(command)
}

/// Variables without which the other program does not find this one.
#[cfg(target_os = "linux")]
pub fn variables() -> Vec<(OsString, OsString)> {
    let is_kept = |name: &OsString| name.to_string_lossy().starts_with("PYTHON");
    let all = std::env::vars_os().filter(|(name, _)| STARTED_BY.get().is_some() && is_kept(name));
    all.collect()
}

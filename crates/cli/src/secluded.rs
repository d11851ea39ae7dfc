//! A process that tells nothing to programs that it starts: its command line, its environment and its open files do not
//! say which files it was given.
//!
//! On Linux every process may read `/proc/ID/cmdline` of every other. So the process becomes a new one with the same
//! number, which gets its arguments through a file that exists in memory only, and closes it.

use std::ffi::OsString;

use crate::failure::Failure;

/// Stands in the command line of a process that has other arguments.
#[cfg(target_os = "linux")]
const MARK: [&str; 2] = ["challenge", "--secluded"];
/// Variables that it keeps: for messages, and for the folder of temporary files.
#[cfg(target_os = "linux")]
const KEPT_VARIABLES: [&str; 10] =
    ["PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "TERM", "COLUMNS", "NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE"];

/// Whether this process was made one that tells nothing.
#[cfg(target_os = "linux")]
static SECLUDED: std::sync::atomic::AtomicBool = std::sync::atomic::AtomicBool::new(false);

#[cfg(target_os = "linux")]
fn is_secluded() -> bool {
    SECLUDED.load(std::sync::atomic::Ordering::Relaxed)
}

/// Makes this process one that tells nothing; does nothing if it is one, or where processes cannot be read.
#[cfg(target_os = "linux")]
pub fn seclude(arguments: &[OsString]) -> Result<(), Failure> {
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::process::CommandExt;
    use std::process::Stdio;

    use crate::program;

    if is_secluded() {
        return Ok(());
    }
    let failed = |error: std::io::Error| Failure::new(format!("a process of its own: {error}"));
    let words: Vec<&[u8]> = arguments.iter().map(|word| word.as_bytes()).collect();
    let file = in_memory(&words.join(&0)).map_err(failed)?;
    let kept = KEPT_VARIABLES.iter().filter_map(|name| Some((name, std::env::var_os(name)?)));
    let kept: Vec<_> = kept.collect();
    let mut again = program::again().map_err(failed)?;
    again.args(MARK).env_clear().envs(kept).envs(program::variables()).stdin(Stdio::from(file));
    // Comes back only if it failed.
    Err(failed(again.exec()))
}

#[cfg(not(target_os = "linux"))]
pub fn seclude(_: &[OsString]) -> Result<(), Failure> {
    Ok(())
}

/// A file without a name that holds some bytes, to be read from its beginning.
#[cfg(target_os = "linux")]
fn in_memory(bytes: &[u8]) -> std::io::Result<std::fs::File> {
    use std::io::{Seek, Write};
    let file = rustix::fs::memfd_create("arguments", rustix::fs::MemfdFlags::CLOEXEC)?;
    let mut file = std::fs::File::from(file);
    file.write_all(bytes)?;
    file.rewind()?;
    Ok(file)
}

/// The arguments that were handed over to a secluded process; none for any other.
#[cfg(target_os = "linux")]
pub fn handed_over(words: &[OsString]) -> Option<Vec<OsString>> {
    use std::io::Read;
    use std::os::unix::ffi::OsStringExt;

    if !words.iter().skip(1).eq(&MARK.map(OsString::from)) {
        return None;
    }
    SECLUDED.store(true, std::sync::atomic::Ordering::Relaxed);
    let mut bytes = Vec::new();
    std::io::stdin().read_to_end(&mut bytes).ok()?;
    let nothing = std::fs::File::open("/dev/null").ok()?;
    rustix::stdio::dup2_stdin(nothing).ok()?;
    // Without either the program runs as it did before; what it may find is then up to the system.
    let _ = mapjudge::files::adopt_orphans_and_close();
    Some(bytes.split(|byte| *byte == 0).map(|word| OsString::from_vec(word.to_vec())).collect())
}

#[cfg(not(target_os = "linux"))]
pub fn handed_over(_: &[OsString]) -> Option<Vec<OsString>> {
    None
}

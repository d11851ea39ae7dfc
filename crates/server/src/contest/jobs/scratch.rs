//! Folders that are gone after their work, those of killed programs with the next start.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

const PREFIX: &str = "mapjudge-judging-";

/// A folder of its own among the temporary files, which only this user can read.
#[derive(Debug)]
pub struct Scratch {
    path: PathBuf,
}

impl Scratch {
    /// Makes an empty folder.
    ///
    /// # Errors
    /// The system refuses.
    pub fn new() -> io::Result<Self> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        const ATTEMPTS: usize = 1000;
        for _ in 0..ATTEMPTS {
            let number = COUNT.fetch_add(1, Ordering::Relaxed);
            let path = std::env::temp_dir().join(format!("{PREFIX}{}-{number}", std::process::id()));
            let mut builder = std::fs::DirBuilder::new();
            #[cfg(unix)]
            std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
            match builder.create(&path) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                made => return made.map(|()| Self { path }),
            }
        }
        Err(io::Error::other("no name for a temporary folder is free"))
    }

    /// The folder.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes a file below it, with the folders on the way.
    ///
    /// # Errors
    /// The disk refuses.
    pub fn write(&self, name: impl AsRef<Path>, bytes: &[u8]) -> io::Result<()> {
        let path = self.path.join(name);
        path.parent().map_or(Ok(()), std::fs::create_dir_all)?;
        std::fs::write(path, bytes)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What cannot be removed is left to the next start.
        let _ = std::fs::remove_dir_all(&self.path);
    }
}

/// Removes the folders of programs that are no more.
pub fn remove_orphans() {
    for entry in std::fs::read_dir(std::env::temp_dir()).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let owner = name.strip_prefix(PREFIX).and_then(|rest| rest.split('-').next()?.parse::<i32>().ok());
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        if owner.is_some_and(|owner| is_folder && !is_alive(owner)) {
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
}

#[cfg(unix)]
fn is_alive(process: i32) -> bool {
    use rustix::io::Errno;
    use rustix::process::{Pid, test_kill_process};
    Pid::from_raw(process).is_none_or(|process| test_kill_process(process) != Err(Errno::SRCH))
}

#[cfg(not(unix))]
fn is_alive(_: i32) -> bool {
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_goes_with_its_work_or_with_the_next_start() {
        let scratch = Scratch::new().unwrap();
        scratch.write("a/b", b"x").unwrap();
        // Nobody has the largest number that a process may have.
        let orphan = std::env::temp_dir().join(format!("{PREFIX}4194304-0"));
        std::fs::create_dir_all(&orphan).unwrap();
        remove_orphans();
        assert!(!orphan.exists() && scratch.path().join("a/b").exists());
        let path = scratch.path().to_owned();
        drop(scratch);
        assert!(!path.exists());
    }
}

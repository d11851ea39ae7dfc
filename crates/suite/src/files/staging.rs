//! Files of a run that wait beside their places until all of them are whole.
//!
//! They lie in a folder of their own in the folder of results, on the same disk: moving them is a rename. A run that is killed
//! leaves that folder; the next one removes it.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use super::{read_small, write_whole};
use crate::JobError;

const PREFIX: &str = ".mapjudge-";
const SUFFIX: &str = ".part";
/// Held open and locked as long as its run lives.
const LOCK: &str = ".lock";

/// A folder of waiting files; it goes with this value.
#[derive(Debug)]
pub(super) struct Staging {
    folder: PathBuf,
    _lock: File,
}

impl Staging {
    /// Makes the folder in a folder of results, and removes what killed runs have left there.
    pub fn begin(results: &Path) -> Result<Self, JobError> {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        remove_abandoned(results);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let folder = results.join(format!("{PREFIX}{}-{number}{SUFFIX}", std::process::id()));
        let made = std::fs::create_dir_all(&folder).and_then(|()| File::create(folder.join(LOCK)));
        let lock = made.map_err(|source| JobError::output(results, source))?;
        // The lock says that somebody is at work; a file system without locks does not stop the work.
        let _ = lock.try_lock();
        Ok(Self { folder, _lock: lock })
    }

    /// Writes a file that waits; one of the same name is replaced.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<(), JobError> {
        let path = self.folder.join("files").join(name);
        let parent = path.parent().unwrap_or(&self.folder);
        let written = std::fs::create_dir_all(parent).and_then(|()| std::fs::write(&path, bytes));
        written.map_err(|source| JobError::output(&path, source))
    }

    /// Brings the bytes of a file to the disk.
    pub fn sync(&self, name: &str) -> Result<(), JobError> {
        let path = self.folder.join("files").join(name);
        File::open(&path).and_then(|file| file.sync_all()).map_err(|source| JobError::output(&path, source))
    }

    /// Moves a file to its place; behind a link, if the place is one.
    pub fn place(&self, name: &str, place: &Path) -> Result<(), JobError> {
        let part = self.folder.join("files").join(name);
        let behind = place.canonicalize().unwrap_or_else(|_| place.to_owned());
        match std::fs::rename(&part, &behind) {
            // A link may lead to another disk.
            Err(source) if source.kind() == std::io::ErrorKind::CrossesDevices => {
                write_whole(&behind, read_small(&part, 1 << 40)?)
            }
            moved => moved.map_err(|source| JobError::output(place, source)),
        }
    }
}

impl Drop for Staging {
    fn drop(&mut self) {
        // What cannot be removed is removed by the next run.
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// Removes the waiting files of runs that are no more. Those of a run that lives are locked.
fn remove_abandoned(results: &Path) {
    for entry in std::fs::read_dir(results).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let is_part = name.to_str().is_some_and(|name| name.starts_with(PREFIX) && name.ends_with(SUFFIX));
        let is_left = || match File::open(entry.path().join(LOCK)) {
            Ok(lock) => lock.try_lock().is_ok(),
            // Killed before the lock was made, unless it is being made at this moment.
            Err(_) => entry
                .metadata()
                .and_then(|data| data.modified())
                .is_ok_and(|time| time.elapsed().is_ok_and(|age| age > std::time::Duration::from_secs(60))),
        };
        if is_part && is_left() {
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_killed_run_left_goes_and_what_a_living_one_writes_stays() {
        let results = tempfile::tempdir().unwrap();
        let killed = results.path().join(".mapjudge-4194305-0.part");
        std::fs::create_dir(&killed).unwrap();
        std::fs::write(killed.join(LOCK), "").unwrap();
        let living = Staging::begin(results.path()).unwrap();
        living.write("teams/a/sheet.html", b"1").unwrap();
        assert!(!killed.exists());
        let other = Staging::begin(results.path()).unwrap();
        living.sync("teams/a/sheet.html").unwrap();
        living.place("teams/a/sheet.html", &results.path().join("sheet.html")).unwrap();
        drop((living, other));
        let names: Vec<_> =
            std::fs::read_dir(results.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(names, ["sheet.html"]);
    }
}

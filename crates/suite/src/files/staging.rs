//! Files of a run that wait beside their places until all of them are whole.
//!
//! They lie in a folder of their own in the folder of results, on the same disk: moving them is a rename. A run that is killed
//! leaves that folder; the next one removes it.

use std::fs::{File, TryLockError};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use super::{read_small, write_whole};
use crate::JobError;

const PREFIX: &str = ".mapjudge-";
const SUFFIX: &str = ".part";
/// Held open and locked as long as its run lives.
const LOCK: &str = ".lock";
/// The waiting files lie in here.
const FILES: &str = "files";

/// A folder of waiting files; it goes with this value.
#[derive(Debug)]
pub(super) struct Staging {
    folder: PathBuf,
    _lock: File,
}

impl Staging {
    /// Makes the folder in a folder of results, and removes what killed runs have left there.
    pub fn begin(results: &Path) -> Result<Self, JobError> {
        const ATTEMPTS: usize = 100;
        remove_abandoned(results);
        let mut last = None;
        for _ in 0..ATTEMPTS {
            match Self::make(results) {
                Ok(Some(staging)) => return Ok(staging),
                Ok(None) => {}
                Err(source) => last = Some(source),
            }
        }
        let source = last.unwrap_or_else(|| ErrorKind::ResourceBusy.into());
        Err(JobError::output(results, source))
    }

    /// A folder with its lock. None if a run that looks for abandoned ones took it before it was locked.
    fn make(results: &Path) -> std::io::Result<Option<Self>> {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let folder = results.join(format!("{PREFIX}{}-{number}{SUFFIX}", std::process::id()));
        std::fs::create_dir_all(&folder)?;
        let lock = File::create(folder.join(LOCK)).inspect_err(|_| remove(&folder))?;
        match lock.try_lock() {
            // It may have been taken away between its making and its locking.
            Ok(()) if !folder.join(LOCK).exists() => Ok(None),
            Err(TryLockError::WouldBlock) => Ok(None),
            // A file system without locks does not stop the work.
            Ok(()) | Err(TryLockError::Error(_)) => Ok(Some(Self { folder, _lock: lock })),
        }
    }

    /// Writes a file that waits; one of the same name is replaced.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<(), JobError> {
        let path = self.folder.join(FILES).join(name);
        let parent = path.parent().unwrap_or(&self.folder);
        let written = std::fs::create_dir_all(parent).and_then(|()| std::fs::write(&path, bytes));
        written.map_err(|source| JobError::output(&path, source))
    }

    /// Brings the bytes of a file to the disk.
    pub fn sync(&self, name: &str) -> Result<(), JobError> {
        let path = self.folder.join(FILES).join(name);
        File::open(&path).and_then(|file| file.sync_all()).map_err(|source| JobError::output(&path, source))
    }

    /// Moves a file to its place; behind a link, if the place is one.
    pub fn place(&self, name: &str, place: &Path) -> Result<(), JobError> {
        let part = self.folder.join(FILES).join(name);
        let behind = place.canonicalize().unwrap_or_else(|_| place.to_owned());
        match std::fs::rename(&part, &behind) {
            // A link may lead to another disk.
            Err(source) if source.kind() == ErrorKind::CrossesDevices => {
                write_whole(&behind, read_small(&part, 1 << 40)?)
            }
            moved => moved.map_err(|source| JobError::output(place, source)),
        }
    }
}

impl Drop for Staging {
    fn drop(&mut self) {
        remove(&self.folder);
    }
}

/// Removes such a folder: its files first, then the lock by which the next run knows that it is left if this one is killed
/// meanwhile. What cannot be removed is removed by the next run.
fn remove(folder: &Path) {
    let _ = std::fs::remove_dir_all(folder.join(FILES));
    let _ = std::fs::remove_file(folder.join(LOCK));
    let _ = std::fs::remove_dir(folder);
}

/// Removes the waiting files of runs that are no more. Those of a run that lives are locked.
fn remove_abandoned(results: &Path) {
    for entry in std::fs::read_dir(results).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let is_part = name.to_str().is_some_and(|name| name.starts_with(PREFIX) && name.ends_with(SUFFIX));
        if !is_part {
            continue;
        }
        match File::open(entry.path().join(LOCK)) {
            Ok(lock) if lock.try_lock().is_ok() => remove(&entry.path()),
            Ok(_) => {}
            // Files wait beside a lock alone, so one without it is empty: its run was killed before it was made, or after it
            // was removed. A run that is making one tries again.
            Err(_) => {
                let _ = std::fs::remove_dir(entry.path());
            }
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

    /// A run may be killed while it removes its folder: whatever is left, the next one knows that nobody is at work there.
    #[test]
    fn a_removal_that_was_cut_off_is_ended_by_the_next_run() {
        let results = tempfile::tempdir().unwrap();
        let [files_left, lock_left, nothing_left] =
            [1, 2, 3].map(|number| results.path().join(format!(".mapjudge-4194305-{number}.part")));
        std::fs::create_dir_all(files_left.join(FILES).join("teams")).unwrap();
        std::fs::write(files_left.join(LOCK), "").unwrap();
        std::fs::create_dir(&lock_left).unwrap();
        std::fs::write(lock_left.join(LOCK), "").unwrap();
        std::fs::create_dir(&nothing_left).unwrap();
        drop(Staging::begin(results.path()).unwrap());
        assert_eq!(std::fs::read_dir(results.path()).unwrap().count(), 0);
    }

    #[test]
    fn runs_that_begin_in_one_folder_at_once_keep_their_files() {
        let results = tempfile::tempdir().unwrap();
        std::thread::scope(|scope| {
            for number in 0..4 {
                let results = results.path();
                scope.spawn(move || {
                    for round in 0..100 {
                        let name = format!("{number}-{round}.txt");
                        let staging = Staging::begin(results).unwrap();
                        staging.write(&name, name.as_bytes()).unwrap();
                        staging.place(&name, &results.join(&name)).unwrap();
                    }
                });
            }
        });
        assert_eq!(std::fs::read_dir(results.path()).unwrap().count(), 400);
    }
}
